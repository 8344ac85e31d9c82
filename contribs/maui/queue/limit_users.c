/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Selects the active or waiting jobs of a limit's holders, computes each job's
 * amount by the metric, and sorts jobs by amount.
 */
#include "contribs/maui/queue/limit_users.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/report/json.h"
#include "common/util/slurm/gres.h"
#include "common/util/list.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/queue/gres_list.h"
#include "contribs/maui/queue/job_text.h"
#include "contribs/maui/queue/queue.h"

static bool is_principal(const char *type)
{
	return !strcmp(type, "user") || !strcmp(type, "group");
}

struct limit_holder limit_holder(struct json_object *jobs, const char *type, const char *name,
				 bool unnamed)
{
	struct limit_holder holder = {.type = type, .name = name};

	if (is_principal(type))
		holder.owner = job_owner_reported(jobs, type, name, unnamed);
	return holder;
}

bool limit_counts_for(struct json_object *job, const struct limit_holder *holder)
{
	const char *type = holder->type;
	const char *own = member_text(job, !strcmp(type, "class") ? "partition" : type);

	if (!strcmp(type, "system"))
		return true;
	if (is_principal(type))
		return job_owner_has(&holder->owner, job);
	if (!strcmp(type, "qos") && !strcmp(holder->name, "DEFAULT"))
		return !*own;
	return !strcmp(type, "class") ? maui_list_has(own, holder->name)
				      : !strcasecmp(own, holder->name);
}

enum maui_limit_metric limit_metric(struct json_object *limit)
{
	return maui_limit_metric_find(member_text(limit, "metric"));
}

/* Without the engine it is unknown what a waiting job would get. */
static int64_t gres_of(struct json_object *job, const char *name)
{
	const char *license = maui_gres_license(name);

	if (!license)
		return gres_count(member_text(job, "gres"), name);
	return queue_job_is_active(job)
		       ? maui_gres_within(maui_gres_licenses(member_text(job, "licenses"), license))
		       : 0;
}

/* What a job holds, in a limit's metric; PE as processors, which are usually its largest part. */
static int64_t amount_held(struct json_object *job, enum maui_limit_metric metric, const char *gres,
			   int64_t now)
{
	int64_t end = member_integer(job, "end"), rest = end > now ? end - now : 0;
	int64_t procs = member_integer(job, "procs");

	if (!queue_job_is_active(job))
		rest = member_integer(job, "time_limit");
	switch (metric) {
	case MAUI_LIMIT_JOB:
		return 1;
	case MAUI_LIMIT_PROC:
	case MAUI_LIMIT_PE:
		return procs;
	case MAUI_LIMIT_NODE:
		return member_integer(job, "nodes");
	case MAUI_LIMIT_PS:
		return job_product(procs, rest);
	case MAUI_LIMIT_WC:
		return rest;
	case MAUI_LIMIT_MEM:
		return job_memory(job);
	case MAUI_LIMIT_GRES:
		return gres_of(job, gres);
	case MAUI_LIMIT_GS:
		return maui_gres_within(maui_gres_times((uint64_t)gres_of(job, gres),
							rest > 0 ? (uint64_t)rest : 0));
	case MAUI_LIMIT_ALL_METRICS: /* the engine's, and unknown here */
		break;
	}
	return 0;
}

static int by_amount(const void *first, const void *second)
{
	return queue_compare(first, second, "amount", "number");
}

static struct json_object *user_of_limit(struct json_object *job, int64_t amount)
{
	struct json_object *facts = json_make_object();
	int64_t end = queue_job_is_active(job) ? member_integer(job, "end") : 0;

	json_set_same(facts, job, "id");
	json_set_number(facts, "number", member_integer(job, "job"));
	json_set_same(facts, job, "user");
	json_set_same(facts, job, "state");
	json_set_number(facts, "amount", amount);
	json_set(facts, "end", end > 0 ? json_make_number(end) : NULL);
	return facts;
}

/* A part of the queue that has all the jobs that count: a page asks for many limits of users. */
static struct json_object *part_of(const struct queue_sorted *sorted,
				   const struct limit_holder *holder, bool idle)
{
	bool named = !strcmp(holder->type, "user") && holder->owner.by != JOB_OWNER_NUMBER;
	struct json_object *own = named ? member_object(sorted->users, holder->name) : NULL;

	if (own)
		return own;
	return idle ? sorted->queue : sorted->active;
}

struct json_object *limit_users(const struct queue_sorted *sorted, struct json_object *limit,
				struct json_object *except)
{
	struct json_object *users = json_make_array();
	enum maui_limit_metric metric = limit_metric(limit);
	bool idle = !strcmp(member_text(limit, "mode"), "idle");
	const char *gres = member_text(limit, "gres");
	struct json_object *all = member_array(sorted->queue, "jobs");
	struct limit_holder holder =
		limit_holder(all, member_text(limit, "type"), member_text(limit, "holder"),
			     member_flag(limit, "holder_unnamed"));
	struct limit_holder second =
		limit_holder(all, member_text(limit, "second_type"), member_text(limit, "second"),
			     member_flag(limit, "second_unnamed"));
	struct json_object *part = part_of(sorted, &holder, idle);
	struct json_object *jobs = member_array(part, "jobs");
	int64_t now = member_integer(part, "time");

	for (size_t i = 0; i < array_size(jobs); i++) {
		struct json_object *job = json_object_array_get_idx(jobs, i);
		int64_t amount;

		if (!limit_counts_for(job, &holder) ||
		    (*second.type && !limit_counts_for(job, &second)))
			continue;
		if (idle ? !queue_job_is_pending(job) || job == except : !queue_job_is_active(job))
			continue;
		amount = amount_held(job, metric, gres, now);
		/* Jobs without the GRES do not count; of waiting ones it is not known. */
		if (!*gres || idle || amount)
			json_append(users, user_of_limit(job, amount));
	}
	json_object_array_sort(users, by_amount);
	return users;
}
