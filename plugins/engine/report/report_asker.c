/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Applies PrivateData as Slurm's own commands do. */
#include "plugins/compat/base.h"

#include "plugins/engine/report/report_asker.h"

#include "plugins/engine/slurm/authority.h"

bool report_asker_is_bound(const struct report_asker *asker, uint16_t flag)
{
	return (slurm_conf.private_data & flag) && !asker->sees_all &&
	       !authority_is_operator(asker->uid);
}

bool report_asker_sees_job(const struct report_asker *asker, uint32_t uid, const char *account)
{
	return uid == asker->uid || !report_asker_is_bound(asker, PRIVATE_DATA_JOBS) ||
	       authority_coordinates(asker->uid, account);
}
