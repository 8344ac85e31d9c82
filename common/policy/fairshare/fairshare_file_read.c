/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading FS.<begin>: one pass to check it and, if it is sound, a second one to report it. */
#include <errno.h>
#include <string.h>

#include "common/policy/fairshare/fairshare_file.h"
#include "common/policy/fairshare/fairshare_private.h"
#include "common/util/bounds.h"
#include "common/util/decimal.h"
#include "common/util/files/file_version.h"
#include "common/util/text.h"

#define NUMBER_SIZE 64 /* the largest allowed, with room for a fraction */
#define VERSION_1   "# Fairshare Data File\n"

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

static int fairshare_file_read_damaged(struct reading *reading, const char *at, const char *what)
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
		return fairshare_file_read_damaged(reading, word.text,
						   "not a number of sensible length");
	memcpy(text, word.text, word.size);
	text[word.size] = '\0';
	rc = maui_real_parse(text, ret_usage, &rest);
	if (rc != -ERANGE && (rc || *rest))
		return fairshare_file_read_damaged(reading, word.text, "not a number");
	if (*text == '-')
		return fairshare_file_read_damaged(reading, word.text, "usage is not negative");
	if (rc || *ret_usage > MAUI_BOUND)
		return fairshare_file_read_damaged(reading, word.text, "more usage than 1e18");
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
			return fairshare_file_read_damaged(reading, begin,
							   "no time after 'Counted until:'");
	} else if (take_words(&comment, clock)) {
		if (!read_clock(reading, comment))
			return fairshare_file_read_damaged(reading, begin,
							   "no 'N ms BOOT' after 'Steady clock:'");
	} else if (take_words(&comment, metric)) {
		if (!read_metric(reading, next_word(&comment)))
			return fairshare_file_read_damaged(reading, begin,
							   "no metric of FSPOLICY after 'Metric:'");
	} else if (take_words(&comment, end)) {
		/* Someone else's comment may begin like this, too. */
		if (!read_integer(next_word(&comment), &entries))
			return 0;
		if (entries != (int64_t)reading->file.entries)
			return fairshare_file_read_damaged(
				reading, begin, "the number does not match the lines before it");
		reading->ended = true;
	}
	return 0;
}

/* ---- lines --------------------------------------------------------------------------------- */

/* \040: the byte with this number in octal; false if that is not one that needs it. */
static bool read_escape(const char *at, char *ret_byte)
{
	unsigned int number = 0;

	if (*at != '\\')
		return false;
	for (int i = 1; i <= 3; i++) {
		if (at[i] < '0' || at[i] > '7')
			return false;
		number = number * 8 + (unsigned int)(at[i] - '0');
	}
	*ret_byte = (char)number;
	return number && number < 256 && (maui_fs_is_escaped(*ret_byte) || *ret_byte == '\\');
}

static void fairshare_file_read_unescape(char *name)
{
	char *to = name, byte;

	for (const char *at = name; *at; at++, to++) {
		bool escaped = read_escape(at, &byte);

		*to = escaped ? byte : *at;
		at += escaped ? 3 : 0;
	}
	*to = '\0';
}

static int fairshare_file_read_visit(struct reading *reading, unsigned int type, struct word word,
				     double usage)
{
	char name[MAUI_FS_NAME_SIZE];

	if (!reading->visit)
		return 0;
	memcpy(name, word.text, word.size);
	name[word.size] = '\0';
	if (reading->file.dialect == MAUI_FS_MANUAL)
		fairshare_file_read_unescape(name);
	return reading->visit(reading->context, type, name, usage);
}

/* What a line of usage has. The name may have blanks: it is all between the type and the number. */
struct entry {
	struct word type, name, before, last; /* before: the word before the last */
	size_t count;                         /* of words */
};

static struct entry split_entry(struct word content)
{
	struct entry entry = {.type = next_word(&content)};
	struct word word = next_word(&content);

	entry.count = entry.type.size != 0;
	entry.last = entry.type;
	entry.name = (struct word){word.text, 0};
	for (; word.size; word = next_word(&content)) {
		if (++entry.count > 2)
			entry.name.size =
				(size_t)(entry.last.text + entry.last.size - entry.name.text);
		entry.before = entry.last;
		entry.last = word;
	}
	return entry;
}

static bool is_number(struct word word)
{
	char text[NUMBER_SIZE];
	const char *rest = text;
	double number;

	if (!word.size || word.size >= sizeof(text))
		return false;
	memcpy(text, word.text, word.size);
	text[word.size] = '\0';
	return !maui_real_parse(text, &number, &rest) && !*rest;
}

static bool is_entry(struct word content)
{
	struct entry entry = split_entry(content);

	return entry.count > 2 && is_number(entry.last);
}

/* Two numbers, or none, at the end of a line are more than a name and a number. */
static int check_entry(struct reading *reading, const struct entry *entry, bool total)
{
	if (entry->count < (total ? 2 : 3))
		return fairshare_file_read_damaged(reading, entry->last.text + entry->last.size,
						   entry->count == 1 && !total
							   ? "name and usage are missing"
							   : "the usage is missing");
	if (entry->count > 3 && (total || !is_number(entry->last) || is_number(entry->before)))
		return fairshare_file_read_damaged(reading, entry->last.text,
						   "more than a name and a number");
	if (entry->name.size >= MAUI_FS_NAME_SIZE)
		return fairshare_file_read_damaged(reading, entry->name.text,
						   "a name of more than 1023 bytes");
	return 0;
}

/* Type, name and number; the total may lack the name, which is ignored. */
static int read_entry(struct reading *reading, unsigned int type, const struct entry *entry)
{
	const struct word none = {"", 0};
	bool total = type == MAUI_FS_TOTAL;
	double usage;
	int rc = check_entry(reading, entry, total);

	if (!rc)
		rc = read_usage(reading, entry->last, &usage);
	if (rc)
		return rc;
	reading->file.entries++;
	reading->file.has_total |= total;
	return fairshare_file_read_visit(reading, type, total ? none : entry->name, usage);
}

/* The place in types; TYPE_COUNT: of another type. */
static size_t find_type(struct word word)
{
	size_t i = 0;

	while (i < TYPE_COUNT && !maui_equals(word.text, word.size, types[i].word))
		i++;
	return i;
}

static int read_words(struct reading *reading, struct word content)
{
	struct entry entry = split_entry(content);
	size_t type = find_type(entry.type);

	if (type < TYPE_COUNT)
		return read_entry(reading, types[type].type, &entry);
	reading->file.unknown++;
	return 0;
}

/*
 * A line without its comment. In a line of usage a '#' before the number is part of the name: a
 * comment follows a whole entry.
 */
static struct word without_comment(struct word line)
{
	const char *end = line.text + line.size, *first = memchr(line.text, '#', line.size);
	struct word content = {line.text, first ? (size_t)(first - line.text) : line.size};

	if (!first || find_type(split_entry(line).type) == TYPE_COUNT)
		return content;
	for (const char *hash = first; hash;
	     hash = memchr(hash + 1, '#', (size_t)(end - hash) - 1)) {
		struct word whole = {line.text, (size_t)(hash - line.text)};

		if (is_entry(whole))
			return whole;
	}
	return is_entry(line) ? line : content;
}

static bool is_blank(struct word line)
{
	return !next_word(&line).size;
}

static int read_line(struct reading *reading, struct word line)
{
	const char *nul = memchr(line.text, '\0', line.size);
	struct word content = without_comment(line);
	int rc = 0;

	if (nul)
		return fairshare_file_read_damaged(reading, nul, "a NUL byte");
	if (is_blank(line))
		return 0;
	if (reading->ended)
		return fairshare_file_read_damaged(reading, line.text,
						   "something after the file's end");
	if (!is_blank(content))
		rc = read_words(reading, content);
	else /* there is a '#', or the line would be blank */
		rc = read_comment(reading, (struct word){content.text + content.size + 1,
							 line.size - content.size - 1});
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
			return fairshare_file_read_damaged(
				reading, end, "cut short: the last line is not terminated");
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
		return fairshare_file_read_damaged(reading, reading->line, "it is empty");
	if (file->counted != MAUI_FS_NOT_SAID && !reading->ended)
		return fairshare_file_read_damaged(reading, reading->line,
						   "cut short: no '# End:' line");
	if (!file->has_total &&
	    (file->dialect != MAUI_FS_ORIGINAL || file->entries || file->unknown))
		return fairshare_file_read_damaged(reading, reading->line,
						   "cut short: no line of the total");
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
