/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a job may use what a reservation holds: D-RSV-27, without the original's implicit entry
 * (D-RSV-4). In this order:
 *
 *   1. the job's list of reservations that it may use names this one: yes, with positive affinity
 *   2. BYNAME, of the reservation or the job: no, unless the job asks for it by name
 *   3. the job asks for another reservation by name: no
 *   4. the access list, with TIMELIMIT compared to how long the two overlap
 *
 * An instance can also be asked for by the name of its standing reservation (D-RSV-2). If several
 * reservations hold a node, all of them must admit the job (chapter 7.1.5.2.3). Names are interned
 * numbers; 0 is none. No allocation, no string, no clock.
 */
#ifndef MAUI_POLICY_RSV_ACCESS_H
#define MAUI_POLICY_RSV_ACCESS_H

#include "common/policy/reservation/acl.h"

struct maui_rsv_instance {
	uint32_t name;     /* of the instance */
	uint32_t standing; /* of its standing reservation; 0: it has none */
	bool by_name;      /* FLAGS=BYNAME */
	int64_t start, end;
	const struct maui_acl *acl; /* NULL: nobody */
};

#define MAUI_RSV_START_UNKNOWN INT64_MIN

struct maui_rsv_job {
	struct maui_acl_job acl; /* its duration is ignored */
	uint32_t asks;           /* the reservation that it asks for; 0 none */
	bool by_name;
	int64_t walltime;       /* seconds; MAUI_INFINITY for no limit */
	int64_t start;          /* when it starts, or MAUI_RSV_START_UNKNOWN */
	const uint32_t *access; /* reservations that it may use whatever else applies */
	size_t access_count;
	bool access_all;
};

enum maui_rsv_reason {
	MAUI_RSV_BY_ACL,       /* granted or refused: see the acl's verdict */
	MAUI_RSV_BY_ACCESS,    /* granted: the job's own list */
	MAUI_RSV_BYNAME,       /* refused: it must be asked for */
	MAUI_RSV_ASKS_ANOTHER, /* refused */
	MAUI_RSV_NO_OVERLAP,   /* granted: the job is not there while the reservation is */
};

struct maui_rsv_verdict {
	bool granted;
	enum maui_affinity affinity; /* MAUI_AFFINITY_NONE if refused before the access list */
	enum maui_rsv_reason reason;
	int64_t overlap;             /* seconds that TIMELIMIT was compared to */
	struct maui_acl_verdict acl; /* for MAUI_RSV_BY_ACL */
};

/*
 * How many seconds a job and a reservation have in common. If the start of the job is not known, as
 * many as possible from now on: the shorter of both. 0: none.
 */
int64_t maui_rsv_overlap(const struct maui_rsv_instance *instance, int64_t start, int64_t walltime,
			 int64_t now);

/* The tests above, with an overlap known to the caller. Returns ret_verdict->granted. */
bool maui_rsv_admits(const struct maui_rsv_instance *instance, const struct maui_rsv_job *job,
		     int64_t overlap, struct maui_rsv_verdict *ret_verdict);

/* For a job at its start: reservations that it does not overlap do not matter. */
bool maui_rsv_admits_at(const struct maui_rsv_instance *instance, const struct maui_rsv_job *job,
			int64_t now, struct maui_rsv_verdict *ret_verdict);

#define MAUI_RSV_TEXT_SIZE (MAUI_ACL_TEXT_SIZE + 64)

/* Why, for people: "USER==bob+ gives access (3600 seconds in common)". Returns
 * text. */
const char *maui_rsv_text(const struct maui_rsv_instance *instance,
			  const struct maui_rsv_verdict *verdict, char text[MAUI_RSV_TEXT_SIZE]);

#endif
