/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The schedules that a report compares. */
#ifndef MAUI_REPLAY_SIDES_H
#define MAUI_REPLAY_SIDES_H

#include <json-c/json.h>

#include "common/replay/figures/measures.h"
#include "common/replay/schedule/schedule.h"
#include "common/replay/site/site.h"
#include "contribs/maui/lib/command.h"
#include "contribs/maui/replay/input/machine_options.h"
#include "contribs/maui/replay/input/stock_options.h"
#include "contribs/maui/replay/input/trace_file.h"

#define MAX_SIDES 8

struct replay_side {
	const char *name;           /* the scheduler's, or the file's */
	struct maui_policy *policy; /* of the file; NULL: a scheduler of the literature */
	bool multifactor;           /* Slurm's own policy; that of ->policy is empty */
	const char *same_as;        /* the first file that says the same; NULL: none does */
	enum maui_replay_preset preset;
	struct maui_replay_counts counts;
	struct maui_replay_schedule schedule;
	struct maui_replay_measures measures;
	struct maui_replay_nearness near;
};

struct sweep;
struct replay_facts;
struct replay_inputs;
struct replay_jitter;

struct replay_report {
	const char *path; /* of the trace */
	struct trace_form form;
	const struct maui_replay_trace *trace;
	bool perfect, anonymise;
	bool progress;          /* on standard error */
	bool sweeps_tree;       /* some run of a sweep has a FSTREEWEIGHT */
	const char *jobs;       /* where the first schedule is written; NULL: nowhere */
	const char *priorities; /* where its priorities are written; NULL: nowhere */
	const char *html;       /* where the report goes as a page; NULL: nowhere */
	const char *parameter_lists[MAX_SIDES]; /* --scheduler-parameters */
	size_t parameter_count;
	struct maui_replay_parameters parameters;
	struct replay_machine machine;
	struct replay_stock stock;
	struct maui_replay_usage usage; /* --fairshare; of its count 0: none */
	struct replay_inputs *inputs;
	struct replay_jitter *jitter; /* of its runs 0: there is none */
	struct sweep *sweep;          /* of its count 0: there is none */
	bool *compared; /* by job: begins under all sides; NULL: all do, or it is not known yet */
	struct maui_replay_measures recorded; /* .jobs is 0: the trace has no starts */
	struct replay_side side[MAX_SIDES];
	size_t count;
};

/*
 * Reads the maui.cfg that is the side's name, as if these lines were at its end ("": none), and
 * compiles its policy. EXIT_OK, or says what is wrong.
 */
int replay_load_policy(const struct replay_report *report, struct replay_side *side,
		       const char *lines);

/* Its schedule and measures; whoever clears the schedule clears it in any case. EXIT_OK, or says
 * why not. */
int replay_schedule(const struct replay_report *report, struct replay_side *side);

/* What was recorded, as a schedule; to be cleared. */
void replay_recorded(const struct replay_report *report, struct maui_replay_schedule *ret_schedule);

/* What a replay does not know of; ends with NULL. Valid until the next call. */
const char *const *replay_not_modelled(const struct replay_report *report);

/* From the members of a report: how many jobs, on what, and what they lack; what is not included.
 */
void replay_print_head(struct json_object *head);
void replay_print_not_modelled(struct json_object *head);
void replay_print(const struct replay_report *report);
/* Replaces the file report->html whole. An exit code. */
int replay_write_html(const struct replay_report *report, const struct replay_facts *facts);
/* The trace in the Standard Workload Format, with numbers for names. */
void replay_print_anonymous(const struct maui_replay_trace *trace);
int replay_print_json(const struct replay_report *report, const struct replay_facts *facts);

/* The same as members, for another report. */
struct json_object *replay_head_json(const struct replay_report *report);
struct json_object *replay_measures_json(const struct maui_replay_measures *measures);
void replay_not_modelled_json(const struct replay_report *report, struct json_object *data);

#endif
