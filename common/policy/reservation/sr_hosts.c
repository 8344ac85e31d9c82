/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compiles items of HOSTLIST and EXCLUDEHOSTLIST into ALL, ranges and regcomp()
 * expressions, and marks the nodes that each item matches.
 */
#include "common/policy/reservation/sr_hosts.h"

#include <errno.h>
#include <limits.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/arena.h"
#include "common/util/slurm/hostlist.h"
#include "common/util/intern.h"
#include "common/util/memory.h"
#include "common/util/text.h"

/* ---- names of nodes ------------------------------------------------------------------------ */

struct maui_node_names {
	struct maui_intern *intern;
	uint32_t *place; /* by interned id: the first node with that name */
	uint32_t *id;    /* by place */
	uint32_t count;
};

static void add_name(struct maui_node_names *names, const char *name, uint32_t place)
{
	uint32_t known = maui_intern_count(names->intern);
	uint32_t id = maui_intern_add(names->intern, name);

	names->id[place] = id;
	if (id > known)
		names->place[id] = place;
}

struct maui_node_names *maui_node_names_new(const char *const *list, uint32_t count)
{
	struct maui_node_names *names = maui_calloc(1, sizeof(*names));

	names->intern = maui_intern_new();
	names->place = maui_calloc((size_t)count + 1, sizeof(*names->place));
	names->id = maui_calloc((size_t)count + 1, sizeof(*names->id));
	for (; names->count < count; names->count++)
		add_name(names, list[names->count], names->count);
	return names;
}

struct maui_node_names *maui_node_names_free(struct maui_node_names *names)
{
	if (!names)
		return NULL;
	maui_intern_free(names->intern);
	free(names->place);
	free(names->id);
	free(names);
	return NULL;
}

uint32_t maui_node_names_count(const struct maui_node_names *names)
{
	return names->count;
}

const char *maui_node_names_name(const struct maui_node_names *names, uint32_t place)
{
	return place < names->count ? maui_intern_name(names->intern, names->id[place]) : NULL;
}

uint32_t maui_node_names_find(const struct maui_node_names *names, const char *name)
{
	uint32_t id = maui_intern_find(names->intern, name);

	return id ? names->place[id] : UINT32_MAX;
}

static const char *name_at(const struct maui_node_names *names, uint32_t place)
{
	return maui_intern_name(names->intern, names->id[place]);
}

/* ---- one item ------------------------------------------------------------------------------ */

struct host {
	const char *text;
	bool all, range, expression;
	bool anchored; /* anchored by itself */
	regex_t regex;
};

struct maui_sr_hosts {
	struct maui_arena *arena;
	struct host *hosts;
	size_t count, expressions, names;
};

static bool is_plain(char c)
{
	return maui_is_name(c) || c == '-';
}

/* Whether a text is a range rather than an expression with brackets: n[0-9]+ is not one. */
static bool looks_like_range(const char *text)
{
	bool bracket = false, inside = false;

	for (; *text; text++) {
		if (*text == '[')
			bracket = inside = true;
		else if (*text == ']')
			inside = false;
		else if (inside ? !maui_is_digit(*text) && *text != '-' && *text != ','
				: !is_plain(*text))
			return false;
	}
	return bracket;
}

/*
 * How many times {n}, {n,m} or {n,} repeats: the greatest number, plus one if there is no upper
 * bound. 1 if the braces hold no number.
 */
static unsigned long read_repeat(const char *at)
{
	unsigned long most = 1;

	for (; *at && *at != '}'; at++) {
		char *end = (char *)at;

		if (maui_is_digit(*at)) {
			unsigned long number = strtoul(at, &end, 10);

			number += number < ULONG_MAX && end[0] == ',' && end[1] == '}';
			most = number > most ? number : most;
			at = end - 1;
		}
	}
	return most;
}

/*
 * Why an expression must not go to the C library; NULL if it may. The library expands x+, that is
 * x{1,}, to xx*: n of them in a row, or in nested groups, multiply what they repeat by 2^n.
 */
static const char *refuse_expression(const char *text)
{
	unsigned long repeat = 1;
	size_t length = strlen(text);

	if (length > MAUI_SR_REGEX_LENGTH)
		return "the expression is longer than 256 bytes";
	for (size_t i = 0; i < length; i++) {
		if (text[i] == '\\') {
			if (maui_is_digit(text[++i]))
				return "\\1, \\2, ... are not supported";
		} else if (text[i] == '{' || text[i] == '+') {
			unsigned long times = text[i] == '+' ? 2 : read_repeat(text + i + 1);

			if (times > MAUI_SR_REGEX_REPEAT || repeat * times > MAUI_SR_REGEX_REPEAT)
				return "the expression repeats too much";
			repeat *= times;
		}
	}
	return NULL;
}

static bool is_anchored(const char *text)
{
	return strpbrk(text, "^$") != NULL;
}

static const char *compile_expression(struct maui_sr_hosts *hosts, struct host *host, char why[128])
{
	const char *refused = refuse_expression(host->text);
	int rc;

	if (!refused && hosts->expressions >= MAUI_SR_REGEX_COUNT)
		refused = "the list has more than 256 expressions";
	if (refused)
		return refused;
	rc = regcomp(&host->regex, host->text, REG_EXTENDED | REG_ICASE);
	if (rc) {
		regerror(rc, &host->regex, why, 128);
		return why;
	}
	host->expression = true;
	host->anchored = is_anchored(host->text);
	hosts->expressions++;
	return NULL;
}

/* NULL, or why the item is refused. */
static const char *compile_item(struct maui_sr_hosts *hosts, struct host *host, char why[128])
{
	struct maui_error error = {""};
	size_t count = 0;

	if (maui_equals(host->text, strlen(host->text), "ALL") ||
	    maui_equals(host->text, strlen(host->text), "[ALL]")) {
		host->all = true;
		return NULL;
	}
	if (!looks_like_range(host->text))
		return compile_expression(hosts, host, why);
	if (maui_hostlist_expand(host->text, NULL, NULL, &count, NULL, &error)) {
		memccpy(why, error.text, '\0', 127);
		return why;
	}
	if (hosts->names + count > MAUI_SR_HOSTS_TOTAL)
		return "the ranges of the list have too many names";
	hosts->names += count;
	host->range = true;
	return NULL;
}

/* ---- the list ------------------------------------------------------------------------------ */

static void sr_hosts_fill(struct maui_sr_hosts *hosts, const char *const *items, size_t count,
			  maui_sr_hosts_refused refused, void *context)
{
	hosts->hosts = maui_arena_alloc(hosts->arena, count, sizeof(*hosts->hosts));
	for (size_t i = 0; i < count; i++) {
		struct host *host = &hosts->hosts[i];
		char buffer[128] = "";
		const char *why;

		host->text = maui_arena_text(hosts->arena, items[i], strlen(items[i]));
		hosts->count++;
		why = compile_item(hosts, host, buffer);
		if (why && refused)
			refused(context, i, why);
	}
}

int maui_sr_hosts_compile(const char *const *items, size_t count, maui_sr_hosts_refused refused,
			  void *context, struct maui_sr_hosts **ret_hosts, struct maui_error *error)
{
	struct maui_sr_hosts *hosts;

	if (count > MAUI_SR_HOSTS_ITEMS)
		return maui_error_set(error, E2BIG, "a list of more than %u hosts",
				      MAUI_SR_HOSTS_ITEMS);
	hosts = maui_calloc(1, sizeof(*hosts));
	hosts->arena = maui_arena_new();
	sr_hosts_fill(hosts, items, count, refused, context);
	*ret_hosts = hosts;
	return 0;
}

struct maui_sr_hosts *maui_sr_hosts_free(struct maui_sr_hosts *hosts)
{
	if (!hosts)
		return NULL;
	for (size_t i = 0; i < hosts->count; i++)
		if (hosts->hosts[i].expression)
			regfree(&hosts->hosts[i].regex);
	maui_arena_free(hosts->arena);
	free(hosts);
	return NULL;
}

size_t maui_sr_hosts_count(const struct maui_sr_hosts *hosts)
{
	return hosts ? hosts->count : 0;
}

const char *maui_sr_hosts_item(const struct maui_sr_hosts *hosts, size_t item)
{
	return hosts->hosts[item].text;
}

/* ---- matching ------------------------------------------------------------------------------ */

struct marking {
	const struct maui_node_names *names;
	bool *listed;
	bool mark; /* what becomes of the nodes that the list names */
	struct maui_sr_host_use *use;
};

static int mark_name(void *context, const char *name)
{
	struct marking *marking = context;
	uint32_t place = maui_node_names_find(marking->names, name);

	if (place == UINT32_MAX) {
		marking->use->missing++;
		return 0;
	}
	marking->listed[place] = marking->mark;
	marking->use->nodes++;
	return 0;
}

static void mark_expression(struct marking *marking, const struct host *host)
{
	struct maui_sr_host_use *use = marking->use;

	for (uint32_t i = 0; i < marking->names->count; i++) {
		const char *name = name_at(marking->names, i);
		regmatch_t match;

		if (regexec(&host->regex, name, 1, &match, 0))
			continue;
		marking->listed[i] = marking->mark;
		use->nodes++;
		/* The longest match from the first place on: the whole name if possible. */
		if (!host->anchored && use->example == UINT32_MAX &&
		    (match.rm_so != 0 || (size_t)match.rm_eo != strlen(name)))
			use->example = i;
	}
	if (use->nodes)
		use->kind = use->example != UINT32_MAX ? MAUI_SR_HOST_PART : MAUI_SR_HOST_REGEX;
}

static void mark_item(struct marking *marking, const struct host *host)
{
	struct maui_sr_host_use *use = marking->use;
	uint32_t exact;

	*use = (struct maui_sr_host_use){.example = UINT32_MAX};
	if (host->all) {
		use->kind = MAUI_SR_HOST_ALL;
		use->nodes = marking->names->count;
		for (uint32_t i = 0; i < marking->names->count; i++)
			marking->listed[i] = marking->mark;
		return;
	}
	exact = maui_node_names_find(marking->names, host->text);
	if (exact != UINT32_MAX) {
		use->kind = MAUI_SR_HOST_EXACT;
		use->nodes = 1;
		marking->listed[exact] = marking->mark;
	} else if (host->range) {
		/* It has been checked: it cannot fail. */
		maui_hostlist_expand(host->text, mark_name, marking, NULL, NULL, NULL);
		use->kind = use->nodes ? MAUI_SR_HOST_RANGE : MAUI_SR_HOST_NONE;
	} else if (host->expression)
		mark_expression(marking, host);
}

/* Marks the nodes of each item; ret_uses may be NULL. Returns how many are
 * marked in the end. */
static uint32_t sr_hosts_mark(const struct maui_sr_hosts *hosts,
			      const struct maui_node_names *names, bool mark, bool *listed,
			      struct maui_sr_host_use *ret_uses)
{
	uint32_t count = 0;

	for (size_t i = 0; i < maui_sr_hosts_count(hosts); i++) {
		struct maui_sr_host_use use;
		struct marking marking = {names, listed, mark, ret_uses ? &ret_uses[i] : &use};

		mark_item(&marking, &hosts->hosts[i]);
	}
	for (uint32_t i = 0; i < names->count; i++)
		count += listed[i];
	return count;
}

uint32_t maui_sr_hosts_match(const struct maui_sr_hosts *hosts, const struct maui_node_names *names,
			     bool *ret_listed, struct maui_sr_host_use *ret_uses)
{
	if (names->count)
		memset(ret_listed, 0, names->count * sizeof(*ret_listed));
	return sr_hosts_mark(hosts, names, true, ret_listed, ret_uses);
}

uint32_t maui_sr_hosts_exclude(const struct maui_sr_hosts *hosts,
			       const struct maui_node_names *names, bool *listed)
{
	return sr_hosts_mark(hosts, names, false, listed, NULL);
}
