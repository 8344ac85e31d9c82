/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writing FS.<begin>. */
#include "common/policy/fairshare/fairshare_file.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/policy/fairshare/fairshare_private.h"
#include "common/util/grow.h"
#include "common/util/memory.h"
#include "common/util/text.h"

#define LINE_SIZE (MAUI_FS_NAME_SIZE + 64) /* the longest line */

static const char *const words[FS_TYPES] = {
	[MAUI_USER] = "User", [MAUI_GROUP] = "Group", [MAUI_ACCOUNT] = "Account",
	[MAUI_QOS] = "QOS",   [MAUI_CLASS] = "Class", [MAUI_FS_TOTAL] = "TOTAL",
};

/* Growable text. */
struct text {
	char *bytes;
	size_t size, room;
};

static void __attribute__((format(printf, 2, 3)))
fairshare_file_write_put(struct text *text, const char *format, ...)
{
	va_list arguments;
	int length;

	text->bytes = maui_grow(text->bytes, text->size + LINE_SIZE, &text->room, 1);
	va_start(arguments, format);
	length = vsnprintf(text->bytes + text->size, LINE_SIZE, format, arguments);
	va_end(arguments);
	if (length > 0)
		text->size += length < LINE_SIZE ? (size_t)length : LINE_SIZE - 1;
}

/*
 * Usage with three decimals as two whole numbers, so that printing it does not depend on the
 * locale.
 */
struct milli {
	int64_t whole, rest;
};

static struct milli to_milli(double usage)
{
	double whole = floor(usage);
	struct milli milli = {(int64_t)whole, (int64_t)lround((usage - whole) * 1000)};

	if (milli.rest == 1000)
		milli = (struct milli){milli.whole + 1, 0};
	return milli;
}

struct entry {
	const char *name;
	struct milli usage;
};

static int by_name(const void *a, const void *b)
{
	const struct entry *left = a, *right = b;

	return strcmp(left->name, right->name);
}

/* The name as one word of a line; the number of its bytes, 0 if it is too long. */
static size_t write_name(const char *name, char word[MAUI_FS_NAME_SIZE])
{
	size_t size = 0;

	for (const char *at = name; *at; at++) {
		bool escaped = maui_fs_is_escaped(*at) || (*at == '\\' && maui_is_digit(at[1]));

		if (size + (escaped ? 4 : 1) >= MAUI_FS_NAME_SIZE)
			return 0;
		if (escaped)
			size += (size_t)sprintf(word + size, "\\%03o", (unsigned char)*at);
		else
			word[size++] = *at;
	}
	word[size] = '\0';
	return size;
}

static size_t fairshare_file_write_collect(const struct maui_fairshare *fs,
					   enum maui_credential type, uint32_t k,
					   const struct maui_fairshare_output *output,
					   struct entry *entries, size_t *skipped)
{
	char word[MAUI_FS_NAME_SIZE];
	size_t count = 0;

	for (uint32_t id = 1; id < fs->usage[type].count; id++) {
		struct milli usage = to_milli(maui_fairshare_usage(fs, type, id, k));
		const char *name;

		if (!usage.whole && !usage.rest)
			continue;
		name = output->name ? output->name(output->context, type, id) : NULL;
		if (name && write_name(name, word))
			entries[count++] = (struct entry){name, usage};
		else
			++*skipped;
	}
	qsort(entries, count, sizeof(*entries), by_name);
	return count;
}

static size_t put_type(const struct maui_fairshare *fs, enum maui_credential type, uint32_t k,
		       const struct maui_fairshare_output *output, struct text *text,
		       size_t *skipped)
{
	struct entry *entries = maui_calloc(fs->usage[type].count, sizeof(*entries));
	char word[MAUI_FS_NAME_SIZE];
	size_t count = fairshare_file_write_collect(fs, type, k, output, entries, skipped);

	for (size_t i = 0; i < count; i++) {
		write_name(entries[i].name, word);
		fairshare_file_write_put(text, "%s %s %" PRId64 ".%03" PRId64 "\n", words[type],
					 word, entries[i].usage.whole, entries[i].usage.rest);
	}
	free(entries);
	return count;
}

int maui_fairshare_file_write(const struct maui_fairshare *fs, uint32_t k,
			      const struct maui_fairshare_output *output, char **ret_text,
			      size_t *ret_size, size_t *ret_skipped)
{
	struct milli total = to_milli(maui_fairshare_usage(fs, MAUI_FS_TOTAL, FS_TOTAL_ID, k));
	struct text text = {0};
	size_t entries = 1, skipped = 0;

	if (k >= fs->settings.depth)
		return -EINVAL;
	fairshare_file_write_put(
		&text, "# Fairshare Data File (Duration: %6" PRId64 " Seconds) Starting: %.64s\n",
		fs->settings.interval, output->starting ? output->starting : "?");
	if (output->metric && *output->metric)
		fairshare_file_write_put(&text, "# Metric: %.*s\n", MAUI_FS_METRIC_SIZE,
					 output->metric);
	if (output->counted != MAUI_FS_NOT_SAID)
		fairshare_file_write_put(&text, "# Counted until: %" PRId64 "\n", output->counted);
	if (*output->clock.boot)
		fairshare_file_write_put(&text, "# Steady clock: %" PRId64 " ms %.*s\n",
					 output->clock.milliseconds, MAUI_FS_BOOT_SIZE,
					 output->clock.boot);
	fairshare_file_write_put(&text, "\n");
	for (unsigned int type = 0; type < MAUI_CREDENTIALS; type++)
		entries += put_type(fs, type, k, output, &text, &skipped);
	fairshare_file_write_put(&text, "%s %" PRId64 ".%03" PRId64 "\n", words[MAUI_FS_TOTAL],
				 total.whole, total.rest);
	fairshare_file_write_put(&text, "# End: %zu\n", entries);
	*ret_text = text.bytes;
	*ret_size = text.size;
	if (ret_skipped)
		*ret_skipped = skipped;
	return 0;
}

static const char *name_of(const char *names, int number, int count)
{
	return number >= 0 && number < count ? names + (ptrdiff_t)number * 3 : "???";
}

/* Overwrite two characters with a number. */
static void put_number(char *text, int number, char pad)
{
	bool shown = number >= 0 && number <= 99;

	text[0] = shown ? (char)('0' + number / 10) : '?';
	text[1] = shown ? (char)('0' + number % 10) : '?';
	if (shown && number < 10)
		text[0] = pad;
}

const char *maui_fairshare_file_date(const struct tm *date, char text[MAUI_FS_DATE_SIZE])
{
	memcpy(text, "??? ??? ?? ??:??:??", MAUI_FS_DATE_SIZE);
	memcpy(text, name_of("SunMonTueWedThuFriSat", date->tm_wday, 7), 3);
	memcpy(text + 4, name_of("JanFebMarAprMayJunJulAugSepOctNovDec", date->tm_mon, 12), 3);
	put_number(text + 8, date->tm_mday, ' ');
	put_number(text + 11, date->tm_hour, '0');
	put_number(text + 14, date->tm_min, '0');
	put_number(text + 17, date->tm_sec, '0');
	return text;
}
