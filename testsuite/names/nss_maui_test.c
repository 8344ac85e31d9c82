/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A name service for tests: a module of glibc's NSS (nss(5)), preloaded. It makes itself the only
 * source of users and groups of its process, so that /etc/nsswitch.conf stays as it is. glibc finds the
 * module, which is loaded already, by its soname.
 *
 * MAUI_TEST_NAMES is a directory, read at each call:
 *   passwd, group  in the formats of passwd(5) and group(5); without one /etc has it
 *   says           lines, all of them optional:
 *     of PROGRAM THREAD  the other lines hold for threads of this program whose name begins so:
 *                    slurmctld itself does not begin without a name service
 *     wait           each lookup hangs until another file is `says`; meanwhile there is a file
 *                    hanging.THREAD
 *     notfound, unavail ERRNO, tryagain ERRNO   the answer to each lookup: NSS's status, and errno
 *   asked          if it is there, each lookup adds a line to it: getpwnam_r, ...
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <nss.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define VISIBLE __attribute__((visibility("default")))

__attribute__((constructor)) static void take_over(void)
{
	if (getenv("MAUI_TEST_NAMES") && (__nss_configure_lookup("passwd", "maui_test") ||
					  __nss_configure_lookup("group", "maui_test")))
		abort();
}

/* Of MAUI_TEST_NAMES; NULL if it is not there. */
static FILE *open_file(const char *name)
{
	const char *directory = getenv("MAUI_TEST_NAMES");
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", directory ? directory : "", name);
	return fopen(path, "re");
}

static FILE *open_database(const char *name, const char *system)
{
	FILE *file = open_file(name);

	return file ? file : fopen(system, "re");
}

/* The calling thread's name: NAME_SIZE bytes. */
#define NAME_SIZE 16

static bool is_asked(const char *program, const char *prefix)
{
	char name[NAME_SIZE] = "";

	return !strcmp(program_invocation_short_name, program) &&
	       !prctl(PR_GET_NAME, name, NULL, NULL, NULL) &&
	       !strncmp(name, prefix, strlen(prefix));
}

static void hang(FILE *says)
{
	const struct timespec pause = {.tv_nsec = 50000000};
	char name[NAME_SIZE] = "", here[4096], mark[4096];
	const char *directory = getenv("MAUI_TEST_NAMES");
	struct stat then, now;

	prctl(PR_GET_NAME, name, NULL, NULL, NULL);
	snprintf(mark, sizeof(mark), "%s/hanging.%s", directory, name);
	snprintf(here, sizeof(here), "%s/says", directory);
	close(open(mark, O_CREAT | O_WRONLY | O_CLOEXEC, 0644));
	if (!fstat(fileno(says), &then))
		while (!stat(here, &now) && now.st_ino == then.st_ino)
			nanosleep(&pause, NULL);
	unlink(mark);
}

/* Applies a line of `says`. Returns false where the rest is for other threads. */
static bool apply(const char *line, FILE *says, enum nss_status *ret_status, int *errnop)
{
	char word[16] = "", argument[16] = "", second[16] = "";

	sscanf(line, "%15s %15s %15s", word, argument, second); /* NOLINT(cert-err34-c): text */
	if (!strcmp(word, "of"))
		return is_asked(argument, second);
	if (!strcmp(word, "wait")) {
		hang(says);
		return true;
	}
	if (!strcmp(word, "notfound"))
		*ret_status = NSS_STATUS_NOTFOUND;
	else if (!strcmp(word, "unavail"))
		*ret_status = NSS_STATUS_UNAVAIL;
	else if (!strcmp(word, "tryagain"))
		*ret_status = NSS_STATUS_TRYAGAIN;
	else
		abort(); /* a mistake in a test */
	*errnop = (int)strtol(argument, NULL, 10);
	return true;
}

static void note_lookup(const char *function)
{
	const char *directory = getenv("MAUI_TEST_NAMES");
	int file, kept = errno; /* the answer's */
	char path[4096];

	snprintf(path, sizeof(path), "%s/asked", directory ? directory : "");
	file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	if (file >= 0) {
		dprintf(file, "%s\n", function);
		close(file);
	}
	errno = kept;
}

/* NSS_STATUS_SUCCESS: the databases have the answer. */
static enum nss_status begin(int *errnop)
{
	enum nss_status status = NSS_STATUS_SUCCESS;
	FILE *file = open_file("says");
	char line[128];

	while (file && fgets(line, sizeof(line), file) && apply(line, file, &status, errnop))
		;
	if (file)
		fclose(file);
	return status;
}

/* What fgetpwent_r() or fgetgrent_r() has returned, as NSS has it. */
static enum nss_status end(FILE *file, int rc, int *errnop)
{
	if (file)
		fclose(file);
	*errnop = file ? rc : ENOENT;
	if (!file)
		return NSS_STATUS_UNAVAIL;
	if (!rc)
		return NSS_STATUS_SUCCESS;
	return rc == ERANGE ? NSS_STATUS_TRYAGAIN : NSS_STATUS_NOTFOUND;
}

/* NOLINTBEGIN(bugprone-reserved-identifier): glibc's names. */
#define LOOKUP(function, key, record, get, database, is_it)                                        \
	VISIBLE enum nss_status _nss_maui_test_##function(key, struct record *entry, char *buffer, \
							  size_t size, int *errnop);               \
	enum nss_status _nss_maui_test_##function(key, struct record *entry, char *buffer,         \
						  size_t size, int *errnop)                        \
	{                                                                                          \
		enum nss_status status = begin(errnop);                                            \
		struct record *found;                                                              \
		FILE *file;                                                                        \
		int rc = ENOENT;                                                                   \
                                                                                                   \
		note_lookup(#function);                                                            \
		if (status != NSS_STATUS_SUCCESS)                                                  \
			return status;                                                             \
		file = open_database(database, "/etc/" database);                                  \
		while (file && !(rc = get(file, entry, buffer, size, &found)) && !(is_it))         \
			;                                                                          \
		return end(file, rc, errnop);                                                      \
	}

LOOKUP(getpwnam_r, const char *name, passwd, fgetpwent_r, "passwd", !strcmp(entry->pw_name, name))
LOOKUP(getpwuid_r, uid_t uid, passwd, fgetpwent_r, "passwd", entry->pw_uid == uid)
LOOKUP(getgrnam_r, const char *name, group, fgetgrent_r, "group", !strcmp(entry->gr_name, name))
LOOKUP(getgrgid_r, gid_t gid, group, fgetgrent_r, "group", entry->gr_gid == gid)

/* A listing is a thread's own: glibc lists groups without a lock to find those of a user. */
#define LISTING(set, next, stop, record, get, database)                                            \
	static _Thread_local FILE *database##_listing;                                             \
	VISIBLE enum nss_status _nss_maui_test_##set(int stay_open);                               \
	VISIBLE enum nss_status _nss_maui_test_##stop(void);                                       \
	VISIBLE enum nss_status _nss_maui_test_##next(struct record *entry, char *buffer,          \
						      size_t size, int *errnop);                   \
	enum nss_status _nss_maui_test_##stop(void)                                                \
	{                                                                                          \
		if (database##_listing)                                                            \
			fclose(database##_listing);                                                \
		database##_listing = NULL;                                                         \
		return NSS_STATUS_SUCCESS;                                                         \
	}                                                                                          \
	enum nss_status _nss_maui_test_##set(int stay_open)                                        \
	{                                                                                          \
		(void)stay_open;                                                                   \
		_nss_maui_test_##stop();                                                           \
		database##_listing = open_database(#database, "/etc/" #database);                  \
		return database##_listing ? NSS_STATUS_SUCCESS : NSS_STATUS_UNAVAIL;               \
	}                                                                                          \
	enum nss_status _nss_maui_test_##next(struct record *entry, char *buffer, size_t size,     \
					      int *errnop)                                         \
	{                                                                                          \
		enum nss_status status = begin(errnop);                                            \
		struct record *found;                                                              \
		int rc;                                                                            \
                                                                                                   \
		if (status != NSS_STATUS_SUCCESS)                                                  \
			return status;                                                             \
		if (!database##_listing)                                                           \
			_nss_maui_test_##set(0);                                                   \
		rc = database##_listing ? get(database##_listing, entry, buffer, size, &found)     \
					: ENOENT;                                                  \
		*errnop = rc;                                                                      \
		if (!rc)                                                                           \
			return NSS_STATUS_SUCCESS;                                                 \
		return rc == ERANGE ? NSS_STATUS_TRYAGAIN : NSS_STATUS_NOTFOUND;                   \
	}

LISTING(setpwent, getpwent_r, endpwent, passwd, fgetpwent_r, passwd)
LISTING(setgrent, getgrent_r, endgrent, group, fgetgrent_r, group)
/* NOLINTEND(bugprone-reserved-identifier) */
