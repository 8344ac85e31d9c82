/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The area throttling, by independent arithmetic: D-LIM-1 to D-LIM-8 on the case's lines and jobs,
 * with each departure from the original as a switch. Calls nothing of the core.
 */
#ifndef MAUI_VECTORS_THROTTLING_READING_H
#define MAUI_VECTORS_THROTTLING_READING_H

#include "common/util/credential.h"
#include "testsuite/vectors/check.h"

#define THROTTLING_JOBS  32
#define THROTTLING_LINES 128

struct throttling_job {
	const char *name;
	const char *credential[MAUI_CREDENTIALS]; /* NULL: none */
	double tasks, nodes, memory, walltime;    /* memory: MB per task */
	double start, submit;
	bool running, held;
};

/* One ATTRIBUTE=[soft,]hard of a credential's line. */
struct throttling_limit {
	enum maui_credential type;
	char index[24], attribute[24];
	double soft, hard;
};

struct throttling_case {
	struct json_object *cfg;
	double now, machine_procs, machine_memory;
	struct throttling_job jobs[THROTTLING_JOBS];
	size_t job_count;
	struct throttling_limit limits[THROTTLING_LINES];
	size_t limit_count;
	double system_procs, system_ps, system_walltime; /* 0: none */
	char policy[64];                                 /* JOBPRIOACCRUALPOLICY */
};

struct throttling_answer {
	const char *job;
	double hard, soft, sys, prio;
	char hmsg[160], smsg[160], ymsg[160];
};

struct throttling_reading {
	struct throttling_answer answers[THROTTLING_JOBS]; /* for idle jobs */
	size_t count;
	char hardq[320], softq[320]; /* names, separated by blanks */
};

/* The members of a case; false, with the case failed, if it cannot be read. */
bool throttling_case_read(struct check *check, struct json_object *object,
			  struct throttling_case *ret_case);

/* rules: those for which the original's side is taken. */
void throttling_read(const struct throttling_case *input, rule_mask rules,
		     struct throttling_reading *ret);

#endif
