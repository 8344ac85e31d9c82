/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <string.h>

#include "common/util/slurm/gres.h"

#define NONE UINT64_C(0xbad)

/* As Slurm reads them: src/common/slurm_protocol_defs.c, suffix_mult(). */
Test(gres_count, numbers_and_units)
{
	static const struct {
		const char *text;
		uint64_t count; /* NONE: it is none */
	} cases[] = {
		{"0", 0},
		{"4", 4},
		{"007", 7},
		{"4294967296", UINT64_C(1) << 32},
		{"18446744073709551615", UINT64_MAX},
		{"18446744073709551616", UINT64_MAX},
		{"99999999999999999999999", UINT64_MAX},
		{"1k", 1024},
		{"1K", 1024},
		{"1kib", 1024},
		{"1KiB", 1024},
		{"1kb", 1000},
		{"2M", UINT64_C(2) << 20},
		{"2mb", 2000000},
		{"500G", UINT64_C(500) << 30},
		{"500GiB", UINT64_C(500) << 30},
		{"500GB", UINT64_C(500000000000)},
		{"3t", UINT64_C(3) << 40},
		{"3TB", UINT64_C(3000000000000)},
		{"2p", UINT64_C(2) << 50},
		{"2pb", UINT64_C(2000000000000000)},
		{"16383p", UINT64_C(16383) << 50},
		{"16384p", UINT64_MAX},
		{"", NONE},
		{"k", NONE},
		{"-1", NONE},
		{"+1", NONE},
		{" 1", NONE},
		{"1 ", NONE},
		{"1.5G", NONE},
		{"1b", NONE},
		{"1e", NONE},
		{"1ki", NONE},
		{"1kk", NONE},
		{"1kibs", NONE},
		{"1g.5gb", NONE}, /* a type of NVML's */
		{"4x", NONE},
		{"a100", NONE},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t count = NONE;
		bool is = maui_gres_count_parse(cases[i].text, strlen(cases[i].text), &count);

		cr_expect_eq(count, cases[i].count, "%s: %" PRIu64, cases[i].text, count);
		cr_expect_eq(is, cases[i].count != NONE, "%s", cases[i].text);
	}
}

/* What stands behind the piece is not looked at. */
Test(gres_count, of_a_piece)
{
	uint64_t count;

	cr_expect(maui_gres_count_parse("12kb", 1, &count));
	cr_expect_eq(count, 1);
	cr_expect(maui_gres_count_parse("12kb", 3, &count));
	cr_expect_eq(count, 12 * 1024);
	cr_expect_not(maui_gres_count_parse("12kb", 0, &count));
}

Test(gres_count, sums_and_products_stop_at_the_most)
{
	cr_expect_eq(maui_gres_plus(UINT64_MAX - 1, 1), UINT64_MAX);
	cr_expect_eq(maui_gres_plus(UINT64_MAX, 1), UINT64_MAX);
	cr_expect_eq(maui_gres_times(UINT64_C(1) << 32, UINT64_C(1) << 31), UINT64_C(1) << 63);
	cr_expect_eq(maui_gres_times(UINT64_C(1) << 32, UINT64_C(1) << 32), UINT64_MAX);
	cr_expect_eq(maui_gres_within(UINT64_MAX), MAUI_GRES_MOST);
	cr_expect_eq(maui_gres_within(1), 1);
}
