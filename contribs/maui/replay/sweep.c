/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The runs of a sweep, in a process for each core. */
#include "contribs/maui/replay/sweep.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "contribs/maui/lib/text.h"

/* What the processes share. */
struct board {
	atomic_size_t next; /* the first combination that nobody has taken */
	struct sweep_run runs[];
};

/* ---- one run ---- */

/* As lines at the end of the file, where they win. malloc'ed. */
static char *lines_of(const struct sweep *sweep, size_t number)
{
	char *lines = text_copy("\n");

	for (size_t i = 0; i < sweep->count; i++) {
		char *more = text_printf("%s%s %s\n", lines, sweep->axis[i].key,
					 sweep_value(sweep, number, i));

		free(lines);
		lines = more;
	}
	return lines;
}

static int run(const struct replay_report *report, const struct sweep *sweep, size_t number,
	       struct sweep_run *ret_run)
{
	struct replay_side side = {.name = report->side[0].name};
	char *lines = lines_of(sweep, number);
	int code = replay_load_policy(&side, lines);

	if (code == EXIT_OK)
		code = replay_schedule(report, &side);
	*ret_run = (struct sweep_run){.number = number, .measures = side.measures};
	maui_replay_schedule_clear(&side.schedule);
	maui_policy_unref(side.policy);
	free(lines);
	return code;
}

/* Before the first run, which may take long, and in one process, which says it once. */
static int check_all(const struct replay_report *report, const struct sweep *sweep, size_t count)
{
	int code = EXIT_OK;

	for (size_t number = 0; code == EXIT_OK && number < count; number++) {
		struct replay_side side = {.name = report->side[0].name};
		char *lines = lines_of(sweep, number);

		code = replay_load_policy(&side, lines);
		maui_policy_unref(side.policy);
		free(lines);
	}
	return code;
}

/* ---- all of them ---- */

static int work(const struct replay_report *report, const struct sweep *sweep, struct board *board,
		size_t count)
{
	size_t number;

	while ((number = atomic_fetch_add(&board->next, 1)) < count) {
		int code = run(report, sweep, number, &board->runs[number]);

		if (code != EXIT_OK) {
			atomic_store(&board->next, count); /* the others need not go on */
			return code;
		}
	}
	return EXIT_OK;
}

/* Waits for so many children. The worst of their codes. */
static int join(size_t children)
{
	int worst = EXIT_OK, status;

	while (children) {
		if (wait(&status) < 0) {
			if (errno == EINTR)
				continue;
			return fail(EXIT_ERRORS, "cannot wait for a process: %s", strerror(errno));
		}
		children--;
		if (WIFSIGNALED(status))
			worst = fail(EXIT_ERRORS, "a process of the sweep was ended by signal %d",
				     WTERMSIG(status));
		else if (WEXITSTATUS(status) != EXIT_OK)
			worst = WEXITSTATUS(status);
	}
	return worst;
}

static int run_all(const struct replay_report *report, const struct sweep *sweep,
		   struct board *board, size_t count)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	size_t children = 0, most = cores > 0 ? (size_t)cores : 1;
	int code = EXIT_OK, joined;

	fflush(NULL); /* what is buffered would be printed by each of them */
	while (children < most && children < count) {
		pid_t pid = fork();

		if (pid == 0)
			_exit(work(report, sweep, board, count));
		if (pid < 0)
			break;
		children++;
	}
	if (!children) /* one after the other, then */
		code = work(report, sweep, board, count);
	joined = join(children);
	return code == EXIT_OK ? joined : code;
}

/* ---- ranks ---- */

const struct replay_figure *sweep_ranking(const struct sweep *sweep)
{
	return sweep->rank_by ? sweep->rank_by : replay_figure_find("slowdown");
}

static const struct replay_figure *ranked_by; /* qsort() has no context */

static int by_figure(const void *first, const void *second)
{
	const struct sweep_run *a = first, *b = second;
	double x = ranked_by->value(&a->measures), y = ranked_by->value(&b->measures);

	if (x != y)
		return (x < y) == ranked_by->more_is_better ? 1 : -1;
	return a->number > b->number ? 1 : a->number < b->number ? -1 : 0;
}

int sweep_all(const struct cli *cli, const struct replay_report *report, const struct sweep *sweep)
{
	size_t count = 1, size;
	struct board *board;
	int code;

	for (size_t i = 0; i < sweep->count; i++)
		count *= sweep->axis[i].count;
	size = sizeof(*board) + count * sizeof(board->runs[0]);
	board = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (board == MAP_FAILED)
		return fail_memory();
	code = check_all(report, sweep, count);
	if (code == EXIT_OK)
		code = run_all(report, sweep, board, count);
	if (code == EXIT_OK) {
		ranked_by = sweep_ranking(sweep);
		qsort(board->runs, count, sizeof(board->runs[0]), by_figure);
		if (cli->json)
			code = sweep_print_json(report, sweep, board->runs, count);
		else
			sweep_print(report, sweep, board->runs, count);
	}
	munmap(board, size);
	return code;
}
