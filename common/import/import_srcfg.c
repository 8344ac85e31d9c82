/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reservations that recur, as SRCFG lines. */
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "common/import/import_resv.h"
#include "common/util/time/calendar.h"
#include "common/util/time/date.h"

#define DAY_SECONDS INT64_C(86400)

/* Whether a word is among those of Flags. */
static bool srcfg_flag(const struct maui_import_resv *resv, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = resv->flags; at && *at; at += *at == ',') {
		size_t size = strcspn(at, ",");

		if (size == length && !strncasecmp(at, word, size))
			return true;
		at += size;
	}
	return false;
}

/* 2026-11-30T08:00:00 */
static bool srcfg_time(const char *text, struct maui_date *ret_date)
{
	char copy[] = "YYYY-MM-DD_HH:MM:SS";

	if (!text || strlen(text) != sizeof(copy) - 1 || text[10] != 'T')
		return false;
	memcpy(copy, text, sizeof(copy) - 1);
	copy[10] = '_';
	return !maui_date_parse(copy, ret_date, NULL);
}

static const char *srcfg_clock(struct maui_import *import, int64_t seconds)
{
	return maui_import_text(import, "%" PRId64 ":%02d:%02d", seconds / 3600,
				(int)(seconds / 60 % 60), (int)(seconds % 60));
}

static const char *srcfg_days(const struct maui_import_resv *resv, const struct maui_date *start)
{
	static const char *const names[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};

	if (srcfg_flag(resv, "WEEKLY"))
		return names[maui_day_of_week(start->day)];
	return srcfg_flag(resv, "WEEKDAY")   ? "Mon,Tue,Wed,Thu,Fri"
	       : srcfg_flag(resv, "WEEKEND") ? "Sat,Sun"
					     : "ALL";
}

/* Why there is no line for it; NULL: there is one. */
static const char *srcfg_obstacle(const struct maui_import_resv *resv)
{
	const bool one_list = !resv->users + !resv->groups + !resv->accounts == 2;

	if (srcfg_flag(resv, "HOURLY"))
		return "Maui's periods are days and weeks";
	if (resv->cores)
		return "it has single cores of a node, which HOSTLIST cannot name";
	if (!resv->nodes)
		return "it has no nodes";
	if (resv->licenses)
		return "it has licenses, which SRCFG cannot reserve";
	if (resv->qos || resv->partitions)
		return "it admits by QOS or partition, too, and Slurm admits who is in all lists";
	if (!one_list && !srcfg_flag(resv, "MAINT"))
		return "Slurm admits who is in all of its lists, Maui who is in one";
	if (strpbrk(resv->users ? resv->users : "", "-") ||
	    strpbrk(resv->accounts ? resv->accounts : "", "-"))
		return "a list with names that begin with - or have one in them is not translated";
	return NULL;
}

static const char *srcfg_list(struct maui_import *import, const char *name, const char *value)
{
	return value ? maui_import_text(import, " %s=%s", name, value) : "";
}

static void srcfg_line(const struct maui_import_resv *resv, const struct maui_date *start,
		       int64_t end, struct maui_import *import)
{
	maui_import_line(
		import, maui_import_text(import, "SRCFG[%s]", resv->name),
		maui_import_text(import,
				 "PERIOD=DAY DAYS=%s STARTTIME=%s ENDTIME=%s HOSTLIST=%s%s%s%s%s",
				 srcfg_days(resv, start), srcfg_clock(import, start->seconds),
				 srcfg_clock(import, end), resv->nodes,
				 srcfg_list(import, "USERLIST", resv->users),
				 srcfg_list(import, "GROUPLIST", resv->groups),
				 srcfg_list(import, "ACCOUNTLIST", resv->accounts),
				 srcfg_flag(resv, "MAINT") ? " FLAGS=MAINT" : ""),
		"reservation %s, Flags=%s; then: scontrol delete ReservationName=%s", resv->name,
		resv->flags, resv->name);
}

/* Flags that say when it is, which nodes it has got, or what it may be made over. */
static bool srcfg_is_plain(const char *word, size_t size)
{
	static const char *const plain[] = {"DAILY",      "WEEKLY",    "WEEKDAY",   "WEEKEND",
					    "SPEC_NODES", "ALL_NODES", "ALL_CORES", "IGNORE_JOBS",
					    "OVERLAP",    "MAINT"};

	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++)
		if (strlen(plain[i]) == size && !strncasecmp(plain[i], word, size))
			return true;
	return false;
}

static void srcfg_tell_rest(const struct maui_import_resv *resv, struct maui_import *import)
{
	for (const char *at = resv->flags; at && *at; at += *at == ',') {
		size_t size = strcspn(at, ",");

		if (size && !srcfg_is_plain(at, size))
			maui_import_remark(import, MAUI_IMPORT_OTHER,
					   maui_import_text(import, "Flags=%.*s of reservation %s",
							    (int)size, at, resv->name),
					   "the SRCFG line does not have it");
		at += size;
	}
	if (resv->accounts)
		maui_import_remark(import, MAUI_IMPORT_OTHER,
				   maui_import_text(import, "Accounts=%s of reservation %s",
						    resv->accounts, resv->name),
				   "Slurm admits the accounts below them, too, and the SRCFG line "
				   "does not");
	maui_import_remark(import, MAUI_IMPORT_OTHER,
			   maui_import_text(import, "reservation %s", resv->name),
			   "jobs of its lists use it without --reservation, with other nodes, too");
}

static void srcfg_translate(const struct maui_import_resv *resv, struct maui_import *import)
{
	const char *setting = maui_import_text(import, "reservation %s", resv->name);
	const char *why = srcfg_obstacle(resv);
	struct maui_date start, last;
	int64_t end;

	if (!srcfg_flag(resv, "DAILY") && !srcfg_flag(resv, "WEEKLY") &&
	    !srcfg_flag(resv, "WEEKDAY") && !srcfg_flag(resv, "WEEKEND") &&
	    !srcfg_flag(resv, "HOURLY")) {
		maui_import_remark(import, MAUI_IMPORT_STAYS, setting,
				   "it does not recur: Slurm keeps it until its end");
		return;
	}
	if (!why && (!srcfg_time(resv->start, &start) || !srcfg_time(resv->end, &last)))
		why = "it has no start and end";
	end = why ? 0 : (last.day - start.day) * DAY_SECONDS + last.seconds;
	if (!why && (end <= start.seconds || end - start.seconds >= DAY_SECONDS))
		why = "it lasts a day or longer, and periods of days would overlap";
	if (why) {
		maui_import_remark(import, MAUI_IMPORT_STAYS, setting,
				   "it is not translated and Slurm's to keep: %s", why);
		return;
	}
	srcfg_line(resv, &start, end, import);
	srcfg_tell_rest(resv, import);
}

void maui_import_translate_resvs(const struct maui_import_resvs *resvs, struct maui_import *import)
{
	for (size_t i = 0; i < resvs->count; i++)
		srcfg_translate(&resvs->list[i], import);
}
