/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Administrative reservations: kept in order, written, read back or refused as a whole, and read as
 * lines of maui.cfg.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/state/admin_rsv.h"
#include "testsuite/fuzz/state_file.h"

#define FIRST_LINE "slurm-maui setres 1\n"

static struct maui_admin_rsvs once;

static void teardown(void)
{
	maui_admin_rsvs_clear(&once);
}

TestSuite(admin_rsv, .fini = teardown);

static int add(const char *name, const char *attributes, int64_t start, int64_t end)
{
	struct maui_admin_rsv one = {.start = start, .end = end, .made = 77, .uid = 1001};
	int rc;

	snprintf(one.name, sizeof(one.name), "%s", name);
	one.attributes = strdup(attributes);
	rc = maui_admin_rsvs_add(&once, &one);
	free(one.attributes);
	return rc;
}

Test(admin_rsv, what_is_added_is_found_until_it_is_dropped)
{
	static const char *const names[] = {"maint.0", "SYSTEM.0", "SYSTEM.10", "SYSTEM.2",
					    "a.b.7"};

	for (size_t i = 0; i < 5; i++)
		cr_assert_eq(add(names[i], "HOSTLIST=ALL", 10, 20), 0);
	cr_expect_eq(add("maint.0", "HOSTLIST=n1", 10, 20), -EEXIST);
	for (size_t i = 0; i < 5; i++) {
		cr_assert_not_null(maui_admin_rsvs_find(&once, names[i]));
		cr_expect(!i || strcmp(once.list[i - 1]->name, once.list[i]->name) < 0);
	}
	maui_admin_rsvs_drop(&once, "SYSTEM.10");
	maui_admin_rsvs_drop(&once, "SYSTEM.11");
	cr_expect_null(maui_admin_rsvs_find(&once, "SYSTEM.10"));
	cr_expect_not_null(maui_admin_rsvs_find(&once, "SYSTEM.2"));
	cr_expect_eq(once.count, 4);
}

Test(admin_rsv, what_no_line_could_hold_is_refused)
{
	char *long_text = malloc(MAUI_ADMIN_RSVS_MAX_ATTRIBUTES + 2);

	memset(long_text, 'x', MAUI_ADMIN_RSVS_MAX_ATTRIBUTES + 1);
	long_text[MAUI_ADMIN_RSVS_MAX_ATTRIBUTES + 1] = '\0';
	cr_expect_eq(add("x.0", long_text, 10, 20), -EINVAL);
	free(long_text);
	static const char *const bad_names[] = {"",      "x",    "x.",    ".0",         "x.00",
						"x.inf", "x.-1", "x.y",   "x.20261122", "x y.0",
						"x].0",  "x#.0", "x=y.0", "x\"y.0",     "x\n.0"};
	static const char *const bad_texts[] = {"",
						" HOSTLIST=n1",
						"HOSTLIST=n1 ",
						"HOSTLIST=n1\nSRCFG[y] HOSTLIST=n2",
						"HOSTLIST=n1 # all",
						"HOSTLIST='n1'",
						"HOSTLIST=n1\\"};

	for (size_t i = 0; i < sizeof(bad_names) / sizeof(*bad_names); i++)
		cr_expect_eq(add(bad_names[i], "HOSTLIST=n1", 10, 20), -EINVAL, "%s", bad_names[i]);
	for (size_t i = 0; i < sizeof(bad_texts) / sizeof(*bad_texts); i++)
		cr_expect_eq(add("x.0", bad_texts[i], 10, 20), -EINVAL, "%s", bad_texts[i]);
	cr_expect_eq(add("x.0", "HOSTLIST=n1", 20, 20), -EINVAL);
	cr_expect_eq(add("x.0", "HOSTLIST=n1", -1, 20), -EINVAL);
	cr_expect_eq(add("x.0", "HOSTLIST=n1", 1, MAUI_SR_FOREVER + 1), -EINVAL);
	cr_expect_eq(once.count, 0);
}

Test(admin_rsv, they_have_a_limit)
{
	char name[32];

	for (unsigned int i = 0; i < MAUI_ADMIN_RSVS_MAX; i++) {
		snprintf(name, sizeof(name), "x.%u", i);
		cr_assert_eq(add(name, "HOSTLIST=n1", 10, 20), 0);
	}
	cr_expect_eq(add("y.0", "HOSTLIST=n1", 10, 20), -ENOSPC);
	maui_admin_rsvs_drop(&once, "x.7");
	cr_expect_eq(add("y.0", "HOSTLIST=n1", 10, 20), 0);
}

Test(admin_rsv, what_is_written_is_read_again)
{
	struct maui_admin_rsvs again = {0};
	struct maui_error why = {""};
	char *text;
	size_t size;

	add("maint.0", "USERLIST=alice:bob- HOSTLIST=n[1-2]", 10, MAUI_SR_FOREVER);
	add("SYSTEM.3", "TASKCOUNT=2 NODEFEATURES=a|b", 0, 20);
	once.list[0]->any_feature = true;
	once.list[0]->task_limit = 9;
	once.list[1]->recovered = true;
	maui_admin_rsvs_format(&once, &text, &size);
	cr_expect_eq(strncmp(text,
			     FIRST_LINE
			     "setres 1 0 20 77 1001 9 SYSTEM.3 TASKCOUNT=2 NODEFEATURES=a|b\n"
			     "setres 2 10 2139999999 77 1001 0 maint.0 "
			     "USERLIST=alice:bob- HOSTLIST=n[1-2]\nend 3 ",
			     strlen(text) - 17),
		     0, "%s", text);
	cr_assert_eq(maui_admin_rsvs_parse(text, size, &again, &why), 0, "%s", why.text);
	cr_assert_eq(again.count, 2);
	for (size_t i = 0; i < 2; i++) {
		const struct maui_admin_rsv *a = once.list[i], *b = again.list[i];

		cr_expect_str_eq(a->name, b->name);
		cr_expect_str_eq(a->attributes, b->attributes);
		cr_expect(a->start == b->start && a->end == b->end && a->made == b->made &&
			  a->uid == b->uid && a->task_limit == b->task_limit &&
			  a->any_feature == b->any_feature && a->recovered == b->recovered);
	}
	free(text);
	maui_admin_rsvs_clear(&again);
}

Test(admin_rsv, a_file_has_the_same_limit)
{
	char *text = malloc((MAUI_ADMIN_RSVS_MAX + 2) * 64), *at = text;
	struct maui_error why = {""};

	cr_assert_not_null(text);
	at += sprintf(at, "%s", FIRST_LINE);
	for (unsigned int i = 0; i <= MAUI_ADMIN_RSVS_MAX; i++)
		at += sprintf(at, "setres 0 10 20 77 1001 0 x.%u HOSTLIST=n1\n", i);
	at += last_line(at, 80, text, (size_t)(at - text));
	cr_expect_eq(maui_admin_rsvs_parse(text, (size_t)(at - text), &once, &why), -EINVAL);
	cr_expect_str_eq(why.text, "line 4002 is one too many");
	free(text);
}

static uint32_t any_id(void *context, enum maui_credential type, const char *name)
{
	(void)context;
	(void)type;
	(void)name;
	return 1;
}

Test(admin_rsv, as_lines_of_maui_cfg)
{
	const struct maui_limit_names names = {any_id, NULL};
	struct maui_sr_settings *settings = NULL;
	struct maui_config *config = NULL;
	struct maui_sr_once *values = NULL;
	struct maui_error why = {""};
	const struct maui_sr *list;

	add("maint.0", "USERLIST=alice:bob- HOSTLIST=n[1-2] FLAGS=BYNAME", 10, 20);
	add("SYSTEM.3", "TASKCOUNT=2 RESOURCES=PROCS=1;MEM=512 NODEFEATURES=a|b", 5,
	    MAUI_SR_FOREVER);
	once.list[0]->any_feature = true;
	once.list[0]->task_limit = 9;
	cr_assert_eq(maui_admin_rsvs_config(&once, &config, &values, &why), 0, "%s", why.text);
	cr_expect_eq(maui_config_errors(config), 0);
	cr_assert_eq(maui_sr_settings_compile_once(config, values, 2, &names, &settings, &why), 0);
	cr_assert_eq(maui_sr_list(settings, &list), 2);
	cr_expect_str_eq(list[0].name, "SYSTEM.3");
	cr_expect_eq(list[0].period, MAUI_SR_ONCE);
	cr_expect(list[0].usable && list[0].any_feature && !list[0].acl);
	cr_expect(list[0].start == 5 && list[0].end == MAUI_SR_FOREVER);
	cr_expect(list[0].task_count == 2 && list[0].task_limit == 9);
	cr_expect(list[0].task.procs == 1 && list[0].task.memory == 512);
	cr_expect_eq(list[0].feature_count, 2);
	cr_expect_str_eq(list[1].name, "maint.0");
	cr_expect(list[1].usable && list[1].acl && (list[1].flags & MAUI_SR_BYNAME));
	cr_expect_not_null(list[1].hosts);
	/* Different counts do not match. */
	cr_expect_eq(maui_sr_settings_compile_once(config, values, 1, &names, NULL, &why), -EINVAL);
	maui_sr_settings_free(settings);
	maui_config_unref(config);
	free(values);
	/* A text that is not a line at all. */
	add("z.0", "]", 10, 20);
	if (maui_admin_rsvs_config(&once, &config, &values, &why) == 0) {
		cr_expect(maui_config_errors(config) > 0 ||
			  maui_config_object(config, MAUI_SRCFG, "z.0"));
		maui_config_unref(config);
		free(values);
	}
}
