/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/policy/fairshare/fsledger.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "common/util/idmap.h"

/*
 * The wall clock and the steady one are read at different moments, in whole seconds and in
 * fractions: a difference below this is no step. A clock's own drift during a pass is less.
 */
#define SMALLEST_STEP 2
/*
 * A scheduler may end a run this many seconds after the time of the pass that hears of it. An end
 * later than that was written by a clock that has since been set back.
 */
#define LONGEST_AHEAD 10
/* No sum of times overflows. */
#define LATEST (INT64_C(1) << 60)

/* What a later report is compared with. Kept small, as every running job has one. */
struct entry {
	uint32_t job_id;
	uint32_t pass; /* the last that saw it */
	uint32_t credential[MAUI_CREDENTIALS];
	bool over;
	bool active;   /* it ran at the end of that pass */
	bool whole;    /* this ledger charged all of its seconds */
	int64_t start; /* as last reported, like what follows */
	int64_t resized;
	double rate;
	int64_t charged; /* seconds of its run */
	double amount;   /* charged for them */
};

struct span {
	int64_t from, to;
	bool put_off; /* how much of it is open is not known */
};

/* A stretch of a run in such a span: from the start of the window on. */
struct put_off {
	int64_t start; /* of the window */
	int64_t from, to;
	double rate;
	uint32_t credential[MAUI_CREDENTIALS];
};

struct maui_fsledger {
	struct entry *entries;
	size_t count, room;
	struct maui_idmap by_job; /* job id -> index + 1 */
	size_t next;              /* where to look first for the next report */
	uint32_t pass;
	int64_t now;     /* of this pass */
	int64_t counted; /* the pass before, by the present clock; INT64_MIN: there was none */
	int64_t last;    /* the same by the clock of then, or the newest file */
	int64_t step;    /* how far the clock has been set since then */
	int64_t elapsed; /* seconds since then; INT64_MAX: unknown */
	int64_t latest;  /* maui_fsledger_latest() */
	int64_t high;    /* the latest pass by any clock */
	/*
	 * Until the first pass has ended: the times not yet charged to anybody. After that an
	 * unknown run is new and is charged from its start, which may be before the last pass, as
	 * schedulers take the time when they begin to look.
	 */
	struct span open[MAUI_FS_MAX_DEPTH];
	uint32_t open_count;
	/*
	 * Runs reported to end after the time of the pass: they are reported again in the next one.
	 */
	struct maui_run *ahead;
	size_t ahead_count, ahead_room;
	struct put_off *put_off;
	size_t put_off_count, put_off_room;
};

struct maui_fsledger *maui_fsledger_new(void)
{
	struct maui_fsledger *ledger = calloc(1, sizeof(*ledger));

	if (ledger) {
		ledger->counted = ledger->last = ledger->latest = ledger->high = INT64_MIN;
		ledger->open[0] = (struct span){INT64_MIN, INT64_MAX, false};
		ledger->open_count = 1;
	}
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

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static void forget_all(struct maui_fsledger *ledger)
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

	forget_all(ledger);
	ledger->last = last;
	for (uint32_t k = 0; last == INT64_MIN && k < settings->depth; k++)
		ledger->last = later(ledger->last, counted[k]);
	for (uint32_t k = 0; k < settings->depth; k++)
		if (counted[k] == MAUI_FS_NOT_KNOWN)
			ledger->last = INT64_MIN;
	if (ledger->last != INT64_MIN) /* a file may say anything */
		ledger->last = earlier(later(ledger->last, -LATEST), LATEST);
	end = ledger->last == INT64_MIN ? INT64_MAX : ledger->last;
	for (uint32_t k = 0; k < settings->depth; k++) {
		int64_t start = maui_fairshare_start(fs, k);

		ledger->open[k] = counted[k] == MAUI_FS_NOT_KNOWN
					  ? (struct span){start, end, true}
					  : (struct span){later(start, counted[k]), end, false};
		end = earlier(start, end);
	}
	ledger->open_count = settings->depth;
}

/* ---- charging ---- */

struct charged {
	int64_t seconds;
	double amount;
};

static struct charged charge(struct maui_fairshare *fs, const uint32_t credential[MAUI_CREDENTIALS],
			     double rate, int64_t from, int64_t to)
{
	struct charged charged = {0};

	if (to > from) {
		maui_fairshare_charge(fs, credential, rate, from, to);
		charged = (struct charged){to - from, rate * (double)(to - from)};
	}
	return charged;
}

static struct charged both(struct charged a, struct charged b)
{
	return (struct charged){a.seconds + b.seconds, a.amount + b.amount};
}

/* ---- when the clock was set ---- */

static int64_t step_of(const struct maui_fsledger *ledger, const struct maui_run *run)
{
	return run->seen ? run->step : ledger->step;
}

/* Whether a run can have run for that long since the pass before. */
static bool is_possible(const struct maui_fsledger *ledger, int64_t seconds, int64_t more)
{
	return seconds > -SMALLEST_STEP &&
	       (ledger->elapsed == INT64_MAX || seconds <= ledger->elapsed + more);
}

static int64_t bounded(const struct maui_fsledger *ledger, int64_t seconds)
{
	return later(earlier(seconds, ledger->elapsed), 0);
}

/* How long a run can have run that is by an unknown clock. */
static int64_t longest(const struct maui_fsledger *ledger)
{
	return ledger->elapsed == INT64_MAX ? 0 : ledger->elapsed;
}

static bool has_not_begun(const struct maui_fsledger *ledger, const struct maui_run *run)
{
	return !run->over && !ledger->step && run->start > ledger->now &&
	       run->start - ledger->now <= LONGEST_AHEAD;
}

/* Slurm computes a job's run time from the wall clock: the step was not run time, if the run went
 * on through it. */
static int64_t seconds_since(const struct maui_fsledger *ledger, const struct entry *entry,
			     const struct maui_run *run)
{
	int64_t seconds = run->seconds - entry->charged;
	bool through = entry->active && entry->pass != ledger->pass;
	int64_t step = through ? step_of(ledger, run) : 0;

	if (!step)
		return seconds;
	return bounded(ledger, is_possible(ledger, seconds - step, SMALLEST_STEP) ? seconds - step
										  : seconds);
}

/* The same of a run that began since the pass before. */
static int64_t seconds_of_new(const struct maui_fsledger *ledger, const struct maui_run *run)
{
	int64_t step = step_of(ledger, run);

	if (is_possible(ledger, run->seconds, LONGEST_AHEAD))
		return later(run->seconds, 0);
	return bounded(ledger, run->seconds - step);
}

static bool runs_now(const struct maui_fsledger *ledger, const struct maui_run *run)
{
	return !run->over && run->until == ledger->now;
}

/*
 * The time that no file includes, by the clock that a run's times are from: the present one if it
 * still runs, or if its end was seen; else that of the newest file, as long as its process lived,
 * or if the end does not fit into that, the present one. An end that no clock can have shown since
 * is an earlier one, by a clock that was ahead.
 */
static struct span since_files(const struct maui_fsledger *ledger, const struct maui_run *run)
{
	bool known = ledger->elapsed != INT64_MAX;
	int64_t end = known ? ledger->last + ledger->elapsed + SMALLEST_STEP
			    : later(ledger->last, ledger->now) + LONGEST_AHEAD;
	bool present = runs_now(ledger, run) || run->seen;

	if (known && ledger->step && (present || (ledger->step > 0 && run->until > end)))
		return (struct span){ledger->now - ledger->elapsed, ledger->now + LONGEST_AHEAD,
				     false};
	if (!present && run->until > end)
		return (struct span){0, 0, false};
	return (struct span){ledger->last, INT64_MAX, false};
}

/* ---- a run's new seconds ---- */

static struct charged charge_span(struct maui_fairshare *fs, const struct maui_run *run,
				  struct span span, int64_t from, int64_t to)
{
	return charge(fs, run->credential, run->rate, later(from, span.from), earlier(to, span.to));
}

/* If memory is short it is lost: this happens once for a run. */
static void put_off(struct maui_fsledger *ledger, const struct maui_run *run, int64_t start,
		    int64_t from, int64_t to)
{
	struct put_off *grown;

	if (to <= from)
		return;
	grown = maui_grow(ledger->put_off, ledger->put_off_count + 1, &ledger->put_off_room,
			  sizeof(*grown));
	if (!grown)
		return;
	ledger->put_off = grown;
	grown = &ledger->put_off[ledger->put_off_count++];
	*grown = (struct put_off){.start = start, .from = from, .to = to, .rate = run->rate};
	memcpy(grown->credential, run->credential, sizeof(grown->credential));
}

/* Charge the open part of a stretch. */
static struct charged charge_open(struct maui_fsledger *ledger, struct maui_fairshare *fs,
				  const struct maui_run *run, int64_t from, int64_t to)
{
	struct charged charged = {0};

	for (uint32_t i = 0; i < ledger->open_count; i++) {
		const struct span *span = &ledger->open[i];

		if (span->put_off)
			put_off(ledger, run, span->from, later(from, span->from),
				earlier(to, span->to));
		else
			charged = both(charged, charge_span(fs, run, *span, from, to));
	}
	if (ledger->last == INT64_MIN || ledger->counted != INT64_MIN)
		return charged;
	return both(charged, charge_span(fs, run, since_files(ledger, run), from, to));
}

/* The clock has been set back: a run whose end is in a time that has been counted may be one that
 * was charged and forgotten. If it were not, its end would have been seen. */
static bool was_forgotten(const struct maui_fsledger *ledger, const struct maui_run *run)
{
	return run->over && !run->seen && ledger->counted != INT64_MIN &&
	       run->until <= ledger->high && ledger->high > ledger->counted;
}

/*
 * A run not seen before: it began since the last pass, or before this process. If it paused, only
 * the last stretch is known; the earlier seconds are assumed to be the first ones of the run. One
 * that runs and began in the future has run all the time.
 */
static struct charged charge_unknown(struct maui_fsledger *ledger, struct maui_fairshare *fs,
				     const struct maui_run *run)
{
	int64_t last = earlier(run->seconds, later(run->until - run->resumed, 0));
	int64_t first = run->seconds - last;

	if (was_forgotten(ledger, run))
		return (struct charged){0};
	if (ledger->counted != INT64_MIN && step_of(ledger, run))
		return charge(fs, run->credential, run->rate,
			      run->until - seconds_of_new(ledger, run), run->until);
	if (runs_now(ledger, run) && run->resumed > ledger->now)
		return charge(fs, run->credential, run->rate, ledger->now - longest(ledger),
			      ledger->now);
	return both(charge_open(ledger, fs, run, run->start, run->start + first),
		    charge_open(ledger, fs, run, run->until - last, run->until));
}

/* The seconds since its last report, each at the size it had then. */
static struct charged charge_known(const struct maui_fsledger *ledger, struct maui_fairshare *fs,
				   const struct entry *entry, const struct maui_run *run)
{
	int64_t seconds = seconds_since(ledger, entry, run);
	int64_t from = run->until - seconds;
	int64_t resized = run->resized == entry->resized ? from : run->resized;

	if (seconds <= 0)
		return (struct charged){0};
	resized = later(from, earlier(resized, run->until));
	return both(charge(fs, run->credential, entry->rate, from, resized),
		    charge(fs, run->credential, run->rate, resized, run->until));
}

/* What the run held was charged; now the usage of some of its parts is known. */
static void settle(struct maui_fairshare *fs, struct entry *entry, const struct maui_run *run)
{
	if (!run->over || run->held <= 0 || !entry->whole)
		return;
	/* Parts that overlap hold more than the run does. */
	maui_fairshare_correct(fs, run->credential, run->used - fmin(run->held, entry->amount),
			       run->start, later(run->until, run->start + 1));
	entry->whole = false; /* only once */
}

/* ---- the table ---- */

static struct entry *find(struct maui_fsledger *ledger, uint32_t job_id)
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

/* NULL when memory is short. */
static struct entry *add(struct maui_fsledger *ledger, uint32_t job_id)
{
	struct entry *grown =
		maui_grow(ledger->entries, ledger->count + 1, &ledger->room, sizeof(*grown));

	if (!grown)
		return NULL;
	ledger->entries = grown;
	if (maui_idmap_set(&ledger->by_job, job_id, (uint32_t)ledger->count + 1))
		return NULL;
	return memset(&ledger->entries[ledger->count++], 0, sizeof(struct entry));
}

static void drop(struct maui_fsledger *ledger, size_t at)
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

static enum maui_fsledger_event event(const struct maui_fsledger *ledger,
				      const struct maui_run *run, int64_t seconds)
{
	bool paused = !run->over && run->until < ledger->now && seconds;

	if (is_new(ledger, run->resumed, later(run->start, ledger->counted)) ||
	    is_new(ledger, run->resized, ledger->counted) || paused)
		return MAUI_FS_IRREGULAR;
	return run->over && seconds ? MAUI_FS_RUN_ENDED : MAUI_FS_REGULAR;
}

/* False when memory is short. */
static bool keep_ahead(struct maui_fsledger *ledger, const struct maui_run *run)
{
	struct maui_run *grown = maui_grow(ledger->ahead, ledger->ahead_count + 1,
					   &ledger->ahead_room, sizeof(*grown));

	if (!grown)
		return false;
	ledger->ahead = grown;
	ledger->ahead[ledger->ahead_count] = *run;
	ledger->ahead[ledger->ahead_count++].step = 0;
	return true;
}

static void remember(const struct maui_fsledger *ledger, struct entry *entry,
		     const struct maui_run *run)
{
	entry->job_id = run->job_id;
	entry->pass = ledger->pass;
	entry->over = run->over;
	entry->active = runs_now(ledger, run);
	entry->start = run->start;
	entry->resized = run->resized;
	entry->rate = run->rate;
	memcpy(entry->credential, run->credential, sizeof(entry->credential));
}

/*
 * The files claim all usage up to now, so a pass charges none beyond. For a run that ends later,
 * ret_behind is the part up to now; NULL if it has not begun.
 */
static const struct maui_run *part_behind(struct maui_fsledger *ledger, const struct maui_run *run,
					  struct maui_run *ret_behind)
{
	int64_t beyond = run->until - ledger->now;

	if (beyond <= 0 || beyond > LONGEST_AHEAD || !keep_ahead(ledger, run))
		return run;
	*ret_behind = *run;
	ret_behind->over = false;
	ret_behind->until = ledger->now;
	ret_behind->seconds = later(run->seconds - beyond, 0);
	return run->start < ledger->now ? ret_behind : NULL;
}

enum maui_fsledger_event maui_fsledger_report(struct maui_fsledger *ledger,
					      struct maui_fairshare *fs, const struct maui_run *run)
{
	struct maui_run behind;
	struct charged charged;
	struct entry *entry;
	bool known;

	if (run->over && run->until - ledger->now > LONGEST_AHEAD)
		ledger->latest = later(ledger->latest, run->until);
	run = part_behind(ledger, run, &behind);
	entry = run ? find(ledger, run->job_id) : NULL;
	known = entry && entry->start == run->start;
	if (run && !known && has_not_begun(ledger, run))
		return MAUI_FS_REGULAR;
	if (run && !entry)
		entry = add(ledger, run->job_id);
	if (!entry)
		return MAUI_FS_REGULAR; /* when memory is short, it is charged once there is some */
	charged = known ? charge_known(ledger, fs, entry, run) : charge_unknown(ledger, fs, run);
	entry->whole = known ? entry->whole : charged.seconds == run->seconds;
	entry->amount = charged.amount + (known ? entry->amount : 0);
	entry->charged =
		known && !step_of(ledger, run) ? later(entry->charged, run->seconds) : run->seconds;
	remember(ledger, entry, run);
	settle(fs, entry, run);
	return event(ledger, run, charged.seconds);
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

		maui_fsledger_report(ledger, fs, &run);
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

uint32_t maui_fsledger_begin(struct maui_fsledger *ledger, struct maui_fairshare *fs, int64_t now,
			     double elapsed)
{
	uint32_t rolled;

	ledger->pass++;
	ledger->next = 0;
	ledger->now = now;
	ledger->step = maui_fsledger_step(ledger, now, elapsed);
	ledger->elapsed = elapsed < 0 ? INT64_MAX : llround(elapsed);
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
	struct entry *entry = find(ledger, job_id);

	if (!entry)
		return;
	if (entry->active)
		charge(fs, entry->credential, entry->rate, ledger->counted,
		       earlier(end, ledger->now));
	entry->over = true;
}

void maui_fsledger_end(struct maui_fsledger *ledger)
{
	for (size_t i = 0; i < ledger->count;)
		if (ledger->entries[i].pass != ledger->pass)
			drop(ledger, i);
		else
			i++;
	ledger->counted = ledger->last = later(ledger->counted, ledger->now);
	ledger->high = later(ledger->high, ledger->now);
	ledger->step = 0;
	ledger->open[0] = (struct span){INT64_MIN, INT64_MAX, false};
	ledger->open_count = 1;
}

int64_t maui_fsledger_latest(const struct maui_fsledger *ledger)
{
	return ledger->latest;
}

void maui_fsledger_learn(struct maui_fsledger *ledger, struct maui_fairshare *fs, int64_t start,
			 int64_t counted)
{
	size_t left = 0;

	for (size_t i = 0; i < ledger->put_off_count; i++) {
		const struct put_off *one = &ledger->put_off[i];

		if (one->start == start)
			charge(fs, one->credential, one->rate, later(one->from, counted), one->to);
		else
			ledger->put_off[left++] = *one;
	}
	ledger->put_off_count = left;
	for (uint32_t i = 0; i < ledger->open_count; i++)
		if (ledger->open[i].put_off && ledger->open[i].from == start)
			ledger->open[i] =
				(struct span){later(start, counted), ledger->open[i].to, false};
}

int64_t maui_fsledger_counted(const struct maui_fsledger *ledger)
{
	return ledger->counted;
}
