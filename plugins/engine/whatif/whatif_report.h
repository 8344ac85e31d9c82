/* SPDX-License-Identifier: GPL-2.0-or-later */
/* whatif: what another maui.cfg would change in the present queue. */
#ifndef MAUI_ENGINE_WHATIF_REPORT_H
#define MAUI_ENGINE_WHATIF_REPORT_H

#include <json-c/json.h>

#include "common/util/error.h"

/* Answers a request's arguments. NULL, or what is wrong: a constant, or why->text. */
const char *whatif_report(struct json_object *arguments, struct json_object **ret_data,
			  struct maui_error *why);

#endif
