/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A name service for tests: preloaded, it stands before that of the machine, for the engine's thread
 * alone, as slurmctld itself does not begin without one, or for the program in MAUI_TEST_NAMES_OF. The
 * file in MAUI_TEST_NAMES is read at each call: "hide NAME" is a user and a group that nobody has,
 * "error NUMBER" what each call fails with, "wait SECONDS" how long each call takes. Without the file
 * it lets all calls through.
 */
#include <dlfcn.h>
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

/* What the file says. */
struct wish {
	int error;
	unsigned int wait;
	char hidden[8][64];
	size_t count;
};

static bool is_asked(void)
{
	const char *program = getenv("MAUI_TEST_NAMES_OF");
	char name[16] = "";

	if (program)
		return !strcmp(program_invocation_short_name, program);
	return !strcmp(program_invocation_short_name, "slurmctld") &&
	       !prctl(PR_GET_NAME, name, NULL, NULL, NULL) && !strcmp(name, "maui");
}

static struct wish read_wish(void)
{
	const char *path = getenv("MAUI_TEST_NAMES");
	FILE *file = path && is_asked() ? fopen(path, "re") : NULL;
	struct wish wish = {0};
	char line[128];

	while (file && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		if (!strncmp(line, "error ", 6))
			wish.error = (int)strtol(line + 6, NULL, 10);
		else if (!strncmp(line, "wait ", 5))
			wish.wait = (unsigned int)strtoul(line + 5, NULL, 10);
		else if (!strncmp(line, "hide ", 5) && wish.count < 8)
			snprintf(wish.hidden[wish.count++], sizeof(wish.hidden[0]), "%.63s",
				 line + 5);
	}
	if (file)
		fclose(file);
	return wish;
}

/* Before the machine is asked: what the call returns instead, or 0. */
static int refuse(const struct wish *wish)
{
	if (wish->wait)
		sleep(wish->wait);
	return wish->error;
}

static bool is_hidden(const struct wish *wish, const char *name)
{
	for (size_t i = 0; i < wish->count; i++)
		if (!strcmp(wish->hidden[i], name))
			return true;
	return false;
}

#define STAND_IN(function, key, record, name)                                                      \
	__attribute__((visibility("default"))) int function(                                       \
		key, struct record *entry, char *buffer, size_t size, struct record **result)      \
	{                                                                                          \
		static int (*machine)(key, struct record *, char *, size_t, struct record **);     \
		struct wish wish = read_wish();                                                    \
		int rc = refuse(&wish);                                                            \
                                                                                                   \
		*result = NULL;                                                                    \
		if (rc)                                                                            \
			return rc;                                                                 \
		if (!machine)                                                                      \
			machine = (int (*)(key, struct record *, char *, size_t,                   \
					   struct record **))dlsym(RTLD_NEXT, #function);          \
		rc = machine(asked, entry, buffer, size, result);                                  \
		if (!rc && *result && is_hidden(&wish, (*result)->name))                           \
			*result = NULL;                                                            \
		return rc;                                                                         \
	}

STAND_IN(getpwnam_r, const char *asked, passwd, pw_name)
STAND_IN(getpwuid_r, uid_t asked, passwd, pw_name)
STAND_IN(getgrnam_r, const char *asked, group, gr_name)
STAND_IN(getgrgid_r, gid_t asked, group, gr_name)

/* The calls that commands make. */
#define STAND_IN_PLAIN(function, key, record, name)                                                \
	__attribute__((visibility("default"))) struct record *function(key)                        \
	{                                                                                          \
		static struct record *(*machine)(key);                                             \
		struct wish wish = read_wish();                                                    \
		int rc = refuse(&wish);                                                            \
		struct record *found;                                                              \
                                                                                                   \
		if (rc) {                                                                          \
			errno = rc;                                                                \
			return NULL;                                                               \
		}                                                                                  \
		if (!machine)                                                                      \
			machine = (struct record * (*)(key)) dlsym(RTLD_NEXT, #function);          \
		found = machine(asked);                                                            \
		return found && is_hidden(&wish, found->name) ? NULL : found;                      \
	}

STAND_IN_PLAIN(getpwnam, const char *asked, passwd, pw_name)
STAND_IN_PLAIN(getpwuid, uid_t asked, passwd, pw_name)
STAND_IN_PLAIN(getgrnam, const char *asked, group, gr_name)
STAND_IN_PLAIN(getgrgid, gid_t asked, group, gr_name)
