/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the files of a Torque. */
#ifndef MAUI_TORQUE_READ_H
#define MAUI_TORQUE_READ_H

#include "common/import/torque/torque_site.h"

/*
 * What `qmgr -c 'print server'` printed, and `qmgr -c 'print node @default'` if its lines follow:
 * create queue NAME, set queue NAME ATTRIBUTE = VALUE, set server ATTRIBUTE = VALUE, += for more
 * values; the same of nodes. 0, or -EINVAL if there was something to complain about.
 */
int maui_torque_read_qmgr(struct maui_torque_site *site, const char *path, const char *text,
			  size_t size, const struct maui_import_complaints *complaints);

/* server_priv/nodes: NAME np=8 gpus=2 PROPERTY ... 0, or -EINVAL as above. */
int maui_torque_read_nodes(struct maui_torque_site *site, const char *path, const char *text,
			   size_t size, const struct maui_import_complaints *complaints);

#endif
