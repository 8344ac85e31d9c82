/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "did you mean ...?": the candidate nearest to a misspelt word. */
#ifndef MAUI_UTIL_NEAREST_H
#define MAUI_UTIL_NEAREST_H

#include <stddef.h>

struct maui_nearest {
	const char *word;
	size_t size;           /* of word */
	const char *best;      /* NULL: nothing is near */
	size_t best_size;      /* of best, which need not end there */
	unsigned int distance; /* of best; without one, the smallest that is too far */
};

/* Begin a search. Very short and very long words are not near anything. */
struct maui_nearest maui_nearest_begin(const char *word, size_t size);
/* Try one more candidate; among equally near ones the first wins. */
void maui_nearest_try(struct maui_nearest *search, const char *candidate, size_t size);
/* The nearest in a NULL-terminated list; NULL if none is near. */
const char *maui_nearest_of(const char *word, size_t size, const char *const *candidates);

#endif
