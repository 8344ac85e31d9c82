/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Standing reservations: what is wrong with them as a whole, and what they ask for that is not there yet. */
#include "contribs/maui/findings.h"

#include "common/policy/sr_lacks.h"
#include "common/policy/sr_settings.h"

/* Whether names are known is check_names()'s to say. */
static uint32_t any_id(void *context, enum maui_credential type, const char *name)
{
	(void)context;
	(void)type;
	(void)name;
	return 1;
}

static void check_problems(const struct maui_sr_settings *settings, struct findings *findings)
{
	const struct maui_problem *problems;
	size_t count = maui_sr_problems(settings, &problems);

	for (size_t i = 0; i < count; i++)
		if (problems[i].severity == MAUI_ERROR)
			findings_error(findings, &problems[i].origin, problems[i].text);
		else
			findings_warn(findings, &problems[i].origin, "%s", problems[i].text);
}

static void check_lacks(const struct maui_config *config, const struct maui_sr *sr,
			struct findings *findings)
{
	struct maui_sr_lack lacks[MAUI_SR_LACKS];
	size_t count = maui_sr_lacks(config, sr, lacks);

	for (size_t i = 0; i < count; i++)
		findings_warn(findings, &lacks[i].origin, "SRCFG[%s]: %s", sr->name, lacks[i].text);
}

void check_reservations(struct maui_config *config, struct findings *findings)
{
	const struct maui_limit_names names = {any_id, NULL};
	struct maui_sr_settings *settings = NULL;
	struct maui_error why;
	const struct maui_sr *list;
	size_t count;

	if (maui_sr_settings_compile(config, &names, &settings, &why)) {
		findings->short_of_memory = true;
		return;
	}
	check_problems(settings, findings);
	count = maui_sr_list(settings, &list);
	for (size_t i = 0; i < count; i++)
		check_lacks(config, &list[i], findings);
	maui_sr_settings_free(settings);
}
