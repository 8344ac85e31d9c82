/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which limit of an association or a QOS a reason of Slurm's stands for, in sacctmgr's words. The
 * reasons are composed of the same parts in all releases, so that no list of 140 can lack one:
 * whose limit, Grp, Max or Min, what is counted, in minutes or not, and for each of what.
 */
#include "contribs/maui/why/why.h"

#include <stdio.h>
#include <string.h>

#include "common/report/json.h"
#include "contribs/maui/lib/output.h"

struct part {
	const char *reason, *limit;
};

/* The first that fits: the longer of two before the other. */
static const struct part owners[] = {{"Assoc", "Assoc"}, {"QOS", "QOS"}, {"", "QOS"}};
static const struct part kinds[] = {{"Grp", "Grp"}, {"Max", "Max"}, {"Min", "Min"}};
static const struct part jobs[] = {
	{"Jobs", "Jobs"},
	{"SubmitJobs", "SubmitJobs"},
	{"SubmitJob", "SubmitJobs"},
	{"WallDurationPerJob", "Wall"},
	{"Wall", "Wall"},
};
#define OTHER_TRES "another TRES" /* a name of none: Slurm does not say which */

/* Of Slurm's generic resources, licenses and burst buffers the reason does not say which. */
static const struct part resources[] = {
	{"Cpu", "cpu"},         {"CPU", "cpu"},          {"Memory", "mem"},
	{"Mem", "mem"},         {"Node", "node"},        {"GRES", "gres"},
	{"BB", "bb"},           {"License", "license"},  {"Energy", "energy"},
	{"Billing", "billing"}, {"Unknown", OTHER_TRES},
};
static const struct part minutes[] = {{"RunMinutes", "RunMins"}, {"Minutes", "Mins"}, {"", ""}};
static const struct part scopes[] = {
	{"PerJob", "PerJob"},
	{"PerNode", "PerNode"},
	{"PerUser", "PerUser"},
	{"PerAccount", "PerAccount"},
	{"", ""},
};
static const struct part endings[] = {{"Limit", ""}, {"NotSatisfied", ""}, {"", ""}};

/* Moves *reason behind the part. NULL: none of them is there. */
static const char *why_slurm_limit_take(const char **reason, const struct part *parts, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t size = strlen(parts[i].reason);

		if (strncmp(*reason, parts[i].reason, size) != 0)
			continue;
		*reason += size;
		return parts[i].limit;
	}
	return NULL;
}

#define TAKE(REASON, PARTS) why_slurm_limit_take(REASON, PARTS, sizeof(PARTS) / sizeof(*(PARTS)))

/* sacctmgr calls the least of a job MinTRESPerJob, Slurm's reason leaves that out. *ret_tres: "",
 * or what of TRES is counted. */
static bool read_limit(const char *reason, const char *kind, char *limit, size_t size,
		       const char **ret_tres)
{
	const char *counted = TAKE(&reason, jobs), *span = "", *scope;

	*ret_tres = "";
	if (!counted) {
		*ret_tres = TAKE(&reason, resources);
		if (!*ret_tres)
			return false;
		counted = "TRES";
		span = TAKE(&reason, minutes);
	}
	scope = TAKE(&reason, scopes);
	if (!strcmp(kind, "Min") && !*scope)
		scope = "PerJob";
	TAKE(&reason, endings);
	snprintf(limit, size, "%s%s%s%s", kind, counted, span, scope);
	return !*reason;
}

static void holder_text(const struct why *why, bool of_qos, bool group, char *text, size_t size)
{
	const char *account = member_text(why->job, "account"), *qos = member_text(why->job, "qos");

	if (of_qos)
		snprintf(text, size, "QOS %s, or its partition's", *qos ? qos : "of the job");
	else
		snprintf(text, size, "the association of user %s in account %s%s",
			 member_text(why->job, "user"), *account ? account : "of the job",
			 group ? ", or an account above it" : "");
}

/* Slurm shows the limits with what is used of them in parentheses. */
static void add_unseen(struct why *why, bool of_qos, const char *limit, const char *problem)
{
	const char *name = member_text(why->job, of_qos ? "qos" : "account");

	why_add(why, WHY_UNSEEN, "slurm-limit", NULL,
		"how much of %s is used: %s%s`scontrol show assoc_mgr %s%s%s flags=%s` has it in "
		"parentheses",
		limit, problem, *problem ? "; " : "", *name ? of_qos ? "qos=" : "accounts=" : "",
		name, *name ? "" : "all", of_qos ? "qos" : "assoc");
}

void why_slurm_limit(struct why *why, const char *reason)
{
	const char *owner = TAKE(&reason, owners), *kind = TAKE(&reason, kinds), *tres;
	bool of_qos = !strcmp(owner, "QOS");
	struct json_object *facts;
	char limit[40], shown[80], holder[300], problem[300];

	if (!kind || !read_limit(reason, kind, limit, sizeof(limit), &tres))
		return;
	snprintf(shown, sizeof(shown), "%s%s%s%s", limit, *tres ? " (" : "", tres,
		 *tres ? ")" : "");
	facts = json_make_object();
	why_fact_text(facts, "limit", shown);
	why_fact_text(facts, "holder", of_qos ? "qos" : "association");
	json_set_same(facts, why->job, "account");
	json_set_same(facts, why->job, "user");
	json_set_same(facts, why->job, "qos");
	if (why_slurm_figures(why, of_qos, limit, strcmp(tres, OTHER_TRES) ? tres : "", facts,
			      problem, sizeof(problem))) {
		json_object_put(facts);
		return;
	}
	holder_text(why, of_qos, !strcmp(kind, "Grp"), holder, sizeof(holder));
	why_add(why, WHY_CAUSE, "slurm-limit", facts, "the limit is %s of %s", shown, holder);
	add_unseen(why, of_qos, shown, problem);
}
