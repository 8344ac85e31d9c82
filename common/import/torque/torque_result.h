/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an import of a Torque writes: lines of files for an administrator, and remarks. */
#ifndef MAUI_TORQUE_RESULT_H
#define MAUI_TORQUE_RESULT_H

#include "common/config/config.h"
#include "common/import/torque/torque_site.h"

enum maui_torque_part {
	MAUI_TORQUE_CONF,     /* slurm.conf */
	MAUI_TORQUE_ACCOUNTS, /* a script of sacctmgr's commands */
	MAUI_TORQUE_POLICY,   /* maui.cfg */
	MAUI_TORQUE_PARTS
};

struct maui_torque_lines {
	const char **list;
	size_t count, room;
};

struct maui_torque_result {
	struct maui_import import; /* the remarks; texts are in its arena */
	struct maui_torque_lines parts[MAUI_TORQUE_PARTS];
};

/* The maui.cfg or moab.cfg of the site, read with records; config NULL: there is none. */
struct maui_torque_policy {
	const struct maui_config *config;
	const char *text;
	size_t size;
};

void maui_torque_result_begin(struct maui_torque_result *ret_result);
void maui_torque_result_clear(struct maui_torque_result *result);

/* One line more, without its end. */
void maui_torque_line(struct maui_torque_result *result, enum maui_torque_part part,
		      const char *format, ...) __attribute__((format(printf, 3, 4)));

/* A remark on an attribute of a queue or the server: its setting is "queue q: NAME = VALUE". */
void maui_torque_remark(struct maui_torque_result *result, const struct maui_torque_object *object,
			const struct maui_torque_attribute *attribute, enum maui_import_fate fate,
			const char *effect, ...) __attribute__((format(printf, 5, 6)));

#endif
