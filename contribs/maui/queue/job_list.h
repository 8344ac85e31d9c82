/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs of the queue, each with what the engine says about it, matched by number without linear
 * searches. */
#ifndef MAUI_JOB_LIST_H
#define MAUI_JOB_LIST_H

#include "contribs/maui/queue/job_facts.h"
#include "contribs/maui/queue/job_owner.h"
#include "contribs/maui/service/advice.h"

struct job_list {
	struct json_object *queue;
	struct advice advice;
	int64_t now;
	struct job_facts *jobs; /* the wanted ones, in the queue's order */
	size_t count;
	struct job_owner user, group; /* of the wish, if it has them */
};

/* Which jobs; NULL: all. */
struct job_wish {
	unsigned int queue;  /* QUEUE_... besides QUEUE_JOBS */
	unsigned int advice; /* ADVICE_... */
	const char *partition, *user;
	const char *group, *account, *qos; /* members of the queue's records */
	char **names; /* as of job_name.h, ends with NULL; an array's number is all of it */
	bool first;   /* one job per name */
};

/* EXIT_OK: the caller clears it. Otherwise says what is wrong. NOTEs name the missing jobs. */
int job_list_load(const struct cli *cli, const struct job_wish *wish, struct job_list *ret_list);
void job_list_clear(struct job_list *list);

/*
 * Active ones by the time left, then idle ones by priority, then all others in the queue's order.
 */
void job_list_sort(struct job_list *list);

#endif
