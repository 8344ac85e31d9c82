/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine that a replay is on, as options describe it. */
#ifndef MAUI_COMMAND_REPLAY_MACHINE_OPTIONS_H
#define MAUI_COMMAND_REPLAY_MACHINE_OPTIONS_H

#include "common/import/import_conf.h"
#include "common/replay/nodes/outages.h"
#include "common/replay/nodes/requests.h"
#include "common/replay/slurm_conf/slurm_conf.h"
#include "contribs/maui/lib/command.h"
#include "contribs/maui/replay/input/inputs.h"

struct replay_machine {
	uint32_t procs;                        /* --processors; 0: not given */
	struct maui_replay_nodes *nodes;       /* NULL: it is a pool of processors */
	struct maui_replay_requests *requests; /* of the trace */
	struct replay_inputs *inputs;          /* what has been read */
	struct maui_slurm_conf conf;           /* --slurm-conf; without an arena: not given */
	struct maui_import_conf policy;        /* of the same file */
	const char *outages_path;              /* NULL: there are none */
	struct maui_replay_outages outages;
};

/* Complains of a fault in a file, with its place. */
void machine_complain(void *context, const struct maui_conf_place *place, const char *text);

/* One of the options: EXIT_OK, or says what is wrong. */
int machine_take_processors(const struct cli *cli, struct replay_machine *machine,
			    const char *text);
int machine_take_nodes(const struct cli *cli, struct replay_machine *machine, const char *text);

int machine_take_sinfo(const struct cli *cli, struct replay_machine *machine, const char *path);
int machine_take_slurm_conf(const struct cli *cli, struct replay_machine *machine,
			    const char *path);

/* The nodes are all there: `what` has given them. EXIT_OK, or says why they cannot be replayed
 * on. */
int machine_close_nodes(struct replay_machine *machine, const char *what);

/* Once the trace is read: the outages, and what its jobs ask of the nodes. Those that they cannot
 * hold are left out. */
int machine_match(struct replay_machine *machine, struct maui_replay_trace *trace);
void machine_clear_options(struct replay_machine *machine);

#endif
