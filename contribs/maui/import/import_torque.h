/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui import --torque. */
#ifndef MAUI_IMPORT_TORQUE_H
#define MAUI_IMPORT_TORQUE_H

#include "common/import/torque/torque.h"

/*
 * What DIR has of a site's Torque: qmgr or server, nodes, and maui.cfg or moab.cfg. Printed, or
 * written to new files in output. The exit code.
 */
int import_torque(const char *directory, const char *output);

/* The files in the directory output, or all on standard output. EXIT_OK, or says what is wrong. */
int import_torque_write(const char *directory, const char *output,
			const struct maui_torque_result *result);

#endif
