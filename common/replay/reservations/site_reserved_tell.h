/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whose the time is that reservations kept. D-RPL-15. */
#ifndef MAUI_REPLAY_SITE_RESERVED_TELL_H
#define MAUI_REPLAY_SITE_RESERVED_TELL_H

#include "common/replay/schedule/reserved.h"
#include "common/replay/trace/trace.h"

/* What a job has used of a reservation. */
struct site_reserved_use {
	uint32_t keeper, job;
	double used; /* processor-seconds */
};

/* Standing reservations come first, then maintenance by name. */
struct site_reserved_tally {
	const char *name;
	bool maintenance;
	double reserved, used, taken, away, idle, kept;
	int64_t lacking;
};

/* Sorts the uses. */
void site_reserved_tell(const struct maui_replay_trace *trace,
			const struct site_reserved_tally *tallies, size_t count,
			struct site_reserved_use *uses, size_t use_count,
			struct maui_replay_reservations *ret_reservations);

#endif
