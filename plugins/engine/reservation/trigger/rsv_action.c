/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One detached thread per program: posix_spawn() with POSIX_SPAWN_SETSID,
 * waitpid() in intervals, and SIGKILL to the process group at the timeout.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/reservation/trigger/rsv_action.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/util/memory.h"
#include "plugins/engine/runtime/monotonic.h"

/* Polling interval for a running program, nanoseconds. */
#define LOOK_INTERVAL 100000000L

static atomic_size_t running; /* programs; counted by their threads, too */

size_t rsv_action_room(void)
{
	size_t now = atomic_load(&running);

	return now < RSV_ACTIONS ? RSV_ACTIONS - now : 0;
}

static void free_list(char **list)
{
	for (size_t i = 0; list && list[i]; i++)
		free(list[i]);
	free(list);
}

void rsv_action_clear(struct rsv_action *action)
{
	free(action->what);
	free_list(action->argv);
	free_list(action->envp);
	*action = (struct rsv_action){0};
}

/* ---- in the action's thread ---- */

/* Its own session, and the signal state that any program expects. */
static int action_describe(posix_spawnattr_t *attributes)
{
	sigset_t none, all;

	sigemptyset(&none);
	sigfillset(&all);
	return posix_spawnattr_setsigmask(attributes, &none) ||
	       posix_spawnattr_setsigdefault(attributes, &all) ||
	       posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK |
							    POSIX_SPAWN_SETSIGDEF);
}

static int action_redirect(posix_spawn_file_actions_t *files)
{
	return posix_spawn_file_actions_addopen(files, STDIN_FILENO, "/dev/null", O_RDONLY, 0) ||
	       posix_spawn_file_actions_addopen(files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0) ||
	       posix_spawn_file_actions_adddup2(files, STDOUT_FILENO, STDERR_FILENO) ||
	       posix_spawn_file_actions_addclosefrom_np(files, STDERR_FILENO + 1) ||
	       posix_spawn_file_actions_addchdir_np(files, "/");
}

/* 0 or an errno. */
static int action_spawn(const struct rsv_action *action, pid_t *ret_pid)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	int rc = ENOMEM;

	if (posix_spawn_file_actions_init(&files))
		return rc;
	if (!posix_spawnattr_init(&attributes)) {
		if (!action_describe(&attributes) && !action_redirect(&files))
			rc = posix_spawn(ret_pid, action->argv[0], &files, &attributes,
					 action->argv, action->envp);
		posix_spawnattr_destroy(&attributes);
	}
	posix_spawn_file_actions_destroy(&files);
	return rc;
}

/* False: it is no longer running, or was never ours to wait for. */
static bool is_running(pid_t pid, int *status)
{
	pid_t done;

	do {
		done = waitpid(pid, status, WNOHANG);
	} while (done < 0 && errno == EINTR);
	if (done < 0)
		*status = -1;
	return !done;
}

/* Whether it ended by itself. */
static bool wait_for(pid_t pid, unsigned int timeout, int *status)
{
	const struct timespec pause = {.tv_nsec = LOOK_INTERVAL};
	double until = monotonic_seconds() + timeout;

	while (is_running(pid, status)) {
		if (monotonic_seconds() >= until) {
			kill(-pid, SIGKILL);
			while (waitpid(pid, status, 0) < 0 && errno == EINTR)
				;
			return false;
		}
		nanosleep(&pause, NULL);
	}
	return true;
}

static void action_tell(const struct rsv_action *action, bool in_time, int status)
{
	if (!in_time)
		error("maui: trigger at the %s: %s was killed after %u seconds", action->what,
		      action->argv[0], action->timeout);
	else if (status == -1)
		error("maui: trigger at the %s: how %s ended is not known", action->what,
		      action->argv[0]);
	else if (WIFSIGNALED(status))
		error("maui: trigger at the %s: %s was ended by signal %d", action->what,
		      action->argv[0], WTERMSIG(status));
	else if (WEXITSTATUS(status))
		error("maui: trigger at the %s: %s ended with status %d", action->what,
		      action->argv[0], WEXITSTATUS(status));
	else
		info("maui: trigger at the %s: %s has ended", action->what, action->argv[0]);
}

static void *action_run(void *argument)
{
	struct rsv_action *action = argument;
	pid_t pid = 0;
	int status = -1, rc;

	prctl(PR_SET_NAME, "maui-trigger", NULL, NULL, NULL);
	rc = action_spawn(action, &pid);
	if (rc) {
		error("maui: trigger at the %s: %s cannot be run: %s", action->what,
		      action->argv[0], strerror(rc));
	} else {
		bool in_time = wait_for(pid, action->timeout, &status);

		action_tell(action, in_time, status);
	}
	rsv_action_clear(action);
	free(action);
	atomic_fetch_sub(&running, 1);
	return NULL;
}

int rsv_action_start(struct rsv_action *action)
{
	struct rsv_action *own = maui_malloc(1, sizeof(*own));
	pthread_t thread;

	*own = *action;
	atomic_fetch_add(&running, 1);
	if (pthread_create(&thread, NULL, action_run, own)) {
		atomic_fetch_sub(&running, 1);
		free(own);
		return -EAGAIN;
	}
	pthread_detach(thread);
	*action = (struct rsv_action){0};
	return 0;
}
