/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The frame that our state files share (contribs/doc/state-files.md): a first line that names
 * format and version, lines of words, and a last line that vouches for everything before it. Text
 * only; no file, no Slurm.
 */
#ifndef MAUI_STATE_TEXT_H
#define MAUI_STATE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/credential.h"
#include "common/util/error.h"

/* The maximum length of the last line, with the NUL that sprintf appends. */
#define MAUI_STATETEXT_END_SIZE 64

/* What is between the first line and the last. */
struct maui_statetext {
	const char *begin, *end;
	size_t lines; /* all but the last */
};

/*
 * first: the first line with its newline. That of an earlier version is read, too. 0; -EINVAL: it is
 * something else, truncated or damaged; -ENOTSUP: it is of a later version, whatever follows.
 */
int maui_statetext_open(const char *text, size_t size, const char *first,
			struct maui_statetext *ret_content, struct maui_error *error);

/* What is left of a line, without its newline. It may hold any bytes. */
struct maui_statetext_words {
	const char *at, *end;
};

/*
 * Takes one line. 0 or -EINVAL; *why is "is not understood", and may be replaced by
 * something more specific.
 */
typedef int (*maui_statetext_take)(struct maui_statetext_words words, void *context,
				   const char **why);

/*
 * Every line in order, up to the first that is not accepted: then its error, which names the line.
 */
int maui_statetext_lines(const struct maui_statetext *content, maui_statetext_take take,
			 void *context, struct maui_error *error);

/*
 * Whether this word comes next, or a blank and an unsigned decimal number from min to max (both 0
 * to 10^17). If so, it is consumed; otherwise the words and *ret_number stay as they were.
 */
bool maui_statetext_word(struct maui_statetext_words *words, const char *word);
bool maui_statetext_number(struct maui_statetext_words *words, int64_t min, int64_t max,
			   int64_t *ret_number);

/* Whether one of maui_credential_name()'s comes next. If so, it is consumed. */
bool maui_statetext_credential(struct maui_statetext_words *words, enum maui_credential *ret_type);

/*
 * Whether a blank comes next, and then 1 to size - 1 bytes without blanks and control characters,
 * up to a blank or the end. If so, they are consumed and copied to buffer, with a NUL.
 */
bool maui_statetext_name(struct maui_statetext_words *words, char *buffer, size_t size);
bool maui_statetext_is_name(const char *name, size_t length);

/*
 * Whether a blank comes next and then, up to the end, a text without NUL that fits into size bytes
 * with a NUL. If so, it is copied to buffer, which is otherwise unchanged.
 */
bool maui_statetext_rest(const struct maui_statetext_words *words, char *buffer, size_t size);

/* Writes a blank and a number, without a NUL: at most MAUI_STATETEXT_NUMBER bytes. Returns their
 * end. */
#define MAUI_STATETEXT_NUMBER 21 /* the blank, a sign, 19 digits */
char *maui_statetext_put_number(char *at, int64_t number);

/*
 * Writes the last line after size bytes of text, where there must be room for
 * MAUI_STATETEXT_END_SIZE bytes; returns the total size.
 */
size_t maui_statetext_seal(char *text, size_t size);

/*
 * The same while the text is being written: each byte of the checksum waits for the one before, and
 * what writes the next line need not. Begins as MAUI_STATETEXT_NOTHING; each line goes to
 * maui_statetext_add() when it is there, and then maui_statetext_seal_added() writes the last one.
 */
struct maui_statetext_sum {
	uint64_t checksum;
	size_t lines;
};
#define MAUI_STATETEXT_NOTHING ((struct maui_statetext_sum){UINT64_C(0xcbf29ce484222325), 0})

/* FNV-1a: protects against disks and editors, not against people. */
static inline uint64_t maui_statetext_checksum(uint64_t sum, const char *text, const char *end)
{
	for (; text < end; text++)
		sum = (sum ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return sum;
}

/* One line, with its newline. */
static inline void maui_statetext_add(struct maui_statetext_sum *sum, const char *line,
				      const char *end)
{
	sum->checksum = maui_statetext_checksum(sum->checksum, line, end);
	sum->lines++;
}

/* Returns the end of the line. */
char *maui_statetext_seal_added(char *at, const struct maui_statetext_sum *sum);

#endif
