/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <criterion/criterion.h>
#include <math.h>

#include "common/policy/priority/fstarget.h"

Test(fstarget_mark, and_mode_are_each_others_reverse)
{
	static const char marks[] = "+-%^";

	for (const char *mark = marks; *mark; mark++)
		cr_expect_eq(maui_fstarget_mark(maui_fstarget_mode(*mark)), *mark);
	cr_expect_eq(maui_fstarget_mark(MAUI_FS_NONE), '\0');
	cr_expect_eq(maui_fstarget_mark(MAUI_FS_TARGET), '\0');
	cr_expect_eq(maui_fstarget_mark((enum maui_fsmode)17), '\0');
	cr_expect_eq(maui_fstarget_mark((enum maui_fsmode) - 1), '\0');
	cr_expect_eq(maui_fstarget_mode('\0'), MAUI_FS_TARGET);
	cr_expect_eq(maui_fstarget_mode('x'), MAUI_FS_TARGET);
	cr_expect_eq(maui_fstarget_mode((char)-1), MAUI_FS_TARGET);
}

static const struct {
	struct maui_fstarget target;
	double usage;
	double points, ratio;
} factors[] = {
	{{50, MAUI_FS_TARGET}, 45, 5, 0.1},    /* user A of the chapter's example */
	{{25, MAUI_FS_TARGET}, 35, -10, -0.4}, /* account C */
	{{10, MAUI_FS_FLOOR}, 25, 0, 0},       /* QOS D */
	{{10, MAUI_FS_FLOOR}, 5, 5, 0.5},       {{10, MAUI_FS_CEILING}, 5, 0, 0},
	{{10, MAUI_FS_CEILING}, 25, -15, -1.5}, {{10, MAUI_FS_TARGET}, 10, 0, 0},
	{{10, MAUI_FS_TARGET}, 0, 10, 1},       {{10, MAUI_FS_CAP_RELATIVE}, 5, 0, 0},
	{{10, MAUI_FS_CAP_RELATIVE}, 50, 0, 0}, {{1000, MAUI_FS_CAP_ABSOLUTE}, 50, 0, 0},
	{{10, MAUI_FS_NONE}, 5, 0, 0},          {{0, MAUI_FS_TARGET}, 5, 0, 0},
	{{-10, MAUI_FS_TARGET}, 5, 0, 0},       {{10, (enum maui_fsmode)42}, 5, 0, 0},
};

Test(fstarget_factor, follows_the_mode_of_the_target)
{
	for (size_t i = 0; i < sizeof(factors) / sizeof(factors[0]); i++) {
		double points = maui_fstarget_factor(&factors[i].target, factors[i].usage, false);
		double ratio = maui_fstarget_factor(&factors[i].target, factors[i].usage, true);

		cr_expect_float_eq(points, factors[i].points, 1e-12, "line %zu: %g", i, points);
		cr_expect_float_eq(ratio, factors[i].ratio, 1e-12, "line %zu: %g", i, ratio);
	}
}

Test(fstarget_factor, of_no_target_at_all_is_0)
{
	cr_expect_eq(maui_fstarget_factor(NULL, 50, false), 0);
}

Test(fstarget_factor, is_finite_for_any_numbers)
{
	static const double extreme[] = {0, -1, 1e-320, 1e308, -1e308, INFINITY, -INFINITY, NAN};
	size_t count = sizeof(extreme) / sizeof(extreme[0]);

	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < count; j++)
			for (int mode = MAUI_FS_NONE; mode <= MAUI_FS_CAP_ABSOLUTE; mode++) {
				struct maui_fstarget target = {extreme[i], mode};

				cr_expect(
					isfinite(maui_fstarget_factor(&target, extreme[j], true)));
				cr_expect(
					isfinite(maui_fstarget_factor(&target, extreme[j], false)));
			}
}
