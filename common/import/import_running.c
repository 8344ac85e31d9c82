/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurm prints each setting, also those that nobody has set, in forms that its own reader does not
 * take. Here they become what a site could have written, so that one reader does for both sources.
 */
#include "common/import/import_running.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/import/import_settings.h"
#include "common/util/arena.h"
#include "common/util/list.h"
#include "common/util/memory.h"
#include "common/util/text.h"

struct running {
	FILE *conf;
	struct maui_arena *arena;
	const char *preempt_mode; /* of the cluster; "" as long as it is not known */
};

/* A value with blanks stands in quotes, and # and \ have a \ before them. Slurm's quotes cannot be
 * written within others: a ' stands for them. */
static void running_put(const struct running *running, const char *key, const char *value)
{
	bool quoted = strpbrk(value, " \t\"") != NULL;

	fprintf(running->conf, "%s=%s", key, quoted ? "\"" : "");
	for (const char *at = value; *at; at++) {
		if (*at == '#' || *at == '\\')
			fputc('\\', running->conf);
		fputc(*at == '"' ? '\'' : *at, running->conf);
	}
	fprintf(running->conf, "%s ", quoted ? "\"" : "");
}

static bool running_is_set(const char *value)
{
	return *value && strcmp(value, "(null)") != 0;
}

/* ---- lines of facts ---- */

static void running_config(struct running *running, char *line)
{
	char *value = strchr(line, '=');
	size_t id;

	if (!value)
		return;
	*value++ = '\0';
	id = maui_import_find(maui_import_settings, MAUI_IMPORT_GLOBALS, line);
	if (id == MAUI_IMPORT_PREEMPT_MODE)
		running->preempt_mode = value;
	if (!running_is_set(value) ||
	    (id < MAUI_IMPORT_GLOBALS && maui_import_is_plain(&maui_import_settings[id], value)))
		return;
	if (id == MAUI_IMPORT_GLOBALS && strcasecmp(line, "SelectTypeParameters") != 0 &&
	    !maui_begins(line, "Priority") && !maui_begins(line, "Preempt"))
		return;
	running_put(running, line, value);
	fputc('\n', running->conf);
}

/* "gpu:a100:2(S:0-1),tape:1": sockets are none of slurm.conf's. */
static void running_gres(const struct running *running, const char *gres)
{
	fputs(" Gres=", running->conf);
	while (*gres) {
		size_t size = strcspn(gres, "(");

		fprintf(running->conf, "%.*s", (int)size, gres);
		gres += size;
		gres += strcspn(gres, ")");
		gres += *gres == ')';
	}
}

static void running_node(struct running *running, char *line)
{
	static const char *const keys[] = {"NodeName", " CPUs", " RealMemory", " MemSpecLimit"};
	const char *rest = line;
	struct maui_item item;

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (maui_list_next(&rest, " ", &item))
			fprintf(running->conf, "%s=%.*s", keys[i], (int)item.size, item.text);
	if (running_is_set(rest))
		running_gres(running, rest);
	fputc('\n', running->conf);
}

static void running_future(struct running *running, char *line)
{
	fprintf(running->conf, "NodeName=%s State=FUTURE\n", line);
}

/* Slurm prints the cluster's mode for a partition without one. */
static bool running_is_news(const struct running *running, const char *key, const char *value)
{
	static const char *const counts[] = {"TotalCPUs", "TotalNodes", "TRES", "NodeSets"};
	size_t id =
		maui_import_find(maui_import_partition_settings, MAUI_IMPORT_PARTITION_COUNT, key);

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		if (!strcasecmp(key, counts[i]))
			return false;
	if (id == MAUI_IMPORT_P_PREEMPT_MODE && !strcasecmp(value, running->preempt_mode))
		return false;
	return running_is_set(value) &&
	       (id == MAUI_IMPORT_PARTITION_COUNT ||
		!maui_import_is_plain(&maui_import_partition_settings[id], value));
}

static void running_partition(struct running *running, char *line)
{
	const char *rest = line;
	struct maui_item item;

	while (maui_list_next(&rest, " \t", &item)) {
		char *word = maui_arena_text(running->arena, item.text, item.size);
		char *value = strchr(word, '=');

		if (!*word)
			continue;
		if (!value) { /* the reader complains of it */
			fprintf(running->conf, "%s ", word);
			continue;
		}
		*value++ = '\0';
		if (running_is_news(running, word, value))
			running_put(running, word, value);
	}
	fputc('\n', running->conf);
}

static void running_line(struct running *running, char *line)
{
	static const struct {
		char letter;
		void (*take)(struct running *running, char *line);
	} kinds[] = {{'c', running_config},
		     {'n', running_node},
		     {'f', running_future},
		     {'p', running_partition}};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (*line == kinds[i].letter)
			kinds[i].take(running, line + 1);
}

char *maui_import_running_conf(const char *text, size_t size, size_t *ret_size)
{
	struct running running = {.arena = maui_arena_new(), .preempt_mode = ""};
	const char *end = text + size;
	char *conf = NULL;

	running.conf = open_memstream(&conf, ret_size);
	if (!running.conf)
		maui_memory_short(0);
	for (const char *at = text; at < end;) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		size_t length = (size_t)((stop ? stop : end) - at);

		running_line(&running, maui_arena_text(running.arena, at, length));
		at = stop ? stop + 1 : end;
	}
	if (fclose(running.conf))
		maui_memory_short(0);
	maui_arena_free(running.arena);
	return conf;
}
