/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The arguments of a request for a report: an object, or NULL. */
#ifndef MAUI_ENGINE_REPORT_ARGUMENTS_H
#define MAUI_ENGINE_REPORT_ARGUMENTS_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/util/credential.h"

/* NULL if there is no such member. */
const char *report_text_argument(struct json_object *arguments, const char *name);
/* A whole number from min to max; *ret_number is unchanged if there is no such member. */
bool report_number_argument(struct json_object *arguments, const char *name, int64_t min,
			    int64_t max, int64_t *ret_number);
/* "type" of a credential, MAUI_CREDENTIALS: none is given. NULL, or what is wrong with it. */
#define REPORT_NO_TYPE "the type is not one of user, group, account, qos, class"
const char *report_type_argument(struct json_object *arguments, enum maui_credential *ret_type);
/* "job" and "task" (NO_VAL: no task of an array). NULL, or what is wrong with them. */
const char *report_job_argument(struct json_object *arguments, uint32_t *ret_job,
				uint32_t *ret_task);

#endif
