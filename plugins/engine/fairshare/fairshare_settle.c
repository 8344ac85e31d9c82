/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads and saves the fairshare windows. Before each iteration it applies
 * changes of maui.cfg, STATDIR's disappearance or return, and a clock that was
 * set back.
 */
#include "plugins/compat/base.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "common/util/memory.h"
#include "plugins/engine/fairshare/fairshare_ahead.h"
#include "plugins/engine/fairshare/fairshare_clock.h"
#include "plugins/engine/fairshare/fairshare_files.h"
#include "plugins/engine/fairshare/fairshare_private.h"
#include "plugins/engine/fairshare/rsv_idle.h"
#include "plugins/engine/policy/in_force.h"
#include "plugins/engine/runtime/monotonic.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/runtime/statekept.h"

/* Pause between two writes, which may wait for a slow disk: at least this many seconds, and this
 * many times as long as the last one took. */
#define SAVE_INTERVAL 3.0
#define SAVE_SHARE    20

/* The engine's thread alone. */
static struct fairshare_known known; /* of what stands in for STATDIR */
static bool known_kept;              /* it is in a file */

/* ---- settings ---- */

/* The mutex is held. Nothing is counted from now on. */
ENGINE_LOCKED static void drop(void)
{
	maui_names_fairshare(in_force.names, NULL);
	rsv_idle_drop();
	fairshare.unread.count = 0;
	fairshare.windows = maui_fairshare_free(fairshare.windows);
	fairshare.ledger = maui_fsledger_free(fairshare.ledger);
	fairshare_place_clear(&fairshare.place);
	fairshare.due = INFINITY;
	fairshare.last_pass = -1;
	fairshare.run_count = 0;
	maui_used_runs_clear(&fairshare.used);
	fairshare_ahead_drop();
}

/* What maui.cfg says, copied under the mutex. */
struct wanted {
	struct maui_fairshare_settings settings;
	struct fairshare_place place;
	bool begin_anew;
};

/* Relative names are below StateSaveLocation/maui. */
ENGINE_LOCKED static char *full_path(const char *name)
{
	if (*name == '/')
		return maui_strdup(name);
	return maui_asprintf("%s/%s", engine.site.state_directory, name);
}

static struct wanted read_wanted(void)
{
	struct wanted wanted;
	char *named, *own;
	bool absolute;

	engine_lock();
	maui_fairshare_settings(in_force.policy->config, &wanted.settings);
	fairshare.by_speed =
		maui_config_get(in_force.policy->config, MAUI_KEY_USEMACHINESPEEDFORFS, NULL)
			->integer;
	named = full_path(maui_config_get(in_force.policy->config, MAUI_KEY_STATDIR, NULL)->text);
	own = full_path(maui_key_info(MAUI_KEY_STATDIR)->default_text);
	absolute = *maui_config_get(in_force.policy->config, MAUI_KEY_STATDIR, NULL)->text == '/';
	wanted.begin_anew = fairshare.begin_anew;
	fairshare.begin_anew = false;
	engine_unlock();
	absolute = absolute && wanted.settings.metric != MAUI_FS_OFF; /* if off, touch no file */
	wanted.place = fairshare_place_find(named, own, absolute);
	return wanted;
}

static void load_window(const char *directory, struct maui_fairshare *windows, uint32_t k,
			struct fairshare_files_say *say, struct fairshare_known *seen)
{
	int64_t start = maui_fairshare_start(windows, k);
	struct maui_fairshare_file file;
	enum state_answer answer = fairshare_file_load(directory, windows, k, start, &file);

	say->counted[k] = answer == STATE_NOT_NOW ? MAUI_FS_NOT_KNOWN : file.counted;
	switch (answer) {
	case STATE_READ:
		fairshare_clock_see(&say->newest, &file);
		if (seen->count < MAUI_FS_MAX_DEPTH)
			seen->start[seen->count++] = start;
		break;
	case STATE_NOT_NOW:
		engine_lock();
		fairshare_unread_add(start);
		engine_unlock();
		break;
	default:
		maui_fairshare_soil(windows, k);
	}
}

/* Windows without a file get one, empty or not: a missing file would mean that nothing has been
 * counted. */
static void load_windows(const char *directory, struct maui_fairshare *windows, uint32_t first,
			 struct fairshare_files_say *say, struct fairshare_known *seen)
{
	uint32_t depth = maui_fairshare_settings_of(windows)->depth;

	for (uint32_t k = first; k < depth; k++)
		load_window(directory, windows, k, say, seen);
}

/* Mark all windows to be written. The mutex is held. */
ENGINE_LOCKED static void soil_all(void)
{
	for (uint32_t k = 0; k < maui_fairshare_settings_of(fairshare.windows)->depth; k++)
		maui_fairshare_soil(fairshare.windows, k);
	fairshare.due = 0;
}

static void keep_known(const struct fairshare_place *place)
{
	struct maui_error why = {""};

	known_kept = true;
	if (!engine_is_shadow() &&
	    fairshare_known_save(place->directory, place->missing, &known, &why))
		error("maui: fairshare: %s: a restart would forget what is counted in place of %s",
		      why.text, place->missing);
}

static void say_missing(const struct fairshare_place *place)
{
	error("maui: fairshare: STATDIR %s is not a usable directory: %s stands in for it until it "
	      "is",
	      place->missing, place->directory);
}

/* What stood in for STATDIR when the engine ended has what STATDIR lacks: continue with it;
 * STATDIR's turn comes in the next iteration. False: whether it did cannot be read now. */
static bool go_on_standing_in(struct fairshare_place *place)
{
	static bool failed; /* engine's thread only */
	const char *own = place->missing ? place->directory : place->mirror;
	const char *named = place->missing ? place->missing : place->directory;
	struct maui_error why = {""};
	int rc = -ENOENT;

	if (place->missing || place->mirror)
		rc = fairshare_known_load(own, named, &known, &why);
	if (rc == -EAGAIN && !failed)
		error("maui: fairshare: %s: it may be what STATDIR lacks, and nothing is counted "
		      "until that is known",
		      why.text);
	failed = rc == -EAGAIN;
	known_kept = !rc;
	if (known_kept && !place->missing)
		*place = (struct fairshare_place){.directory = place->mirror,
						  .missing = place->directory};
	return !failed;
}

/* False: not yet. */
static bool begin_in(struct fairshare_place *place, struct maui_fairshare *windows,
		     struct fairshare_files_say *say)
{
	struct fairshare_known loaded = {.count = 0};
	bool missing = place->missing;

	if (!go_on_standing_in(place))
		return false;
	load_windows(place->directory, windows, 0, say, &loaded);
	fairshare_ahead_find(place->directory, windows, say);
	if (missing)
		say_missing(place);
	if (!place->missing || known_kept)
		return true;
	known = loaded;
	keep_known(place);
	return true;
}

/* The first time in this process, or since it took charge: from files only. */
static void settle_begin(struct wanted *wanted)
{
	struct maui_fairshare *windows = maui_fairshare_new(&wanted->settings, time(NULL));
	struct maui_fsledger *ledger = maui_fsledger_new();
	struct fairshare_files_say say = {.newest = FAIRSHARE_NO_FILE};

	if (!begin_in(&wanted->place, windows, &say)) {
		maui_fairshare_free(windows);
		maui_fsledger_free(ledger);
		return;
	}
	maui_fsledger_resume(ledger, windows, say.counted, say.newest.counted);
	rsv_idle_resume(windows, say.counted);
	engine_lock();
	fairshare.windows = windows;
	fairshare.ledger = ledger;
	fairshare.place = wanted->place;
	fairshare.last_pass = say.newest.steady;
	fairshare.due = 0;
	if (fairshare.place.mirror) /* the copy's age is unknown */
		soil_all();
	wanted->place = (struct fairshare_place){0};
	engine_unlock();
	debug("maui: fairshare: %u windows of %" PRId64 " seconds in %s", wanted->settings.depth,
	      wanted->settings.interval, fairshare_to_read()->place.directory);
}

static bool settle_same(const struct maui_fairshare_settings *a,
			const struct maui_fairshare_settings *b)
{
	return a->metric == b->metric && !strcmp(a->gres_name, b->gres_name) &&
	       a->gres == b->gres && a->ratio == b->ratio && a->interval == b->interval &&
	       a->depth == b->depth && a->decay == b->decay;
}

static void tell_changes(unsigned int changes, const struct maui_fairshare_settings *before,
			 const struct maui_fairshare_settings *after, const char *directory)
{
	char old[MAUI_FS_METRIC_SIZE], new[MAUI_FS_METRIC_SIZE];

	if (changes & MAUI_FS_CHANGED_INTERVAL)
		info("maui: fairshare: warning: FSINTERVAL is now %" PRId64
		     " seconds, and was %" PRId64
		     ": windows of the old length stay in %s, and their usage no longer counts",
		     after->interval, before->interval, directory);
	if (changes & MAUI_FS_CHANGED_METRIC)
		info("maui: fairshare: warning: FSPOLICY is now %s, and was %s: what was counted "
		     "stays in %s, and counts again only with that FSPOLICY",
		     maui_fairshare_metric_name(after, new),
		     maui_fairshare_metric_name(before, old), directory);
}

/*
 * What runs were seen to do since the last pass has rates of the old metric. Slurm's records still
 * have nearly all of them, and are read next.
 */
ENGINE_LOCKED static void forget_rates(void)
{
	fairshare.run_count = 0;
	maui_used_runs_clear(&fairshare.used);
	maui_fsledger_forget_rates(fairshare.ledger);
}

/* maui.cfg was read again. What has been counted is on disk before windows are dropped. */
static void settle_change(const struct wanted *wanted)
{
	const struct fairshare_state *now = fairshare_to_read();
	struct maui_fairshare_settings before = *maui_fairshare_settings_of(now->windows);
	struct fairshare_files_say say = {.newest = FAIRSHARE_NO_FILE}; /* the ledger has more */
	unsigned int changes;
	uint32_t load;

	if (settle_same(&before, &wanted->settings))
		return;
	fairshare_save();
	engine_lock();
	changes = maui_fairshare_change(fairshare.windows, &wanted->settings, time(NULL), &load);
	if (!load)
		fairshare.unread.count = 0;
	if (changes & MAUI_FS_CHANGED_METRIC)
		forget_rates();
	fairshare.due = 0;
	engine_unlock();
	load_windows(now->place.directory, now->windows, load, &say, &known);
	fairshare_save(); /* now: a window without a file would be counted again */
	tell_changes(changes, &before, &wanted->settings, now->place.directory);
}

/* The windows have everything STATDIR has. */
static void settle_know_all(const struct fairshare_place *place)
{
	const struct maui_fairshare *windows = fairshare_to_read()->windows;
	uint32_t depth = maui_fairshare_settings_of(windows)->depth;

	known.count = depth;
	for (uint32_t k = 0; k < depth; k++)
		known.start[k] = maui_fairshare_start(windows, k);
	keep_known(place);
}

/* STATDIR is back. What is added to the windows is on disk, and listed as known, before its files
 * are replaced. */
static bool take_back(const char *directory)
{
	if (!fairshare_files_add(directory, fairshare_to_read()->windows, &known))
		return false;
	engine_lock();
	soil_all();
	engine_unlock();
	fairshare_save();
	settle_know_all(&fairshare_to_read()->place);
	return true;
}

/* The windows move to another directory; its own files of these windows are replaced. */
static void settle_move(struct wanted *wanted)
{
	struct fairshare_place old = fairshare_to_read()->place;
	bool elsewhere, back;

	if (!wanted->place.directory || fairshare_place_same(&old, &wanted->place) ||
	    fairshare_to_read()->unread.count)
		return;
	elsewhere = strcmp(old.directory, wanted->place.directory) != 0;
	back = old.missing && !strcmp(old.missing, wanted->place.directory);
	if (back && !take_back(wanted->place.directory))
		return;
	if (wanted->place.missing) {
		say_missing(&wanted->place);
		settle_know_all(&wanted->place);
	} else if (elsewhere && !back) {
		fairshare_save();
	}
	engine_lock();
	fairshare.place = wanted->place;
	soil_all();
	engine_unlock();
	if (elsewhere)
		info("maui: fairshare: STATDIR is now %s, and was %s", wanted->place.directory,
		     old.directory);
	wanted->place = old;
}

/* The windows follow the clock back. Those to come stay in their files. */
static void go_back(int64_t time)
{
	const struct fairshare_state *now = fairshare_to_read();
	struct fairshare_files_say say = {.newest = FAIRSHARE_NO_FILE};
	uint32_t depth = maui_fairshare_settings_of(now->windows)->depth, passed;

	for (uint32_t k = 0; k < depth && maui_fairshare_start(now->windows, k) > time; k++)
		fairshare_ahead_add(maui_fairshare_start(now->windows, k));
	info("maui: fairshare: the clock is before the current window: usage in FS.%" PRId64
	     " and other windows to come stays in %s, and counts when their time comes",
	     maui_fairshare_start(now->windows, 0), now->place.directory);
	engine_lock();
	passed = maui_fairshare_go_back(fairshare.windows, time);
	fairshare.due = 0;
	engine_unlock();
	load_windows(now->place.directory, now->windows, depth - passed, &say, &known);
}

/* Into another window. What is only in memory is on disk before a window leaves it. */
static void follow_clock(void)
{
	const struct fairshare_state *now = fairshare_to_read();
	int64_t clock = time(NULL), start;

	if (!now->windows || engine_is_shadow())
		return;
	start = maui_fairshare_start(now->windows, 0);
	if (clock >= start && clock - start < maui_fairshare_settings_of(now->windows)->interval)
		return;
	fairshare_save();
	if (clock < start && !maui_fairshare_dirty(now->windows))
		go_back(clock);
}

/* statefile_replace() makes a directory, but none above it. */
static void make_state_directory(void)
{
	char *directory;

	engine_lock();
	directory = engine_state_directory();
	engine_unlock();
	if (mkdir(directory, 0700) && errno != EEXIST)
		error("maui: %s: %s", directory, strerror(errno));
	free(directory);
}

/* Whether they are about to be written, as those without a file are. */
static bool is_due(void)
{
	bool due;

	engine_lock();
	due = fairshare.due <= monotonic_seconds();
	engine_unlock();
	return due;
}

/* For the status: it is written in this iteration. */
static void note_removed(const char *directory, int64_t start)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/FS.%" PRId64, directory, start);
	statekept_note_removed(path, time(NULL), true);
}

/* Somebody removed files while slurmctld runs: memory has what was in them. */
static void write_again(void)
{
	const struct fairshare_state *now = fairshare_to_read();
	uint32_t gone;

	if (!now->windows || engine_is_shadow() ||
	    maui_fsledger_counted(now->ledger) == INT64_MIN || is_due())
		return;
	gone = fairshare_files_missing(now->place.directory, now->windows);
	if (!gone)
		return;
	error("maui: fairshare: files of %d windows are gone from %s, and are written again from "
	      "memory. To begin windows anew, remove them while slurmctld is down",
	      __builtin_popcount(gone), now->place.directory);
	make_state_directory();
	engine_lock();
	for (uint32_t k = 0; k < maui_fairshare_settings_of(fairshare.windows)->depth; k++)
		if (gone & UINT32_C(1) << k) {
			maui_fairshare_soil(fairshare.windows, k);
			note_removed(now->place.directory,
				     maui_fairshare_start(fairshare.windows, k));
		}
	fairshare.due = fairshare.not_before = 0;
	engine_unlock();
}

static void settle_windows(void)
{
	const struct fairshare_state *now = fairshare_to_read();
	struct wanted wanted = read_wanted();

	if (now->windows && (wanted.begin_anew || wanted.settings.metric == MAUI_FS_OFF)) {
		if (!wanted.begin_anew &&
		    !engine_is_shadow()) { /* else another process has counted and saved since */
			fairshare_save();
			rsv_idle_save();
		}
		engine_lock();
		drop();
		engine_unlock();
	}
	if (wanted.settings.metric != MAUI_FS_OFF) {
		if (monotonic_seconds() >= retry_due(&now->unread.again))
			fairshare_unread_try();
		if (now->windows) {
			settle_change(&wanted);
			settle_move(&wanted);
		} else {
			settle_begin(&wanted);
		}
	}
	write_again();
	follow_clock();
	(void)fairshare_ahead_take_up(now->place.directory, now->windows);
	fairshare_place_clear(&wanted.place);
}

/* ---- writing ---- */

/* Nothing stands in for STATDIR any more. With the file a restart would add STATDIR's new windows to
 * their copies. */
static int forget_known(const char *mirror, struct maui_error *why)
{
	int rc = known_kept ? fairshare_known_drop(mirror, why) : 0;

	known_kept = rc != 0;
	return rc;
}

/* STATDIR's files are complete: copy them. */
static void copy_saved(uint32_t mask)
{
	static bool failed; /* engine's thread only */
	const struct fairshare_state *now = fairshare_to_read();
	const struct fairshare_place *place = &now->place;
	struct maui_error why = {""};
	int rc;

	if (!place->mirror)
		return;
	rc = forget_known(place->mirror, &why);
	if (!rc)
		rc = fairshare_files_copy(place->directory, place->mirror, now->windows, mask,
					  &why);
	if (rc && !failed)
		error("maui: fairshare: %s: the files in %s are not copied", why.text,
		      place->directory);
	failed = rc;
	if (!rc)
		return;
	engine_lock();
	soil_all();
	engine_unlock();
}

void fairshare_save(void)
{
	static bool failed; /* engine's thread only */
	const struct fairshare_state *now = fairshare_to_read();
	struct maui_error why = {""};
	struct maui_frozen_names names = {0};
	double begun = monotonic_seconds();
	struct fairshare_counted counted;
	size_t idle;
	uint32_t mask, waits;
	int rc;

	if (!now->windows || engine_is_shadow())
		return;
	fairshare_unread_try();
	waits = fairshare_ahead_take_up(now->place.directory, now->windows);
	engine_lock();
	idle = rsv_idle_mark();
	counted.until = maui_fsledger_counted(fairshare.ledger);
	fairshare_clock_at(fairshare.last_pass, &counted.clock);
	mask = maui_fairshare_dirty(fairshare.windows) & ~(fairshare_unread_mask() | waits);
	fairshare.due = INFINITY;
	if (counted.until != INT64_MIN)
		maui_names_freeze(in_force.names, &names);
	engine_unlock();
	if (counted.until == INT64_MIN)
		return; /* nothing counted yet: the files are right */
	rc = fairshare_files_save(now->place.directory, now->windows, mask, &counted, &names, &why);
	maui_frozen_names_clear(&names);
	engine_lock();
	fairshare.not_before = monotonic_seconds() +
			       fmax(SAVE_INTERVAL, (monotonic_seconds() - begun) * SAVE_SHARE);
	if (rc)
		fairshare.due = 0;
	else
		rsv_idle_written(idle);
	engine_unlock();
	statekept_note_write(now->place.directory, rc, why.text);
	if (rc && !failed)
		error("maui: fairshare: %s: a restart would forget usage", why.text);
	failed = rc;
	if (!rc)
		copy_saved(mask);
}

static double settle_due(double now)
{
	(void)now;
	engine_assert_locked();
	if (fairshare.unread.count)
		return fmin(fmax(fairshare.due, fairshare.not_before),
			    retry_due(&fairshare.unread.again));
	return fmax(fairshare.due, fairshare.not_before);
}

static void bind_policy(struct maui_policy *policy, const struct maui_principals *principals)
{
	(void)principals;
	engine_assert_locked();
	if (fairshare.windows)
		maui_fairshare_number(fairshare.windows, policy->config);
}

const struct module fairshare_module = {
	.adopt = fairshare_begin_anew,
	.bind = bind_policy,
	.before = settle_windows,
	.collect = fairshare_collect_used,
	.due = settle_due,
	.chore = fairshare_save,
	.saves = true,
};
