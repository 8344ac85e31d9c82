/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a job of a trace asks for, as slurmctld counts it. */
#ifndef MAUI_REPLAY_STOCK_JOBS_H
#define MAUI_REPLAY_STOCK_JOBS_H

#include "common/replay/stock/stock_origins.h"

/* A job, for maui_import_points() and maui_import_asked(); place: where its GRES are looked up. */
struct stock_asked {
	const struct maui_replay_trace *trace;
	uint32_t gres;
};

struct maui_import_request maui_stock_request(const struct maui_replay_trace *trace, uint32_t job,
					      struct stock_asked *place);

/* Minutes of its time limit. */
static inline uint64_t stock_minutes(const struct maui_replay_job *job)
{
	return (uint64_t)(job->estimate + 59) / 60;
}

/* What a second of it costs: by TRESBillingWeights, or its processors. */
double maui_stock_billed(const struct maui_stock *stock, const struct stock_origin *origin,
			 const struct maui_import_request *request);

#endif
