/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whose job of a trace is: its association, QOS and partition, once for all that are alike. */
#ifndef MAUI_REPLAY_STOCK_ORIGINS_H
#define MAUI_REPLAY_STOCK_ORIGINS_H

#include "common/replay/stock/stock.h"
#include "common/replay/trace/trace.h"

/* Each MAUI_IMPORT_NONE if there is none. */
struct stock_origin {
	uint32_t user;         /* of the trace's names; 0: none */
	size_t assoc, account; /* of the associations: its own, and its account's */
	size_t qos, partition;
	/* What its QOS says. */
	size_t partition_qos;
	bool qos_first; /* OverPartQOS: before the partition's QOS */
	double usage_factor;
};

struct stock_origins {
	struct stock_origin *list;
	uint32_t *of; /* by job */
	size_t count, room;
	size_t unknown; /* jobs without an association */
};

/* All jobs of a trace. */
void maui_stock_origins_open(const struct maui_stock *stock, const struct maui_replay_trace *trace,
			     struct stock_origins *ret_origins);
void maui_stock_origins_clear(struct stock_origins *origins);

#endif
