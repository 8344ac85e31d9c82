/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slurm's own limits: associations, QOS, and what else it gives as a reason. */
#include "contribs/maui/why/why.h"

#include <stdio.h>
#include <string.h>

#include "common/report/json.h"
#include "contribs/maui/lib/output.h"

/* The first whose name a reason begins with. */
static const struct sentence {
	const char *reason, *text, *remedy;
	bool never; /* no other job is involved */
} sentences[] = {
	{"AssocGrpJobs",
	 "as many jobs of the account, and those below it, run as its association allows (GrpJobs)",
	 "the end of jobs of the account", false},
	{"AssocGrpSubmit",
	 "the account has as many jobs in the queue as its association allows (GrpSubmitJobs)",
	 "the end of jobs of the account", false},
	{"AssocGrp",
	 "the jobs of the account, and of those below it, hold or have used as much as its "
	 "association allows",
	 "the end of jobs of the account; what is counted in minutes, also its decay", false},
	{"AssocMaxJobs", "as many of the user's jobs run as the association allows (MaxJobs)",
	 "the end of one of the user's jobs", false},
	{"AssocMaxSubmit",
	 "the user has as many jobs in the queue as the association allows (MaxSubmitJobs)",
	 "the end of one of the user's jobs", false},
	{"AssocMax", "the job asks for more than the association allows one job",
	 "a smaller request", true},
	{"AssociationJobLimit", "the association has as many jobs as it may",
	 "the end of one of them", false},
	{"AssociationResourceLimit", "the association has reached a limit of resources",
	 "the end of its jobs", false},
	{"AssociationTimeLimit", "the association has reached a limit of time", "its decay", false},
	{"QOSGrp", "the jobs of the QOS together hold or have used as much as it allows",
	 "the end of jobs of the QOS; what is counted in minutes, also its decay", false},
	{"QOSMaxJobsPerUser", "as many of the user's jobs run in the QOS as it allows (MaxJobsPU)",
	 "the end of one of the user's jobs in the QOS", false},
	{"QOSMaxSubmit",
	 "the user has as many jobs of the QOS in the queue as it allows (MaxSubmitJobsPU)",
	 "the end of one of the user's jobs in the QOS", false},
	{"QOSMaxCpuPerUser",
	 "the user's jobs in the QOS hold as many processors as it allows (MaxTRESPU)",
	 "the end of the user's jobs in the QOS", false},
	{"QOSMaxNodePerUser",
	 "the user's jobs in the QOS hold as many nodes as it allows (MaxTRESPU)",
	 "the end of the user's jobs in the QOS", false},
	{"QOSMaxMemoryPerUser",
	 "the user's jobs in the QOS hold as much memory as it allows (MaxTRESPU)",
	 "the end of the user's jobs in the QOS", false},
	{"QOSMaxGRESPerUser",
	 "the user's jobs in the QOS hold as many generic resources as it allows (MaxTRESPU)",
	 "the end of the user's jobs in the QOS", false},
	{"QOSMax", "the job asks for more than its QOS allows one job",
	 "a smaller request, or another QOS", true},
	{"QOSMin", "the job asks for less than its QOS wants of a job",
	 "a greater request, or another QOS", true},
	{"QOSUsageThreshold",
	 "the account's usage is above what the QOS tolerates (UsageThreshold)", "its decay",
	 false},
	{"QOSNotAllowed", "its association or partition does not allow its QOS", "another QOS",
	 true},
	{"QOSJobLimit", "the QOS has as many jobs as it may", "the end of one of them", false},
	{"QOSResourceLimit", "the QOS has reached a limit of resources", "the end of its jobs",
	 false},
	{"QOSTimeLimit", "the QOS has reached a limit of time", "its decay", false},
	{"InvalidQOS", "its QOS is no longer valid", "another QOS", true},
	{"InvalidAccount", "its account or association is no longer valid", "another account",
	 true},
	{"AccountNotAllowed", "its partition does not allow its account",
	 "another account or partition", true},
	{"AccountingPolicy", "it violates a policy of accounting", "another request", true},
	{"MaxMemPerLimit", "it asks for more memory than MaxMemPerCPU or MaxMemPerNode allows",
	 "a smaller request", true},
	{"Max",
	 "the account's jobs in the QOS hold as much as it allows one account (MaxTRESPA, "
	 "MaxJobsPA)",
	 "the end of jobs of the account in the QOS", false},
	{"JobArrayTaskLimit",
	 "as many tasks of the array run as it was submitted for (--array=...%N)",
	 "the end of one of its tasks", false},
	{"PartitionTimeLimit", "its time limit is longer than the partition's",
	 "a shorter time limit", true},
	{"PartitionNodeLimit",
	 "it asks for more nodes than the partition gives, or has, in working order",
	 "fewer nodes, or the return of those that are down", false},
	{"PartitionConfig", "its partition can never give it what it asks for",
	 "another request or partition", true},
	{"BurstBuffer", "its burst buffer is not ready", "the burst buffer", false},
	{"DeadLine", "it cannot end before its deadline", "another deadline", true},
	{"NodeDown", "a node that it asks for is down", "the node", false},
	{"Cleaning", "what is left of its last run is cleaned up", "the end of that", false},
	{"SchedDefer", "the schedulers are told to wait (defer)", "the next pass", false},
	{"FedJobLock", "another cluster of the federation is deciding about it", "its answer",
	 false},
	{"BadConstraints", "no nodes can ever meet its constraints (BadConstraints)",
	 "other constraints", true},
};

static const struct sentence *why_slurm_find(const char *reason)
{
	for (size_t i = 0; i < sizeof(sentences) / sizeof(*sentences); i++)
		if (!strncmp(reason, sentences[i].reason, strlen(sentences[i].reason)))
			return &sentences[i];
	return NULL;
}

static bool is_of_partition(const char *reason)
{
	return !strncmp(reason, "Partition", 9) || strstr(reason, "NotAllowed");
}

void why_slurm(struct why *why)
{
	const char *reason = member_text(why->job, "reason");
	const struct sentence *sentence = why_slurm_find(reason);
	struct json_object *facts;

	/* A partition's refusal is reported with its numbers and lists if they are known. */
	if (!sentence || (is_of_partition(reason) && why_has(why, WHY_CAUSE)))
		return;
	facts = json_make_object();
	why_fact_text(facts, "reason", reason);
	json_set_same(facts, why->job, "account");
	json_set_same(facts, why->job, "qos");
	why_add(why, WHY_CAUSE, "slurm", facts, "%s: Slurm calls it %s", sentence->text, reason);
	why_slurm_limit(why, reason);
	why_add(why, WHY_FREES, "slurm", NULL, "%s", sentence->remedy);
	why_add(why, WHY_WHEN, "slurm", NULL, "%s",
		sentence->never ? "never, as it is" : "not known");
}
