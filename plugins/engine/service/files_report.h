/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the engine's files are, and which of them it leaves alone: parts of the status. */
#ifndef MAUI_ENGINE_FILES_REPORT_H
#define MAUI_ENGINE_FILES_REPORT_H

#include <json-c/json.h>

#include "plugins/engine/runtime/lock.h"

/* Where fairshare's windows are kept. The mutex is held. */
ENGINE_LOCKED struct json_object *statdir_report(void);

/* Files of a later Slurm-Maui (D-SYS-13). Any lock may be held. */
struct json_object *kept_files_report(void);

/* Files that cannot be read now (D-SYS-15). Any lock may be held. */
struct json_object *unread_files_report(void);

/* Files that somebody removed while slurmctld ran (D-SYS-16). Any lock may be held. */
struct json_object *removed_files_report(void);

/* Files, and directories of fairshare's windows, whose last write failed. Any lock may be held. */
struct json_object *unwritten_files_report(void);

#endif
