/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui check: one file per kind of check; each adds to the findings. */
#ifndef MAUI_CHECK_H
#define MAUI_CHECK_H

#include "common/policy/reservation/sr_settings.h"
#include "contribs/maui/check/name_lookup.h"
#include "contribs/maui/lib/command.h"
#include "contribs/maui/lib/findings.h"

extern const struct command check_command;

struct maui_intern;
struct slurm_accounts;
struct slurm_facts;

/* Weights of 0, and the PRIORITY, FSTARGET and other weights that they cancel. */
void check_weights(const struct maui_config *config, struct findings *findings);
/* Limits with values of periods that overlap. */
void check_periods(const struct maui_config *config, struct findings *findings);
/* An access list that admits nobody. */
void check_access(const struct maui_config *config, const struct maui_sr *sr,
		  struct findings *findings);
/* Lines that later ones replace; config was loaded with records. */
void check_shadow(const struct maui_config *config, struct findings *findings);
/* Users, groups and administrators that this machine does not know. */
void check_names(const struct maui_config *config, struct known_names *names,
		 struct findings *findings);
/* Objects whose name is DEFAULT, but not in capitals. */
void check_default_names(const struct maui_config *config, struct findings *findings);
/* Those in a reservation's lists, and its owner. */
void check_members(const struct maui_config *config, const struct maui_sr *sr,
		   struct known_names *names, struct findings *findings);
/* QLIST and QDEF that do not match. */
void check_qos(const struct maui_config *config, struct findings *findings);
/* STATDIR, ALL as an administrator, and fairshare settings while nothing is counted. */
void check_settings(const struct maui_config *config, struct findings *findings);
/* Node limits without effect. */
void check_nodes(const struct maui_config *config, struct findings *findings);
/* Standing reservations that cannot be made as written, judged by the file alone. */
void check_standing(struct maui_config *config, struct findings *findings);
/* Standing reservations that cannot be made as written, settings of theirs not yet supported, and
 * names that Slurm does not know; offline: Slurm is not asked, and a note says so. */
void check_reservations(struct maui_config *config, struct known_names *names,
			struct findings *findings, bool offline);

/* Which nodes the lists of hosts of a reservation match: always reported. */
void check_owners(const struct maui_sr *list, size_t count, const struct maui_node_names *nodes,
		  struct findings *findings);
void check_hosts(const struct maui_sr *sr, const struct maui_node_names *nodes,
		 struct findings *findings);

/* Names that Slurm does not know: nodes and partitions; accounts and QOS. */
void check_known_machine(const struct maui_config *config, struct findings *findings,
			 const struct slurm_facts *facts);
void check_known_names(const struct maui_config *config, struct findings *findings,
		       const struct slurm_accounts *names);
/* GRES that Slurm does not know. known NULL: it could not be asked, and a warning says why. */
void check_gres(const struct maui_config *config, struct findings *findings,
		const struct maui_intern *known, const char *unasked);
/* Limits that exceed the machine or a partition. */
void check_size(const struct maui_config *config, struct findings *findings,
		const struct slurm_facts *facts);
/* SchedulerType and SchedulerParameters, against limits. */
void check_scheduler(const struct maui_config *config, struct findings *findings,
		     const struct slurm_facts *facts);
/* SelectType and its parameters, and PluginDir. */
void check_select(const struct maui_config *config, struct findings *findings,
		  const struct slurm_facts *facts);
/* What slurm.conf must say for the policies to work; offline: not asked, and a note says so, or a
 * warning where GRES are named. */
void check_slurm(const struct maui_config *config, struct findings *findings, bool offline);

/*
 * maui check --report: every line of the configuration, which was loaded with records, with what
 * the findings say about it. Returns an exit code.
 */
int check_report(const struct cli *cli, const char *path, const struct maui_config *config,
		 const struct findings *findings);

#endif
