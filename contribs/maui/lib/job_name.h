/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs as scontrol and scancel take them, and as squeue shows them: 17, a task 17_3, tasks
 * 17_[1-9:2,20%4], a component 18+1; lists of these with commas between them.
 */
#ifndef MAUI_JOB_NAME_H
#define MAUI_JOB_NAME_H

#include <stdbool.h>
#include <stdint.h>

enum job_part {
	JOB_WHOLE, /* a job, or all of an array or heterogeneous job */
	JOB_TASKS,
	JOB_COMPONENT,
};

struct job_name {
	enum job_part part;
	int64_t number;
	const char *tasks; /* a list, in the name that was read */
	int64_t offset;    /* of a component */
};

/* One name. False: it is none. */
bool job_name_read(const char *text, struct job_name *ret_name);

/* The names of all lists, one by one, and NULL; the caller clears them. */
char **job_names_split(int count, char *const *lists);
void job_names_clear(char **names);

/* What to say of a text that is no name, after the text itself. */
#define JOB_NAME_WANTED "is not a job ID: 17, 17_3, 17_[1-9:2,20] or 18+1"

#endif
