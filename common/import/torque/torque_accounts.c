/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands of sacctmgr for the QOS, accounts and users that maui.cfg names. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/config/record.h"
#include "common/import/torque/torque_private.h"
#include "common/util/intern.h"
#include "common/util/text.h"

#define NO_ACCOUNT "users" /* of users to whom maui.cfg gives none */

struct accounts_search {
	const struct maui_torque_site *site;
	const struct maui_torque_policy *policy;
	struct maui_torque_result *result;
	struct maui_intern *accounts, *qos, *users;
};

/* ---- values of maui.cfg ---- */

/* The bytes of the main file at a place; "" if there are none. */
static const char *accounts_text_at(const struct maui_torque_policy *policy,
				    const struct maui_origin *place, size_t *ret_size)
{
	const char *at = policy->text, *end = at + policy->size;

	*ret_size = 0;
	if (strcmp(place->file, maui_config_path(policy->config)) != 0)
		return "";
	for (unsigned int line = 1; line < place->line; line++) {
		at = memchr(at, '\n', (size_t)(end - at));
		if (!at++)
			return "";
	}
	if ((size_t)(end - at) < place->column)
		return "";
	at += place->column - 1;
	while (at + *ret_size < end && !strchr(" \t\r\n#\\", at[*ret_size]))
		++*ret_size;
	return at;
}

/*
 * The words of NAME=a,b of an object, or of its first if only one is wanted, also of an attribute
 * that is Moab's: those that are names, joined by commas. "": none.
 */
static const char *accounts_words(const struct accounts_search *search, enum maui_section section,
				  const char *object, const char *name, bool first)
{
	const struct maui_record *records;
	size_t count = maui_config_records(search->policy->config, &records, NULL);
	const char *words = "";

	for (size_t i = 0; i < count; i++) {
		const char *text, *sign, *end;
		size_t size;

		if (records[i].section != section || strcmp(records[i].object, object) != 0 ||
		    strcasecmp(records[i].name, name) != 0)
			continue;
		text = accounts_text_at(search->policy, &records[i].origin, &size);
		sign = memchr(text, '=', size);
		end = text + size;
		for (const char *at = sign ? sign + 1 : end; at < end;) {
			size_t length = 0;

			while (at + length < end && !strchr(",:&^=+", at[length]))
				length++;
			if (length &&
			    maui_import_is_name(maui_import_text(&search->result->import, "%.*s",
								 (int)length, at)) &&
			    !(first && *words))
				words = maui_import_text(&search->result->import, "%s%s%.*s", words,
							 *words ? "," : "", (int)length, at);
			at += length + 1;
		}
	}
	return words;
}

/* ---- lines ---- */

static void accounts_line(const struct accounts_search *search, const char *what)
{
	maui_torque_line(search->result, MAUI_TORQUE_ACCOUNTS, "sacctmgr -i %s", what);
}

static void accounts_heading(const struct accounts_search *search, const char *text)
{
	maui_torque_line(search->result, MAUI_TORQUE_ACCOUNTS, "# %s", text);
}

/* A name that a line may have, and that has none yet. */
static bool accounts_take(struct maui_intern *names, const char *name)
{
	if (maui_intern_find(names, name) || !maui_import_is_name(name) ||
	    !strcasecmp(name, "DEFAULT") || !strcasecmp(name, "ALL"))
		return false;
	maui_intern_add(names, name);
	return true;
}

/* Each name once, with its line. */
static void accounts_add(const struct accounts_search *search, struct maui_intern *names,
			 const char *kind, const char *name)
{
	if (accounts_take(names, name))
		accounts_line(search, maui_import_text(&search->result->import, "add %s name=%s",
						       kind, name));
}

static void accounts_objects(const struct accounts_search *search, enum maui_section section,
			     struct maui_intern *names, const char *kind)
{
	const struct maui_object *const *objects;
	size_t count = search->policy->config
			       ? maui_config_objects(search->policy->config, section, &objects)
			       : 0;

	for (size_t i = 0; i < count; i++)
		accounts_add(search, names, kind, maui_object_name(objects[i]));
}

static void accounts_user(const struct accounts_search *search, const char *name)
{
	struct maui_import *import = &search->result->import;
	const char *account = "", *allowed = "", *first = "";

	if (!accounts_take(search->users, name))
		return;
	if (search->policy->config) {
		account = accounts_words(search, MAUI_USERCFG, name, "ADEF", true);
		if (!*account)
			account = accounts_words(search, MAUI_USERCFG, name, "ALIST", true);
		allowed = accounts_words(search, MAUI_USERCFG, name, "QLIST", false);
		first = accounts_words(search, MAUI_USERCFG, name, "QDEF", true);
	}
	if (!*account)
		account = NO_ACCOUNT;
	accounts_add(search, search->accounts, "account", account);
	accounts_line(search,
		      maui_import_text(import, "add user name=%s account=%s", name, account));
	if (*allowed)
		accounts_line(search,
			      maui_import_text(import, "modify user where name=%s set qos+=%s",
					       name, allowed));
	if (*first)
		accounts_line(search,
			      maui_import_text(
				      import, "modify user where name=%s set qos+=%s defaultqos=%s",
				      name, first, first));
}

/* alice@head.example.org,root@*: the names */
static void accounts_managers(const struct accounts_search *search, const char *attribute,
			      const char *level)
{
	const struct maui_torque_attribute *list =
		maui_torque_get(&search->site->server, attribute);

	for (const char *at = list ? list->value : ""; *at;) {
		size_t size = strcspn(at, ","), length = strcspn(at, ",@");
		const char *name =
			maui_import_text(&search->result->import, "%.*s", (int)length, at);

		at += size + (at[size] == ',');
		if (!maui_import_is_name(name) || !strcmp(name, "root"))
			continue;
		accounts_user(search, name);
		accounts_line(search,
			      maui_import_text(&search->result->import,
					       "modify user where name=%s set adminlevel=%s", name,
					       level));
	}
}

static void accounts_users(const struct accounts_search *search)
{
	const struct maui_object *const *objects;
	size_t count = search->policy->config
			       ? maui_config_objects(search->policy->config, MAUI_USERCFG, &objects)
			       : 0;

	for (size_t i = 0; i < count; i++)
		accounts_user(search, maui_object_name(objects[i]));
	accounts_managers(search, "operators", "Operator");
	accounts_managers(search, "managers", "Admin");
	if (maui_intern_find(search->accounts, NO_ACCOUNT))
		maui_import_remark(&search->result->import, MAUI_IMPORT_OTHER, "accounts of users",
				   "users without ADEF or ALIST are in the account " NO_ACCOUNT
				   " of the script: give them yours");
}

void maui_torque_accounts(const struct maui_torque_site *site,
			  const struct maui_torque_policy *policy,
			  struct maui_torque_result *result)
{
	const struct accounts_search search = {.site = site,
					       .policy = policy,
					       .result = result,
					       .accounts = maui_intern_new(),
					       .qos = maui_intern_new(),
					       .users = maui_intern_new()};

	accounts_heading(&search, "QOS of QOSCFG; their priorities and limits stay in maui.cfg.");
	accounts_objects(&search, MAUI_QOSCFG, search.qos, "qos");
	accounts_heading(&search, "Accounts of ACCOUNTCFG.");
	accounts_objects(&search, MAUI_ACCOUNTCFG, search.accounts, "account");
	accounts_heading(&search,
			 "Users of USERCFG, operators and managers. Slurm needs all others "
			 "who submit, too,");
	accounts_heading(&search, "with AccountingStorageEnforce=associations.");
	accounts_users(&search);
	maui_intern_free(search.accounts);
	maui_intern_free(search.qos);
	maui_intern_free(search.users);
}
