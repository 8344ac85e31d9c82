/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compiles names of the policy for the names of the rows, computes priorities
 * with maui_priority_evaluate(), and ranks jobs by both sides.
 */
#include "common/queue/compare.h"

#include <math.h>
#include <stdlib.h>

#include "common/policy/limits/qos_access.h"
#include "common/policy/priority/stored_priority.h"
#include "common/policy/priority/system_priority.h"
#include "common/queue/names.h"
#include "common/queue/principals.h"
#include "common/util/intern.h"
#include "common/util/memory.h"

/* A policy for the names of the rows. */
struct compare_policy {
	struct maui_policy *policy;
	struct maui_intern *principal[MAUI_CREDENTIALS]; /* users, groups: a name's number */
	struct maui_principals *principals;
	struct maui_names *names;
	struct maui_qos_access *qos;
	struct maui_gres_table *gres;
	const struct maui_resources *machine;
};

/* ---- names ---- */

static enum maui_answer compare_number(void *context, enum maui_credential type, const char *name,
				       uint32_t *ret_number)
{
	const struct compare_policy *with = context;

	*ret_number = maui_intern_find(with->principal[type], name);
	return *ret_number ? MAUI_ANSWER_FOUND : MAUI_ANSWER_NONE;
}

static uint32_t compare_id(const struct compare_policy *with, enum maui_credential type,
			   const char *name)
{
	if (!name || !*name)
		return MAUI_NO_CREDENTIAL;
	if (with->principal[type])
		return maui_names_of_number(with->names, type,
					    maui_intern_find(with->principal[type], name));
	return maui_names_of_text(with->names, type, name);
}

/* Users and groups of the rows get numbers before the policy looks them up. */
static void compare_open(struct compare_policy *with, const struct maui_compare_job *rows,
			 size_t count)
{
	const struct maui_principals_service service = {compare_number, NULL, with};
	struct maui_limit_names configured;

	with->principal[MAUI_USER] = maui_intern_new();
	with->principal[MAUI_GROUP] = maui_intern_new();
	for (size_t i = 0; i < count; i++)
		for (enum maui_credential type = MAUI_USER; type <= MAUI_GROUP; type++)
			if (rows[i].names[type] && *rows[i].names[type])
				maui_intern_add(with->principal[type], rows[i].names[type]);
	with->principals = maui_principals_new(with->policy->config, &service);
	with->names = maui_names_new();
	maui_names_bind(with->names, with->policy, with->principals);
	configured = maui_names_configured(with->names);
	with->qos = maui_qos_access_compile(with->policy->config, &configured);
	with->gres = maui_gres_table_new();
}

static void compare_close(struct compare_policy *with)
{
	maui_gres_table_unref(with->gres);
	maui_qos_access_free(with->qos);
	maui_names_free(with->names);
	maui_principals_free(with->principals);
	maui_intern_free(with->principal[MAUI_GROUP]);
	maui_intern_free(with->principal[MAUI_USER]);
}

/* ---- priorities ---- */

/* The engine would have watched the job since its submission; Slurm's own time stands for it. */
static int64_t compare_since(const struct compare_policy *with, const struct maui_compare_job *row,
			     int64_t now)
{
	if (with->policy->accrual == MAUI_ACCRUE_ALWAYS)
		return row->submitted;
	if (row->stopped)
		return now;
	return row->accrued > row->submitted ? row->accrued : row->submitted;
}

static void compare_fill(const struct compare_policy *with, const struct maui_compare_job *row,
			 int64_t now, struct maui_priority_job *ret_job)
{
	struct maui_priority_job job = {
		.queued_since = compare_since(with, row, now),
		.walltime = row->walltime,
		.nodes = row->nodes,
		.procs = row->procs,
		.memory = row->memory,
		.disk = row->disk,
		.class_priority = row->class_priority,
		.tree = row->fairshare,
		.system_priority = maui_system_priority_absolute(row->site_factor),
		.gres = maui_gres_intern(with->gres, &row->gres),
	};
	struct maui_resources request = {.procs = job.procs,
					 .memory = job.memory,
					 .disk = job.disk,
					 .gres = maui_pe_gres(job.gres)};

	for (enum maui_credential type = 0; type < MAUI_CREDENTIALS; type++)
		job.credential[type] = compare_id(with, type, row->names[type]);
	if (!job.credential[MAUI_QOS])
		job.credential[MAUI_QOS] = maui_qos_default(with->qos, job.credential);
	if (job.system_priority)
		job.system_priority_mode = MAUI_ABSOLUTE_PRIORITY;
	job.pe = maui_pe(&request, with->machine);
	job.weights = maui_names_weights(with->names, job.credential[MAUI_CLASS]);
	*ret_job = job;
}

static enum maui_compare_part compare_part_of(enum maui_subcomponent sub)
{
	switch (sub) {
	case MAUI_CRED_USER:
	case MAUI_CRED_ACCOUNT:
		return MAUI_COMPARE_ASSOC;
	case MAUI_CRED_QOS:
		return MAUI_COMPARE_QOS;
	case MAUI_CRED_CLASS:
		return MAUI_COMPARE_PARTITION;
	case MAUI_CRED_GROUP: /* where an import has what PriorityFavorSmall gives everybody */
		return MAUI_COMPARE_SIZE;
	default:
		break;
	}
	switch (maui_subcomponents[sub].component) {
	case MAUI_FS:
		return MAUI_COMPARE_FAIRSHARE;
	case MAUI_SERV:
		return MAUI_COMPARE_AGE;
	case MAUI_TARG:
		return MAUI_COMPARE_TARGET;
	default:
		return MAUI_COMPARE_SIZE;
	}
}

/* A capped component's subcomponents have its points in proportion. */
static void compare_divide(const struct maui_priority_terms *terms,
			   double parts[MAUI_COMPARE_PARTS])
{
	double whole[MAUI_COMPONENTS] = {0};

	for (int sub = 0; sub < MAUI_SUBCOMPONENTS; sub++)
		whole[maui_subcomponents[sub].component] += terms->weight[sub] * terms->factor[sub];
	for (int part = 0; part < MAUI_COMPARE_PARTS; part++)
		parts[part] = 0;
	for (int sub = 0; sub < MAUI_SUBCOMPONENTS; sub++) {
		enum maui_component component = maui_subcomponents[sub].component;
		double of = whole[component];

		if (of != 0)
			parts[compare_part_of((enum maui_subcomponent)sub)] +=
				terms->component_weight[component] * terms->component[component] *
				(terms->weight[sub] * terms->factor[sub] / of);
	}
}

/* ret_tree: set if FSTREEWEIGHT counts for the row. */
static void compare_evaluate(const struct compare_policy *with, struct maui_compare_job *row,
			     int64_t now, bool *ret_tree)
{
	struct maui_priority_tables tables;
	struct maui_priority_terms terms;
	struct maui_priority_job job;

	compare_fill(with, row, now, &job);
	tables = maui_names_tables(with->names);
	maui_priority_evaluate(with->policy->priority, &tables, &job, now, &terms);
	compare_divide(&terms, row->maui_part);
	*ret_tree |= terms.component_weight[MAUI_FS] * terms.weight[MAUI_FS_TREE] != 0;
	row->maui = row->by_hand
			    ? row->slurm
			    : maui_stored_priority(terms.priority, with->policy->base, row->nice,
						   job.system_priority ? 0 : row->site_factor, 1);
	if (terms.rejected && !row->by_hand)
		row->maui = 0;
}

/* ---- places ---- */

/* Priorities of a side, and whose they are. */
struct compare_rank {
	int64_t priority, number;
	size_t job;
};

static int compare_by_priority(const void *a, const void *b)
{
	const struct compare_rank *x = a, *y = b;

	if (x->priority != y->priority)
		return x->priority < y->priority ? 1 : -1;
	return (x->number > y->number) - (x->number < y->number);
}

static void compare_gather(const struct maui_compare_job *rows, size_t count,
			   struct maui_comparison *comparison)
{
	for (size_t i = 0; i < count; i++) {
		struct maui_compared *job = &comparison->jobs[comparison->count];

		if (!i || rows[i].number != rows[i - 1].number) {
			comparison->count++;
			*job = (struct maui_compared){.slurm_row = i, .maui_row = i};
			continue;
		}
		job--;
		if (rows[i].slurm > rows[job->slurm_row].slurm)
			job->slurm_row = i;
		if (rows[i].maui > rows[job->maui_row].maui)
			job->maui_row = i;
	}
}

static void compare_rank(const struct maui_compare_job *rows, bool maui,
			 struct maui_comparison *comparison, int64_t *ret_priority)
{
	struct compare_rank *ranks = maui_calloc(comparison->count + 1, sizeof(*ranks));

	for (size_t i = 0; i < comparison->count; i++) {
		const struct maui_compared *job = &comparison->jobs[i];
		const struct maui_compare_job *row = &rows[maui ? job->maui_row : job->slurm_row];

		ret_priority[i] = maui ? row->maui : row->slurm;
		ranks[i] = (struct compare_rank){ret_priority[i], row->number, i};
	}
	qsort(ranks, comparison->count, sizeof(*ranks), compare_by_priority);
	for (size_t i = 0; i < comparison->count; i++) {
		struct maui_compared *job = &comparison->jobs[ranks[i].job];

		*(maui ? &job->maui_place : &job->slurm_place) = i + 1;
	}
	free(ranks);
}

static size_t compare_distance(const struct maui_compared *job)
{
	return job->maui_place > job->slurm_place ? job->maui_place - job->slurm_place
						  : job->slurm_place - job->maui_place;
}

static int compare_by_distance(const void *a, const void *b)
{
	const struct maui_compared *x = a, *y = b;
	size_t x_moves = compare_distance(x), y_moves = compare_distance(y);

	if (x_moves != y_moves)
		return x_moves < y_moves ? 1 : -1;
	return (x->maui_place > y->maui_place) - (x->maui_place < y->maui_place);
}

/* ---- what differs ---- */

static void compare_means(const struct maui_compare_job *rows, struct maui_comparison *comparison)
{
	size_t known = 0;

	for (size_t i = 0; i < comparison->count; i++) {
		const struct maui_compare_job *slurm = &rows[comparison->jobs[i].slurm_row];
		const struct maui_compare_job *maui = &rows[comparison->jobs[i].maui_row];

		if (!slurm->parts_known || slurm->by_hand)
			continue;
		known++;
		for (int part = 0; part < MAUI_COMPARE_PARTS; part++) {
			comparison->slurm_mean[part] += slurm->slurm_part[part];
			comparison->maui_mean[part] += maui->maui_part[part];
			comparison->slurm_any[part] |= slurm->slurm_part[part] != 0;
			comparison->maui_any[part] |= maui->maui_part[part] != 0;
		}
	}
	for (int part = 0; known && part < MAUI_COMPARE_PARTS; part++) {
		comparison->slurm_mean[part] /= (double)known;
		comparison->maui_mean[part] /= (double)known;
	}
}

enum maui_compare_part maui_compare_reason(const struct maui_comparison *comparison,
					   const struct maui_compare_job *rows,
					   const struct maui_compared *job)
{
	const struct maui_compare_job *slurm = &rows[job->slurm_row], *maui = &rows[job->maui_row];
	enum maui_compare_part most = MAUI_COMPARE_PARTS;
	double greatest = 1;

	if (!slurm->parts_known || slurm->by_hand)
		return MAUI_COMPARE_PARTS;
	for (enum maui_compare_part part = 0; part < MAUI_COMPARE_PARTS; part++) {
		double differs = maui->maui_part[part] - slurm->slurm_part[part];
		double usual = comparison->maui_mean[part] - comparison->slurm_mean[part];

		if (fabs(differs - usual) < greatest)
			continue;
		greatest = fabs(differs - usual);
		most = part;
	}
	return most;
}

/* ---- all of it ---- */

void maui_compare(struct maui_policy *policy, const struct maui_resources *machine,
		  struct maui_compare_job *rows, size_t count, int64_t now,
		  struct maui_comparison *ret_comparison)
{
	struct maui_comparison comparison = {
		.jobs = maui_calloc(count + 1, sizeof(*comparison.jobs))};
	struct compare_policy with = {.policy = policy, .machine = machine};
	int64_t *slurm = maui_calloc(count + 1, sizeof(*slurm));
	int64_t *maui = maui_calloc(count + 1, sizeof(*maui));
	bool shares = false;

	compare_open(&with, rows, count);
	for (size_t i = 0; i < count; i++) {
		compare_evaluate(&with, &rows[i], now, &comparison.tree_unknown);
		shares |= rows[i].fairshare > 0;
	}
	comparison.tree_unknown &= !shares;
	compare_close(&with);
	compare_gather(rows, count, &comparison);
	compare_rank(rows, false, &comparison, slurm);
	compare_rank(rows, true, &comparison, maui);
	maui_kendall(slurm, maui, comparison.count, &comparison.kendall);
	for (size_t i = 0; i < comparison.count; i++)
		comparison.moved += compare_distance(&comparison.jobs[i]) != 0;
	qsort(comparison.jobs, comparison.count, sizeof(*comparison.jobs), compare_by_distance);
	compare_means(rows, &comparison);
	free(maui);
	free(slurm);
	*ret_comparison = comparison;
}

void maui_compare_clear(struct maui_comparison *comparison)
{
	free(comparison->jobs);
	*comparison = (struct maui_comparison){0};
}
