/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/engine/slurm/rsv_records.h" /* IWYU pragma: export */
