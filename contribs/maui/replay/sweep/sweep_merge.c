/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups the .json files of the directory by sweep, ranks the sweep with the
 * most results, and lists array elements that are missing.
 */
#include "contribs/maui/replay/sweep/sweep_merge.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/files/file.h"
#include "common/util/grow.h"
#include "common/util/memory.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/lib/text.h"
#include "contribs/maui/replay/sweep/sweep_piece.h"

#define MOST_BYTES (1u << 20) /* of a result */

/* One of the sweeps that the results are of. */
struct kind {
	char *of; /* its description */
	struct sweep sweep;
	struct json_object *document; /* of its first result */
	size_t results;
};

struct result {
	size_t name, kind;
	struct sweep_run run;
};

struct merge {
	const struct cli *cli;
	const char *directory;
	char **names; /* of files, sorted */
	struct kind *kinds;
	struct result *results; /* by name */
	size_t name_count, kind_count, result_count, name_room, kind_room, result_room;
	bool incomplete; /* something has been complained about */
};

__attribute__((format(printf, 3, 4))) static void leave_out(struct merge *merge, size_t name,
							    const char *format, ...)
{
	va_list arguments;
	char *why;

	va_start(arguments, format);
	why = text_vprintf(format, arguments);
	va_end(arguments);
	complain("%s/%s is left out: %s", merge->directory, merge->names[name], why);
	free(why);
	merge->incomplete = true;
}

/* ---- the directory ---- */

static bool is_result(const char *name)
{
	size_t size = strlen(name), suffix = strlen(SWEEP_PIECE_SUFFIX);

	return size > suffix && !strcmp(name + size - suffix, SWEEP_PIECE_SUFFIX);
}

static int by_name(const void *first, const void *second)
{
	return strcmp(*(char *const *)first, *(char *const *)second);
}

static int read_names(struct merge *merge)
{
	DIR *stream = opendir(merge->directory);
	const struct dirent *entry;

	if (!stream)
		return fail(EXIT_ERRORS, "%s cannot be read: %s", merge->directory,
			    strerror(errno));
	for (errno = 0; (entry = readdir(stream)); errno = 0)
		if (is_result(entry->d_name)) {
			merge->names = maui_grow(merge->names, merge->name_count + 1,
						 &merge->name_room, sizeof(*merge->names));
			merge->names[merge->name_count++] = text_copy(entry->d_name);
		}
	if (errno) {
		complain("%s cannot be read to its end: %s", merge->directory, strerror(errno));
		merge->incomplete = true;
	}
	closedir(stream);
	if (!merge->name_count)
		return fail(EXIT_ERRORS, "%s has no results of a sweep", merge->directory);
	qsort(merge->names, merge->name_count, sizeof(*merge->names), by_name);
	return EXIT_OK;
}

/* ---- results ---- */

/* SIZE_MAX: the piece's sweep cannot be. Keeps its document if it is the first of its kind. */
static size_t kind_of(struct merge *merge, const struct sweep_piece *piece)
{
	const char *of = json_object_to_json_string_ext(piece->of, JSON_C_TO_STRING_PLAIN);
	struct kind *kind;
	size_t i = 0;

	while (i < merge->kind_count && strcmp(merge->kinds[i].of, of) != 0)
		i++;
	if (i < merge->kind_count)
		return i;
	merge->kinds = maui_grow(merge->kinds, i + 1, &merge->kind_room, sizeof(*merge->kinds));
	kind = &merge->kinds[i];
	*kind = (struct kind){0};
	if (!sweep_piece_parameters(piece, merge->cli, &kind->sweep)) {
		sweep_clear(&kind->sweep);
		return SIZE_MAX;
	}
	kind->of = text_copy(of);
	kind->document = json_object_get(piece->document);
	return merge->kind_count++;
}

static void take_piece(struct merge *merge, size_t name, const struct sweep_piece *piece)
{
	size_t kind = kind_of(merge, piece);

	if (kind == SIZE_MAX) {
		leave_out(merge, name, "its parameters are none of a sweep");
		return;
	}
	if (piece->run.number >= sweep_runs(&merge->kinds[kind].sweep)) {
		leave_out(merge, name, "its sweep has no combination %zu", piece->run.number);
		return;
	}
	merge->results = maui_grow(merge->results, merge->result_count + 1, &merge->result_room,
				   sizeof(*merge->results));
	merge->results[merge->result_count++] = (struct result){name, kind, piece->run};
	merge->kinds[kind].results++;
}

static void read_result(struct merge *merge, size_t name)
{
	char *path = text_printf("%s/%s", merge->directory, merge->names[name]), *text = NULL;
	struct sweep_piece piece;
	struct maui_error error;
	const char *why = error.text;
	size_t size;

	if (maui_file_read(path, MOST_BYTES, NULL, &text, &size, NULL, &error) ||
	    !sweep_piece_read(text, &piece, &why)) {
		leave_out(merge, name, "%s", why);
	} else {
		take_piece(merge, name, &piece);
		json_object_put(piece.document);
	}
	free(text);
	free(path);
}

/* ---- one sweep of them ---- */

/* Most results are of it; of several, the first. */
static size_t main_kind(const struct merge *merge)
{
	size_t most = 0;

	for (size_t i = 1; i < merge->kind_count; i++)
		if (merge->kinds[i].results > merge->kinds[most].results)
			most = i;
	return most;
}

static bool same_text(struct json_object *a, struct json_object *b, const char *name)
{
	return json_object_equal(json_object_object_get(a, name), json_object_object_get(b, name));
}

/* In words; malloc'ed. */
static char *sweep_merge_difference(struct json_object *one, struct json_object *other)
{
	struct json_object *files = member_array(one, "files"),
			   *others = member_array(other, "files");

	for (size_t i = 0; i < array_size(files) && i < array_size(others); i++) {
		struct json_object *a = json_object_array_get_idx(files, i);
		struct json_object *b = json_object_array_get_idx(others, i);

		if (same_text(a, b, "path") && !json_object_equal(a, b))
			return text_printf("%s was another file then", member_text(a, "path"));
	}
	if (!same_text(one, other, "version"))
		return text_printf("it was made by version %s, others by %s",
				   member_text(one, "version"), member_text(other, "version"));
	return text_copy("it was made by another command");
}

/* The runs of a kind, each once. */
static struct sweep_run *runs_of(struct merge *merge, size_t kind, bool *seen, size_t *ret_count)
{
	struct sweep_run *runs = maui_calloc(merge->result_count, sizeof(*runs));
	struct json_object *of = member_object(merge->kinds[kind].document, "sweep");

	for (size_t i = 0; i < merge->result_count; i++) {
		const struct result *result = &merge->results[i];
		struct json_object *document = merge->kinds[result->kind].document;

		if (result->kind != kind) {
			char *why = sweep_merge_difference(member_object(document, "sweep"), of);

			leave_out(merge, result->name, "it is of another sweep: %s", why);
			free(why);
		} else if (seen[result->run.number]) {
			leave_out(merge, result->name, "combination %zu a second time",
				  result->run.number);
		} else {
			seen[result->run.number] = true;
			runs[(*ret_count)++] = result->run;
		}
	}
	return runs;
}

/* ---- what is missing ---- */

static bool sweep_merge_lacks(const struct sweep *sweep, const bool *seen, size_t element)
{
	for (size_t number = element; number < sweep_runs(sweep); number += sweep->elements)
		if (!seen[number])
			return true;
	return false;
}

/* The elements whose results are not all there, as sbatch's --array has them; malloc'ed. */
static char *elements_to_run(const struct sweep *sweep, const bool *seen)
{
	char *list = text_copy("");

	for (size_t first = 0, last; first < sweep->elements; first = last + 1) {
		char *more;

		last = first;
		if (!sweep_merge_lacks(sweep, seen, first))
			continue;
		while (last + 1 < sweep->elements && sweep_merge_lacks(sweep, seen, last + 1))
			last++;
		more = text_printf(last > first ? "%s%s%zu-%zu" : "%s%s%zu", list, *list ? "," : "",
				   first, last);
		free(list);
		list = more;
	}
	return list;
}

static void tell_missing(struct merge *merge, const struct sweep *sweep, const bool *seen,
			 size_t count)
{
	size_t all = sweep_runs(sweep);
	char *elements;

	if (count == all)
		return;
	elements = elements_to_run(sweep, seen);
	complain("%zu of %zu combinations are missing: sbatch --array=%s, with the same script, "
		 "replays them",
		 all - count, all, elements);
	free(elements);
	merge->incomplete = true;
}

/* ---- all ---- */

static int merge_kind(struct merge *merge, size_t number, const struct replay_figure *rank_by)
{
	struct kind *kind = &merge->kinds[number];
	bool *seen = maui_calloc(sweep_runs(&kind->sweep), sizeof(*seen));
	struct sweep_run *runs;
	size_t count = 0;
	int code;

	runs = runs_of(merge, number, seen, &count);
	tell_missing(merge, &kind->sweep, seen, count);
	if (rank_by)
		kind->sweep.rank_by = rank_by;
	code = sweep_tell(merge->cli, &kind->sweep,
			  json_object_get(member_object(kind->document, "head")), runs, count);
	free(runs);
	free(seen);
	return code;
}

static void sweep_merge_clear(struct merge *merge)
{
	for (size_t i = 0; i < merge->name_count; i++)
		free(merge->names[i]);
	for (size_t i = 0; i < merge->kind_count; i++) {
		free(merge->kinds[i].of);
		sweep_clear(&merge->kinds[i].sweep);
		json_object_put(merge->kinds[i].document);
	}
	free(merge->names);
	free(merge->kinds);
	free(merge->results);
}

int sweep_merge(const struct cli *cli, const struct sweep *sweep)
{
	struct merge merge = {.cli = cli, .directory = sweep->merge};
	int code = read_names(&merge);

	for (size_t i = 0; code == EXIT_OK && i < merge.name_count; i++)
		read_result(&merge, i);
	if (code == EXIT_OK && !merge.result_count)
		code = fail(EXIT_ERRORS, "%s has no result that could be ranked", merge.directory);
	if (code == EXIT_OK)
		code = merge_kind(&merge, main_kind(&merge), sweep->rank_by);
	sweep_merge_clear(&merge);
	return code == EXIT_OK && merge.incomplete ? EXIT_ERRORS : code;
}
