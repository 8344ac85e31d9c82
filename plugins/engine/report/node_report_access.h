/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAUI_ENGINE_NODE_REPORT_ACCESS_H
#define MAUI_ENGINE_NODE_REPORT_ACCESS_H

#include <json-c/json.h>

/*
 * Adds who gets in to each object of an array, a reservation by its "name": "ours", and for ours
 * "standing", "acl", "acl_omitted" and "open". NULL, or why it is unknown. No lock held.
 */
const char *node_report_add_access(struct json_object *reservations);

#endif
