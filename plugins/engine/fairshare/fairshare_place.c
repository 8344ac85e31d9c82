/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chooses between STATDIR and the engine's own directory. Reads and writes the
 * file `stands-in-for`: STATDIR's path, then the start of each window.
 */
#include "plugins/engine/fairshare/fairshare_place.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/util/memory.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/runtime/statefile.h"

/* STATDIR's path, then a line for each window. */
#define KNOWN_FILE     "stands-in-for"
#define KNOWN_MAX_SIZE 16384u

static bool is_there(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return false;
	close(fd);
	return true;
}

static bool is_usable(const char *path)
{
	return is_there(path) || (errno == ENOENT && !engine_is_shadow() && !mkdir(path, 0700));
}

struct fairshare_place fairshare_place_find(char *named, char *own, bool absolute)
{
	struct fairshare_place place = {.directory = named};

	if (!named || !own || !absolute || !strcmp(named, own))
		free(own);
	else if (is_usable(named))
		place.mirror = own;
	else
		place = (struct fairshare_place){.directory = own, .missing = named};
	return place;
}

void fairshare_place_clear(struct fairshare_place *place)
{
	free(place->directory);
	free(place->mirror);
	free(place->missing);
	*place = (struct fairshare_place){0};
}

static bool place_same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

bool fairshare_place_same(const struct fairshare_place *a, const struct fairshare_place *b)
{
	return place_same(a->directory, b->directory) && place_same(a->mirror, b->mirror) &&
	       place_same(a->missing, b->missing);
}

/* ---- what stands in ---- */

bool fairshare_known_has(const struct fairshare_known *known, int64_t start)
{
	for (size_t i = 0; i < known->count; i++)
		if (known->start[i] == start)
			return true;
	return false;
}

/* Modifies the text. */
static bool read_known(char *text, const char *named, struct fairshare_known *ret_known)
{
	struct fairshare_known known = {.count = 0};
	char *rest = text, *line = strsep(&rest, "\n");

	if (strcmp(line, named) != 0)
		return false;
	while ((line = strsep(&rest, "\n")) && *line && known.count < MAUI_FS_MAX_DEPTH)
		known.start[known.count++] = strtoll(line, NULL, 10);
	*ret_known = known;
	return true;
}

int fairshare_known_load(const char *own, const char *named, struct fairshare_known *ret_known,
			 struct maui_error *why)
{
	char *path = maui_asprintf("%s/" KNOWN_FILE, own), *text = NULL;
	size_t size = 0;
	enum state_answer answer = statefile_read(path, KNOWN_MAX_SIZE, &text, &size, why);
	int rc = answer == STATE_NOT_NOW ? -EAGAIN : -ENOENT;

	if (answer == STATE_READ && read_known(text, named, ret_known))
		rc = 0;
	free(text);
	free(path);
	return rc;
}

int fairshare_known_save(const char *own, const char *named, const struct fairshare_known *known,
			 struct maui_error *error)
{
	char text[KNOWN_MAX_SIZE];
	size_t used = (size_t)snprintf(text, sizeof(text), "%s\n", named);

	for (size_t i = 0; i < known->count && used < sizeof(text); i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%" PRId64 "\n",
					 known->start[i]);
	if (used >= sizeof(text))
		return maui_error_set(error, ENAMETOOLONG, "STATDIR's path is too long");
	return statefile_replace(own, KNOWN_FILE, text, used, error);
}

int fairshare_known_drop(const char *own, struct maui_error *error)
{
	return statefile_remove(own, KNOWN_FILE, error);
}
