/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asks the lists of QOS and the caps of fairshare. */
#include "common/replay/queue/site_rules.h"

bool site_off_list(const struct site_replay *replay, const struct maui_limit_job *request,
		   struct maui_refusal *ret_refusal)
{
	ret_refusal->kind = MAUI_REFUSAL_QOS;
	ret_refusal->id = request->credential[MAUI_QOS];
	return !maui_qos_allowed(replay->qos, request->credential, request->credential[MAUI_QOS],
				 &ret_refusal->qos);
}

bool site_over_cap(const struct site_replay *replay, const struct maui_limit_job *request,
		   struct maui_refusal *ret_refusal)
{
	struct maui_priority_tables tables = maui_names_tables(replay->names);
	double wanted;

	if (!replay->windows || !replay->drifts) /* as it does if there are caps */
		return false;
	wanted = maui_fairshare_request(
		maui_fairshare_rate(maui_fairshare_settings_of(replay->windows),
				    (double)request->procs, (double)request->pe, request->gres),
		(double)request->walltime);
	if (!maui_fairshare_cap(replay->windows, &tables, request->credential, wanted,
				&ret_refusal->cap))
		return false;
	ret_refusal->kind = MAUI_REFUSAL_FSCAP;
	ret_refusal->id = request->credential[ret_refusal->cap.type];
	return true;
}
