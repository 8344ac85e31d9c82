/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names in SRCFG that mean nothing on this machine: hosts, features and partitions that do not
 * exist, and hosts that match only part of others' names (D-RSV-16). The rest of the line is used:
 * these are warnings, in slurmctld's log and from `maui check`.
 */
#ifndef MAUI_POLICY_SR_UNKNOWN_H
#define MAUI_POLICY_SR_UNKNOWN_H

#include "common/policy/reservation/sr_settings.h"
#include "common/util/intern.h"

/* What exists. NULL: not known, and not checked. */
struct maui_sr_machine {
	const struct maui_node_names *nodes;
	const struct maui_intern *features, *partitions;
};

#define MAUI_SR_UNKNOWN_TEXT 320

/* "SRCFG[x]: HOSTLIST: no node is n9"; origin is the value's, or the reservation's. */
typedef void (*maui_sr_unknown_told)(void *context, const struct maui_origin *origin,
				     const char *text);

/* config is the one that sr was compiled from. */
void maui_sr_unknown(const struct maui_config *config, const struct maui_sr *sr,
		     const struct maui_sr_machine *machine, maui_sr_unknown_told told,
		     void *context);

#define MAUI_SR_NOBODY_TEXT 320

/* "the system has no user 'gone': nobody gets in by that name": users and groups of the access list
 * without an id. Returns whether there are any. */
bool maui_sr_nobody(const struct maui_sr *sr, char text[MAUI_SR_NOBODY_TEXT]);

#endif
