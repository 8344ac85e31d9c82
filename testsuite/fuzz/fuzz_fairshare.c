/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as a fairshare file: rejected with a reason, or usage that survives being written and
 * read again. After a leading NUL, which no file may contain, the bytes are what happens to windows
 * instead: time, usage and new settings in any order, after which no number may be what fairshare.h
 * excludes.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/policy/fairshare/fairshare_file.h"
#include "common/util/intern.h"
#include "testsuite/fuzz/require.h"

/* ---- files --------------------------------------------------------------------------------- */

struct window {
	struct maui_fairshare *fs;
	struct maui_intern *names[MAUI_CREDENTIALS];
	size_t entries;
	const char *metric; /* to write */
};

static void window_open(struct window *window, int64_t interval)
{
	struct maui_fairshare_settings settings = {
		.metric = MAUI_FS_DEDICATEDPS, .interval = interval, .depth = 1, .decay = 1};

	memset(window, 0, sizeof(*window));
	window->fs = maui_fairshare_new(&settings, 0);
	REQUIRE(window->fs);
	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		REQUIRE((window->names[type] = maui_intern_new()));
}

static void window_close(struct window *window)
{
	maui_fairshare_free(window->fs);
	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		maui_intern_free(window->names[type]);
}

static int take(void *context, enum maui_credential type, const char *name, double usage)
{
	struct window *window = context;
	uint32_t id = 0;

	window->entries++;
	REQUIRE(isfinite(usage) && usage >= 0 && usage <= 1e18 && !signbit(usage));
	REQUIRE(strlen(name) < MAUI_FS_NAME_SIZE);
	if (type != MAUI_FS_TOTAL) {
		REQUIRE(type < MAUI_CREDENTIALS && *name && !strpbrk(name, " \t\r\n#"));
		id = maui_intern_add(window->names[type], name);
		REQUIRE(!maui_fairshare_reserve(window->fs, type, id));
	}
	maui_fairshare_set(window->fs, type, id, 0, usage);
	return 0;
}

static const char *name_of(void *context, enum maui_credential type, uint32_t id)
{
	const struct window *window = context;

	return maui_intern_name(window->names[type], id);
}

static size_t write_window(struct window *window, int64_t counted, char **ret_text,
			   size_t *ret_skipped)
{
	struct maui_fairshare_output output = {.starting = "Fri Aug 18 18:00:00",
					       .metric = window->metric,
					       .counted = counted,
					       .name = name_of,
					       .context = window};
	size_t size;

	REQUIRE(!maui_fairshare_file_write(window->fs, 0, &output, ret_text, &size, ret_skipped));
	return size;
}

/* What was read is written, read and written again: the text and what it says must be the same. */
static void check_again(struct window *window, const struct maui_fairshare_file *file)
{
	struct maui_fairshare_file again;
	struct maui_error error = {""};
	struct window second;
	char *text, *text_again;
	size_t skipped, size, skipped_again;

	window->metric = file->metric;
	size = write_window(window, file->counted, &text, &skipped);
	window_open(&second, maui_fairshare_settings_of(window->fs)->interval);
	REQUIRE(!maui_fairshare_file_read(text, size, take, &second, &again, &error));
	REQUIRE(again.dialect == MAUI_FS_MANUAL && again.has_total && !again.unknown);
	REQUIRE(again.counted == file->counted);
	REQUIRE(!strcmp(again.metric, file->metric));
	second.metric = again.metric;
	REQUIRE(again.duration == maui_fairshare_settings_of(window->fs)->interval);
	REQUIRE(write_window(&second, again.counted, &text_again, &skipped_again) == size);
	REQUIRE(!memcmp(text, text_again, size) && !skipped_again);
	/* Truncated anywhere, it is either rejected or still complete. */
	for (size_t cut = 0; size < 512 && cut < size; cut++)
		REQUIRE(maui_fairshare_file_read(text, cut, NULL, NULL, NULL, NULL) == -EINVAL ||
			(file->counted == MAUI_FS_NOT_SAID && cut + 16 > size));
	window_close(&second);
	free(text);
	free(text_again);
}

static void try_file(const char *text, size_t size)
{
	struct maui_fairshare_file file = {.counted = -77};
	struct maui_error error = {""};
	struct window window;
	int rc;

	window_open(&window, 3600);
	rc = maui_fairshare_file_read(text, size, take, &window, &file, &error);
	REQUIRE(rc == 0 || rc == -EINVAL || rc == -ENOTSUP); /* of a later version, D-SYS-13 */
	REQUIRE(!rc == !*error.text);
	if (rc) {
		REQUIRE(!window.entries && file.counted == -77);
		REQUIRE(rc == -ENOTSUP || !strncmp(error.text, "line ", 5));
	} else {
		REQUIRE(window.entries == file.entries && file.duration >= 0);
		check_again(&window, &file);
	}
	window_close(&window);
}

/* ---- windows ------------------------------------------------------------------------------- */

struct bytes {
	const uint8_t *data;
	size_t size;
};

static uint8_t next(struct bytes *bytes)
{
	if (!bytes->size)
		return 0;
	bytes->size--;
	return *bytes->data++;
}

/* A number of any size, often a sensible one. */
static int64_t number(struct bytes *bytes)
{
	uint8_t kind = next(bytes);
	uint64_t value = 0;

	for (int i = 0; i < (kind & 7) + 1; i++)
		value = value << 8 | next(bytes);
	return (int64_t)(kind & 8 ? 0 - value : value);
}

static double real(struct bytes *bytes)
{
	uint8_t kind = next(bytes);
	uint64_t bits = 0;
	double value;

	if (kind & 1)
		return (double)number(bytes) / 16;
	for (int i = 0; i < 8; i++)
		bits = bits << 8 | next(bytes);
	memcpy(&value, &bits, sizeof(value));
	return value;
}

static void settings_from(struct bytes *bytes, struct maui_fairshare_settings *settings)
{
	settings->metric = next(bytes) % (MAUI_FS_METRICS + 1);
	snprintf(settings->gres_name, sizeof(settings->gres_name), "%s",
		 settings->metric == MAUI_FS_DEDICATEDGRES ? "gpu" : "");
	settings->ratio = next(bytes) & 1;
	settings->interval = number(bytes);
	settings->depth = next(bytes) & 63;
	settings->decay = real(bytes);
}

static bool sound(double value)
{
	return value >= 0 && value <= 4e19;
}

static void check_windows(const struct maui_fairshare *fs)
{
	const struct maui_fairshare_settings *settings = maui_fairshare_settings_of(fs);

	REQUIRE(settings->depth >= 1 && settings->depth <= MAUI_FS_MAX_DEPTH);
	REQUIRE(settings->decay >= 0 && settings->decay <= 1 && settings->interval >= 1);
	REQUIRE(!((uint64_t)maui_fairshare_dirty(fs) >> settings->depth));
	for (unsigned int type = 0; type <= MAUI_FS_TOTAL; type++)
		for (uint32_t id = 0; id < 5; id++) {
			double rest = 0;

			for (uint32_t k = 1; k < settings->depth; k++)
				rest += maui_fairshare_usage(fs, type, id, k) *
					maui_fairshare_weight(settings->decay, k);
			REQUIRE(sound(maui_fairshare_usage(fs, type, id, 0)) && sound(rest));
			REQUIRE(fabs(maui_fairshare_rest(fs, type, id) - rest) <= 1e-9 * rest);
			REQUIRE(sound(maui_fairshare_sum(fs, type, id)));
			REQUIRE(maui_fairshare_percent(fs, type, id) >= 0);
			REQUIRE(isfinite(maui_fairshare_percent(fs, type, id)));
			REQUIRE((type != MAUI_FS_TOTAL && id) || (type == MAUI_FS_TOTAL && !id) ||
				!maui_fairshare_sum(fs, type, id));
		}
}

static void check_cap(struct bytes *bytes, const struct maui_fairshare *fs,
		      const uint32_t ids[MAUI_CREDENTIALS])
{
	struct maui_priority_credential credentials[256] = {{0}};
	struct maui_priority_tables tables = {0};
	struct maui_fairshare_verdict verdict;
	double factor[256];
	bool blocked;

	for (int type = 0; type < MAUI_CREDENTIALS; type++) {
		credentials[ids[type]].fs_target =
			(struct maui_fstarget){real(bytes), next(bytes) % 6};
		tables.credential[type] = credentials;
	}
	blocked = maui_fairshare_cap(fs, &tables, ids, real(bytes), &verdict);
	REQUIRE(blocked == verdict.blocked);
	REQUIRE(blocked == maui_fairshare_cap(fs, &tables, ids, verdict.blocked ? 1e18 : 0, NULL) ||
		!blocked);
	if (blocked)
		REQUIRE(verdict.until > maui_fairshare_start(fs, 0) && verdict.usage >= 0 &&
			isfinite(verdict.usage) && isfinite(verdict.request));
	maui_fairshare_factors(fs, next(bytes) % MAUI_CREDENTIALS, credentials, 256, factor);
	REQUIRE(factor[0] == 0);
	for (int i = 0; i < 256; i++)
		REQUIRE(isfinite(factor[i]));
}

static void step(struct bytes *bytes, struct maui_fairshare *fs)
{
	struct maui_fairshare_settings settings;
	uint32_t ids[MAUI_CREDENTIALS], load;
	int64_t from;

	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		ids[type] = next(bytes);
	switch (next(bytes) % 7) {
	case 0:
		from = number(bytes);
		maui_fairshare_charge(fs, ids, real(bytes), from, number(bytes));
		break;
	case 1:
		from = number(bytes);
		maui_fairshare_correct(fs, ids, real(bytes), from, number(bytes));
		break;
	case 2:
		REQUIRE(maui_fairshare_advance(fs, number(bytes)) <=
			maui_fairshare_settings_of(fs)->depth);
		break;
	case 3:
		settings_from(bytes, &settings);
		maui_fairshare_change(fs, &settings, number(bytes), &load);
		REQUIRE(load <= maui_fairshare_settings_of(fs)->depth);
		break;
	case 4:
		maui_fairshare_set(fs, ids[0], ids[1], ids[2], real(bytes));
		break;
	case 5:
		REQUIRE(!maui_fairshare_reserve(fs, ids[0] % MAUI_CREDENTIALS, ids[1]));
		break;
	default:
		check_cap(bytes, fs, ids);
		break;
	}
}

static void try_windows(struct bytes bytes)
{
	struct maui_fairshare_settings settings;
	struct maui_fairshare *fs;

	settings_from(&bytes, &settings);
	fs = maui_fairshare_new(&settings, number(&bytes));
	REQUIRE(fs);
	while (bytes.size) {
		step(&bytes, fs);
		check_windows(fs);
	}
	maui_fairshare_free(fs);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size && !*data)
		try_windows((struct bytes){data + 1, size - 1});
	else
		try_file(size ? (const char *)data : "", size);
	return 0;
}
