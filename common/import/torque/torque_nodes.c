/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of server_priv/nodes. */
#include <errno.h>
#include <string.h>
#include <strings.h>

#include "common/import/torque/torque_node.h"
#include "common/import/torque/torque_read.h"
#include "common/util/text.h"

struct nodes_reading {
	struct maui_torque_site *site;
	struct maui_import_lines lines;
};

/* A word that slurm.conf does not get. */
static void nodes_other(struct nodes_reading *reading, const char *node, const char *text)
{
	const struct maui_conf_place place = {reading->lines.path, reading->lines.number,
					      (uint32_t)(text - reading->lines.line) + 1};

	maui_torque_node_other(reading->site, node, text, &place);
}

static void nodes_word(struct nodes_reading *reading, struct maui_torque_node *node, char *word)
{
	static const struct {
		const char *key;
		size_t offset;
		uint32_t least;
	} counts[] = {{"np=", offsetof(struct maui_torque_node, cpus), 1},
		      {"gpus=", offsetof(struct maui_torque_node, gpus), 0},
		      {"mics=", offsetof(struct maui_torque_node, mics), 0}};

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		size_t size = strlen(counts[i].key);

		if (!strncasecmp(word, counts[i].key, size)) {
			maui_torque_node_count(&reading->lines, word + size, word + size,
					       counts[i].least,
					       (uint32_t *)((char *)node + counts[i].offset));
			return;
		}
	}
	if (strchr(word, '='))
		nodes_other(reading, node->name, word);
	else
		maui_torque_node_feature(reading->site, &reading->lines, node, word, word);
}

/* NAME, or NAME:ts of a time-shared one. */
static struct maui_torque_node *nodes_begin(struct nodes_reading *reading, char *word)
{
	char *colon = strchr(word, ':');
	struct maui_torque_node *node;

	if (colon)
		*colon = '\0';
	node = maui_torque_node_add(reading->site, &reading->lines, word, word);
	if (node && colon)
		nodes_other(reading, word, colon + 1);
	return node;
}

/* Behind the word, which may have blanks within quotes: note="slow disk". */
static char *nodes_end(char *at)
{
	bool quoted = false;

	for (; *at && (quoted || !maui_is_blank(*at)); at++)
		quoted ^= *at == '"';
	return at;
}

static void nodes_take_line(void *context, char *line)
{
	struct nodes_reading *reading = context;
	struct maui_torque_node *node = NULL;
	char *at = line, *end;

	line[strcspn(line, "#")] = '\0';
	while (!reading->lines.wrong) {
		while (maui_is_blank(*at))
			at++;
		if (!*at)
			break;
		end = nodes_end(at);
		if (*end)
			*end++ = '\0';
		if (!node)
			node = nodes_begin(reading, at);
		else
			nodes_word(reading, node, at);
		at = end;
	}
}

int maui_torque_read_nodes(struct maui_torque_site *site, const char *path, const char *text,
			   size_t size, const struct maui_import_complaints *complaints)
{
	struct nodes_reading reading = {
		.site = site,
		.lines = {.complaints = complaints,
			  .path = maui_arena_text(site->arena, path, strlen(path))}};

	maui_import_each_line(&reading.lines, site->arena, text, size, nodes_take_line, &reading);
	if (!reading.lines.wrong && !site->node_count)
		maui_import_complain_of_all(&reading.lines, "there is no node in this file");
	return reading.lines.wrong ? -EINVAL : 0;
}
