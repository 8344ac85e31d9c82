/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * maui fs show: the table of `diagnose -f`, from the files alone. Windows are loaded as the engine
 * loads them at its start, and the rows are those of its answer.
 */
#include "contribs/maui/fs/fs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/policy/priority/priority.h"
#include "common/report/report_fairshare.h"
#include "common/util/arena.h"
#include "common/util/memory.h"
#include "contribs/maui/diagnose/diagnose_fairshare.h"
#include "contribs/maui/fs/fs_directory.h"
#include "contribs/maui/fs/fs_names.h"
#include "contribs/maui/fs/fs_site.h"
#include "contribs/maui/fs/fs_usage.h"
#include "common/report/json.h"
#include "contribs/maui/lib/output.h"

struct show {
	const char *directory;
	const struct fs_site *site;
	struct maui_priority_policy *policy;
	struct fs_usage usage;
	struct maui_report_fairshare report;
	struct maui_report_fsrow *rows[MAUI_CREDENTIALS];
	struct maui_arena *names; /* of rows */
	int64_t at;               /* --at, or now */
	int64_t counted;          /* the latest of the windows; MAUI_FS_NOT_SAID */
	size_t found, failed;
};

/* ---- files --------------------------------------------------------------------------------- */

static void note_duration(const struct show *show, int64_t start, int64_t duration)
{
	int64_t interval = show->site->settings.interval;

	if (duration && duration != interval)
		note("%s/FS.%" PRId64 " has a window of %" PRId64
		     " seconds, but FSINTERVAL is %" PRId64,
		     show->directory, start, duration, interval);
}

/* Read errors name the file themselves. */
static void complain_of(const struct show *show, int64_t start, int rc, const char *why)
{
	if (rc == -EBADMSG || rc == -ENOTSUP)
		complain("%s/FS.%" PRId64 ": %s: its window counts as empty", show->directory,
			 start, why);
	else
		complain("%s: its window counts as empty", why);
}

/* A window without a file is empty. */
static void load_windows(struct show *show)
{
	for (uint32_t k = 0; k < show->site->settings.depth; k++) {
		int64_t start = maui_fairshare_start(show->usage.windows, k);
		struct maui_fairshare_file file = {.counted = MAUI_FS_NOT_SAID};
		struct maui_error error;
		int rc = fs_usage_load(&show->usage, show->directory, start, k, &file, &error);

		if (rc == -ENOENT)
			continue;
		show->found++;
		if (rc)
			complain_of(show, start, rc, error.text);
		else if (fs_site_counts_other(show->site, &file))
			complain("%s/FS.%" PRId64 " counts %s, and FSPOLICY is another: its "
				 "window counts as empty",
				 show->directory, start, file.metric);
		if (rc || fs_site_counts_other(show->site, &file)) {
			maui_fairshare_clear(show->usage.windows, k);
			show->failed++;
			continue;
		}
		note_duration(show, start, file.duration);
		if (file.counted > show->counted)
			show->counted = file.counted;
	}
}

/* ---- rows ---------------------------------------------------------------------------------- */

static const struct maui_value *own_target(const struct show *show, enum maui_credential type,
					   const char *name)
{
	return maui_object_get(
		maui_config_object(show->site->config, maui_credential_section(type), name),
		MAUI_ATTR_FSTARGET);
}

/* Whether maui.cfg's name is that of a file's text. Digits there are somebody's name first. */
static bool is_meant(enum maui_credential type, const char *name, const char *text)
{
	char buffer[MAUI_PRINCIPAL_TEXT_SIZE];
	const char *meant;

	fs_name_text(type, name, buffer, &meant);
	return !strcmp(meant, text);
}

/* Every credential with a target in maui.cfg has a row, used or not. */
static void name_targets(struct show *show, enum maui_credential type)
{
	const struct maui_object *const *objects;
	size_t count =
		maui_config_objects(show->site->config, maui_credential_section(type), &objects);

	for (size_t i = 0; i < count; i++) {
		const char *name = maui_object_name(objects[i]), *text;
		char buffer[MAUI_PRINCIPAL_TEXT_SIZE];

		fs_name_text(type, name, buffer, &text);
		if (maui_object_get(objects[i], MAUI_ATTR_FSTARGET) && strcmp(name, "DEFAULT") != 0)
			fs_usage_id(&show->usage, type, text);
	}
}

static void fill_row(const struct show *show, enum maui_credential type, uint32_t id,
		     const char *name, bool configured, struct maui_report_fsrow *row)
{
	struct maui_priority_credential credential;

	/* "" is nobody's name: DEFAULT applies to it. */
	maui_priority_credential(show->policy, type, configured ? name : "", &credential);
	maui_report_fsrow_fill(show->usage.windows, type, id, name, &credential.fs_target, row);
}

/* Whether there is a row of a text in the files. */
static bool fill_text_row(const struct show *show, enum maui_credential type, uint32_t id,
			  struct maui_report_fsrow *row)
{
	const char *text = maui_intern_name(show->usage.names[type], id), *name;
	char buffer[MAUI_PRINCIPAL_TEXT_SIZE];
	bool unnamed, used = maui_fairshare_sum(show->usage.windows, type, id) > 0, configured;

	name = fs_name_of(type, text, buffer, &unnamed);
	configured = maui_config_object(show->site->config, maui_credential_section(type), name) &&
		     is_meant(type, name, text);
	if (!used && !(configured && own_target(show, type, name)))
		return false;
	if (name == buffer) /* the row keeps it */
		name = maui_arena_text(show->names, name, strlen(name));
	fill_row(show, type, id, name, configured, row);
	row->unnamed = unnamed;
	return true;
}

static void fill_type(struct show *show, enum maui_credential type)
{
	struct maui_report_fsrow *rows;
	uint32_t last;
	size_t count = 0;

	name_targets(show, type);
	last = maui_intern_count(show->usage.names[type]);
	rows = maui_calloc(last + (size_t)1, sizeof(*rows));
	for (uint32_t id = 1; id <= last; id++)
		count += fill_text_row(show, type, id, &rows[count]);
	if (own_target(show, type, "DEFAULT"))
		fill_row(show, type, MAUI_NO_CREDENTIAL, "DEFAULT", true, &rows[count++]);
	if (count)
		qsort(rows, count, sizeof(*rows), maui_report_fsrow_compare);
	show->rows[type] = rows;
	show->report.rows[type] = rows;
	show->report.count[type] = count;
}

/* ---- output -------------------------------------------------------------------------------- */

/* As the engine's answer. */
static struct json_object *make_data(struct show *show)
{
	struct json_object *data;

	maui_report_fairshare_fill(show->usage.windows, &show->report);
	for (enum maui_credential type = 0; type < MAUI_CREDENTIALS; type++)
		fill_type(show, type);
	data = maui_report_fairshare(&show->report);
	json_set(data, "counted",
		 show->counted == MAUI_FS_NOT_SAID ? NULL : json_make_number(show->counted));
	json_set_text(data, "directory", show->directory);
	json_set_number(data, "at", show->at);
	return data;
}

static int fs_show_print(const struct cli *cli, struct show *show, bool verbose)
{
	struct json_object *data = make_data(show);
	bool off = fairshare_is_off(data);
	int code;

	code = cli->json ? print_json("maui.fs-show/1", data) : print_fairshare(data, verbose);
	json_object_put(data);
	if (code)
		return code;
	if (!show->found)
		note("%s has no file of the windows that count", show->directory);
	if (off)
		note("FSPOLICY is not set: the engine counts nothing, and reads none of these");
	return show->failed ? EXIT_ERRORS : EXIT_OK;
}

static int show_loaded(const struct cli *cli, struct show *show, bool verbose)
{
	show->policy = maui_priority_compile(show->site->config);
	fs_usage_new(&show->site->settings, show->at, &show->usage);
	load_windows(show);
	return fs_show_print(cli, show, verbose);
}

static int show_site(const struct cli *cli, const struct fs_site *site, const char *path,
		     int64_t at, bool verbose)
{
	struct show show = {.directory = path ? path : fs_site_directory(site),
			    .site = site,
			    .at = at,
			    .counted = MAUI_FS_NOT_SAID};
	struct fs_directory directory;
	struct maui_error error;
	int code;

	if (!show.directory)
		return EXIT_ERRORS;
	if (fs_directory_read(show.directory, &directory,
			      &error)) /* files missing there are none */
		return fail(EXIT_ERRORS, "%s", error.text);
	fs_directory_clear(&directory);
	show.names = maui_arena_new();
	code = show_loaded(cli, &show, verbose);
	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		free(show.rows[type]);
	fs_usage_clear(&show.usage);
	maui_arena_free(show.names);
	maui_priority_free(show.policy);
	return code;
}

static bool parse_time(const char *text, int64_t *ret_time)
{
	char *end;

	errno = 0;
	*ret_time = strtoll(text, &end, 10);
	return *text >= '0' && *text <= '9' && !errno && !*end && *ret_time <= INT64_C(1) << 53;
}

int run_fs_show(struct cli *cli, int argc, char **argv)
{
	static const struct option longs[] = {{"at", required_argument, NULL, 'a'}, {0}};
	int64_t at = (int64_t)time(NULL);
	bool verbose = false;
	struct fs_site site;
	const char *path;
	int option, code;

	while ((option = next_option(cli, argc, argv, "v", longs)) != OPTIONS_END) {
		if (option == 'v')
			verbose = true;
		else if (option != 'a')
			return option == OPTIONS_DONE ? EXIT_OK : EXIT_ERRORS;
		else if (!parse_time(optarg, &at))
			return fail_usage(cli, "--at=%s: a time is a number of seconds since 1970",
					  optarg);
	}
	if (argc - optind > 1)
		return fail_usage(cli, "one directory at a time");
	path = optind < argc ? argv[optind] : NULL;
	code = fs_site_load(cli, !path, &site);
	if (code)
		return code;
	code = show_site(cli, &site, path, at, verbose);
	fs_site_clear(&site);
	return code;
}
