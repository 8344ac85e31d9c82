/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <criterion/criterion.h>
#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/config/node_formula.h"

struct coefficient {
	enum maui_node_component component;
	double value;
};

static const struct {
	const char *text;
	struct coefficient expect[4]; /* value 0: the end */
	double constant;
} good[] = {
	/* The manual's. */
	{"SPEED+ .01 * AMEM - 10 * JOBCOUNT",
	 {{MAUI_NODE_SPEED, 1}, {MAUI_NODE_AMEM, .01}, {MAUI_NODE_JOBCOUNT, -10}},
	 0},
	{"-LOAD - 5*USAGE", {{MAUI_NODE_LOAD, -1}, {MAUI_NODE_USAGE, -5}}, 0},
	{"PRIORITY + APROCS", {{MAUI_NODE_PRIORITY, 1}, {MAUI_NODE_APROCS, 1}}, 0},
	{"JOBCOUNT", {{MAUI_NODE_JOBCOUNT, 1}}, 0},
	{"5 * PREF - LOAD", {{MAUI_NODE_PREF, 5}, {MAUI_NODE_LOAD, -1}}, 0},
	/* A factor on either side, before without '*', and several. */
	{"2*LOAD", {{MAUI_NODE_LOAD, 2}}, 0},
	{"LOAD*2", {{MAUI_NODE_LOAD, 2}}, 0},
	{"2 LOAD", {{MAUI_NODE_LOAD, 2}}, 0},
	{"2LOAD", {{MAUI_NODE_LOAD, 2}}, 0},
	{"2*3*LOAD*4", {{MAUI_NODE_LOAD, 24}}, 0},
	{"2*3 LOAD", {{MAUI_NODE_LOAD, 6}}, 0},
	{"1e2*SPEED", {{MAUI_NODE_SPEED, 100}}, 0},
	{".5*SPEED", {{MAUI_NODE_SPEED, .5}}, 0},
	{"5.*SPEED", {{MAUI_NODE_SPEED, 5}}, 0},
	/* Signs. */
	{"- -LOAD", {{MAUI_NODE_LOAD, 1}}, 0},
	{"+LOAD", {{MAUI_NODE_LOAD, 1}}, 0},
	{"- + - -LOAD", {{MAUI_NODE_LOAD, -1}}, 0},
	{"LOAD*-1", {{MAUI_NODE_LOAD, -1}}, 0},
	{"-2*-LOAD", {{MAUI_NODE_LOAD, 2}}, 0},
	/* The same several times, and nothing left. */
	{"LOAD+LOAD", {{MAUI_NODE_LOAD, 2}}, 0},
	{"3*LOAD-LOAD", {{MAUI_NODE_LOAD, 2}}, 0},
	{"LOAD - LOAD", {{0, 0}}, 0},
	{"0*LOAD+CMEM", {{MAUI_NODE_CMEM, 1}}, 0},
	/* Constants. */
	{"1.5", {{0, 0}}, 1.5},
	{"2*3 + PREF - 1", {{MAUI_NODE_PREF, 1}}, 5},
	{"\t LOAD \t", {{MAUI_NODE_LOAD, 1}}, 0},
	{"1e15*LOAD", {{MAUI_NODE_LOAD, 1e15}}, 0},
};

static void expect_formulas(void)
{
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		struct maui_node_formula formula;
		struct maui_error error = {""};
		double expect[MAUI_NODE_COMPONENTS] = {0};
		unsigned int count = 0;

		for (const struct coefficient *at = good[i].expect; at->value != 0; at++, count++)
			expect[at->component] = at->value;
		cr_assert_eq(maui_node_formula_parse(good[i].text, NULL, &formula, NULL, &error), 0,
			     "'%s': %s", good[i].text, error.text);
		for (unsigned int c = 0; c < MAUI_NODE_COMPONENTS; c++)
			cr_expect_eq(formula.coefficient[c], expect[c], "'%s': %g %s", good[i].text,
				     formula.coefficient[c], maui_node_component_name(c));
		cr_expect_eq(formula.constant, good[i].constant, "'%s'", good[i].text);
		cr_expect_eq(formula.term_count, count, "'%s'", good[i].text);
	}
}

Test(node_formula, linear_formulas_are_compiled_to_coefficients)
{
	expect_formulas();
}

Test(node_formula, the_locale_changes_nothing)
{
	if (!setlocale(LC_ALL, "de_DE.UTF-8") && !setlocale(LC_ALL, "fr_FR.UTF-8"))
		cr_skip_test("no locale with a decimal comma");
	expect_formulas();
}

Test(node_formula, each_component_in_lower_case_is_named)
{
	for (unsigned int c = 0; c < MAUI_NODE_COMPONENTS; c++) {
		struct maui_node_formula formula;
		struct maui_error error = {""};
		const char *name = maui_node_component_name(c);
		char lower[32] = "", says[64];

		for (size_t i = 0; name[i]; i++)
			lower[i] = (char)tolower((unsigned char)name[i]);
		snprintf(says, sizeof(says), "write %s, not '%s'", name, lower);
		cr_expect_eq(maui_node_formula_parse(name, NULL, &formula, NULL, &error), 0, "%s",
			     name);
		cr_expect_eq(maui_node_formula_parse(lower, NULL, &formula, NULL, &error), -EINVAL);
		cr_expect(strstr(error.text, says), "%s", error.text);
	}
}

static const struct {
	const char *text;
	int rc;
	size_t column;
	const char *says;
} bad[] = {
	{"", -EINVAL, 1, "is empty"},
	{"  ", -EINVAL, 3, "is empty"},
	{"-", -EINVAL, 2, "missing at the end"},
	{"LOAD +", -EINVAL, 7, "missing at the end"},
	{"LOAD *", -EINVAL, 7, "missing at the end"},
	{"*LOAD", -EINVAL, 1, "not '*'"},
	{"2**LOAD", -EINVAL, 3, "not '*'"},
	{"XYZZY", -EINVAL, 1, "no component 'XYZZY'"},
	{"LOAD + PRIORITYX", -EINVAL, 8, "the nearest is PRIORITY"},
	{"load", -EINVAL, 1, "write LOAD, not 'load'"},
	{"2*Speed", -EINVAL, 3, "write SPEED, not 'Speed'"},
	{"nan*LOAD", -EINVAL, 1, "no component 'nan'"},
	{"inf", -EINVAL, 1, "no component 'inf'"},
	{"NaN", -EINVAL, 1, "no component 'NaN'"},
	{"(LOAD)", -EINVAL, 1, "no parentheses"},
	{"2*(LOAD+PREF)", -EINVAL, 3, "no parentheses"},
	{"LOAD)", -EINVAL, 5, "no parentheses"},
	{"LOAD*PREF", -EINVAL, 6, "products of two"},
	{"2 LOAD*3 PREF", -EINVAL, 10, "products of two"},
	{"LOAD/2", -EINVAL, 5, "no division"},
	{"LOAD PREF", -EINVAL, 6, "is missing here"},
	{"LOAD 2", -EINVAL, 6, "is missing here"},
	{"2 3", -EINVAL, 3, "is missing here"},
	{"1.2.3*LOAD", -EINVAL, 4, "is missing here"},
	{"LOAD;", -EINVAL, 5, "not ';'"},
	{"LOAD, PREF", -EINVAL, 5, "not ','"},
	{"LOAD=2", -EINVAL, 5, "not '='"},
	{".", -EINVAL, 1, "not a number"},
	{"LOAD + .*2", -EINVAL, 8, "not a number"},
	{"0x10*LOAD", -EINVAL, 2, "no component 'x10'"},
	{"1e400*LOAD", -ERANGE, 1, "is beyond"},
	{"2e15*LOAD", -ERANGE, 1, "is beyond"},
	{"1e8*LOAD*1e8", -ERANGE, 10, "is beyond"},
	{"1e15*LOAD+PREF+1e15*LOAD", -ERANGE, 15, "is beyond"},
	{"LOAD\n+\x01", -EINVAL, 7, "not '?'"},
	{"L\xc3\xb6", -EINVAL, 1, "no component 'L'"},
};

Test(node_formula, anything_else_is_refused_with_the_reason_and_its_column)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct maui_node_formula formula = {.constant = 77};
		struct maui_error error = {""};
		size_t column = 0;
		int rc = maui_node_formula_parse(bad[i].text, NULL, &formula, &column, &error);

		cr_expect_eq(rc, bad[i].rc, "'%s': %d", bad[i].text, rc);
		cr_expect_eq(column, bad[i].column, "'%s': column %zu", bad[i].text, column);
		cr_expect(strstr(error.text, bad[i].says), "'%s': %s", bad[i].text, error.text);
		cr_expect_eq(formula.constant, 77, "'%s'", bad[i].text);
	}
	cr_expect_eq(maui_node_formula_parse(NULL, NULL, NULL, NULL, NULL), -EINVAL);
}

Test(node_formula, every_component_of_the_manual_is_known)
{
	unsigned int dynamic = 0;

	for (unsigned int c = 0; c < MAUI_NODE_COMPONENTS; c++) {
		struct maui_node_formula formula;

		cr_expect_eq(maui_node_formula_parse(maui_node_component_name(c), NULL, &formula,
						     NULL, NULL),
			     0);
		cr_expect_eq(formula.term_count, 1);
		cr_expect_eq(formula.terms[0], c);
		cr_expect_eq(formula.dynamic, maui_node_component_dynamic(c));
		dynamic += formula.dynamic;
	}
	cr_expect_eq(dynamic, 7);
	cr_expect_null(maui_node_component_name(MAUI_NODE_COMPONENTS));
	cr_expect_not(maui_node_component_dynamic(MAUI_NODE_COMPONENTS));
}

Test(node_formula, the_default_is_priority_preferences_and_affinity)
{
	struct maui_node_formula formula;
	char *text;

	maui_node_formula_default(&formula);
	text = maui_node_formula_text(&formula);
	cr_assert(text);
	cr_expect_str_eq(text, "100*PREF + PRIORITY + 100*RESAFFINITY");
	free(text);
	cr_expect_not(formula.dynamic);
}

Test(node_formula, a_weight_takes_the_place_of_a_coefficient)
{
	struct maui_node_formula formula;

	cr_assert_eq(maui_node_formula_parse("2*LOAD + PREF", NULL, &formula, NULL, NULL), 0);
	maui_node_formula_set(&formula, MAUI_NODE_LOAD, 0);
	cr_expect_eq(formula.term_count, 1);
	cr_expect_not(formula.dynamic);
	maui_node_formula_set(&formula, MAUI_NODE_USAGE, 1e300);
	cr_expect_eq(formula.coefficient[MAUI_NODE_USAGE], MAUI_NODE_COEFFICIENT_LIMIT);
	maui_node_formula_set(&formula, MAUI_NODE_USAGE, -INFINITY);
	cr_expect_eq(formula.coefficient[MAUI_NODE_USAGE], -MAUI_NODE_COEFFICIENT_LIMIT);
	maui_node_formula_set(&formula, MAUI_NODE_USAGE, NAN);
	cr_expect_eq(formula.coefficient[MAUI_NODE_USAGE], 0);
	maui_node_formula_set(&formula, MAUI_NODE_COMPONENTS, 3);
	cr_expect_eq(formula.term_count, 1);
}

Test(node_formula, in_words_it_is_the_same_formula)
{
	static const char *const texts[][2] = {
		{"SPEED+ .01 * AMEM - 10 * JOBCOUNT", "0.01*AMEM - 10*JOBCOUNT + SPEED"},
		{"-LOAD - 5*USAGE", "-LOAD - 5*USAGE"},
		{"JOBCOUNT", "JOBCOUNT"},
		{"3 - 1e15*LOAD", "-1e+15*LOAD + 3"},
		{"LOAD*0.1234567890123456 - 1", "0.1234567890123456*LOAD - 1"},
		{"LOAD - LOAD", "0"},
		{"-7", "-7"},
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct maui_node_formula formula, again;
		char *text;

		cr_assert_eq(maui_node_formula_parse(texts[i][0], NULL, &formula, NULL, NULL), 0);
		text = maui_node_formula_text(&formula);
		cr_expect_str_eq(text, texts[i][1]);
		cr_expect_eq(maui_node_formula_parse(text, NULL, &again, NULL, NULL), 0);
		cr_expect_arr_eq(&again, &formula, sizeof(formula));
		free(text);
	}
}

/* ---- GRES ---------------------------------------------------------------------------------- */

Test(node_formula, gres_have_numbers_in_the_order_of_their_first_mention)
{
	struct maui_node_formula formula, again;
	struct maui_node_gres gres = {0}, others = {0};
	char buffer[MAUI_NODE_TERM_NAME_SIZE], *text;

	cr_assert_eq(maui_node_formula_parse("-100*CGRES[gpu] + AGRES[gpu:a100] 5 + PREF", &gres,
					     &formula, NULL, NULL),
		     -EINVAL);
	cr_assert_eq(maui_node_formula_parse("-100*CGRES[gpu] + 5 AGRES[gpu:a100] - AGRES[gpu]",
					     &gres, &formula, NULL, NULL),
		     0);
	cr_assert_eq(gres.count, 2);
	cr_expect_str_eq(gres.name[0], "gpu");
	cr_expect_str_eq(gres.name[1], "gpu:a100");
	cr_expect_eq(formula.coefficient[MAUI_NODE_CGRES], -100);
	cr_expect_eq(formula.coefficient[MAUI_NODE_AGRES], -1);
	cr_expect_eq(formula.coefficient[MAUI_NODE_AGRES + 1], 5);
	cr_expect(formula.counts_gres && formula.dynamic);
	cr_expect_eq(formula.term_count, 3);
	text = maui_node_formula_text(&formula);
	cr_expect_str_eq(text, "-100*CGRES[gpu] - AGRES[gpu] + 5*AGRES[gpu:a100]");
	cr_expect_eq(maui_node_formula_parse(text, &others, &again, NULL, NULL), 0);
	cr_expect_arr_eq(again.coefficient, formula.coefficient, sizeof(formula.coefficient));
	free(text);
	cr_assert_eq(maui_node_formula_parse("CGRES[gpu]", &gres, &formula, NULL, NULL), 0);
	cr_expect(formula.counts_gres && !formula.dynamic);
	cr_expect_eq(gres.count, 2);
	cr_expect_str_eq(maui_node_term_name(&gres, MAUI_NODE_AGRES + 1, buffer),
			 "AGRES[gpu:a100]");
	cr_expect_str_eq(maui_node_term_name(&gres, MAUI_NODE_LOAD, buffer), "LOAD");
	cr_expect_str_eq(maui_node_term_name(&gres, MAUI_NODE_CGRES + 2, buffer), "");
	cr_expect_str_eq(maui_node_term_name(NULL, MAUI_NODE_CGRES, buffer), "");
	cr_expect_str_eq(maui_node_term_name(&gres, MAUI_NODE_TERMS, buffer), "");
}

Test(node_formula, what_is_wrong_with_a_gres_is_said)
{
	static const struct {
		const char *text;
		size_t column;
		const char *says;
	} wrong[] = {
		{"CGRES", 6, "CGRES needs the name of a GRES in brackets: CGRES[gpu]"},
		{"2*AGRES + LOAD", 8, "AGRES needs the name"},
		{"CGRES [gpu]", 6, "needs the name"},
		{"CGRES[gpu", 6, "']' is missing"},
		{"CGRES[]", 7, "'' is not the name of a GRES, as in CGRES[gpu] or CGRES[gpu:a100]"},
		{"LOAD+CGRES[g pu]", 12, "'g pu' is not the name"},
		{"CGRES[gpu:]", 7, "'gpu:' is not the name"},
		{"AGRES[license:matlab]", 7, "licenses belong to no node"},
		{"cgres[gpu]", 1, "write CGRES, not 'cgres'"},
		{"CGREZ[gpu]", 1, "the nearest is CGRES"},
		{"CGRES[gpu]*AGRES[gpu]", 12, "a term has one component"},
		{"CPROCS[gpu]", 7, "not '['"},
		{"CGRES[gpu] ]", 12, "not ']'"},
		{"CGRES[q=z]", 7, "'q=z' is not the name"},
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct maui_node_gres gres = {0};
		struct maui_node_formula formula;
		struct maui_error error = {""};
		size_t column = 0;

		cr_expect_eq(
			maui_node_formula_parse(wrong[i].text, &gres, &formula, &column, &error),
			-EINVAL, "'%s'", wrong[i].text);
		cr_expect(strstr(error.text, wrong[i].says), "'%s': %s", wrong[i].text, error.text);
		cr_expect_eq(column, wrong[i].column, "'%s': %zu", wrong[i].text, column);
	}
}

Test(node_formula, there_is_room_for_so_many_gres)
{
	struct maui_node_gres gres = {0};
	struct maui_node_formula formula;
	struct maui_error error = {""};
	char text[32];

	for (unsigned int i = 0; i <= MAUI_GRES_NAMES; i++) {
		snprintf(text, sizeof(text), "CGRES[g%u]", i);
		cr_expect_eq(maui_node_formula_parse(text, &gres, &formula, NULL, &error),
			     i < MAUI_GRES_NAMES ? 0 : -EINVAL);
	}
	cr_expect(strstr(error.text, "more than 16 GRES are named"), "%s", error.text);
	cr_expect_eq(gres.count, MAUI_GRES_NAMES);
	cr_expect_eq(maui_node_formula_parse("AGRES[g15]", &gres, &formula, NULL, NULL), 0);
	cr_expect_eq(formula.terms[0], MAUI_NODE_TERMS - 1);
	cr_expect_eq(maui_node_formula_parse("CGRES[g]", NULL, &formula, NULL, NULL), -EINVAL);
}
