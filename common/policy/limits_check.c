/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One job against all limits. The loops over metrics have no branches: the first violation, which
 * is rare, is looked for again. */
#include "common/policy/limits_private.h"

static const unsigned int order[MAUI_LIMIT_HOLDERS] = {MAUI_USER,  MAUI_GROUP, MAUI_ACCOUNT,
						       MAUI_CLASS, MAUI_QOS,   MAUI_WHOLE_SYSTEM};

struct question {
	const struct maui_limits *limits;
	const struct maui_limit_usage *usage;
	const struct maui_limit_job *job;
	const struct limit_override *override; /* of the job's QOS */
	enum maui_limit_level level;           /* that was asked for */
	enum maui_limit_level in_mode;         /* idle limits have one level only */
	enum maui_limit_mode mode;
	int64_t now; /* from the usage's base */
	int64_t request[LIMIT_WIDTH];
};

static const struct limit_cell nothing;
static const struct maui_limit_verdict not_blocked;

/* What is in use. */
static inline void amounts(const struct question *question, const struct limit_cell *cell,
			   int64_t ret_used[LIMIT_WIDTH])
{
	if (question->mode == MAUI_LIMIT_SYSTEM)
		cell = &nothing;
	for (unsigned int i = 0; i < LIMIT_WIDTH; i++)
		ret_used[i] = cell->amount[question->mode == MAUI_LIMIT_IDLE][i];
	if (question->mode == MAUI_LIMIT_ACTIVE) {
		ret_used[MAUI_LIMIT_PS] +=
			limit_outstanding(cell->ends_ps, cell->rate_ps, question->now);
		ret_used[MAUI_LIMIT_WC] +=
			limit_outstanding(cell->ends_wc, cell->rate_wc, question->now);
	}
}

/* The mask of metrics that are violated. */
static inline unsigned int violated(const int64_t *request, const int64_t *used,
				    const int64_t *limit)
{
	unsigned int mask = 0;

	for (unsigned int i = 0; i < MAUI_LIMIT_METRICS; i++)
		mask |= (unsigned int)(request[i] + used[i] > limit[i]) << i;
	return mask;
}

/* Whether any metric is: the sign of what is left, of all at once. */
static inline bool exceeds(const struct question *question, const struct limit_cell *cell,
			   const int64_t *limit)
{
	const int64_t *used = cell->amount[question->mode == MAUI_LIMIT_IDLE];
	uint64_t left = 0;

	for (unsigned int i = 0; i < LIMIT_WIDTH; i++)
		left |= (uint64_t)limit[i] - (uint64_t)used[i] - (uint64_t)question->request[i];
	if (question->mode == MAUI_LIMIT_ACTIVE) {
		uint64_t now = (uint64_t)question->now;

		left |= (uint64_t)limit[MAUI_LIMIT_PS] - (uint64_t)used[MAUI_LIMIT_PS] -
			(cell->ends_ps - cell->rate_ps * now) -
			(uint64_t)question->request[MAUI_LIMIT_PS];
		left |= (uint64_t)limit[MAUI_LIMIT_WC] - (uint64_t)used[MAUI_LIMIT_WC] -
			(cell->ends_wc - cell->rate_wc * now) -
			(uint64_t)question->request[MAUI_LIMIT_WC];
	}
	return left >> 63;
}

/* The overrides in place of what a row says; only_limited: where it says something. */
static void override_row(const int64_t *override, bool only_limited, const int64_t *row,
			 int64_t ret_limit[LIMIT_WIDTH])
{
	for (unsigned int i = 0; i < LIMIT_WIDTH; i++) {
		bool applies = override[i] && !(only_limited && row[i] == LIMIT_NONE);

		ret_limit[i] = applies ? override[i] : row[i];
	}
}

/* What is asked of one holder or pair. */
struct subject {
	const struct limit_cell *cell;
	unsigned int type;
	uint32_t id;
	enum maui_credential second_type;
	uint32_t second_id;
	uint32_t reference; /* of its row */
	bool pair;
	bool present; /* the job has such a holder */
};

static bool overrides(const struct question *question, const struct subject *subject)
{
	bool system = subject->type == MAUI_WHOLE_SYSTEM;

	if (!question->override || !(question->override->modes & MAUI_LIMIT_BIT(question->mode)))
		return false;
	/* The limits of one job are the system's, all others the credentials'. */
	return system == (question->mode == MAUI_LIMIT_SYSTEM);
}

static bool __attribute__((noinline))
tell(const struct question *question, const struct subject *subject, unsigned int mask,
     const int64_t *limit, const int64_t *used, struct maui_limit_verdict *ret_verdict)
{
	unsigned int metric = (unsigned int)__builtin_ctz(mask);

	if (ret_verdict)
		*ret_verdict = (struct maui_limit_verdict){
			.blocked = true,
			.override = overrides(question, subject) &&
				    question->override->value[question->mode][question->in_mode]
							     [metric] != 0,
			.pair = subject->pair,
			.mode = question->mode,
			.level = question->in_mode,
			.metric = metric,
			.type = subject->type,
			.id = subject->id,
			.second_type = subject->second_type,
			.second_id = subject->second_id,
			.limit = limit[metric],
			.usage = used[metric],
			.request = question->request[metric]};
	return true;
}

static inline bool blocks(const struct question *question, const struct subject *subject,
			  struct maui_limit_verdict *ret_verdict)
{
	bool changed = overrides(question, subject);
	int64_t used[LIMIT_WIDTH], other[LIMIT_WIDTH];
	const int64_t *limit;
	unsigned int mask;

	if (!changed && !(limit_modes(subject->reference) & MAUI_LIMIT_BIT(question->mode)))
		return false;
	limit = question->limits->rows[limit_row_of(subject->reference)]
			.value[question->mode][question->in_mode];
	if (changed) {
		override_row(question->override->value[question->mode][question->in_mode],
			     subject->pair, limit, other);
		limit = other;
	}
	if (!exceeds(question, question->mode == MAUI_LIMIT_SYSTEM ? &nothing : subject->cell,
		     limit))
		return false;
	amounts(question, subject->cell, used);
	mask = violated(question->request, used, limit);
	return mask && tell(question, subject, mask, limit, used, ret_verdict);
}

/* A holder of the job's, and its row and usage on their way from memory. */
static void resolve(const struct question *question, unsigned int type, struct subject *ret_subject)
{
	const struct maui_limits *limits = question->limits;
	const struct maui_limit_usage *usage = question->usage;
	uint32_t id;

	*ret_subject = (struct subject){.type = type, .cell = &nothing};
	if (!limit_holder(question->job, type, &id))
		return;
	ret_subject->present = true;
	ret_subject->id = id;
	ret_subject->reference = limits->holders[type].row[limit_place(limits, type, id)];
	if (id < usage->count[type])
		ret_subject->cell = &usage->cells[type][id];
	for (unsigned int mode = 0; mode <= MAUI_LIMIT_IDLE; mode++)
		__builtin_prefetch(limits->rows[limit_row_of(ret_subject->reference)]
					   .value[mode][question->level]);
	__builtin_prefetch(&ret_subject->cell->amount[MAUI_LIMIT_ACTIVE]);
	__builtin_prefetch(&ret_subject->cell->amount[MAUI_LIMIT_IDLE]);
	__builtin_prefetch(&ret_subject->cell->rate_wc);
}

static inline bool pair_blocks(const struct question *question, unsigned int kind,
			       struct maui_limit_verdict *ret_verdict)
{
	const struct limit_kind *of = &question->limits->kinds[kind];
	const struct maui_limit_usage *usage = question->usage;
	struct subject subject = {.type = of->first, .pair = true, .second_type = of->second};
	uint32_t number;

	if (!(of->modes & MAUI_LIMIT_BIT(question->mode)) ||
	    !limit_holder(question->job, of->first, &subject.id) ||
	    !limit_holder(question->job, of->second, &subject.second_id))
		return false;
	subject.reference =
		limit_pair_reference(question->limits, kind, subject.id, subject.second_id);
	if (!(limit_modes(subject.reference) & MAUI_LIMIT_BIT(question->mode)))
		return false;
	number = limit_map_find(&usage->pairs, limit_map_key(kind, subject.id, subject.second_id));
	subject.cell = number ? &usage->pair_cells[number] : &nothing;
	return blocks(question, &subject, ret_verdict);
}

static bool system_ignored(const struct question *question)
{
	return question->override && question->override->ignores_system;
}

/* The holders are in the order in which they are looked at. */
static bool mode_blocks(const struct question *question,
			const struct subject holders[MAUI_LIMIT_HOLDERS],
			struct maui_limit_verdict *ret_verdict)
{
	for (unsigned int i = 0; i < MAUI_LIMIT_HOLDERS; i++)
		if (holders[i].present && blocks(question, &holders[i], ret_verdict))
			return true;
	for (unsigned int kind = 0; kind < question->limits->kind_count; kind++)
		if (pair_blocks(question, kind, ret_verdict))
			return true;
	return false;
}

bool maui_limits_check(const struct maui_limits *limits, const struct maui_limit_usage *usage,
		       const struct maui_limit_job *job, enum maui_limit_level level,
		       unsigned int modes, struct maui_limit_verdict *ret_verdict)
{
	struct question question; /* not zeroed: that would cost as much as a holder */
	struct subject holders[MAUI_LIMIT_HOLDERS];
	bool blocked = false;

	if (limits && (limits->modes & modes)) {
		uint32_t place = limit_place(limits, MAUI_QOS, job->credential[MAUI_QOS]);

		question.limits = limits;
		question.usage = usage;
		question.job = job;
		question.level = level;
		question.now = usage->now - usage->base;
		question.override = limits->override && place ? &limits->override[place] : NULL;
		maui_limit_request(job, question.request);
		for (unsigned int i = 0; i < MAUI_LIMIT_HOLDERS; i++)
			resolve(&question, order[i], &holders[i]);
		if (system_ignored(&question))
			holders[MAUI_LIMIT_HOLDERS - 1].present = false;
		for (unsigned int mode = 0; !blocked && mode < MAUI_LIMIT_MODES; mode++) {
			if (!(limits->modes & modes & MAUI_LIMIT_BIT(mode)))
				continue;
			question.mode = mode;
			question.in_mode = mode == MAUI_LIMIT_IDLE ? MAUI_LIMIT_HARD : level;
			blocked = mode_blocks(&question, holders, ret_verdict);
		}
	}
	if (!blocked && ret_verdict)
		*ret_verdict = not_blocked;
	return blocked;
}
