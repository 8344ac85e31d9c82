/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is read and checked but has no effect: an administrator must not believe that it has one.
 * The verdicts say what that is; reports use them, too.
 */
#include "common/config/parser.h"
#include "common/config/verdict.h"

static void effects_mark(struct maui_problem *problem)
{
	if (problem)
		problem->no_effect = true;
}

enum maui_severity maui_unknown_severity(const struct maui_parser *parser)
{
	return parser->unknown_is_error ? MAUI_ERROR : MAUI_WARNING;
}

void maui_mark_unknown(struct maui_parser *parser, struct maui_problem *problem)
{
	if (!parser->unknown_is_error)
		parser->config->unknown_count++;
	if (problem)
		problem->unknown = true;
}

static void tell_flags(struct maui_parser *parser, const struct maui_value *value, const char *name)
{
	for (size_t i = 0; i < value->list_size; i++) {
		bool acts;
		const char *remark = maui_value_remark(value, i, &acts);

		if (remark && !acts)
			effects_mark(maui_problem_add(&parser->problems, MAUI_WARNING,
						      value->origin, "%s: %s", name, remark));
	}
}

void maui_tell_effect(struct maui_parser *parser, const struct maui_value *value, const char *name,
		      enum maui_section section)
{
	struct maui_verdict verdict = maui_key_verdict(value->key, section);
	bool slurm = value->key->area == MAUI_AREA_SLURM;

	if (verdict.kind != MAUI_IGNORED)
		tell_flags(parser, value, name);
	else
		effects_mark(maui_problem_add(
			&parser->problems, MAUI_WARNING, value->origin, "%s %s: %s", name,
			slurm ? "is accepted without effect" : "has no effect", verdict.text));
}
