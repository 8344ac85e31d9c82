/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Amounts of a job's TRES. */
#include "common/replay/stock/stock_jobs.h"

#include "common/replay/nodes/requests.h"

static uint64_t stock_gres(const void *context, const char *name)
{
	const struct stock_asked *asked = context;

	return maui_replay_gres_amount(asked->trace, asked->gres, name);
}

struct maui_import_request maui_stock_request(const struct maui_replay_trace *trace, uint32_t job,
					      struct stock_asked *place)
{
	const struct maui_replay_job *record = &trace->jobs[job];

	*place = (struct stock_asked){trace, record->gres};
	return (struct maui_import_request){.nodes = record->nodes ? record->nodes
								   : record->had_nodes,
					    .cpus = record->procs,
					    .memory = (uint64_t)record->memory,
					    .minutes = stock_minutes(record),
					    .partition = MAUI_IMPORT_NONE,
					    .qos = MAUI_IMPORT_NONE,
					    .assoc = MAUI_IMPORT_NONE,
					    .gres = record->gres ? stock_gres : NULL,
					    .context = place};
}

double maui_stock_billed(const struct maui_stock *stock, const struct stock_origin *origin,
			 const struct maui_import_request *request)
{
	const struct maui_import_weights *weights =
		origin->partition == MAUI_IMPORT_NONE ? NULL : &stock->billing[origin->partition];
	double sum = 0, most = 0;

	if (!weights || !weights->count)
		return request->cpus;
	for (size_t i = 0; i < weights->count; i++) {
		double cost = (double)maui_import_asked(request, &weights->list[i]) *
			      weights->list[i].weight;

		sum += cost;
		most = cost > most ? cost : most;
	}
	return stock->priority.max_tres ? most : sum;
}
