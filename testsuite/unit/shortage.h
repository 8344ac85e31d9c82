/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Out of memory at every allocation: the linker redirects whatever may fail to a test's own
 * functions (--wrap), which call runs_short().
 */
#ifndef MAUI_UNIT_SHORTAGE_H
#define MAUI_UNIT_SHORTAGE_H

#include <stdbool.h>
#include <stddef.h>

static struct shortage {
	size_t taken; /* so far */
	size_t at;    /* the first that fails; 0: none does */
	bool once;    /* later ones succeed */
} shortage;

static inline bool runs_short(void)
{
	shortage.taken++;
	return shortage.at &&
	       (shortage.once ? shortage.taken == shortage.at : shortage.taken >= shortage.at);
}

static inline void shortage_begin(size_t at, bool once)
{
	shortage.taken = 0;
	shortage.at = at;
	shortage.once = once;
}

static inline size_t shortage_end(void)
{
	shortage.at = 0;
	return shortage.taken;
}

#endif
