/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The frame that our state files have in common (contribs/doc/state-files.md): a first line that
 * names format and version, lines of words, and a last line that vouches for all before it. Text
 * only; no file, no Slurm.
 */
#ifndef MAUI_STATE_TEXT_H
#define MAUI_STATE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/error.h"

/* Bytes that the last line takes at most, with the NUL that sprintf puts behind it. */
#define MAUI_STATETEXT_END_SIZE 64

/* What is between the first line and the last. */
struct maui_statetext {
	const char *begin, *end;
	size_t lines; /* all but the last */
};

/* first: the first line with its newline. 0, or -EINVAL: it is something else, cut short or
 * damaged. */
int maui_statetext_open(const char *text, size_t size, const char *first,
			struct maui_statetext *ret_content, struct maui_error *error);

/* What is left of a line, without its newline. It may hold any bytes. */
struct maui_statetext_words {
	const char *at, *end;
};

/* Takes one line. 0, -EINVAL or -ENOMEM; *why is "is not understood", and may be set to something
 * that says more. */
typedef int (*maui_statetext_take)(struct maui_statetext_words words, void *context,
				   const char **why);

/* Every line in its order, up to the first that is not taken: then its error, which names the
 * line. */
int maui_statetext_lines(const struct maui_statetext *content, maui_statetext_take take,
			 void *context, struct maui_error *error);

/* Both at once, for what needs no look at the content before. */
int maui_statetext_parse(const char *text, size_t size, const char *first, maui_statetext_take take,
			 void *context, struct maui_error *error);

/* Whether the words go on with this one, and with a blank and a decimal number without a sign from
 * min to max (both 0 to 10^17). If so it is taken off them; else they, and *ret_number, stay as
 * they were. */
bool maui_statetext_word(struct maui_statetext_words *words, const char *word);
bool maui_statetext_number(struct maui_statetext_words *words, int64_t min, int64_t max,
			   int64_t *ret_number);

/* Whether they go on with a blank and end with a text without NUL that fits into size bytes with the
 * NUL behind it. If so it is in buffer, which is else as it was. */
bool maui_statetext_rest(const struct maui_statetext_words *words, char *buffer, size_t size);

/* Writes the last line behind size bytes of text, where there is room for MAUI_STATETEXT_END_SIZE
 * bytes; returns the size of the whole. */
size_t maui_statetext_seal(char *text, size_t size);

#endif
