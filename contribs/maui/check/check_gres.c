/* SPDX-License-Identifier: GPL-2.0-or-later */
/* GRES in maui.cfg that Slurm must know, D-GRES-15. */
#include "contribs/maui/check/check.h"

#include <stdio.h>
#include <string.h>

#include "common/util/intern.h"

/* What all names are compared with, and where to say so. */
struct gres_check {
	struct findings *findings;
	const struct maui_intern *known; /* NULL: Slurm could not be asked */
	const char *unasked;             /* why not */
	struct maui_intern *told;        /* names that were not compared */
};

/* Once for each name: a file that is right may have it in a hundred lines. */
static void tell_unchecked(const struct gres_check *check, const struct maui_value *value,
			   const char *called, const char *name, const char *why)
{
	if (maui_intern_find(check->told, name))
		return;
	maui_intern_add(check->told, name);
	findings_warn(check->findings, &value->origin,
		      "%s: not checked: whether Slurm has a GRES %s (%s)", called, name, why);
}

/* called: what a line calls the GRES, "MAXGRES[gpu]". */
static void check_name(const struct gres_check *check, const struct maui_value *value,
		       const char *called, const char *name)
{
	char text[200];

	if (!check->known) {
		tell_unchecked(check, value, called, name, check->unasked);
	} else if (maui_intern_find(check->known, name)) {
		return;
	} else if (strchr(name, '@')) {
		tell_unchecked(check, value, called, name, "remote licenses are slurmdbd's");
	} else {
		snprintf(text, sizeof(text),
			 "%s: Slurm has no GRES %s: GresTypes and Gres=... of the nodes, or "
			 "Licenses, in slurm.conf",
			 called, name);
		findings_error(check->findings, &value->origin, text);
	}
}

/* GRES:gpu:a100:2, as values have it. */
static void check_resources(const struct gres_check *check, const struct maui_value *value)
{
	for (size_t i = 0; i < value->list_size; i++) {
		const char *item = value->list[i], *name = strchr(item, ':') + 1;
		char text[MAUI_GRES_NAME_SIZE], called[MAUI_GRES_NAME_SIZE + 32];

		if (strncmp(item, "GRES:", strlen("GRES:")) != 0)
			continue;
		snprintf(text, sizeof(text), "%.*s", (int)(strrchr(name, ':') - name), name);
		snprintf(called, sizeof(called), "%s GRES=%s", value->key->name, text);
		check_name(check, value, called, text);
	}
}

static void check_formula(const struct gres_check *check, const struct maui_value *value)
{
	struct maui_node_gres gres = {0};
	struct maui_node_formula formula;
	char called[MAUI_NODE_TERM_NAME_SIZE + 16];

	if (maui_node_formula_parse(value->text, &gres, &formula, NULL, NULL))
		return;
	for (unsigned int i = 0; i < gres.count; i++) {
		snprintf(called, sizeof(called), "%s [%s]", value->key->name, gres.name[i]);
		check_name(check, value, called, gres.name[i]);
	}
}

static void check_values(const struct gres_check *check, const struct maui_value *const *values,
			 size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char called[MAUI_GRES_NAME_SIZE + 32];

		if (values[i]->key->kind == MAUI_KIND_FORMULA)
			check_formula(check, values[i]);
		if (values[i]->key->kind == MAUI_KIND_RESOURCES)
			check_resources(check, values[i]);
		if (values[i]->key->kind == MAUI_KIND_FSPOLICY && values[i]->list_size) {
			snprintf(called, sizeof(called), "FSPOLICY DEDICATEDGRES[%s]",
				 values[i]->list[0]);
			check_name(check, values[i], called, values[i]->list[0]);
		}
		if (!values[i]->gres_name)
			continue;
		snprintf(called, sizeof(called), "%s[%s]", values[i]->key->name,
			 values[i]->gres_name);
		check_name(check, values[i], called, values[i]->gres_name);
	}
}

void check_gres(const struct maui_config *config, struct findings *findings,
		const struct maui_intern *known, const char *unasked)
{
	struct gres_check check = {findings, known, unasked, maui_intern_new()};
	const struct maui_value *const *values;
	size_t size = maui_config_parameters(config, &values);

	check_values(&check, values, size);
	for (enum maui_section section = MAUI_SYSCFG; section < MAUI_SECTIONS; section++) {
		const struct maui_object *const *objects;
		size_t count = maui_config_objects(config, section, &objects);

		for (size_t i = 0; i < count; i++) {
			size = maui_object_values(objects[i], &values);
			check_values(&check, values, size);
		}
	}
	maui_intern_free(check.told);
}
