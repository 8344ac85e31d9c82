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

/* The names object of `status`: for how many users and groups of maui.cfg the name service does not
 * answer, and, if wanted, which. */
ENGINE_LOCKED struct json_object *names_report(bool with_names);

/* The warning in every answer if a newer maui.cfg was refused, the one in force has errors, or the
 * name service does not answer; NULL if all is well. */
ENGINE_LOCKED struct json_object *policy_report_trouble(bool with_lines);

#endif
