/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What of another policy would not show in the queue of this moment, or was not available: listed,
 * so that nobody takes it for "no change".
 */
#ifndef MAUI_REPORT_WHATIF_NOTES_H
#define MAUI_REPORT_WHATIF_NOTES_H

#include <json-c/json.h>

#include "common/queue/whatif.h"

/* An array of {"name", "text"}. */
struct json_object *maui_report_whatif_notes(const struct maui_whatif *whatif);

#endif
