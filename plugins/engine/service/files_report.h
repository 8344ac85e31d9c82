/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the engine's files are, and which of them it leaves alone: parts of the status. */
#ifndef MAUI_ENGINE_FILES_REPORT_H
#define MAUI_ENGINE_FILES_REPORT_H

#include <json-c/json.h>

#include "plugins/engine/runtime/lock.h"
#include "plugins/engine/runtime/statekept.h"

/* Where fairshare's windows are kept. The mutex is held. */
ENGINE_LOCKED struct json_object *statdir_report(void);

/* The files that are so, each with its path and why. Any lock may be held. */
struct json_object *files_report(enum statekept how);

#endif
