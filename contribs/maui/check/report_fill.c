/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of slurm.conf that do what maui.cfg asks for, with the values of its line. */
#include "contribs/maui/check/report_entry.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/util/memory.h"
#include "common/util/text.h"
#include "common/util/time/duration.h"
#include "contribs/maui/lib/text.h"

/* How %v stands in the line. */
enum fill_how {
	FILL_WORD,    /* as it is: a path or a list */
	FILL_NAME,    /* of one partition */
	FILL_COUNT,   /* a whole number */
	FILL_SECONDS, /* of a duration */
	FILL_MINUTES, /* of a duration, rounded up */
	FILL_TIME     /* D-HH:MM:SS */
};

static const struct {
	enum maui_key key;
	enum fill_how how;
	const char *word; /* only for this value; NULL: any */
	const char *line; /* %v is the value, %o the name in brackets */
} fill_rows[] = {
	{MAUI_KEY_RESERVATIONDEPTH, FILL_COUNT, NULL,
	 "SchedulerParameters=bf_job_part_count_reserve=%v, which counts in each partition"},
	{MAUI_KEY_BACKFILLDEPTH, FILL_COUNT, NULL, "SchedulerParameters=bf_max_job_test=%v"},
	{MAUI_KEY_RESERVATIONRETRYTIME, FILL_SECONDS, NULL, "SchedulerParameters=bf_interval=%v"},
	{MAUI_KEY_JOBAGGREGATIONTIME, FILL_SECONDS, NULL,
	 "SchedulerParameters=batch_sched_delay=%v"},
	{MAUI_KEY_JOBPURGETIME, FILL_SECONDS, NULL, "MinJobAge=%v"},
	{MAUI_KEY_JOBMAXOVERRUN, FILL_MINUTES, NULL, "OverTimeLimit=%v"},
	{MAUI_KEY_SYSTEMDEFAULTJOBWALLTIME, FILL_TIME, NULL,
	 "PartitionName=DEFAULT DefaultTime=%v"},
	{MAUI_KEY_ENABLEMULTINODEJOBS, FILL_WORD, "FALSE", "PartitionName=DEFAULT MaxNodes=1"},
	{MAUI_KEY_PREEMPTPOLICY, FILL_WORD, "REQUEUE", "PreemptMode=REQUEUE"},
	{MAUI_KEY_PREEMPTPOLICY, FILL_WORD, "CANCEL", "PreemptMode=CANCEL"},
	{MAUI_KEY_PREEMPTPOLICY, FILL_WORD, "SUSPEND", "PreemptMode=SUSPEND,GANG"},
	{MAUI_KEY_BACKFILLPOLICY, FILL_WORD, "NONE", "SchedulerType=sched/builtin"},
	{MAUI_KEY_BACKFILLPOLICY, FILL_WORD, NULL, "SchedulerType=sched/backfill"},
	{MAUI_KEY_MAILPROGRAM, FILL_WORD, NULL, "MailProg=%v"},
	{MAUI_KEY_SERVERNAME, FILL_NAME, NULL, "ClusterName=%v"},
	{MAUI_ATTR_PDEF, FILL_NAME, NULL, "PartitionName=%v Default=YES"},
	{MAUI_ATTR_DEFAULT_WCLIMIT, FILL_TIME, NULL, "PartitionName=%o DefaultTime=%v"},
	{MAUI_ATTR_MAXPROCPERNODE, FILL_COUNT, NULL, "PartitionName=%o MaxCPUsPerNode=%v"},
	{MAUI_ATTR_PARTITION, FILL_NAME, NULL, "PartitionName=%v Nodes=..."},
	{MAUI_ATTR_GRES, FILL_WORD, NULL, "NodeName=... Gres=%v, and gres.conf"},
	{MAUI_ATTR_NODETYPE, FILL_WORD, NULL, "NodeName=... Feature=%v"},
	{MAUI_ATTR_NETWORK, FILL_WORD, NULL, "NodeName=... Feature=%v"},
};

/* A line of a class, or of one partition, names it. */
static bool fill_fits(const struct maui_record *record, const char *line)
{
	bool of_class = strstr(line, "%o") != NULL;
	bool of_nodes = strstr(line, "Nodes=...") || strstr(line, "NodeName=...");

	if (of_nodes)
		return record->section == MAUI_NODECFG;
	return !of_class || record->section == MAUI_CLASSCFG;
}

static bool fill_is_word(const char *text, const char *signs)
{
	for (const char *at = text; *at; at++)
		if (!maui_is_name(*at) && !strchr(signs, *at))
			return false;
	return *text && *text != '-';
}

static char *fill_duration(const char *text, enum fill_how how)
{
	const char *rest;
	int64_t seconds;
	bool ambiguous;

	if (maui_duration_parse(text, &seconds, &ambiguous, &rest) || *rest || seconds < 0)
		return NULL;
	if (seconds >= MAUI_INFINITY)
		return how == FILL_SECONDS ? NULL : text_copy("UNLIMITED");
	if (how == FILL_SECONDS)
		return text_printf("%" PRId64, seconds);
	if (how == FILL_MINUTES)
		return text_printf("%" PRId64, (seconds + 59) / 60);
	return text_printf("%" PRId64 "-%02" PRId64 ":%02" PRId64 ":%02" PRId64, seconds / 86400,
			   seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
}

/* NULL: the value cannot stand in slurm.conf. */
static char *fill_value(const char *text, enum fill_how how)
{
	if (how == FILL_WORD || how == FILL_NAME)
		return fill_is_word(text, how == FILL_NAME ? "-" : "-:,/") ? text_copy(text) : NULL;
	if (how != FILL_COUNT)
		return fill_duration(text, how);
	return *text && strspn(text, "0123456789") == strlen(text) ? text_copy(text) : NULL;
}

static char *fill_line(const char *line, const char *value, const char *object)
{
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	if (!stream)
		maui_memory_short(0);
	fputs(REPORT_CONF, stream);
	for (const char *at = line; *at; at++)
		if (*at == '%')
			fputs(*++at == 'v' ? value : object, stream);
		else
			fputc(*at, stream);
	if (fclose(stream))
		maui_memory_short(0);
	return text;
}

char *report_fill(const struct maui_record *record)
{
	const char *given = record->value ? record->value->text : NULL;

	for (size_t i = 0; given && i < sizeof(fill_rows) / sizeof(fill_rows[0]); i++) {
		const char *word = fill_rows[i].word;
		char *value, *text;

		if (record->value->key->key != fill_rows[i].key ||
		    (word && strcasecmp(word, given) != 0) || !fill_fits(record, fill_rows[i].line))
			continue;
		value = fill_value(given, fill_rows[i].how);
		text = value ? fill_line(fill_rows[i].line, value, record->object) : NULL;
		free(value);
		return text;
	}
	return NULL;
}

char *report_with_names(const char *text, const char *names)
{
	static const char *const keys[] = {"Nodes=", "NodeName="};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const char *at = strstr(text, keys[i]);
		size_t size = strlen(keys[i]);

		if (at && !strncmp(at + size, "...", 3))
			return text_printf("%.*s%s%s", (int)(at + size - text), text, names,
					   at + size + 3);
	}
	return text_copy(text);
}
