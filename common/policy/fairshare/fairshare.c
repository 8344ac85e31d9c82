/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Usage in windows: memory, rolling, charging.
 *
 * The windows are a ring by indirection: place[k] says where window k lies, so that a roll moves at
 * most 32 bytes of places and clears the arrays that start over. All places have memory, whatever
 * the depth, so that new settings never need any; the system gives pages only to those in use.
 */
#include "common/policy/fairshare/fairshare_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/bounds.h"
#include "common/util/memory.h"

#define MAX_TIME (INT64_C(1) << 53)
#define MIN_ROOM 64u

static int64_t bounded_time(int64_t time)
{
	if (time > MAX_TIME)
		return MAX_TIME;
	return time < -MAX_TIME ? -MAX_TIME : time;
}

static struct maui_fairshare_settings bounded_settings(const struct maui_fairshare_settings *given)
{
	struct maui_fairshare_settings settings = *given;

	if (settings.metric >= MAUI_FS_METRICS)
		settings.metric = MAUI_FS_OFF;
	if (settings.interval < 1)
		settings.interval = 1;
	if (settings.interval > MAUI_INFINITY)
		settings.interval = MAUI_INFINITY;
	if (settings.depth < 1)
		settings.depth = 1;
	if (settings.depth > MAUI_FS_MAX_DEPTH)
		settings.depth = MAUI_FS_MAX_DEPTH;
	if (!(settings.decay <= 1)) /* NaN, too */
		settings.decay = 1;
	if (settings.decay < 0)
		settings.decay = 0;
	return settings;
}

/* Recompute what depends on the settings. */
static void fairshare_set_weights(struct maui_fairshare *fs)
{
	for (uint32_t k = 0; k < MAUI_FS_MAX_DEPTH; k++)
		fs->weight[k] = maui_fairshare_weight(fs->settings.decay, k);
}

/* ---- memory -------------------------------------------------------------------------------- */

static void fairshare_grow(struct maui_fairshare *fs, struct fs_usage *usage, uint32_t room)
{
	size_t stride = room;
	double *block = maui_calloc(stride * (MAUI_FS_MAX_DEPTH + 1), sizeof(*block));

	for (uint32_t place = 0; place <= MAUI_FS_MAX_DEPTH; place++) {
		double *to = block + place * stride;
		double **array = place < MAUI_FS_MAX_DEPTH ? &usage->window[place] : &usage->rest;

		if (usage->room && (place == MAUI_FS_MAX_DEPTH ||
				    memchr(fs->place, (int)place, fs->settings.depth)))
			memcpy(to, *array, usage->room * sizeof(*to));
		*array = to;
	}
	free(usage->block);
	usage->block = block;
	usage->room = room;
}

int maui_fairshare_reserve(struct maui_fairshare *fs, enum maui_credential type, uint32_t count)
{
	struct fs_usage *usage;
	uint32_t room;

	if (type >= MAUI_CREDENTIALS || count == UINT32_MAX)
		return -EINVAL;
	usage = &fs->usage[type];
	if (count < usage->count)
		return 0;
	if (count >= usage->room) {
		room = usage->room < UINT32_MAX / 2 ? usage->room * 2 : UINT32_MAX;
		fairshare_grow(fs, usage, room > count ? room : count + 1);
	}
	usage->count = count + 1;
	return 0;
}

struct maui_fairshare *maui_fairshare_new(const struct maui_fairshare_settings *settings,
					  int64_t now)
{
	struct maui_fairshare *fs = maui_calloc(1, sizeof(*fs));

	fs->settings = bounded_settings(settings);
	fs->start = maui_fairshare_window(fs->settings.interval, bounded_time(now));
	for (uint32_t k = 0; k < MAUI_FS_MAX_DEPTH; k++)
		fs->place[k] = (uint8_t)k;
	fairshare_set_weights(fs);
	/* Every type has its bin (element 0) from the start. */
	for (unsigned int type = 0; type < FS_TYPES; type++) {
		fairshare_grow(fs, &fs->usage[type], type == MAUI_FS_TOTAL ? 1 : MIN_ROOM);
		fs->usage[type].count = 1;
	}
	return fs;
}

/* All arrays are in one block, in the order of their places. */
static void copy_usage(const struct fs_usage *from, struct fs_usage *to)
{
	size_t stride = from->room;

	*to = (struct fs_usage){.room = from->room, .count = from->count};
	to->block = maui_calloc(stride * (MAUI_FS_MAX_DEPTH + 1), sizeof(*to->block));
	memcpy(to->block, from->block, stride * (MAUI_FS_MAX_DEPTH + 1) * sizeof(*to->block));
	for (uint32_t place = 0; place < MAUI_FS_MAX_DEPTH; place++)
		to->window[place] = to->block + place * stride;
	to->rest = to->block + MAUI_FS_MAX_DEPTH * stride;
}

struct maui_fairshare *maui_fairshare_copy(const struct maui_fairshare *fs)
{
	struct maui_fairshare *copy = maui_malloc(1, sizeof(*copy));

	*copy = *fs;
	memset(copy->usage, 0, sizeof(copy->usage));
	for (unsigned int type = 0; type < FS_TYPES; type++)
		copy_usage(&fs->usage[type], &copy->usage[type]);
	return copy;
}

struct maui_fairshare *maui_fairshare_free(struct maui_fairshare *fs)
{
	if (!fs)
		return NULL;
	for (unsigned int type = 0; type < FS_TYPES; type++)
		free(fs->usage[type].block);
	free(fs);
	return NULL;
}

const struct maui_fairshare_settings *maui_fairshare_settings_of(const struct maui_fairshare *fs)
{
	return &fs->settings;
}

/* ---- windows ------------------------------------------------------------------------------- */

static void clear_window(struct maui_fairshare *fs, uint32_t k)
{
	for (unsigned int type = 0; type < FS_TYPES; type++)
		memset(fs_window(fs, &fs->usage[type], k), 0,
		       fs->usage[type].count * sizeof(double));
}

/*
 * The decayed sum of one element, always in the same order, so that the result does not depend on
 * how the windows got their contents.
 */
static void decay_one(const struct maui_fairshare *fs, struct fs_usage *usage, uint32_t id)
{
	double rest = 0;

	for (uint32_t k = 1; k < fs->settings.depth; k++)
		rest += fs_window(fs, usage, k)[id] * fs->weight[k];
	usage->rest[id] = rest;
}

/* The same for all elements, window by window, to walk along the arrays. */
static void fairshare_decay_all(struct maui_fairshare *fs)
{
	for (unsigned int type = 0; type < FS_TYPES; type++) {
		const struct fs_usage *usage = &fs->usage[type];
		double *restrict rest = usage->rest;

		memset(rest, 0, usage->count * sizeof(*rest));
		for (uint32_t k = 1; k < fs->settings.depth; k++) {
			const double *restrict window = fs_window(fs, usage, k);
			double weight = fs->weight[k];

			for (uint32_t id = 0; id < usage->count; id++)
				rest[id] += window[id] * weight;
		}
	}
}

/* The windows within the depth move up by one; the oldest becomes the empty current one. */
static void fairshare_roll_windows(struct maui_fairshare *fs)
{
	uint32_t depth = fs->settings.depth;
	uint8_t oldest = fs->place[depth - 1];

	memmove(fs->place + 1, fs->place, depth - 1);
	fs->place[0] = oldest;
	fs->dirty = (uint32_t)(((uint64_t)fs->dirty << 1) & ((UINT64_C(1) << depth) - 1));
	clear_window(fs, 0);
}

uint32_t maui_fairshare_advance(struct maui_fairshare *fs, int64_t now)
{
	int64_t window = maui_fairshare_window(fs->settings.interval, bounded_time(now));
	int64_t passed;

	if (window <= fs->start)
		return 0;
	passed = (window - fs->start) / fs->settings.interval;
	if (passed > fs->settings.depth)
		passed = fs->settings.depth;
	for (int64_t i = 0; i < passed; i++)
		fairshare_roll_windows(fs);
	fs->start = window;
	fairshare_decay_all(fs);
	return (uint32_t)passed;
}

static void roll_back(struct maui_fairshare *fs)
{
	uint32_t depth = fs->settings.depth;
	uint8_t newest = fs->place[0];

	memmove(fs->place, fs->place + 1, depth - 1);
	fs->place[depth - 1] = newest;
	fs->dirty >>= 1;
	clear_window(fs, depth - 1);
}

uint32_t maui_fairshare_go_back(struct maui_fairshare *fs, int64_t now)
{
	int64_t window = maui_fairshare_window(fs->settings.interval, bounded_time(now));
	int64_t passed;

	if (window >= fs->start)
		return 0;
	passed = (fs->start - window) / fs->settings.interval;
	if (passed > fs->settings.depth)
		passed = fs->settings.depth;
	for (int64_t i = 0; i < passed; i++)
		roll_back(fs);
	fs->start = window;
	fairshare_decay_all(fs);
	return (uint32_t)passed;
}

int64_t maui_fairshare_start(const struct maui_fairshare *fs, uint32_t k)
{
	return fs->start - (int64_t)k * fs->settings.interval;
}

uint32_t maui_fairshare_dirty(const struct maui_fairshare *fs)
{
	return fs->dirty;
}

void maui_fairshare_clean(struct maui_fairshare *fs, uint32_t k)
{
	if (k < fs->settings.depth)
		fs->dirty &= ~(UINT32_C(1) << k);
}

void maui_fairshare_soil(struct maui_fairshare *fs, uint32_t k)
{
	if (k < fs->settings.depth)
		fs->dirty |= UINT32_C(1) << k;
}

/* ---- charging ------------------------------------------------------------------------------ */

static inline void fairshare_add(struct maui_fairshare *fs,
				 const uint32_t credential[MAUI_CREDENTIALS], double amount,
				 uint32_t k)
{
	double *total = fs_window(fs, &fs->usage[MAUI_FS_TOTAL], k);

	*total = maui_amount(*total + amount);
	for (unsigned int type = 0; type < MAUI_CREDENTIALS; type++) {
		const struct fs_usage *usage = &fs->usage[type];
		uint32_t id = credential[type] < usage->count ? credential[type] : 0;
		double *one = fs_window(fs, usage, k) + id;

		*one = maui_amount(*one + amount);
	}
	fs->dirty |= UINT32_C(1) << k;
}

static void add_to_older(struct maui_fairshare *fs, const uint32_t credential[MAUI_CREDENTIALS],
			 double amount, uint32_t k)
{
	fairshare_add(fs, credential, amount, k);
	for (unsigned int type = 0; type < MAUI_CREDENTIALS; type++)
		if (fs_keeps(fs, type, credential[type]))
			decay_one(fs, &fs->usage[type], credential[type]);
	decay_one(fs, &fs->usage[MAUI_FS_TOTAL], FS_TOTAL_ID);
}

/* Charge time that begins before the current window: shared out from the newest to the oldest. */
static void charge_older(struct maui_fairshare *fs, const uint32_t credential[MAUI_CREDENTIALS],
			 double rate, int64_t from, int64_t to)
{
	if (to > fs->start)
		fairshare_add(fs, credential, maui_bounded(rate * (double)(to - fs->start)), 0);
	for (uint32_t k = 1; k < fs->settings.depth; k++) {
		int64_t begin = maui_fairshare_start(fs, k), end = begin + fs->settings.interval;

		if (from > begin)
			begin = from;
		if (to < end)
			end = to;
		if (end > begin)
			add_to_older(fs, credential, maui_bounded(rate * (double)(end - begin)), k);
	}
}

void maui_fairshare_charge(struct maui_fairshare *fs, const uint32_t credential[MAUI_CREDENTIALS],
			   double rate, int64_t from, int64_t to)
{
	from = bounded_time(from);
	to = bounded_time(to);
	if (to <= from || !(rate > 0) || fs->settings.metric == MAUI_FS_OFF)
		return;
	if (from >= fs->start)
		fairshare_add(fs, credential, maui_amount(rate * (double)(to - from)), 0);
	else
		charge_older(fs, credential, rate, from, to);
}

void maui_fairshare_correct(struct maui_fairshare *fs, const uint32_t credential[MAUI_CREDENTIALS],
			    double amount, int64_t from, int64_t to)
{
	double rate;

	from = bounded_time(from);
	to = bounded_time(to);
	amount = maui_bounded(amount);
	if (to <= from || amount == 0 || fs->settings.metric == MAUI_FS_OFF)
		return;
	rate = amount / (double)(to - from);
	if (from >= fs->start)
		fairshare_add(fs, credential, amount, 0);
	else
		charge_older(fs, credential, rate, from, to);
}

/* ---- single values ------------------------------------------------------------------------- */

void maui_fairshare_set(struct maui_fairshare *fs, enum maui_credential type, uint32_t id,
			uint32_t k, double usage)
{
	if (k >= fs->settings.depth || !fs_keeps(fs, type, id))
		return;
	fs_window(fs, &fs->usage[type], k)[id] = maui_amount(usage);
	if (k)
		decay_one(fs, &fs->usage[type], id);
}

void maui_fairshare_clear(struct maui_fairshare *fs, uint32_t k)
{
	if (k >= fs->settings.depth)
		return;
	clear_window(fs, k);
	if (k)
		fairshare_decay_all(fs);
}

double maui_fairshare_usage(const struct maui_fairshare *fs, enum maui_credential type, uint32_t id,
			    uint32_t k)
{
	if (k >= fs->settings.depth || !fs_keeps(fs, type, id))
		return 0;
	return fs_window(fs, &fs->usage[type], k)[id];
}

double maui_fairshare_rest(const struct maui_fairshare *fs, enum maui_credential type, uint32_t id)
{
	return fs_keeps(fs, type, id) ? fs->usage[type].rest[id] : 0;
}

double maui_fairshare_sum(const struct maui_fairshare *fs, enum maui_credential type, uint32_t id)
{
	if (!fs_keeps(fs, type, id))
		return 0;
	return fs_window(fs, &fs->usage[type], 0)[id] + fs->usage[type].rest[id];
}

double maui_fairshare_percent_of(const struct maui_fairshare *fs, enum maui_credential type,
				 uint32_t id, double total)
{
	/* Clamped: a total may be so small that the quotient is infinite. */
	return total > 0 ? maui_amount(maui_fairshare_sum(fs, type, id) / total * 100) : 0;
}

double maui_fairshare_percent(const struct maui_fairshare *fs, enum maui_credential type,
			      uint32_t id)
{
	return maui_fairshare_percent_of(fs, type, id,
					 maui_fairshare_sum(fs, MAUI_FS_TOTAL, FS_TOTAL_ID));
}

/* ---- other settings ------------------------------------------------------------------------ */

static unsigned int fairshare_compare(const struct maui_fairshare_settings *old,
				      const struct maui_fairshare_settings *new)
{
	bool metric = old->metric != new->metric || strcmp(old->gres_name, new->gres_name) != 0;

	return (metric ? MAUI_FS_CHANGED_METRIC : 0) |
	       (old->ratio != new->ratio ? MAUI_FS_CHANGED_RATIO : 0) |
	       (old->decay != new->decay ? MAUI_FS_CHANGED_DECAY : 0) |
	       (old->depth != new->depth ? MAUI_FS_CHANGED_DEPTH : 0) |
	       (old->interval != new->interval ? MAUI_FS_CHANGED_INTERVAL : 0);
}

unsigned int maui_fairshare_change(struct maui_fairshare *fs,
				   const struct maui_fairshare_settings *settings, int64_t now,
				   uint32_t *ret_load)
{
	struct maui_fairshare_settings new = bounded_settings(settings);
	unsigned int changes = fairshare_compare(&fs->settings, &new);
	uint32_t keep = new.depth; /* windows to keep */

	if (changes & MAUI_FS_CHANGED_INTERVAL) {
		keep = 0;
		fs->start = maui_fairshare_window(new.interval, bounded_time(now));
	} else if (changes & MAUI_FS_CHANGED_METRIC) {
		keep = 0;
	} else if (fs->settings.depth < new.depth) {
		keep = fs->settings.depth;
	}
	fs->settings = new;
	/* The places past the old depth hold what rolled out when the depth was greater. */
	for (uint32_t k = keep; k < new.depth; k++)
		clear_window(fs, k);
	fs->dirty &= (uint32_t)((UINT64_C(1) << keep) - 1);
	fairshare_set_weights(fs);
	fairshare_decay_all(fs);
	if (ret_load)
		*ret_load = keep;
	return changes;
}
