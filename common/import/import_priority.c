/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurm's factors, each at most 1, times their weights, as Maui's subcomponents times theirs. The
 * formulas are those of priority/multifactor (S-IMP-1): a subcomponent counts minutes, processors
 * or nodes, so its weight is Slurm's weight divided by the number at which Slurm's factor is 1.
 */
#include "common/import/import_priority.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "common/import/import_credentials.h"
#include "common/import/import_number.h"
#include "common/import/import_points.h"

#define GREATEST 1000000000.0 /* MAUI_MAX_PRIORITY */

/* ---- the wait ---- */

static void priority_no_age(const struct maui_import_priority *priority, struct maui_import *import)
{
	uint32_t weight = priority->weight[MAUI_IMPORT_AGE];

	if (!weight)
		maui_import_line(import, "QUEUETIMEWEIGHT", "0", "PriorityWeightAge is 0");
	else if (!priority->slurmdbd)
		maui_import_line(import, "QUEUETIMEWEIGHT", "0",
				 "without slurmdbd slurmctld takes PriorityWeightAge=%" PRIu32
				 " for 0",
				 weight);
	else {
		maui_import_line(import, "QUEUETIMEWEIGHT", "0",
				 "PriorityMaxAge=0: all jobs are as old");
		maui_import_remark(import, MAUI_IMPORT_OTHER, "PriorityMaxAge=0",
				   "all priorities are %" PRIu32 " lower, in the same order",
				   weight);
	}
}

static void priority_accrual(const struct maui_import_priority *priority,
			     struct maui_import *import)
{
	if (priority->accrue_always) {
		maui_import_line(import, "JOBPRIOACCRUALPOLICY", "ALWAYS",
				 "PriorityFlags=ACCRUE_ALWAYS");
		return;
	}
	maui_import_line(import, "JOBPRIOACCRUALPOLICY", "FULLPOLICY",
			 "PriorityFlags without ACCRUE_ALWAYS: no age while held or dependent");
	maui_import_remark(import, MAUI_IMPORT_OTHER, "PriorityFlags without ACCRUE_ALWAYS",
			   "a job with --begin ages from its submission instead of that time: it "
			   "has up to %" PRIu32 " points more",
			   priority->weight[MAUI_IMPORT_AGE]);
}

static void priority_age(const struct maui_import_priority *priority, struct maui_import *import)
{
	uint32_t weight = priority->weight[MAUI_IMPORT_AGE];
	long double minutes = priority->max_age / 60.0L;
	double off;

	if (!weight || !priority->slurmdbd || !priority->max_age) {
		priority_no_age(priority, import);
		return;
	}
	maui_import_weight_line(import, "QUEUETIMEWEIGHT", weight / minutes, minutes,
				maui_import_text(import,
						 "PriorityWeightAge=%" PRIu32
						 " over the minutes of PriorityMaxAge",
						 weight));
	maui_import_line(import, "QUEUETIMECAP", maui_import_weight(import, minutes, 1, &off),
			 "PriorityMaxAge, in minutes");
	priority_accrual(priority, import);
}

/* ---- what the job asks for ---- */

/* A subcomponent of RES, and what of it the job's size and PriorityWeightTRES give. */
struct priority_resource {
	const char *key;
	enum maui_import_tres_kind kind;
	long double size; /* points a unit */
	uint64_t all;     /* of the machine */
	const char *size_why;
};

static const struct maui_import_tres *priority_tres(const struct maui_import_priority *priority,
						    enum maui_import_tres_kind kind)
{
	for (size_t i = 0; i < priority->tres_count; i++)
		if (priority->tres[i].kind == kind)
			return &priority->tres[i];
	return NULL;
}

static bool priority_same_units(const struct maui_import_priority *priority,
				const struct maui_import_tres *tres)
{
	for (size_t i = 1; i < priority->partition_count; i++)
		if (tres->units[i] != tres->units[0])
			return false;
	return priority->partition_count > 0 && tres->units[0] > 0;
}

static const char *priority_joined(struct maui_import *import, const char *first,
				   const char *second)
{
	return *first && *second ? maui_import_text(import, "%s + %s", first, second)
	       : *first          ? first
				 : second;
}

/* A line for each partition: jobs get the share of what it has. */
static bool priority_by_partition(const struct maui_import_priority *priority,
				  const struct priority_resource *resource,
				  const struct maui_import_tres *tres, struct maui_import *import)
{
	bool any = false;

	for (size_t i = 0; i < priority->partition_count; i++) {
		const char *name = priority->partitions[i].name;
		uint64_t units = tres->units[i];
		const char *why;

		if (!units)
			continue;
		why = maui_import_text(import,
				       "PriorityWeightTRES %s over the partition's %" PRIu64,
				       tres->written, units);
		maui_import_weight_line(import,
					maui_import_text(import, "%s[%s]", resource->key, name),
					resource->size + tres->weight / (long double)units, units,
					priority_joined(import, resource->size_why, why));
		any = true;
	}
	if (!any)
		maui_import_remark(import, MAUI_IMPORT_LOST,
				   maui_import_text(import, "PriorityWeightTRES %s", tres->written),
				   "how much of it partitions have is not known (memory without "
				   "_Memory in SelectTypeParameters): no job gets points for it");
	return any;
}

/* Whether there was a line. */
static bool priority_resource(const struct maui_import_priority *priority,
			      const struct priority_resource *resource, struct maui_import *import)
{
	const struct maui_import_tres *tres = priority_tres(priority, resource->kind);
	long double weight = resource->size;
	const char *why = resource->size_why;
	bool split = tres && !priority->no_normal_tres && !priority_same_units(priority, tres);

	if (tres && priority->no_normal_tres) {
		weight += tres->weight;
		why = priority_joined(import, why,
				      maui_import_text(import,
						       "PriorityWeightTRES %s with NO_NORMAL_TRES",
						       tres->written));
	} else if (tres && !split) {
		weight += tres->weight / (long double)tres->units[0];
		why = priority_joined(import, why,
				      maui_import_text(import,
						       "PriorityWeightTRES %s over the %" PRIu64
						       " of each partition",
						       tres->written, tres->units[0]));
	}
	if (*why)
		maui_import_weight_line(import, resource->key, weight,
					resource->all ? (long double)resource->all : 1, why);
	return (split && priority_by_partition(priority, resource, tres, import)) || *why;
}

/* The greatest number of a GRES's units that a partition has. */
static uint64_t priority_most_units(const struct maui_import_priority *priority,
				    const struct maui_import_tres *tres)
{
	uint64_t most = 0;

	for (size_t i = 0; i < priority->partition_count; i++)
		most = tres->units[i] > most ? tres->units[i] : most;
	return most;
}

/* Brackets of GRESWEIGHT name a GRES, so that there is one weight for all partitions. */
static void priority_other_units(const struct maui_import_priority *priority,
				 const struct maui_import_tres *tres, uint64_t most,
				 struct maui_import *import)
{
	for (size_t i = 0; i < priority->partition_count; i++)
		if (tres->units[i] && tres->units[i] != most)
			maui_import_remark(
				import, MAUI_IMPORT_OTHER,
				maui_import_text(import, "PriorityWeightTRES %s", tres->written),
				"partition %s has %" PRIu64 " units, not %" PRIu64
				": its jobs get %.3g times the points that Slurm gives",
				priority->partitions[i].name, tres->units[i], most,
				(double)tres->units[i] / (double)most);
}

static bool priority_gres(const struct maui_import_priority *priority,
			  const struct maui_import_tres *tres, struct maui_import *import)
{
	uint64_t most = priority_most_units(priority, tres);
	const char *key = maui_import_text(import, "GRESWEIGHT[%s]", tres->name);
	const char *setting = maui_import_text(import, "PriorityWeightTRES %s", tres->written);

	if (priority->no_normal_tres) {
		maui_import_weight_line(
			import, key, tres->weight, tres->all ? (long double)tres->all : 1,
			maui_import_text(import, "%s with NO_NORMAL_TRES", setting));
		return true;
	}
	if (!most) {
		maui_import_remark(import, MAUI_IMPORT_STAYS, setting,
				   "no partition has any, so no job gets points for it");
		return false;
	}
	maui_import_weight_line(
		import, key, tres->weight / (long double)most, most,
		maui_import_text(import, "%s over a partition's %" PRIu64, setting, most));
	priority_other_units(priority, tres, most, import);
	return true;
}

/* How many points a node or processor of the job's size brings; 0 if Maui cannot say it. */
static long double priority_size(const struct maui_import_priority *priority, uint64_t all)
{
	long double weight = priority->weight[MAUI_IMPORT_SIZE];

	if (priority->relative || !all)
		return 0;
	return (priority->favor_small ? -weight : weight) / 2 / (long double)all;
}

static const char *priority_size_why(const struct maui_import_priority *priority, uint64_t all,
				     const char *what, struct maui_import *import)
{
	if (priority_size(priority, all) == 0)
		return "";
	return maui_import_text(
		import, "half of PriorityWeightJobSize=%" PRIu32 "%s over %" PRIu64 " %s",
		priority->weight[MAUI_IMPORT_SIZE],
		priority->favor_small ? ", PriorityFavorSmall=YES," : "", all, what);
}

/* PriorityFavorSmall is 1 less the other factor: a negative weight, and the 1 for everybody. */
static void priority_size_base(const struct maui_import_priority *priority,
			       struct maui_import *import)
{
	uint32_t weight = priority->weight[MAUI_IMPORT_SIZE];

	if (!weight)
		return;
	if (priority->relative) {
		maui_import_remark(import, MAUI_IMPORT_LOST, "PriorityFlags=SMALL_RELATIVE_TO_TIME",
				   "Maui has no factor of a job's size divided by its time limit: "
				   "no job gets the up to %" PRIu32
				   " points of PriorityWeightJobSize",
				   weight);
		return;
	}
	if (!priority->favor_small)
		return;
	maui_import_line(import, "GROUPWEIGHT", "1", "for the next line");
	maui_import_line(import, "GROUPCFG[DEFAULT]",
			 maui_import_text(import, "PRIORITY=%" PRIu32, weight),
			 "PriorityFavorSmall=YES: all of PriorityWeightJobSize, less what a job "
			 "asks for");
}

static void priority_requests(const struct maui_import_priority *priority,
			      struct maui_import *import)
{
	const struct priority_resource resources[] = {
		{"NODEWEIGHT", MAUI_IMPORT_NODE, priority_size(priority, priority->nodes),
		 priority->nodes, priority_size_why(priority, priority->nodes, "nodes", import)},
		{"PROCWEIGHT", MAUI_IMPORT_CPU, priority_size(priority, priority->cpus),
		 priority->cpus, priority_size_why(priority, priority->cpus, "processors", import)},
		{"MEMWEIGHT", MAUI_IMPORT_MEM, 0,
		 priority_tres(priority, MAUI_IMPORT_MEM)
			 ? priority_tres(priority, MAUI_IMPORT_MEM)->all
			 : 0,
		 ""},
	};
	bool any = false;

	for (size_t i = 0; i < sizeof(resources) / sizeof(resources[0]); i++)
		any |= priority_resource(priority, &resources[i], import);
	for (size_t i = 0; i < priority->tres_count; i++) {
		const struct maui_import_tres *tres = &priority->tres[i];

		if (tres->kind == MAUI_IMPORT_GRES)
			any |= priority_gres(priority, tres, import);
		if (tres->kind == MAUI_IMPORT_NO_RESOURCE)
			maui_import_remark(
				import, MAUI_IMPORT_LOST,
				maui_import_text(import, "PriorityWeightTRES %s", tres->written),
				"this is not translated: no job gets points for it");
	}
	if (any)
		maui_import_line(import, "RESWEIGHT", "1", "for the lines above");
	priority_size_base(priority, import);
}

/* ---- who asks ---- */

static void priority_partition(const struct maui_import_priority *priority,
			       struct maui_import *import)
{
	uint32_t weight = priority->weight[MAUI_IMPORT_PARTITION];
	uint32_t most = maui_import_greatest_factor(priority);

	if (!weight)
		return;
	maui_import_weight_line(
		import, "CLASSWEIGHT",
		priority->no_normal_part ? weight : weight / (long double)most, most,
		priority->no_normal_part
			? maui_import_text(
				  import, "PriorityWeightPartition=%" PRIu32 " with NO_NORMAL_PART",
				  weight)
			: maui_import_text(import,
					   "PriorityWeightPartition=%" PRIu32
					   " over the greatest PriorityJobFactor, %" PRIu32,
					   weight, most));
	for (size_t i = 0; i < priority->partition_count; i++)
		if (priority->partitions[i].factor)
			maui_import_line(import,
					 maui_import_text(import, "CLASSCFG[%s]",
							  priority->partitions[i].name),
					 maui_import_text(import, "PRIORITY=%" PRIu32,
							  priority->partitions[i].factor),
					 "PriorityJobFactor of the partition");
}

static void priority_unknown(const struct maui_import_priority *priority,
			     enum maui_import_factor factor, const char *name, const char *effect,
			     struct maui_import *import)
{
	uint32_t weight = priority->weight[factor];

	if (weight)
		maui_import_remark(import, MAUI_IMPORT_LOST,
				   maui_import_text(import, "%s=%" PRIu32, name, weight),
				   "%s: no job gets the up to %" PRIu32 " points", effect, weight);
}

static void priority_fairshare(const struct maui_import_priority *priority,
			       struct maui_import *import)
{
	uint32_t weight = priority->weight[MAUI_IMPORT_FAIRSHARE];

	if (!weight)
		return;
	if (!priority->slurmdbd) {
		maui_import_remark(import, MAUI_IMPORT_STAYS, "PriorityWeightFairshare",
				   "without slurmdbd slurmctld takes it for 0, and so does this");
		return;
	}
	maui_import_line(import, "FSWEIGHT", "1", "for the next line");
	maui_import_line(import, "FSTREEWEIGHT", maui_import_text(import, "%" PRIu32, weight),
			 "PriorityWeightFairshare: times FairShare of sshare (%s)",
			 priority->fairshare);
	if (priority->oblivious)
		maui_import_remark(import, MAUI_IMPORT_OTHER, "PriorityFlags=DEPTH_OBLIVIOUS",
				   "priority/maui computes FairShare by the classic algorithm");
}

/* ---- all of it ---- */

/* What a job can have at most. */
static double priority_most(const struct maui_import_priority *priority)
{
	double sum = 0;

	if (priority->slurmdbd)
		sum += (double)priority->weight[MAUI_IMPORT_AGE] +
		       priority->weight[MAUI_IMPORT_FAIRSHARE];
	if (!priority->relative)
		sum += priority->weight[MAUI_IMPORT_SIZE];
	sum += (double)priority->weight[MAUI_IMPORT_PARTITION] *
	       (priority->no_normal_part ? maui_import_greatest_factor(priority) : 1);
	if (maui_import_greatest_qos(priority))
		sum += (double)priority->weight[MAUI_IMPORT_QOS] *
		       (priority->no_normal_qos ? maui_import_greatest_qos(priority) : 1);
	if (maui_import_greatest_assoc(priority))
		sum += (double)priority->weight[MAUI_IMPORT_ASSOC] *
		       (priority->no_normal_assoc ? maui_import_greatest_assoc(priority) : 1);
	for (size_t i = 0; i < priority->tres_count; i++) {
		const struct maui_import_tres *tres = &priority->tres[i];
		double points = tres->weight * (priority->no_normal_tres ? (double)tres->all : 1);

		sum += points > 0 ? points : 0;
	}
	return sum;
}

static void priority_sum(const struct maui_import_priority *priority, struct maui_import *import)
{
	double sum = priority_most(priority);

	if (sum > GREATEST)
		maui_import_remark(import, MAUI_IMPORT_OTHER, "PriorityWeight* together",
				   "a job may have %.0f points, and Maui's priorities end at %.0f: "
				   "jobs beyond are equal. Divide all of PriorityWeight* by %.0f "
				   "and import again",
				   sum, GREATEST, ceil(sum / GREATEST));
}

static void priority_basic(const struct maui_import_priority *priority, struct maui_import *import)
{
	maui_import_line(import, "QUEUETIMEWEIGHT", "60",
			 "PriorityType=priority/basic: by submission; a point for each second");
	maui_import_line(import, "JOBPRIOACCRUALPOLICY", "ALWAYS",
			 "PriorityType=priority/basic: holds do not matter");
	maui_import_remark(import, MAUI_IMPORT_OTHER, "PriorityType=priority/basic",
			   "--nice=N puts a job N seconds back, not N places in the queue");
	for (int i = 0; i < MAUI_IMPORT_FACTORS; i++)
		if (priority->weight[i]) {
			maui_import_remark(import, MAUI_IMPORT_STAYS, "PriorityWeight*",
					   "priority/basic does not look at them");
			return;
		}
}

void maui_import_translate_priority(const struct maui_import_priority *priority,
				    struct maui_import *import)
{
	if (!priority->type)
		maui_import_remark(import, MAUI_IMPORT_OTHER, "PriorityType is not set",
				   "taken for priority/multifactor, which is the default of Slurm "
				   "23.11 and later; that of 22.05 is priority/basic");
	if (priority->basic) {
		priority_basic(priority, import);
		return;
	}
	priority_age(priority, import);
	priority_requests(priority, import);
	priority_partition(priority, import);
	if (priority->qos)
		maui_import_translate_qos(priority, import);
	else
		priority_unknown(priority, MAUI_IMPORT_QOS, "PriorityWeightQOS",
				 "the priorities of QOS are not in slurm.conf but in --qos=FILE",
				 import);
	if (priority->assocs)
		maui_import_translate_assocs(priority, import);
	else
		priority_unknown(priority, MAUI_IMPORT_ASSOC, "PriorityWeightAssoc",
				 "the priorities of associations are not in slurm.conf but in "
				 "--associations=FILE",
				 import);
	priority_fairshare(priority, import);
	priority_sum(priority, import);
}
