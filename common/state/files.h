/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All files in StateSaveLocation/maui that have a first line (contribs/doc/state-files.md). */
#ifndef MAUI_STATE_FILES_H
#define MAUI_STATE_FILES_H

#include "common/state/state_file.h"

/* By name; the last one is NULL. */
extern const struct maui_state_file *const maui_state_files[];

/* `disabled`, whose existence alone counts. */
extern const struct maui_state_file maui_disabled_file;

/* NULL: it is none of these. */
const struct maui_state_file *maui_state_file_find(const char *name);

#endif
