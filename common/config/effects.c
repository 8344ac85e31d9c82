/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keys that are read and checked, but have no effect: an administrator must not believe that they
 * have.
 */
#include "common/config/parser.h"

void maui_tell_effect(struct maui_parser *parser, const struct maui_key_info *key, const char *name,
		      enum maui_section section, struct maui_origin origin)
{
	if (maui_key_area(key, section) == MAUI_AREA_SLURM)
		maui_problem_add(&parser->problems, MAUI_WARNING, origin,
				 "%s is accepted without effect: %s", name, key->summary);
	else if (key->missing)
		maui_problem_add(&parser->problems, MAUI_WARNING, origin, "%s has no effect: %s",
				 name, key->missing);
}
