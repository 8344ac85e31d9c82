/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of server_priv/nodes. */
#include <errno.h>
#include <string.h>
#include <strings.h>

#include "common/import/torque/torque_read.h"
#include "common/util/grow.h"
#include "common/util/intern.h"
#include "common/util/text.h"

#define NODES_LIMIT    65536
#define CPUS_LIMIT     65533 /* of a node, in slurm.conf */
#define FEATURES_LIMIT 4096  /* bytes of a node's features */

struct nodes_reading {
	struct maui_torque_site *site;
	struct maui_import_lines lines;
	struct maui_intern *names;
};

/* As a name of a node or a feature of slurm.conf: nothing that its lists have a meaning for. */
static bool nodes_name(const char *text)
{
	for (const char *at = text; *at; at++)
		if (!maui_is_name(*at) && *at != '-')
			return false;
	return *text != '\0';
}

static void nodes_count(struct nodes_reading *reading, const char *value, uint32_t least,
			uint32_t *ret_count)
{
	const char *why = maui_torque_check(MAUI_TORQUE_NUMBER, value);
	uint64_t number = why ? 0 : maui_torque_number(value);

	if (why || number < least || number > CPUS_LIMIT)
		maui_import_complain(&reading->lines, value,
				     why      ? why
				     : !least ? "this is more than 65533"
					      : "a number from 1 to 65533 is expected");
	else
		*ret_count = (uint32_t)number;
}

static void nodes_feature(struct nodes_reading *reading, struct maui_torque_node *node,
			  const char *word)
{
	size_t size = strlen(node->features), more = strlen(word);
	char *both;

	if (!nodes_name(word)) {
		maui_import_complain(&reading->lines, word, "slurm.conf cannot have this feature");
		return;
	}
	if (maui_torque_list_has(node->features, word, more))
		return;
	if (size + more > FEATURES_LIMIT) {
		maui_import_complain(&reading->lines, word, "this node has too many properties");
		return;
	}
	both = maui_arena_alloc(reading->site->arena, size + more + 2, 1);
	memcpy(both, node->features, size);
	if (size)
		both[size++] = ',';
	memcpy(both + size, word, more + 1);
	node->features = both;
}

/* A word that slurm.conf does not get; text is kept as it is. */
static void nodes_other(struct nodes_reading *reading, const char *node, const char *text)
{
	struct maui_torque_site *site = reading->site;

	site->words = maui_grow(site->words, site->word_count + 1, &site->word_room,
				sizeof(*site->words));
	site->words[site->word_count++] =
		(struct maui_torque_word){node,
					  text,
					  {reading->lines.path, reading->lines.number,
					   (uint32_t)(text - reading->lines.line) + 1}};
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
			nodes_count(reading, word + size, counts[i].least,
				    (uint32_t *)((char *)node + counts[i].offset));
			return;
		}
	}
	if (strchr(word, '='))
		nodes_other(reading, node->name, word);
	else
		nodes_feature(reading, node, word);
}

static void nodes_begin(struct nodes_reading *reading, struct maui_torque_node *node, char *word)
{
	char *colon = strchr(word, ':');

	*node = (struct maui_torque_node){.name = word, .cpus = 1, .features = ""};
	if (colon)
		*colon = '\0';
	if (!nodes_name(word))
		maui_import_complain(&reading->lines, word, "slurm.conf cannot have this name");
	else if (maui_intern_find(reading->names, word) || !strcasecmp(word, "DEFAULT"))
		maui_import_complain(&reading->lines, word, "this node is there already");
	else if (reading->site->node_count == NODES_LIMIT)
		maui_import_complain(&reading->lines, word, "there are more than 65536 nodes");
	else
		maui_intern_add(reading->names, word);
	if (colon)
		nodes_other(reading, word, colon + 1);
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
	struct maui_torque_site *site = reading->site;
	struct maui_torque_node node = {0};
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
		if (!node.name)
			nodes_begin(reading, &node, at);
		else
			nodes_word(reading, &node, at);
		at = end;
	}
	if (!node.name || reading->lines.wrong)
		return;
	site->nodes = maui_grow(site->nodes, site->node_count + 1, &site->node_room,
				sizeof(*site->nodes));
	site->nodes[site->node_count++] = node;
}

int maui_torque_read_nodes(struct maui_torque_site *site, const char *path, const char *text,
			   size_t size, const struct maui_import_complaints *complaints)
{
	struct nodes_reading reading = {
		.site = site,
		.lines = {.complaints = complaints,
			  .path = maui_arena_text(site->arena, path, strlen(path))},
		.names = maui_intern_new()};

	maui_import_each_line(&reading.lines, site->arena, text, size, nodes_take_line, &reading);
	if (!reading.lines.wrong && !site->node_count)
		maui_import_complain_of_all(&reading.lines, "there is no node in this file");
	maui_intern_free(reading.names);
	return reading.lines.wrong ? -EINVAL : 0;
}
