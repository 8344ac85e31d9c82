/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the file of `sacctmgr dump`: lines for QOS, a line for the cluster, for each account and each user, below
 * their parent, with KEY=VALUE between colons. What an association does not say is its parent's.
 *
 *   Cluster - 'c1':Fairshare=1
 *   Parent - 'root'
 *   Account - 'phys':Description='physics':Priority=5
 *   Parent - 'phys'
 *   User - 'bob':DefaultAccount='phys':GrpTRES=cpu=8,gres/gpu:a100=2
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/import/import_accounting.h"
#include "common/replay/slurm_conf/slurm_conf_values.h"
#include "common/util/grow.h"
#include "common/util/intern.h"
#include "common/util/text.h"

#define ROOT "root"

struct dump_reading {
	struct maui_import_accounting *accounting;
	struct maui_import_lines lines;
	struct maui_intern *accounts; /* that have been there */
	uint32_t *priorities;         /* by their number */
	size_t priority_room;
	uint32_t parent; /* of the next lines; 0: there was no cluster */
};

/* ---- the pieces of a line ---- */

/* Of one KEY=VALUE; both end with NUL. */
struct dump_item {
	const char *key, *value;
};

/* The end of a value: a colon, but not one within quotes, nor in the type of a GRES: gpu:a100=2. */
static char *dump_value_end(char *value)
{
	bool tres = strchr(value, ',') || !strncasecmp(value, "gres/", 5);
	char *at = value;

	if (*value == '\'' && strchr(value + 1, '\''))
		return strchr(value + 1, '\'') + 1;
	for (;; at++) {
		at += strcspn(at, ":");
		if (!*at || !tres || (at[1] >= 'A' && at[1] <= 'Z'))
			return at;
	}
}

/* The next item of a line at *at, which moves behind it. False: there is none, or it is wrong. */
static bool dump_next(struct dump_reading *reading, char **at, struct dump_item *ret_item)
{
	char *key = *at, *sign, *value, *end;

	while (*key == ':')
		key++;
	if (!*key)
		return false;
	for (sign = key; maui_is_name(*sign);)
		sign++;
	if (*sign != '=' || sign == key) {
		maui_import_complain(&reading->lines, key, "this is not KEY=VALUE");
		return false;
	}
	value = sign + 1;
	end = dump_value_end(value);
	if (*end && *end != ':') {
		maui_import_complain(&reading->lines, end, "a colon is needed here");
		return false;
	}
	*at = *end ? end + 1 : end;
	*sign = *end = '\0';
	if (*value == '\'' && end - value > 1 && end[-1] == '\'') {
		end[-1] = '\0';
		value++;
	}
	*ret_item = (struct dump_item){key, value};
	return true;
}

/* ---- associations ---- */

static void dump_priority(struct dump_reading *reading, uint32_t account, uint32_t priority)
{
	reading->priorities = maui_grow_zeroed(reading->priorities, account + 1,
					       &reading->priority_room, sizeof(uint32_t));
	reading->priorities[account] = priority;
}

/* sacctmgr writes Fairshare=parent as a number. */
static void dump_take_shares(struct dump_reading *reading, const struct dump_item *item,
			     struct maui_import_assoc *assoc)
{
	int64_t number = MAUI_IMPORT_PARENT_SHARES;

	if (strcasecmp(item->value, "parent") != 0 &&
	    !maui_conf_parse_number(item->value, MAUI_CONF_32, &number))
		maui_import_complain(&reading->lines, item->value,
				     "shares are a whole number, or parent");
	assoc->shares = (uint32_t)number;
	reading->accounting->shares++;
}

static bool dump_is_no_limit(const char *key)
{
	static const char *const others[] = {"Description", "Organization", "DefaultWCKey",
					     "AdminLevel",  "Coordinator",  "WCKeys",
					     "Partition",   "Priority",     "Classification"};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (!strcasecmp(key, others[i]))
			return true;
	return false;
}

static void dump_take_item(struct dump_reading *reading, const struct dump_item *item,
			   const struct maui_import_holder *of, struct maui_import_assoc *assoc)
{
	int64_t number;

	if (!strcasecmp(item->key, "Partition"))
		assoc->partition = item->value;
	else if (!strcasecmp(item->key, "DefaultAccount"))
		assoc->by_default = !strcasecmp(item->value, assoc->account);
	else if (!strcasecmp(item->key, "Fairshare"))
		dump_take_shares(reading, item, assoc);
	else if (!strcasecmp(item->key, "Priority")) {
		if (maui_conf_parse_number(item->value, MAUI_CONF_32, &number))
			assoc->priority = (uint32_t)number;
		else
			maui_import_complain(&reading->lines, item->value,
					     "a priority is a whole number");
	} else if (!dump_is_no_limit(item->key))
		maui_import_add_limit(reading->accounting, item->key, item->value, of);
}

static void dump_take_assoc(struct dump_reading *reading, char *rest,
			    struct maui_import_assoc *assoc)
{
	struct maui_import_accounting *accounting = reading->accounting;
	const struct maui_import_holder of = {assoc->user ? MAUI_IMPORT_OF_USER
							  : MAUI_IMPORT_OF_ACCOUNT,
					      assoc->account, assoc->user, accounting->assoc_count};
	struct dump_item item;

	if (!maui_import_is_name(assoc->user ? assoc->user : assoc->account))
		maui_import_complain(&reading->lines, assoc->user ? assoc->user : assoc->account,
				     "maui.cfg cannot have this name");
	while (!reading->lines.wrong && dump_next(reading, &rest, &item))
		dump_take_item(reading, &item, &of, assoc);
	accounting->assocs = maui_grow(accounting->assocs, accounting->assoc_count + 1,
				       &accounting->assoc_room, sizeof(*accounting->assocs));
	accounting->assocs[accounting->assoc_count++] = *assoc;
}

/* ---- lines ---- */

static const char *dump_parent(struct dump_reading *reading)
{
	const char *name = maui_intern_name(reading->accounts, reading->parent);

	return maui_arena_text(reading->accounting->arena, name, strlen(name));
}

static void dump_take_account(struct dump_reading *reading, const char *name, char *rest)
{
	struct maui_import_assoc assoc = {.account = name, .shares = 1};

	if (maui_intern_find(reading->accounts, name)) {
		maui_import_complain(&reading->lines, name, "this account stands here twice");
		return;
	}
	if (reading->parent) {
		assoc.priority = reading->priorities[reading->parent];
		assoc.parent = dump_parent(reading);
	}
	dump_take_assoc(reading, rest, &assoc);
	dump_priority(reading, maui_intern_add(reading->accounts, name), assoc.priority);
}

static void dump_take_cluster(struct dump_reading *reading, const char *name, char *rest)
{
	if (reading->parent) {
		maui_import_complain(&reading->lines, name, "a second cluster");
		return;
	}
	reading->accounting->cluster = name;
	dump_take_account(reading, ROOT, rest);
	reading->parent = maui_intern_find(reading->accounts, ROOT);
}

static void dump_take_parent(struct dump_reading *reading, const char *name, char *rest)
{
	reading->parent = maui_intern_find(reading->accounts, name);
	if (!reading->parent)
		maui_import_complain(&reading->lines, name,
				     "there is no such account before this line");
	(void)rest;
}

static void dump_take_user(struct dump_reading *reading, const char *name, char *rest)
{
	struct maui_import_assoc assoc = {.account = dump_parent(reading),
					  .user = name,
					  .shares = 1,
					  .priority = reading->priorities[reading->parent]};

	assoc.parent = assoc.account;
	dump_take_assoc(reading, rest, &assoc);
}

/* Slurm 25.05 and later write them, too; `sacctmgr show qos` has more of each. */
static void dump_pass_qos(struct dump_reading *reading, const char *name, char *rest)
{
	(void)reading;
	(void)name;
	(void)rest;
}

static const struct dump_kind {
	const char *begin;
	void (*take)(struct dump_reading *reading, const char *name, char *rest);
	bool before; /* may stand before the cluster's line */
} dump_kinds[] = {
	{"Cluster - '", dump_take_cluster, true},  {"Parent - '", dump_take_parent, false},
	{"Account - '", dump_take_account, false}, {"User - '", dump_take_user, false},
	{"QOS - '", dump_pass_qos, true},
};

static void dump_take_line(void *context, char *line)
{
	struct dump_reading *reading = context;

	line[strcspn(line, "\r")] = '\0';
	if (!*line || *line == '#')
		return;
	for (size_t i = 0; i < sizeof(dump_kinds) / sizeof(dump_kinds[0]); i++) {
		const struct dump_kind *kind = &dump_kinds[i];
		char *name = line + strlen(kind->begin), *quote;

		if (strncasecmp(line, kind->begin, strlen(kind->begin)) != 0)
			continue;
		quote = strchr(name, '\'');
		if (!quote)
			maui_import_complain(&reading->lines, name, "this quote does not end");
		else if (!reading->parent && !kind->before)
			maui_import_complain(&reading->lines, line,
					     "a line with the cluster comes first");
		else {
			*quote = '\0';
			kind->take(reading, name, quote + 1);
		}
		return;
	}
	maui_import_complain(&reading->lines, line,
			     "a line begins with QOS, Cluster, Parent, Account or User, and a "
			     "name in quotes");
}

int maui_import_read_dump(struct maui_import_accounting *accounting, const char *path,
			  const char *text, size_t size,
			  const struct maui_import_complaints *complaints)
{
	struct dump_reading reading = {.accounting = accounting,
				       .lines = {.complaints = complaints, .path = path},
				       .accounts = maui_intern_new()};

	maui_import_each_line(&reading.lines, accounting->arena, text, size, dump_take_line,
			      &reading);
	if (!reading.parent && !reading.lines.wrong)
		maui_import_complain_of_all(&reading.lines, "there is no cluster");
	maui_intern_free(reading.accounts);
	free(reading.priorities);
	return reading.lines.wrong ? -EINVAL : 0;
}
