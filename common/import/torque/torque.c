/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls the parts in the order in which an administrator reads them. */
#include "common/import/torque/torque.h"

#include "common/import/torque/torque_private.h"

void maui_torque_translate(const struct maui_torque_site *site,
			   const struct maui_torque_policy *policy,
			   struct maui_torque_result *result)
{
	maui_torque_server(site, result);
	maui_torque_machine(site, result);
	maui_torque_partitions(site, result);
	maui_torque_accounts(site, policy, result);
	maui_torque_cfg(site, policy, result);
	maui_torque_tell(site, result);
}
