/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits of QOS and associations as limits of Maui: `maui import --take-limits`. D-IMP-6. */
#ifndef MAUI_IMPORT_TAKE_H
#define MAUI_IMPORT_TAKE_H

#include "common/import/import_take_rules.h"

/*
 * Those that Maui has exactly become lines, and commands that take them out of Slurm; they are no
 * longer among the limits of accounting. Others get the reason as their effect.
 */
void maui_import_take_limits(struct maui_import_accounting *accounting,
			     const struct maui_import_site *site, struct maui_import *import);

#endif
