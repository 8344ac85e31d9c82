/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests associations and QOS by slurm_load_assoc_mgr_info(), and finds each
 * limit and its usage by a table of member offsets.
 */
#include "contribs/maui/slurm/slurm_limit.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/util/list.h"
#include "common/util/memory.h"
#include "contribs/maui/slurm/slurm_child.h"
#include "contribs/maui/slurm/slurm_compat.h"

#define LIMIT (1u << 20) /* bytes: thousands of associations above each other */

/* What of usage a limit is compared with. */
enum counted { NOTHING, JOBS, SUBMITTED, WALL, HELD, SPENT, OUTSTANDING };

/* Whose: of an association, GROUP is also of those above it. */
enum whose { OWN, GROUP, USER, ACCOUNT };

#define NONE          SIZE_MAX
#define ASSOC(MEMBER) offsetof(slurmdb_assoc_rec_t, MEMBER)
#define QOS(MEMBER)   offsetof(slurmdb_qos_rec_t, MEMBER)

/* Where the members are. With tres a member is an array of a number for each TRES. */
static const struct limit {
	const char *name;
	bool tres;
	enum counted counted;
	enum whose whose;
	size_t assoc, qos;
} limits[] = {
	{"GrpJobs", false, JOBS, GROUP, ASSOC(grp_jobs), QOS(grp_jobs)},
	{"GrpSubmitJobs", false, SUBMITTED, GROUP, ASSOC(grp_submit_jobs), QOS(grp_submit_jobs)},
	{"GrpWall", false, WALL, GROUP, ASSOC(grp_wall), QOS(grp_wall)},
	{"GrpTRES", true, HELD, GROUP, ASSOC(grp_tres_ctld), QOS(grp_tres_ctld)},
	{"GrpTRESMins", true, SPENT, GROUP, ASSOC(grp_tres_mins_ctld), QOS(grp_tres_mins_ctld)},
	{"GrpTRESRunMins", true, OUTSTANDING, GROUP, ASSOC(grp_tres_run_mins_ctld),
	 QOS(grp_tres_run_mins_ctld)},
	{"MaxJobs", false, JOBS, OWN, ASSOC(max_jobs), NONE},
	{"MaxSubmitJobs", false, SUBMITTED, OWN, ASSOC(max_submit_jobs), NONE},
	{"MaxWall", false, NOTHING, OWN, ASSOC(max_wall_pj), QOS(max_wall_pj)},
	{"MaxTRESPerJob", true, NOTHING, OWN, ASSOC(max_tres_ctld), QOS(max_tres_pj_ctld)},
	{"MaxTRESPerNode", true, NOTHING, OWN, ASSOC(max_tres_pn_ctld), QOS(max_tres_pn_ctld)},
	{"MaxTRESMinsPerJob", true, NOTHING, OWN, ASSOC(max_tres_mins_ctld),
	 QOS(max_tres_mins_pj_ctld)},
	{"MinTRESPerJob", true, NOTHING, OWN, NONE, QOS(min_tres_pj_ctld)},
	{"MaxJobsPerUser", false, JOBS, USER, NONE, QOS(max_jobs_pu)},
	{"MaxSubmitJobsPerUser", false, SUBMITTED, USER, NONE, QOS(max_submit_jobs_pu)},
	{"MaxTRESPerUser", true, HELD, USER, NONE, QOS(max_tres_pu_ctld)},
	{"MaxTRESRunMinsPerUser", true, OUTSTANDING, USER, NONE, QOS(max_tres_run_mins_pu_ctld)},
	{"MaxJobsPerAccount", false, JOBS, ACCOUNT, NONE, QOS(max_jobs_pa)},
	{"MaxSubmitJobsPerAccount", false, SUBMITTED, ACCOUNT, NONE, QOS(max_submit_jobs_pa)},
	{"MaxTRESPerAccount", true, HELD, ACCOUNT, NONE, QOS(max_tres_pa_ctld)},
	{"MaxTRESRunMinsPerAccount", true, OUTSTANDING, ACCOUNT, NONE,
	 QOS(max_tres_run_mins_pa_ctld)},
};

/* For the child, which has a copy of it. */
static struct slurm_limit_request question;

/* ---- what is used ---- */

struct usage {
	bool empty; /* nothing is used, and there are no arrays */
	uint32_t jobs, submitted;
	double wall; /* seconds */
	/* Of each TRES; outstanding and spent are seconds. NULL: slurmctld does not say. */
	const uint64_t *held, *outstanding;
	const long double *spent;
};

/* NAN: unknown. */
static double used_of(const struct usage *usage, enum counted counted, uint32_t tres)
{
	if (usage->empty)
		return 0;
	switch (counted) {
	case JOBS:
		return usage->jobs;
	case SUBMITTED:
		return usage->submitted;
	case WALL:
		return usage->wall / 60;
	case HELD:
		return usage->held ? (double)usage->held[tres] : NAN;
	case SPENT:
		return usage->spent ? (double)(usage->spent[tres] / 60) : NAN;
	case OUTSTANDING:
		return usage->outstanding ? (double)usage->outstanding[tres] / 60 : NAN;
	case NOTHING:
		break;
	}
	return NAN;
}

static struct usage usage_of_assoc(const slurmdb_assoc_usage_t *usage)
{
	if (!usage)
		return (struct usage){0};
	return (struct usage){.jobs = usage->used_jobs,
			      .submitted = usage->used_submit_jobs,
			      .wall = usage->grp_used_wall,
			      .held = usage->grp_used_tres,
			      .outstanding = usage->grp_used_tres_run_secs,
			      .spent = usage->usage_tres_raw};
}

/* Of the job's user, or account, in a QOS; without jobs there it has no record. */
static struct usage usage_of_one(struct xlist *list, enum whose whose)
{
	struct listIterator *at = list ? slurm_list_iterator_create(list) : NULL;
	const slurmdb_used_limits_t *used;
	struct usage usage = {.empty = true};

	while (at && (used = slurm_list_next(at)))
		if (whose == USER ? used->uid == question.uid
				  : used->acct && !strcasecmp(used->acct, question.account))
			usage = (struct usage){.jobs = used->jobs,
					       .submitted = used->submit_jobs,
					       .held = used->tres,
					       .outstanding = slurm_used_run_seconds(used)};
	if (at)
		slurm_list_iterator_destroy(at);
	return usage;
}

static struct usage usage_of_qos(const slurmdb_qos_usage_t *usage, enum whose whose)
{
	if (!usage)
		return (struct usage){0};
	if (whose == USER || whose == ACCOUNT)
		return usage_of_one(whose == USER ? usage->user_limit_list : usage->acct_limit_list,
				    whose);
	return (struct usage){.jobs = usage->grp_used_jobs,
			      .submitted = usage->grp_used_submit_jobs,
			      .wall = usage->grp_used_wall,
			      .held = usage->grp_used_tres,
			      .outstanding = usage->grp_used_tres_run_secs,
			      .spent = usage->usage_tres_raw};
}

/* ---- one holder ---- */

struct telling {
	FILE *facts;
	const assoc_mgr_info_msg_t *answer;
	const struct limit *limit;
	double factor; /* of associations' GrpTRES and MaxTRESPerJob: a QOS's LimitFactor */
	bool first;    /* of QOS: only the first that has a limit counts */
	bool *told;    /* of each TRES, or the first member for a limit without */
	bool done;     /* all could be written */
};

static bool is_wanted(const char *name)
{
	size_t size = strlen(question.tres);

	return !size ||
	       (!strncasecmp(name, question.tres, size) && (!name[size] || name[size] == '/'));
}

static void slurm_limit_report(struct telling *telling, enum slurm_limit_holder holder,
			       const char *name, uint32_t tres, double allowed,
			       const struct usage *usage)
{
	const struct limit *limit = telling->limit;
	struct slurm_limit row = {
		.holder = holder, .allowed = allowed, .used = used_of(usage, limit->counted, tres)};

	if (telling->first && holder == SLURM_LIMIT_QOS && telling->told[tres])
		return;
	telling->told[tres] = true;
	snprintf(row.name, sizeof(row.name), "%s", name ? name : "");
	if (limit->tres)
		snprintf(row.tres, sizeof(row.tres), "%s", telling->answer->tres_names[tres]);
	telling->done = fwrite(&row, sizeof(row), 1, telling->facts) == 1 && telling->done;
}

/* member: of the record, an uint32_t or a pointer to an uint64_t of each TRES. */
static void tell_holder(struct telling *telling, enum slurm_limit_holder holder, const char *name,
			const char *member, const struct usage *usage)
{
	double factor = holder == SLURM_LIMIT_QOS ? 1 : telling->factor;
	const uint64_t *allowed;
	uint32_t count;

	if (!telling->limit->tres) {
		memcpy(&count, member, sizeof(count));
		if (count < NO_VAL)
			slurm_limit_report(telling, holder, name, 0, count, usage);
		return;
	}
	memcpy(&allowed, member, sizeof(allowed));
	for (uint32_t i = 0; allowed && i < telling->answer->tres_cnt; i++)
		if (allowed[i] < NO_VAL64 && is_wanted(telling->answer->tres_names[i]))
			slurm_limit_report(telling, holder, name, i, (double)allowed[i] * factor,
					   usage);
}

/* ---- associations ---- */

static const slurmdb_assoc_rec_t *next_assoc(struct listIterator *at)
{
	return slurm_list_next(at);
}

/* The user's in the account: that of the job's partition before the one of all. NULL: hidden. */
static const slurmdb_assoc_rec_t *own_assoc(struct xlist *list)
{
	struct listIterator *at = slurm_list_iterator_create(list);
	const slurmdb_assoc_rec_t *assoc, *found = NULL;

	while ((assoc = next_assoc(at))) {
		if (!assoc->user || strcmp(assoc->user, question.user) != 0 || !assoc->acct ||
		    strcasecmp(assoc->acct, question.account) != 0)
			continue;
		if (assoc->partition ? maui_list_has(question.partition, assoc->partition) : !found)
			found = assoc;
	}
	slurm_list_iterator_destroy(at);
	return found;
}

static const slurmdb_assoc_rec_t *assoc_of(struct xlist *list, uint32_t id)
{
	struct listIterator *at = slurm_list_iterator_create(list);
	const slurmdb_assoc_rec_t *assoc;

	while ((assoc = next_assoc(at)) && assoc->id != id)
		;
	slurm_list_iterator_destroy(at);
	return assoc;
}

static bool is_root(const slurmdb_assoc_rec_t *assoc)
{
	return !assoc->user && assoc->acct && !strcmp(assoc->acct, "root");
}

static void tell_hidden(struct telling *telling)
{
	const struct slurm_limit row = {.holder = SLURM_LIMIT_HIDDEN};

	telling->done = fwrite(&row, sizeof(row), 1, telling->facts) == 1 && telling->done;
}

/* The job's association, and for a limit of groups those above it. */
static void tell_assocs(struct telling *telling)
{
	const struct limit *limit = telling->limit;
	struct xlist *list = telling->answer->assoc_list;
	const slurmdb_assoc_rec_t *assoc = list ? own_assoc(list) : NULL;

	while (assoc) {
		struct usage usage = usage_of_assoc(assoc->usage);

		tell_holder(telling, assoc->user ? SLURM_LIMIT_USER : SLURM_LIMIT_ACCOUNT,
			    assoc->acct, (const char *)assoc + limit->assoc, &usage);
		if (limit->whose != GROUP || is_root(assoc))
			return;
		assoc = assoc_of(list, assoc->parent_id);
	}
	tell_hidden(telling);
}

/* ---- QOS ---- */

static const slurmdb_qos_rec_t *qos_named(struct xlist *list, struct maui_item name)
{
	struct listIterator *at = list ? slurm_list_iterator_create(list) : NULL;
	const slurmdb_qos_rec_t *qos = NULL;

	while (at && (qos = slurm_list_next(at)) && !(qos->name && maui_item_is(name, qos->name)))
		;
	if (at)
		slurm_list_iterator_destroy(at);
	return qos;
}

static void tell_qos_of(struct telling *telling, const char *names)
{
	struct maui_item name;

	while (maui_list_next(&names, ",", &name)) {
		const slurmdb_qos_rec_t *qos = qos_named(telling->answer->qos_list, name);
		struct usage usage;

		if (!qos)
			continue;
		usage = usage_of_qos(qos->usage, telling->limit->whose);
		tell_holder(telling, SLURM_LIMIT_QOS, qos->name,
			    (const char *)qos + telling->limit->qos, &usage);
	}
}

/* The first QOS of a list; NULL: none. *ret_only: there is no other. */
static const slurmdb_qos_rec_t *first_qos(const struct telling *telling, const char *names,
					  bool *ret_only)
{
	struct maui_item name, other;

	*ret_only = true;
	if (!maui_list_next(&names, ",", &name))
		return NULL;
	*ret_only = !maui_list_next(&names, ",", &other);
	return qos_named(telling->answer->qos_list, name);
}

/* The partition's comes before the job's, unless the latter has OverPartQOS. */
static void tell_qos(struct telling *telling)
{
	bool one, only;
	const slurmdb_qos_rec_t *own = first_qos(telling, question.qos, &one);

	first_qos(telling, question.partition_qos, &only);
	telling->first = one && only;
	if (own && own->flags & QOS_FLAG_OVER_PART_QOS) {
		tell_qos_of(telling, question.qos);
		tell_qos_of(telling, question.partition_qos);
	} else {
		tell_qos_of(telling, question.partition_qos);
		tell_qos_of(telling, question.qos);
	}
}

/* LimitFactor of the job's QOS, or else of its partition's; 1 without. */
static double limit_factor(const struct telling *telling)
{
	const char *lists[] = {question.qos, question.partition_qos};
	size_t limit = telling->limit->assoc;

	if (limit != ASSOC(grp_tres_ctld) && limit != ASSOC(max_tres_ctld))
		return 1;
	for (size_t i = 0; i < 2; i++) {
		bool only;
		const slurmdb_qos_rec_t *qos = first_qos(telling, lists[i], &only);

		if (qos && qos->limit_factor > 0 && qos->limit_factor < NO_VAL)
			return qos->limit_factor;
	}
	return 1;
}

/* ---- the child ---- */

static void add_names(struct xlist *list, const char *names)
{
	struct maui_item name;

	while (maui_list_next(&names, ",", &name))
		slurm_list_append(list, maui_strndup(name.text, name.size));
}

/* What Slurm has allocated is not freed: the child ends soon. */
static bool tell_limit(FILE *facts)
{
	assoc_mgr_info_request_msg_t request = {.flags = ASSOC_MGR_INFO_FLAG_ASSOC |
							 ASSOC_MGR_INFO_FLAG_QOS,
						.user_list = slurm_list_create(NULL),
						.qos_list = slurm_list_create(NULL)};
	struct telling telling = {.facts = facts, .limit = limits, .done = true};
	assoc_mgr_info_msg_t *answer = NULL;

	add_names(request.user_list, question.user);
	add_names(request.qos_list, question.qos);
	add_names(request.qos_list, question.partition_qos);
	if (slurm_load_assoc_mgr_info(&request, &answer) != SLURM_SUCCESS)
		return slurm_child_failed();
	telling.answer = answer;
	telling.told = maui_calloc((size_t)answer->tres_cnt + 1, sizeof(*telling.told));
	while (strcmp(telling.limit->name, question.limit) != 0)
		telling.limit++;
	telling.factor = limit_factor(&telling);
	if (question.of_qos)
		tell_qos(&telling);
	else
		tell_assocs(&telling);
	free(telling.told);
	return telling.done;
}

static bool is_known(const struct slurm_limit_request *request)
{
	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++)
		if (!strcmp(limits[i].name, request->limit))
			return (request->of_qos ? limits[i].qos : limits[i].assoc) != NONE;
	return false;
}

int slurm_limit_ask(const struct slurm_limit_request *request, int timeout,
		    struct slurm_limit **ret_limits, size_t *ret_count, struct maui_error *error)
{
	char *facts = NULL;
	size_t size = 0;
	int rc;

	*ret_limits = NULL;
	*ret_count = 0;
	if (!is_known(request))
		return 0;
	question = *request;
	rc = slurm_child(tell_limit, timeout, LIMIT, "limits and usage", &facts, &size, error);
	if (!rc && size % sizeof(**ret_limits))
		rc = maui_error_set(error, EBADMSG, "Slurm's answer is cut short");
	if (rc) {
		free(facts);
		return rc;
	}
	*ret_limits = (struct slurm_limit *)facts;
	*ret_count = size / sizeof(**ret_limits);
	return 0;
}
