/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files of windows that are yet to come: from a clock that was ahead, or because the clock is
 * behind now. They stay until the clock gets there, and then count (D-FS-14).
 */
#ifndef MAUI_ENGINE_FAIRSHARE_AHEAD_H
#define MAUI_ENGINE_FAIRSHARE_AHEAD_H

#include <stdbool.h>

#include "common/policy/fairshare/fairshare.h"
#include "plugins/engine/fairshare/fairshare_clock.h"
#include "plugins/engine/runtime/lock.h"

/* All functions are for the engine's thread alone. */

/* Find those in the directory that are newer than the windows; and, if no window has a file, how
 * far the last one before them counts. */
void fairshare_ahead_find(const char *directory, const struct maui_fairshare *windows,
			  struct fairshare_files_say *say);

/* One more. */
void fairshare_ahead_add(int64_t start);

/*
 * Add the usage of those that are windows by now. Returns a mask of windows whose files cannot be
 * read now, which must not be written over. Takes the mutex, but not while waiting for the disk.
 */
uint32_t fairshare_ahead_take_up(const char *directory, struct maui_fairshare *windows);

void fairshare_ahead_drop(void);

#endif
