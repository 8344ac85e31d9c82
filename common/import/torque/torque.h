/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a site's Torque and its Maui or Moab to lines of slurm.conf, a script of sacctmgr's commands
 * and a maui.cfg. D-IMP-8.
 */
#ifndef MAUI_TORQUE_H
#define MAUI_TORQUE_H

#include "common/import/torque/torque_result.h"

void maui_torque_translate(const struct maui_torque_site *site,
			   const struct maui_torque_policy *policy,
			   struct maui_torque_result *result);

#endif
