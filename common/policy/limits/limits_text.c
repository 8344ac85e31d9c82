/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What to say of a job that a limit blocks. */
#include <inttypes.h>
#include <stdio.h>

#include "common/policy/limits/limits_private.h"

#define HOLDER_SIZE 168 /* longer names are truncated */

/* The form of the limit's name. */
static enum maui_limit_form form_of(const struct maui_limit_verdict *verdict,
				    const struct maui_limit_metric_info *metric)
{
	static const enum maui_limit_form shared[][2] = {
		[MAUI_LIMIT_ACTIVE] = {MAUI_LIMIT_MAX, MAUI_LIMIT_OMAX},
		[MAUI_LIMIT_IDLE] = {MAUI_LIMIT_MAXI, MAUI_LIMIT_OMAXI},
	};

	if (verdict->mode != MAUI_LIMIT_SYSTEM)
		return shared[verdict->mode][verdict->override];
	if (verdict->override)
		return MAUI_LIMIT_OMAXJ;
	/* SYSCFG can limit single jobs, too. */
	return verdict->type == MAUI_WHOLE_SYSTEM && metric->key[MAUI_LIMIT_SYSTEMMAX] != MAUI_KEYS
		       ? MAUI_LIMIT_SYSTEMMAX
		       : MAUI_LIMIT_PERJOB;
}

bool maui_limit_verdict_same(const struct maui_limit_verdict *a, const struct maui_limit_verdict *b)
{
	return a->mode == b->mode && a->level == b->level && a->metric == b->metric &&
	       a->type == b->type && a->id == b->id && a->pair == b->pair &&
	       a->second_type == b->second_type && a->second_id == b->second_id &&
	       a->override == b->override && a->limit == b->limit && a->usage == b->usage &&
	       a->request == b->request && !strcmp(a->gres, b->gres) &&
	       !strcmp(a->period, b->period) && a->until == b->until;
}

/* An item of the brackets behind a name, if there is one. */
static void add_item(char *text, bool *any, const char *kind, const char *item)
{
	size_t used = strlen(text);

	if (!*item)
		return;
	snprintf(text + used, MAUI_LIMIT_NAME_SIZE - used, "%s%s%s", *any ? "," : "[", kind, item);
	*any = true;
}

const char *maui_limit_verdict_name(const struct maui_limit_verdict *verdict,
				    char text[MAUI_LIMIT_NAME_SIZE])
{
	const struct maui_limit_metric_info *metric = maui_limit_metric_info(verdict->metric);
	const struct maui_key_info *key = maui_key_info(metric->key[form_of(verdict, metric)]);
	bool any = false;
	size_t used;

	snprintf(text, MAUI_LIMIT_NAME_SIZE, "%s", key ? key->name : metric->name);
	add_item(text, &any, "", verdict->gres);
	add_item(text, &any, "",
		 verdict->pair ? maui_credential_dimension(verdict->second_type) : "");
	add_item(text, &any, "PERIOD:", verdict->period);
	used = strlen(text);
	if (any)
		snprintf(text + used, MAUI_LIMIT_NAME_SIZE - used, "]");
	return text;
}

const char *maui_limit_entry_name(const struct maui_limit_entry *entry, unsigned int type,
				  char text[MAUI_LIMIT_NAME_SIZE])
{
	struct maui_limit_verdict verdict = {.override = entry->override,
					     .pair = entry->pair,
					     .mode = entry->mode,
					     .metric = entry->metric,
					     .type = type,
					     .second_type = entry->second_type};

	if (entry->gres)
		snprintf(verdict.gres, sizeof(verdict.gres), "%s", entry->gres);
	if (entry->period)
		snprintf(verdict.period, sizeof(verdict.period), "%s", entry->period);
	return maui_limit_verdict_name(&verdict, text);
}

/* " for user bob in class fast"; "" for the whole system. */
static void holder_name(const struct maui_limit_verdict *verdict, const char *name,
			const char *second_name, char *text, size_t size)
{
	char holder[HOLDER_SIZE] = "the system";

	if (!name)
		name = verdict->id ? "?" : "DEFAULT";
	if (verdict->type != MAUI_WHOLE_SYSTEM)
		snprintf(holder, sizeof(holder), "%s %.60s", maui_credential_name(verdict->type),
			 name);
	if (verdict->pair)
		snprintf(
			text, size, "%s %.60s in %.80s", maui_credential_name(verdict->second_type),
			second_name ? second_name : (verdict->second_id ? "?" : "DEFAULT"), holder);
	else
		snprintf(text, size, "%s", holder);
}

const char *maui_limit_text(const struct maui_limit_verdict *verdict, const char *name,
			    const char *second_name, char text[MAUI_LIMIT_TEXT_SIZE])
{
	const char *soft = verdict->level == MAUI_LIMIT_SOFT ? "soft " : "";
	const char *state = verdict->mode == MAUI_LIMIT_IDLE ? "eligible" : "in use";
	char limit[MAUI_LIMIT_NAME_SIZE], holder[HOLDER_SIZE];

	text[0] = '\0';
	if (!verdict->blocked)
		return text;
	maui_limit_verdict_name(verdict, limit);
	holder_name(verdict, name, second_name, holder, sizeof(holder));
	if (verdict->mode == MAUI_LIMIT_SYSTEM)
		snprintf(text, MAUI_LIMIT_TEXT_SIZE,
			 "%s%s limit of %" PRId64 " for %s (%" PRId64 " asked for)", soft, limit,
			 verdict->limit, holder, verdict->request);
	else if (verdict->metric == MAUI_LIMIT_JOB)
		snprintf(text, MAUI_LIMIT_TEXT_SIZE,
			 "%s%s limit of %" PRId64 " for %s (%" PRId64 " %s)", soft, limit,
			 verdict->limit, holder, verdict->usage, state);
	else
		snprintf(text, MAUI_LIMIT_TEXT_SIZE,
			 "%s%s limit of %" PRId64 " for %s (%" PRId64 " %s, %" PRId64 " asked for)",
			 soft, limit, verdict->limit, holder, verdict->usage, state,
			 verdict->request);
	return text;
}

const char *maui_limit_original_text(const struct maui_limit_verdict *verdict, const char *name,
				     const char *second_name, char text[MAUI_LIMIT_TEXT_SIZE])
{
	static const char *const holders[MAUI_LIMIT_HOLDERS] = {"user", "group", "acct",
								"qos",  "class", "par"};
	const char *second = verdict->pair ? second_name : "";

	text[0] = '\0';
	if (!verdict->blocked)
		return text;
	if (verdict->type == MAUI_WHOLE_SYSTEM)
		name = "ALL";
	else if (!name)
		name = verdict->id ? "?" : "DEFAULT";
	snprintf(text, MAUI_LIMIT_TEXT_SIZE,
		 "violates %s %s MAX%s%s%s%s limit of %" PRId64 " for %s %.128s %.128s (R: %" PRId64
		 ", U: %" PRId64 ")",
		 maui_limit_mode_name(verdict->mode),
		 verdict->level == MAUI_LIMIT_SOFT ? "SOFT" : "HARD",
		 maui_limit_metric_info(verdict->metric)->name, *verdict->gres ? "[" : "",
		 verdict->gres, *verdict->gres ? "]" : "", verdict->limit, holders[verdict->type],
		 name, second ? second : "?", verdict->request, verdict->usage);
	return text;
}
