/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is told of schedules beside their figures: who gains and loses, and when. */
#ifndef MAUI_REPLAY_FACTS_H
#define MAUI_REPLAY_FACTS_H

#include "common/replay/figures/difference.h"
#include "common/replay/figures/timeline.h"
#include "common/replay/queue/shares.h"
#include "contribs/maui/replay/report/replay_sides.h"

#define REPLAY_STEPS 120 /* of a picture over time, at most: half a year is drawn by week */

/* Of one schedule, or of what was recorded. */
struct replay_account {
	/* by grouping, its groups; NULL where there are none */
	struct maui_replay_measures *groups[MAUI_REPLAY_BYS];
	struct maui_replay_moment moments[REPLAY_STEPS];
	struct maui_replay_shares shares;         /* of a maui.cfg */
	struct maui_replay_difference difference; /* from the first schedule */
	struct maui_replay_group_changes users;   /* the same by user */
};

struct replay_facts {
	struct maui_replay_grouping by[MAUI_REPLAY_BYS];
	int64_t begin, step; /* of the pictures over time */
	size_t steps;
	struct replay_account recorded; /* if report->recorded.jobs */
	struct replay_account side[MAX_SIDES];
};

/* After all schedules are there; freed by replay_facts_free() in any case. EXIT_OK, or says why not. */
int replay_facts_of(const struct replay_report *report, struct replay_facts **ret_facts);
void replay_facts_free(struct replay_facts *facts); /* or NULL */

/* Members of a schedule's object, and of the recorded one's. */
void replay_details_json(const struct replay_report *report, const struct replay_facts *facts,
			 size_t side, struct json_object *object);
void replay_recorded_json(const struct replay_facts *facts, struct json_object *object);

/* The wait of a job that began under a schedule. */
int64_t replay_wait(const struct replay_report *report, size_t side, size_t job);
/* A user's name, or "-". */
const char *replay_user(const struct replay_report *report, size_t job);

#endif
