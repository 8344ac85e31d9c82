/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as a PRIORITYF: rejected with a reason and a column in the text, or a formula of finite
 * coefficients that is the same after being written out and read back. The same bytes as a range of
 * nodes: rejected likewise, or as many names as were counted, none of them with brackets; each of
 * them is a single name. And as a NODECFG line: whatever its index and formula, every node has
 * settings.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/policy/nodes/node_settings.h"
#include "common/util/slurm/hostlist.h"
#include "testsuite/fuzz/require.h"

#define LONGEST 4096

/* ---- formulas ------------------------------------------------------------------------------ */

static void write_formula(const struct maui_node_formula *formula, char text[LONGEST])
{
	size_t used = (size_t)snprintf(text, LONGEST, "%.17g", formula->constant);
	char name[MAUI_NODE_TERM_NAME_SIZE];

	for (unsigned int i = 0; i < formula->term_count; i++)
		used += (size_t)snprintf(
			text + used, LONGEST - used, " + %.17g * %s",
			formula->coefficient[formula->terms[i]],
			maui_node_term_name(formula->gres, formula->terms[i], name));
	REQUIRE(used < LONGEST);
}

static void try_formula(const char *text)
{
	struct maui_node_formula formula = {.constant = -77}, again;
	struct maui_node_gres gres = {0};
	struct maui_error error = {""};
	char written[LONGEST];
	size_t column = 0;
	int rc = maui_node_formula_parse(text, &gres, &formula, &column, &error);

	REQUIRE(rc == 0 || rc == -EINVAL || rc == -ERANGE);
	REQUIRE(!rc == !*error.text);
	if (rc) {
		REQUIRE(column >= 1 && column <= strlen(text) + 1 && formula.constant == -77);
		return;
	}
	REQUIRE(formula.term_count <= MAUI_NODE_TERMS && gres.count <= MAUI_GRES_NAMES);
	for (unsigned int c = 0; c < MAUI_NODE_TERMS; c++)
		REQUIRE(fabs(formula.coefficient[c]) <= MAUI_NODE_COEFFICIENT_LIMIT);
	REQUIRE(formula.counts_gres ==
		(formula.term_count && formula.terms[formula.term_count - 1] >= MAUI_NODE_CGRES));
	write_formula(&formula, written);
	REQUIRE(!maui_node_formula_parse(written, &gres, &again, NULL, NULL));
	REQUIRE(again.constant == formula.constant && again.dynamic == formula.dynamic);
	REQUIRE(again.term_count == formula.term_count);
	REQUIRE(!memcmp(again.terms, formula.terms, formula.term_count));
	for (unsigned int c = 0; c < MAUI_NODE_TERMS; c++)
		REQUIRE(again.coefficient[c] == formula.coefficient[c]);
}

/* ---- ranges -------------------------------------------------------------------------------- */

static int take(void *context, const char *name)
{
	size_t *count = context, one = 0;

	REQUIRE(*name && strlen(name) < MAUI_HOSTLIST_NAME && !strpbrk(name, "[], \t\n"));
	/* If there are very many, the first ones suffice. */
	if (++*count <= 100)
		REQUIRE(!maui_hostlist_expand(name, NULL, NULL, &one, NULL, NULL) && one == 1);
	return 0;
}

static void try_hostlist(const char *text)
{
	struct maui_error error = {""};
	size_t column = 0, count = 77, taken = 0;
	int rc = maui_hostlist_expand(text, take, &taken, &count, &column, &error);

	REQUIRE(rc == 0 || rc == -EINVAL || rc == -E2BIG);
	REQUIRE(!rc == !*error.text);
	if (rc)
		REQUIRE(!taken && count == 77 && column >= 1 && column <= strlen(text) + 1);
	else
		REQUIRE(taken == count && count >= 1 && count <= MAUI_HOSTLIST_LIMIT);
}

/* ---- lines --------------------------------------------------------------------------------- */

static void try_line(const char *text)
{
	static const char *const names[] = {"node1", "n1", "a", "DEFAULT", ""};
	struct maui_node_policy *policy;
	struct maui_config *config = NULL;
	char *line;

	REQUIRE(asprintf(&line, "NODECFG[%s] PRIORITYF='%s' SPEED=2\nNODECFG[n[1-3]] %s\n", text,
			 text, text) > 0);
	REQUIRE(!maui_config_parse("maui.cfg", line, strlen(line), NULL, &config, NULL));
	policy = maui_node_policy_compile(config);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct maui_node_settings *settings = maui_node_settings(policy, names[i]);

		REQUIRE(settings && settings->speed >= 0 &&
			settings->speed <= MAUI_NODE_SPEED_LIMIT && settings->size >= 1);
		REQUIRE(isfinite(settings->priority));
	}
	maui_node_policy_free(policy);
	maui_config_unref(config);
	free(line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	REQUIRE(text);
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	try_formula(text);
	try_hostlist(text);
	try_line(text);
	free(text);
	return 0;
}
