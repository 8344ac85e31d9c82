/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The areas srcfg_parse and sr_windows, and the reservations in documented_examples: what SRCFG
 * lines say, and when.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/policy/reservation/sr_window.h"
#include "testsuite/vectors/lines.h"
#include "testsuite/vectors/reservation_case.h"
#include "testsuite/vectors/window_reading.h"

/* ---- what lines say ------------------------------------------------------------------------ */

static bool concerns_lines(enum rule rule)
{
	switch (rule) {
	case RULE_CASE:
	case RULE_TWO_FIELDS:
	case RULE_SR_FLAGS:
	case RULE_SR_ACCESS:
	case RULE_SR_LEGACY:
	case RULE_SR_INFINITE:
		return true;
	default:
		return false;
	}
}

struct both {
	struct srcfg_reading original, documented, without[RULES], with[RULES];
};

static void read_both(struct json_object *cfg, const char *name, struct both *both)
{
	srcfg_read(cfg, name, ALL_RULES, &both->original);
	srcfg_read(cfg, name, 0, &both->documented);
	for (enum rule rule = 0; rule < RULES; rule++)
		if (concerns_lines(rule)) {
			srcfg_read(cfg, name, ALL_RULES & ~RULE_BIT(rule), &both->without[rule]);
			srcfg_read(cfg, name, RULE_BIT(rule), &both->with[rule]);
		}
}

static double number_at(const struct srcfg_reading *reading, size_t offset)
{
	return *(const double *)((const char *)reading + offset);
}

static void check_line_number(struct check *check, const struct both *both, const char *field,
			      struct json_object *expect, double ours, size_t offset)
{
	struct readings readings = {number_at(&both->original, offset),
				    number_at(&both->documented, offset), 0, 0};
	bool differ = readings.original != readings.documented;

	for (enum rule rule = 0; differ && rule < RULES; rule++)
		if (concerns_lines(rule) &&
		    number_at(&both->without[rule], offset) != readings.original)
			readings.rules |= RULE_BIT(rule);
	for (enum rule rule = 0; differ && !readings.rules && rule < RULES; rule++)
		if (concerns_lines(rule) &&
		    number_at(&both->with[rule], offset) != readings.documented)
			readings.rules |= RULE_BIT(rule);
	check_readings(check, field, member_number(expect, field, -77), ours, &readings);
}

static void check_flags(struct check *check, const struct both *both, struct json_object *expect,
			const char *ours)
{
	struct text_readings readings = {both->original.flags, both->documented.flags, 0};
	const char *expected = member_text(expect, "flags");

	for (enum rule rule = 0; rule < RULES; rule++)
		if (concerns_lines(rule) && strcmp(readings.original, readings.documented) != 0 &&
		    strcmp(both->without[rule].flags, readings.original) != 0)
			readings.rules |= RULE_BIT(rule);
	for (enum rule rule = 0; !readings.rules && rule < RULES; rule++)
		if (concerns_lines(rule) && strcmp(readings.original, readings.documented) != 0 &&
		    strcmp(both->with[rule].flags, readings.documented) != 0)
			readings.rules |= RULE_BIT(rule);
	check_text_rules(check, "flags", expected ? expected : "(no text)", ours, &readings);
}

static void print_hosts(const struct maui_sr *sr, char *text, size_t size)
{
	*text = '\0';
	for (size_t i = 0; i < maui_sr_hosts_count(sr->hosts); i++) {
		size_t length = strlen(text);

		snprintf(text + length, size - length, "%s%s", length ? " " : "",
			 maui_sr_hosts_item(sr->hosts, i));
	}
}

static double value_of(const struct reservation_core *core, const char *name, enum maui_key key,
		       double fallback)
{
	const struct maui_value *value =
		maui_object_get(maui_config_object(core->config, MAUI_SRCFG, name), key);

	return value ? (double)value->integer : fallback;
}

/* For weekly ones and INFINITY the core keeps what is in force: these fields are the lines' own. */
static void check_times(struct check *check, const struct both *both,
			const struct reservation_core *core, const struct maui_sr *sr,
			struct json_object *expect)
{
#define FIELD(name, member, ours)                                                                  \
	check_line_number(check, both, name, expect, ours, offsetof(struct srcfg_reading, member))
	double days = value_of(core, sr->name, MAUI_ATTR_DAYS, 255);

	FIELD("days", days, days);
	FIELD("depth", depth, value_of(core, sr->name, MAUI_ATTR_DEPTH, 2));
	FIELD("start", start, value_of(core, sr->name, MAUI_ATTR_STARTTIME, 0));
	FIELD("end", end, value_of(core, sr->name, MAUI_ATTR_ENDTIME, 0));
	FIELD("wstart", wstart, value_of(core, sr->name, MAUI_ATTR_WSTARTTIME, 0));
	FIELD("wend", wend, value_of(core, sr->name, MAUI_ATTR_WENDTIME, 0));
	if (sr->days != ((unsigned int)days & 127))
		check_fail(check, "days", "the core has %u", sr->days);
}

static void check_lines(struct check *check, struct json_object *cfg,
			const struct reservation_core *core, const struct maui_sr *sr,
			struct json_object *expect)
{
	static const char *const known[] = {"acl",    "days",    "depth", "disk",   "end",
					    "flags",  "hostexp", "mem",   "name",   "par",
					    "period", "prio",    "procs", "start",  "swap",
					    "tc",     "tpn",     "wend",  "wstart", NULL};
	static const double periods[] = {1, 2, 3};
	static struct both read, *both = &read;
	char text[512];

	check_members(check, expect, known);
	read_both(cfg, sr->name, both);
	check_text(check, "name", member_text(expect, "name"), sr->name);
	check_times(check, both, core, sr, expect);
	FIELD("period", period, periods[sr->period]);
	FIELD("procs", procs, (double)sr->task.procs);
	FIELD("mem", mem, (double)sr->task.memory);
	FIELD("disk", disk, (double)sr->task.disk);
	FIELD("swap", swap, (double)sr->task.swap);
	FIELD("tc", task_count, sr->task_count);
	FIELD("tpn", tasks_per_node, sr->tasks_per_node);
	FIELD("prio", priority, (double)sr->priority);
#undef FIELD
	reservation_flags(sr, text, sizeof(text));
	check_flags(check, both, expect, text);
	print_hosts(sr, text, sizeof(text));
	check_text(check, "hostexp", member_text(expect, "hostexp"), text);
	check_text(check, "par", member_text(expect, "par"),
		   sr->partition        ? sr->partition
		   : sr->any_partitions ? "ALL"
					: "");
	reservation_check_acl(check, member(expect, "acl"), sr->acl, cfg);
}

/* The core on a case's lines, and its reservation with a name. */
static const struct maui_sr *open_case(struct check *check, struct json_object *cfg,
				       const char *name, struct reservation_core *core)
{
	char *lines = lines_join(cfg);
	const struct maui_sr *sr = NULL;

	if (reservation_core_open(check, lines, core)) {
		sr = name ? maui_sr_find(core->settings, name) : NULL;
		if (!sr) {
			check_fail(check, "cfg", "no reservation '%s'", name ? name : "");
			reservation_core_close(core);
		}
	}
	free(lines);
	return sr;
}

void check_srcfg_parse(struct check *check, struct json_object *object)
{
	static const char *const known[] = {"cfg", "expect", "id", "rc", NULL};
	struct json_object *expect = member(object, "expect"), *cfg = member(object, "cfg");
	struct reservation_core core;
	const struct maui_sr *sr;

	check_members(check, object, known);
	check_number(check, "rc", member_number(object, "rc", -1), 0);
	sr = open_case(check, cfg, member_text(expect, "name"), &core);
	if (!sr)
		return;
	check_lines(check, cfg, &core, sr, expect);
	reservation_core_close(&core);
}

/* ---- windows ------------------------------------------------------------------------------- */

static bool concerns_windows(enum rule rule)
{
	return rule == RULE_SR_WEEK || rule == RULE_SR_CLOCK || concerns_lines(rule);
}

struct both_windows {
	struct window_reading original, documented, without[RULES], with[RULES];
};

static void read_window(struct json_object *cfg, const char *name, int64_t index, int64_t now,
			rule_mask rules, struct window_reading *ret)
{
	struct srcfg_reading sr;

	srcfg_read(cfg, name, rules, &sr);
	window_read(&sr, index, now, rules, ret);
}

static void read_windows(struct json_object *cfg, const char *name, int64_t index, int64_t now,
			 struct both_windows *both)
{
	read_window(cfg, name, index, now, ALL_RULES, &both->original);
	read_window(cfg, name, index, now, 0, &both->documented);
	for (enum rule rule = 0; rule < RULES; rule++)
		if (concerns_windows(rule)) {
			read_window(cfg, name, index, now, ALL_RULES & ~RULE_BIT(rule),
				    &both->without[rule]);
			read_window(cfg, name, index, now, RULE_BIT(rule), &both->with[rule]);
		}
}

static double window_at(const struct window_reading *window, size_t field)
{
	return ((const double *)window)[field];
}

static rule_mask rules_of(const struct both_windows *both, size_t field)
{
	double original = window_at(&both->original, field);
	double documented = window_at(&both->documented, field);
	rule_mask rules = 0;

	for (enum rule rule = 0; original != documented && rule < RULES; rule++)
		if (concerns_windows(rule) && window_at(&both->without[rule], field) != original)
			rules |= RULE_BIT(rule);
	for (enum rule rule = 0; original != documented && !rules && rule < RULES; rule++)
		if (concerns_windows(rule) && window_at(&both->with[rule], field) != documented)
			rules |= RULE_BIT(rule);
	return rules;
}

/* The core's window in the vector's fields. */
static void core_window(const struct maui_sr *sr, int64_t index, int64_t now,
			struct window_reading *ret)
{
	struct maui_sr_window window;
	enum maui_sr_need need = maui_sr_window(sr, index, now, &window);
	int64_t start = index == 0 && window.date ? window.from : window.start;

	*ret = (struct window_reading){.needed = need != MAUI_SR_NOT_NEEDED};
	if (!ret->needed)
		return;
	ret->start = (double)start;
	/* The original counts INFINITY from the present, and then truncates it. */
	ret->duration = window.date ? (double)(window.end - start) : (double)MAUI_INFINITY;
	ret->rsvstart = (double)window.from;
	ret->rsvend = (double)window.end;
	ret->created = need == MAUI_SR_WANTED;
}

static void check_window(struct check *check, struct json_object *cfg, const struct maui_sr *sr,
			 struct json_object *window)
{
	static const char *const known[] = {"created",  "d",  "duration", "needed", "now", "rsvend",
					    "rsvstart", "sr", "start",    "tz",     NULL};
	static const char *const fields[] = {"needed",   "created",  "start",
					     "duration", "rsvstart", "rsvend"};
	int64_t index = (int64_t)member_number(window, "d", 0);
	int64_t now = (int64_t)member_number(window, "now", 0);
	static struct both_windows both;
	struct window_reading ours;
	bool needed = member_number(window, "needed", 0) != 0;

	check_members(check, window, known);
	check_text(check, "sr", member_text(window, "sr"), sr->name);
	read_windows(cfg, sr->name, index, now, &both);
	core_window(sr, index, now, &ours);
	for (size_t field = 0; field < WINDOW_FIELDS; field++) {
		struct readings readings = {window_at(&both.original, field),
					    window_at(&both.documented, field),
					    rules_of(&both, field), 0};

		/* What is not needed has no other fields; ours are 0 then, too. */
		if (field && !needed && !member(window, fields[field]))
			continue;
		check_readings(check, fields[field], member_number(window, fields[field], -1),
			       window_at(&ours, field), &readings);
	}
}

static void set_zone(const char *zone)
{
	setenv("TZ", zone, 1);
	tzset();
}

void check_sr_windows(struct check *check, struct json_object *object)
{
	static const char *const known[] = {"cfg", "id", "parsed", "rc", "tz", "windows", NULL};
	struct json_object *cfg = member(object, "cfg"), *parsed = member(object, "parsed");
	struct json_object *windows = member(object, "windows");
	const char *zone = member_text(object, "tz");
	struct reservation_core core;
	const struct maui_sr *sr;

	check_members(check, object, known);
	check_number(check, "rc", member_number(object, "rc", -1), 0);
	if (!zone || !json_object_is_type(windows, json_type_array)) {
		check_fail(check, "tz", "missing, or the windows are");
		return;
	}
	sr = open_case(check, cfg, member_text(parsed, "name"), &core);
	if (!sr)
		return;
	check_lines(check, cfg, &core, sr, parsed);
	for (size_t i = 0; i < json_object_array_length(windows); i++) {
		struct json_object *window = json_object_array_get_idx(windows, i);

		set_zone(zone);
		check_text(check, "tz", member_text(window, "tz"), zone);
		check_window(check, cfg, sr, window);
	}
	set_zone("UTC");
	reservation_core_close(&core);
}

/* ---- documented_examples ------------------------------------------------------------------- */

/* Chapter 7.1.5.2.3, example 4, with the typo in ACCOUNTLIST corrected. */
static const char example[] = "SRCFG[special] TASKCOUNT=32\n"
			      "SRCFG[special] PERIOD=WEEK\n"
			      "SRCFG[special] STARTTIME=1:08:00:00\n"
			      "SRCFG[special] ENDTIME=5:17:00:00\n"
			      "SRCFG[special] NODEFEATURES=largememory\n";
static const char *const example_lists[] = {
	/* As in the chapter, and as in the entry of the examples. */
	"SRCFG[special] TIMELIMIT=1:00:00*\nSRCFG[special] QOSLIST=high low special-\n"
	"SRCFG[special] ACCOUNTLIST=!projectX,!projectY\n",
	"SRCFG[special] QOSLIST=high,low,special- ACCOUNTLIST=!projectX,!projectY "
	"TIMELIMIT=1:00:00*\n"};

static void check_example_acl(struct check *check, struct json_object *input, const char *expected,
			      const char *lists)
{
	struct maui_acl_job job = {.duration = (int64_t)member_number(input, "overlap", 0)};
	struct maui_acl_verdict verdict;
	struct reservation_core core;
	char lines[1024], text[32] = "denied";

	snprintf(lines, sizeof(lines), "%s%s", example, lists);
	if (!reservation_core_open(check, lines, &core))
		return;
	job.credential[MAUI_ACCOUNT] =
		reservation_id(&core, MAUI_ACCOUNT, member_text(input, "account"));
	job.credential[MAUI_QOS] = reservation_id(&core, MAUI_QOS, member_text(input, "qos"));
	if (maui_acl_evaluate(maui_sr_find(core.settings, "special")->acl, &job, &verdict))
		snprintf(text, sizeof(text), "granted %s", reservation_affinity(verdict.affinity));
	check_text(check, "acl", expected, text);
	reservation_core_close(&core);
}

static void check_acl_example(struct check *check, struct json_object *object)
{
	static const char *const known[] = {"account", "overlap", "qos", NULL};
	struct json_object *input = member(object, "input");
	const char *expect = member_text(object, "expect");
	char expected[32];

	check_members(check, input, known);
	/* "granted; affinity - from QOS entry (...)" is "granted -". */
	if (expect && !strncmp(expect, "granted; affinity ", 18))
		snprintf(expected, sizeof(expected), "granted %c", expect[18]);
	else
		snprintf(expected, sizeof(expected), "%s", expect ? expect : "");
	for (size_t i = 0; i < sizeof(example_lists) / sizeof(example_lists[0]); i++)
		check_example_acl(check, input, expected, example_lists[i]);
}

static void check_week_example(struct check *check, struct json_object *object)
{
	static const char *const known[] = {"now", NULL};
	static const char *const answers[] = {"end", "start", NULL};
	struct json_object *input = member(object, "input"), *expect = member(object, "expect");
	struct reservation_core core;
	struct maui_sr_window window;

	check_members(check, input, known);
	check_members(check, expect, answers);
	if (!reservation_core_open(check, example, &core))
		return;
	set_zone("UTC");
	maui_sr_window(maui_sr_find(core.settings, "special"), 0,
		       (int64_t)member_number(input, "now", 0), &window);
	check_number(check, "start", member_number(expect, "start", -1), (double)window.start);
	check_number(check, "end", member_number(expect, "end", -1), (double)window.end);
	reservation_core_close(&core);
}

bool check_reservation_documented(struct check *check, const char *area, struct json_object *object)
{
	if (!strcmp(area, "sr_acl"))
		check_acl_example(check, object);
	else if (!strcmp(area, "sr_week"))
		check_week_example(check, object);
	else
		return false;
	return true;
}
