/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAUI_REPORT_FAULTS_H
#define MAUI_REPORT_FAULTS_H

#include <json-c/json.h>
#include <stdbool.h>

#include "common/config/faults.h"

/*
 * {"path", "time", "errors", "lines"}; null for NULL. The lines quote the file: they are only for
 * those who may read it.
 */
struct json_object *maui_report_faults(const struct maui_faults *faults, bool with_lines);

#endif
