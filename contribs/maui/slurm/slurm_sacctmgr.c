/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs sacctmgr, which translates the numbers of TRES and QOS that slurmdbd sends, and decides who
 * may see them. It prints each association on standard error, too, more than a pipe may hold: that
 * goes into a file, of which the last line is told if sacctmgr fails.
 */
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
#include "contribs/maui/slurm/slurm_policy.h"

#define LIMIT (256u << 20) /* bytes of a text */

/* What slurm.conf(5) and sacctmgr(1) of 22.05 have; each later release has all of them. */
#define QOS_COLUMNS                                                                                \
	"format=Name,Priority,GraceTime,Preempt,PreemptExemptTime,PreemptMode,Flags,"              \
	"UsageThreshold,UsageFactor,LimitFactor,GrpTRES,GrpTRESMins,GrpTRESRunMins,GrpJobs,"       \
	"GrpJobsAccrue,GrpSubmit,GrpWall,MaxTRES,MaxTRESPerNode,MaxTRESMins,MaxWall,"              \
	"MaxTRESPU,MaxTRESRunMinsPU,MaxJobsPU,MaxJobsAccruePU,MaxSubmitPU,MaxTRESPA,"              \
	"MaxTRESRunMinsPA,MaxJobsPA,MaxJobsAccruePA,MaxSubmitPA,MinPrioThreshold,MinTRES"

/* The child has a copy. */
static char *const *sacctmgr_words;

/* In the child's child. */
__attribute__((noreturn)) static void sacctmgr_exec(int output, int complaints)
{
	int nothing = open("/dev/null", O_RDONLY);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 &&
	    dup2(complaints, STDERR_FILENO) >= 0)
		execvp(sacctmgr_words[0], sacctmgr_words);
	dprintf(complaints, "cannot run %s: %s\n", sacctmgr_words[0], strerror(errno));
	_exit(127);
}

static void sacctmgr_tell_last(FILE *complaints)
{
	char line[1024], last[1024] = "";

	rewind(complaints);
	while (fgets(line, sizeof(line), complaints))
		if (line[strspn(line, " \t\n")])
			snprintf(last, sizeof(last), "%s", line + strspn(line, " \t"));
	fputs(last, stderr);
}

/* In the child. */
static bool sacctmgr_run(FILE *facts)
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
		sacctmgr_exec(fileno(facts), fileno(complaints));
	if (pid < 0) {
		fprintf(stderr, "cannot fork: %s\n", strerror(errno));
		return false;
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return true;
	sacctmgr_tell_last(complaints);
	return false;
}

int slurm_policy_qos(int timeout, char **ret_text, size_t *ret_size, struct maui_error *error)
{
	static char program[] = "sacctmgr", parsable[] = "-P", show[] = "show", qos[] = "qos",
		    columns[] = QOS_COLUMNS;
	static char *const words[] = {program, parsable, show, qos, columns, NULL};

	sacctmgr_words = words;
	return slurm_child(sacctmgr_run, timeout, LIMIT, "QOS", ret_text, ret_size, error);
}

int slurm_policy_associations(const char *cluster, int timeout, char **ret_text, size_t *ret_size,
			      struct maui_error *error)
{
	static char program[] = "sacctmgr", dump[] = "dump", file[] = "file=/dev/stdout";
	char name[256];
	char *const words[] = {program, dump, name, file, NULL};

	snprintf(name, sizeof(name), "cluster=%s", cluster);
	sacctmgr_words = words;
	return slurm_child(sacctmgr_run, timeout, LIMIT, "associations", ret_text, ret_size, error);
}
