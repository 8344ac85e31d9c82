/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that say the same: their schedules cannot differ. */
#ifndef MAUI_REPLAY_SAME_FILES_H
#define MAUI_REPLAY_SAME_FILES_H

#include "common/config/config.h"
#include "contribs/maui/replay/replay_sides.h"

/* The values that a maui.cfg sets or leaves at their defaults, without where they stand in it;
 * malloc'ed. */
char *same_files_values(const struct maui_config *config);

/* The first side before this one whose file says the same; NULL: none does. */
const struct replay_side *same_files_first(const struct replay_report *report, size_t side);

#endif
