/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads and parses a state file. Renames a damaged one to PATH.damaged, unless
 * in shadow mode; records and logs one that is unreadable or newer.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/runtime/stateload.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/runtime/statekept.h"

static enum state_answer state_parsed(int rc)
{
	switch (rc) {
	case 0:
		return STATE_READ;
	case -ENOTSUP:
		return STATE_LATER;
	default:
		return STATE_DAMAGED;
	}
}

static void note_kept(const struct maui_state_file *file, const char *path, const char *why)
{
	statekept_note(path, STATEKEPT_LATER, why);
	error("maui: %s is kept as it is, and not read (%s): %s. Install that Slurm-Maui again; "
	      "or, to begin anew, remove the file while slurmctld is down",
	      path, why, file->kept);
}

static void note_unread(const struct maui_state_file *file, const char *path, const char *why)
{
	if (statekept_note(path, STATEKEPT_UNREAD, why) == STATEKEPT_UNREAD)
		return;
	error("maui: %s cannot be read now (%s): it is not written, and read as soon as it can "
	      "be; until then %s",
	      path, why, file->waits);
}

void stateload_known(const char *path)
{
	if (statekept_note(path, STATEKEPT_NOT, NULL) == STATEKEPT_UNREAD)
		info("maui: %s is no longer waited for", path);
}

/* What cannot be set aside would be written over. */
static enum state_answer set_aside(const struct maui_state_file *file, const char *path,
				   const char *why)
{
	int rc = engine_is_shadow() ? 0 : statefile_set_aside(path);
	struct maui_error text;

	if (rc && rc != -ENOENT) {
		maui_error_set(&text, -rc, "it is damaged (%.200s) and cannot be renamed: %s", why,
			       strerror(-rc));
		note_unread(file, path, text.text);
		return STATE_NOT_NOW;
	}
	stateload_known(path);
	if (engine_is_shadow())
		error("maui: %s cannot be used (%s): %s", path, why, file->lost);
	else
		error("maui: %s cannot be used (%s) and is now %s.damaged: %s", path, why, path,
		      file->lost);
	return STATE_DAMAGED;
}

static enum state_answer stateload_conclude(const struct maui_state_file *file, const char *path,
					    enum state_answer answer, const char *why)
{
	switch (answer) {
	case STATE_READ:
	case STATE_ABSENT:
		stateload_known(path);
		break;
	case STATE_DAMAGED:
		return set_aside(file, path, why);
	case STATE_LATER:
		note_kept(file, path, why);
		break;
	case STATE_NOT_NOW:
		note_unread(file, path, why);
		break;
	}
	return answer;
}

enum state_answer stateload_path(const struct maui_state_file *file, const char *path, void *result)
{
	struct maui_error why = {""};
	enum state_answer answer;
	char *text = NULL;
	size_t size = 0;

	answer = statefile_read(path, file->limit, &text, &size, &why);
	if (file->presence)
		answer = answer == STATE_DAMAGED ? STATE_READ : answer;
	else if (answer == STATE_READ)
		answer = state_parsed(maui_state_parse(file, text, size, result, &why));
	free(text);
	return stateload_conclude(file, path, answer, why.text);
}

enum state_answer stateload(const struct maui_state_file *file, const char *directory, void *result)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", directory, file->name);
	return stateload_path(file, path, result);
}
