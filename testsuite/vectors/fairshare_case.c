/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "testsuite/vectors/fairshare_case.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/policy/fairshare/fairshare_file.h"
#include "common/report/report_fairshare.h"
#include "testsuite/vectors/fairshare_reading.h"
#include "testsuite/vectors/lines.h"

bool fairshare_case_open(struct check *check, struct json_object *cfg, int64_t now,
			 const struct maui_fairshare_settings *settings,
			 struct fairshare_case *ret_case)
{
	struct maui_error error = {"out of memory"};
	char *text = lines_join(cfg);
	bool good;

	memset(ret_case, 0, sizeof(*ret_case));
	good = text &&
	       !maui_config_parse("maui.cfg", text, strlen(text), NULL, &ret_case->config, &error);
	if (good)
		ret_case->policy = maui_priority_compile(ret_case->config);
	free(text);
	if (good && settings)
		ret_case->settings = *settings;
	else
		maui_fairshare_settings(ret_case->config, &ret_case->settings);
	for (unsigned int type = 0; type < MAUI_CREDENTIALS; type++)
		good = (ret_case->names[type] = maui_intern_new()) && good;
	ret_case->fs = maui_fairshare_new(&ret_case->settings, now);
	if (good && ret_case->fs)
		return true;
	check_fail(check, "cfg", "%s", error.text);
	fairshare_case_close(ret_case);
	return false;
}

void fairshare_case_close(struct fairshare_case *input)
{
	maui_fairshare_free(input->fs);
	for (unsigned int type = 0; type < MAUI_CREDENTIALS; type++)
		maui_intern_free(input->names[type]);
	maui_priority_free(input->policy);
	maui_config_unref(input->config);
}

uint32_t fairshare_case_id(struct fairshare_case *input, unsigned int type, const char *name)
{
	uint32_t id;

	if (type == MAUI_FS_TOTAL)
		return 0;
	id = maui_intern_add(input->names[type], name);
	if (maui_fairshare_reserve(input->fs, type, id))
		abort();
	return id;
}

struct loading {
	struct fairshare_case *input;
	uint32_t k;
};

static int load_entry(void *context, enum maui_credential type, const char *name, double usage)
{
	struct loading *loading = context;

	/* DEFAULT is not a credential: the original keeps no usage for it. */
	if (strcmp(name, "DEFAULT"))
		maui_fairshare_set(loading->input->fs, type,
				   fairshare_case_id(loading->input, type, name), loading->k,
				   usage);
	return 0;
}

static void load_file(struct check *check, struct loading *loading, const char *name,
		      const char *text, bool filtered)
{
	struct maui_fairshare_file file = {0};
	struct maui_error error = {""};
	char *copy = filtered ? reading_filter(text) : strdup(text);

	if (!copy)
		abort();
	if (maui_fairshare_file_read(copy, strlen(copy), load_entry, loading, &file, &error))
		check_fail(check, name, "%s", error.text);
	else
		check_number(check, "duration", (double)loading->input->settings.interval,
			     (double)file.duration);
	free(copy);
}

void fairshare_case_load(struct check *check, struct fairshare_case *input,
			 struct json_object *files, bool filtered)
{
	/* One more than counts: the original knows the names in it. */
	for (uint32_t k = 0; k <= input->settings.depth; k++) {
		struct loading loading = {input, k};
		char name[48];
		const char *text;

		snprintf(name, sizeof(name), "FS.%" PRId64, maui_fairshare_start(input->fs, k));
		text = member_text(files, name);
		if (text)
			load_file(check, &loading, name, text, filtered);
	}
}

struct maui_fstarget fairshare_case_own_target(const struct fairshare_case *input,
					       unsigned int type, const char *name)
{
	struct maui_fstarget target = {0};
	const struct maui_object *object;
	const struct maui_value *value;

	if (type == MAUI_FS_TOTAL)
		return target;
	object = maui_config_object(input->config, maui_credential_section(type), name);
	value = maui_object_get(object, MAUI_ATTR_FSTARGET);
	if (value)
		target = (struct maui_fstarget){value->real, maui_fstarget_mode(value->mark)};
	return target;
}

/*
 * Names that only maui.cfg knows; and the group of those without one, which the original has in its
 * tables like any other.
 */
static void add_names(struct fairshare_case *input, unsigned int type)
{
	const struct maui_object *const *objects;
	size_t count = maui_config_objects(input->config, maui_credential_section(type), &objects);

	for (size_t i = 0; i < count; i++)
		fairshare_case_id(input, type, maui_object_name(objects[i]));
	if (type == MAUI_GROUP)
		fairshare_case_id(input, type, "NOGROUP");
}

static size_t make_rows(struct fairshare_case *input, unsigned int type,
			struct maui_report_fsrow *rows, size_t room)
{
	size_t count = 0;

	add_names(input, type);
	for (uint32_t id = 1; id <= maui_intern_count(input->names[type]) && count < room; id++) {
		const char *name = maui_intern_name(input->names[type], id);
		struct maui_priority_credential credential;

		maui_priority_credential(input->policy, type, name, &credential);
		maui_report_fsrow_fill(input->fs, type, id, name, &credential.fs_target,
				       &rows[count]);
		count += maui_report_fsrow_shown(&rows[count]);
	}
	qsort(rows, count, sizeof(*rows), maui_report_fsrow_compare);
	return count;
}

char *fairshare_case_show(struct fairshare_case *input)
{
	struct maui_report_fsrow rows[MAUI_CREDENTIALS][16];
	struct maui_report_fairshare fairshare;

	maui_report_fairshare_fill(input->fs, &fairshare);
	for (unsigned int type = 0; type < MAUI_CREDENTIALS; type++) {
		fairshare.rows[type] = rows[type];
		fairshare.count[type] = make_rows(input, type, rows[type], 16);
	}
	return maui_report_fairshare_text(&fairshare);
}
