/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Resolves the path of an #INCLUDE, refuses loops, repeated files, and excess
 * depth, number or size, and appends the file to the list.
 */
#include "common/config/text/sources.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/text.h"

/* Takes ownership of the text. */
static void sources_append(struct maui_sources *sources, const char *name, char *text, size_t size,
			   size_t parent, unsigned int depth)
{
	const char *copy = maui_arena_text(sources->arena, name, strlen(name));

	sources->names[sources->count] = copy;
	sources->items[sources->count++] = (struct maui_source){
		.name = copy, .text = text, .size = size, .depth = depth, .parent = parent};
	sources->total += size;
}

static void note_distrust(struct maui_sources *sources, const char *why)
{
	if (!sources->distrust)
		sources->distrust = maui_arena_text(sources->arena, why, strlen(why));
}

void maui_sources_begin(struct maui_sources *sources, const char *name, char *text, size_t size,
			const char *distrust)
{
	sources_append(sources, name, text, size, 0, 0);
	if (distrust)
		note_distrust(sources, distrust);
}

void maui_sources_end(struct maui_sources *sources)
{
	for (size_t i = 0; i < sources->count; i++) {
		free(sources->items[i].text);
		sources->items[i].text = NULL;
	}
}

static void mark_include(struct maui_problem *problem)
{
	if (problem)
		problem->of_include = true;
}

static void sources_refuse(struct maui_problems *problems, const struct maui_include *include,
			   const char *name, const char *why)
{
	char shown[MAUI_EXCERPT_SIZE];

	mark_include(maui_problem_add(problems, MAUI_ERROR, include->origin,
				      "#INCLUDE %s: %s; it is not read",
				      maui_excerpt(name, strlen(name), shown), why));
}

/* "a -> b -> a" for an error, cut to fit; what matters is the end of the chain. */
static void describe_loop(const struct maui_sources *sources, size_t from, size_t to, char *text,
			  size_t size)
{
	size_t chain[MAUI_DEPTH_LIMIT + 1], length = 0, used;

	for (size_t at = from; length < MAUI_DEPTH_LIMIT; at = sources->items[at].parent) {
		chain[length++] = at;
		if (at == to)
			break;
	}
	used = snprintf(text, size, "includes itself: ");
	while (length && used < size)
		used += snprintf(text + used, size - used, "%s -> ",
				 sources->names[chain[--length]]);
	if (used < size)
		snprintf(text + used, size - used, "%s", sources->names[to]);
}

/* Whether a file of this name may be added; if not, a problem says why. */
static bool may_include(const struct maui_sources *sources, struct maui_problems *problems,
			size_t parent, const struct maui_include *include, const char *name)
{
	char text[300], shown[MAUI_EXCERPT_SIZE];

	for (size_t at = parent;; at = sources->items[at].parent) {
		if (!strcmp(sources->names[at], name)) {
			describe_loop(sources, parent, at, text, sizeof(text));
			sources_refuse(problems, include, name, text);
			return false;
		}
		if (!at)
			break;
	}
	for (size_t i = 0; i < sources->count; i++) {
		if (strcmp(sources->names[i], name))
			continue;
		mark_include(maui_problem_add(
			problems, MAUI_WARNING, include->origin,
			"#INCLUDE %s: it is already included; this line has no effect",
			maui_excerpt(name, strlen(name), shown)));
		return false;
	}
	if (sources->items[parent].depth >= MAUI_DEPTH_LIMIT)
		sources_refuse(problems, include, name, "files are nested too deeply");
	else if (sources->count >= MAUI_SOURCES_LIMIT)
		sources_refuse(problems, include, name, "there are too many files");
	else
		return true;
	return false;
}

static void read_source(struct maui_sources *sources, struct maui_problems *problems, size_t parent,
			const struct maui_include *include, const char *name)
{
	struct maui_error error = {""};
	char *text = NULL;
	size_t size = 0;
	bool trusted = false;
	int rc;

	if (!sources->reader || !sources->reader->read) {
		sources_refuse(problems, include, name, "no files can be read here");
		return;
	}
	rc = sources->reader->read(sources->reader->context, include->path, sources->names[parent],
				   &text, &size, &trusted, &error);
	if (rc) {
		mark_include(maui_problem_add(problems, MAUI_ERROR, include->origin, "#INCLUDE: %s",
					      error.text));
		return;
	}
	if (size > MAUI_TOTAL_LIMIT - sources->total) {
		free(text);
		sources_refuse(problems, include, name, "all files together are too large");
		return;
	}
	if (!trusted)
		note_distrust(sources, error.text);
	sources_append(sources, name, text, size, parent, sources->items[parent].depth + 1);
}

void maui_sources_include(struct maui_sources *sources, struct maui_problems *problems,
			  size_t parent, const struct maui_include *include)
{
	char *name = maui_source_name(include->path, sources->names[parent]);

	if (may_include(sources, problems, parent, include, name))
		read_source(sources, problems, parent, include, name);
	free(name);
}
