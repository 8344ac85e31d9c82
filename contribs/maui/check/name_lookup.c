/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looks up the first 100 users or groups one by one, then lists /etc/passwd or
 * /etc/group if nsswitch.conf has only files and systemd.
 */
#include "contribs/maui/check/name_lookup.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/intern.h"
#include "common/util/memory.h"
#include "common/util/name_error.h"
#include "contribs/maui/lib/command.h"
#include "contribs/maui/lib/name_service.h"

#define ASKED_ONE_BY_ONE 100

/* ---- users and groups, in the same words ---- */

static const char *next_user(FILE *file)
{
	const struct passwd *user = file ? fgetpwent(file) : getpwent();

	return user ? user->pw_name : NULL;
}

static const char *next_group(FILE *file)
{
	const struct group *group = file ? fgetgrent(file) : getgrent();

	return group ? group->gr_name : NULL;
}

/* A database of the name service; next: of the file, or without one of all its sources. */
struct database {
	const char *name, *file;
	enum name_answer (*ask)(const char *name, uint32_t *ret_id);
	void (*rewind)(void);
	const char *(*next)(FILE *file);
	void (*end)(void);
};

static const struct database users = {"passwd", "/etc/passwd", name_service_user,
				      setpwent, next_user,     endpwent};
static const struct database groups = {"group",  "/etc/group", name_service_group,
				       setgrent, next_group,   endgrent};

/* ---- listing ---- */

/*
 * Whether nsswitch.conf names no source for the database but files, and systemd, which lists what
 * it has. Others may know names that they do not list.
 */
static bool sources_list_all(const char *database)
{
	FILE *file = fopen("/etc/nsswitch.conf", "re");
	char line[512], *rest = NULL;
	bool files = false, others = false;

	while (file && fgets(line, sizeof(line), file)) {
		const char *word;

		line[strcspn(line, "#\n")] = '\0';
		word = strtok_r(line, ": \t", &rest);
		if (!word || strcmp(word, database) != 0)
			continue;
		while ((word = strtok_r(NULL, ": \t", &rest))) {
			files |= !strcmp(word, "files");
			others |= strcmp(word, "files") != 0 && strcmp(word, "systemd") != 0;
		}
	}
	if (file)
		fclose(file);
	return files && !others;
}

/* How many entries a listing has, which are added; -1: it broke off. */
static long name_lookup_list(const struct database *database, FILE *file, struct maui_intern *known)
{
	const char *name;
	long count = 0;

	for (errno = 0; (name = database->next(file)); errno = 0, count++)
		maui_intern_add(known, name);
	return maui_error_says_no(errno) ? count : -1;
}

/*
 * Whether the database's file is all that there is, so that who is not in it is unknown. Systemd's
 * own users may have more names than are listed: if there is any, the file is not all.
 */
static bool name_lookup_list_all(const struct database *database, struct maui_intern *known)
{
	FILE *file = sources_list_all(database->name) ? fopen(database->file, "re") : NULL;
	long in_file, in_all;

	if (!file)
		return false;
	in_file = name_lookup_list(database, file, known);
	fclose(file);
	database->rewind();
	in_all = name_lookup_list(database, NULL, known);
	database->end();
	return in_file >= 0 && in_file == in_all;
}

/* ---- names ---- */

struct names {
	struct maui_intern *known, *unknown;
	unsigned int asked, unanswered;
	bool all; /* who is not among the known is unknown */
};

struct known_names {
	struct names users, groups;
};

static void name_lookup_begin(struct names *names)
{
	names->known = maui_intern_new();
	names->unknown = maui_intern_new();
}

struct known_names *known_names_new(void)
{
	struct known_names *names = maui_calloc(1, sizeof(*names));

	name_lookup_begin(&names->users);
	name_lookup_begin(&names->groups);
	return names;
}

static void name_lookup_end(struct names *names)
{
	maui_intern_free(names->known);
	maui_intern_free(names->unknown);
}

void known_names_free(struct known_names *names)
{
	if (!names)
		return;
	name_lookup_end(&names->users);
	name_lookup_end(&names->groups);
	free(names);
}

/* systemd finds these without listing them. */
static bool is_synthesized(const char *name)
{
	return !strcmp(name, "root") || !strcmp(name, "nobody") || !strcmp(name, "nogroup");
}

/* Whether nobody has the name. */
static bool name_lookup_ask(struct names *names, const struct database *database, const char *name)
{
	enum name_answer answer = database->ask(name, NULL);

	names->unanswered += answer == NAME_NOT_ANSWERED;
	return answer == NAME_IS_NOT_THERE;
}

static bool is_unknown(struct names *names, const struct database *database, const char *name)
{
	bool unknown;

	if (maui_intern_find(names->known, name))
		return false;
	if (maui_intern_find(names->unknown, name) || (names->all && !is_synthesized(name)))
		return true;
	if (++names->asked == ASKED_ONE_BY_ONE)
		names->all = name_lookup_list_all(database, names->known);
	unknown = name_lookup_ask(names, database, name);
	maui_intern_add(unknown ? names->unknown : names->known, name);
	return unknown;
}

static void name_lookup_report(const struct names *names, struct findings *findings,
			       const char *what)
{
	if (names->unanswered)
		findings_note(findings,
			      "not checked: whether this machine has %u of the %s that the file "
			      "names (the name service does not answer)",
			      names->unanswered, what);
}

void known_names_tell(const struct known_names *names, struct findings *findings)
{
	name_lookup_report(&names->users, findings, "users");
	name_lookup_report(&names->groups, findings, "groups");
}

bool user_is_unknown(struct known_names *names, const char *name)
{
	return is_unknown(&names->users, &users, name);
}

bool group_is_unknown(struct known_names *names, const char *name)
{
	return is_unknown(&names->groups, &groups, name);
}
