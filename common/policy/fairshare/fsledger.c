/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ledger's table of runs, indexed by job ID, and the steps of a pass from
 * begin to end. fsledger_charge.c computes the charges.
 */
#include "common/policy/fairshare/fsledger.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/policy/fairshare/fsledger_private.h"
#include "common/util/grow.h"
#include "common/util/idmap.h"
#include "common/util/memory.h"

/* Slurm may report an end again, such as a requeued job's at a reconfigure (S-SEL-21). */
#define PASSES_KEPT 60

/* No sum of times overflows. */
#define LATEST (INT64_C(1) << 60)

struct maui_fsledger *maui_fsledger_new(void)
{
	struct maui_fsledger *ledger = maui_calloc(1, sizeof(*ledger));

	ledger->counted = ledger->last = ledger->latest = ledger->high = INT64_MIN;
	ledger->open[0] = (struct span){INT64_MIN, INT64_MAX, false};
	ledger->open_count = 1;
	return ledger;
}

struct maui_fsledger *maui_fsledger_free(struct maui_fsledger *ledger)
{
	if (ledger) {
		maui_idmap_clear(&ledger->by_job);
		free(ledger->entries);
		free(ledger->ahead);
		free(ledger->put_off);
		free(ledger);
	}
	return NULL;
}

static void fsledger_forget_all(struct maui_fsledger *ledger)
{
	maui_idmap_clear(&ledger->by_job);
	ledger->count = 0;
	ledger->ahead_count = 0;
	ledger->put_off_count = 0;
	ledger->counted = ledger->last = INT64_MIN;
}

void maui_fsledger_resume(struct maui_fsledger *ledger, const struct maui_fairshare *fs,
			  const int64_t *counted, int64_t last)
{
	const struct maui_fairshare_settings *settings = maui_fairshare_settings_of(fs);
	int64_t end;

	fsledger_forget_all(ledger);
	ledger->last = last;
	for (uint32_t k = 0; last == INT64_MIN && k < settings->depth; k++)
		ledger->last = fsledger_later(ledger->last, counted[k]);
	for (uint32_t k = 0; k < settings->depth; k++)
		if (counted[k] == MAUI_FS_NOT_KNOWN)
			ledger->last = INT64_MIN;
	if (ledger->last != INT64_MIN) /* a file may say anything */
		ledger->last = fsledger_earlier(fsledger_later(ledger->last, -LATEST), LATEST);
	end = ledger->last == INT64_MIN ? INT64_MAX : ledger->last;
	for (uint32_t k = 0; k < settings->depth; k++) {
		int64_t start = maui_fairshare_start(fs, k);

		ledger->open[k] =
			counted[k] == MAUI_FS_NOT_KNOWN
				? (struct span){start, end, true}
				: (struct span){fsledger_later(start, counted[k]), end, false};
		end = fsledger_earlier(start, end);
	}
	ledger->open_count = settings->depth;
}

/* ---- the table ---- */

static struct entry *fsledger_find(struct maui_fsledger *ledger, uint32_t job_id)
{
	uint32_t at;

	/*
	 * Jobs are reported in the same order as in the pass before, except those that came or
	 * went.
	 */
	if (ledger->next < ledger->count && ledger->entries[ledger->next].job_id == job_id)
		return &ledger->entries[ledger->next++];
	at = maui_idmap_find(&ledger->by_job, job_id);
	if (at)
		ledger->next = at;
	return at ? &ledger->entries[at - 1] : NULL;
}

static struct entry *fsledger_add(struct maui_fsledger *ledger, uint32_t job_id)
{
	ledger->entries = maui_grow(ledger->entries, ledger->count + 1, &ledger->room,
				    sizeof(*ledger->entries));
	maui_idmap_set(&ledger->by_job, job_id, (uint32_t)ledger->count + 1);
	return memset(&ledger->entries[ledger->count++], 0, sizeof(struct entry));
}

static void fsledger_drop(struct maui_fsledger *ledger, size_t at)
{
	struct entry *entry = &ledger->entries[at];
	struct entry *last = &ledger->entries[--ledger->count];

	maui_idmap_remove(&ledger->by_job, entry->job_id);
	if (entry == last)
		return;
	*entry = *last;
	maui_idmap_set(&ledger->by_job, entry->job_id, (uint32_t)at + 1); /* already there */
}

/* ---- a pass ---- */

/* Times in the future are by a clock that was ahead, and have been seen before. */
static bool is_new(const struct maui_fsledger *ledger, int64_t time, int64_t counted)
{
	return time > counted && time <= ledger->now;
}

static enum maui_fsledger_event fsledger_event(const struct maui_fsledger *ledger,
					       const struct maui_run *run, int64_t seconds)
{
	bool paused = !run->over && run->until < ledger->now && seconds;

	if (is_new(ledger, run->resumed, fsledger_later(run->start, ledger->counted)) ||
	    is_new(ledger, run->resized, ledger->counted) || paused)
		return MAUI_FS_IRREGULAR;
	return run->over && seconds ? MAUI_FS_RUN_ENDED : MAUI_FS_REGULAR;
}

/* For the next pass, whose clocks count from this one. */
static void keep_ahead(struct maui_fsledger *ledger, const struct maui_run *run)
{
	struct maui_run *kept;

	ledger->ahead = maui_grow(ledger->ahead, ledger->ahead_count + 1, &ledger->ahead_room,
				  sizeof(*ledger->ahead));
	kept = &ledger->ahead[ledger->ahead_count++];
	*kept = *run;
	kept->elapsed = ledger->exactly < 0 ? -1 : fmax(run->elapsed - ledger->exactly, 0);
	kept->step = run->seen ? run->step - ledger->step : 0;
}

static void fsledger_remember(const struct maui_fsledger *ledger, struct entry *entry,
			      const struct maui_run *run)
{
	entry->job_id = run->job_id;
	entry->pass = ledger->pass;
	entry->over = run->over;
	entry->active = maui_fsledger_runs_on(run);
	entry->step = maui_fsledger_step_of(ledger, run);
	entry->start = run->start;
	entry->until = run->until;
	entry->resized = run->resized;
	entry->rate = run->rate;
	memcpy(entry->credential, run->credential, sizeof(entry->credential));
}

/*
 * By how many seconds a report goes beyond the time of the pass. A later time
 * may also be by a clock that was ahead: then it is 0. The two can be told
 * apart for a run that was seen, or if the run has no seconds that were not
 * charged. Where the clock was set, or nothing is known of the time before, a
 * clock that was ahead is assumed.
 */
static int64_t seconds_beyond(const struct maui_fsledger *ledger, const struct entry *known,
			      const struct maui_run *run)
{
	if (run->seen && run->elapsed >= 0 && ledger->exactly >= 0)
		return run->elapsed > ledger->exactly
			       ? run->until - run->step - (ledger->now - ledger->step)
			       : 0;
	if (ledger->step || ledger->counted == INT64_MIN ||
	    (known && run->seconds <= known->charged))
		return 0;
	return run->until - ledger->now;
}

/*
 * The files claim all usage up to now, so a pass charges none beyond. For a run that ends later,
 * ret_behind is the part up to now; NULL if it has not begun. known: NULL if it is not.
 */
static const struct maui_run *part_behind(struct maui_fsledger *ledger, const struct entry *known,
					  const struct maui_run *run, struct maui_run *ret_behind)
{
	int64_t beyond = seconds_beyond(ledger, known, run);

	if (beyond <= 0 || beyond > LONGEST_AHEAD)
		return run;
	keep_ahead(ledger, run);
	*ret_behind = *run;
	ret_behind->over = ret_behind->paused = ret_behind->seen = false;
	ret_behind->until = ledger->now;
	ret_behind->seconds = fsledger_later(run->seconds - beyond, 0);
	return run->start < ledger->now ? ret_behind : NULL;
}

/* A clock that was set back may give another run of the job the same start: it was seen to begin. */
static bool is_same_run(const struct entry *entry, const struct maui_run *run)
{
	return entry->start == run->start && !(entry->over && run->seen && !run->over);
}

enum maui_fsledger_event maui_fsledger_report(struct maui_fsledger *ledger,
					      struct maui_fairshare *fs, const struct maui_run *run,
					      int64_t *ret_seconds)
{
	struct maui_run behind;
	struct charged charged;
	struct entry *entry;
	bool known;

	if (ret_seconds)
		*ret_seconds = 0;
	if (run->over && run->until - ledger->now > LONGEST_AHEAD)
		ledger->latest = fsledger_later(ledger->latest, run->until);
	entry = fsledger_find(ledger, run->job_id);
	known = entry && is_same_run(entry, run);
	run = part_behind(ledger, known ? entry : NULL, run, &behind);
	if (!run)
		return MAUI_FS_REGULAR;
	if (!known && maui_fsledger_has_not_begun(ledger, run))
		return MAUI_FS_REGULAR;
	if (!entry)
		entry = fsledger_add(ledger, run->job_id);
	charged = known ? maui_fsledger_charge_known(ledger, fs, entry, run)
			: maui_fsledger_charge_unknown(ledger, fs, run);
	entry->whole = known ? entry->whole : charged.seconds == run->seconds;
	entry->amount = charged.amount + (known ? entry->amount : 0);
	entry->charged = known && !maui_fsledger_step_since(ledger, entry, run)
				 ? fsledger_later(entry->charged, run->seconds)
				 : run->seconds;
	fsledger_remember(ledger, entry, run);
	maui_fsledger_settle(fs, entry, run);
	if (ret_seconds)
		*ret_seconds = charged.seconds;
	return fsledger_event(ledger, run, charged.seconds);
}

/*
 * Those that the pass before was too early for. If it still is too early for one, that is kept
 * again, at its own place or an earlier one.
 */
static void report_ahead(struct maui_fsledger *ledger, struct maui_fairshare *fs)
{
	size_t count = ledger->ahead_count;

	ledger->ahead_count = 0;
	for (size_t i = 0; i < count; i++) {
		struct maui_run run = ledger->ahead[i];

		maui_fsledger_report(ledger, fs, &run, NULL);
	}
}

void maui_fsledger_forget_rates(struct maui_fsledger *ledger)
{
	ledger->ahead_count = 0;
	ledger->put_off_count = 0;
	for (size_t i = 0; i < ledger->count; i++) {
		ledger->entries[i].rate = 0;
		ledger->entries[i].whole = false;
	}
}

int64_t maui_fsledger_step(const struct maui_fsledger *ledger, int64_t now, double elapsed)
{
	int64_t step;

	if (ledger->last == INT64_MIN || elapsed < 0)
		return 0;
	step = now - ledger->last - llround(elapsed);
	return step >= SMALLEST_STEP || step <= -SMALLEST_STEP ? step : 0;
}

/* As the wall clock has counted them: a record's times are by that, and in whole seconds, too. */
static int64_t seconds_elapsed(const struct maui_fsledger *ledger, double elapsed)
{
	if (elapsed < 0)
		return INT64_MAX;
	if (ledger->last == INT64_MIN)
		return llround(elapsed);
	return fsledger_later(ledger->now - ledger->last - ledger->step, 0);
}

uint32_t maui_fsledger_begin(struct maui_fsledger *ledger, struct maui_fairshare *fs, int64_t now,
			     double elapsed)
{
	uint32_t rolled;

	ledger->pass++;
	ledger->next = 0;
	ledger->now = now;
	ledger->step = maui_fsledger_step(ledger, now, elapsed);
	ledger->elapsed = seconds_elapsed(ledger, elapsed);
	ledger->exactly = elapsed;
	if (ledger->counted != INT64_MIN)
		ledger->counted += ledger->step;
	rolled = maui_fairshare_advance(fs, now);
	report_ahead(ledger, fs);
	return rolled;
}

uint32_t maui_fsledger_missing(const struct maui_fsledger *ledger, size_t *at)
{
	while (*at < ledger->count) {
		const struct entry *entry = &ledger->entries[(*at)++];

		if (entry->pass != ledger->pass && !entry->over)
			return entry->job_id;
	}
	return 0;
}

void maui_fsledger_ended(struct maui_fsledger *ledger, struct maui_fairshare *fs, uint32_t job_id,
			 int64_t end)
{
	struct entry *entry = fsledger_find(ledger, job_id);

	if (!entry)
		return;
	if (entry->active)
		maui_fsledger_charge(fs, entry->credential, entry->rate, ledger->counted,
				     fsledger_earlier(end, ledger->now));
	entry->over = true;
}

static bool is_forgotten(const struct maui_fsledger *ledger, const struct entry *entry)
{
	return ledger->pass - entry->pass > (entry->over ? PASSES_KEPT : 0);
}

void maui_fsledger_end(struct maui_fsledger *ledger)
{
	for (size_t i = 0; i < ledger->count;)
		if (is_forgotten(ledger, &ledger->entries[i]))
			fsledger_drop(ledger, i);
		else
			i++;
	ledger->counted = ledger->last = fsledger_later(ledger->counted, ledger->now);
	ledger->high = fsledger_later(ledger->high, ledger->now);
	ledger->step = 0;
	ledger->open[0] = (struct span){INT64_MIN, INT64_MAX, false};
	ledger->open_count = 1;
}

int64_t maui_fsledger_latest(const struct maui_fsledger *ledger)
{
	return ledger->latest;
}

int64_t maui_fsledger_counted(const struct maui_fsledger *ledger)
{
	return ledger->counted;
}
