/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How alike two orders of the same elements are: Kendall's rank correlation
 * tau-b, which allows for ties. Knight's algorithm (JASA 61, 1966): the
 * exchanges of a merge sort are the pairs in another order.
 */
#ifndef MAUI_UTIL_KENDALL_H
#define MAUI_UTIL_KENDALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct maui_kendall {
	uint64_t pairs;      /* all: count * (count - 1) / 2 */
	uint64_t same;       /* in the same order on both sides */
	uint64_t other;      /* in another order */
	uint64_t tied_first; /* equal on the first side, on the second or not */
	uint64_t tied_second;
	uint64_t tied_both; /* also counted by the two above */
	bool defined;       /* false: all are equal on a side, or fewer than two */
	double tau;         /* tau-b, from -1 to 1; 0 if it is not defined */
};

/* Element i has two values. O(count log count); count below 2^32. */
void maui_kendall(const int64_t *first, const int64_t *second, size_t count,
		  struct maui_kendall *ret_kendall);

#endif
