/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Forks a process for each core. They take run numbers from an atomic counter
 * in shared memory and write the results behind it.
 */
#include "contribs/maui/replay/processes/fan.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/util/memory.h"
#include "contribs/maui/lib/command.h"
#include "contribs/maui/replay/processes/progress.h"

/* What the processes share. */
struct board {
	atomic_size_t next; /* the first run that nobody has taken */
	atomic_size_t done;
	time_t begun;
	max_align_t results[];
};

static size_t size_of(const struct fan *fan)
{
	return sizeof(struct board) + fan->count * fan->size;
}

static void *result_of(const struct fan *fan, struct board *board, size_t number)
{
	return (char *)board->results + number * fan->size;
}

static int fan_work(const struct fan *fan, struct board *board)
{
	size_t number;

	while ((number = atomic_fetch_add(&board->next, 1)) < fan->count) {
		int code = fan->run(fan->context, number, result_of(fan, board, number));

		if (code != EXIT_OK) {
			atomic_store(&board->next, fan->count); /* the others need not go on */
			return code;
		}
		number = atomic_fetch_add(&board->done, 1);
		if (fan->progress && (number + 1) * 100 / fan->count != number * 100 / fan->count)
			progress_tell(fan->what, number + 1, fan->count, board->begun);
	}
	return EXIT_OK;
}

/* Waits for so many children. The worst of their codes. */
static int fan_join(size_t children)
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
			worst = fail(EXIT_ERRORS, "a process of the replay was ended by signal %d",
				     WTERMSIG(status));
		else if (WEXITSTATUS(status) != EXIT_OK)
			worst = WEXITSTATUS(status);
	}
	return worst;
}

static int fan_run_all(const struct fan *fan, struct board *board)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	size_t children = 0, most = cores > 0 ? (size_t)cores : 1;
	int code = EXIT_OK, joined;

	fflush(NULL); /* what is buffered would be printed by each of them */
	while (children < most && children < fan->count) {
		pid_t pid = fork();

		if (pid == 0)
			_exit(fan_work(fan, board));
		if (pid < 0)
			break;
		children++;
	}
	if (!children) /* one after the other, then */
		code = fan_work(fan, board);
	joined = fan_join(children);
	if (fan->progress)
		progress_end();
	return code == EXIT_OK ? joined : code;
}

int fan_out(const struct fan *fan, void **ret_results)
{
	struct board *board =
		mmap(NULL, size_of(fan), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int code;

	if (board == MAP_FAILED)
		maui_memory_short(0);
	board->begun = time(NULL);
	code = fan_run_all(fan, board);
	if (code == EXIT_OK)
		*ret_results = board->results;
	else
		munmap(board, size_of(fan));
	return code;
}

void fan_free(const struct fan *fan, void *results)
{
	munmap((char *)results - offsetof(struct board, results), size_of(fan));
}
