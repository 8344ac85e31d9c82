/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which of the candidates a job gets. */
#ifndef MAUI_REPLAY_SITE_CHOICE_H
#define MAUI_REPLAY_SITE_CHOICE_H

#include "common/replay/state/site_nodes_record.h"

void site_choice_open(struct site_replay *replay);
void site_choice_clear(struct site_nodes *nodes);
/* Of a job that runs already, what it has is chosen, as far as it is there. Returns the
 * processors. */
uint32_t site_choice_resume(struct site_replay *replay, uint32_t job);
/* Choose among the candidates, which are enough. */
void site_choice_make(struct site_replay *replay, uint32_t job, bool immediate);

#endif
