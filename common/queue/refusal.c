/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares refusals, and writes one as text, in our words or in those of the
 * original Maui, for limits, FSTARGET caps and QOS lists.
 */
#include "common/queue/refusal.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

const struct maui_refusal maui_refusal_none = {.kind = MAUI_REFUSAL_NONE};

static bool same_cap(const struct maui_fairshare_verdict *a, const struct maui_fairshare_verdict *b)
{
	return a->type == b->type && a->mode == b->mode && a->cap == b->cap &&
	       a->usage == b->usage && a->request == b->request && a->until == b->until;
}

bool maui_refusal_same(const struct maui_refusal *a, const struct maui_refusal *b)
{
	if (a->kind != b->kind)
		return false;
	if (a->kind == MAUI_REFUSAL_LIMIT)
		return maui_limit_verdict_same(&a->limit, &b->limit);
	if (a->kind == MAUI_REFUSAL_QOS)
		return a->id == b->id && a->qos.type == b->qos.type && a->qos.id == b->qos.id &&
		       a->qos.fallback == b->qos.fallback;
	if (a->kind == MAUI_REFUSAL_NAME)
		return a->id == b->id && a->type == b->type;
	return a->kind != MAUI_REFUSAL_FSCAP || (a->id == b->id && same_cap(&a->cap, &b->cap));
}

size_t maui_refusal_place(const struct maui_refusal *refusal, size_t room)
{
	size_t id = refusal->kind == MAUI_REFUSAL_LIMIT ? refusal->limit.id : refusal->id;

	return (refusal->kind + 8 * id) % room;
}

bool maui_refusal_is_soft(const struct maui_refusal *refusal)
{
	return refusal->kind == MAUI_REFUSAL_LIMIT && refusal->limit.level == MAUI_LIMIT_SOFT;
}

/* ---- the text ---- */

/* The name function of a namer; context is the names. */
static const char *name_of(const void *context, unsigned int type, uint32_t id, char number[16])
{
	const struct maui_names *names = context;
	const char *name = maui_names_name(names, type, id);

	if (name)
		return name;
	snprintf(number, 16, "%u", maui_names_number(names, type, id));
	return number;
}

static const char *refusal_label(const struct maui_refusal_namer *namer, unsigned int type,
				 uint32_t id, char number[16])
{
	if (type >= MAUI_CREDENTIALS || id == MAUI_NO_CREDENTIAL)
		return NULL;
	return namer->name(namer->context, type, id, number);
}

static void limit_text(const struct maui_limit_verdict *limit,
		       const struct maui_refusal_namer *namer, char text[MAUI_REFUSAL_TEXT_SIZE])
{
	char first[16], second[16];

	_Static_assert(MAUI_REFUSAL_TEXT_SIZE >= MAUI_LIMIT_TEXT_SIZE, "a limit's text fits");
	maui_limit_text(limit, refusal_label(namer, limit->type, limit->id, first),
			limit->pair
				? refusal_label(namer, limit->second_type, limit->second_id, second)
				: NULL,
			text);
}

/* "never" if time alone does not help. */
static void cap_end(int64_t until, char text[32])
{
	time_t time = (time_t)until;
	struct tm local;

	if (until == INT64_MAX || !localtime_r(&time, &local) ||
	    !strftime(text, 32, "%Y-%m-%dT%H:%M:%S", &local))
		snprintf(text, 32, "never");
}

static void cap_text(const struct maui_fairshare_verdict *cap, const char *name,
		     char text[MAUI_REFUSAL_TEXT_SIZE])
{
	bool percent = cap->mode == MAUI_FS_CAP_RELATIVE;
	const char *blank = percent ? "" : " ";
	const char *unit = percent ? "%" : maui_fairshare_unit(cap->metric);
	int digits = percent ? 2 : 0;
	char until[32];

	cap_end(cap->until, until);
	snprintf(text, MAUI_REFUSAL_TEXT_SIZE,
		 "FSTARGET cap of %.*f%s%s for %s %.60s (%.*f%s used, %.*f asked for, below: %s)",
		 digits, cap->cap, blank, unit, maui_credential_name(cap->type), name ? name : "?",
		 digits, cap->usage, percent ? "%" : "", digits, cap->request, until);
}

static void name_text(const struct maui_refusal *refusal, const char *who,
		      char text[MAUI_REFUSAL_TEXT_SIZE])
{
	snprintf(text, MAUI_REFUSAL_TEXT_SIZE,
		 "%s %.60s could be one that maui.cfg names: the name service has not said yet",
		 maui_credential_name(refusal->type), who ? who : "?");
}

const char *maui_refusal_text_by(const struct maui_refusal *refusal,
				 const struct maui_refusal_namer *namer,
				 char text[MAUI_REFUSAL_TEXT_SIZE])
{
	char number[16], qos[16];

	_Static_assert(MAUI_REFUSAL_TEXT_SIZE >= MAUI_QOS_ACCESS_TEXT_SIZE, "a list's text fits");
	text[0] = '\0';
	switch (refusal->kind) {
	case MAUI_REFUSAL_NONE:
		break;
	case MAUI_REFUSAL_LIMIT:
		limit_text(&refusal->limit, namer, text);
		break;
	case MAUI_REFUSAL_FSCAP:
		cap_text(&refusal->cap,
			 refusal_label(namer, refusal->cap.type, refusal->id, number), text);
		break;
	case MAUI_REFUSAL_QOS:
		maui_qos_access_text(
			&refusal->qos, refusal_label(namer, MAUI_QOS, refusal->id, qos),
			refusal_label(namer, refusal->qos.type, refusal->qos.id, number), text);
		break;
	case MAUI_REFUSAL_RESERVATION:
		snprintf(text, MAUI_REFUSAL_TEXT_SIZE,
			 "the reservation that it asks for does not admit it");
		break;
	case MAUI_REFUSAL_UNKNOWN:
		snprintf(text, MAUI_REFUSAL_TEXT_SIZE, "limits of maui.cfg are being looked up");
		break;
	case MAUI_REFUSAL_NAME:
		name_text(refusal, refusal_label(namer, refusal->type, refusal->id, number), text);
		break;
	}
	return text;
}

static const char *original_limit_text(const struct maui_limit_verdict *limit,
				       const struct maui_refusal_namer *namer,
				       char text[MAUI_REFUSAL_TEXT_SIZE])
{
	char first[16], second[16];

	return maui_limit_original_text(
		limit, refusal_label(namer, limit->type, limit->id, first),
		limit->pair ? refusal_label(namer, limit->second_type, limit->second_id, second)
			    : NULL,
		text);
}

const char *maui_refusal_original_text_by(const struct maui_refusal *refusal,
					  const struct maui_refusal_namer *namer,
					  char text[MAUI_REFUSAL_TEXT_SIZE])
{
	char ours[MAUI_REFUSAL_TEXT_SIZE];

	text[0] = '\0';
	if (refusal->kind == MAUI_REFUSAL_LIMIT)
		return original_limit_text(&refusal->limit, namer, text);
	if (refusal->kind != MAUI_REFUSAL_NONE)
		snprintf(text, MAUI_REFUSAL_TEXT_SIZE, "cannot be selected  (%s: %.360s)",
			 refusal->kind == MAUI_REFUSAL_FSCAP ? "FairShare" : "Policy",
			 maui_refusal_text_by(refusal, namer, ours));
	return text;
}

const char *maui_refusal_text(const struct maui_refusal *refusal, const struct maui_names *names,
			      char text[MAUI_REFUSAL_TEXT_SIZE])
{
	return maui_refusal_text_by(refusal, &(struct maui_refusal_namer){name_of, names}, text);
}

const char *maui_refusal_original_text(const struct maui_refusal *refusal,
				       const struct maui_names *names,
				       char text[MAUI_REFUSAL_TEXT_SIZE])
{
	return maui_refusal_original_text_by(refusal, &(struct maui_refusal_namer){name_of, names},
					     text);
}
