/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The metrics of limits: one row describes each, and how much of each a job asks for. A new one is
 * a line of MAUI_LIMIT_METRIC_KEYS, an enumerator and a row; the compiler points out the rest.
 */
#ifndef MAUI_POLICY_LIMITS_METRIC_H
#define MAUI_POLICY_LIMITS_METRIC_H

#include <stdbool.h>
#include <stdint.h>

#include "common/config/keys/keys.h"
#include "common/util/credential.h"
#include "common/util/slurm/gres_table.h"

struct maui_priority_job;

/* In the order in which they are checked. */
enum maui_limit_metric {
	MAUI_LIMIT_JOB,
	MAUI_LIMIT_PROC,
	MAUI_LIMIT_NODE, /* nodes that the job asks for, 0 if it does not say */
	MAUI_LIMIT_PS,   /* outstanding processor-seconds */
	MAUI_LIMIT_PE,
	MAUI_LIMIT_WC,      /* outstanding seconds */
	MAUI_LIMIT_MEM,     /* MB */
	MAUI_LIMIT_METRICS, /* those that every job has; GRES have tables of their own */
	MAUI_LIMIT_GRES = MAUI_LIMIT_METRICS,
	MAUI_LIMIT_GS, /* outstanding GRES-seconds */
	MAUI_LIMIT_ALL_METRICS
};

enum maui_limit_mode {
	MAUI_LIMIT_ACTIVE, /* MAX...: together with the jobs that are active */
	MAUI_LIMIT_IDLE,   /* MAXI...: together with the jobs that are eligible */
	MAUI_LIMIT_SYSTEM, /* SYSTEMMAX..., MAX...PERJOB: the job by itself */
	MAUI_LIMIT_MODES
};

/* "active", "idle", "system" */
const char *maui_limit_mode_name(enum maui_limit_mode mode);

/* The forms in which maui.cfg names a metric's limits. */
enum maui_limit_form {
	MAUI_LIMIT_MAX,       /* MAXPROC */
	MAUI_LIMIT_MAXI,      /* MAXIPROC */
	MAUI_LIMIT_OMAX,      /* OMAXPROC, of a QOS: replaces every credential's */
	MAUI_LIMIT_OMAXI,     /* OMAXIPROC */
	MAUI_LIMIT_OMAXJ,     /* OMAXJPROC, of a QOS: replaces the system's for one job */
	MAUI_LIMIT_PERUSER,   /* MAXPROCPERUSER, the same as MAXPROC[USER] */
	MAUI_LIMIT_PERJOB,    /* MAXPROCPERJOB */
	MAUI_LIMIT_SYSTEMMAX, /* SYSTEMMAXPROCPERJOB */
	MAUI_LIMIT_FORMS
};

struct maui_limit_metric_info {
	const char *name;               /* in maui.cfg, after MAX: "PROC" */
	const char *json;               /* in JSON: "procs" */
	const char *label, *label_unit; /* of an amount in tables: "Memory", "M"; NULL, "": none */
	const char *one, *many;         /* of an amount in a sentence: "processor"; "" for jobs */
	bool outstanding;               /* shrinks while the job runs */
	enum maui_key key[MAUI_LIMIT_FORMS];      /* MAUI_KEYS: it has none of this form */
	const char *ignored_by[MAUI_LIMIT_MODES]; /* the flag of QFLAGS; NULL: none of its own */
};

const struct maui_limit_metric_info *maui_limit_metric_info(enum maui_limit_metric metric);

/* By its name in JSON; MAUI_LIMIT_ALL_METRICS if there is none. */
enum maui_limit_metric maui_limit_metric_find(const char *json);

/* ---- what a job asks for ------------------------------------------------------------------- */

#define MAUI_LIMIT_AMOUNTS 4

struct maui_limit_job {
	uint32_t credential[MAUI_CREDENTIALS]; /* interned, MAUI_NO_CREDENTIAL where it has none */
	bool part;    /* of a heterogeneous job that counts as one with another part of it */
	bool of_gres; /* only within limits: procs are units of a GRES, up to MAUI_GRES_MOST */
	union {
		struct {
			int64_t procs, nodes;
			int64_t pe;     /* truncated */
			int64_t memory; /* MB, the whole job's */
		};
		int64_t amount[MAUI_LIMIT_AMOUNTS]; /* all of these */
	};
	int64_t walltime; /* seconds; MAUI_INFINITY: no limit. Of a suspended job: what is left */
	const struct maui_gres *gres; /* of those that maui.cfg names; NULL: none */
};

/* What a job asks for, taken from the input of its priority. */
struct maui_limit_job maui_limit_job_of(const struct maui_priority_job *row);

/* For each amount: the larger of the two, and their sum. */
void maui_limit_job_raise(struct maui_limit_job *job, const struct maui_limit_job *other);
void maui_limit_job_add(struct maui_limit_job *sum, const struct maui_limit_job *part);

/*
 * What a pending job asks for in one of its partitions. got: what it would once have been given,
 * which may be more than it asks for (whole nodes); may be NULL.
 */
void maui_limit_job_asked(const struct maui_priority_job *row, const struct maui_limit_job *got,
			  struct maui_limit_job *ret_job);

bool maui_limit_job_same(const struct maui_limit_job *a, const struct maui_limit_job *b);

/* What a job adds, clamped. */
void maui_limit_request(const struct maui_limit_job *job, int64_t ret_request[MAUI_LIMIT_METRICS]);

#endif
