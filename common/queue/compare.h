/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The waiting jobs of a Slurm with its own priority plugin under a maui.cfg:
 * the priority that each would have, by parts that both have. Nothing of the
 * engine is known: no fairshare usage, nothing that was bypassed.
 */
#ifndef MAUI_QUEUE_COMPARE_H
#define MAUI_QUEUE_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/policy/policy.h"
#include "common/policy/priority/pe.h"
#include "common/util/kendall.h"

/* What gives points on both sides. */
enum maui_compare_part {
	MAUI_COMPARE_AGE,       /* SERV */
	MAUI_COMPARE_ASSOC,     /* CRED: user and account */
	MAUI_COMPARE_FAIRSHARE, /* FS */
	MAUI_COMPARE_SIZE,      /* job size and TRES; RES, and CRED of the group */
	MAUI_COMPARE_PARTITION, /* CRED: class */
	MAUI_COMPARE_QOS,       /* CRED: QOS */
	MAUI_COMPARE_TARGET,    /* TARG: Slurm has nothing like it */
	MAUI_COMPARE_PARTS
};

/* A job in one of its partitions. Those of a job are adjacent. */
struct maui_compare_job {
	int64_t number;                      /* Slurm's */
	const char *names[MAUI_CREDENTIALS]; /* NULL or "": it has none */
	int64_t submitted;
	int64_t accrued;               /* since when Slurm counts its age; 0: it does not */
	bool stopped;                  /* held, or waiting for another job */
	double walltime;               /* seconds; MAUI_INFINITY */
	double nodes, procs;           /* asked for */
	double memory, disk;           /* MB, the whole job's */
	double fairshare;              /* 0 to 1: Slurm's, of its association; 0: not known */
	double class_priority;         /* PriorityJobFactor, for classes without a PRIORITY */
	struct maui_gres_amounts gres; /* by the numbers of the policy's configuration */
	int64_t nice, site_factor;
	bool by_hand;     /* somebody has set the priority: it stays */
	int64_t slurm;    /* priority today */
	bool parts_known; /* slurm_part is set */
	double slurm_part[MAUI_COMPARE_PARTS];
	/* set by maui_compare(): */
	int64_t maui;
	double maui_part[MAUI_COMPARE_PARTS];
};

/* A job, with its place on both sides, from 1. */
struct maui_compared {
	size_t slurm_row, maui_row; /* where its priority is highest */
	size_t slurm_place, maui_place;
};

struct maui_comparison {
	struct maui_compared *jobs; /* those that move most first */
	size_t count, moved;
	struct maui_kendall kendall; /* of Slurm's and Maui's priorities */
	double slurm_mean[MAUI_COMPARE_PARTS], maui_mean[MAUI_COMPARE_PARTS];
	bool slurm_any[MAUI_COMPARE_PARTS], maui_any[MAUI_COMPARE_PARTS]; /* points for anybody */
	bool tree_unknown; /* FSTREEWEIGHT would count, and no row has a fairshare */
};

/* Sets maui and maui_part of the rows. The comparison must be cleared. */
void maui_compare(struct maui_policy *policy, const struct maui_resources *machine,
		  struct maui_compare_job *rows, size_t count, int64_t now,
		  struct maui_comparison *ret_comparison);
void maui_compare_clear(struct maui_comparison *comparison);

/*
 * The part whose points move a job most: where the two sides differ most from how they differ for
 * the mean job. MAUI_COMPARE_PARTS: Slurm's are not known, or none by a point.
 */
enum maui_compare_part maui_compare_reason(const struct maui_comparison *comparison,
					   const struct maui_compare_job *rows,
					   const struct maui_compared *job);

#endif
