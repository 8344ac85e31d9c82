/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <criterion/criterion.h>
#include <math.h>

#include "common/policy/priority/pe.h"
#include "testsuite/unit/policy/fixture.h"

static const struct {
	struct maui_resources request, machine;
	double pe;
} cases[] = {
	/* From the chapter: a quarter of the processors and half of the memory of 128. */
	{{.procs = 32, .memory = 512}, {.procs = 128, .memory = 1024}, 64},
	{{.procs = 32, .memory = 128}, {.procs = 128, .memory = 1024}, 32},
	{{.procs = 1, .disk = 750}, {.procs = 8, .disk = 1000}, 6},
	{{.procs = 1, .swap = 125}, {.procs = 8, .swap = 1000}, 1},
	{{.procs = 1, .swap = 126}, {.procs = 8, .swap = 1000}, 1.008},
	/* Of the least that can be had, all. */
	{{.memory = 1}, {.procs = 128, .memory = 1}, 128},
	/* What the machine does not have, or the job does not ask for, does not count. */
	{{.procs = 2, .memory = 512}, {.procs = 128}, 2},
	{{.procs = 2}, {.procs = 128, .memory = 1024}, 2},
	{{.memory = 1024}, {.procs = 128, .memory = 1024}, 128},
	/* More than there is. */
	{{.procs = 256, .memory = 4096}, {.procs = 128, .memory = 1024}, 512},
	/* No processors, no equivalents. */
	{{.procs = 2, .memory = 512}, {.memory = 1024}, 0},
	{{.procs = 0}, {.procs = 128}, 0},
	/* Nonsense counts as nothing. */
	{{.procs = -2, .memory = -512}, {.procs = 128, .memory = 1024}, 0},
	{{.procs = 2, .memory = 512}, {.procs = -128, .memory = 1024}, 0},
	{{.procs = 2, .memory = 512}, {.procs = 128, .memory = -1024}, 2},
	{{.procs = NAN, .memory = 512}, {.procs = 128, .memory = 1024}, 64},
	{{.procs = 2, .memory = NAN}, {.procs = 128, .memory = 1024}, 2},
	{{.procs = 2}, {.procs = NAN}, 0},
};

Test(pe, is_the_largest_share_of_any_resource_in_processors)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		double pe = maui_pe(&cases[i].request, &cases[i].machine);

		cr_expect_float_eq(pe, cases[i].pe, 1e-12, "line %zu: %.17g", i, pe);
	}
}

Test(pe, of_a_job_that_asks_for_processors_alone_is_exactly_their_number)
{
	for (int procs = 1; procs < 2000; procs++)
		for (int total = 1; total < 100; total++) {
			struct maui_resources request = {.procs = procs},
					      machine = {.procs = total};

			cr_assert_eq(maui_pe(&request, &machine), procs);
		}
}

/* D-GRES-13: 4 of 8 GPUs are half of the machine; what PEGRES does not name counts as nothing. */
Test(pe, counts_the_gres_that_the_machine_names)
{
	static const struct {
		struct maui_gres_amounts request, machine;
		double pe;
	} gres[] = {
		{{1, {4}}, {1, {8}}, 64},
		{{1, {1}}, {1, {256}}, 2}, /* its processors are more */
		{{3, {1, 3}}, {3, {8, 4}}, 96},
		{{3, {1, 3}}, {1, {8, 4}}, 16},
		{{2, {0, 3}}, {1, {8}}, 2},
		{{1, {UINT32_MAX}}, {1, {1}}, 128.0 * UINT32_MAX},
		{{1, {4}}, {1, {0}}, 2}, /* all nodes with some are gone */
	};

	for (size_t i = 0; i < sizeof(gres) / sizeof(gres[0]); i++) {
		struct maui_resources request = {.procs = 2, .gres = &gres[i].request};
		struct maui_resources machine = {.procs = 128, .gres = &gres[i].machine};

		cr_expect_eq(maui_pe(&request, &machine), gres[i].pe, "%zu", i);
		machine.gres = NULL;
		cr_expect_eq(maui_pe(&request, &machine), 2);
		cr_expect_eq(maui_pe(&machine, &request), 128);
	}
	cr_expect_eq(maui_pe_gres(NULL), NULL);
	cr_expect_eq(maui_pe_gres(&maui_gres_most), NULL);
}

Test(pe, names_its_gres_by_lines)
{
	struct maui_config *config =
		config_from("USERCFG[ann] MAXGRES[tape]=1\nPEGRES[gpu] TRUE\nPEGRES[tape] FALSE\n"
			    "PEGRES[gpu:a100] FALSE\nPEGRES[gpu:a100] TRUE\n");
	struct maui_pe_names names;

	maui_pe_names(config, &names);
	cr_assert_eq(names.gres.count, 2);
	cr_expect_str_eq(names.gres.name[0], "gpu");
	cr_expect_eq(names.number[0], 1);
	cr_expect_str_eq(names.gres.name[1], "gpu:a100");
	cr_expect_eq(names.number[1], 2);
	maui_config_unref(config);
}

Test(pe, refuses_gres_that_no_machine_has)
{
	static const char *const lines[] = {"PEGRES TRUE\n", "PEGRES[license:matlab] TRUE\n",
					    "PEGRES[USER:ann] TRUE\n", "PEGRES[gpu,USER] TRUE\n"};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct maui_config *config = config_from(lines[i]);
		struct maui_pe_names names;

		maui_pe_names(config, &names);
		cr_expect_eq(maui_config_errors(config), 1, "%s", lines[i]);
		cr_expect_eq(names.gres.count, 0, "%s", lines[i]);
		maui_config_unref(config);
	}
}

Test(pe, of_nothing_is_0)
{
	struct maui_resources some = {.procs = 1};

	cr_expect_eq(maui_pe(NULL, &some), 0);
	cr_expect_eq(maui_pe(&some, NULL), 0);
}

Test(pe, is_finite_for_any_numbers)
{
	static const double extreme[] = {1e-320, 1e308, INFINITY, -INFINITY, NAN, 0};
	size_t count = sizeof(extreme) / sizeof(extreme[0]);

	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < count; j++)
			for (size_t k = 0; k < count; k++) {
				struct maui_resources request = {extreme[i], extreme[j], 1, 1,
								 NULL};
				struct maui_resources machine = {extreme[k], extreme[i], extreme[j],
								 0, NULL};

				cr_expect(isfinite(maui_pe(&request, &machine)));
				cr_expect_geq(maui_pe(&request, &machine), 0);
			}
}
