/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of SRCFG's attributes against the parser's keys, and what it reports of a reservation.
 */
#include "common/policy/reservation/sr_attributes.h"

#include <ctype.h>

#include "common/config/keys/keys.h"
#include "testsuite/unit/policy/reservation/reservation_fixture.h"

/* ---- the rows ---- */

static size_t rows_of(enum maui_key key)
{
	size_t count = 0;

	for (size_t i = 0; i < MAUI_SR_ATTRIBUTES; i++)
		count += maui_sr_attribute_at(i)->key == key;
	return count;
}

Test(sr_attributes, each_key_of_srcfg_has_one_row_and_no_other_key_has)
{
	for (int key = 0; key < MAUI_KEYS; key++) {
		const struct maui_key_info *info = maui_key_info(key);
		bool wanted = info->sections & MAUI_IN(MAUI_SRCFG);

		cr_expect_eq(rows_of(key), wanted, "%s", info->name);
		if (wanted)
			cr_expect_eq(maui_sr_attribute_of(key)->key, key, "%s", info->name);
	}
}

Test(sr_attributes, what_the_parser_accepts_without_effect_is_nothing_here)
{
	for (size_t i = 0; i < MAUI_SR_ATTRIBUTES; i++) {
		const struct maui_sr_attribute *row = maui_sr_attribute_at(i);

		cr_expect_eq(row->form == MAUI_SR_IS_NOTHING,
			     maui_key_info(row->key)->missing != NULL, "%s",
			     maui_sr_attribute_name(row));
	}
}

Test(sr_attributes, each_is_told_or_says_why_not)
{
	for (size_t i = 0; i < MAUI_SR_ATTRIBUTES; i++) {
		const struct maui_sr_attribute *row = maui_sr_attribute_at(i);
		const char *name = maui_sr_attribute_name(row);

		cr_expect(!row->json == (row->why_not && *row->why_not), "%s", name);
		cr_expect(!row->label == (row->shown == MAUI_SR_NOT_SHOWN), "%s", name);
		cr_expect(row->json || row->shown == MAUI_SR_NOT_SHOWN,
			  "%s: diagnose -r knows what it is told", name);
		cr_expect(row->json || row->setres != MAUI_SR_SETRES_MEMBER, "%s", name);
		cr_expect(!row->admins_only || row->setres == MAUI_SR_SETRES_MEMBER, "%s", name);
		if (row->form == MAUI_SR_IS_SPECIAL)
			cr_expect_eq(row->tell != NULL, row->json != NULL, "%s", name);
	}
}

/* Members of reports and of requests: no two attributes share one, except access lists. */
Test(sr_attributes, a_member_is_told_once)
{
	for (size_t i = 0; i < MAUI_SR_ATTRIBUTES; i++) {
		const struct maui_sr_attribute *row = maui_sr_attribute_at(i);
		size_t told = 0;

		for (size_t k = 0; row->json && k < MAUI_SR_ATTRIBUTES; k++) {
			const struct maui_sr_attribute *other = maui_sr_attribute_at(k);

			if (!other->json || strcmp(other->json, row->json) != 0)
				continue;
			told += maui_sr_attribute_is_told(other);
			cr_expect(other == row || (row->form == MAUI_SR_IS_LIST &&
						   other->form == MAUI_SR_IS_LIST),
				  "%s and %s", maui_sr_attribute_name(row),
				  maui_sr_attribute_name(other));
		}
		cr_expect_eq(told, row->json != NULL, "%s", maui_sr_attribute_name(row));
	}
}

/* What needs no code of its own is read from the parser's value of that kind. */
Test(sr_attributes, the_form_fits_the_kind_of_the_key)
{
	for (size_t i = 0; i < MAUI_SR_ATTRIBUTES; i++) {
		const struct maui_sr_attribute *row = maui_sr_attribute_at(i);
		const struct maui_key_info *info = maui_key_info(row->key);
		const char *text = info->default_text ? info->default_text : "";
		bool number = row->form == MAUI_SR_IS_NUMBER || row->form == MAUI_SR_IS_COUNT;
		bool list = info->kind == MAUI_KIND_ACL || info->kind == MAUI_KIND_TIME_ACL ||
			    info->kind == MAUI_KIND_COUNT_ACL;

		cr_expect_eq(row->form == MAUI_SR_IS_LIST, list, "%s", info->name);
		cr_expect(row->form != MAUI_SR_IS_TEXT || info->kind == MAUI_KIND_STRING, "%s",
			  info->name);
		cr_expect(!number || info->kind == MAUI_KIND_INTEGER ||
				  info->kind == MAUI_KIND_DURATION || info->kind == MAUI_KIND_DATE,
			  "%s", info->name);
		/* "1:00" would be read as 1. */
		while (number && isdigit((unsigned char)*text))
			text++;
		cr_expect(!number || !*text, "%s: default %s", info->name, info->default_text);
	}
}

Test(sr_attributes, resources_are_those_of_a_task)
{
	struct maui_sr_task task = {.procs = 1, .memory = 2, .disk = 3, .swap = 4};

	for (size_t i = 0; i < MAUI_SR_RESOURCES; i++)
		cr_expect_eq(*maui_sr_resource_amount(&task, i), (int64_t)i + 1, "%s",
			     maui_sr_resources[i].name);
}

/* ---- what is reported ---- */

struct telling {
	struct reservations reservations;
	struct maui_config *config;
	struct maui_arena *arena;
};

static void telling_open(struct telling *telling, const char *lines)
{
	reservations_open(&telling->reservations, lines);
	cr_assert_eq(
		maui_config_parse("maui.cfg", lines, strlen(lines), NULL, &telling->config, NULL),
		0);
	telling->arena = maui_arena_new();
}

static void telling_close(struct telling *telling)
{
	maui_arena_free(telling->arena);
	maui_config_unref(telling->config);
	reservations_close(&telling->reservations);
}

static void print_value(const struct maui_sr_value *value, char *text, size_t size)
{
	size_t length = 0;

	*text = '\0';
	switch (value->kind) {
	case MAUI_SR_VALUE_NUMBER:
		snprintf(text, size, "%lld", (long long)value->number);
		break;
	case MAUI_SR_VALUE_STRING:
		snprintf(text, size, "%s", value->string ? value->string : "(none)");
		break;
	case MAUI_SR_VALUE_STRINGS:
		for (size_t i = 0; i < value->strings.count && length < size; i++)
			length += (size_t)snprintf(text + length, size - length, "[%s]",
						   value->strings.items[i]);
		break;
	case MAUI_SR_VALUE_TASK:
		snprintf(text, size, "%lld %lld %lld %lld", (long long)value->task->procs,
			 (long long)value->task->memory, (long long)value->task->disk,
			 (long long)value->task->swap);
		break;
	}
}

/* What is reported of a reservation x, one line per member: "depth 2". */
static void tell_all(const char *lines, char *text, size_t size)
{
	struct telling telling;
	const struct maui_sr *sr;
	size_t length = 0;

	telling_open(&telling, lines);
	sr = maui_sr_find(telling.reservations.settings, "x");
	cr_assert_not_null(sr);
	for (size_t i = 0; i < MAUI_SR_ATTRIBUTES; i++) {
		const struct maui_sr_attribute *row = maui_sr_attribute_at(i);
		const struct maui_object *object =
			maui_config_object(telling.config, MAUI_SRCFG, "x");
		struct maui_sr_value value;
		char shown[512];

		if (!maui_sr_attribute_is_told(row))
			continue;
		maui_sr_attribute_value(row, sr, object, telling.arena, &value);
		print_value(&value, shown, sizeof(shown));
		length +=
			(size_t)snprintf(text + length, size - length, "%s %s\n", row->json, shown);
		cr_assert_lt(length, size);
	}
	telling_close(&telling);
}

Test(sr_attributes, what_is_told_of_defaults)
{
	char text[2048];

	tell_all("SRCFG[x] TASKCOUNT=1\n", text, sizeof(text));
	cr_expect_str_eq(text, "period DAY\n"
			       "days [Sun][Mon][Tue][Wed][Thu][Fri][Sat]\n"
			       "depth 2\n"
			       "starttime 0\n"
			       "endtime 0\n"
			       "until 0\n"
			       "taskcount 1\n"
			       "tpn 0\n"
			       "resources -1 0 0 0\n"
			       "partition (none)\n"
			       "features \n"
			       "hostlist (none)\n"
			       "excludehostlist (none)\n"
			       "access DEDICATED\n"
			       "priority 0\n"
			       "flags \n"
			       "owner (none)\n"
			       "chargeaccount (none)\n"
			       "trigger (none)\n"
			       "acl \n");
}

Test(sr_attributes, what_is_told_of_everything)
{
	char text[2048];

	set_zone("UTC");
	tell_all(
		"SRCFG[x] TASKCOUNT=3 TPN=2 RESOURCES=PROCS:2;MEM:1GB;DISK:5 PRIORITY=-7\n"
		"SRCFG[x] PERIOD=WEEK DAYS=MON|FRI DEPTH=7 WSTARTTIME=1:00:00:00 ENDTIME=17:00:00\n"
		"SRCFG[x] ACCESS=SHARED FLAGS=SPACEFLEX,BYNAME NODEFEATURES=wide,fddi PARTITION=p\n"
		"SRCFG[x] OWNER=ACCT:jupiter CHARGEACCOUNT=saturn HOSTLIST=n[1-3],login\n"
		"SRCFG[x] GROUPLIST=staff TIMELIMIT=1:00:00* USERLIST=bob,ann- GROUPLIST=wheel\n"
		"SRCFG[x] TIMELOGIC=AND NAME=y IDLETIME=60\n"
		"SRCFG[x] UNTIL=2027-06-30_18:00:00 EXCLUDEHOSTLIST=n2,^log\n",
		text, sizeof(text));
	cr_expect_str_eq(text, "period WEEK\n"
			       "days [Mon][Fri]\n"
			       "depth 7\n"
			       "starttime 86400\n"
			       "endtime 61200\n"
			       "until 1814378400\n"
			       "taskcount 3\n"
			       "tpn 2\n"
			       "resources 2 1024 5 0\n"
			       "partition p\n"
			       "features [wide][fddi]\n"
			       "hostlist n[1-3],login\n"
			       "excludehostlist n2,^log\n"
			       "access SHARED\n"
			       "priority -7\n"
			       "flags [BYNAME][SPACEFLEX]\n"
			       "owner ACCT==jupiter\n"
			       "chargeaccount saturn\n"
			       "trigger (none)\n"
			       "acl [DURATION<=1:00:00+*][USER==bob+][USER==ann-]"
			       "[GROUP==staff+][GROUP==wheel+]\n");
}

Test(sr_attributes, all_partitions_and_infinity)
{
	char text[2048];

	tell_all("SRCFG[x] TASKCOUNT=99999999999 PARTITION=[ALL] PERIOD=INFINITY DEPTH=9\n"
		 "SRCFG[x] WSTARTTIME=60 STARTTIME=70 ENDTIME=80 CHARGEACCOUNT=\n",
		 text, sizeof(text));
	cr_expect(strstr(text, "period INFINITY\n") &&
			  strstr(text, "depth 1\nstarttime 0\nendtime 0\nuntil 0\n"
				       "taskcount 4294967295\n"),
		  "%s", text);
	cr_expect(strstr(text, "partition (none)\n") && strstr(text, "chargeaccount (none)\n"),
		  "%s", text);
}

/* Reports are bounded, and say how much of access lists is left out. */
Test(sr_attributes, long_lists_are_cut)
{
	static char lines[200000];
	int length = sprintf(lines, "SRCFG[x] TASKCOUNT=1 USERLIST=u0");
	struct maui_sr_value value;
	struct telling telling;
	const struct maui_object *object;
	const struct maui_sr *sr;

	for (int i = 1; i < 1003; i++)
		length += sprintf(lines + length, ",u%d", i);
	length += sprintf(lines + length, "\nSRCFG[x] NODEFEATURES=f0");
	for (int i = 1; i < 1003; i++)
		length += sprintf(lines + length, ",f%d", i);
	length += sprintf(lines + length, "\nSRCFG[x] HOSTLIST=node0000");
	for (int i = 1; i < 1000; i++)
		length += sprintf(lines + length, ",node%04d", i);
	sprintf(lines + length, "\n");
	telling_open(&telling, lines);
	sr = maui_sr_find(telling.reservations.settings, "x");
	object = maui_config_object(telling.config, MAUI_SRCFG, "x");
	maui_sr_attribute_value(maui_sr_attribute_of(MAUI_ATTR_USERLIST), sr, object, telling.arena,
				&value);
	cr_expect(value.strings.count == MAUI_SR_VALUE_ITEMS && value.omitted == 3);
	maui_sr_attribute_value(maui_sr_attribute_of(MAUI_ATTR_NODEFEATURES), sr, object,
				telling.arena, &value);
	cr_expect(value.strings.count == MAUI_SR_VALUE_ITEMS && !value.omitted);
	maui_sr_attribute_value(maui_sr_attribute_of(MAUI_ATTR_HOSTLIST), sr, object, telling.arena,
				&value);
	cr_expect_eq(strlen(value.string), MAUI_SR_VALUE_TEXT - 1);
	telling_close(&telling);
}

/* One made by setres has its own times, and no periods. */
Test(sr_attributes, what_is_told_of_an_administrative_one)
{
	static const char lines[] = "SRCFG[x] TASKCOUNT=1 PERIOD=WEEK DEPTH=9 WSTARTTIME=60 "
				    "UNTIL=2027-06-30\n";
	const struct maui_sr_once once = {.start = 1000, .end = 2000};
	static const struct {
		enum maui_key key;
		const char *told;
	} cases[] = {{MAUI_ATTR_PERIOD, "ONCE"},    {MAUI_ATTR_DEPTH, "1"},
		     {MAUI_ATTR_STARTTIME, "1000"}, {MAUI_ATTR_ENDTIME, "2000"},
		     {MAUI_ATTR_UNTIL, "0"},        {MAUI_ATTR_HOSTLIST, "(none)"}};
	const struct maui_limit_names names = {reservations_id, NULL};
	struct maui_sr_settings *settings;
	struct telling telling;
	const struct maui_sr *sr;

	telling_open(&telling, lines);
	cr_assert_eq(
		maui_sr_settings_compile_once(telling.config, &once, 1, &names, &settings, NULL),
		0);
	cr_assert_eq(maui_sr_list(settings, &sr), 1);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct maui_sr_value value;
		char shown[64];

		maui_sr_attribute_value(maui_sr_attribute_of(cases[i].key), sr, NULL, telling.arena,
					&value);
		print_value(&value, shown, sizeof(shown));
		cr_expect_str_eq(shown, cases[i].told);
	}
	cr_expect(!sr->week_start && !sr->week_end);
	maui_sr_settings_free(settings);
	telling_close(&telling);
}
