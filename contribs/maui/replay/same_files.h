/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that say the same: their schedules cannot differ. */
#ifndef MAUI_REPLAY_SAME_FILES_H
#define MAUI_REPLAY_SAME_FILES_H

#include "contribs/maui/replay/report/replay_sides.h"

/* Finds each side's same_as. */
void same_files_find(struct replay_report *report);

#endif
