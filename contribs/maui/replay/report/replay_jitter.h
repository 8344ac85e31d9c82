/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui replay --jitter: how far each figure hangs on when exactly jobs came. */
#ifndef MAUI_REPLAY_REPLAY_JITTER_H
#define MAUI_REPLAY_REPLAY_JITTER_H

#include "common/replay/trace/jitter.h"
#include "contribs/maui/html/html.h"
#include "contribs/maui/replay/report/replay_figures.h"
#include "contribs/maui/replay/report/replay_sides.h"

#define JITTER_RUNS     10000
#define JITTER_SPAN     300 /* seconds */
#define MAX_JITTER_SPAN 31622400

struct replay_jitter {
	uint32_t runs; /* 0: there are none */
	uint32_t span; /* a submission moves by at most that many seconds */
	uint32_t seed;
	struct maui_replay_measures *measures; /* by run, MAX_SIDES each */
};

/* All runs, each under all schedules of the report. An exit code. */
int jitter_run(const struct replay_report *report, struct replay_jitter *jitter);
void jitter_clear(struct replay_jitter *jitter);

/* Of one figure of a schedule. ret_better: runs in which it beats the first schedule, whose
 * arrivals were the same. */
struct maui_replay_interval jitter_interval(const struct replay_jitter *jitter,
					    const struct replay_figure *figure, size_t side,
					    size_t *ret_better);

/* As a table, as JSON, as a view of the page. */
void jitter_print(const struct replay_report *report);
struct json_object *jitter_json(const struct replay_report *report);
void jitter_html(struct html *html, const struct replay_report *report);

#endif
