/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Updates grp_used_wall, usage_raw, usage_tres_raw and grp_used_tres_run_secs.
 * Associations and QOS share the code through struct ledger.
 */
#include "plugins/compat/compat.h"

#include "common/policy/fairshare/usage_decay.h"
#include "plugins/engine/slurm/usage/usage_ledger.h"

/* What the usage records of associations and QOS, two types, have in common. */
struct ledger {
	double *wall;
	long double *raw;
	long double *tres_raw;
	uint64_t *reserved;
	bool decays;
};

/* What a job enters in each ledger: what it has used since the last pass, and what it may still
 * use. */
struct entry {
	const job_record_t *job;
	double seconds; /* as they were */
	double faded;   /* for ledgers that decay */
	uint64_t reserved;
};

typedef void (*ledger_function_t)(const struct ledger *ledger, const struct entry *entry);

static struct ledger assoc_ledger(slurmdb_assoc_usage_t *usage)
{
	return (struct ledger){
		.wall = &usage->grp_used_wall,
		.raw = &usage->usage_raw,
		.tres_raw = usage->usage_tres_raw,
		.reserved = usage->grp_used_tres_run_secs,
		.decays = true,
	};
}

static struct ledger qos_ledger(slurmdb_qos_rec_t *qos)
{
	return (struct ledger){
		.wall = &qos->usage->grp_used_wall,
		.raw = &qos->usage->usage_raw,
		.tres_raw = qos->usage->usage_tres_raw,
		.reserved = qos->usage->grp_used_tres_run_secs,
		.decays = !(qos->flags & QOS_FLAG_NO_DECAY),
	};
}

static void enter_qos(slurmdb_qos_rec_t *qos, ledger_function_t function, const struct entry *entry)
{
	struct ledger ledger;

	if (!qos || !qos->usage)
		return;
	ledger = qos_ledger(qos);
	function(&ledger, entry);
}

static void ledger_enter(ledger_function_t function, const struct entry *entry)
{
	const job_record_t *job = entry->job;
	slurmdb_qos_rec_t *partition_qos = job->part_ptr ? job->part_ptr->qos_ptr : NULL;

	enter_qos(job->qos_ptr, function, entry);
	if (partition_qos != job->qos_ptr)
		enter_qos(partition_qos, function, entry);
	for (slurmdb_assoc_rec_t *assoc = job->assoc_ptr; assoc && assoc->usage;
	     assoc = assoc->usage->parent_assoc_ptr) {
		struct ledger ledger = assoc_ledger(assoc->usage);

		function(&ledger, entry);
	}
}

/* ---- all ledgers ---- */

static void ledger_scale(const struct ledger *ledger, double factor)
{
	*ledger->wall *= factor;
	*ledger->raw *= factor;
	for (int i = 0; i < slurmctld_tres_cnt; i++)
		ledger->tres_raw[i] *= factor;
}

/* An account's own share of its usage, left by users that are gone, is a separate record. */
static int scale_assoc(void *element, void *factor)
{
	slurmdb_assoc_rec_t *assoc = element;
	struct ledger ledger = assoc_ledger(assoc->usage);

	ledger_scale(&ledger, *(double *)factor);
	if (assoc->leaf_usage && assoc->leaf_usage != assoc->usage) {
		ledger = assoc_ledger(assoc->leaf_usage);
		ledger_scale(&ledger, *(double *)factor);
	}
	return 0;
}

static int decay_qos(void *element, void *factor)
{
	struct ledger ledger = qos_ledger(element);

	if (ledger.decays)
		ledger_scale(&ledger, *(double *)factor);
	return 0;
}

static int reset_qos(void *element, void *factor)
{
	struct ledger ledger = qos_ledger(element);

	ledger_scale(&ledger, *(double *)factor);
	return 0;
}

void usage_ledger_decay(struct slurm_writer *writer, int64_t half_life, int64_t seconds)
{
	double factor = maui_usage_decay(half_life, seconds);

	if (factor == 1)
		return;
	list_for_each(assoc_mgr_assoc_list, scale_assoc, &factor);
	list_for_each(assoc_mgr_qos_list, decay_qos, &factor);
}

void usage_ledger_reset(struct slurm_writer *writer)
{
	double nothing = 0;

	list_for_each(assoc_mgr_assoc_list, scale_assoc, &nothing);
	list_for_each(assoc_mgr_qos_list, reset_qos, &nothing);
}

/* ---- one job ---- */

/* Energy is only known at the end, from the steps. */
static uint64_t ledger_allocated(const job_record_t *job, int tres)
{
	if (tres == TRES_ARRAY_ENERGY || !job->tres_alloc_cnt ||
	    job->tres_alloc_cnt[tres] == NO_CONSUME_VAL64)
		return 0;
	return job->tres_alloc_cnt[tres];
}

static double usage_factor(const job_record_t *job)
{
	return job->qos_ptr && job->qos_ptr->usage_factor >= 0 ? job->qos_ptr->usage_factor : 1;
}

static double ledger_billable(const job_record_t *job)
{
	if (!job->tres_alloc_cnt)
		return 0;
	return fuzzy_equal(job->billable_tres, NO_VAL) ? job->total_cpus : job->billable_tres;
}

static bool ledger_active(const job_record_t *job)
{
	return IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job);
}

/* As far as usage goes, a job ended when it was resized, and began anew. */
static int64_t seconds_since(const job_record_t *job, int64_t last_pass, int64_t now)
{
	int64_t begin = MAX(last_pass, MAX(job->start_time, job->resize_time));
	int64_t end = now;

	if (!job->start_time)
		return 0;
	if (!ledger_active(job) && job->end_time && job->end_time < end)
		end = job->end_time;
	return MAX(end - begin, 0);
}

/* How much longer a job may run at that moment, by the time limit that its record has now, times
 * its QOS's UsageFactor; before its start the whole limit. */
static uint64_t reserved_seconds(const job_record_t *job, int64_t at)
{
	uint64_t limit = (uint64_t)job->time_limit * 60;
	uint64_t past = job->start_time && at > job->start_time ? at - job->start_time : 0;

	return past < limit ? (uint64_t)((double)(limit - past) * usage_factor(job)) : 0;
}

static void ledger_add(const struct ledger *ledger, const struct entry *entry)
{
	double seconds = ledger->decays ? entry->faded : entry->seconds;

	*ledger->wall += seconds;
	*ledger->raw += (long double)seconds * ledger_billable(entry->job);
	for (int i = 0; i < slurmctld_tres_cnt; i++)
		ledger->tres_raw[i] += (long double)seconds * ledger_allocated(entry->job, i);
}

/* As in priority/multifactor, usage fades as if all of it were from the beginning of the period. */
void usage_ledger_add(struct slurm_writer *writer, const job_record_t *job, int64_t last_pass,
		      int64_t now, int64_t half_life)
{
	int64_t seconds = seconds_since(job, last_pass, now);
	struct entry entry = {.job = job, .seconds = (double)seconds * usage_factor(job)};

	entry.faded = entry.seconds * maui_usage_decay(half_life, seconds);
	if (entry.seconds > 0)
		ledger_enter(ledger_add, &entry);
}

static void ledger_reserve(const struct ledger *ledger, const struct entry *entry)
{
	for (int i = 0; i < slurmctld_tres_cnt; i++)
		ledger->reserved[i] += ledger_allocated(entry->job, i) * entry->reserved;
}

static void ledger_release(const struct ledger *ledger, const struct entry *entry)
{
	for (int i = 0; i < slurmctld_tres_cnt; i++) {
		uint64_t amount = ledger_allocated(entry->job, i) * entry->reserved;

		ledger->reserved[i] -= MIN(amount, ledger->reserved[i]);
	}
}

void usage_ledger_release(struct slurm_writer *writer, const job_record_t *job, int64_t reserved_at)
{
	struct entry entry = {.job = job, .reserved = reserved_seconds(job, reserved_at)};

	ledger_enter(ledger_release, &entry);
}

/* ---- all jobs ---- */

struct period {
	struct slurm_writer *writer;
	int64_t last_pass, now, half_life;
};

/* end_time_exp says that job_end() has been called. Without AccountingStorageEnforce=limits it
 * never is. */
static bool is_settled(const job_record_t *job)
{
	return job->end_time_exp == (time_t)NO_VAL;
}

static int add_job(void *element, void *context)
{
	const job_record_t *job = element;
	const struct period *period = context;

	if (job->assoc_ptr && !is_settled(job) && !IS_JOB_PENDING(job) &&
	    !IS_JOB_POWER_UP_NODE(job))
		usage_ledger_add(period->writer, job, period->last_pass, period->now,
				 period->half_life);
	return 0;
}

void usage_ledger_add_all(struct slurm_writer *writer, int64_t last_pass, int64_t now,
			  int64_t half_life)
{
	struct period period = {writer, last_pass, now, half_life};

	if (job_list)
		list_for_each_ro(job_list, add_job, &period);
}

static int clear_assoc_reserved(void *element, void *unused)
{
	slurmdb_assoc_rec_t *assoc = element;

	(void)unused;
	for (int i = 0; i < slurmctld_tres_cnt; i++)
		assoc->usage->grp_used_tres_run_secs[i] = 0;
	return 0;
}

static int clear_qos_reserved(void *element, void *unused)
{
	slurmdb_qos_rec_t *qos = element;

	(void)unused;
	for (int i = 0; i < slurmctld_tres_cnt; i++)
		qos->usage->grp_used_tres_run_secs[i] = 0;
	return 0;
}

static int reserve_job(void *element, void *now)
{
	struct entry entry = {.job = element};

	if (!ledger_active(entry.job) || is_settled(entry.job) || !entry.job->assoc_ptr)
		return 0;
	entry.reserved = reserved_seconds(entry.job, *(int64_t *)now);
	ledger_enter(ledger_reserve, &entry);
	return 0;
}

void usage_ledger_reserve_all(struct slurm_writer *writer, int64_t now)
{
	list_for_each(assoc_mgr_assoc_list, clear_assoc_reserved, NULL);
	list_for_each(assoc_mgr_qos_list, clear_qos_reserved, NULL);
	if (job_list)
		list_for_each_ro(job_list, reserve_job, &now);
}
