/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/engine/runtime/statekept.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "plugins/engine/runtime/lock.h"

static struct mutex kept_mutex = {PTHREAD_MUTEX_INITIALIZER}; /* no other is taken under it */

struct kept {
	char *path, *why;
};

GUARDED_BY(kept_mutex) static struct {
	struct kept *list;
	size_t count, room;
} kept;

LOCKED_BY(kept_mutex) static size_t place_of(const char *path)
{
	size_t at = 0;

	while (at < kept.count && strcmp(kept.list[at].path, path) != 0)
		at++;
	return at;
}

LOCKED_BY(kept_mutex) static void drop(size_t at)
{
	free(kept.list[at].path);
	free(kept.list[at].why);
	kept.count--;
	memmove(&kept.list[at], &kept.list[at + 1], (kept.count - at) * sizeof(*kept.list));
}

/* If memory is short the log alone says it. */
LOCKED_BY(kept_mutex) static void add(const char *path, const char *why)
{
	struct kept one = {strdup(path), strdup(why)};
	struct kept *grown = maui_grow(kept.list, kept.count + 1, &kept.room, sizeof(*grown));

	if (grown)
		kept.list = grown;
	if (grown && one.path && one.why) {
		kept.list[kept.count++] = one;
		return;
	}
	free(one.path);
	free(one.why);
}

void statekept_note(const char *path, const char *why)
{
	size_t at;

	mutex_lock(&kept_mutex);
	at = place_of(path);
	if (at < kept.count)
		drop(at);
	if (why)
		add(path, why);
	mutex_unlock(&kept_mutex);
}

void statekept_each(void (*see)(const char *path, const char *why, void *context), void *context)
{
	mutex_lock(&kept_mutex);
	for (size_t i = 0; i < kept.count; i++)
		see(kept.list[i].path, kept.list[i].why, context);
	mutex_unlock(&kept_mutex);
}
