/* SPDX-License-Identifier: GPL-2.0-or-later */
/* FS.<epoch>: the files of fairshare's windows, in STATDIR. contribs/doc/state-files.md describes
 * their contents. They are not in the table of state_files.c, because their text is Maui's and one
 * state is many files in two directories. stateload_path() and statefile_replace() read and replace
 * each, as for all others. */
#ifndef MAUI_ENGINE_FAIRSHARE_FILES_H
#define MAUI_ENGINE_FAIRSHARE_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "common/policy/fairshare/fairshare_file.h"
#include "common/queue/names.h"
#include "plugins/engine/fairshare/fairshare_place.h"
#include "plugins/engine/runtime/lock.h"
#include "plugins/engine/runtime/stateload.h"

/* Up to when usage is in the files, by both clocks. */
struct fairshare_counted {
	int64_t until;
	struct maui_fairshare_clock clock;
};

/* A file is read whole: enough for a million credentials. */
#define FAIRSHARE_FILE_MAX_SIZE (128u << 20)

/*
 * Load window k, which begins at start. Takes the engine's mutex to change the windows and names,
 * but not while waiting for the disk. *ret_file: what it says apart from usage. A damaged file is
 * set aside, one of a later version is kept; one of another metric becomes FS.<epoch>.<its metric>,
 * and one that did so before is taken up again. Only after STATE_READ is there anything in the
 * window.
 */
enum state_answer fairshare_file_load(const char *directory, struct maui_fairshare *windows,
				      uint32_t k, int64_t start,
				      struct maui_fairshare_file *ret_file);

/* What such a file says apart from usage; only after STATE_READ. Sets nothing aside. */
enum state_answer fairshare_file_head(const char *directory, int64_t start,
				      struct maui_fairshare_file *ret_file);

/* Add to window k what another set of windows has in it. The mutex is held. */
ENGINE_LOCKED void fairshare_window_add(const struct maui_fairshare *found,
					struct maui_fairshare *windows, uint32_t k);

/* Add what a directory's files say of all windows except the known ones. Takes the mutex, but not
 * while waiting for the disk. False if a file cannot be read now: then nothing has been added. */
bool fairshare_files_add(const char *directory, struct maui_fairshare *windows,
			 const struct fairshare_known *known);

/* Write the windows in the mask, the oldest first, and clear their dirty flags; those that are kept
 * for a later version are left out. Names by ID. 0 or a negative errno: then some are not written
 * and stay dirty. */
int fairshare_files_save(const char *directory, struct maui_fairshare *windows, uint32_t mask,
			 const struct fairshare_counted *counted,
			 const struct maui_frozen_names *names, struct maui_error *error);

/* The windows without a file, as a mask. */
uint32_t fairshare_files_missing(const char *directory, const struct maui_fairshare *windows);

/* Copy the files of the windows in the mask to another directory. 0 or a negative errno. */
int fairshare_files_copy(const char *directory, const char *mirror,
			 const struct maui_fairshare *windows, uint32_t mask,
			 struct maui_error *error);

#endif
