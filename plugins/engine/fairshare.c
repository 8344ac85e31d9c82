/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/compat.h"

#include "plugins/engine/fairshare.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plugins/engine/fairshare_files.h"
#include "plugins/engine/monotonic.h"
#include "plugins/engine/principals.h"
#include "plugins/engine/records.h"
#include "plugins/engine/rsv_idle.h"
#include "plugins/engine/shadow.h"
#include "plugins/engine/state.h"
#include "plugins/engine/used_runs.h"

/* Between two writes, which may wait for a slow disk: seconds, and at most one part in so many of the time. */
#define SAVE_INTERVAL 3.0
#define SAVE_SHARE    20
/* How long a user whom the name service does not know may wait to be asked for again, seconds. */

static struct {
	bool begin_anew;
	struct maui_fairshare *windows; /* NULL: FSPOLICY is not set, or nothing is loaded yet */
	struct maui_fsledger *ledger;
	char *directory;
	struct maui_run
		*runs; /* for the next pass: those that ended before it, and what it collects */
	size_t run_count, run_room;
	bool by_speed;         /* USEMACHINESPEEDFORFS */
	struct used_runs used; /* UTILIZEDPS */
	uint32_t *gone;        /* jobs that were not met in this pass */
	size_t gone_room;
	double last_pass;  /* monotonic; negative: none yet */
	double due;        /* when to write */
	double not_before; /* of the next write */
	/* Up to which number names have been asked for, and until when that stays so. */
} fairshare = {.due = INFINITY};

void fairshare_begin_anew(void)
{
	fairshare.begin_anew = true;
	rsv_idle_drop();
}

enum maui_fs_metric fairshare_metric(void)
{
	return fairshare.windows ? maui_fairshare_settings_of(fairshare.windows)->metric
				 : MAUI_FS_OFF;
}

/* ---- settings ---- */

/* The mutex is held. Nothing is counted from here on. */
static void drop(void)
{
	names_fairshare(engine.names, NULL);
	rsv_idle_drop();
	fairshare.windows = maui_fairshare_free(fairshare.windows);
	fairshare.ledger = maui_fsledger_free(fairshare.ledger);
	free(fairshare.directory);
	fairshare.directory = NULL;
	fairshare.due = INFINITY;
	fairshare.last_pass = -1;
	fairshare.run_count = 0;
	used_runs_clear(&fairshare.used);
}

/* What maui.cfg says, copied under the mutex. */
struct wanted {
	struct maui_fairshare_settings settings;
	char *directory;
	bool begin_anew;
};

/* STATDIR, below StateSaveLocation/maui unless it is absolute. */
static char *stat_directory(void)
{
	const char *name = maui_config_get(engine.policy->config, MAUI_KEY_STATDIR, NULL)->text;
	char *path = NULL;

	if (*name == '/')
		return strdup(name);
	if (!engine.site.state_directory ||
	    asprintf(&path, "%s/%s", engine.site.state_directory, name) < 0)
		return NULL;
	return path;
}

static struct wanted read_wanted(void)
{
	struct wanted wanted;

	pthread_mutex_lock(&engine.mutex);
	maui_fairshare_settings(engine.policy->config, &wanted.settings);
	fairshare.by_speed =
		maui_config_get(engine.policy->config, MAUI_KEY_USEMACHINESPEEDFORFS, NULL)
			->integer;
	wanted.directory = stat_directory();
	wanted.begin_anew = fairshare.begin_anew;
	fairshare.begin_anew = false;
	pthread_mutex_unlock(&engine.mutex);
	return wanted;
}

/* Windows that have no file get one, empty or not: a file that is missing would say that nothing has been counted. */
static void load_windows(const char *directory, struct maui_fairshare *windows, uint32_t first,
			 int64_t *counted)
{
	uint32_t depth = maui_fairshare_settings_of(windows)->depth;

	for (uint32_t k = first; k < depth; k++)
		if (!fairshare_file_load(directory, windows, k, maui_fairshare_start(windows, k),
					 &counted[k]))
			maui_fairshare_soil(windows, k);
}

/* The first time in this process, or since it is in charge: from files alone. */
static void begin(struct wanted *wanted)
{
	struct maui_fairshare *windows = maui_fairshare_new(&wanted->settings, time(NULL));
	struct maui_fsledger *ledger = maui_fsledger_new();
	int64_t counted[MAUI_FS_MAX_DEPTH];

	if (!windows || !ledger || !wanted->directory) {
		error("maui: fairshare: out of memory: nothing is counted until the next "
		      "reconfigure");
		maui_fairshare_free(windows);
		maui_fsledger_free(ledger);
		return;
	}
	load_windows(wanted->directory, windows, 0, counted);
	maui_fsledger_resume(ledger, windows, counted);
	rsv_idle_resume(windows, counted);
	pthread_mutex_lock(&engine.mutex);
	fairshare.windows = windows;
	fairshare.ledger = ledger;
	fairshare.directory = wanted->directory;
	fairshare.last_pass = -1;
	fairshare.due = 0;
	wanted->directory = NULL;
	pthread_mutex_unlock(&engine.mutex);
	debug("maui: fairshare: %u windows of %" PRId64 " seconds in %s", wanted->settings.depth,
	      wanted->settings.interval, fairshare.directory);
}

static bool same(const struct maui_fairshare_settings *a, const struct maui_fairshare_settings *b)
{
	return a->metric == b->metric && a->ratio == b->ratio && a->interval == b->interval &&
	       a->depth == b->depth && a->decay == b->decay;
}

/* maui.cfg was read again. What has been counted is on disk before windows go. */
static void change(const struct wanted *wanted)
{
	struct maui_fairshare_settings before = *maui_fairshare_settings_of(fairshare.windows);
	int64_t counted[MAUI_FS_MAX_DEPTH]; /* the ledger knows better */
	unsigned int changes;
	uint32_t load;

	if (same(&before, &wanted->settings))
		return;
	fairshare_save();
	pthread_mutex_lock(&engine.mutex);
	changes = maui_fairshare_change(fairshare.windows, &wanted->settings, time(NULL), &load);
	fairshare.due = 0;
	pthread_mutex_unlock(&engine.mutex);
	load_windows(fairshare.directory, fairshare.windows, load, counted);
	fairshare_save(); /* at once: a window without a file would be counted again */
	if (changes & MAUI_FS_CHANGED_INTERVAL)
		info("maui: fairshare: warning: FSINTERVAL is %" PRId64
		     " seconds now and was %" PRId64 ": windows of the old length are left alone "
		     "in %s, and their usage does not count any more",
		     wanted->settings.interval, before.interval, fairshare.directory);
}

/* The windows go on in another directory; its own files of these windows are replaced. */
static void move(struct wanted *wanted)
{
	char *old = fairshare.directory;

	if (!wanted->directory || !strcmp(old, wanted->directory))
		return;
	fairshare_save();
	pthread_mutex_lock(&engine.mutex);
	fairshare.directory = wanted->directory;
	for (uint32_t k = 0; k < maui_fairshare_settings_of(fairshare.windows)->depth; k++)
		maui_fairshare_soil(fairshare.windows, k);
	fairshare.due = 0;
	pthread_mutex_unlock(&engine.mutex);
	info("maui: fairshare: STATDIR is %s now, and was %s", wanted->directory, old);
	wanted->directory = old;
}

/* ---- names ---- */

void fairshare_merge(enum maui_credential type, uint32_t stranger, uint32_t id)
{
	struct maui_fairshare *windows = fairshare.windows;

	if (!windows || maui_fairshare_reserve(windows, type, names_count(engine.names, type)))
		return;
	for (uint32_t k = 0; k < maui_fairshare_settings_of(windows)->depth; k++) {
		double usage = maui_fairshare_usage(windows, type, stranger, k);

		if (usage <= 0)
			continue;
		maui_fairshare_set(windows, type, id, k,
				   maui_fairshare_usage(windows, type, id, k) + usage);
		maui_fairshare_set(windows, type, stranger, k, 0);
	}
}

void fairshare_settle(void)
{
	struct wanted wanted = read_wanted();

	if (fairshare.windows && (wanted.begin_anew || wanted.settings.metric == MAUI_FS_OFF)) {
		if (!wanted.begin_anew &&
		    !engine_is_shadow()) { /* else another process has counted since, and written */
			fairshare_save();
			rsv_idle_save();
		}
		pthread_mutex_lock(&engine.mutex);
		drop();
		pthread_mutex_unlock(&engine.mutex);
	}
	if (wanted.settings.metric != MAUI_FS_OFF) {
		if (fairshare.windows) {
			change(&wanted);
			move(&wanted);
		} else {
			begin(&wanted);
		}
	}
	free(wanted.directory);
}

/* ---- the pass ---- */

struct maui_run *fairshare_run(void)
{
	if (fairshare.run_count == fairshare.run_room) {
		size_t room = fairshare.run_room ? fairshare.run_room * 2 : 256;
		struct maui_run *grown = realloc(fairshare.runs, room * sizeof(*grown));

		if (!grown)
			return NULL;
		fairshare.runs = grown;
		fairshare.run_room = room;
	}
	return &fairshare.runs[fairshare.run_count];
}

void fairshare_run_ended(const job_record_t *job)
{
	struct maui_run *run = NULL;

	if (IS_JOB_RESIZING(job)) /* it goes on with another size */
		return;
	records_lock_qos();
	pthread_mutex_lock(&engine.mutex);
	if (fairshare_metric())
		run = fairshare_run();
	if (run &&
	    records_run(job, true, engine.names, records_job_qos(job, engine.names),
			job->part_ptr ? names_of_text(engine.names, MAUI_CLASS, job->part_ptr->name)
				      : MAUI_NO_CREDENTIAL,
			fairshare_metric(), &engine.machine, time(NULL), run)) {
		double speed = fairshare_keep(job);

		if (fairshare_metric() == MAUI_FS_UTILIZEDPS)
			used_runs_end(&fairshare.used, run, speed);
	}
	pthread_mutex_unlock(&engine.mutex);
	records_unlock_qos();
}

void fairshare_step_ended(uint32_t job_id, int64_t start, double used, double held)
{
	pthread_mutex_lock(&engine.mutex);
	if (fairshare_metric() == MAUI_FS_UTILIZEDPS)
		used_runs_add(&fairshare.used, job_id, start, used, held);
	pthread_mutex_unlock(&engine.mutex);
}

/* Whether all steps of a run have ended: its nodes are clean. Job read lock. */
static bool cleaned_up(const struct used_run *used)
{
	const job_record_t *job = find_job_record(used->job_id);

	return !job || job->start_time != used->start ||
	       (IS_JOB_FINISHED(job) && !IS_JOB_COMPLETING(job));
}

void fairshare_collect_used(void)
{
	for (size_t i = 0; i < fairshare.used.count;) {
		const struct used_run *used = &fairshare.used.runs[i];
		bool clean = cleaned_up(used);
		struct maui_run *run = used->ended ? fairshare_run() : NULL;

		if (run) {
			*run = used->run;
			run->used = clean ? used->used * used->scale : 0;
			run->held = clean ? used->held * used->scale : 0;
			fairshare.run_count++;
		}
		if (clean)
			used_runs_drop(&fairshare.used, i);
		else
			i++;
	}
}

int64_t fairshare_counted(void)
{
	return fairshare.ledger ? maui_fsledger_counted(fairshare.ledger) : INT64_MIN;
}

double fairshare_node_speed(const char *name)
{
	return fairshare.by_speed ? maui_node_settings(engine.policy->nodes, name)->speed : 1;
}

double fairshare_keep(const job_record_t *job)
{
	double speed = fairshare.by_speed ? records_speed(job, engine.policy->nodes) : 1;

	fairshare.runs[fairshare.run_count++].rate *= speed;
	return speed;
}

/* What happened must not be lost if the machine stops: have it written within so many seconds. */
static void save_within(double seconds)
{
	fairshare.due = fmin(fairshare.due, monotonic() + seconds);
}

/* Slurm forgets a job MinJobAge after its end; 0: never. */
static double record_patience(void)
{
	uint32_t age = slurm_conf.min_job_age;

	return age ? age / 2.0 : INFINITY;
}

static void report(const struct maui_run *run)
{
	switch (maui_fsledger_report(fairshare.ledger, fairshare.windows, run)) {
	case MAUI_FS_IRREGULAR:
		save_within(0);
		break;
	case MAUI_FS_RUN_ENDED:
		save_within(record_patience());
		break;
	case MAUI_FS_REGULAR:
		break;
	}
}

/* The jobs that ran at the last pass, and were not met in this one. */
static size_t find_gone(void)
{
	size_t at = 0, count = 0;
	uint32_t job_id;

	while ((job_id = maui_fsledger_missing(fairshare.ledger, &at))) {
		if (count == fairshare.gone_room) {
			size_t room = count ? count * 2 : 64;
			uint32_t *grown = realloc(fairshare.gone, room * sizeof(*grown));

			if (!grown)
				break;
			fairshare.gone = grown;
			fairshare.gone_room = room;
		}
		fairshare.gone[count++] = job_id;
	}
	return count;
}

/* When their runs ended; 0: Slurm does not know the job any more. No mutex, for Slurm's lock comes first. */
static void ask_ends(const uint32_t *job_ids, size_t count, int64_t now, int64_t *ret_ends)
{
	slurmctld_lock_t records_read = {.job = READ_LOCK};
	int64_t since = maui_fsledger_counted(fairshare.ledger);

	lock_slurmctld(records_read);
	for (size_t i = 0; i < count; i++) {
		const job_record_t *job = find_job_record(job_ids[i]);

		ret_ends[i] = job ? records_requeued(job, since, now) : 0;
	}
	unlock_slurmctld(records_read);
}

/* Requeued jobs. The mutex is held, and let go while Slurm is asked. */
static void end_gone(int64_t now)
{
	size_t count = find_gone();
	int64_t *ends = count ? calloc(count, sizeof(*ends)) : NULL;

	if (!ends)
		return;
	pthread_mutex_unlock(&engine.mutex);
	ask_ends(fairshare.gone, count, now, ends);
	pthread_mutex_lock(&engine.mutex);
	for (size_t i = 0; i < count; i++)
		if (ends[i])
			maui_fsledger_ended(fairshare.ledger, fairshare.windows, fairshare.gone[i],
					    ends[i]);
	save_within(0);
	free(ends);
}

static void reserve_names(void)
{
	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		if (maui_fairshare_reserve(fairshare.windows, type,
					   names_count(engine.names, type)))
			error("maui: fairshare: out of memory: usage of new %ss is not counted",
			      maui_credential_name(type));
}

void fairshare_pass(int64_t now)
{
	double clock = monotonic();
	double elapsed = fairshare.last_pass >= 0 ? clock - fairshare.last_pass : -1;
	uint32_t rolled;

	if (!fairshare.windows)
		return;
	reserve_names();
	rolled = maui_fsledger_begin(fairshare.ledger, fairshare.windows, now, elapsed);
	for (size_t i = 0; i < fairshare.run_count; i++)
		report(&fairshare.runs[i]);
	fairshare.run_count = 0;
	end_gone(now);
	maui_fsledger_end(fairshare.ledger);
	rsv_idle_charge(fairshare.windows, now);
	fairshare.last_pass = clock;
	for (uint32_t k = 0; rolled && k <= rolled; k++)
		maui_fairshare_soil(fairshare.windows, k);
	if (rolled)
		save_within(0);
	else if (maui_fairshare_dirty(fairshare.windows))
		save_within((double)maui_config_get(engine.policy->config,
						    MAUI_KEY_CHECKPOINTINTERVAL, NULL)
				    ->integer);
	names_fairshare(engine.names, fairshare.windows);
}

const struct maui_fairshare *fairshare_windows(char **ret_directory)
{
	if (ret_directory)
		*ret_directory = fairshare.directory ? strdup(fairshare.directory) : NULL;
	return fairshare.windows;
}

/* ---- writing ---- */

double fairshare_due(void)
{
	return fmax(fairshare.due, fairshare.not_before);
}

void fairshare_save(void)
{
	static bool failed; /* the engine's thread alone */
	struct maui_error why = {"out of memory"};
	struct frozen_names names = {0};
	double begun = monotonic();
	int64_t counted;
	size_t idle;
	uint32_t mask;
	int rc;

	if (!fairshare.windows || engine_is_shadow())
		return;
	pthread_mutex_lock(&engine.mutex);
	idle = rsv_idle_mark();
	counted = maui_fsledger_counted(fairshare.ledger);
	mask = maui_fairshare_dirty(fairshare.windows);
	fairshare.due = INFINITY;
	rc = counted == INT64_MIN ? 0 : names_freeze(engine.names, &names);
	pthread_mutex_unlock(&engine.mutex);
	if (counted == INT64_MIN)
		return; /* nothing was counted yet: what is in the files is true */
	if (!rc)
		rc = fairshare_files_save(fairshare.directory, fairshare.windows, mask, counted,
					  &names, &why);
	frozen_names_clear(&names);
	pthread_mutex_lock(&engine.mutex);
	fairshare.not_before =
		monotonic() + fmax(SAVE_INTERVAL, (monotonic() - begun) * SAVE_SHARE);
	if (rc)
		fairshare.due = 0;
	else
		rsv_idle_written(idle);
	pthread_mutex_unlock(&engine.mutex);
	if (rc && !failed)
		error("maui: fairshare: %s: a restart would forget usage", why.text);
	failed = rc;
}
