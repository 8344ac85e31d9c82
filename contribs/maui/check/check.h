/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `maui check` collects: the problems of a file, and notes about what could not be checked. */
#ifndef MAUI_FINDINGS_H
#define MAUI_FINDINGS_H

#include <stdbool.h>

#include <json-c/json.h>

#include "common/config/config.h"
#include "common/policy/sr_settings.h"

struct findings {
	struct json_object *problems; /* as maui_report_problems() makes them */
	struct json_object *notes;    /* texts */
	struct json_object *useless;  /* those of them that say that a line has no effect */
	int errors, warnings;         /* once they are counted */
	bool short_of_memory;         /* something is missing */
};

void findings_error(struct findings *findings, const struct maui_origin *origin, const char *text);
/* The same of a file as a whole, which has no line to name: one that cannot be read. */
void findings_file_error(struct findings *findings, const char *path, const char *text);
void findings_file_warn(struct findings *findings, const char *path, const char *text);
void findings_warn(struct findings *findings, const struct maui_origin *origin, const char *format,
		   ...) __attribute__((format(printf, 3, 4)));
/* The same of a line that has no effect. */
void findings_useless(struct findings *findings, const struct maui_origin *origin,
		      const char *format, ...) __attribute__((format(printf, 3, 4)));
void findings_note(struct findings *findings, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * maui check --report: every line of the configuration, which was loaded with records, with what the
 * findings say of it. Returns an exit code.
 */
struct cli;
int check_report(const struct cli *cli, const char *path, const struct maui_config *config,
		 const struct findings *findings);

/* Sort by line within each file (files stay in the order in which they turned up), and count. */
void findings_finish(struct findings *findings);

/* Weights of 0, and what they make of PRIORITY, FSTARGET and other weights. */
void check_weights(const struct maui_config *config, struct findings *findings);
/* An access list that admits nobody. */
void check_access(const struct maui_config *config, const struct maui_sr *sr,
		  struct findings *findings);
/* Lines that later ones replace; config was loaded with records. */
void check_shadow(const struct maui_config *config, struct findings *findings);
/* Users, groups and administrators that this machine does not know. */
void check_names(const struct maui_config *config, struct findings *findings);
/* Those of a reservation's lists, and its owner. */
void check_members(const struct maui_config *config, const struct maui_sr *sr,
		   struct findings *findings);
/* QLIST and QDEF that do not go together. */
void check_qos(const struct maui_config *config, struct findings *findings);
/* STATDIR, ALL as an administrator, and fairshare's settings where nothing is counted. */
void check_settings(const struct maui_config *config, struct findings *findings);
/* Limits of nodes that nobody looks at. */
void check_nodes(const struct maui_config *config, struct findings *findings);
/* Standing reservations that cannot be made as written: what the file alone tells. */
void check_standing(struct maui_config *config, struct findings *findings);
/* Standing reservations that cannot be made as written, what of them is not there yet, and names that Slurm does not know;
 * offline: it is not asked, and said so. */
void check_reservations(struct maui_config *config, struct findings *findings, bool offline);

/* Which nodes the HOSTLIST of a reservation takes: told, whatever they are. */
void check_hosts(const struct maui_sr *sr, const struct maui_node_names *nodes,
		 struct findings *findings);

struct slurm_facts;
struct slurm_accounts;

/* Names that Slurm does not know: nodes and partitions; accounts and QOS. */
void check_known_machine(const struct maui_config *config, struct findings *findings,
			 const struct slurm_facts *facts);
void check_known_names(const struct maui_config *config, struct findings *findings,
		       const struct slurm_accounts *names);
/* Limits that the machine, or a partition, is too small for. */
void check_size(const struct maui_config *config, struct findings *findings,
		const struct slurm_facts *facts);
/* SchedulerType and SchedulerParameters, against limits. */
void check_scheduler(const struct maui_config *config, struct findings *findings,
		     const struct slurm_facts *facts);
/* SelectType and its parameters, and PluginDir. */
void check_select(const struct maui_config *config, struct findings *findings,
		  const struct slurm_facts *facts);
/* What slurm.conf must say for the policies to hold; offline: not asked, and said so. */
void check_slurm(const struct maui_config *config, struct findings *findings, bool offline);

#endif
