/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the engine alone has about jobs, for commands that work without it: Slurm shows everybody
 * the queue, the engine says which jobs it holds back, and why.
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
	/* Whole answers, NULL if not requested; they belong to the advice. */
	struct json_object *blocked, *priority, *reservations;
};

/* For which jobs; NULL and 0: all. */
struct advice_scope {
	const char *partition, *user;
	const int64_t *jobs; /* ids of Slurm's */
	size_t count;
};

/*
 * Asks for what, a sum of ADVICE_.... If the engine cannot be reached, or does not answer properly,
 * a NOTE says so once and there is no advice: still EXIT_OK. Another exit code is wrong usage,
 * after saying so.
 */
int advice_get(const struct cli *cli, unsigned int what, const struct advice_scope *scope,
	       struct advice *ret_advice);
void advice_clear(struct advice *advice);

/* An answer's jobs, and how many were left out. */
struct json_object *advice_rows(struct json_object *answer);
int64_t advice_omitted(struct json_object *answer);

#endif
