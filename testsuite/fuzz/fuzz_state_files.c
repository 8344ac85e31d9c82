/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as each of the state files: rejected with a reason, or a state that keeps the promises
 * of its header, fits into its file, and survives being written and read again. As no fuzzer guesses
 * a checksum, the bytes are also tried as lines between a first and a valid last line.
 */
#include <errno.h>
#include <stdalign.h>

#include "common/state/admin_rsv.h"
#include "common/state/idle_charges.h"
#include "common/state/jobs.h"
#include "common/state/known_names.h"
#include "common/state/node_usage.h"
#include "common/state/reclaims.h"
#include "common/state/rsv_names.h"
#include "common/state/triggers.h"
#include "testsuite/fuzz/state_file.h"

#define STATE_SIZE 128

/* When read back, it is written the same again. */
static void check_written(const struct maui_state_file *file, const void *state)
{
	alignas(max_align_t) char again[STATE_SIZE] = {0};
	char *text, *second;
	size_t size, second_size;

	maui_state_format(file, state, &text, &size);
	REQUIRE(size <= file->limit);
	REQUIRE(!maui_state_parse(file, text, size, again, NULL));
	maui_state_format(file, again, &second, &second_size);
	REQUIRE(size == second_size && !memcmp(text, second, size));
	file->clear(again);
	free(second);
	free(text);
}

/* ---- setres ---- */

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

/* They are lines of maui.cfg, one each. */
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

static void check_admin_rsvs(void *state)
{
	struct maui_admin_rsvs *once = state;

	REQUIRE(once->count <= MAUI_ADMIN_RSVS_MAX);
	for (size_t i = 0; i < once->count; i++) {
		REQUIRE(!i || strcmp(once->list[i - 1]->name, once->list[i]->name) < 0);
		REQUIRE(maui_admin_rsvs_find(once, once->list[i]->name) == once->list[i]);
		REQUIRE(maui_admin_rsvs_add(once, once->list[i]) == -EEXIST);
	}
	check_lines(once);
	while (once->count)
		maui_admin_rsvs_drop(once, once->list[once->count / 2]->name);
}

/* ---- reservations, triggers ---- */

static void check_order(const struct maui_rsv_names *known)
{
	for (size_t i = 0; i < known->count; i++) {
		REQUIRE(!i || strcmp(known->names[i - 1]->name, known->names[i]->name) < 0);
		REQUIRE(maui_rsv_names_find(known, known->names[i]->name) == known->names[i]);
	}
}

static void check_rsv_names(void *state)
{
	struct maui_rsv_names *known = state;
	size_t count = known->count;

	REQUIRE(count <= MAUI_RSV_NAMES_MAX_NAMES);
	check_order(known);
	REQUIRE(maui_rsv_names_add(known, "middle.20260101") || count == MAUI_RSV_NAMES_MAX_NAMES);
	check_order(known);
	while (known->count) {
		count = known->count;
		maui_rsv_names_drop(known, known->names[count / 2]->name);
		REQUIRE(known->count == count - 1);
	}
}

static void check_fired(void *state)
{
	struct maui_fired *fired = state;

	REQUIRE(fired->count <= MAUI_FIRED_MAX);
	for (size_t i = 0; i < fired->count; i++) {
		REQUIRE(!i || strcmp(fired->list[i - 1].name, fired->list[i].name) < 0);
		REQUIRE(maui_fired_find(fired, fired->list[i].name) == &fired->list[i]);
	}
	maui_fired_tidy(fired, INT64_C(1) << 40);
	REQUIRE(!fired->count || fired->list[0].end > INT64_C(1) << 39);
}

/* ---- the others ---- */

static void check_charges(void *state)
{
	const struct maui_idle_charges *charges = state;

	REQUIRE(charges->count <= MAUI_IDLE_CHARGES_MAX);
	for (size_t i = 0; i < charges->count; i++) {
		const struct maui_idle_charge *one = &charges->list[i];

		REQUIRE(one->to > one->from && one->cost > 0 && *one->name);
	}
}

static void check_jobs(void *state)
{
	const struct maui_jobstate *jobs = state;

	REQUIRE(jobs->counted >= 0);
	for (size_t i = 0; i < jobs->start_count; i++)
		REQUIRE(jobs->starts[i].job_id && jobs->starts[i].time > 0);
	for (size_t i = 0; i < jobs->qos_count; i++)
		REQUIRE(jobs->qos[i].job_id && jobs->qos[i].started > 0 && jobs->qos[i].qos);
	for (size_t i = 0; i < jobs->job_count; i++)
		REQUIRE(jobs->jobs[i].job_id && jobs->jobs[i].submitted >= 0);
}

static void check_known_names(void *state)
{
	struct maui_known_names *known = *(struct maui_known_names **)state;
	uint32_t number = 0;

	maui_known_names_set_name(known, MAUI_USER, 1005, "bob");
	REQUIRE(!maui_known_names_name(known, MAUI_USER, 1005) ||
		!strcmp(maui_known_names_name(known, MAUI_USER, 1005), "bob"));
	maui_known_names_drop_number(known, MAUI_USER, "bob");
	REQUIRE(!maui_known_names_number(known, MAUI_USER, "bob", &number));
}

static void check_percent(const struct maui_node_usage *usage, uint32_t id)
{
	REQUIRE(maui_node_usage_percent_of(usage, id) >= 0 &&
		maui_node_usage_percent_of(usage, id) <= 100);
}

static void check_node_usage(void *state)
{
	struct maui_node_usage *usage = *(struct maui_node_usage **)state;

	REQUIRE(maui_node_usage_count(usage) <= MAUI_NODE_USAGE_MAX_NODES);
	REQUIRE(!maui_node_usage_left_out(usage));
	for (uint32_t id = 1; id <= maui_node_usage_count(usage); id++)
		check_percent(usage, id);
	maui_node_usage_begin(usage, 1e9);
	maui_node_usage_see(usage, "n1", true, true);
	maui_node_usage_end(usage);
	check_percent(usage, maui_node_usage_id(usage, "n1"));
}

static void check_reclaims(void *state)
{
	const struct maui_reclaims *reclaims = state;

	REQUIRE(reclaims->count <= MAUI_RECLAIMS_MAX);
	for (size_t i = 0; i < reclaims->count; i++) {
		const struct maui_reclaim *one = &reclaims->list[i];

		REQUIRE(one->type < MAUI_CREDENTIALS && one->job_id && one->made < one->until);
		REQUIRE(*one->owner && *one->nodes && !strchr(one->nodes, ' '));
	}
}

/* What was read keeps its promises, also when it is changed. */
static const struct {
	const struct maui_state_file *file;
	void (*check)(void *state);
} files[] = {
	{&maui_admin_rsvs_file, check_admin_rsvs},   {&maui_fired_file, check_fired},
	{&maui_idle_charges_file, check_charges},    {&maui_jobstate_file, check_jobs},
	{&maui_known_names_file, check_known_names}, {&maui_node_usage_file, check_node_usage},
	{&maui_reclaims_file, check_reclaims},       {&maui_rsv_names_file, check_rsv_names},
};

static void try(size_t i, const char *text, size_t size)
{
	alignas(max_align_t) char state[STATE_SIZE] = {0};
	const char empty[STATE_SIZE] = {0};
	struct maui_error error = {""};
	int rc = maui_state_parse(files[i].file, text, size, state, &error);

	/* Read, damaged, or of a later version, D-SYS-13. */
	REQUIRE(rc == 0 || rc == -EINVAL || rc == -ENOTSUP);
	REQUIRE(!rc == !*error.text);
	if (rc) {
		REQUIRE(!memcmp(state, empty, sizeof(state)));
		return;
	}
	check_written(files[i].file, state);
	files[i].check(state);
	check_written(files[i].file, state);
	files[i].file->clear(state);
	REQUIRE(!memcmp(state, empty, sizeof(state)));
}

/* The bytes between a first line and the matching last line. */
static void try_lines(size_t i, const uint8_t *data, size_t size)
{
	char *text = malloc(MAUI_STATE_FIRST_LINE + size + 80);
	size_t length;

	REQUIRE(text);
	length = strlen(maui_state_first_line(files[i].file, text));
	if (size)
		memcpy(text + length, data, size);
	length += size;
	if (text[length - 1] != '\n')
		text[length++] = '\n';
	length += (size_t)last_line(text + length, 70, text, length);
	try(i, text, length);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		try(i, size ? (const char *)data : "", size);
		try_lines(i, data, size);
	}
	return 0;
}
