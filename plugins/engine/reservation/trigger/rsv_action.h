/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs a program for a trigger, as the user that slurmctld runs as: in its own session, with none
 * of slurmctld's descriptors, nothing to read, and its output discarded. A program that exceeds its
 * timeout is killed with its whole process group. Each has its own thread, the only one that waits
 * for it, by its PID: neither a slow disk nor a slow program holds up anything else.
 */
#ifndef MAUI_ENGINE_RSV_ACTION_H
#define MAUI_ENGINE_RSV_ACTION_H

#include <stdbool.h>
#include <stddef.h>

/* Programs that may run at the same time. */
#define RSV_ACTIONS 16

struct rsv_action {
	char *what;           /* for the log: "start of reservation x.inf" */
	char **argv;          /* NULL-terminated; the program by its path */
	char **envp;          /* the whole environment */
	unsigned int timeout; /* seconds */
};

/* How many more can be started. The engine's thread. */
size_t rsv_action_room(void);

/* Takes ownership of what the action holds, all of it malloc'ed. 0, or a
 * negative errno: then the action is still the caller's. How the program ends
 * is logged. The engine's thread. */
int rsv_action_start(struct rsv_action *action);

void rsv_action_clear(struct rsv_action *action);

#endif
