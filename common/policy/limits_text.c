/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is said of a job that a limit blocks. */
#include <inttypes.h>
#include <stdio.h>

#include "common/policy/limits_private.h"

static const char *const metrics[MAUI_LIMIT_METRICS] = {"JOB", "PROC", "NODE", "PS",
							"PE",  "WC",   "MEM"};
/* In upper case, as maui.cfg has them: MAXJOB[USER]. */
static const char *const dimensions[MAUI_CREDENTIALS] = {"USER", "GROUP", "ACCOUNT", "QOS",
							 "CLASS"};

#define HOLDER_SIZE 168 /* names are cut */

const char *maui_limit_verdict_name(const struct maui_limit_verdict *verdict,
				    char text[MAUI_LIMIT_NAME_SIZE])
{
	const char *metric = metrics[verdict->metric], *override = verdict->override ? "O" : "";
	const size_t size = MAUI_LIMIT_NAME_SIZE;

	if (verdict->mode != MAUI_LIMIT_SYSTEM)
		snprintf(text, size, "%sMAX%s%s%s%s%s", override,
			 verdict->mode == MAUI_LIMIT_IDLE ? "I" : "", metric,
			 verdict->pair ? "[" : "",
			 verdict->pair ? dimensions[verdict->second_type] : "",
			 verdict->pair ? "]" : "");
	else if (verdict->override)
		snprintf(text, size, "OMAXJ%s", metric);
	else if (verdict->metric == MAUI_LIMIT_WC)
		snprintf(text, size, "%s",
			 verdict->type == MAUI_WHOLE_SYSTEM ? "SYSTEMMAXJOBWALLTIME"
							    : "MAX.WCLIMIT");
	else
		snprintf(text, size, "%sMAX%sPERJOB",
			 verdict->type == MAUI_WHOLE_SYSTEM ? "SYSTEM" : "",
			 verdict->metric == MAUI_LIMIT_PS ? "PROCSECOND" : metric);
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

	return maui_limit_verdict_name(&verdict, text);
}

/* " for user bob in class fast"; nothing for the whole system. */
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
	static const char *const modes[MAUI_LIMIT_MODES] = {"active", "idle", "system"};
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
		 "violates %s %s MAX%s limit of %" PRId64 " for %s %s %s (R: %" PRId64
		 ", U: %" PRId64 ")",
		 modes[verdict->mode], verdict->level == MAUI_LIMIT_SOFT ? "SOFT" : "HARD",
		 metrics[verdict->metric], verdict->limit, holders[verdict->type], name,
		 second ? second : "?", verdict->request, verdict->usage);
	return text;
}
