/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Starts the command by posix_spawnp(), and waits for its exit status by
 * waitpid().
 */
#include "contribs/maui/slurm/slurm_run.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "contribs/maui/lib/command.h"

int slurm_run(char *const *argv)
{
	int status = 0, rc;
	pid_t pid;

	fflush(NULL);
	rc = posix_spawnp(&pid, argv[0], NULL, NULL, argv, environ);
	if (rc)
		return fail(EXIT_UNREACHABLE, "cannot run %s: %s", argv[0], strerror(rc));
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) && !WEXITSTATUS(status) ? EXIT_OK : EXIT_REFUSED;
}
