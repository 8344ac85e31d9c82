/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collects the users and groups of FS files, looks up the first 10000 of each,
 * and warns of names and numbers without an entry.
 */
#include "contribs/maui/fs/fs_unknown.h"

#include <inttypes.h>
#include <stdlib.h>

#include "contribs/maui/fs/fs_names.h"

/* A file of a million names must not keep a name service busy for minutes. */
#define MOST_ASKED 10000u

void fs_unknown_begin(struct fs_unknown *ret_unknown)
{
	ret_unknown->users = maui_intern_new();
	ret_unknown->groups = maui_intern_new();
}

void fs_unknown_clear(struct fs_unknown *unknown)
{
	maui_intern_free(unknown->users);
	maui_intern_free(unknown->groups);
}

static void add_names(struct maui_intern *all, const struct maui_intern *some)
{
	for (uint32_t id = 1; id <= maui_intern_count(some); id++)
		maui_intern_add(all, maui_intern_name(some, id));
}

void fs_unknown_add(struct fs_unknown *unknown, const struct fs_usage *usage)
{
	add_names(unknown->users, usage->names[MAUI_USER]);
	add_names(unknown->groups, usage->names[MAUI_GROUP]);
}

/* Digits are a number; one that nobody has may be the name of an earlier version's or of Maui. */
static enum name_answer fs_unknown_ask(enum maui_credential type, const char *text)
{
	char buffer[MAUI_PRINCIPAL_TEXT_SIZE];
	enum name_answer answer = NAME_IS_NOT_THERE;
	bool is_number, user = type == MAUI_USER;
	const char *name = fs_name_of(type, text, buffer, &is_number);
	uint32_t number;

	if (is_number && maui_principal_number(name, &number))
		answer = user ? name_service_uid(number) : name_service_gid(number);
	if (answer != NAME_IS_NOT_THERE)
		return answer;
	return user ? name_service_user(name, NULL) : name_service_group(name, NULL);
}

static void warn_of(const struct maui_intern *names, enum maui_credential type,
		    struct fs_problems *problems, const char *directory, bool listed)
{
	const char *what = maui_credential_name(type);
	uint32_t count = maui_intern_count(names), unknown = 0, unanswered = 0;
	uint32_t asked = count < MOST_ASKED ? count : MOST_ASKED;

	for (uint32_t id = 1; id <= asked; id++) {
		const char *name = maui_intern_name(names, id);
		enum name_answer answer = fs_unknown_ask(type, name);

		unanswered += answer == NAME_NOT_ANSWERED;
		if (answer != NAME_IS_NOT_THERE)
			continue;
		unknown++;
		if (listed)
			fs_warning(problems, directory, -1, "there is no %s %s on this machine",
				   what, name);
	}
	if (unknown && !listed)
		fs_warning(problems, directory, -1,
			   "this machine does not know %" PRIu32 " of %" PRIu32
			   " %ss (-v lists them)",
			   unknown, asked, what);
	if (unanswered)
		fs_warning(problems, directory, -1,
			   "the name service does not answer for %" PRIu32 " of %" PRIu32
			   " %ss: they may be known",
			   unanswered, asked, what);
	if (asked < count)
		fs_warning(problems, directory, -1,
			   "only the first %" PRIu32 " of %" PRIu32 " %ss were looked up", asked,
			   count, what);
}

void fs_unknown_warn(const struct fs_unknown *unknown, struct fs_problems *problems,
		     const char *directory, bool listed)
{
	warn_of(unknown->users, MAUI_USER, problems, directory, listed);
	warn_of(unknown->groups, MAUI_GROUP, problems, directory, listed);
}
