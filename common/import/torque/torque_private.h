/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of maui_torque_translate(). */
#ifndef MAUI_TORQUE_PRIVATE_H
#define MAUI_TORQUE_PRIVATE_H

#include "common/import/torque/torque_result.h"

bool maui_torque_is_route(const struct maui_torque_object *queue);

/* NodeName lines, and remarks on words of nodes. */
void maui_torque_machine(const struct maui_torque_site *site, struct maui_torque_result *result);

/* PartitionName lines. */
void maui_torque_partitions(const struct maui_torque_site *site, struct maui_torque_result *result);

/* What Nodes= of the queue's partition is: an expression, ALL, or "", with remarks. */
const char *maui_torque_place(const struct maui_torque_site *site,
			      const struct maui_torque_object *queue,
			      struct maui_torque_result *result);

/* AllowGroups= of the queue's partition, or NULL: all groups. */
const char *maui_torque_groups(const struct maui_torque_object *queue,
			       struct maui_torque_result *result);

/* The server's settings in slurm.conf, and remarks on all attributes. */
void maui_torque_server(const struct maui_torque_site *site, struct maui_torque_result *result);
void maui_torque_tell(const struct maui_torque_site *site, struct maui_torque_result *result);

/* The maui.cfg: the site's lines, and those of queues. */
void maui_torque_cfg(const struct maui_torque_site *site, const struct maui_torque_policy *policy,
		     struct maui_torque_result *result);

/* The script. */
void maui_torque_accounts(const struct maui_torque_site *site,
			  const struct maui_torque_policy *policy,
			  struct maui_torque_result *result);

#endif
