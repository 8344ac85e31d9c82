/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A QOS has one priority in both. An association is of a user in an account, and Maui adds what the
 * two have: an account gets its own association's priority, a user what his is more, which is exact
 * if it is the same in all his accounts and partitions.
 */
#include "common/import/import_credentials.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/import/import_number.h"
#include "common/util/intern.h"
#include "common/util/memory.h"

uint32_t maui_import_greatest_qos(const struct maui_import_priority *priority)
{
	uint32_t most = 0;

	for (size_t i = 0; i < priority->qos_count; i++)
		if (priority->qos[i].priority > most)
			most = priority->qos[i].priority;
	return most;
}

uint32_t maui_import_greatest_assoc(const struct maui_import_priority *priority)
{
	uint32_t most = 0;

	for (size_t i = 0; i < priority->assoc_count; i++)
		if (priority->assocs[i].priority > most)
			most = priority->assocs[i].priority;
	return most;
}

static void credential_line(struct maui_import *import, const char *section, const char *name,
			    int64_t priority, const char *why)
{
	if (priority)
		maui_import_line(import, maui_import_text(import, "%s[%s]", section, name),
				 maui_import_text(import, "PRIORITY=%" PRId64, priority), "%s",
				 why);
}

static void credential_weight(struct maui_import *import, const char *key, uint32_t weight,
			      uint32_t most, bool no_normal, const char *name, const char *flag)
{
	const char *why =
		no_normal ? maui_import_text(import, "%s=%" PRIu32 " with %s", name, weight, flag)
			  : maui_import_text(import,
					     "%s=%" PRIu32 " over the greatest priority, %" PRIu32,
					     name, weight, most);

	maui_import_weight_line(import, key, no_normal ? weight : weight / (long double)most, most,
				why);
}

void maui_import_translate_qos(const struct maui_import_priority *priority,
			       struct maui_import *import)
{
	uint32_t weight = priority->weight[MAUI_IMPORT_QOS];
	uint32_t most = maui_import_greatest_qos(priority);

	if (!weight || !most)
		return;
	credential_weight(import, "QOSWEIGHT", weight, most, priority->no_normal_qos,
			  "PriorityWeightQOS", "NO_NORMAL_QOS");
	for (size_t i = 0; i < priority->qos_count; i++)
		credential_line(import, "QOSCFG", priority->qos[i].name, priority->qos[i].priority,
				"Priority of the QOS");
}

/* ---- associations ---- */

/* What the associations of one user have more than those of their accounts. */
struct credential_user {
	int64_t more;
	bool seen, differs;
};

struct credential_sum {
	const struct maui_import_priority *priority;
	struct maui_import *import;
	struct maui_intern *accounts, *users;
	int64_t *account;             /* by number: the priority */
	struct credential_user *user; /* by number */
	bool any_account, any_user;
};

static void credential_take_accounts(struct credential_sum *sum)
{
	for (size_t i = 0; i < sum->priority->assoc_count; i++) {
		const struct maui_import_assoc *assoc = &sum->priority->assocs[i];

		if (assoc->user)
			continue;
		sum->account[maui_intern_add(sum->accounts, assoc->account)] = assoc->priority;
		sum->any_account |= assoc->priority > 0;
	}
}

static void credential_take_users(struct credential_sum *sum)
{
	for (size_t i = 0; i < sum->priority->assoc_count; i++) {
		const struct maui_import_assoc *assoc = &sum->priority->assocs[i];
		struct credential_user *user;
		int64_t more;

		if (!assoc->user)
			continue;
		user = &sum->user[maui_intern_add(sum->users, assoc->user)];
		more = assoc->priority -
		       sum->account[maui_intern_find(sum->accounts, assoc->account)];
		user->differs |= user->seen && user->more != more;
		user->more = user->seen ? user->more : more;
		user->seen = true;
		sum->any_user |= user->more != 0;
	}
}

/* A user of several accounts, where no one number says it. */
static void credential_tell(const struct credential_sum *sum)
{
	for (size_t i = 0; i < sum->priority->assoc_count; i++) {
		const struct maui_import_assoc *assoc = &sum->priority->assocs[i];
		const struct credential_user *user =
			assoc->user ? &sum->user[maui_intern_find(sum->users, assoc->user)] : NULL;
		int64_t account = sum->account[maui_intern_find(sum->accounts, assoc->account)];

		if (user && user->differs && account + user->more != assoc->priority)
			maui_import_remark(
				sum->import, MAUI_IMPORT_OTHER,
				maui_import_text(sum->import,
						 "Priority of user %s in account %s%s%s",
						 assoc->user, assoc->account,
						 assoc->partition ? ", partition " : "",
						 assoc->partition ? assoc->partition : ""),
				"it is %" PRIu32 " in Slurm and %" PRId64
				" here: the user's accounts "
				"differ, and Maui adds one number for the user and one for the "
				"account",
				assoc->priority, account + user->more);
	}
}

static void credential_lines(const struct credential_sum *sum)
{
	uint32_t weight = sum->priority->weight[MAUI_IMPORT_ASSOC];
	uint32_t most = maui_import_greatest_assoc(sum->priority);
	bool no_normal = sum->priority->no_normal_assoc;

	if (sum->any_account)
		credential_weight(sum->import, "ACCOUNTWEIGHT", weight, most, no_normal,
				  "PriorityWeightAssoc", "NO_NORMAL_ASSOC");
	for (uint32_t i = 1; i <= maui_intern_count(sum->accounts); i++)
		credential_line(sum->import, "ACCOUNTCFG", maui_intern_name(sum->accounts, i),
				sum->account[i], "Priority of the account's association");
	if (sum->any_user)
		credential_weight(sum->import, "USERWEIGHT", weight, most, no_normal,
				  "PriorityWeightAssoc", "NO_NORMAL_ASSOC");
	for (uint32_t i = 1; i <= maui_intern_count(sum->users); i++)
		credential_line(sum->import, "USERCFG", maui_intern_name(sum->users, i),
				sum->user[i].more,
				"Priority of the user's association, less the account's");
}

void maui_import_translate_assocs(const struct maui_import_priority *priority,
				  struct maui_import *import)
{
	struct credential_sum sum = {.priority = priority, .import = import};

	if (!priority->weight[MAUI_IMPORT_ASSOC] || !maui_import_greatest_assoc(priority))
		return;
	sum.accounts = maui_intern_new();
	sum.users = maui_intern_new();
	sum.account = maui_calloc(priority->assoc_count + 1, sizeof(*sum.account));
	sum.user = maui_calloc(priority->assoc_count + 1, sizeof(*sum.user));
	credential_take_accounts(&sum);
	credential_take_users(&sum);
	credential_lines(&sum);
	credential_tell(&sum);
	free(sum.account);
	free(sum.user);
	maui_intern_free(sum.accounts);
	maui_intern_free(sum.users);
}
