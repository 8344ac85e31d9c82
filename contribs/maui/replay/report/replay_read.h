/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `maui replay --json` printed, read again: a maui.replay/1 (contribs/doc/json.md). */
#ifndef MAUI_REPLAY_REPLAY_READ_H
#define MAUI_REPLAY_REPLAY_READ_H

#include <json-c/json.h>

#include "common/replay/figures/difference.h"
#include "common/replay/figures/measures.h"

/*
 * EXIT_OK: *ret_report has an array "schedules" of at least one object, the caller puts it.
 * Otherwise says what is wrong. Members of another type read as unset.
 */
int replay_read(const char *path, struct json_object **ret_report);

/* The figures of a schedule, or of what was recorded. */
void replay_read_measures(struct json_object *schedule, struct maui_replay_measures *ret_measures);

/* The counts of a schedule's against_first, and the mean; gains and losses stay empty. */
void replay_read_difference(struct json_object *against,
			    struct maui_replay_difference *ret_difference);

#endif
