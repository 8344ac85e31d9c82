/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints a batch script with #SBATCH --array, and writes the results of an
 * element as NNNNN.json into the directory of --as-array.
 */
#include "contribs/maui/replay/sweep/sweep_array.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/report/json.h"
#include "contribs/maui/lib/file_replace.h"
#include "contribs/maui/lib/text.h"
#include "contribs/maui/replay/input/inputs.h"
#include "contribs/maui/replay/sweep/sweep_piece.h"

/* ---- the script ---- */

/* As one word of a shell, whatever is in it. */
static void print_quoted(const char *text)
{
	putchar('\'');
	for (; *text; text++)
		if (*text == '\'')
			fputs("'\\''", stdout);
		else
			putchar(*text);
	putchar('\'');
}

static int refuse_standard_input(const struct replay_report *report)
{
	for (size_t i = 0; i < report->inputs->count; i++)
		if (!strcmp(report->inputs->list[i].path, "-"))
			return fail(EXIT_ERRORS, "--as-array: the elements of an array cannot read "
						 "this standard input");
	return EXIT_OK;
}

/* Where this program and the caller are. */
static int find_places(char program[PATH_MAX], char here[PATH_MAX])
{
	ssize_t size = readlink("/proc/self/exe", program, PATH_MAX - 1);

	if (size < 0)
		return fail(EXIT_ERRORS, "/proc/self/exe: %s", strerror(errno));
	program[size] = '\0';
	if (!getcwd(here, PATH_MAX))
		return fail(EXIT_ERRORS, "the working directory is not known: %s", strerror(errno));
	return EXIT_OK;
}

static size_t most_elements(const struct replay_report *report, const struct sweep *sweep)
{
	uint32_t configured = report->machine.conf.max_array_size;

	if (sweep->array_size)
		return sweep->array_size;
	return configured ? configured : SWEEP_ARRAY_SIZE;
}

int sweep_print_array(const struct replay_report *report, const struct sweep *sweep)
{
	size_t count = sweep_runs(sweep);
	size_t most = most_elements(report, sweep), elements = count < most ? count : most;
	char program[PATH_MAX], here[PATH_MAX];
	int code = refuse_standard_input(report);

	if (code == EXIT_OK)
		code = find_places(program, here);
	if (code != EXIT_OK)
		return code;
	printf("#!/bin/sh\n"
	       "# A sweep of maui replay: %zu combinations, at most %zu for each element.\n"
	       "# Then maui replay --merge, with the directory of --as-array, ranks them.\n"
	       "#SBATCH --job-name=maui-replay\n"
	       "#SBATCH --array=0-%zu\n"
	       "#SBATCH --ntasks=1\n"
	       "#SBATCH --cpus-per-task=1\n"
	       "cd ",
	       count, (count + elements - 1) / elements, elements - 1);
	print_quoted(here);
	printf(" || exit\nmkdir -p -- ");
	print_quoted(sweep->array);
	printf(" || exit\nexec ");
	print_quoted(program);
	printf(" replay " SWEEP_ELEMENT_OPTION "\"$SLURM_ARRAY_TASK_ID/%zu\"", elements);
	for (char *const *word = sweep->command + 1; *word; word++) {
		printf(" \\\n\t");
		print_quoted(*word);
	}
	putchar('\n');
	return EXIT_OK;
}

/* ---- an element ---- */

int sweep_take_element(const struct cli *cli, struct sweep *sweep, const char *text)
{
	char rest;

	if (sscanf(text, "%" SCNu32 "/%" SCNu32 "%c", &sweep->element, &sweep->elements, &rest) ==
		    2 &&
	    sweep->elements <= SWEEP_RUNS && sweep->element < sweep->elements)
		return EXIT_OK;
	return fail_usage(cli, "--element=%s: I/N, where I is less than N", text);
}

static void print_piece(FILE *file, const void *piece)
{
	json_write((struct json_object *)piece, file);
}

static int write_piece(const struct replay_report *report, const struct sweep *sweep,
		       const struct sweep_run *run)
{
	char *path = text_printf("%s/%05zu" SWEEP_PIECE_SUFFIX, sweep->array, run->number);
	struct json_object *piece = sweep_piece_json(report, sweep, run);
	int code = file_replace(path, print_piece, piece);

	json_object_put(piece);
	free(path);
	return code;
}

int sweep_run_element(const struct replay_report *report, const struct sweep *sweep)
{
	size_t count = sweep_runs(sweep);
	int code = EXIT_OK;

	if (sweep->elements > count)
		return fail(EXIT_ERRORS, "--element: %" PRIu32 " elements for %zu combinations",
			    sweep->elements, count);
	for (size_t number = sweep->element; code == EXIT_OK && number < count;
	     number += sweep->elements) {
		struct sweep_run run;

		code = sweep_run_one(report, sweep, number, &run);
		if (code == EXIT_OK && report->inputs->changed)
			code = fail(EXIT_ERRORS, "%s changes while it is read",
				    report->inputs->changed);
		if (code == EXIT_OK)
			code = write_piece(report, sweep, &run);
	}
	return code;
}
