/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who used which share of the machine under a schedule, by window of fairshare, and the targets. */
#ifndef MAUI_REPLAY_SHARES_H
#define MAUI_REPLAY_SHARES_H

#include "common/replay/state/site_terms.h"

#define MAUI_REPLAY_SHARES  12   /* holders that are told of, those with the most usage */
#define MAUI_REPLAY_WINDOWS 4096 /* that are told of */

struct maui_replay_holder {
	enum maui_credential type;
	const char *name;            /* of the trace */
	struct maui_fstarget target; /* a cap's, too: chapter 6.3.3.2 */
	double percent;              /* of all usage of the schedule */
	double *window;              /* by window: percent of its usage alone */
	double *counted; /* by window, at its end: percent of this and the older windows, decayed,
			    as FSWEIGHT sees it */
};

struct maui_replay_shares {
	int64_t begin, interval; /* of the first window, in the trace's time; FSINTERVAL */
	size_t windows;
	struct maui_replay_holder shares[MAUI_REPLAY_SHARES];
	size_t count, more; /* more: with targets, too, and not told of */
	bool too_long;      /* more than MAUI_REPLAY_WINDOWS: the last ones are left out */
};

/*
 * Of all users, groups, accounts, QOS and classes with a target in the site's maui.cfg, by what
 * jobs hold. No shares if FSPOLICY is off or counts GRES, or there is no target. QDEF's QOS is not
 * the trace's, and not told of. 0, or -ENOENT with the reason, as for maui_replay_site_run(): no
 * file of the site's usage counts. Must be cleared in either case.
 */
int maui_replay_shares(const struct maui_replay_trace *trace, const struct maui_replay_site *site,
		       const int64_t *started, struct maui_replay_shares *ret_shares,
		       struct maui_error *error);
void maui_replay_shares_clear(struct maui_replay_shares *shares);

#endif
