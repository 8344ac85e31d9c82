/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One job against all limits. The cost of a check is waiting for memory: so it first finds out
 * which holders and pairs to look at, and prefetches their limits and usage, each of which is one
 * cache line; then it looks. The first violation, which is rare, is then located within its line.
 */
#include <stdio.h>

#include "common/policy/limits/limits_private.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))

/* A holder of the job, or a pair. */
struct subject {
	const struct limit_active *active;
	const struct limit_idle *idle; /* if idle limits are checked */
	uint32_t reference;            /* its row */
	unsigned int type;             /* the holder's */
	const struct limit_kind *pair; /* NULL: the holder itself */
};
#define MAX_SUBJECTS (MAUI_LIMIT_HOLDERS + LIMIT_KINDS)

/* Not zeroed: that would cost more than checking a holder. */
struct question {
	const struct maui_limits *limits;
	const struct maui_limit_usage *usage;
	const struct maui_limit_job *job;
	const struct limit_override *override; /* by the job's QOS, in these modes */
	bool ignores_system;
	unsigned int modes;          /* those in which anything is limited */
	enum maui_limit_level level; /* as requested */
	int64_t now;                 /* since the usage's base */
	int64_t request[MAUI_LIMIT_METRICS];
	uint32_t id[MAUI_LIMIT_HOLDERS];            /* the job's holders */
	const uint32_t *record[MAUI_LIMIT_HOLDERS]; /* NULL: it has none */
	unsigned int count;
	struct subject subjects[MAX_SUBJECTS]; /* in the order in which they are checked */
};

static const struct limit_active no_active;
static const struct limit_idle no_idle;
static const struct maui_limit_verdict not_blocked;

/* ---- what to look at ----------------------------------------------------------------------- */

/* Idle limits have one level only. */
static inline enum maui_limit_level level_in(const struct question *question,
					     enum maui_limit_mode mode)
{
	return mode == MAUI_LIMIT_IDLE ? MAUI_LIMIT_HARD : question->level;
}

static inline const int64_t *limit_of(const struct question *question,
				      const struct subject *subject, enum maui_limit_mode mode)
{
	return question->limits
		->lines[mode][level_in(question, mode)][limit_row_of(subject->reference)]
		.value;
}

/* Prefetch what will be looked at. */
static ALWAYS_INLINE void ask_limits(const struct question *question, const struct subject *subject)
{
	unsigned int modes = limit_modes(subject->reference) & question->modes;

#pragma GCC unroll MAUI_LIMIT_MODES
	for (unsigned int mode = 0; mode < MAUI_LIMIT_MODES; mode++)
		if (modes & MAUI_LIMIT_BIT(mode))
			__builtin_prefetch(limit_of(question, subject, mode));
}

static ALWAYS_INLINE void ask_usage(const struct question *question, struct subject *subject,
				    const struct limit_cells *cells, uint32_t number)
{
	bool there = number < cells->count;

	subject->active = there ? &cells->active[number] : &no_active;
	__builtin_prefetch(subject->active);
	if (question->modes & MAUI_LIMIT_BIT(MAUI_LIMIT_IDLE)) {
		subject->idle = there ? &cells->idle[number] : &no_idle;
		if (limit_modes(subject->reference) & MAUI_LIMIT_BIT(MAUI_LIMIT_IDLE))
			__builtin_prefetch(subject->idle);
	}
}

/* A holder of the job, if anything limits it. */
static ALWAYS_INLINE void add_holder(struct question *question, unsigned int type)
{
	struct subject *subject = &question->subjects[question->count];
	uint32_t id;

	question->record[type] = NULL;
	if (!limit_holder(question->job, type, &id))
		return;
	question->id[type] = id;
	question->record[type] = limit_record(question->limits, type, id);
	subject->reference = question->record[type][LIMIT_OWN];
	if (!(limit_modes(subject->reference) & question->modes) && !question->override)
		return;
	if (type == MAUI_WHOLE_SYSTEM && question->ignores_system)
		return;
	subject->type = type;
	subject->pair = NULL;
	ask_limits(question, subject);
	ask_usage(question, subject, &question->usage->cells[type], id);
	question->count++;
}

static ALWAYS_INLINE void add_holders(struct question *question)
{
	add_holder(question, MAUI_USER);
	add_holder(question, MAUI_GROUP);
	add_holder(question, MAUI_ACCOUNT);
	add_holder(question, MAUI_CLASS);
	add_holder(question, MAUI_QOS);
	add_holder(question, MAUI_WHOLE_SYSTEM);
}

/* The pairs of the job's holders: all look-ups are started before the first is waited for. */
static ALWAYS_INLINE void add_pairs(struct question *question)
{
	const struct maui_limits *limits = question->limits;
	const struct limit_map *pairs = &question->usage->pairs;
	unsigned int first = question->count;
	uint64_t key[LIMIT_KINDS];
	uint32_t hash[LIMIT_KINDS];

	for (unsigned int kind = 0; kind < limits->kind_count; kind++) {
		const struct limit_kind *of = &limits->kinds[kind];
		struct subject *subject = &question->subjects[question->count];
		unsigned int i = question->count - first;

		if (!(of->modes & question->modes) || !question->record[of->first] ||
		    !question->record[of->second])
			continue;
		subject->reference = limit_pair_reference(limits, kind, question->record[of->first],
							  question->id[of->second]);
		if (!(limit_modes(subject->reference) & question->modes))
			continue;
		subject->type = of->first;
		subject->pair = of;
		ask_limits(question, subject);
		key[i] = limit_map_key(kind, question->id[of->first], question->id[of->second]);
		hash[i] = limit_map_begin(pairs, key[i]);
		question->count++;
	}
	for (unsigned int i = 0; first + i < question->count; i++)
		ask_usage(question, &question->subjects[first + i], &question->usage->pair_cells,
			  limit_map_end(pairs, hash[i], key[i]));
}

static ALWAYS_INLINE void limits_check_ask(struct question *question,
					   const struct maui_limits *limits,
					   const struct maui_limit_usage *usage,
					   const struct maui_limit_job *job,
					   enum maui_limit_level level, unsigned int modes)
{
	uint32_t qos = limit_record(limits, MAUI_QOS, job->credential[MAUI_QOS])[LIMIT_PLACE];
	const struct limit_override *override = &limits->override[qos];

	question->limits = limits;
	question->usage = usage;
	question->job = job;
	question->modes = limits->modes & modes;
	question->override = override->modes & modes ? override : NULL;
	question->ignores_system = override->ignores_system;
	question->level = level;
	question->now = usage->now - usage->base;
	question->count = 0;
	add_holders(question);
	add_pairs(question);
	maui_limit_request(job, question->request);
}

/* ---- looking ------------------------------------------------------------------------------- */

/* What is in use. of_gres: of a GRES's table; constant, so that other checks pay nothing for it. */
static ALWAYS_INLINE struct limit_line used_of(const struct question *question,
					       const struct subject *subject,
					       enum maui_limit_mode mode, bool of_gres)
{
	struct limit_line used = {{0}};

	if (mode == MAUI_LIMIT_ACTIVE)
		used = of_gres ? limit_gres_used(subject->active, question->now)
			       : limit_used(subject->active, question->now);
	if (mode == MAUI_LIMIT_IDLE)
		for (unsigned int i = 0; i < MAUI_LIMIT_METRICS; i++)
			used.value[i] = subject->idle->amount[i];
	return used;
}

/* What a limit leaves; negative if the job may not have it. */
static inline int64_t limits_check_left(int64_t limit, int64_t used, int64_t request)
{
	return (int64_t)((uint64_t)limit - (uint64_t)used - (uint64_t)request);
}

/* Whether any metric is violated: the signs of what is left, all at once. */
static ALWAYS_INLINE bool limits_check_exceeds(const struct question *question,
					       const struct subject *subject,
					       enum maui_limit_mode mode, const int64_t *limit,
					       bool of_gres)
{
	struct limit_line used = used_of(question, subject, mode, of_gres);
	int64_t signs = 0;

#pragma GCC unroll MAUI_LIMIT_METRICS
	for (unsigned int i = 0; i < MAUI_LIMIT_METRICS; i++)
		signs |= limits_check_left(limit[i], used.value[i], question->request[i]);
	return signs < 0;
}

/* Whose value the limit is, and how long. */
static void tell_period(const struct question *question, const struct subject *subject,
			struct maui_limit_verdict *verdict)
{
	const struct maui_limits *limits = question->limits;
	struct limit_period period =
		verdict->override
			? limit_period_of(limits, limits->override_periods,
					  (uint32_t)(question->override - limits->override),
					  verdict->mode, verdict->metric)
			: limit_period_of(limits, limits->row_periods,
					  limit_row_of(subject->reference), verdict->mode,
					  verdict->metric);
	const char *name = limit_period_name(limits, period);

	verdict->until = limit_period_until(limits, period);
	if (name)
		snprintf(verdict->period, sizeof(verdict->period), "%s", name);
}

/* The verdict on a job that exceeds limits, some of which may be the QOS's overrides. */
static bool __attribute__((noinline))
limits_check_report(const struct question *question, const struct subject *subject,
		    enum maui_limit_mode mode, const int64_t *limit, const int64_t *override,
		    struct maui_limit_verdict *ret_verdict)
{
	struct limit_line used = used_of(question, subject, mode, question->usage->of_gres);
	unsigned int metric = 0;

	if (!ret_verdict)
		return true;
	while (metric < MAUI_LIMIT_METRICS - 1 &&
	       limits_check_left(limit[metric], used.value[metric], question->request[metric]) >= 0)
		metric++;
	*ret_verdict = (struct maui_limit_verdict){.blocked = true,
						   .override = override && override[metric],
						   .mode = mode,
						   .level = level_in(question, mode),
						   .metric = metric,
						   .type = subject->type,
						   .id = question->id[subject->type],
						   .limit = limit[metric],
						   .usage = used.value[metric],
						   .request = question->request[metric]};
	if (subject->pair) {
		ret_verdict->pair = true;
		ret_verdict->second_type = subject->pair->second;
		ret_verdict->second_id = question->id[subject->pair->second];
	}
	tell_period(question, subject, ret_verdict);
	return true;
}

/* One mode, without overrides. */
static ALWAYS_INLINE bool limits_check_blocks(const struct question *question,
					      enum maui_limit_mode mode, bool of_gres,
					      struct maui_limit_verdict *ret_verdict)
{
	for (unsigned int i = 0; i < question->count; i++) {
		const struct subject *subject = &question->subjects[i];
		const int64_t *limit;

		if (!(limit_modes(subject->reference) & MAUI_LIMIT_BIT(mode)))
			continue;
		limit = limit_of(question, subject, mode);
		if (limits_check_exceeds(question, subject, mode, limit, of_gres))
			return limits_check_report(question, subject, mode, limit, NULL,
						   ret_verdict);
	}
	return false;
}

/* An override of a limit on one job replaces the system's; all others replace the credentials'. */
static bool limits_check_overridden(const struct subject *subject, enum maui_limit_mode mode)
{
	return (subject->type == MAUI_WHOLE_SYSTEM) == (mode == MAUI_LIMIT_SYSTEM);
}

/*
 * The same if the job's QOS overrides its holders' limits; those of pairs only where there are any.
 */
static ALWAYS_INLINE bool blocks_overridden(const struct question *question,
					    enum maui_limit_mode mode, bool of_gres,
					    struct maui_limit_verdict *ret_verdict)
{
	const int64_t *override = question->override->line[mode][level_in(question, mode)].value;

	for (unsigned int i = 0; i < question->count; i++) {
		const struct subject *subject = &question->subjects[i];
		const int64_t *row = limit_of(question, subject, mode);
		bool applies = limits_check_overridden(subject, mode);
		struct limit_line limit;

		for (unsigned int j = 0; j < LIMIT_WIDTH; j++)
			limit.value[j] =
				applies && override[j] && !(subject->pair && row[j] == LIMIT_NONE)
					? override[j]
					: row[j];
		if (limits_check_exceeds(question, subject, mode, limit.value, of_gres))
			return limits_check_report(question, subject, mode, limit.value,
						   applies ? override : NULL, ret_verdict);
	}
	return false;
}

static bool __attribute__((noinline))
procs_overridden(const struct question *question, enum maui_limit_mode mode,
		 struct maui_limit_verdict *ret_verdict)
{
	return blocks_overridden(question, mode, false, ret_verdict);
}

static bool __attribute__((noinline))
gres_overridden(const struct question *question, enum maui_limit_mode mode,
		struct maui_limit_verdict *ret_verdict)
{
	return blocks_overridden(question, mode, true, ret_verdict);
}

static ALWAYS_INLINE bool mode_blocks(const struct question *question, enum maui_limit_mode mode,
				      bool of_gres, struct maui_limit_verdict *ret_verdict)
{
	if (!(question->modes & MAUI_LIMIT_BIT(mode)))
		return false;
	if (question->override && question->override->modes & MAUI_LIMIT_BIT(mode))
		return of_gres ? gres_overridden(question, mode, ret_verdict)
			       : procs_overridden(question, mode, ret_verdict);
	return limits_check_blocks(question, mode, of_gres, ret_verdict);
}

/* One table that limits something in these modes. */
static ALWAYS_INLINE bool table_blocks(const struct maui_limits *limits,
				       const struct maui_limit_usage *usage,
				       const struct maui_limit_job *job,
				       enum maui_limit_level level, unsigned int modes,
				       bool of_gres, struct maui_limit_verdict *ret_verdict)
{
	struct question question;

	limits_check_ask(&question, limits, usage, job, level, modes);
	return mode_blocks(&question, MAUI_LIMIT_ACTIVE, of_gres, ret_verdict) ||
	       mode_blocks(&question, MAUI_LIMIT_IDLE, of_gres, ret_verdict) ||
	       mode_blocks(&question, MAUI_LIMIT_SYSTEM, of_gres, ret_verdict);
}

/* The job's GRES, each against a table of its own. Apart, so that other jobs do not pay for it. */
static bool __attribute__((noinline))
gres_blocks(const struct maui_limits *limits, const struct maui_limit_usage *usage,
	    const struct maui_limit_job *job, enum maui_limit_level level, unsigned int modes,
	    struct maui_limit_verdict *ret_verdict)
{
	LIMIT_EACH_GRES(limits->gres_mask & usage->gres_mask & maui_gres_mask(job->gres), i)
	{
		const struct limit_gres *gres = &limits->gres[i];
		struct maui_limit_job as_procs = limit_gres_job(job, i);

		if (!(gres->limits->modes & modes) ||
		    !table_blocks(gres->limits, usage->gres[i], &as_procs, level, modes, true,
				  ret_verdict))
			continue;
		if (ret_verdict) {
			ret_verdict->metric = limit_gres_metric(ret_verdict->metric);
			memcpy(ret_verdict->gres, gres->name, sizeof(ret_verdict->gres));
		}
		return true;
	}
	return false;
}

bool maui_limits_check(const struct maui_limits *limits, const struct maui_limit_usage *usage,
		       const struct maui_limit_job *job, enum maui_limit_level level,
		       unsigned int modes, struct maui_limit_verdict *ret_verdict)
{
	if (limits && (limits->modes & modes) &&
	    table_blocks(limits, usage, job, level, modes, false, ret_verdict))
		return true;
	if (job->gres && limits && (limits->gres_mask & job->gres->amounts.mask) &&
	    gres_blocks(limits, usage, job, level, modes, ret_verdict))
		return true;
	if (ret_verdict)
		*ret_verdict = not_blocked;
	return false;
}
