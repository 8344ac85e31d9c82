/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Formats or copies a state under the engine's mutex, writes its file without
 * the mutex, and computes when the next read or write is due.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/runtime/state.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "plugins/engine/runtime/monotonic.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/runtime/statefile.h"
#include "plugins/engine/runtime/statekept.h"

#define WRITE_SHARE 20 /* writes take at most one part of the time in so many */

static char *state_directory(void)
{
	char *directory;

	engine_lock();
	directory = engine_state_directory();
	engine_unlock();
	return directory;
}

/* ---- reading ---- */

enum state_answer state_read(struct state_file *file, const char *directory)
{
	file->answer = stateload(file->format, directory, file->found);
	file->there = file->answer == STATE_READ;
	engine_lock();
	retry_note(&file->reading, file->answer == STATE_NOT_NOW);
	engine_unlock();
	return file->answer;
}

double state_read_due(const struct state_file *file)
{
	return retry_due(&file->reading);
}

void state_read_again(struct state_file *file)
{
	char *directory = state_directory();
	enum state_answer answer = state_read(file, directory);

	free(directory);
	if (answer == STATE_NOT_NOW)
		return;
	file->late(answer);
	file->format->clear(file->found);
	engine_lock();
	file->changed = true;
	engine_unlock();
}

/* ---- writing ---- */

void state_reset(struct state_file *file)
{
	file->changed = false;
	file->not_before = file->pause = 0;
}

double state_write_due(const struct state_file *file)
{
	bool wanted = file->changed || (file->changes && file->changes());

	return wanted && !retry_waits(&file->reading) ? file->not_before : INFINITY;
}

/* The text to be written, malloc'ed. */
static void state_text_of(struct state_file *file, char **ret_text, size_t *ret_size)
{
	engine_lock();
	if (file->live)
		maui_state_format(file->format, file->live, ret_text, ret_size);
	else
		file->gather(file->copy);
	file->changed = false;
	engine_unlock();
	if (file->live)
		return;
	maui_state_format(file->format, file->copy, ret_text, ret_size);
	file->format->clear(file->copy);
}

/* For the status. file->removed: somebody had removed it. */
static void note_write(struct state_file *file, const char *directory, int rc, const char *why)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", directory, file->format->name);
	statekept_note_write(path, rc, why);
	if (!rc && file->removed)
		statekept_note_removed(path, file->removed, true);
}

static void note_result(struct state_file *file, int rc, double begun, const char *why)
{
	double now = monotonic_seconds();
	bool first;

	engine_lock();
	first = !(file->pause > 0);
	file->pause = rc ? retry_longer(file->pause, fmax(file->interval, RETRY_FIRST)) : 0;
	file->changed |= rc != 0;
	file->not_before =
		now + fmax(rc ? file->pause : file->interval, (now - begun) * WRITE_SHARE);
	engine_unlock();
	if (rc && first)
		error("maui: %s: a restart would forget %s", why, file->format->forgets);
}

void state_look(struct state_file *file)
{
	char *directory = file->there ? state_directory() : NULL, path[PATH_MAX];

	if (!directory)
		return;
	snprintf(path, sizeof(path), "%s/%s", directory, file->format->name);
	free(directory);
	if (!access(path, F_OK) || errno != ENOENT)
		return;
	file->there = false;
	file->removed = time(NULL);
	statekept_note_removed(path, file->removed, false);
	error("maui: %s is gone, and is written again from memory. To begin anew, remove it while "
	      "slurmctld is down",
	      path);
	engine_lock();
	file->changed = true;
	file->not_before = 0;
	engine_unlock();
}

int state_write(struct state_file *file, struct maui_error *why)
{
	double begun = monotonic_seconds();
	char *directory = state_directory(), *text = NULL;
	size_t size = 0;
	int rc;

	state_look(file);
	state_text_of(file, &text, &size);
	rc = statefile_replace(directory, file->format->name, text, size, why);
	file->there |= rc == 0;
	note_write(file, directory, rc, why->text);
	note_result(file, rc, begun, why->text);
	free(text);
	free(directory);
	return rc;
}
