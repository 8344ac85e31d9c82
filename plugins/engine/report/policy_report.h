/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the policy in force comes from, and what is wrong with it, for answers of the service;
 * with_lines for those who may see maui.cfg. The mutex is held.
 */
#ifndef MAUI_ENGINE_POLICY_REPORT_H
#define MAUI_ENGINE_POLICY_REPORT_H

#include <stdbool.h>

#include <json-c/json.h>
#include "plugins/engine/runtime/lock.h"

/* The policy object of `status`. */
ENGINE_LOCKED struct json_object *policy_report(bool with_lines);

/* The warning in every answer if a newer maui.cfg was refused, or the one in force has errors; NULL
 * if all is well. */
ENGINE_LOCKED struct json_object *policy_report_trouble(bool with_lines);

#endif
