/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table of up to 128 files that are unreadable, unwritten, removed or of a
 * later version, with the reason for each. A mutex of its own protects it.
 */
#include "plugins/engine/runtime/statekept.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "plugins/engine/runtime/lock.h"

/* The windows of two directories, and all other files, are fewer. */
#define MAX_KEPT 128

static struct mutex kept_mutex = {PTHREAD_MUTEX_INITIALIZER}; /* no other is taken under it */

struct kept {
	enum statekept how; /* STATEKEPT_NOT: this place is free */
	char path[PATH_MAX];
	char why[256];
};

GUARDED_BY(kept_mutex) static struct kept kept[MAX_KEPT];

LOCKED_BY(kept_mutex) static struct kept *kept_find(const char *path)
{
	for (size_t i = 0; i < MAX_KEPT; i++)
		if (kept[i].how != STATEKEPT_NOT && !strcmp(kept[i].path, path))
			return &kept[i];
	return NULL;
}

/* If all are taken, the last one: it is a path of a STATDIR that was left. */
LOCKED_BY(kept_mutex) static struct kept *kept_free(void)
{
	size_t at = 0;

	while (at < MAX_KEPT - 1 && kept[at].how != STATEKEPT_NOT)
		at++;
	return &kept[at];
}

enum statekept statekept_note(const char *path, enum statekept how, const char *why)
{
	enum statekept before;
	struct kept *one;

	mutex_lock(&kept_mutex);
	one = kept_find(path);
	before = one ? one->how : STATEKEPT_NOT;
	if (!one && how != STATEKEPT_NOT)
		one = kept_free();
	if (one) {
		one->how = how;
		snprintf(one->path, sizeof(one->path), "%s", path);
		snprintf(one->why, sizeof(one->why), "%s", why ? why : "");
	}
	mutex_unlock(&kept_mutex);
	return before;
}

void statekept_note_removed(const char *path, int64_t when, bool written)
{
	time_t time = (time_t)when;
	char date[32] = "", why[96];
	struct tm local;

	if (localtime_r(&time, &local))
		strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &local);
	snprintf(why, sizeof(why), "gone at %s, %s", date,
		 written ? "and written again from memory" : "and not written again yet");
	statekept_note(path, STATEKEPT_REMOVED, why);
}

void statekept_note_write(const char *path, int rc, const char *why)
{
	const struct kept *one;
	enum statekept how;

	mutex_lock(&kept_mutex);
	one = kept_find(path);
	how = one ? one->how : STATEKEPT_NOT;
	mutex_unlock(&kept_mutex);
	if (rc && (how == STATEKEPT_NOT || how == STATEKEPT_UNWRITTEN))
		statekept_note(path, STATEKEPT_UNWRITTEN, why);
	else if (!rc && how == STATEKEPT_UNWRITTEN)
		statekept_note(path, STATEKEPT_NOT, NULL);
}

/* A path without a directory is that of any. */
static bool kept_is(const struct kept *one, const char *directory, const char *name)
{
	size_t size = strlen(directory);

	if (!strcmp(one->path, name))
		return true;
	return !strncmp(one->path, directory, size) && one->path[size] == '/' &&
	       !strcmp(one->path + size + 1, name);
}

int statekept_refuse(const char *directory, const char *name, struct maui_error *why)
{
	int rc = 0;

	mutex_lock(&kept_mutex);
	for (size_t i = 0; !rc && i < MAX_KEPT; i++) {
		const struct kept *one = &kept[i];

		if (one->how == STATEKEPT_UNREAD && kept_is(one, directory, name))
			rc = maui_error_set(why, EAGAIN,
					    "%s is not replaced until it has been read (%s)",
					    one->path, one->why);
	}
	mutex_unlock(&kept_mutex);
	return rc;
}

void statekept_each(enum statekept how,
		    void (*see)(const char *path, const char *why, void *context), void *context)
{
	mutex_lock(&kept_mutex);
	for (size_t i = 0; i < MAX_KEPT; i++)
		if (kept[i].how == how)
			see(kept[i].path, kept[i].why, context);
	mutex_unlock(&kept_mutex);
}
