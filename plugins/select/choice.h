/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What cons_tres chooses of a node's GRES, NODECFG's MAXGRES may not let it give, D-GRES-12: then the
 * job is tried again without that node. Before a choice only the least that the job takes is known.
 */
#ifndef MAUI_SELECT_CHOICE_H
#define MAUI_SELECT_CHOICE_H

#include "plugins/compat/select_api.h"

int choice_job_test(const struct compat_job_test *test);

#endif
