/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks a set-reservation request: compiles its SRCFG attributes, collects
 * errors and notes, chooses the name, and restricts users under RESCTLPOLICY
 * ANY.
 */
#include "plugins/compat/base.h"

#include "common/report/json.h"
#include "plugins/engine/service/rsv_setres_request_private.h"

#include <string.h>

#include "common/policy/reservation/sr_attributes.h"
#include "common/util/text.h"
#include "plugins/engine/reservation/rsv_policy.h"
#include "plugins/engine/reservation/setres/rsv_check.h"
#include "plugins/engine/runtime/runtime.h"

/* ---- its problems ---- */

/* What only draws a warning in maui.cfg is an error in a request just typed. Exempt is the reader's
 * note on a backslash in an expression: it is about the original Maui, of no interest here. */
static void judge_line(struct rsv_setres_reading *reading, const struct maui_config *config)
{
	const struct maui_problem *problems;
	size_t count = maui_config_problems(config, &problems);
	struct json_object *notes;

	json_object_object_get_ex(reading->order->data, "notes", &notes);
	for (size_t i = 0; i < count; i++)
		if (problems[i].no_effect)
			json_append_text(notes, problems[i].text);
		else if (!maui_begins(problems[i].text, "this backslash"))
			rsv_setres_refuse(reading, "%s", problems[i].text);
}

static void judge_settings(struct rsv_setres_reading *reading,
			   const struct maui_sr_settings *settings)
{
	const struct maui_problem *problems;
	size_t count = maui_sr_problems(settings, &problems);
	struct json_object *notes;

	json_object_object_get_ex(reading->order->data, "notes", &notes);
	for (size_t i = 0; i < count; i++)
		if (problems[i].severity == MAUI_ERROR)
			rsv_setres_refuse(reading, "%s", problems[i].text);
		else
			json_append_text(notes, problems[i].text);
}

/* ---- its name ---- */

static bool fits_base(char c)
{
	return (unsigned char)c > ' ' && c != 0x7f && !strchr(",=\"'/\\#[]", c);
}

static bool is_base(const char *base)
{
	if (!*base || strlen(base) > MAUI_SR_NAME_MAX - 8)
		return false;
	for (const char *at = base; *at; at++)
		if (!fits_base(*at))
			return false;
	return true;
}

/* A name of maui.cfg as that of a reservation: '.' for what no reservation's name has. */
static void base_of(const char *name, size_t size, char *base, size_t room)
{
	snprintf(base, room, "%.*s", (int)size, name);
	for (char *at = base; *at; at++)
		if (!fits_base(*at))
			*at = '.';
}

/* Whether NAME.0 would look like one of its instances. */
static bool is_standing(const char *name)
{
	const struct maui_sr *list;
	bool found = false;
	size_t count;

	engine_lock();
	count = rsv_policy_list(&list);
	for (size_t i = 0; i < count && !found; i++)
		found = !strcasecmp(list[i].name, name);
	engine_unlock();
	return found;
}

/* The given name, else the first name of the access list, else SYSTEM. That of a standing
 * reservation is refused, or not taken. */
static void name_it(struct rsv_setres_reading *reading, const struct maui_sr *sr)
{
	const char *given = rsv_setres_text(reading, "name");
	const struct maui_acl_item *items;
	size_t count = maui_acl_items(sr->acl, &items);
	char *base = reading->order->base;
	const size_t room = sizeof(reading->order->base);

	if (given)
		snprintf(base, room, "%s", given);
	else if (count && items[0].type <= MAUI_ACL_ATTRIBUTE)
		base_of(items[0].name, items[0].name_size, base, room);
	if (!given && (!*base || is_standing(base)))
		snprintf(base, room, "SYSTEM");
	if (is_standing(base))
		rsv_setres_refuse(reading,
				  "name: %.100s is a standing reservation, whose instances have "
				  "such names: give another",
				  base);
	if (!is_base(base) || (given && strlen(given) >= room))
		rsv_setres_refuse(reading, "name: '%.100s' cannot be the name of a reservation",
				  given ? given : base);
}

/* ---- RESCTLPOLICY ANY ---- */

static bool names_others(const struct maui_sr *sr, const char *user)
{
	const struct maui_acl_item *items;
	size_t count = maui_acl_items(sr->acl, &items);

	for (size_t i = 0; i < count; i++)
		if (items[i].type != MAUI_USER || strlen(user) != items[i].name_size ||
		    memcmp(user, items[i].name, items[i].name_size) != 0 || items[i].deny ||
		    items[i].exclude)
			return true;
	return false;
}

/* Users reserve free resources only, for a limited time, and for themselves. */
static void restrict_user(struct rsv_setres_reading *reading, const struct maui_sr *sr,
			  const char *user)
{
	if (sr->hosts)
		rsv_setres_refuse(reading, "only administrators may name hosts: ask for TASKS==n");
	if (sr->end >= MAUI_SR_FOREVER)
		rsv_setres_refuse(reading, "only administrators may make reservations without an "
					   "end: give an end or a duration");
	if (names_others(sr, user))
		rsv_setres_refuse(reading, "only administrators may make reservations for others");
	if (sr->flags & (MAUI_SR_FORCE | MAUI_SR_MAINT | MAUI_SR_OWNERPREEMPT))
		rsv_setres_refuse(reading,
				  "FORCE, MAINT and OWNERPREEMPT are for administrators only");
	for (size_t i = 0; i < MAUI_SR_ATTRIBUTES; i++) {
		const struct maui_sr_attribute *row = maui_sr_attribute_at(i);

		if (row->admins_only && rsv_setres_text(reading, row->json))
			rsv_setres_refuse(reading, "%s", row->admins_only);
	}
}

/* ---- all of it ---- */

void rsv_setres_judge(struct rsv_setres_reading *reading, const char *user)
{
	struct maui_sr_settings *settings = NULL;
	struct maui_config *config = NULL;
	struct maui_error why = {""};
	const struct maui_sr *list;

	if (rsv_check_compile(&reading->order->one, &config, &settings, &why)) {
		rsv_setres_refuse(reading, "%s", why.text);
		return;
	}
	maui_sr_list(settings, &list);
	judge_line(reading, config);
	judge_settings(reading, settings);
	name_it(reading, &list[0]);
	if (user)
		restrict_user(reading, &list[0], user);
	maui_sr_settings_free(settings);
	maui_config_unref(config);
}
