/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A start that cannot succeed is refused without cons_tres, which would look at each node for that
 * (S-SEL-20). Where the count of the jobs does not prove it, cons_tres is asked.
 */
#ifndef MAUI_SELECT_NO_ROOM_H
#define MAUI_SELECT_NO_ROOM_H

#include "plugins/compat/select_api.h"
#include "plugins/engine/api/select.h"

/*
 * Whether no set of the candidates can hold the job now: too few of them have enough idle CPUs and
 * memory, or these have too few CPUs together. False if that is not certain. For a start now. Job
 * write lock, node read lock.
 */
bool no_room(const struct compat_job_test *test, const struct maui_engine_node_use *use);

#endif
