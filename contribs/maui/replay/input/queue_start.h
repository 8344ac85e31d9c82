/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `maui queue` printed, as the state that a replay begins with. */
#ifndef MAUI_COMMAND_REPLAY_QUEUE_START_H
#define MAUI_COMMAND_REPLAY_QUEUE_START_H

#include <stdbool.h>

#include "contribs/maui/replay/input/machine_options.h"
#include "contribs/maui/replay/input/replay_file.h"

/* Whether a file looks like it: JSON. */
bool queue_start_looks(const struct replay_file *file);

/*
 * Add its jobs to the trace and, if options have given no machine, its nodes to that; those that
 * are down stay away. EXIT_OK, or says what is wrong.
 */
int queue_start_read(const struct replay_file *file, struct replay_machine *machine,
		     struct maui_replay_trace *trace);

#endif
