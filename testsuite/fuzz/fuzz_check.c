/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as a maui.cfg, with files beside it, to `maui check` and `maui check --report`: every
 * problem has a place, the two agree, and the engine accepts what check calls valid.
 */
#include <string.h>

#include "common/policy/fairshare/fairshare.h"
#include "common/policy/limits/limits.h"
#include "common/policy/limits/qos_access.h"
#include "common/policy/nodes/node_settings.h"
#include "common/policy/priority/accrual.h"
#include "common/policy/priority/priority.h"
#include "common/policy/reservation/job_attributes.h"
#include "common/policy/reservation/sr_settings.h"
#include "contribs/maui/lib/findings.h"
#include "common/util/text.h"
#include "contribs/maui/lib/command.h"
#include "contribs/maui/lib/output.h"
#include "testsuite/fuzz/in_process.h"
#include "testsuite/fuzz/memory_files.h"
#include "testsuite/fuzz/require.h"

#define PATH MEMORY_DIRECTORY "maui.cfg"
#define FEW  200 /* up to this many problems, all are listed */

/* What the two commands say of a file. */
struct opinions {
	struct json_object *check, *report;
	struct json_object *problems, *entries;
	int check_code, report_code;
};

/* ---- places ---- */

/*
 * The size of a file's line; a last line without a newline counts, too. -1: there is no such line.
 */
static int64_t line_size(const struct memory_file *file, int64_t number)
{
	const char *at = file->text, *end = at + file->size, *newline;

	for (;; at = newline + 1) {
		newline = memchr(at, '\n', (size_t)(end - at));
		if (--number == 0)
			return (newline ? newline : end) - at;
		if (!newline)
			return -1;
	}
}

static void check_place(struct json_object *object)
{
	const struct memory_file *file = memory_files_find(member_text(object, "file"));
	int64_t line = member_integer(object, "line"), column = member_integer(object, "column");

	REQUIRE(file && line >= 1 && column >= 1);
	REQUIRE(column <= line_size(file, line) + 1);
}

/* Names in it may contain blanks of any kind. */
static void check_text(const char *text)
{
	REQUIRE(*text);
	for (; *text; text++)
		REQUIRE(((unsigned char)*text >= ' ' && *text != 0x7f) || maui_is_blank(*text));
}

static bool is_error(struct json_object *problem)
{
	return !strcmp(member_text(problem, "severity"), "error");
}

/* ---- what check says ---- */

static void check_problems(const struct opinions *opinions)
{
	int64_t errors = 0, count = (int64_t)array_size(opinions->problems);

	for (int64_t i = 0; i < count; i++) {
		struct json_object *problem = json_object_array_get_idx(opinions->problems, i);

		check_place(problem);
		check_text(member_text(problem, "text"));
		errors += is_error(problem);
		REQUIRE(is_error(problem) || !strcmp(member_text(problem, "severity"), "warning"));
	}
	REQUIRE(member_integer(opinions->check, "errors") == errors);
	REQUIRE(member_integer(opinions->check, "warnings") == count - errors);
	REQUIRE(opinions->check_code == (errors ? EXIT_ERRORS : count ? EXIT_WARNINGS : EXIT_OK));
}

/* Without --json the output is the same, one line each. */
static void check_lines(const struct opinions *opinions)
{
	struct printed printed;
	const char *at;
	char place[2 * MEMORY_NAME_SIZE + 64];

	REQUIRE(run_command("check --offline " PATH, &printed, NULL) == opinions->check_code);
	at = printed.text;
	for (size_t i = 0; i < array_size(opinions->problems); i++) {
		struct json_object *problem = json_object_array_get_idx(opinions->problems, i);

		snprintf(place, sizeof(place), "%s:%d:%d: %s: ", member_text(problem, "file"),
			 (int)member_integer(problem, "line"),
			 (int)member_integer(problem, "column"), member_text(problem, "severity"));
		clean_text(place);
		REQUIRE(!strncmp(at, place, strlen(place)));
		at = strchr(at, '\n');
		REQUIRE(at);
		at++;
	}
	REQUIRE(!*at);
	REQUIRE(run_command("check --report " PATH, NULL, NULL) == opinions->report_code);
}

/* ---- what the report says ---- */

static void check_entries(const struct opinions *opinions)
{
	static const char *const verdicts[] = {"honoured", "approximated", "ignored", "error"};
	static const char *const counts[] = {"honoured", "approximated", "ignored", "errors"};
	int64_t found[4] = {0};
	int code;

	for (size_t i = 0; i < array_size(opinions->entries); i++) {
		struct json_object *entry = json_object_array_get_idx(opinions->entries, i);
		const char *verdict = member_text(entry, "verdict");
		int which = 0;

		check_place(entry);
		while (which < 4 && strcmp(verdict, verdicts[which]) != 0)
			which++;
		REQUIRE(which < 4);
		found[which]++;
		if (which)
			check_text(member_text(entry, "text"));
	}
	for (int i = 0; i < 4; i++)
		REQUIRE(member_integer(opinions->report, counts[i]) == found[i]);
	code = found[3] ? EXIT_ERRORS : found[1] || found[2] ? EXIT_WARNINGS : EXIT_OK;
	REQUIRE(opinions->report_code == code);
}

/* ---- both ---- */

static bool same_line(struct json_object *a, struct json_object *b)
{
	return member_integer(a, "line") == member_integer(b, "line") &&
	       !strcmp(member_text(a, "file"), member_text(b, "file"));
}

/* Names that check looks up, but the report does not. */
static bool is_looked_up(struct json_object *problem)
{
	const char *text = member_text(problem, "text");

	return strstr(text, "on this machine") || strstr(text, "in small letters only") ||
	       strstr(text, "whether Slurm has a GRES");
}

/* Whether the two texts mean the same; the report omits the names before a colon. */
static bool says(const char *entry, const char *problem)
{
	if (!strncmp(entry, "in slurm.conf: ", strlen("in slurm.conf: ")) &&
	    strstr(problem, "in Slurm: "))
		return true; /* the report has the value */
	if (strstr(problem, entry))
		return true;
	for (const char *rest = problem; rest; rest = strstr(rest, ": ")) {
		rest += rest == problem ? 0 : 2;
		if (strstr(entry, rest))
			return true;
	}
	return strstr(entry, "that is known here") &&
	       (strstr(problem, "there is no parameter ") || strstr(problem, " has no attribute "));
}

/* Whether an entry for the problem's line has one of two verdicts; the second may be NULL. */
static bool has_entry(const struct opinions *opinions, struct json_object *problem,
		      const char *verdict, const char *other)
{
	for (size_t i = 0; i < array_size(opinions->entries); i++) {
		struct json_object *entry = json_object_array_get_idx(opinions->entries, i);
		const char *its = member_text(entry, "verdict");

		if (same_line(entry, problem) &&
		    (!strcmp(its, verdict) || (other && !strcmp(its, other))))
			return true;
	}
	return false;
}

/* Whether a problem on the entry's line is an error, or says what the entry says. */
static bool has_problem(const struct opinions *opinions, struct json_object *entry, bool error)
{
	for (size_t i = 0; i < array_size(opinions->problems); i++) {
		struct json_object *problem = json_object_array_get_idx(opinions->problems, i);

		if (!same_line(entry, problem))
			continue;
		if (error ? is_error(problem)
			  : says(member_text(entry, "text"), member_text(problem, "text")))
			return true;
	}
	return false;
}

/*
 * To the report, lines continued after a backslash are one line, while their problems keep their
 * own places.
 */
static bool is_line_by_line(const struct memory_files *files)
{
	for (size_t i = 0; i < files->count; i++)
		if (files->list[i].size && memchr(files->list[i].text, '\\', files->list[i].size))
			return false;
	return true;
}

static void compare_problem(const struct opinions *opinions, struct json_object *problem)
{
	if (is_error(problem))
		REQUIRE(has_entry(opinions, problem, "error", NULL));
	else if (!is_looked_up(problem))
		REQUIRE(has_entry(opinions, problem, "approximated", "ignored") ||
			has_entry(opinions, problem, "error", NULL));
}

static void compare_entry(const struct opinions *opinions, struct json_object *entry)
{
	const char *verdict = member_text(entry, "verdict");

	if (!strcmp(verdict, "error"))
		REQUIRE(has_problem(opinions, entry, true));
	if (!strcmp(verdict, "ignored"))
		REQUIRE(has_problem(opinions, entry, false));
}

/* Line by line, like `cli opinion`. */
static void compare_lines(const struct opinions *opinions)
{
	for (size_t i = 0; i < array_size(opinions->problems); i++)
		compare_problem(opinions, json_object_array_get_idx(opinions->problems, i));
	for (size_t i = 0; i < array_size(opinions->entries); i++)
		compare_entry(opinions, json_object_array_get_idx(opinions->entries, i));
}

/* Whether the report says so at the end of any entry. */
static bool is_refused(const struct opinions *opinions)
{
	const size_t length = strlen(MAUI_FILE_REFUSED);

	for (size_t i = 0; i < array_size(opinions->entries); i++) {
		const char *text =
			member_text(json_object_array_get_idx(opinions->entries, i), "text");
		size_t size = strlen(text);

		if (size >= length && !strcmp(text + size - length, MAUI_FILE_REFUSED))
			return true;
	}
	return false;
}

/* ---- the engine ---- */

static uint32_t any_id(void *context, enum maui_credential type, const char *name)
{
	(void)context;
	return (uint32_t)type + (uint32_t)strlen(name) + 1;
}

/* Everything that the engine compiles from a maui.cfg before it looks at a job. */
static void compile(struct maui_config *config)
{
	const struct maui_limit_names names = {any_id, NULL};
	struct maui_priority_policy *priority = maui_priority_compile(config);
	struct maui_node_policy *nodes = maui_node_policy_compile(config);
	struct maui_limits *limits = maui_limits_compile(config, &names, 0);
	struct maui_qos_access *qos = maui_qos_access_compile(config, &names);
	struct maui_job_attributes *attributes = maui_job_attributes_compile(config, &names);
	struct maui_sr_settings *reservations = maui_sr_settings_compile(config, &names);
	struct maui_fairshare_settings fairshare;

	maui_fairshare_settings(config, &fairshare);
	REQUIRE(fairshare.interval >= 1 && fairshare.depth >= 1 &&
		fairshare.depth <= MAUI_FS_MAX_DEPTH);
	maui_accrual_policy(config);
	maui_sr_settings_free(reservations);
	maui_job_attributes_free(attributes);
	maui_qos_access_free(qos);
	maui_limits_free(limits);
	maui_node_policy_free(nodes);
	maui_priority_free(priority);
}

/*
 * Whether the engine accepts or refuses the file. From a refused one it may take the valid parts.
 */
static bool is_taken(void)
{
	const struct maui_reader reader = maui_file_reader(NULL);
	struct maui_config *config = NULL;
	struct maui_error error;
	bool taken;

	REQUIRE(!maui_config_load(PATH, &reader, &config, &error));
	taken = !maui_config_errors(config);
	compile(config);
	maui_config_unref(config);
	return taken;
}

static void compare(const struct opinions *opinions, const struct memory_files *files)
{
	bool taken = is_taken();

	REQUIRE((opinions->check_code == EXIT_ERRORS) == (opinions->report_code == EXIT_ERRORS));
	REQUIRE(taken || opinions->check_code == EXIT_ERRORS);
	REQUIRE(taken == !is_refused(opinions));
	if (array_size(opinions->problems) < FEW && is_line_by_line(files))
		compare_lines(opinions);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct memory_files files;
	struct opinions opinions;

	memory_files_split("maui.cfg", data, size, &files);
	memory_files_use(&files);
	opinions.check_code = run_json("check --offline " PATH, &opinions.check);
	opinions.report_code = run_json("check --report " PATH, &opinions.report);
	opinions.problems = member_array(opinions.check, "problems");
	opinions.entries = member_array(opinions.report, "entries");
	REQUIRE(opinions.problems && opinions.entries);
	check_problems(&opinions);
	check_entries(&opinions);
	if (size % 4 == 0) /* the output for people costs as much as all the rest */
		check_lines(&opinions);
	compare(&opinions, &files);
	json_object_put(opinions.check);
	json_object_put(opinions.report);
	memory_files_use(NULL);
	return 0;
}
