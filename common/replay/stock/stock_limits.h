/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits of QOS and associations, and what counts against them. S-IMP-2. */
#ifndef MAUI_REPLAY_STOCK_LIMITS_H
#define MAUI_REPLAY_STOCK_LIMITS_H

#include "common/replay/stock/stock_jobs.h"
#include "common/replay/stock/stock_rules.h"

/* One TRES of one limit. */
struct stock_limit {
	const struct stock_rule *rule;
	const struct maui_import_limit *from;
	struct maui_import_tres tres; /* of STOCK_JOBS and the like without a name */
	uint64_t most;
	bool fades; /* what decays: not, if the QOS is NoDecay */
	/* By user, account or association; a single one of STOCK_TOGETHER. */
	long double *used;     /* jobs, amounts, or seconds times amounts */
	long double *reserved; /* seconds times amounts that jobs may still use */
};

/* That a limit is one of an origin's jobs. */
struct stock_ref {
	uint32_t limit;
	uint32_t whom; /* place in ->used */
	bool enforced; /* or it only counts */
};

struct stock_limits {
	const struct maui_stock *stock;
	struct stock_limit *list;
	struct stock_ref *refs;
	size_t *first; /* by origin, and one more: of refs */
	size_t count, room, ref_count, ref_room;
	bool drifts;  /* some depend on time alone */
	bool by_time; /* some depend on time limits */
};

/* Of all origins; users: so many names of users the trace has. Without enforcement there are none. */
void maui_stock_limits_open(const struct maui_stock *stock, const struct stock_origins *origins,
			    uint32_t users, struct stock_limits *ret_limits);
void maui_stock_limits_clear(struct stock_limits *limits);

/* The first that would be exceeded if a job of the origin began; NULL: none. */
const struct stock_ref *maui_stock_limits_check(const struct stock_limits *limits, uint32_t origin,
						const struct maui_import_request *request,
						double usage_factor);

/* A job begins (1) or ends (-1): its amounts. */
void maui_stock_limits_hold(struct stock_limits *limits, uint32_t origin,
			    const struct maui_import_request *request, int sign);

/* Seconds that a job has run, faded or not, and by which its reserved ones change; both times the
 * QOS's UsageFactor. */
void maui_stock_limits_run(struct stock_limits *limits, uint32_t origin,
			   const struct maui_import_request *request, double faded, double seconds,
			   double reserved);

/* What has been used is multiplied by so much; 0 is a reset, of QOS that are NoDecay, too. */
void maui_stock_limits_decay(struct stock_limits *limits, double left);

#endif
