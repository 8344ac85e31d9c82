/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The seconds of a run that a pass charges, and when they were, also if the clock has been set. */
#include <math.h>
#include <string.h>

#include "common/policy/fairshare/fsledger_private.h"
#include "common/util/grow.h"

struct charged maui_fsledger_charge(struct maui_fairshare *fs,
				    const uint32_t credential[MAUI_CREDENTIALS], double rate,
				    int64_t from, int64_t to)
{
	struct charged charged = {0};

	if (to > from) {
		maui_fairshare_charge(fs, credential, rate, from, to);
		charged = (struct charged){to - from, rate * (double)(to - from)};
	}
	return charged;
}

static struct charged fsledger_charge_sum(struct charged a, struct charged b)
{
	return (struct charged){a.seconds + b.seconds, a.amount + b.amount};
}

/* ---- when the clock was set ---- */

int64_t maui_fsledger_step_of(const struct maui_fsledger *ledger, const struct maui_run *run)
{
	return run->seen ? run->step : ledger->step;
}

int64_t maui_fsledger_step_since(const struct maui_fsledger *ledger, const struct entry *entry,
				 const struct maui_run *run)
{
	int64_t before = entry->pass == ledger->pass ? entry->step : 0;

	return maui_fsledger_step_of(ledger, run) - before;
}

/* Whether a run can have run for that long since the pass before. */
static bool is_possible(const struct maui_fsledger *ledger, int64_t seconds, int64_t more)
{
	return seconds > -SMALLEST_STEP &&
	       (ledger->elapsed == INT64_MAX || seconds <= ledger->elapsed + more);
}

static int64_t fsledger_charge_bounded(const struct maui_fsledger *ledger, int64_t seconds)
{
	return fsledger_later(fsledger_earlier(seconds, ledger->elapsed), 0);
}

/* How long a run can have run that is by an unknown clock. */
static int64_t fsledger_charge_longest(const struct maui_fsledger *ledger)
{
	return ledger->elapsed == INT64_MAX ? 0 : ledger->elapsed;
}

bool maui_fsledger_has_not_begun(const struct maui_fsledger *ledger, const struct maui_run *run)
{
	return !run->over && !run->seen && !ledger->step && run->seconds <= 0 &&
	       run->start > ledger->now && run->start - ledger->now <= LONGEST_AHEAD;
}

/*
 * The run ended in its pause. Slurm ends a suspended job that it requeues at the present (S-SEL-19),
 * so that its record counts the pause as run time.
 */
static bool ended_in_pause(const struct entry *entry, const struct maui_run *run)
{
	return run->over && !entry->over && !entry->active && run->resumed <= entry->until;
}

/*
 * Slurm computes a job's run time from the wall clock: the step was not run time, if the run went
 * on through it. A run of more seconds than have passed is by another clock.
 */
static int64_t seconds_since(const struct maui_fsledger *ledger, const struct entry *entry,
			     const struct maui_run *run)
{
	int64_t seconds = run->seconds - entry->charged;
	int64_t step = maui_fsledger_step_since(ledger, entry, run);

	if (ended_in_pause(entry, run))
		return 0;
	if (!step || !entry->active)
		return is_possible(ledger, seconds, LONGEST_AHEAD)
			       ? seconds
			       : fsledger_charge_bounded(ledger, seconds);
	return fsledger_charge_bounded(ledger, is_possible(ledger, seconds - step, SMALLEST_STEP)
						       ? seconds - step
						       : seconds);
}

/* The same of a run that began since the pass before. */
static int64_t seconds_of_new(const struct maui_fsledger *ledger, const struct maui_run *run)
{
	int64_t step = maui_fsledger_step_of(ledger, run);

	if (is_possible(ledger, run->seconds, LONGEST_AHEAD))
		return fsledger_later(run->seconds, 0);
	return fsledger_charge_bounded(ledger, run->seconds - step);
}

bool maui_fsledger_runs_on(const struct maui_run *run)
{
	return !run->over && !run->paused;
}

/* The clock was set forward: an end that is too late for the clock before, but not for this one. */
static bool fits_present_clock(const struct maui_fsledger *ledger, const struct maui_run *run,
			       int64_t latest_before)
{
	return ledger->step > 0 && run->until > latest_before &&
	       run->until <= ledger->now + LONGEST_AHEAD;
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
			    : fsledger_later(ledger->last, ledger->now) + LONGEST_AHEAD;
	bool present = maui_fsledger_runs_on(run) || run->seen;

	if (known && ledger->step && (present || fits_present_clock(ledger, run, end)))
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
	return maui_fsledger_charge(fs, run->credential, run->rate, fsledger_later(from, span.from),
				    fsledger_earlier(to, span.to));
}

static void put_off(struct maui_fsledger *ledger, const struct maui_run *run, int64_t start,
		    int64_t from, int64_t to)
{
	struct put_off *one;

	if (to <= from)
		return;
	ledger->put_off = maui_grow(ledger->put_off, ledger->put_off_count + 1,
				    &ledger->put_off_room, sizeof(*ledger->put_off));
	one = &ledger->put_off[ledger->put_off_count++];
	*one = (struct put_off){.start = start, .from = from, .to = to, .rate = run->rate};
	memcpy(one->credential, run->credential, sizeof(one->credential));
}

/* Charge what windows lack of a stretch, by their files. */
static struct charged charge_open(struct maui_fsledger *ledger, struct maui_fairshare *fs,
				  const struct maui_run *run, int64_t from, int64_t to)
{
	struct charged charged = {0};

	for (uint32_t i = 0; i < ledger->open_count; i++) {
		const struct span *span = &ledger->open[i];

		if (span->put_off)
			put_off(ledger, run, span->from, fsledger_later(from, span->from),
				fsledger_earlier(to, span->to));
		else
			charged =
				fsledger_charge_sum(charged, charge_span(fs, run, *span, from, to));
	}
	return charged;
}

/* How long a run can have run since the files were written, which may end after the pass. */
static int64_t longest_since_files(const struct maui_fsledger *ledger, const struct maui_run *run)
{
	int64_t beyond = run->until - ledger->now;

	if (ledger->elapsed == INT64_MAX || beyond < 0 || beyond > LONGEST_AHEAD)
		return ledger->elapsed;
	return ledger->elapsed + beyond;
}

/* A part of a run. */
struct stretch {
	int64_t from, to;
};

/*
 * What a run that paused has run before its last stretch: from its start on, as far as is known. If
 * the clock was set in that time, it is longer than the time until the run was resumed, or the start
 * is later than that: it ended then.
 */
static struct stretch first_stretch(const struct maui_run *run, int64_t seconds)
{
	int64_t to =
		fsledger_earlier(run->start + seconds, fsledger_earlier(run->resumed, run->until));

	return (struct stretch){to - seconds, to};
}

/*
 * Charge what a run has run since the files were written: no more than has passed since, though its
 * times may be by several clocks. Its last stretch is the better known.
 */
static struct charged charge_since_files(struct maui_fsledger *ledger, struct maui_fairshare *fs,
					 const struct maui_run *run, struct stretch first,
					 int64_t last)
{
	int64_t left = longest_since_files(ledger, run);
	struct span span = since_files(ledger, run);
	struct charged charged;

	charged = charge_span(fs, run, span, run->until - fsledger_earlier(last, left), run->until);
	left = fsledger_later(left - charged.seconds, 0);
	return fsledger_charge_sum(
		charged,
		charge_span(fs, run, span, fsledger_later(first.from, first.to - left), first.to));
}

/* What the clock showed when the run was seen. */
static int64_t seen_at(const struct maui_fsledger *ledger, const struct maui_run *run)
{
	return ledger->last + llround(fmax(run->elapsed, 0)) + run->step;
}

/*
 * It was charged and forgotten. A run that began before the last pass was known then: Slurm may tell
 * of its end again, as of a requeued job's at a reconfigure (S-SEL-21). Where the clock has been set
 * back, so may be one that ended in a time to come, or that was not seen to end in a time that has
 * been counted.
 */
static bool was_forgotten(const struct maui_fsledger *ledger, const struct maui_run *run)
{
	if (!run->over || ledger->counted == INT64_MIN)
		return false;
	if (run->start < ledger->counted - LONGEST_AHEAD)
		return true;
	if (run->seen)
		return run->until > seen_at(ledger, run) + LONGEST_AHEAD;
	return run->until <= ledger->high && ledger->high > ledger->counted;
}

/*
 * A run not seen before: it began since the last pass, or before this process. If it paused, only
 * the last stretch is known; the earlier seconds are assumed to be the first ones of the run. One
 * that runs and began in the future has run all the time.
 */
struct charged maui_fsledger_charge_unknown(struct maui_fsledger *ledger, struct maui_fairshare *fs,
					    const struct maui_run *run)
{
	int64_t last = fsledger_earlier(run->seconds, fsledger_later(run->until - run->resumed, 0));
	struct stretch first = first_stretch(run, run->seconds - last);
	struct charged charged;

	if (was_forgotten(ledger, run))
		return (struct charged){0};
	if (ledger->counted != INT64_MIN && (maui_fsledger_step_of(ledger, run) ||
					     !is_possible(ledger, run->seconds, LONGEST_AHEAD)))
		return maui_fsledger_charge(fs, run->credential, run->rate,
					    run->until - seconds_of_new(ledger, run), run->until);
	if (maui_fsledger_runs_on(run) && !run->seen && run->resumed > ledger->now)
		return maui_fsledger_charge(fs, run->credential, run->rate,
					    ledger->now - fsledger_charge_longest(ledger),
					    ledger->now);
	charged = fsledger_charge_sum(charge_open(ledger, fs, run, first.from, first.to),
				      charge_open(ledger, fs, run, run->until - last, run->until));
	if (ledger->last == INT64_MIN || ledger->counted != INT64_MIN)
		return charged;
	return fsledger_charge_sum(charged, charge_since_files(ledger, fs, run, first, last));
}

/* The seconds since its last report, each at the size it had then. */
struct charged maui_fsledger_charge_known(const struct maui_fsledger *ledger,
					  struct maui_fairshare *fs, const struct entry *entry,
					  const struct maui_run *run)
{
	int64_t seconds = seconds_since(ledger, entry, run);
	int64_t from = run->until - seconds;
	int64_t resized = run->resized == entry->resized ? from : run->resized;

	if (seconds <= 0)
		return (struct charged){0};
	resized = fsledger_later(from, fsledger_earlier(resized, run->until));
	return fsledger_charge_sum(
		maui_fsledger_charge(fs, run->credential, entry->rate, from, resized),
		maui_fsledger_charge(fs, run->credential, run->rate, resized, run->until));
}

/* What the run held was charged; now the usage of some of its parts is known. */
void maui_fsledger_settle(struct maui_fairshare *fs, struct entry *entry,
			  const struct maui_run *run)
{
	if (!run->over || run->held <= 0 || !entry->whole)
		return;
	/* Parts that overlap hold more than the run does. */
	maui_fairshare_correct(fs, run->credential, run->used - fmin(run->held, entry->amount),
			       run->start, fsledger_later(run->until, run->start + 1));
	entry->whole = false; /* only once */
}

void maui_fsledger_learn(struct maui_fsledger *ledger, struct maui_fairshare *fs, int64_t start,
			 int64_t counted)
{
	size_t left = 0;

	for (size_t i = 0; i < ledger->put_off_count; i++) {
		const struct put_off *one = &ledger->put_off[i];

		if (one->start == start)
			maui_fsledger_charge(fs, one->credential, one->rate,
					     fsledger_later(one->from, counted), one->to);
		else
			ledger->put_off[left++] = *one;
	}
	ledger->put_off_count = left;
	for (uint32_t i = 0; i < ledger->open_count; i++)
		if (ledger->open[i].put_off && ledger->open[i].from == start)
			ledger->open[i] = (struct span){fsledger_later(start, counted),
							ledger->open[i].to, false};
}
