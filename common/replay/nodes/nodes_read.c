/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nodes as an option gives them: nodes.h has the grammar. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/replay/nodes/nodes.h"
#include "common/util/slurm/gres.h"
#include "common/util/slurm/hostlist.h"
#include "common/util/list.h"
#include "common/util/memory.h"
#include "common/util/text.h"

#define TEXT_SIZE 1024

struct kind {
	struct maui_replay_nodes *nodes;
	uint32_t cpus;
	int64_t memory;
	char features[TEXT_SIZE], gres[TEXT_SIZE]; /* lists, as in slurm.conf */
	struct maui_error *error;
};

static int nodes_refuse(struct kind *kind, const char *text)
{
	return maui_error_set(kind->error, EINVAL,
			      "%s: COUNTxCPUS[:MEMORY] or NAMES=CPUS[:MEMORY], and then "
			      "+FEATURE or +gres/NAME[:TYPE]=COUNT",
			      text);
}

/* A decimal number at *text, which moves past it. */
static bool read_number(const char **text, int64_t most, int64_t *ret_number)
{
	int64_t number = 0;

	if (!maui_is_digit(**text))
		return false;
	for (; maui_is_digit(**text); (*text)++) {
		number = number * 10 + (**text - '0');
		if (number > most)
			return false;
	}
	*ret_number = number;
	return true;
}

/* gres/NAME[:TYPE]=COUNT becomes NAME[:TYPE]:COUNT. */
static int read_gres(struct kind *kind, const char *text, const char *whole)
{
	const char *equals = strchr(text, '='), *next = strstr(text, "+gres/");
	char item[TEXT_SIZE];
	uint64_t count;

	if (!equals || equals == text || (next && next < equals) ||
	    !maui_gres_count_parse(equals + 1, strlen(equals + 1), &count))
		return nodes_refuse(kind, whole);
	snprintf(item, sizeof(item), "%.*s:%" PRIu64, (int)(equals - text), text, count);
	maui_list_add(kind->gres, sizeof(kind->gres), ",", item);
	return 0;
}

/* Up to the next +; one in the name of a GRES, before its =, separates nothing. */
static struct maui_item next_item(const char **text)
{
	size_t name = maui_begins(*text, "gres/") ? strcspn(*text, "=") : 0;
	struct maui_item item = {*text, name + strcspn(*text + name, "+")};

	*text += item.size + ((*text)[item.size] == '+');
	return item;
}

/* ITEM[+ITEM]... */
static int read_items(struct kind *kind, const char *text, const char *whole)
{
	char copy[TEXT_SIZE];
	int rc = 0;

	while (!rc && *text) {
		struct maui_item item = next_item(&text);

		maui_item_copy(item, copy, sizeof(copy));
		if (maui_begins(copy, "gres/"))
			rc = read_gres(kind, copy + strlen("gres/"), whole);
		else if (!item.size || strpbrk(copy, "/=:"))
			rc = nodes_refuse(kind, whole);
		else
			maui_list_add(kind->features, sizeof(kind->features), ",", copy);
	}
	return rc;
}

/* CPUS[:MEMORY][+ITEM]... */
static int read_node(struct kind *kind, const char *text, const char *whole)
{
	int64_t cpus;

	if (!read_number(&text, MAUI_REPLAY_MAX_CPUS, &cpus))
		return nodes_refuse(kind, whole);
	kind->cpus = (uint32_t)cpus;
	if (*text == ':') {
		text++;
		if (!read_number(&text, MAUI_REPLAY_MAX_MEMORY, &kind->memory))
			return nodes_refuse(kind, whole);
	}
	if (*text && *text != '+')
		return nodes_refuse(kind, whole);
	if (*text && !text[1])
		return nodes_refuse(kind, whole);
	return *text ? read_items(kind, text + 1, whole) : 0;
}

static int nodes_add(void *context, const char *name)
{
	struct kind *kind = context;

	return maui_replay_nodes_add(kind->nodes, name, kind->cpus, kind->memory, kind->features,
				     kind->gres, kind->error);
}

static int add_count(struct kind *kind, int64_t count)
{
	char name[32];
	int rc = 0;

	for (int64_t i = 0; !rc && i < count; i++) {
		snprintf(name, sizeof(name), "n%u", kind->nodes->count + 1);
		rc = nodes_add(kind, name);
	}
	return rc;
}

static int read_kind(struct kind *kind, char *text)
{
	const char *rest = text;
	char *equals;
	int64_t count;
	int rc;

	if (read_number(&rest, MAUI_REPLAY_MAX_NODES, &count) && *rest == 'x') {
		rc = count ? read_node(kind, rest + 1, text) : nodes_refuse(kind, text);
		return rc ? rc : add_count(kind, count);
	}
	equals = strchr(text, '=');
	if (!equals || equals == text)
		return nodes_refuse(kind, text);
	rc = read_node(kind, equals + 1, text);
	*equals = '\0';
	if (!rc)
		rc = maui_hostlist_expand(text, nodes_add, kind, NULL, NULL, kind->error);
	return rc ? -EINVAL : 0;
}

/* Up to the next comma outside of the brackets of NAMES. */
static size_t kind_size(const char *text)
{
	size_t size = 0;

	for (bool inside = false; inside ? text[size] : !strchr(",+=", text[size]); size++)
		inside = text[size] == '[' || (inside && text[size] != ']');
	return size + strcspn(text + size, ",");
}

int maui_replay_nodes_read(struct maui_replay_nodes *nodes, const char *text,
			   struct maui_error *error)
{
	int rc = *text ? 0 : maui_error_set(error, EINVAL, "no nodes");

	while (!rc && *text) {
		struct kind kind = {.nodes = nodes, .error = error};
		size_t size = kind_size(text);
		char *copy;

		if (size >= TEXT_SIZE)
			return maui_error_set(error, EINVAL, "%.40s...: too long", text);
		copy = maui_strndup(text, size);
		rc = read_kind(&kind, copy);
		free(copy);
		text += size;
		if (*text == ',' && !*++text && !rc)
			rc = maui_error_set(error, EINVAL, "a kind of nodes is empty");
	}
	return rc;
}
