/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the limits policy share. */
#ifndef MAUI_POLICY_LIMITS_PRIVATE_H
#define MAUI_POLICY_LIMITS_PRIVATE_H

#include "common/policy/limits.h"
#include "common/policy/limits_map.h"

#define LIMIT_WIDTH     8 /* of a row: the metrics, and one that never limits */
#define LIMIT_NONE      INT64_MAX
#define LIMIT_CACHE     64
#define LIMIT_KINDS     (MAUI_LIMIT_HOLDERS * MAUI_CREDENTIALS)
#define LIMIT_MODE_BITS 3

/* One holder's limits, in force: LIMIT_NONE where there is none. */
struct limit_row {
	int64_t value[MAUI_LIMIT_MODES][MAUI_LIMIT_LEVELS][LIMIT_WIDTH];
};

/* A QOS's: 0 where it says nothing, LIMIT_NONE for unlimited. */
struct limit_override {
	int64_t value[MAUI_LIMIT_MODES][MAUI_LIMIT_LEVELS][LIMIT_WIDTH];
	unsigned int modes; /* those that it says something of */
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

/* The holders of one type that maui.cfg names, by id. */
struct limit_holders {
	uint32_t *place; /* by id: which of them, 0 the DEFAULT's place */
	uint32_t count;  /* of elements; ids beyond have place 0 */
	uint32_t places; /* 0 included */
	uint32_t *row;   /* by place: reference of the row */
};

/* LIMIT[CREDTYPE[:name]] of holders of one type. */
struct limit_kind {
	unsigned int first;          /* the holder's type, MAUI_WHOLE_SYSTEM included */
	enum maui_credential second; /* CREDTYPE */
	uint32_t *general;           /* by the holder's place: reference of a row */
	bool named;                  /* there are entries with a name */
	unsigned int modes;
};

struct maui_limits {
	struct limit_row *rows; /* [0] limits nothing */
	uint32_t row_count, row_room;
	struct limit_holders holders[MAUI_LIMIT_HOLDERS];
	struct limit_override *override; /* by place of the QOS; [0]: none, for those not named */
	uint32_t default_qos;            /* the place of jobs without a QOS */
	struct limit_kind kinds[LIMIT_KINDS];
	unsigned int kind_count;
	struct limit_map named; /* kind, place, second's id -> reference of a row */
	unsigned int modes;     /* in which anything is limited */
};

/* ---- usage --------------------------------------------------------------------------------- */

/* What one holder's jobs, or the jobs that have both credentials of a pair, hold. PS and WC of
 * running jobs are not in amount: they are ends - rate * now. */
struct limit_cell {
	int64_t amount[2][LIMIT_WIDTH]; /* active, idle */
	uint64_t ends_ps, rate_ps;      /* SUM procs * end, SUM procs */
	uint64_t ends_wc, rate_wc;      /* SUM end, their number */
};

#define LIMIT_WHEEL 4096 /* seconds, a power of two */

struct maui_limit_usage {
	struct limit_cell *cells[MAUI_LIMIT_HOLDERS]; /* by id */
	uint32_t count[MAUI_LIMIT_HOLDERS];
	struct {
		unsigned int first;
		enum maui_credential second;
		unsigned int modes; /* others are not counted */
	} kinds[LIMIT_KINDS];
	unsigned int kind_count;
	struct limit_map pairs;        /* kind, id, id -> number of a pair cell */
	struct limit_cell *pair_cells; /* from 1 */
	uint64_t *pair_keys;           /* theirs */
	uint32_t pair_count, pair_room;
	int64_t base, now;                             /* times in cells are from base */
	struct maui_limit_holding *wheel[LIMIT_WHEEL]; /* running jobs by the second of their end */
};

/* What a job adds: its amounts in range. */
void maui_limit_request(const struct maui_limit_job *job, int64_t ret_request[LIMIT_WIDTH]);

/* The two outstanding amounts of running jobs. */
static inline int64_t limit_outstanding(uint64_t ends, uint64_t rate, int64_t now)
{
	return (int64_t)(ends - rate * (uint64_t)now);
}

/* What a cell holds now. */
int64_t limit_cell_amount(const struct maui_limit_usage *usage, const struct limit_cell *cell,
			  enum maui_limit_mode mode, enum maui_limit_metric metric);

/* The id of a job's holder of a type; false if it has none. */
static inline bool limit_holder(const struct maui_limit_job *job, unsigned int type,
				uint32_t *ret_id)
{
	*ret_id = type == MAUI_WHOLE_SYSTEM ? 1 : job->credential[type];
	return *ret_id || type == MAUI_QOS;
}

/* Cells for all holders of a job, and for its pairs that count in a mode. 0, -ENOMEM, -ERANGE. */
int maui_limit_usage_reserve(struct maui_limit_usage *usage, const struct maui_limit_job *job,
			     enum maui_limit_mode mode);

/* The place of a holder among those that maui.cfg names. */
static inline uint32_t limit_place(const struct maui_limits *limits, unsigned int type, uint32_t id)
{
	const struct limit_holders *holders = &limits->holders[type];

	if (type == MAUI_QOS && !id)
		return limits->default_qos;
	return id < holders->count ? holders->place[id] : 0;
}

/* The row of a pair: of the entry with a name, or the general one. */
static inline uint32_t limit_pair_reference(const struct maui_limits *limits, unsigned int kind,
					    uint32_t first, uint32_t second)
{
	const struct limit_kind *of = &limits->kinds[kind];
	uint32_t place = limit_place(limits, of->first, first), reference = 0;

	if (of->named) /* under the place that DEFAULT has, too */
		reference = limit_map_find(&limits->named, limit_map_key(kind, place, second));
	return reference ? reference : of->general[place];
}

#endif
