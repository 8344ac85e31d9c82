/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The period of a limit in an answer. */
#ifndef MAUI_ENGINE_LIMIT_PERIOD_JSON_H
#define MAUI_ENGINE_LIMIT_PERIOD_JSON_H

#include "common/policy/limits/limits.h"
#include "plugins/engine/report/job_query.h"

/*
 * "period": whose value it is, null: of none; "until": when the limit may have another one, epoch
 * seconds, null: never.
 */
static inline void limit_period_json(struct json_object *object, const char *period, int64_t until)
{
	json_set_text(object, "period", period);
	json_set(object, "until", until != MAUI_LIMITS_ALWAYS ? json_make_number(until) : NULL);
}

#endif
