/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keys that are read and checked, but have no effect: an administrator must not believe that they
 * have.
 */
#include <stdio.h>

#include "common/config/parser.h"

void maui_effects_begin(struct maui_parser *parser)
{
	parser->effects.used = 0;
	parser->effects.names[0] = '\0';
}

void maui_effects_add(struct maui_parser *parser, const struct maui_key_info *key, const char *name,
		      enum maui_section section, struct maui_origin origin)
{
	struct maui_effects *effects = &parser->effects;
	enum maui_area area = maui_key_area(key, section);
	size_t room = sizeof(effects->names) - effects->used;
	int length;

	if (area == MAUI_AREA_SLURM) {
		maui_problem_add(&parser->problems, MAUI_WARNING, origin,
				 "%s is accepted without effect: %s", name, key->summary);
	} else if (key->missing) {
		maui_problem_add(&parser->problems, MAUI_WARNING, origin, "%s has no effect: %s",
				 name, key->missing);
	} else if (!maui_area_in_force(area)) {
		if (!effects->used)
			effects->origin = origin;
		length = snprintf(effects->names + effects->used, room, "%s%s (%s)",
				  effects->used ? ", " : "", name, maui_area_name(area));
		/* A line that names so many is cut: the first ones are enough. */
		effects->used += length >= 0 && (size_t)length < room ? (size_t)length : 0;
		effects->names[effects->used] = '\0';
	}
}

void maui_effects_end(struct maui_parser *parser)
{
	if (parser->effects.used)
		maui_problem_add(&parser->problems, MAUI_WARNING, parser->effects.origin,
				 "no effect in this release, its policies come later: %s",
				 parser->effects.names);
}
