/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the engine alone knows of jobs, for commands that go on without it: Slurm tells everybody of
 * the queue, the engine which jobs it holds back, and why.
 */
#ifndef MAUI_ADVICE_H
#define MAUI_ADVICE_H

#include <stdbool.h>

#include <json-c/json.h>

#include "contribs/maui/lib/command.h"

enum {
	ADVICE_BLOCKED = 1,      /* diagnose-blocked */
	ADVICE_PRIORITY = 2,     /* diagnose-priority */
	ADVICE_RESERVATIONS = 4, /* explain-reservations of the first job; may be refused */
};

struct advice {
	bool there; /* the engine has answered */
	/* Whole answers, NULL if they were not asked for; they belong to the advice. */
	struct json_object *blocked, *priority, *reservations;
};

/* Of which jobs; NULL and 0: of all. */
struct advice_scope {
	const char *partition, *user;
	const int64_t *jobs; /* ids of Slurm's */
	size_t count;
};

/*
 * Asks for what of ADVICE_.... Where the engine cannot be reached, or does not answer as it should,
 * a NOTE says so once and the advice is not there: EXIT_OK, too. Another exit code is wrong usage,
 * which is said.
 */
int advice_get(const struct cli *cli, unsigned int what, const struct advice_scope *scope,
	       struct advice *ret_advice);
void advice_clear(struct advice *advice);

/* An answer's jobs, and how many more there would be. */
struct json_object *advice_rows(struct json_object *answer);
int64_t advice_omitted(struct json_object *answer);

#endif
