/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading FS.<begin>: one pass to check it and, if it is sound, a second one to report it. */
#include <errno.h>
#include <string.h>

#include "common/policy/fairshare/fairshare_file.h"
#include "common/util/bounds.h"
#include "common/util/decimal.h"
#include "common/util/file_version.h"
#include "common/util/text.h"

#define NUMBER_SIZE 64 /* the largest allowed, with room for a fraction */
#define VERSION_1   "# Fairshare Data File\n"
#define MAX_WORDS   4 /* one more than any line has */

static const struct {
	const char *word;
	unsigned int type;
} types[] = {
	{"user", MAUI_USER},      {"group", MAUI_GROUP},    {"account", MAUI_ACCOUNT},
	{"acct", MAUI_ACCOUNT},   {"qos", MAUI_QOS},        {"class", MAUI_CLASS},
	{"total", MAUI_FS_TOTAL}, {"sched", MAUI_FS_TOTAL},
};
#define TYPE_COUNT (sizeof(types) / sizeof(types[0]))

struct word {
	const char *text;
	size_t size;
};

struct reading {
	maui_fairshare_visitor *visit; /* NULL in the first pass */
	void *context;
	struct maui_fairshare_file file;
	struct maui_error *error;
	size_t number;    /* of the line, from 1 */
	const char *line; /* where it begins, for columns */
	bool begun;       /* a nonblank line was seen */
	bool ended;       /* "# End:" was seen */
};

static int damaged(struct reading *reading, const char *at, const char *what)
{
	return maui_error_set(reading->error, EINVAL, "line %zu, column %zu: %s", reading->number,
			      (size_t)(at - reading->line) + 1, what);
}

/* ---- words --------------------------------------------------------------------------------- */

static struct word next_word(struct word *rest)
{
	struct word word;

	while (rest->size && maui_is_blank(*rest->text)) {
		rest->text++;
		rest->size--;
	}
	word.text = rest->text;
	while (rest->size && !maui_is_blank(*rest->text)) {
		rest->text++;
		rest->size--;
	}
	word.size = (size_t)(rest->text - word.text);
	return word;
}

/*
 * Whether the rest begins with these words, with any number of blanks between them; if so, skip
 * them.
 */
static bool take_words(struct word *rest, const char *const words[])
{
	struct word at = *rest;

	for (size_t i = 0; words[i]; i++) {
		struct word word = next_word(&at);

		if (!maui_equals(word.text, word.size, words[i]))
			return false;
	}
	*rest = at;
	return true;
}

static bool read_integer(struct word word, int64_t *ret_value)
{
	bool negative = word.size > 1 && *word.text == '-';
	int64_t value = 0;

	for (size_t i = negative; i < word.size; i++) {
		int digit = word.text[i] - '0';

		if (!maui_is_digit(word.text[i]) || __builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, negative ? -digit : digit, &value))
			return false;
	}
	if (!word.size || value == MAUI_FS_NOT_SAID)
		return false;
	*ret_value = value;
	return true;
}

static int read_usage(struct reading *reading, struct word word, double *ret_usage)
{
	char text[NUMBER_SIZE];
	const char *rest = text;
	int rc;

	if (word.size >= sizeof(text))
		return damaged(reading, word.text, "not a number of sensible length");
	memcpy(text, word.text, word.size);
	text[word.size] = '\0';
	rc = maui_real_parse(text, ret_usage, &rest);
	if (rc == -ENOMEM)
		return maui_error_set(reading->error, ENOMEM, "out of memory");
	if (rc != -ERANGE && (rc || *rest))
		return damaged(reading, word.text, "not a number");
	if (*text == '-')
		return damaged(reading, word.text, "usage is not negative");
	if (rc || *ret_usage > MAUI_BOUND)
		return damaged(reading, word.text, "more usage than 1e18");
	return 0;
}

/* ---- comments ------------------------------------------------------------------------------ */

/* "(Duration: 172800 Seconds)", in both dialects. */
static void read_header(struct reading *reading, struct word comment)
{
	static const char *const manual[] = {"Fairshare", "Data", "File", NULL};
	static const char *const original[] = {"FS", "Data", "File", NULL};
	int64_t duration;

	if (take_words(&comment, manual))
		reading->file.dialect = MAUI_FS_MANUAL;
	else if (take_words(&comment, original))
		reading->file.dialect = MAUI_FS_ORIGINAL;
	else
		return;
	while (comment.size) {
		struct word word = next_word(&comment);

		if (!maui_equals(word.text, word.size, "(Duration:"))
			continue;
		if (read_integer(next_word(&comment), &duration) && duration > 0)
			reading->file.duration = duration;
		return;
	}
}

static bool read_metric(struct reading *reading, struct word word)
{
	struct maui_fairshare_settings settings;
	char text[MAUI_FS_METRIC_SIZE];

	if (word.size >= sizeof(text))
		return false;
	memcpy(text, word.text, word.size);
	text[word.size] = '\0';
	if (!maui_fairshare_metric_find(text, &settings))
		return false;
	memcpy(reading->file.metric, text, sizeof(text));
	return true;
}

static bool read_clock(struct reading *reading, struct word comment)
{
	static const char *const unit[] = {"ms", NULL};
	struct maui_fairshare_clock clock = {0};
	struct word boot;

	if (!read_integer(next_word(&comment), &clock.milliseconds) || !take_words(&comment, unit))
		return false;
	boot = next_word(&comment);
	if (!boot.size || boot.size >= sizeof(clock.boot))
		return false;
	memcpy(clock.boot, boot.text, boot.size);
	reading->file.clock = clock;
	return true;
}

static int read_comment(struct reading *reading, struct word comment)
{
	static const char *const counted[] = {"Counted", "until:", NULL};
	static const char *const clock[] = {"Steady", "clock:", NULL};
	static const char *const metric[] = {"Metric:", NULL};
	static const char *const end[] = {"End:", NULL};
	const char *begin = comment.text;
	int64_t entries;

	if (!reading->begun) {
		read_header(reading, comment);
	} else if (take_words(&comment, counted)) {
		if (!read_integer(next_word(&comment), &reading->file.counted))
			return damaged(reading, begin, "no time after 'Counted until:'");
	} else if (take_words(&comment, clock)) {
		if (!read_clock(reading, comment))
			return damaged(reading, begin, "no 'N ms BOOT' after 'Steady clock:'");
	} else if (take_words(&comment, metric)) {
		if (!read_metric(reading, next_word(&comment)))
			return damaged(reading, begin, "no metric of FSPOLICY after 'Metric:'");
	} else if (take_words(&comment, end)) {
		/* Someone else's comment may begin like this, too. */
		if (!read_integer(next_word(&comment), &entries))
			return 0;
		if (entries != (int64_t)reading->file.entries)
			return damaged(reading, begin,
				       "the number does not match the lines before it");
		reading->ended = true;
	}
	return 0;
}

/* ---- lines --------------------------------------------------------------------------------- */

static int visit(struct reading *reading, unsigned int type, struct word word, double usage)
{
	char name[MAUI_FS_NAME_SIZE];

	if (!reading->visit)
		return 0;
	memcpy(name, word.text, word.size);
	name[word.size] = '\0';
	return reading->visit(reading->context, type, name, usage);
}

/* Type, name and number; the total may lack the name, which is ignored. */
static int read_entry(struct reading *reading, unsigned int type, struct word words[], size_t count)
{
	const struct word *last = &words[count - 1], none = {"", 0};
	bool total = type == MAUI_FS_TOTAL;
	double usage;
	int rc;

	if (count < (total ? 2 : 3))
		return damaged(reading, last->text + last->size,
			       count == 1 && !total ? "name and usage are missing"
						    : "the usage is missing");
	if (count > 3)
		return damaged(reading, words[3].text, "more than a name and a number");
	if (words[1].size >= MAUI_FS_NAME_SIZE)
		return damaged(reading, words[1].text, "a name of more than 1023 bytes");
	rc = read_usage(reading, *last, &usage);
	if (rc)
		return rc;
	reading->file.entries++;
	reading->file.has_total |= total;
	return visit(reading, type, total ? none : words[1], usage);
}

static int read_words(struct reading *reading, struct word content)
{
	struct word words[MAX_WORDS];
	size_t count = 0;

	while (count < MAX_WORDS && (words[count] = next_word(&content)).size)
		count++;
	if (!count)
		return 0;
	for (size_t i = 0; i < TYPE_COUNT; i++)
		if (maui_equals(words[0].text, words[0].size, types[i].word))
			return read_entry(reading, types[i].type, words, count);
	reading->file.unknown++;
	return 0;
}

static bool is_blank(struct word line)
{
	return !next_word(&line).size;
}

static int read_line(struct reading *reading, struct word line)
{
	const char *hash = memchr(line.text, '#', line.size);
	const char *nul = memchr(line.text, '\0', line.size);
	struct word content = {line.text, hash ? (size_t)(hash - line.text) : line.size};
	int rc = 0;

	if (nul)
		return damaged(reading, nul, "a NUL byte");
	if (is_blank(line))
		return 0;
	if (reading->ended)
		return damaged(reading, line.text, "something after the file's end");
	if (!is_blank(content))
		rc = read_words(reading, content);
	else if (hash)
		rc = read_comment(reading, (struct word){hash + 1, line.size - content.size - 1});
	reading->begun = true;
	return rc;
}

static int read_lines(struct reading *reading, const char *text, size_t size)
{
	const char *end = text + size;

	for (const char *at = text; at < end;) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		int rc;

		reading->number++;
		reading->line = at;
		if (!newline)
			return damaged(reading, end, "cut short: the last line is not terminated");
		rc = read_line(reading, (struct word){at, (size_t)(newline - at)});
		if (rc)
			return rc;
		at = newline + 1;
	}
	return 0;
}

/* Whether all lines are there: contribs/doc/state-files.md says how to tell in which dialect. */
static int check_whole(struct reading *reading, const char *text, size_t size)
{
	const struct maui_fairshare_file *file = &reading->file;

	/* Where the next line would begin. */
	reading->number++;
	reading->line = text + size;
	if (!reading->begun)
		return damaged(reading, reading->line, "it is empty");
	if (file->counted != MAUI_FS_NOT_SAID && !reading->ended)
		return damaged(reading, reading->line, "cut short: no '# End:' line");
	if (!file->has_total &&
	    (file->dialect != MAUI_FS_ORIGINAL || file->entries || file->unknown))
		return damaged(reading, reading->line, "cut short: no line of the total");
	return 0;
}

int maui_fairshare_file_read(const char *text, size_t size, maui_fairshare_visitor *visitor,
			     void *context, struct maui_fairshare_file *ret_file,
			     struct maui_error *error)
{
	const struct reading fresh = {.file.counted = MAUI_FS_NOT_SAID, .error = error};
	struct reading reading = fresh;
	int rc;

	if (!text)
		return maui_error_set(error, EINVAL, "no text to read");
	rc = maui_file_version_refuse(text, size, VERSION_1, strlen(VERSION_1), error);
	if (!rc)
		rc = read_lines(&reading, text, size);
	if (!rc)
		rc = check_whole(&reading, text, size);
	if (rc)
		return rc;
	if (visitor) {
		reading = fresh;
		reading.visit = visitor;
		reading.context = context;
		rc = read_lines(&reading, text, size);
	}
	if (!rc && ret_file)
		*ret_file = reading.file;
	return rc;
}
