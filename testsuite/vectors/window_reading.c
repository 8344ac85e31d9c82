/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "testsuite/vectors/window_reading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "testsuite/vectors/lines.h"
#include "testsuite/vectors/original.h"

#define DAY  INT64_C(86400)
#define WEEK INT64_C(604800)

static bool original_does(rule_mask rules, enum rule rule)
{
	return rules & RULE_BIT(rule);
}

/* ---- lines --------------------------------------------------------------------------------- */

static bool same(const char *a, const char *b, rule_mask rules)
{
	return original_does(rules, RULE_CASE) ? !strcmp(a, b) : !strcasecmp(a, b);
}

static double read_days(const char *text, rule_mask rules)
{
	static const char *const names[][2] = {{"Sun", "SUN"}, {"Mon", "MON"}, {"Tue", "TUE"},
					       {"Wed", "WED"}, {"Thu", "THU"}, {"Fri", "FRI"},
					       {"Sat", "SAT"}};
	unsigned int days = 0;

	if (strstr(text, "ALL") || (!original_does(rules, RULE_CASE) && strcasestr(text, "ALL")))
		return 255;
	for (unsigned int i = 0; i < 7; i++)
		if (original_does(rules, RULE_CASE)
			    ? strstr(text, names[i][0]) || strstr(text, names[i][1])
			    : strcasestr(text, names[i][0]) != NULL)
			days |= 1u << i;
	return days;
}

static double read_period(const char *text, rule_mask rules)
{
	if (same(text, "WEEK", rules))
		return 2;
	if (same(text, "INFINITY", rules))
		return 3;
	if (!original_does(rules, RULE_SR_INFINITE) && !strcasecmp(text, "INFINITE"))
		return 3;
	return 1;
}

/* "PROCS:2,MEM=1GB" */
static void read_resources(char *text, struct srcfg_reading *ret)
{
	char *rest, *word;

	ret->procs = ret->mem = ret->disk = ret->swap = 0;
	for (word = strtok_r(text, ";,+", &rest); word; word = strtok_r(NULL, ";,+", &rest)) {
		char *value = strpbrk(word, ":="), *end;
		double number;

		if (!value)
			continue;
		number = (double)strtol(value + 1, &end, 10);
		if (strchr("gG", *end) && *end)
			number *= 1024;
		if (!strncasecmp(value + 1, "ALL", 3))
			number = -1;
		if (!strncasecmp(word, "PROC", 4))
			ret->procs = number;
		else if (!strncasecmp(word, "MEM", 3))
			ret->mem = number;
		else if (!strncasecmp(word, "DISK", 4))
			ret->disk = number;
		else if (!strncasecmp(word, "SWAP", 4))
			ret->swap = number;
	}
}

/* In the original's order. */
static const char *const flag_names[] = {"STANDINGRES", "SINGLEUSE",     "BYNAME",
					 "META",        "PREEMPTEE",     "TIMEFLEX",
					 "SPACEFLEX",   "DEDICATEDNODE", "DEDICATEDRESOURCE",
					 "ADVRES",      "FORCE",         "OWNERPREEMPT"};
#define FLAGS     (sizeof(flag_names) / sizeof(flag_names[0]))
#define DEDICATED (1u << 8)

static unsigned int read_flags(char *text, rule_mask rules)
{
	const char *delimiters = original_does(rules, RULE_SR_FLAGS) ? ",[] " : ",[]:| ";
	unsigned int flags = 0;
	char *rest, *word;

	for (word = strtok_r(text, delimiters, &rest); word;
	     word = strtok_r(NULL, delimiters, &rest))
		for (size_t i = 0; i < FLAGS; i++)
			if (same(word, flag_names[i], rules))
				flags |= 1u << i;
	return flags;
}

static void append(char *list, size_t size, const char *delimiter, const char *word)
{
	size_t length = strlen(list);

	snprintf(list + length, size - length, "%s%s", length ? delimiter : "", word);
}

static void read_hosts(char *text, char *list, size_t size)
{
	*list = '\0';
	while (*text) {
		char *start = text;
		int depth = 0;

		for (; *text && (depth || (*text != ',' && *text != ' ')); text++)
			depth += (*text == '[') - (*text == ']');
		if (*text)
			*text++ = '\0';
		if (*start)
			append(list, size, " ", start);
	}
}

struct state {
	rule_mask rules;
	unsigned int flags, access; /* access: 0 not given, 1 dedicated, 2 shared */
	struct srcfg_reading *ret;
};

static const struct {
	const char *name;
	size_t offset;
	bool time;
} numbers[] = {{"DEPTH", offsetof(struct srcfg_reading, depth), false},
	       {"TASKCOUNT", offsetof(struct srcfg_reading, task_count), false},
	       {"TPN", offsetof(struct srcfg_reading, tasks_per_node), false},
	       {"PRIORITY", offsetof(struct srcfg_reading, priority), false},
	       {"STARTTIME", offsetof(struct srcfg_reading, start), true},
	       {"ENDTIME", offsetof(struct srcfg_reading, end), true},
	       {"WSTARTTIME", offsetof(struct srcfg_reading, wstart), true},
	       {"WENDTIME", offsetof(struct srcfg_reading, wend), true}};

static void take(struct state *state, const char *name, char *value)
{
	struct srcfg_reading *ret = state->ret;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (!strcmp(name, numbers[i].name))
			*(double *)((char *)ret + numbers[i].offset) =
				numbers[i].time ? original_duration(value, state->rules)
						: strtod(value, NULL);
	if (!strcmp(name, "DAYS"))
		ret->days = read_days(value, state->rules);
	else if (!strcmp(name, "PERIOD"))
		ret->period = read_period(value, state->rules);
	else if (!strcmp(name, "RESOURCES"))
		read_resources(value, ret);
	else if (!strcmp(name, "HOSTLIST"))
		read_hosts(value, ret->hosts, sizeof(ret->hosts));
	else if (!strcmp(name, "PARTITION"))
		snprintf(ret->partition, sizeof(ret->partition), "%s", value);
	else if (!strcmp(name, "NODEFEATURES"))
		snprintf(ret->features, sizeof(ret->features), "%s", value);
	else if (!strcmp(name, "FLAGS")) {
		state->flags = read_flags(value, state->rules);
		if (original_does(state->rules, RULE_SR_ACCESS))
			state->access = 0; /* FLAGS replaces the whole word */
	} else if (!strcmp(name, "ACCESS"))
		state->access = same(value, "DEDICATED", state->rules) ? 1 : 2;
}

/* The value of a word without quotes; NULL if it is not a pair. */
static char *split_pair(char *word)
{
	char *value = strchr(word, '=');
	size_t length;

	if (!value)
		return NULL;
	*value++ = '\0';
	if (*value == '"' || *value == '\'')
		value++;
	length = strlen(value);
	if (length && (value[length - 1] == '"' || value[length - 1] == '\''))
		value[length - 1] = '\0';
	return value;
}

static void read_line(struct state *state, const char *text, const char *name)
{
	char line[1024], head[80], *rest, *word;

	snprintf(line, sizeof(line), "%s", text);
	snprintf(head, sizeof(head), "[%s]", name);
	word = strchr(line, '[');
	if (!word || strncmp(word, head, strlen(head)) != 0)
		return;
	rest = word + strlen(head);
	*word = '\0';
	if (!strcmp(line, "SRCFG")) {
		for (word = strtok_r(NULL, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
			char *value = split_pair(word);

			if (value)
				take(state, word, value);
		}
	} else if (!strncmp(line, "SR", 2) &&
		   !(original_does(state->rules, RULE_SR_LEGACY) && !strcmp(line, "SRFLAGS")))
		take(state, line + 2, rest + strspn(rest, " "));
}

void srcfg_read(struct json_object *cfg, const char *name, rule_mask rules,
		struct srcfg_reading *ret)
{
	struct state state = {.rules = rules, .ret = ret};
	bool dedicated;

	*ret = (struct srcfg_reading){.days = 255, .depth = 2, .period = 1, .procs = -1};
	for (size_t i = 0; i < lines_count(cfg); i++)
		read_line(&state, lines_at(cfg, i), name);
	dedicated = original_does(rules, RULE_SR_ACCESS) ? state.access == 1 : state.access != 2;
	if (state.access == 2 && original_does(rules, RULE_SR_ACCESS))
		state.flags &= ~DEDICATED;
	if (dedicated)
		state.flags |= DEDICATED;
	for (size_t i = 0; i < FLAGS; i++)
		if (state.flags >> i & 1)
			append(ret->flags, sizeof(ret->flags), ",", flag_names[i]);
}

/* ---- windows ------------------------------------------------------------------------------- */

static struct tm local(int64_t when)
{
	time_t instant = (time_t)when;
	struct tm tm;

	localtime_r(&instant, &tm);
	return tm;
}

static int64_t shown(int64_t when)
{
	return when + local(when).tm_gmtoff;
}

static int64_t seconds_of_day(int64_t when)
{
	struct tm tm = local(when);

	return tm.tm_hour * 3600 + tm.tm_min * 60 + tm.tm_sec;
}

/* The first instant at which clocks show at least that many seconds since 1970. */
static int64_t first_showing(int64_t seconds)
{
	int64_t low = seconds - 16 * 3600, high;

	/* Clocks change on quarters of an hour. */
	low -= low % 900;
	while (shown(low + 900) < seconds)
		low += 900;
	high = low + 900;
	if (shown(low) >= seconds)
		return low;
	while (high - low > 1) {
		int64_t middle = (low + high) / 2;

		if (shown(middle) >= seconds)
			high = middle;
		else
			low = middle;
	}
	return high;
}

/* Both ends from the beginning of the period, in seconds; false: not needed. */
static bool ends(const struct srcfg_reading *sr, int64_t daytime, int64_t weekday, bool present,
		 rule_mask rules, int64_t *ret_start, int64_t *ret_end)
{
	int64_t weektime = daytime + weekday * DAY, start, end;
	bool week = sr->period == 2;

	if (week) {
		start = (int64_t)sr->wstart;
		end = (int64_t)sr->wend;
		if (!original_does(rules, RULE_SR_WEEK)) {
			start = sr->start > 0 ? (int64_t)sr->start : start;
			end = sr->end > 0 ? (int64_t)sr->end : end;
		}
		end = end > 0 ? end : WEEK;
	} else {
		start = (int64_t)sr->start;
		end = sr->end > 0 ? (int64_t)sr->end : DAY;
		if (sr->end == 0 && sr->wend > 0 && (int64_t)sr->wend / DAY == weekday)
			end = (int64_t)sr->wend % DAY;
		if (!((unsigned int)sr->days >> weekday & 1) ||
		    (sr->wend > 0 && (int64_t)sr->wend < weektime))
			return false;
	}
	if ((week ? weektime : daytime) > end && original_does(rules, RULE_SR_CLOCK))
		return false;
	if (present && start < (week ? weektime : daytime) && original_does(rules, RULE_SR_CLOCK))
		start = week ? weektime : daytime;
	*ret_start = start;
	*ret_end = end;
	return true;
}

/* The original: midnight by the present offset, corrected by at most an hour. */
static int64_t original_period(const struct srcfg_reading *sr, int64_t index, int64_t now)
{
	int64_t start = now - seconds_of_day(now);

	if (sr->period == 2)
		start += index * WEEK - (int64_t)local(now).tm_wday * DAY;
	else
		start += index * DAY;
	if (local(start).tm_hour == 23)
		start += 3600;
	else if (local(start).tm_hour == 1)
		start -= 3600;
	return start;
}

static void read_original(const struct srcfg_reading *sr, int64_t index, int64_t now,
			  rule_mask rules, struct window_reading *ret)
{
	int64_t period = original_period(sr, index, now), start, end;
	int64_t reference = index == 0 && now > period ? now : period;

	if (!ends(sr, seconds_of_day(reference), local(reference).tm_wday, index == 0, rules,
		  &start, &end))
		return;
	ret->needed = 1;
	ret->start = (double)(period + start);
	ret->duration = (double)(end - start);
}

static void read_clock(const struct srcfg_reading *sr, int64_t index, int64_t now, rule_mask rules,
		       struct window_reading *ret)
{
	int64_t today = shown(now) / DAY, weekday = (today + 4) % 7, daytime = 0, start, end;

	if (sr->period == 2)
		today += index * 7 - weekday;
	else
		today += index;
	if (index == 0)
		daytime = seconds_of_day(now);
	if (sr->period != 2 || index != 0)
		weekday = (today + 4) % 7;
	if (!ends(sr, daytime, weekday, index == 0, rules, &start, &end))
		return;
	start = first_showing(today * DAY + start);
	end = first_showing(today * DAY + end);
	if (index == 0 && now > end)
		return;
	ret->needed = 1;
	if (index == 0 && start < now)
		start = now;
	ret->start = (double)start;
	ret->duration = (double)(end - start);
}

void window_read(const struct srcfg_reading *sr, int64_t index, int64_t now, rule_mask rules,
		 struct window_reading *ret)
{
	const double last = 2139999999;

	*ret = (struct window_reading){.needed = 0};
	if (sr->period == 3) {
		ret->needed = index == 0;
		ret->duration = ret->needed ? 2140000000 : 0;
	} else if (original_does(rules, RULE_SR_CLOCK))
		read_original(sr, index, now, rules, ret);
	else
		read_clock(sr, index, now, rules, ret);
	if (!ret->needed)
		return;
	ret->rsvstart = ret->start > (double)now ? ret->start : (double)now;
	ret->rsvend = ret->rsvstart + ret->duration;
	if (ret->rsvend > last)
		ret->rsvend = last;
	ret->created = ret->rsvend > ret->rsvstart;
}
