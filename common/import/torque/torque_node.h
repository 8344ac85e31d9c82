/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A node as it is read, from the nodes file or from lines of qmgr; complaints go to the lines. */
#ifndef MAUI_TORQUE_NODE_H
#define MAUI_TORQUE_NODE_H

#include "common/import/torque/torque_site.h"

/* A node of this name, at its place in the present line. NULL: complained of. Valid until the next. */
struct maui_torque_node *maui_torque_node_add(struct maui_torque_site *site,
					      struct maui_import_lines *lines, const char *at,
					      const char *name);
/* NULL: there is none. */
struct maui_torque_node *maui_torque_node_find(const struct maui_torque_site *site,
					       const char *name);

/* A count of at least so many; at is the value's place in the present line. */
void maui_torque_node_count(struct maui_import_lines *lines, const char *at, const char *value,
			    uint32_t least, uint32_t *ret_count);
/* One property more. */
void maui_torque_node_feature(struct maui_torque_site *site, struct maui_import_lines *lines,
			      struct maui_torque_node *node, const char *at, const char *word);
/* Text that slurm.conf has nothing for; it is kept as it is. */
void maui_torque_node_other(struct maui_torque_site *site, const char *node, const char *text,
			    const struct maui_conf_place *place);
/* An attribute of qmgr, checked by its kind; at is its value's place in the present line. */
void maui_torque_node_set(struct maui_torque_site *site, struct maui_import_lines *lines,
			  struct maui_torque_node *node,
			  const struct maui_torque_attribute *attribute, const char *at);

#endif
