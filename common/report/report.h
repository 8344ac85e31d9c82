/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Policies and their results as JSON, the same in the engine's answers and in the command's offline
 * mode. The formats are those of contribs/doc/service.md.
 */
#ifndef MAUI_REPORT_REPORT_H
#define MAUI_REPORT_REPORT_H

#include <json-c/json.h>

#include "common/config/config.h"
#include "common/policy/priority/priority.h"

/* "showconfig": every parameter and attribute in force with its origin. */
struct json_object *maui_report_config(const struct maui_config *config);

/*
 * "components" of diagnose-priority: the weights in force in a partition. qos_weight needs the QOS
 * objects.
 */
struct json_object *maui_report_weights(const struct maui_priority_weights *weights,
					const struct maui_config *config);

/* "components" of one job in diagnose-priority. */
struct json_object *maui_report_terms(const struct maui_priority_terms *terms);

#endif
