/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Maui's throttling policies: chapter 6.2 of the manual, D-LIM-1 to D-LIM-11. Who may have how much
 * running, and how much eligible, at a time.
 *
 * Three things, kept apart: struct maui_limits is what maui.cfg says, in tables by interned
 * credential, and never changes; struct maui_limit_usage is what jobs hold, by credential and by
 * pair of credentials; maui_limits_check() checks one job against both: no allocation, no string,
 * no lock, no clock.
 *
 * All amounts are whole numbers, so that removing a job leaves exactly what was there before it was
 * added. Those of a job are clamped to the range 0 to 2^24 (processors, nodes, PE), 2^40 (MB) and
 * MAUI_INFINITY (seconds).
 */
#ifndef MAUI_POLICY_LIMITS_H
#define MAUI_POLICY_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/config/config.h"
#include "common/policy/limits/limits_metric.h"
#include "common/util/arena.h"
#include "common/util/credential.h"
#include "common/util/error.h"

#define MAUI_LIMIT_BIT(mode) (1u << (mode))
#define MAUI_LIMIT_ALL_MODES (MAUI_LIMIT_BIT(MAUI_LIMIT_MODES) - 1)
#define MAUI_LIMIT_START_ONLY                                                                      \
	(MAUI_LIMIT_BIT(MAUI_LIMIT_ACTIVE) | MAUI_LIMIT_BIT(MAUI_LIMIT_SYSTEM))

enum maui_limit_level { MAUI_LIMIT_SOFT, MAUI_LIMIT_HARD, MAUI_LIMIT_LEVELS };

/* The whole system (SYSCFG, SYSTEMCFG) is one more holder of limits besides the credentials. */
#define MAUI_WHOLE_SYSTEM  MAUI_CREDENTIALS
#define MAUI_LIMIT_HOLDERS (MAUI_CREDENTIALS + 1)

/* Interned ids are below this. */
#define MAUI_LIMIT_IDS (UINT32_C(1) << 28)

/* ---- what maui.cfg says -------------------------------------------------------------------- */

struct maui_limits;

/*
 * The interned id of a name in maui.cfg, assigned now if it has none; jobs must come with the same
 * one. 0: there is no such credential, and its settings are ignored.
 */
struct maui_limit_names {
	uint32_t (*id)(void *context, enum maui_credential type, const char *name);
	void *context;
};

/*
 * Credentials that maui.cfg does not name may get their ids later: DEFAULT's limits apply to them.
 * Jobs without a QOS have the QOS DEFAULT; other credentials that a job lacks do not limit it.
 *
 * Limits of a period have their values as at now, in epoch seconds: compile again when
 * maui_limits_until() has come, and make a new usage.
 */
struct maui_limits *maui_limits_compile(const struct maui_config *config,
					const struct maui_limit_names *names, int64_t now);
struct maui_limits *maui_limits_free(struct maui_limits *limits); /* accepts NULL, returns NULL */

/*
 * From now on the GRES of jobs have the numbers of another maui.cfg. Limits on those that it does
 * not name are dropped, as it is unknown how many jobs have; returns how many GRES that are.
 */
size_t maui_limits_number_by(struct maui_limits *limits, const struct maui_config *other);

#define MAUI_LIMITS_ALWAYS INT64_MAX

/*
 * The first second at which other values are in force, epoch seconds; MAUI_LIMITS_ALWAYS: no limit is
 * of a period. Also for NULL.
 */
int64_t maui_limits_until(const struct maui_limits *limits);

/* Whether any limit is set in these modes (a mask), in a period or always. */
bool maui_limits_any(const struct maui_limits *limits, unsigned int modes);

/* Whether any active or system limit differs between the soft and the hard level, in a period or always. */
bool maui_limits_soft(const struct maui_limits *limits);

/* ---- what jobs hold ------------------------------------------------------------------------ */

/* An active job, in the caller's memory, which must stay in place until the job is removed. */
struct maui_limit_holding {
	struct maui_limit_job job;
	int64_t ends; /* epoch seconds; MAUI_LIMIT_SUSPENDED */
	/* managed by the usage: */
	struct maui_limit_holding *next, **link; /* link == NULL: not among those that will end */
	struct limit_gres_holding *gres;         /* NULL: it holds none that has limits */
};
#define MAUI_LIMIT_SUSPENDED INT64_MIN /* its outstanding time does not shrink */

/* What one active job holds, to be checked against other limits. */
struct maui_limit_active {
	struct maui_limit_job job;
	int64_t ends;     /* as in a holding */
	bool qos_missing; /* Slurm gives it no QOS, QDEF does */
};

struct maui_limit_usage;

/*
 * Usage by whatever limits (may be NULL: none) cover. When the configuration changes, make a new
 * one and add all active jobs.
 */
struct maui_limit_usage *maui_limit_usage_new(const struct maui_limits *limits, int64_t now);
struct maui_limit_usage *maui_limit_usage_free(struct maui_limit_usage *usage);

/*
 * An active job: running until ends, or MAUI_LIMIT_SUSPENDED, which counts as active, D-LIM-9. 0,
 * or -ERANGE for an impossible id; on failure nothing has changed. O(1) amortised.
 */
int maui_limit_usage_add(struct maui_limit_usage *usage, struct maui_limit_holding *holding,
			 const struct maui_limit_job *job, int64_t ends);
/* It is no longer active. Cannot fail. O(1). To suspend, resume or resize: take and add. */
void maui_limit_usage_take(struct maui_limit_usage *usage, struct maui_limit_holding *holding);

/*
 * Advance the time: outstanding PS and WC shrink, and stay 0 for jobs past their end. Time never
 * goes back.
 */
void maui_limit_usage_advance(struct maui_limit_usage *usage, int64_t now);

/* Forget all eligible jobs, which maui_limits_select() counts. */
void maui_limit_usage_clear_idle(struct maui_limit_usage *usage);

/*
 * A copy to check and select jobs with while the original keeps changing: no job active in the
 * original can be removed from it, and its time stands still.
 */
struct maui_limit_usage *maui_limit_usage_copy(const struct maui_limit_usage *usage);
/* Take over the idle usage of a copy. */
void maui_limit_usage_set_idle(struct maui_limit_usage *usage, const struct maui_limit_usage *copy);

/* What one credential's jobs (or MAUI_WHOLE_SYSTEM's, id 1) hold now. */
int64_t maui_limit_usage_get(const struct maui_limit_usage *usage, unsigned int type, uint32_t id,
			     enum maui_limit_mode mode, enum maui_limit_metric metric);

/*
 * The full recount: whether exactly these active jobs make up the active usage. 0; -EUCLEAN with the
 * first difference as a text.
 */
int maui_limit_usage_recount(const struct maui_limit_usage *usage,
			     const struct maui_limit_holding *const *holdings, size_t count,
			     struct maui_error *error);

/* ---- a job against them -------------------------------------------------------------------- */

struct maui_limit_verdict {
	bool blocked;  /* false: the rest is 0 */
	bool override; /* the limit is an OMAX... of the job's QOS */
	bool pair;     /* a multi-dimensional limit: second is the other credential */
	enum maui_limit_mode mode;
	enum maui_limit_level level;
	enum maui_limit_metric metric;
	unsigned int type; /* enum maui_credential, or MAUI_WHOLE_SYSTEM with id 1 */
	uint32_t id;       /* MAUI_QOS with id 0: the QOS DEFAULT */
	enum maui_credential second_type;
	uint32_t second_id;
	int64_t limit;
	int64_t usage;                  /* without the job */
	int64_t request;                /* what the job would add */
	char gres[MAUI_GRES_NAME_SIZE]; /* of MAUI_LIMIT_GRES and _GS; "" for the others */
	/* The period whose value it is, "": of none; and the first second at which the limit may have
	 * another one, epoch seconds, MAUI_LIMITS_ALWAYS: it is of no period. */
	char period[MAUI_PERIOD_NAME_SIZE];
	int64_t until;
};

/* Whether they say the same. */
bool maui_limit_verdict_same(const struct maui_limit_verdict *a,
			     const struct maui_limit_verdict *b);

/*
 * Whether a limit blocks the job. The modes (a mask of MAUI_LIMIT_BIT) are checked in the order
 * active, idle, system; in each the job's user, group, account, class and QOS, the whole system,
 * and pairs; for each of these in the order of the metrics; the first limit that blocks is named. A
 * limit blocks if the job's request and what is in use together exceed it. The limits of the job's
 * QOS that begin with O replace every credential's, but not the whole system's. Idle limits have no
 * soft level: chapter 6.2.3. GRES come after all that, in the order of maui.cfg; only those that the
 * job asks for count.
 *
 * usage must belong to these limits. ret_verdict may be NULL. Returns ret_verdict->blocked.
 */
bool maui_limits_check(const struct maui_limits *limits, const struct maui_limit_usage *usage,
		       const struct maui_limit_job *job, enum maui_limit_level level,
		       unsigned int modes, struct maui_limit_verdict *ret_verdict);

#define MAUI_LIMIT_TEXT_SIZE 512
#define MAUI_LIMIT_NAME_SIZE (MAUI_GRES_NAME_SIZE + MAUI_PERIOD_NAME_SIZE + 48)

/*
 * `MAXJOB limit of 2 for user bob (2 in use)`. The names are of the verdict's credentials, NULL if
 * there is none. Returns text.
 */
const char *maui_limit_text(const struct maui_limit_verdict *verdict, const char *name,
			    const char *second_name, char text[MAUI_LIMIT_TEXT_SIZE]);
/* The name of the verdict's limit in maui.cfg. Returns text. */
const char *maui_limit_verdict_name(const struct maui_limit_verdict *verdict,
				    char text[MAUI_LIMIT_NAME_SIZE]);
/* The original's words: `violates active HARD MAXJOB limit of 2 for user bob  (R: 1, U: 2)`. */
const char *maui_limit_original_text(const struct maui_limit_verdict *verdict, const char *name,
				     const char *second_name, char text[MAUI_LIMIT_TEXT_SIZE]);

/* ---- limits in force, for display ---------------------------------------------------------- */

/* One limit on a credential, on MAUI_WHOLE_SYSTEM, or on a pair, and its usage. */
struct maui_limit_entry {
	enum maui_limit_mode mode;
	enum maui_limit_metric metric;
	const char *gres;   /* of MAUI_LIMIT_GRES and _GS: lives as long as the limits; else NULL */
	const char *period; /* as in a verdict; lives as long as the limits; NULL: of none */
	int64_t until;
	const char *next; /* the period that begins or ends then, if any; lives as long, too */
	bool next_begins;
	bool lifted;     /* not in force now, because a period lifts it or none holds */
	bool override;   /* for a QOS: OMAX... */
	bool overridden; /* for a QOS: an override replaces it */
	bool pair;
	enum maui_credential second_type; /* for a pair */
	uint32_t second_id;
	int64_t soft, hard; /* -1: unlimited: only of overrides, and if lifted */
	int64_t usage;      /* 0 for MAUI_LIMIT_SYSTEM, which is about one job */
};
#define MAUI_LIMIT_ENTRIES (2 * MAUI_LIMIT_MODES * (MAUI_LIMIT_METRICS + 2 * (int)MAUI_GRES_NAMES))

/*
 * The limits in force for one credential (including DEFAULT's) or MAUI_WHOLE_SYSTEM, id 1, without
 * those on pairs. usage NULL: nothing is in use. Returns their number.
 */
size_t maui_limits_list(const struct maui_limits *limits, const struct maui_limit_usage *usage,
			unsigned int type, uint32_t id,
			struct maui_limit_entry ret_entries[MAUI_LIMIT_ENTRIES]);

/*
 * Those that are in force at other times: their entries are lifted, with -1 for both levels. The
 * period is the one whose value of -1 lifts the limit; NULL: it has values of periods alone, none of
 * which holds.
 */
size_t maui_limits_list_lifted(const struct maui_limits *limits,
			       const struct maui_limit_usage *usage, unsigned int type, uint32_t id,
			       struct maui_limit_entry ret_entries[MAUI_LIMIT_ENTRIES]);

/*
 * The pairs whose jobs have been counted, numbered from 1 to this; and the limits on one of them
 * that are in use. Their holder is *ret_type, *ret_id.
 */
uint32_t maui_limit_usage_pairs(const struct maui_limit_usage *usage);
size_t maui_limits_list_pair(const struct maui_limits *limits, const struct maui_limit_usage *usage,
			     uint32_t number, unsigned int *ret_type, uint32_t *ret_id,
			     struct maui_limit_entry ret_entries[MAUI_LIMIT_ENTRIES]);
size_t maui_limits_list_pair_lifted(const struct maui_limits *limits,
				    const struct maui_limit_usage *usage, uint32_t number,
				    unsigned int *ret_type, uint32_t *ret_id,
				    struct maui_limit_entry ret_entries[MAUI_LIMIT_ENTRIES]);

/*
 * The name of an entry's limit in maui.cfg: MAXJOB, MAXIPROC, OMAXJWC, MAXJOB[USER],
 * MAXGRES[gpu,USER]. type: the holder's. Returns text.
 */
const char *maui_limit_entry_name(const struct maui_limit_entry *entry, unsigned int type,
				  char text[MAUI_LIMIT_NAME_SIZE]);

/* ---- once per iteration -------------------------------------------------------------------- */

struct maui_limit_candidate {
	struct maui_limit_job job;
	bool exempt; /* holds a reservation: not checked, but counted */
	bool out;    /* not considered (held, a dependency, ...): neither checked nor counted */
	/* results, for those that are not out */
	bool hard, soft; /* eligible at this level */
	/* Why not; NULL: it is. Jobs blocked for the same reason mostly share one. */
	const struct maui_limit_verdict *hard_verdict, *soft_verdict;
};

/*
 * Eligibility of idle jobs, which come in the order of their priorities. At the HARD level those
 * that active, idle and system limits allow, each adding to the idle usage that the next are
 * checked against; and likewise at the SOFT level, also from an idle usage of 0. Active usage is
 * that of all active jobs throughout. Leaves the idle usage of the hard list. The verdicts are
 * allocated in an arena. 0; -ERANGE, with results of no meaning.
 */
int maui_limits_select(const struct maui_limits *limits, struct maui_limit_usage *usage,
		       struct maui_limit_candidate *candidates, size_t count,
		       struct maui_arena *verdicts);

#endif
