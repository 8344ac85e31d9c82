/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading a state file (contribs/doc/state-files.md): a damaged one is set aside, one of a later
 * version is kept (D-SYS-13), and one that cannot be read now is waited for (D-SYS-15). The log says
 * what is lost.
 */
#ifndef MAUI_ENGINE_STATELOAD_H
#define MAUI_ENGINE_STATELOAD_H

#include "common/state/state_file.h"
#include "plugins/engine/runtime/statefile.h"

/* Reads the file, as above; what is not well is logged, what cannot be read only once. No lock held
 * but those that the caller itself needs. */
enum state_answer stateload_path(const struct maui_state_file *file, const char *path,
				 void *result);

/* The same by its name. */
enum state_answer stateload(const struct maui_state_file *file, const char *directory,
			    void *result);

/* It is no longer waited for: it was removed or written without having been read. */
void stateload_known(const char *path);

#endif
