/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as an item of an access list, of every type: rejected with a reason, or an item that
 * can be compiled, evaluated and shown. The same bytes as a HOSTLIST: each item is refused with a
 * reason or marks nodes, in bounded time. As an instance's name: what is taken apart can be put
 * together again. And as a line of SRCFG: whatever it says, a plan made twice is the same, and no
 * more is placed than the nodes have.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/policy/reservation/sr_place.h"
#include "common/policy/reservation/sr_plan.h"
#include "testsuite/fuzz/require.h"

#define NOW INT64_C(1700000000)

static uint32_t id_of(void *context, enum maui_credential type, const char *name)
{
	return *name == 'n' ? 0 : (uint32_t)strlen(name);
}

static const struct maui_limit_names names = {id_of, NULL};

/* ---- access lists -------------------------------------------------------------------------- */

static void try_item(unsigned int type, const char *text, size_t size)
{
	struct maui_acl_item item = {.value = -77};
	struct maui_error error = {""};
	const struct maui_acl_job job = {
		.credential = {1, 2, 3, 0, 5}, .attributes = 1, .duration = 600, .procs = 4};
	struct maui_acl_verdict verdict;
	char shown[MAUI_ACL_TEXT_SIZE];
	struct maui_acl *acl;
	int rc = maui_acl_item_read(type, text, size, &names, &item, &error);

	REQUIRE(rc == 0 || rc == -EINVAL);
	REQUIRE(!rc == !*error.text);
	if (rc) {
		REQUIRE(item.value == -77);
		return;
	}
	REQUIRE(item.name_size && item.name_size <= size && item.type == type);
	REQUIRE(!maui_acl_compile(&item, 1, &acl, NULL));
	maui_acl_evaluate(acl, &job, &verdict);
	REQUIRE(!verdict.granted || (verdict.item == 0 && !item.exclude) || item.deny);
	REQUIRE(strlen(maui_acl_text(acl, &verdict, shown)) > 0);
	maui_acl_free(acl);
}

/* ---- hosts --------------------------------------------------------------------------------- */

static const char *const nodes[] = {"n1", "n2", "n10", "login", "node001.cluster"};
#define NODES 5

static void refused(void *context, size_t item, const char *why)
{
	REQUIRE(item == 0 && *why);
	*(bool *)context = true;
}

static void try_hosts(const struct maui_node_names *table, const char *text)
{
	struct maui_sr_hosts *hosts = NULL;
	struct maui_sr_host_use use;
	bool listed[NODES], gone = false;
	uint32_t count;

	REQUIRE(!maui_sr_hosts_compile(&text, 1, refused, &gone, &hosts, NULL));
	count = maui_sr_hosts_match(hosts, table, listed, &use);
	REQUIRE(count <= NODES && (!count == (use.kind == MAUI_SR_HOST_NONE)));
	REQUIRE(!gone || !count || use.kind == MAUI_SR_HOST_EXACT);
	maui_sr_hosts_free(hosts);
}

/* ---- names --------------------------------------------------------------------------------- */

static void try_name(const char *text)
{
	char name[512], again[MAUI_SR_INSTANCE_SIZE];
	int64_t date = -77;
	size_t length = maui_sr_instance_parse(text, &date);

	if (!length || length > MAUI_SR_NAME_MAX)
		return;
	snprintf(name, sizeof(name), "%.*s", (int)length, text);
	REQUIRE(!strcmp(maui_sr_instance_name(name, date, again), text));
}

/* ---- lines --------------------------------------------------------------------------------- */

static void try_place(const struct maui_sr *sr, const struct maui_sr_window *window)
{
	static const struct maui_sr_gres gres[] = {{"gpu", 4}, {"gpu:a100", 2}};
	static const struct maui_sr_node table[2] = {
		{.up = true, .procs = 4, .memory = 4096, .disk = 10, .gres = gres, .gres_count = 2},
		{.procs = 8, .memory = 1, .disk = 10}};
	const struct maui_sr_hold hold = {
		.node = 0, .sr = 9, .start = window->from, .end = window->end, .procs = 1};
	const struct maui_sr_request request = {.sr = sr, .from = window->from, .end = window->end};
	struct maui_sr_placement placement;

	maui_sr_place(&request, table, 2, &hold, 1, &placement);
	for (size_t i = 0; i < placement.count; i++)
		REQUIRE(placement.shares[i].tasks > 0 &&
			placement.shares[i].procs <= table[placement.shares[i].node].procs);
	maui_sr_placement_clear(&placement);
}

static void try_plan(const struct maui_sr *list, size_t count)
{
	struct maui_sr_existing existing[512];
	struct maui_sr_plan plan, again;

	maui_sr_plan_make(list, count, NULL, 0, NOW, &plan);
	REQUIRE(plan.count == plan.to_create && plan.count <= 512);
	for (size_t i = 0; i < plan.count; i++) {
		const struct maui_sr_window *window = &plan.steps[i].window;

		REQUIRE(window->from >= NOW && window->from < window->end);
		existing[i] = (struct maui_sr_existing){.sr = plan.steps[i].sr,
							.date = window->date,
							.start = window->from,
							.end = window->end};
		try_place(&list[plan.steps[i].sr], window);
	}
	maui_sr_plan_make(list, count, existing, plan.count, NOW, &again);
	REQUIRE(again.to_keep == plan.count && again.count == plan.count);
	maui_sr_plan_clear(&plan);
	maui_sr_plan_clear(&again);
}

static void try_line(const char *text)
{
	struct maui_sr_settings *settings;
	struct maui_config *config = NULL;
	const struct maui_problem *problems;
	const struct maui_sr *list;
	size_t count;
	char *line;

	REQUIRE(asprintf(&line, "SRCFG[a] TASKCOUNT=3 %s\nSR%s\n", text, text) > 0);
	REQUIRE(!maui_config_parse("maui.cfg", line, strlen(line), NULL, &config, NULL));
	settings = maui_sr_settings_compile(config, &names);
	count = maui_sr_problems(settings, &problems);
	for (size_t i = 0; i < count; i++)
		REQUIRE(problems[i].origin.file && problems[i].origin.line &&
			problems[i].origin.column && *problems[i].text);
	count = maui_sr_list(settings, &list);
	if (count <= 8)
		try_plan(list, count);
	maui_sr_settings_free(settings);
	maui_config_unref(config);
	free(line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct maui_node_names *table = maui_node_names_new(nodes, NODES);
	char *text = malloc(size + 1);

	REQUIRE(text && table);
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	for (unsigned int type = 0; type < MAUI_ACL_TYPES; type++)
		try_item(type, text, strlen(text));
	try_hosts(table, text);
	try_name(text);
	try_line(text);
	maui_node_names_free(table);
	free(text);
	return 0;
}
