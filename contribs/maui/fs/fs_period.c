/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds up FS files that overlap the period, each by its share of time, and
 * lists gaps, damaged files and files of another metric.
 */
#include "contribs/maui/fs/fs_period.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "common/util/memory.h"
#include "contribs/maui/fs/fs_directory.h"
#include "contribs/maui/lib/command.h"
#include "contribs/maui/lib/text.h"

/* A window that is longer, of another FSINTERVAL, and begins before is not found: it is a gap. */
#define LONGEST (INT64_C(31) * 86400)

struct reading {
	const struct fs_site *site;
	struct fs_directory directory;
	int64_t now;
	struct fs_usage usage; /* of one file */
	struct fs_period *period;
	size_t rooms[MAUI_CREDENTIALS]; /* of period->amount */
	struct maui_fs_span *windows;   /* which files there are for, sound or not */
	size_t window_count, window_room;
};

static void add_lack(struct fs_period *period, struct maui_fs_span span, char *why)
{
	period->lacks = maui_grow(period->lacks, period->lack_count + 1, &period->lack_room,
				  sizeof(*period->lacks));
	period->lacks[period->lack_count++] =
		(struct fs_lack){maui_fs_span_common(span, period->span), why};
}

/* ---- one window ---------------------------------------------------------------------------- */

/*
 * How far it is counted. The engine begins a window when the one before is complete, and writes a
 * file of this only if something has changed: so the time in it may be earlier.
 */
static int64_t counted_until(const struct reading *reading, struct maui_fs_span window,
			     const struct maui_fairshare_file *file)
{
	int64_t newest = reading->directory.starts[reading->directory.count - 1];
	int64_t end = window.end < reading->now ? window.end : reading->now;
	int64_t until = file->counted == MAUI_FS_NOT_SAID ? end : file->counted;

	if (until > end || (window.end <= reading->now && newest >= window.end))
		return end;
	return until > window.start ? until : window.start + 1;
}

/* For all names that have been seen. */
static void make_room(struct reading *reading)
{
	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		reading->period->amount[type] =
			maui_grow_zeroed(reading->period->amount[type],
					 maui_intern_count(reading->usage.names[type]) + (size_t)1,
					 &reading->rooms[type], sizeof(double));
}

static void add_amounts(struct reading *reading, double share)
{
	make_room(reading);
	for (int type = 0; type < MAUI_CREDENTIALS; type++) {
		double *amount = reading->period->amount[type];
		uint32_t last = maui_intern_count(reading->usage.names[type]);

		for (uint32_t id = 1; id <= last; id++)
			amount[id] +=
				share * maui_fairshare_usage(reading->usage.windows, type, id, 0);
	}
}

static void add_window(struct reading *reading, struct maui_fs_span window,
		       const struct maui_fairshare_file *file)
{
	struct fs_period *period = reading->period;
	struct maui_fs_span counted = {window.start, counted_until(reading, window, file)};
	double usage = maui_fairshare_usage(reading->usage.windows, MAUI_FS_TOTAL, 0, 0);
	double share = maui_fs_span_share(counted, period->span);
	int64_t until = maui_fs_span_common(counted, period->span).end;

	period->total += share * usage;
	if (until > period->until)
		period->until = until;
	add_amounts(reading, share);
	if (share < 1 && usage > 0) {
		period->shared = maui_grow(period->shared, period->shared_count + 1,
					   &period->shared_room, sizeof(*period->shared));
		period->shared[period->shared_count++] =
			(struct fs_shared){counted, usage, share * usage};
	}
	/* What is still to be counted of a window that is running is not lacking. */
	if (window.end <= reading->now)
		window.end = counted.end;
	reading->windows[reading->window_count - 1] = window;
}

static bool fs_period_concerns(const struct reading *reading, struct maui_fs_span window)
{
	return !maui_fs_span_is_empty(maui_fs_span_common(window, reading->period->span));
}

static void read_window(struct reading *reading, int64_t start)
{
	struct maui_fs_span window = {start, start + reading->site->settings.interval};
	struct maui_fairshare_file file = {.counted = MAUI_FS_NOT_SAID};
	struct fs_period *period = reading->period;
	struct maui_error error;
	int rc;

	maui_fairshare_clear(reading->usage.windows, 0);
	rc = fs_usage_load(&reading->usage, reading->directory.path, start, 0, &file, &error);
	if (rc == -ENOENT) /* it has just been removed */
		return;
	if (!rc && file.duration)
		window.end = start + file.duration;
	if (!fs_period_concerns(reading, window))
		return;
	reading->windows = maui_grow(reading->windows, reading->window_count + 1,
				     &reading->window_room, sizeof(*reading->windows));
	reading->windows[reading->window_count++] = window;
	if (rc) {
		period->failed = true;
		add_lack(period, window,
			 text_printf("FS.%" PRId64 " is %s: %s", start, fs_usage_fault(rc),
				     error.text));
	} else if (fs_site_counts_other(reading->site, &file)) {
		add_lack(period, window,
			 text_printf("FS.%" PRId64 " counts %s, and FSPOLICY is another", start,
				     file.metric));
	} else {
		add_window(reading, window, &file);
	}
}

/* ---- all of them --------------------------------------------------------------------------- */

static void read_windows(struct reading *reading)
{
	const struct fs_directory *directory = &reading->directory;
	int64_t interval = reading->site->settings.interval;
	int64_t first = reading->period->span.start - (interval > LONGEST ? interval : LONGEST);

	for (size_t i = 0; i < directory->count; i++)
		if (directory->starts[i] > first &&
		    directory->starts[i] < reading->period->span.end)
			read_window(reading, directory->starts[i]);
}

/* FS.<start>.damaged, FS.<start>.<metric>: what the engine has put by. It writes FS.<start>.new. */
static void find_put_by(struct reading *reading)
{
	const struct fs_directory *directory = &reading->directory;

	for (size_t i = 0; i < directory->other_count; i++) {
		const char *name = directory->others[i], *dot = strrchr(name, '.');
		struct maui_fs_span window;
		char file[FS_NAME_SIZE];

		if (!dot || dot == name || !strcmp(dot, ".new") ||
		    (size_t)(dot - name) >= FS_NAME_SIZE)
			continue;
		snprintf(file, sizeof(file), "%.*s", (int)(dot - name), name);
		if (!fs_file_start(file, &window.start))
			continue;
		window.end = window.start + reading->site->settings.interval;
		if (fs_period_concerns(reading, window))
			add_lack(reading->period, window,
				 text_printf("%s has usage of this window, which does not count",
					     name));
	}
}

static void find_gaps(struct reading *reading)
{
	struct maui_fs_span *gaps = maui_calloc(reading->window_count + 1, sizeof(*gaps));
	size_t count = maui_fs_span_gaps(reading->windows, reading->window_count,
					 reading->period->span, gaps);

	for (size_t i = 0; i < count; i++)
		add_lack(reading->period, gaps[i], text_copy("no file has it"));
	free(gaps);
}

static int by_start(const void *a, const void *b)
{
	const struct fs_lack *x = a, *y = b;
	int order = (x->span.start > y->span.start) - (x->span.start < y->span.start);

	return order ? order : strcmp(x->why, y->why);
}

int fs_period_read(const struct fs_site *site, const char *directory, struct maui_fs_span span,
		   int64_t now, struct fs_period *ret_period, struct maui_error *error)
{
	struct maui_fairshare_settings settings = site->settings;
	struct reading reading = {.site = site, .now = now, .period = ret_period};
	int rc = fs_directory_read(directory, &reading.directory, error);

	if (rc)
		return rc;
	*ret_period = (struct fs_period){.span = span, .until = span.start};
	settings.depth = 1;
	fs_usage_new(&settings, now, &reading.usage);
	read_windows(&reading);
	make_room(&reading); /* names that only files which do not count have */
	find_put_by(&reading);
	find_gaps(&reading);
	if (ret_period->lack_count)
		qsort(ret_period->lacks, ret_period->lack_count, sizeof(*ret_period->lacks),
		      by_start);
	for (int type = 0; type < MAUI_CREDENTIALS; type++) {
		ret_period->names[type] = reading.usage.names[type];
		reading.usage.names[type] = NULL;
	}
	fs_usage_clear(&reading.usage);
	fs_directory_clear(&reading.directory);
	free(reading.windows);
	return 0;
}

void fs_period_clear(struct fs_period *period)
{
	for (int type = 0; type < MAUI_CREDENTIALS; type++) {
		maui_intern_free(period->names[type]);
		free(period->amount[type]);
	}
	for (size_t i = 0; i < period->lack_count; i++)
		free(period->lacks[i].why);
	free(period->lacks);
	free(period->shared);
	*period = (struct fs_period){0};
}
