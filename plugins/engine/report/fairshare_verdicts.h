/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which pending jobs a hard fairshare cap blocks: part of diagnose-fairshare. */
#ifndef MAUI_ENGINE_FAIRSHARE_VERDICTS_H
#define MAUI_ENGINE_FAIRSHARE_VERDICTS_H

#include <json-c/json.h>

#include "common/queue/snapshot.h"
#include "plugins/engine/report/fairshare_report.h"

/* An array with one object per job and partition of the snapshot that may be seen. Takes the
 * mutex. */
struct json_object *fairshare_verdicts(const struct maui_snapshot *snapshot,
				       const struct fairshare_filter *filter);

#endif
