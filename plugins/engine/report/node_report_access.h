/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAUI_ENGINE_NODE_REPORT_ACCESS_H
#define MAUI_ENGINE_NODE_REPORT_ACCESS_H

#include <json-c/json.h>

/*
 * To each object of an array, a reservation by its "name", who gets in: "ours", and of ours
 * "standing", "acl", "acl_omitted" and "open". NULL, or why it is not known. No lock held.
 */
const char *node_report_add_access(struct json_object *reservations);

#endif
