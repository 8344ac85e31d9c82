/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of time that are put together of windows. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "common/policy/fairshare/fs_span.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

Test(fs_span, a_window_is_shared_out_by_time)
{
	static const struct {
		struct maui_fs_span counted, span;
		double share;
	} cases[] = {
		{{100, 200}, {0, 1000}, 1},
		{{100, 200}, {100, 200}, 1},
		{{100, 200}, {150, 1000}, 0.5},
		{{100, 200}, {0, 125}, 0.25},
		{{100, 200}, {110, 120}, 0.1},
		{{100, 200}, {200, 300}, 0},
		{{100, 200}, {0, 100}, 0},
		/* A window that is running is shared out as far as it is counted. */
		{{100, 140}, {120, 1000}, 0.5},
		{{100, 100}, {0, 1000}, 0},
	};

	for (size_t i = 0; i < COUNT(cases); i++)
		cr_expect_float_eq(maui_fs_span_share(cases[i].counted, cases[i].span),
				   cases[i].share, 1e-12, "case %zu", i);
}

/* No second is in two months, and none is lost. */
Test(fs_span, shares_of_neighbours_add_up)
{
	const struct maui_fs_span window = {1000, 1000 + 604800};

	for (int64_t bound = window.start - 7; bound <= window.end + 7; bound += 7) {
		double before = maui_fs_span_share(window, (struct maui_fs_span){0, bound});
		double after = maui_fs_span_share(window, (struct maui_fs_span){bound, 10000000});

		cr_expect_float_eq(before + after, 1, 1e-12);
	}
}

Test(fs_span, what_no_window_covers_is_found)
{
	static const struct {
		struct maui_fs_span windows[3];
		size_t count;
		const char *gaps;
	} cases[] = {
		{{{0}}, 0, "100-200"},
		{{{100, 200}}, 1, ""},
		{{{50, 150}, {150, 250}}, 2, ""},
		{{{120, 130}}, 1, "100-120 130-200"},
		{{{90, 110}, {120, 190}}, 2, "110-120 190-200"},
		/* Overlapping, one within another, and outside. */
		{{{100, 180}, {110, 120}, {150, 200}}, 3, ""},
		{{{0, 50}, {110, 150}, {120, 130}}, 3, "100-110 150-200"},
		{{{0, 100}, {200, 300}}, 2, "100-200"},
		{{{110, 120}, {250, 300}}, 2, "100-110 120-200"},
		{{{130, 130}}, 1, "100-200"},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct maui_fs_span gaps[4];
		size_t count = maui_fs_span_gaps(cases[i].windows, cases[i].count,
						 (struct maui_fs_span){100, 200}, gaps);
		char text[128] = "";
		size_t used = 0;

		for (size_t j = 0; j < count; j++)
			used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%lld-%lld",
						 j ? " " : "", (long long)gaps[j].start,
						 (long long)gaps[j].end);
		cr_expect_str_eq(text, cases[i].gaps, "case %zu: '%s'", i, text);
	}
}
