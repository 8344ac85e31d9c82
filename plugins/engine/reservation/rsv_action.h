/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs a program for a trigger, as the user that slurmctld runs as: in a session of its own, with
 * no descriptor of slurmctld's, nothing to read, and output that nobody reads. What is not done
 * after a while is killed, with all of its process group. Each has a thread of its own, which alone
 * waits for it, by its pid: neither a slow disk nor a slow program holds up anything else.
 */
#ifndef MAUI_ENGINE_RSV_ACTION_H
#define MAUI_ENGINE_RSV_ACTION_H

#include <stdbool.h>
#include <stddef.h>

/* Programs that may run at a time. */
#define RSV_ACTIONS 16

struct rsv_action {
	char *what;  /* for the log: "start of reservation x.inf" */
	char **argv; /* NULL behind the last; the program by its path */
	char **envp; /* all of it */
	unsigned int timeout;
};

/* How many more may be started. The engine's thread. */
size_t rsv_action_room(void);

/* Takes over what the action holds, all of it malloc'ed. 0 or a negative errno; how it ends is for
 * the log. The engine's thread. */
int rsv_action_start(struct rsv_action *action);

void rsv_action_clear(struct rsv_action *action);

#endif
