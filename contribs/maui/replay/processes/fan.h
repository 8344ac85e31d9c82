/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Many runs at once: one process on each core takes the next number until there is none. */
#ifndef MAUI_REPLAY_FAN_H
#define MAUI_REPLAY_FAN_H

#include <stdbool.h>
#include <stddef.h>

struct fan {
	size_t count; /* runs */
	size_t size;  /* of a result, which holds no pointers: it is another process's */
	/* In any process: one run, and its result. EXIT_OK, or says why not. */
	int (*run)(const void *context, size_t number, void *ret_result);
	const void *context;
	const char *what; /* the runs are of; of progress */
	bool progress;    /* on standard error */
};

/* All results, by number; fan_free() frees them. An exit code: the worst. */
int fan_out(const struct fan *fan, void **ret_results);
void fan_free(const struct fan *fan, void *results);

#endif
