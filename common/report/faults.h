/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAUI_ENGINE_FAULTS_REPORT_H
#define MAUI_ENGINE_FAULTS_REPORT_H

#include <json-c/json.h>
#include <stdbool.h>

#include "common/config/faults.h"

/* {"path", "time", "errors", "lines"}; null for NULL. The lines quote the file: they are for whom
 * the file is for. */
struct json_object *faults_report(const struct faults *faults, bool with_lines);

#endif
