/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui doctor: what its checks share. One file per area; each check adds one or more rows. */
#ifndef MAUI_DOCTOR_H
#define MAUI_DOCTOR_H

#include <json-c/json.h>
#include <stdint.h>

#include "contribs/maui/lib/command.h"
#include "contribs/maui/slurm/slurm_install.h"
#include "contribs/maui/slurm/slurm_select.h"
#include "contribs/maui/slurm/slurm_site.h"

extern const struct command disable_command;
extern const struct command doctor_command;
extern const struct command enable_command;

enum doctor_state {
	DOCTOR_OK,
	DOCTOR_UNSEEN, /* the caller may not look, or there is nothing to look at yet */
	DOCTOR_WARN,   /* something of Maui's does not work, or is about to stop */
	DOCTOR_WRONG,  /* Maui does not work, or Slurm will not start */
	DOCTOR_STATES
};

struct doctor {
	struct cli *cli;
	struct json_object *rows;
	size_t counts[DOCTOR_STATES];
	struct slurm_install install; /* as slurm.conf says here */
	struct slurm_site site;       /* the same */
	bool controller;              /* slurmctld answers */
	char running[32];             /* its version; "" none */
	/* From doctor_files() on; NULL: it is not known which Slurm this is. */
	const struct slurm_select_form *select;
	bool ours;   /* slurm.conf has PriorityType=priority/maui: the engine ought to act */
	bool shadow; /* another, with the engine in shadow mode: it ought to run */
};

/* remedy: the command or line that fixes it; "" none is needed. */
void doctor_add(struct doctor *doctor, enum doctor_state state, const char *check,
		const char *remedy, const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Slurm's directories and files: PluginDir, versions. */
void doctor_files(struct doctor *doctor);

/* Whether the installed slurmctld is one that the plugins are known to fit; slurm: its version, 0 not
 * known. */
void doctor_layouts(struct doctor *doctor, uint32_t slurm);

/* slurm.conf's lines, maui.cfg, and what does not work without them. */
void doctor_site(struct doctor *doctor);

/* StateSaveLocation/maui. */
void doctor_state_directory(struct doctor *doctor);

/* A row for a file of a later Slurm-Maui; why: which version it has. */
void doctor_kept(struct doctor *doctor, const char *path, const char *why);

/* The engine, if it answers. */
void doctor_engine(struct doctor *doctor);

#endif
