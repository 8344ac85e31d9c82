/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs the command in a child's child. sacctmgr prints each association on
 * standard error, too, more than a pipe may hold: that goes into a file, of
 * which the last line is told if the command fails.
 */
#include "contribs/maui/slurm/slurm_program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "contribs/maui/slurm/slurm_child.h"

#define LIMIT (256u << 20) /* bytes of a text */

/* The child has a copy. */
static char *const *program_words;

/* In the child's child. */
__attribute__((noreturn)) static void program_exec(int output, int complaints)
{
	int nothing = open("/dev/null", O_RDONLY);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 &&
	    dup2(complaints, STDERR_FILENO) >= 0)
		execvp(program_words[0], program_words);
	dprintf(complaints, "cannot run %s: %s\n", program_words[0], strerror(errno));
	_exit(127);
}

static void program_tell_last(FILE *complaints)
{
	char line[1024], last[1024] = "";

	rewind(complaints);
	while (fgets(line, sizeof(line), complaints))
		if (line[strspn(line, " \t\n")])
			snprintf(last, sizeof(last), "%s", line + strspn(line, " \t"));
	fputs(last, stderr);
}

/* In the child. */
static bool program_run(FILE *facts)
{
	FILE *complaints = tmpfile();
	int status = 0;
	pid_t pid;

	if (!complaints) {
		fprintf(stderr, "cannot make a file: %s\n", strerror(errno));
		return false;
	}
	pid = fork();
	if (pid == 0)
		program_exec(fileno(facts), fileno(complaints));
	if (pid < 0) {
		fprintf(stderr, "cannot fork: %s\n", strerror(errno));
		return false;
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return true;
	program_tell_last(complaints);
	return false;
}

int slurm_program(char *const *words, int timeout, const char *what, char **ret_text,
		  size_t *ret_size, struct maui_error *error)
{
	program_words = words;
	return slurm_child(program_run, timeout, LIMIT, what, ret_text, ret_size, error);
}
