/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs of the queue, each with what the engine says of it, found by their numbers without
 * searching lists. */
#ifndef MAUI_JOB_LIST_H
#define MAUI_JOB_LIST_H

#include "contribs/maui/queue/job_facts.h"
#include "contribs/maui/service/advice.h"

struct job_list {
	struct json_object *queue;
	struct advice advice;
	int64_t now;
	struct job_facts *jobs; /* those that are wanted, in the queue's order */
	size_t count;
};

/* Which jobs; NULL: all. */
struct job_wish {
	unsigned int queue;  /* QUEUE_... beside QUEUE_JOBS */
	unsigned int advice; /* ADVICE_... */
	const char *partition, *user;
	const char *group, *account, *qos; /* members of the queue's records */
	char **names; /* 17, 17_3, 17+1, 17_[4-9], of which NULL is the last; an array's number is all of it */
	bool first; /* of each name one job */
};

/* EXIT_OK: the caller clears it. Else says what is wrong. Names that are not there are said in
 * NOTEs. */
int job_list_load(const struct cli *cli, const struct job_wish *wish, struct job_list *ret_list);
void job_list_clear(struct job_list *list);

/* Active ones by the time that is left, idle ones by priority, all others in the queue's order, in
 * this order. */
void job_list_sort(struct job_list *list);

#endif
