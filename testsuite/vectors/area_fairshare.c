/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The areas fairshare_load and fairshare_roll. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/policy/fairshare/fairshare_file.h"
#include "testsuite/vectors/fairshare_case.h"
#include "testsuite/vectors/fairshare_reading.h"

/* The original's numbers of types. */
static const struct {
	const char *number;
	unsigned int type;
} types[] = {{"25", MAUI_USER}, {"8", MAUI_GROUP}, {"1", MAUI_ACCOUNT},
	     {"14", MAUI_QOS},  {"3", MAUI_CLASS}, {"20", MAUI_FS_TOTAL}};
#define TYPE_COUNT (sizeof(types) / sizeof(types[0]))

/* A case with both readings, and the core's answer. */
struct comparison {
	struct check *check;
	struct fairshare_case core;
	struct fairshare_reading original, documented;
	enum rule rule; /* why they differ */
	char last_class[READING_NAME];
};

static void compare(struct comparison *comparison, const char *field, double expected, double ours,
		    double original, double documented)
{
	struct readings readings = {.original = original, .documented = documented};

	if (!check_same(original, documented, 0))
		readings.rules = RULE_BIT(comparison->rule);
	check_readings(comparison->check, field, expected, ours, &readings);
}

/* One object of "creds". */
static void compare_object(struct comparison *comparison, struct json_object *cred,
			   unsigned int type, const char *name)
{
	const struct reading_object *original = reading_object(&comparison->original, type, name);
	const struct reading_object *documented =
		reading_object(&comparison->documented, type, name);
	struct fairshare_case *core = &comparison->core;
	struct maui_fstarget target = fairshare_case_own_target(core, type, name);
	struct json_object *slots = member(cred, "slots");
	uint32_t id = fairshare_case_id(core, type, name);
	char field[64];

	if (!original || !documented) {
		check_fail(comparison->check, name, "more names than vector-check has room for");
		return;
	}
#define COMPARE(what, ours, original, documented)                                                  \
	do {                                                                                       \
		snprintf(field, sizeof(field), "%s.%s", *name ? name : "total", what);             \
		compare(comparison, field, member_number(cred, what, -1), ours, original,          \
			documented);                                                               \
	} while (0)
	COMPARE("usage0", maui_fairshare_usage(core->fs, type, id, 0), original->usage[0],
		documented->usage[0]);
	COMPARE("factor", maui_fairshare_rest(core->fs, type, id),
		reading_rest(&comparison->original, original),
		reading_rest(&comparison->documented, documented));
	COMPARE("pct", maui_fairshare_percent(core->fs, type, id),
		reading_percent(&comparison->original, original),
		reading_percent(&comparison->documented, documented));
	COMPARE("target", target.value, target.value, target.value);
	COMPARE("mode", target.mode, target.mode, target.mode);
#undef COMPARE
	check_number(comparison->check, "number of slots", comparison->original.depth,
		     (double)json_object_array_length(slots));
	for (uint32_t k = 0; k < comparison->original.depth; k++) {
		snprintf(field, sizeof(field), "%s.slots[%" PRIu32 "]", *name ? name : "total", k);
		compare(comparison, field,
			json_object_get_double(json_object_array_get_idx(slots, k)),
			maui_fairshare_usage(core->fs, type, id, k), original->usage[k],
			documented->usage[k]);
	}
}

static unsigned int find_type(const char *number)
{
	for (size_t i = 0; number && i < TYPE_COUNT; i++)
		if (!strcmp(number, types[i].number))
			return types[i].type;
	return MAUI_FS_TOTAL + 1;
}

/* The last class in the original's tables; its total has a name left over from there. */
static const char *total_name(const struct comparison *comparison)
{
	return *comparison->last_class ? comparison->last_class : "[ALL]";
}

static bool listed(struct json_object *creds, unsigned int type, const char *name)
{
	for (size_t i = 0; i < json_object_array_length(creds); i++) {
		struct json_object *cred = json_object_array_get_idx(creds, i);
		const char *its = member_text(cred, "name");

		if (find_type(member_text(cred, "type")) == type &&
		    (type == MAUI_FS_TOTAL || (its && !strcmp(its, name))))
			return true;
	}
	return false;
}

/*
 * The original omits what has no target of its own and used nothing: nothing else may be missing.
 */
static void check_missing(struct comparison *comparison, struct json_object *creds)
{
	for (size_t i = 0; i < comparison->original.count; i++) {
		const struct reading_object *object = &comparison->original.objects[i];
		double target =
			fairshare_case_own_target(&comparison->core, object->type, object->name)
				.value;
		bool expected = target > 0 || reading_sum(&comparison->original, object) > 0;

		if (listed(creds, object->type, object->name) != expected)
			check_fail(comparison->check, *object->name ? object->name : "total",
				   expected ? "is not in the list" : "is in the list");
	}
}

static void compare_creds(struct comparison *comparison, struct json_object *creds)
{
	static const char *const known[] = {"factor", "mode", "name",   "pct", "slots",
					    "target", "type", "usage0", NULL};

	if (!json_object_is_type(creds, json_type_array)) {
		check_fail(comparison->check, "creds", "missing");
		return;
	}
	for (size_t i = 0; i < json_object_array_length(creds); i++) {
		struct json_object *cred = json_object_array_get_idx(creds, i);
		unsigned int type = find_type(member_text(cred, "type"));
		const char *name = member_text(cred, "name");

		check_members(comparison->check, cred, known);
		if (type > MAUI_FS_TOTAL || !name ||
		    !json_object_is_type(member(cred, "slots"), json_type_array)) {
			check_fail(comparison->check, "creds", "no type, name or slots");
			continue;
		}
		if (type == MAUI_FS_TOTAL) {
			check_text_left_out(comparison->check, "total.name", name,
					    total_name(comparison), RULE_FS_TOTAL_NAME);
			name = "";
		}
		compare_object(comparison, cred, type, name);
	}
	check_missing(comparison, creds);
}

static void compare_total(struct comparison *comparison, struct json_object *expect)
{
	const struct reading_object *original =
		reading_object(&comparison->original, MAUI_FS_TOTAL, "");
	const struct reading_object *documented =
		reading_object(&comparison->documented, MAUI_FS_TOTAL, "");

	compare(comparison, "total", member_number(expect, "total", -1),
		maui_fairshare_sum(comparison->core.fs, MAUI_FS_TOTAL, 0),
		reading_sum(&comparison->original, original),
		reading_sum(&comparison->documented, documented));
}

/* Names only in maui.cfg are known, too, and so are the DEFAULT objects. */
static void add_configured(struct comparison *comparison)
{
	for (unsigned int type = 0; type < MAUI_CREDENTIALS; type++) {
		const struct maui_object *const *objects;
		size_t count = maui_config_objects(comparison->core.config,
						   maui_credential_section(type), &objects);

		for (size_t i = 0; i < count; i++) {
			reading_object(&comparison->original, type, maui_object_name(objects[i]));
			reading_object(&comparison->documented, type, maui_object_name(objects[i]));
		}
	}
}

/* The last class in the original's table. The vectors have at most one. */
static void find_last_class(struct comparison *comparison)
{
	const struct maui_object *const *objects;

	if (maui_config_objects(comparison->core.config, MAUI_CLASSCFG, &objects))
		snprintf(comparison->last_class, sizeof(comparison->last_class), "%s",
			 maui_object_name(objects[0]));
	for (size_t i = 0; i < comparison->original.count; i++)
		if (comparison->original.objects[i].type == MAUI_CLASS)
			snprintf(comparison->last_class, sizeof(comparison->last_class), "%s",
				 comparison->original.objects[i].name);
}

/* ---- fairshare_load ------------------------------------------------------------------------ */

static void compare_text(struct comparison *comparison, struct json_object *object,
			 struct json_object *show)
{
	static const char *const known[] = {"fsshow", NULL};
	struct fairshare_case original;
	char *ours, *theirs;

	check_members(comparison->check, show, known);
	if (!fairshare_case_open(comparison->check, member(object, "cfg"), comparison->original.now,
				 NULL, &original))
		return;
	fairshare_case_load(comparison->check, &original, member(object, "files"), true);
	ours = fairshare_case_show(&comparison->core);
	theirs = fairshare_case_show(&original);
	if (!ours || !theirs)
		abort();
	check_text_readings(comparison->check, "fsshow", member_text(show, "fsshow"), theirs, ours,
			    RULE_FS_DIALECT);
	free(ours);
	free(theirs);
	fairshare_case_close(&original);
}

static void compare_load(struct comparison *comparison, struct json_object *object)
{
	static const char *const known[] = {"creds", "t", "total", NULL};
	struct json_object *expect = member(object, "expect"), *state, *show;
	struct check *check = comparison->check;

	if (!json_object_is_type(expect, json_type_array) ||
	    json_object_array_length(expect) != 2) {
		check_fail(check, "expect", "not an array of the state and the text");
		return;
	}
	state = json_object_array_get_idx(expect, 0);
	show = json_object_array_get_idx(expect, 1);
	check_members(check, state, known);
	check_number(check, "rc", member_number(object, "rc", -1), 0);
	check_number(check, "t", member_number(state, "t", -1), (double)comparison->original.now);
	check_number(check, "interval", (double)comparison->original.interval,
		     (double)comparison->core.settings.interval);
	check_number(check, "depth", comparison->original.depth, comparison->core.settings.depth);
	check_number(check, "decay", comparison->original.decay, comparison->core.settings.decay);
	compare_total(comparison, state);
	compare_creds(comparison, member(state, "creds"));
	compare_text(comparison, object, show);
}

void check_fairshare_load(struct check *check, struct json_object *object)
{
	static const char *const known[] = {"cfg", "decay",    "depth", "expect", "files",
					    "id",  "interval", "now",   "rc",     NULL};
	struct comparison comparison = {.check = check, .rule = RULE_FS_DIALECT};
	struct json_object *files = member(object, "files");

	check_members(check, object, known);
	reading_begin(object, &comparison.original);
	comparison.documented = comparison.original;
	reading_load(&comparison.original, files, true);
	reading_load(&comparison.documented, files, false);
	if (!fairshare_case_open(check, member(object, "cfg"), comparison.original.now, NULL,
				 &comparison.core))
		return;
	fairshare_case_load(check, &comparison.core, files, false);
	add_configured(&comparison);
	find_last_class(&comparison);
	compare_load(&comparison, object);
	fairshare_case_close(&comparison.core);
}

/* ---- fairshare_roll ------------------------------------------------------------------------ */

/* The case's usage in window 0 of the core and of a reading. */
static void set_usage(struct comparison *comparison, struct json_object *object)
{
	struct json_object *usage = member(object, "credusage");

	for (size_t i = 0; i < json_object_array_length(usage); i++) {
		struct json_object *row = json_object_array_get_idx(usage, i);
		const char *kind = json_object_get_string(json_object_array_get_idx(row, 0));
		const char *name = json_object_get_string(json_object_array_get_idx(row, 1));
		double value = json_object_get_double(json_object_array_get_idx(row, 2));

		for (unsigned int type = 0; type < MAUI_CREDENTIALS; type++) {
			if (strcmp(kind, maui_credential_name(type)))
				continue;
			maui_fairshare_set(comparison->core.fs, type,
					   fairshare_case_id(&comparison->core, type, name), 0,
					   value);
			reading_object(&comparison->original, type, name)->usage[0] = value;
		}
	}
	maui_fairshare_set(comparison->core.fs, MAUI_FS_TOTAL, 0, 0,
			   member_number(object, "total", 0));
	reading_object(&comparison->original, MAUI_FS_TOTAL, "")->usage[0] =
		member_number(object, "total", 0);
}

static const char *name_of(void *context, enum maui_credential type, uint32_t id)
{
	const struct fairshare_case *input = context;

	return maui_intern_name(input->names[type], id);
}

static int read_entry(void *context, enum maui_credential type, const char *name, double usage)
{
	struct fairshare_reading *reading = context;

	reading_object(reading, type, name)->usage[0] = usage;
	return 0;
}

static bool parse(struct check *check, const char *field, const char *text,
		  struct maui_fairshare_file *ret_file, struct fairshare_reading *ret_reading)
{
	struct maui_error error = {""};

	memset(ret_reading, 0, sizeof(*ret_reading));
	if (!maui_fairshare_file_read(text, strlen(text), read_entry, ret_reading, ret_file,
				      &error))
		return true;
	check_fail(check, field, "%s", error.text);
	return false;
}

/* Two texts of a window after parsing: the same objects and the same usage. */
static void compare_file(struct check *check, const char *field, const char *theirs,
			 const char *ours)
{
	struct fairshare_reading left, right;
	struct maui_fairshare_file left_file, right_file;

	if (!parse(check, field, theirs, &left_file, &left) ||
	    !parse(check, field, ours, &right_file, &right))
		return;
	check_number(check, "duration", (double)left_file.duration, (double)right_file.duration);
	for (size_t i = 0; i < left.count; i++)
		check_number(check, left.objects[i].name, left.objects[i].usage[0],
			     reading_object(&right, left.objects[i].type, left.objects[i].name)
				     ->usage[0]);
	check_number(check, "number of lines", (double)left.count, (double)right.count);
}

/* The original's file of the window that ends, and the one it was told to write. */
static void compare_files(struct comparison *comparison, struct json_object *object, bool rolls)
{
	struct maui_fairshare_output output = {
		.counted = MAUI_FS_NOT_SAID, .name = name_of, .context = &comparison->core};
	struct json_object *files = member(object, "files_written");
	char rolled[48], *text;
	size_t size, skipped;

	if (maui_fairshare_file_write(comparison->core.fs, 0, &output, &text, &size, &skipped))
		abort();
	check_number(comparison->check, "skipped", 0, (double)skipped);
	snprintf(rolled, sizeof(rolled), "FS.%" PRId64,
		 maui_fairshare_start(comparison->core.fs, 0));
	check_number(comparison->check, "files_written", json_object_object_length(files),
		     1 + rolls);
	json_object_object_foreach(files, name, value)
	{
		if (strcmp(name, "FS.777") && (!rolls || strcmp(name, rolled)))
			check_unknown(comparison->check, name);
		compare_file(comparison->check, name, json_object_get_string(value), text);
	}
	free(text);
}

static void compare_roll(struct comparison *comparison, struct json_object *object)
{
	static const char *const written[] = {"written", NULL};
	static const char *const known[] = {"creds", "newinterval", "t", "total", NULL};
	struct json_object *expect = member(object, "expect"), *write, *state;
	struct check *check = comparison->check;
	int64_t start = maui_fairshare_start(comparison->core.fs, 0);
	uint32_t begun;

	if (!json_object_is_type(expect, json_type_array) ||
	    json_object_array_length(expect) != 2) {
		check_fail(check, "expect", "not an array of the writing and the state");
		return;
	}
	write = json_object_array_get_idx(expect, 0);
	state = json_object_array_get_idx(expect, 1);
	check_members(check, write, written);
	check_members(check, state, known);
	check_number(check, "rc", member_number(object, "rc", -1), 0);
	check_number(check, "written", member_number(write, "written", -1), 1);
	set_usage(comparison, object);
	find_last_class(comparison);
	comparison->documented = comparison->original;
	begun = (uint32_t)((comparison->original.now - start) / comparison->original.interval);
	compare_files(comparison, object, begun > 0);
	/* The original rolls once, however much time has passed. */
	reading_roll(&comparison->original, begun > 0);
	reading_roll(&comparison->documented, begun < READING_WINDOWS ? begun : READING_WINDOWS);
	maui_fairshare_advance(comparison->core.fs, comparison->original.now);
	check_number(check, "t", member_number(state, "t", -1), (double)comparison->original.now);
	check_number(check, "newinterval", member_number(state, "newinterval", -1),
		     (double)maui_fairshare_start(comparison->core.fs, 0));
	compare_total(comparison, state);
	compare_creds(comparison, member(state, "creds"));
}

void check_fairshare_roll(struct check *check, struct json_object *object)
{
	static const char *const known[] = {"credusage",         "decay", "depth",    "expect",
					    "files_written",     "id",    "interval", "now",
					    "previous_interval", "rc",    "total",    NULL};
	struct comparison comparison = {.check = check, .rule = RULE_FS_EMPTY_WINDOWS};
	struct maui_fairshare_settings settings = {.metric = MAUI_FS_DEDICATEDPS};
	/* 0: the very first iteration, which starts where it is. */
	double previous = member_number(object, "previous_interval", 0);

	check_members(check, object, known);
	if (!json_object_is_type(member(object, "credusage"), json_type_array)) {
		check_fail(check, "credusage", "missing");
		return;
	}
	reading_begin(object, &comparison.original);
	settings.interval = comparison.original.interval;
	settings.depth = comparison.original.depth;
	settings.decay = comparison.original.decay;
	if (!fairshare_case_open(check, NULL,
				 previous > 0 ? (int64_t)previous : comparison.original.now,
				 &settings, &comparison.core))
		return;
	compare_roll(&comparison, object);
	fairshare_case_close(&comparison.core);
}
