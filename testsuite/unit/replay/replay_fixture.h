/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Traces written in a few words, and schedules as a text. */
#ifndef MAUI_UNIT_REPLAY_FIXTURE_H
#define MAUI_UNIT_REPLAY_FIXTURE_H

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/replay/schedule/schedule.h"
#include "common/replay/site/site.h"

static inline uint32_t replay_name(struct maui_replay_trace *trace, enum maui_credential type,
				   const char *name)
{
	return strcmp(name, "-") != 0 ? maui_intern_add(trace->names[type], name) : 0;
}

/* ":n2:N2:m800:cfast:ggpu=2": what it asks for besides processors. Returns what follows. */
static inline const char *replay_wants(struct maui_replay_trace *trace, const char *text,
				       struct maui_replay_job *job)
{
	char item[32], *dot;
	int used;

	while (sscanf(text, ":%31[^: ;]%n", item, &used) == 1) {
		text += used;
		switch (*item) {
		case 'n':
			job->nodes = (uint32_t)atoi(item + 1);
			break;
		case 'N':
			job->had_nodes = (uint32_t)atoi(item + 1);
			break;
		case 's':
			job->split = maui_intern_add(trace->splits, item + 1);
			break;
		case 'm':
			job->memory = atoi(item + 1);
			break;
		case 'r':
			job->running = true;
			break;
		case 'p':
			dot = strchr(item, '.');
			cr_assert(dot, "%s", item);
			*dot = '\0';
			maui_replay_trace_place(trace, job, item + 1, (uint32_t)atoi(dot + 1));
			break;
		case 'c':
			job->constraint = maui_intern_add(trace->constraints, item + 1);
			break;
		default:
			for (dot = item; (dot = strchr(dot, '.'));)
				*dot = ':';
			job->gres = maui_intern_add(trace->gres, item + 1);
			break;
		}
	}
	return text;
}

/* "10 4x100/200 bob": one job of it. Returns what follows. */
static inline const char *replay_add(struct maui_replay_trace *trace, const char *text,
				     int64_t number)
{
	struct maui_replay_job job = {.number = number, .started = MAUI_REPLAY_UNKNOWN};
	char name[4][16] = {"-", "-", "-", "-"};
	int64_t wanted;
	int used = 0;

	cr_assert_eq(sscanf(text, " %" SCNd64 " %" SCNd64 "x%" SCNd64 "/%" SCNd64 "%n",
			    &job.submitted, &wanted, &job.run, &job.estimate, &used),
		     4, "%s", text);
	text = replay_wants(trace, text + used, &job);
	used = 0;
	cr_assert_geq(sscanf(text, " %15[a-z0-9-]%n %15[a-z-]%n %15[a-z-]%n %15[a-z-]%n", name[0],
			     &used, name[1], &used, name[2], &used, name[3], &used),
		      1, "%s", text);
	job.credential[MAUI_USER] = replay_name(trace, MAUI_USER, name[0]);
	job.credential[MAUI_ACCOUNT] = replay_name(trace, MAUI_ACCOUNT, name[1]);
	job.credential[MAUI_QOS] = replay_name(trace, MAUI_QOS, name[2]);
	job.credential[MAUI_CLASS] = replay_name(trace, MAUI_CLASS, name[3]);
	maui_replay_trace_add(trace, &job, wanted);
	return text + used + strspn(text + used, "; ");
}

/*
 * "10 4x100/200 bob; ...": submitted at 10, 4 processors, runs for 100 of 200 seconds, of bob, who
 * may be followed by his account, QOS and class, "-" for none; "4x100/200:n2:m800:cfast:ggpu=2": on
 * at least two nodes, with 800 MB, the feature fast and two GPUs ("gpu.a100=2": of that type);
 * ":N2": it had two nodes.
 * ":r": it runs when the replay begins, ":pn1.4" on four processors of n1. "@60 " before the first
 * job: the replay begins then. Jobs are numbered from 1 on.
 */
static inline struct maui_replay_trace *replay_trace(const char *text, uint32_t procs)
{
	struct maui_replay_trace *trace = maui_replay_trace_new();
	int used;

	if (sscanf(text, "@%" SCNd64 "%n", &trace->begin, &used) == 1)
		text += used;
	for (int64_t number = 1; *text; number++)
		text = replay_add(trace, text, number);
	maui_replay_trace_finish(trace, procs);
	return trace;
}

static inline struct maui_policy *replay_policy(const char *name, const char *config)
{
	struct maui_policy *policy = NULL;
	struct maui_error error = {""};

	cr_assert_eq(maui_policy_of_text("maui.cfg", config, strlen(config), 0, &policy, &error), 0,
		     "%s: %s", name, error.text);
	return policy;
}

/* parameters: over the default ones. */
static inline struct maui_replay_site replay_site(const char *name, const char *config,
						  const char *parameters, uint32_t procs)
{
	struct maui_replay_site site = {.parameters = maui_replay_default_parameters,
					.policy = replay_policy(name, config),
					.procs = procs};
	struct maui_error error = {""};

	cr_assert_eq(maui_replay_parameters_read(parameters, &site.parameters,
						 &(struct maui_replay_parameter_notes){0}, &error),
		     0, "%s: %s", name, error.text);
	return site;
}

/* "1 0; 2 100 b; 3 never": when each job begins; b: backfilled. */
static inline const char *replay_text(const struct maui_replay_trace *trace,
				      const struct maui_replay_schedule *schedule, char *text,
				      size_t size)
{
	size_t used = 0;

	*text = '\0';
	for (size_t i = 0; i < trace->count; i++) {
		char when[24] = "never";

		if (schedule->started[i] != MAUI_REPLAY_UNKNOWN)
			snprintf(when, sizeof(when), "%" PRId64, schedule->started[i]);
		used += (size_t)snprintf(text + used, size - used, "%s%" PRId64 " %s%s",
					 i ? "; " : "", trace->jobs[i].number, when,
					 schedule->backfilled[i] ? " b" : "");
		cr_assert_lt(used, size);
	}
	return text;
}

#endif
