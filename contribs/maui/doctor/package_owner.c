/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs `dpkg-query --search` and, without a result, `rpm -qf`, each for at most
 * 15 seconds, and takes the package's name from the output.
 */
#include "contribs/maui/doctor/package_owner.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "contribs/maui/lib/deadline.h"

#define TIMEOUT 15   /* seconds: a database is read from a cold disk */
#define ANSWER  8192 /* bytes: a line or two */

/* ---- a command, its output, and a bound ---------------------------------------------------- */

/* False: there is no such command. */
static bool package_owner_spawn(const char *const *argv, int output, pid_t *ret_pid)
{
	static char locale[] = "LC_ALL=C", path[] = "PATH=/usr/sbin:/usr/bin:/sbin:/bin";
	char *const environment[] = {locale, path, NULL};
	posix_spawn_file_actions_t files;
	bool done;

	if (posix_spawn_file_actions_init(&files))
		return false;
	done = !posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0) &&
	       !posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO) &&
	       !posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0) &&
	       !posix_spawnp(ret_pid, argv[0], &files, NULL, (char *const *)argv, environment);
	posix_spawn_file_actions_destroy(&files);
	return done;
}

/* Up to the end of the output: true; false after the deadline. */
static bool read_answer(int fd, char answer[ANSWER])
{
	const struct deadline deadline = deadline_in(TIMEOUT);
	struct pollfd wait = {.fd = fd, .events = POLLIN};
	size_t used = 0;
	ssize_t got = 1;

	while (got > 0 && used < ANSWER - 1) {
		if (poll(&wait, 1, deadline_left(&deadline)) <= 0)
			return false;
		got = read(fd, answer + used, ANSWER - 1 - used);
		used += got > 0 ? (size_t)got : 0;
	}
	answer[used] = '\0';
	return true;
}

enum outcome { NO_COMMAND, NO_ANSWER, NO_OWNER, ANSWERED };

static enum outcome package_owner_ask(const char *const *argv, char answer[ANSWER])
{
	int ends[2], status = 0;
	bool in_time;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return NO_ANSWER;
	if (!package_owner_spawn(argv, ends[1], &pid)) {
		close(ends[0]);
		close(ends[1]);
		return NO_COMMAND;
	}
	close(ends[1]);
	in_time = read_answer(ends[0], answer);
	close(ends[0]);
	if (!in_time)
		kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!in_time || !WIFEXITED(status) || WEXITSTATUS(status) > 1)
		return NO_ANSWER;
	return WEXITSTATUS(status) ? NO_OWNER : ANSWERED;
}

/* ---- what the databases say ---------------------------------------------------------------- */

static bool take_name(const char *name, size_t size, char ret_name[PACKAGE_NAME_SIZE])
{
	if (!size || size >= PACKAGE_NAME_SIZE)
		return false;
	snprintf(ret_name, PACKAGE_NAME_SIZE, "%.*s", (int)size, name);
	return true;
}

/* "NAME: PATH", "NAME:amd64: PATH", "NAME, OTHER: PATH". */
static bool dpkg_name(const char *answer, char ret_name[PACKAGE_NAME_SIZE])
{
	for (const char *line = answer; *line; line += strcspn(line, "\n"), line += *line == '\n')
		if (strncmp(line, "diversion by ", strlen("diversion by ")) != 0)
			return take_name(line, strcspn(line, ":,\n"), ret_name);
	return false;
}

static bool rpm_name(const char *answer, char ret_name[PACKAGE_NAME_SIZE])
{
	return take_name(answer, strcspn(answer, "\n"), ret_name);
}

enum package_answer package_owner(const char *path, char ret_name[PACKAGE_NAME_SIZE])
{
	const char *const dpkg[] = {"dpkg-query", "--search", path, NULL};
	const char *const rpm[] = {"rpm", "-qf", "--queryformat", "%{NAME}\\n", path, NULL};
	const struct {
		const char *const *argv;
		bool (*name)(const char *answer, char ret_name[PACKAGE_NAME_SIZE]);
		enum package_answer kind;
	} databases[] = {{dpkg, dpkg_name, PACKAGE_DEBIAN}, {rpm, rpm_name, PACKAGE_RPM}};
	enum package_answer result = PACKAGE_NONE;
	char answer[ANSWER];

	*ret_name = '\0';
	for (size_t i = 0; i < sizeof(databases) / sizeof(*databases); i++) {
		enum outcome outcome = package_owner_ask(databases[i].argv, answer);

		if (outcome == ANSWERED && databases[i].name(answer, ret_name))
			return databases[i].kind;
		if (outcome == ANSWERED || outcome == NO_ANSWER) {
			snprintf(ret_name, PACKAGE_NAME_SIZE, "%s", databases[i].argv[0]);
			result = PACKAGE_SILENT;
		}
	}
	return result;
}
