/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files of the limits policy. */
#ifndef MAUI_POLICY_LIMITS_PRIVATE_H
#define MAUI_POLICY_LIMITS_PRIVATE_H

#include <assert.h>
#include <string.h>

#include "common/policy/limits/limits.h"
#include "common/policy/limits/limits_bounds.h"
#include "common/policy/limits/limits_map.h"

#define LIMIT_NONE      INT64_MAX
#define LIMIT_CACHE     64
#define LIMIT_KINDS     (MAUI_LIMIT_HOLDERS * MAUI_CREDENTIALS)
#define LIMIT_MODE_BITS 3

/* Rounds a count of 64-bit numbers up to whole cache lines. */
#define LIMIT_LINES(count) (((count)*8 + LIMIT_CACHE - 1) / LIMIT_CACHE * LIMIT_CACHE / 8)
#define LIMIT_WIDTH        LIMIT_LINES(MAUI_LIMIT_METRICS)

static_assert(MAUI_LIMIT_MODES <= LIMIT_MODE_BITS, "a reference has a bit for each mode");

/* The periods of a limit. */
struct limit_period {
	uint32_t mask;    /* those that have a value for it, in force or not: bit number - 1 */
	uint8_t in_force; /* the number of the one whose value it is; 0: of none */
};

/* The periods of all limits of a row. */
struct limit_periods {
	struct limit_period of[MAUI_LIMIT_MODES][LIMIT_WIDTH];
};

/* The limits of one mode at one level, resolved: LIMIT_NONE if there is none. */
struct limit_line {
	int64_t value[LIMIT_WIDTH];
};

/* A QOS's: 0 if it says nothing, LIMIT_NONE for unlimited. */
struct limit_override {
	struct limit_line line[MAUI_LIMIT_MODES][MAUI_LIMIT_LEVELS];
	unsigned int modes; /* those in which it sets anything */
	bool ignores_system;
};

/*
 * A row as it is looked up: its number, and above it the modes in which it limits anything. Holders
 * that no line names share the type's DEFAULT row.
 */
static inline uint32_t limit_reference(uint32_t row, unsigned int modes)
{
	return row << LIMIT_MODE_BITS | modes;
}
static inline unsigned int limit_modes(uint32_t reference)
{
	return reference & MAUI_LIMIT_ALL_MODES;
}
static inline uint32_t limit_row_of(uint32_t reference)
{
	return reference >> LIMIT_MODE_BITS;
}

/*
 * The holders of one type: for each id a record of numbers, so that one look finds everything: its
 * place among those that maui.cfg names (0: not named), and the references of rows: of its own
 * limits, and of the general ones (LIMIT[CREDTYPE]) on its pairs, by kind.
 */
enum { LIMIT_PLACE, LIMIT_OWN, LIMIT_PAIRS };

struct limit_holders {
	uint32_t *records;
	uint32_t width; /* of a record */
	uint32_t count; /* of records but one: the last is for all ids beyond */
};

/* LIMIT[CREDTYPE[:name]] of the holders of one type. */
struct limit_kind {
	unsigned int first;          /* the holder's type, MAUI_WHOLE_SYSTEM included */
	enum maui_credential second; /* CREDTYPE */
	uint32_t general;            /* its place in the holder's record */
	bool named;                  /* there are entries with a name */
	unsigned int modes;
};

/*
 * Rows are split by mode and level, so that the lines that one check looks at are close together.
 */
struct maui_limits {
	struct limit_line *lines[MAUI_LIMIT_MODES][MAUI_LIMIT_LEVELS]; /* [0] limits nothing */
	uint32_t row_count, row_room;
	struct limit_holders holders[MAUI_LIMIT_HOLDERS];
	struct limit_override *override; /* by place of the QOS; [0]: none, for those not named */
	/* As lines and override are numbered; NULL: no limit is of a period. */
	struct limit_periods *row_periods, *override_periods;
	char (*period_names)[MAUI_PERIOD_NAME_SIZE];
	int64_t period_until[MAUI_PERIODS]; /* the first second at which it begins or ends */
	uint32_t periods_in_force;          /* bit number - 1 */
	int64_t until; /* the first of these of all that limits are of; MAUI_LIMITS_ALWAYS */
	struct limit_kind kinds[LIMIT_KINDS];
	unsigned int kind_count;
	struct limit_map named;    /* kind, place, second's id */
	uint32_t *named_reference; /* their rows', by number */
	size_t named_reference_room;
	unsigned int modes; /* in which anything is limited */
	bool soft;          /* an active or system limit differs at the soft level */
	/* The limits on each GRES, as those on processors in tables of their own. */
	struct limit_gres {
		char name[MAUI_GRES_NAME_SIZE];
		struct maui_limits *limits; /* NULL: none */
	} * gres;
	unsigned int gres_count;
	uint32_t gres_mask; /* those with limits */
};

/* ---- usage --------------------------------------------------------------------------------- */

/*
 * What the active jobs of one holder, or those that have both credentials of a pair, hold. PS and
 * WC are what is outstanding at the usage's base, from which running jobs take procs and 1 per
 * second: so they need no update as time passes. With seven metrics, all that a check reads is one
 * cache line; hence 32 bits for the two that count jobs, each of which has a struct
 * maui_limit_holding somewhere.
 */
struct limit_active {
	uint32_t jobs;
	uint32_t running; /* those whose end is still ahead */
	uint64_t running_procs;
	uint64_t amount[LIMIT_LINES(MAUI_LIMIT_METRICS + 1) - 2]; /* by metric - 1 */
};
static_assert(MAUI_LIMIT_JOB == 0, "jobs are the metric that has no place in the array");

/* The same for eligible jobs. */
struct limit_idle {
	int64_t amount[LIMIT_WIDTH];
};

static_assert(sizeof(struct limit_line) % LIMIT_CACHE == 0, "limits are whole cache lines");
static_assert(sizeof(struct limit_active) % LIMIT_CACHE == 0, "active usage is whole cache lines");
static_assert(sizeof(struct limit_idle) % LIMIT_CACHE == 0, "eligible usage is whole cache lines");

/*
 * In the cells of a GRES, whose units may be bytes, sums have 128 bits: their upper halves are where
 * the metrics are that no GRES has. So what ends leaves exactly what was there before, D-GRES-17.
 */
enum {
	LIMIT_PROC_HIGH = MAUI_LIMIT_NODE - 1,
	LIMIT_PS_HIGH = MAUI_LIMIT_PE - 1,
	LIMIT_RUNNING_HIGH = MAUI_LIMIT_MEM - 1
};

struct limit_cells {
	struct limit_active *active;
	struct limit_idle *idle;
	uint32_t count;
};

#define LIMIT_WHEEL 4096 /* seconds, a power of two */

struct maui_limit_usage {
	struct limit_cells cells[MAUI_LIMIT_HOLDERS]; /* by id */
	struct {
		unsigned int first;
		enum maui_credential second;
		unsigned int modes; /* jobs are not counted in others */
	} kinds[LIMIT_KINDS];
	unsigned int kind_count;
	struct limit_map pairs;        /* kind, id, id: the numbers index pair_cells */
	struct limit_cells pair_cells; /* by number, from 1 */
	int64_t base, now;             /* times in cells count from base */
	struct maui_limit_holding *wheel[LIMIT_WHEEL]; /* running jobs by the second of their end */
	struct maui_limit_usage *gres[MAUI_GRES_NAMES]; /* of each that has limits */
	uint32_t gres_mask;
	bool of_gres;                             /* it is one of these */
	struct limit_gres_holding *gres_holdings; /* all of them, to be freed */
};

/* What a job holds in the usage of each GRES that it has and that has limits. */
struct limit_gres_holding {
	struct limit_gres_holding *next, **link;
	struct maui_limit_holding holding[]; /* in the order of the bits of the mask */
};

/* The table of a GRES by its number, or, for 0, that of all other metrics. */
struct maui_limits *limit_compile_one(const struct maui_config *config,
				      const struct maui_limit_names *names, int64_t now,
				      unsigned int gres);

/* The periods of a limit of a row, or of the overrides of the QOS at a place. */
static inline struct limit_period limit_period_of(const struct maui_limits *limits,
						  const struct limit_periods *periods,
						  uint32_t number, unsigned int mode,
						  unsigned int metric)
{
	return limits->period_names ? periods[number].of[mode][metric] : (struct limit_period){0};
}

/* When a limit of these periods may have another value, and the name of the one in force, or NULL. */
int64_t limit_period_until(const struct maui_limits *limits, struct limit_period period);
const char *limit_period_name(const struct maui_limits *limits, struct limit_period period);
/* The name of the one that begins or ends then, or NULL. */
const char *limit_period_next(const struct maui_limits *limits, struct limit_period period,
			      bool *ret_begins);

/* An empty one that counts the same at the same times. */
struct maui_limit_usage *limit_usage_like(const struct maui_limit_usage *usage);

/* The same for a job's GRES as for the job. */
int limit_gres_reserve(struct maui_limit_usage *usage, const struct maui_limit_job *job,
		       enum maui_limit_mode mode);
/* What has been reserved. */
void limit_gres_add(struct maui_limit_usage *usage, struct maui_limit_holding *holding);
void limit_gres_take(struct maui_limit_usage *usage, struct maui_limit_holding *holding);
void limit_gres_free(struct maui_limit_usage *usage);

/* What is in use at a time, counted from the base. */
static inline struct limit_line limit_used(const struct limit_active *active, int64_t now)
{
	uint64_t passed = (uint64_t)now;
	struct limit_line used = {{[MAUI_LIMIT_JOB] = active->jobs}};

#pragma GCC unroll MAUI_LIMIT_METRICS
	for (unsigned int metric = 1; metric < MAUI_LIMIT_METRICS; metric++)
		used.value[metric] = (int64_t)active->amount[metric - 1];
	used.value[MAUI_LIMIT_PS] -= (int64_t)(active->running_procs * passed);
	used.value[MAUI_LIMIT_WC] -= (int64_t)(active->running * passed);
	return used;
}

__extension__ typedef __int128 limit_wide;

static inline limit_wide limit_sum(uint64_t high, uint64_t low)
{
	return (limit_wide)high << 64 | low;
}

/* The same of a GRES's cell: no more than limits go up to, and nothing of other metrics. */
static inline struct limit_line limit_gres_used(const struct limit_active *active, int64_t now)
{
	limit_wide units =
		limit_sum(active->amount[LIMIT_PROC_HIGH], active->amount[MAUI_LIMIT_PROC - 1]);
	limit_wide seconds =
		limit_sum(active->amount[LIMIT_PS_HIGH], active->amount[MAUI_LIMIT_PS - 1]) -
		limit_sum(active->amount[LIMIT_RUNNING_HIGH], active->running_procs) * now;

	return (struct limit_line){
		{[MAUI_LIMIT_JOB] = active->jobs,
		 [MAUI_LIMIT_PROC] = units < MAUI_GRES_MOST ? (int64_t)units : MAUI_GRES_MOST,
		 [MAUI_LIMIT_PS] = seconds < MAUI_GRES_MOST ? (int64_t)seconds : MAUI_GRES_MOST}};
}

/* Of a cell of this usage, now. */
static inline struct limit_line limit_used_in(const struct maui_limit_usage *usage,
					      const struct limit_active *active)
{
	int64_t now = usage->now - usage->base;

	return usage->of_gres ? limit_gres_used(active, now) : limit_used(active, now);
}

/* What the jobs of one of these cells hold now. */
static inline int64_t limit_cell_amount(const struct maui_limit_usage *usage,
					const struct limit_cells *cells, uint32_t number,
					enum maui_limit_mode mode, enum maui_limit_metric metric)
{
	if (number >= cells->count)
		return 0;
	if (mode == MAUI_LIMIT_IDLE)
		return cells->idle[number].amount[metric];
	return limit_used_in(usage, &cells->active[number]).value[metric];
}

/* Extend an array whose elements are whole cache lines: its contents, then zeros. The old one is
 * gone. */
void *limit_lines_grow(void *lines, size_t size, size_t count, size_t new_count);

/* A job as the table of one of its GRES has it: units as processors. */
static inline struct maui_limit_job limit_gres_job(const struct maui_limit_job *job,
						   unsigned int index)
{
	struct maui_limit_job ret = {.procs = maui_gres_within(job->gres->amounts.amount[index]),
				     .walltime = job->walltime,
				     .part = job->part,
				     .of_gres = true};

	memcpy(ret.credential, job->credential, sizeof(ret.credential));
	return ret;
}

/* A metric of a GRES's table by its own name. */
static inline enum maui_limit_metric limit_gres_metric(enum maui_limit_metric metric)
{
	return metric == MAUI_LIMIT_PS ? MAUI_LIMIT_GS : MAUI_LIMIT_GRES;
}

/* NOLINTBEGIN(bugprone-macro-parentheses): it declares the index. */
/* For each bit of a mask, from 0 on. */
#define LIMIT_EACH_GRES(mask, index)                                                               \
	for (unsigned int rest_ = (mask), index;                                                   \
	     rest_ && ((index = (unsigned int)__builtin_ctz(rest_)), true); rest_ &= rest_ - 1)
/* NOLINTEND(bugprone-macro-parentheses) */

/* The id of a job's holder of a type; false if it has none. */
static inline bool limit_holder(const struct maui_limit_job *job, unsigned int type,
				uint32_t *ret_id)
{
	*ret_id = type == MAUI_WHOLE_SYSTEM ? 1 : job->credential[type];
	return *ret_id || type == MAUI_QOS;
}

/* Cells for all holders of a job, and for its pairs that count in a mode. 0 or -ERANGE. */
int maui_limit_usage_reserve(struct maui_limit_usage *usage, const struct maui_limit_job *job,
			     enum maui_limit_mode mode);

/* Count an eligible job whose cells have been reserved. */
void maui_limit_usage_count_idle(struct maui_limit_usage *usage, const struct maui_limit_job *job);

static inline const uint32_t *limit_record(const struct maui_limits *limits, unsigned int type,
					   uint32_t id)
{
	const struct limit_holders *holders = &limits->holders[type];

	return &holders->records[(size_t)(id < holders->count ? id : holders->count) *
				 holders->width];
}

/* The row of a pair: of the entry with a name, or the general one. record is the holder's. */
static inline uint32_t limit_pair_reference(const struct maui_limits *limits, unsigned int kind,
					    const uint32_t *record, uint32_t second)
{
	const struct limit_kind *of = &limits->kinds[kind];
	uint32_t number = 0;

	if (of->named) /* under the place, which may be DEFAULT's */
		number = limit_map_find(&limits->named,
					limit_map_key(kind, record[LIMIT_PLACE], second));
	return number ? limits->named_reference[number] : record[of->general];
}

#endif
