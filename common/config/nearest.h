/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "did you mean ...?": the candidate that a misspelt word is nearest to. */
#ifndef MAUI_CONFIG_NEAREST_H
#define MAUI_CONFIG_NEAREST_H

#include <stddef.h>

struct maui_nearest {
	const char *word;
	size_t size;           /* of word */
	const char *best;      /* NULL: nothing is near */
	size_t best_size;      /* of best, which need not end there */
	unsigned int distance; /* of best; without one, the first that is too far */
};

/* Begin a search. Words that are very short or very long have nothing near them. */
struct maui_nearest maui_nearest_begin(const char *word, size_t size);
/* Look at one more candidate; of equally near ones the first stays. */
void maui_nearest_try(struct maui_nearest *search, const char *candidate, size_t size);
/* Of a list that ends with NULL; NULL if none is near. */
const char *maui_nearest_of(const char *word, size_t size, const char *const *candidates);

#endif
