/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The engine's answers as families of metrics: names, labels and bounds are those of
 * contribs/doc/metrics.md. */
#ifndef MAUI_METRICS_ENGINE_H
#define MAUI_METRICS_ENGINE_H

#include <stdbool.h>

#include "contribs/maui/metrics/metrics_text.h"
#include "contribs/maui/service/engine_request.h"

/* Rows each of limits, fairshare and reservations. */
#define METRICS_LIMIT     200
#define METRICS_LIMIT_MAX 10000

struct metrics_source {
	const struct engine *engine; /* NULL: it was not found */
	struct metrics *metrics;
	size_t limit;
	size_t omitted_limits, omitted_fairshare, omitted_reservations;
	int code; /* of the first request that failed */
};

/* All families. If the engine does not answer, only those that say so. */
void metrics_collect(struct metrics_source *source);

/* The parts of metrics_collect(). data: of the answer. */
void metrics_add_status(struct metrics *metrics, struct json_object *data, int64_t now);
void metrics_add_pending(struct metrics *metrics, struct json_object *data);
/* data: of all types of credentials, without unanswered requests. */
void metrics_add_limits(struct metrics_source *source, struct json_object *const *data,
			size_t count);
void metrics_add_fairshare(struct metrics_source *source, struct json_object *data);
void metrics_add_reservations(struct metrics_source *source, struct json_object *data, int64_t now);

#endif
