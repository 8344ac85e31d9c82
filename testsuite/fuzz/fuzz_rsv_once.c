/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as the state file of administrative reservations: rejected with a reason, or
 * reservations in order, each once, that survive being written and read again, and that are lines
 * of maui.cfg, one each.
 */
#include <errno.h>

#include "common/state/admin_rsv.h"
#include "testsuite/fuzz/state_file.h"

static uint32_t any_id(void *context, enum maui_credential type, const char *name)
{
	(void)context;
	(void)type;
	return name[0] != 'x';
}

/* It has one window, which ends. */
static void check_window(const struct maui_sr *sr, const struct maui_admin_rsv *one)
{
	struct maui_sr_window window;
	char text[MAUI_SR_INSTANCE_SIZE];

	REQUIRE(sr->period == MAUI_SR_ONCE && !strcmp(sr->name, one->name));
	REQUIRE(!strcmp(maui_sr_name_at(sr, 0, text), one->name));
	REQUIRE(maui_sr_window(sr, 0, one->start, &window) == MAUI_SR_WANTED);
	REQUIRE(window.start == one->start && window.end == one->end);
	REQUIRE(maui_sr_window(sr, 1, one->start, &window) == MAUI_SR_NOT_NEEDED);
	REQUIRE(maui_sr_window(sr, 0, one->end, &window) == MAUI_SR_NOT_NEEDED);
	REQUIRE(maui_sr_index(sr, 0, one->start) == 0);
}

static void check_lines(const struct maui_admin_rsvs *once)
{
	const struct maui_limit_names names = {any_id, NULL};
	struct maui_sr_settings *settings = NULL;
	struct maui_config *config = NULL;
	struct maui_sr_once *values = NULL;
	struct maui_error error = {""};
	const struct maui_sr *list;
	int rc = maui_admin_rsvs_config(once, &config, &values, &error);

	REQUIRE(rc == 0 || (rc == -EINVAL && *error.text));
	if (rc)
		return;
	REQUIRE(!maui_sr_settings_compile_once(config, values, once->count, &names, &settings,
					       &error));
	REQUIRE(maui_sr_list(settings, &list) == once->count);
	for (size_t i = 0; i < once->count; i++)
		check_window(&list[i], once->list[i]);
	maui_sr_settings_free(settings);
	maui_config_unref(config);
	free(values);
}

/* When read back, it is written the same again. */
static void check_written(const struct maui_admin_rsvs *once)
{
	struct maui_admin_rsvs again = {0};
	char *text, *second;
	size_t size, second_size;

	maui_admin_rsvs_format(once, &text, &size);
	REQUIRE(!maui_admin_rsvs_parse(text, size, &again, NULL));
	REQUIRE(again.count == once->count);
	maui_admin_rsvs_format(&again, &second, &second_size);
	REQUIRE(size == second_size && !memcmp(text, second, size));
	maui_admin_rsvs_clear(&again);
	free(second);
	free(text);
}

static void check_list(struct maui_admin_rsvs *once)
{
	REQUIRE(once->count <= MAUI_ADMIN_RSVS_MAX);
	for (size_t i = 0; i < once->count; i++) {
		REQUIRE(!i || strcmp(once->list[i - 1]->name, once->list[i]->name) < 0);
		REQUIRE(maui_admin_rsvs_find(once, once->list[i]->name) == once->list[i]);
		REQUIRE(maui_admin_rsvs_add(once, once->list[i]) == -EEXIST);
	}
	check_written(once);
	check_lines(once);
	while (once->count)
		maui_admin_rsvs_drop(once, once->list[once->count / 2]->name);
	check_written(once);
}

static void try(const char *text, size_t size)
{
	struct maui_error error = {""};
	struct maui_admin_rsvs once = {0};
	int rc = maui_admin_rsvs_parse(text, size, &once, &error);

	REQUIRE(is_state_verdict(rc));
	REQUIRE(!rc == !*error.text);
	REQUIRE(!rc || !once.list);
	if (!rc)
		check_list(&once);
	maui_admin_rsvs_clear(&once);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	try_state_file(try, "slurm-maui setres 1\n", data, size);
	return 0;
}
