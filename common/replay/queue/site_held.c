/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who is held back by which rule, and since when. Time is counted for a kind as a whole, when its
 * rule changes or a job joins or leaves it: nothing is done for each second or for each job.
 */
#include "common/replay/queue/site_held.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "common/util/memory.h"

#define NO_RULE    0u
#define OF_STOCK   UINT64_MAX /* what of a limit of Slurm's: whom is the limit and its holder */
#define FIRST_ROOM 64u

/* A rule of a holder as two numbers. */
struct rule_key {
	uint64_t what, whom;
};

struct rule {
	struct rule_key key;
	struct maui_refusal example;
	struct maui_stock_refusal stock; /* of a key that is a limit of Slurm's */
	size_t jobs;
	int64_t seconds;
	double processor_seconds;
};

struct site_held {
	struct rule *rules; /* from 1 */
	size_t count, room;
	/* open addressing, powers of two; 0: free */
	uint32_t *by_key;
	size_t key_room;
	uint32_t *first;  /* by job: the first rule that held it; NO_RULE */
	uint64_t *others; /* pairs of a job and another rule, from 1 */
	size_t other_count, other_room;
};

static uint64_t held_mixed(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

/* ---- rules ---- */

static uint64_t hash_of_text(const char *text)
{
	uint64_t hash = 0;

	while (*text)
		hash = held_mixed(hash, (unsigned char)*text++);
	return hash;
}

static struct rule_key key_of(const struct maui_refusal *refusal)
{
	const struct maui_limit_verdict *limit = &refusal->limit;
	uint64_t what = refusal->kind;

	switch (refusal->kind) {
	case MAUI_REFUSAL_LIMIT:
		what |= (uint64_t)limit->mode << 4 | (uint64_t)limit->level << 8 |
			(uint64_t)limit->metric << 12 | (uint64_t)limit->type << 20 |
			(uint64_t)limit->pair << 24 | (uint64_t)limit->override << 25 |
			(uint64_t)limit->second_type << 28;
		what ^= hash_of_text(limit->gres) << 32;
		return (struct rule_key){what, (uint64_t)limit->id << 32 | limit->second_id};
	case MAUI_REFUSAL_FSCAP:
		what |= (uint64_t)refusal->cap.mode << 4 | (uint64_t)refusal->cap.type << 20;
		return (struct rule_key){what, refusal->id};
	default:
		what |= (uint64_t)refusal->qos.type << 20;
		return (struct rule_key){what, (uint64_t)refusal->qos.id << 32 | refusal->id};
	}
}

static bool same_key(const struct rule_key *a, const struct rule_key *b)
{
	return a->what == b->what && a->whom == b->whom;
}

/* Where it is, or would be. */
static uint32_t *held_find(const struct site_held *held, const struct rule_key *key)
{
	size_t at = held_mixed(key->what, key->whom) & (held->key_room - 1);

	while (held->by_key[at] && !same_key(&held->rules[held->by_key[at]].key, key))
		at = (at + 1) & (held->key_room - 1);
	return &held->by_key[at];
}

static void held_rehash(struct site_held *held)
{
	size_t room = held->key_room ? 2 * held->key_room : FIRST_ROOM;
	uint32_t *wider = maui_calloc(room, sizeof(*wider));

	free(held->by_key);
	held->by_key = wider;
	held->key_room = room;
	for (size_t i = 1; i <= held->count; i++)
		*held_find(held, &held->rules[i].key) = (uint32_t)i;
}

/* A rule that is there once: as given, but for its account. */
static uint32_t held_rule(struct site_replay *replay, const struct rule *rule)
{
	struct site_held *held = replay->held_by;
	uint32_t *at = held_find(held, &rule->key);

	if (*at)
		return *at;
	held->rules = maui_grow(held->rules, held->count + 2, &held->room, sizeof(*held->rules));
	if (2 * (held->count + 1) > held->key_room)
		held_rehash(held);
	held->rules[++held->count] = *rule;
	*held_find(held, &rule->key) = (uint32_t)held->count;
	return (uint32_t)held->count;
}

static uint32_t rule_of(struct site_replay *replay, const struct maui_refusal *refusal)
{
	return held_rule(replay, &(struct rule){.key = key_of(refusal), .example = *refusal});
}

static uint32_t rule_of_stock(struct site_replay *replay, const struct maui_stock_refusal *refusal)
{
	uint64_t whom = (uint64_t)refusal->limit << 32 | refusal->whom;

	return held_rule(replay, &(struct rule){.key = {OF_STOCK, whom}, .stock = *refusal});
}

/* ---- how many jobs a rule has held ---- */

/* Where the pair is, or would be. */
static uint64_t *find_other(const struct site_held *held, uint64_t pair)
{
	size_t at = held_mixed(0, pair) & (held->other_room - 1);

	while (held->others[at] && held->others[at] != pair)
		at = (at + 1) & (held->other_room - 1);
	return &held->others[at];
}

static void widen_others(struct site_held *held)
{
	size_t before = held->other_room;
	uint64_t *narrow = held->others, *wider;
	size_t room = before ? 2 * before : FIRST_ROOM;

	wider = maui_calloc(room, sizeof(*wider));
	held->others = wider;
	held->other_room = room;
	for (size_t i = 0; i < before; i++)
		if (narrow[i])
			*find_other(held, narrow[i]) = narrow[i];
	free(narrow);
}

/* A job that several rules hold in turn counts once for each. */
static void count_job(struct site_replay *replay, uint32_t job, uint32_t rule)
{
	struct site_held *held = replay->held_by;
	uint64_t pair = (uint64_t)job << 32 | rule, *at;

	if (held->first[job] == rule)
		return;
	if (held->first[job] == NO_RULE) {
		held->first[job] = rule;
		held->rules[rule].jobs++;
		return;
	}
	if (2 * (held->other_count + 1) > held->other_room)
		widen_others(held);
	at = find_other(held, pair);
	held->rules[rule].jobs += !*at;
	held->other_count += !*at;
	*at = pair;
}

/* Those of a kind that have come since the last time, unless another two rules were in between. */
static void count_jobs(struct site_replay *replay, struct site_kind *kind)
{
	struct site_counted *counted = kind->counted;
	uint32_t last;

	if (counted[0].rule != kind->rule) {
		struct site_counted other = counted[1];

		counted[1] = counted[0];
		counted[0] = other.rule == kind->rule
				     ? other
				     : (struct site_counted){.rule = kind->rule, .last = NO_JOB};
	}
	last = counted[0].last;
	for (uint32_t job = kind->last; job != NO_JOB && (last == NO_JOB || job > last);
	     job = replay->before[job])
		count_job(replay, job, kind->rule);
	counted[0].last = kind->last;
}

/* ---- time ---- */

static void add_time(struct site_replay *replay, uint32_t rule, int64_t seconds, uint32_t jobs,
		     uint32_t procs)
{
	struct rule *of = &replay->held_by->rules[rule];

	of->seconds += seconds * jobs;
	of->processor_seconds += (double)seconds * jobs * procs;
}

void site_held_settle(struct site_replay *replay, struct site_kind *kind)
{
	int64_t seconds = replay->now - kind->held_since;

	if (kind->rule == NO_RULE)
		return;
	if (kind->count)
		add_time(replay, kind->rule, seconds, kind->count,
			 replay->trace->jobs[kind->first].procs);
	kind->held_total += seconds;
	kind->held_since = replay->now;
}

static void held_set(struct site_replay *replay, struct site_kind *kind, uint32_t rule)
{
	if (rule != kind->rule) {
		site_held_settle(replay, kind);
		if (!rule)
			replay->barred -= kind->count;
		else if (!kind->rule)
			replay->barred += kind->count;
		kind->rule = rule;
		kind->held_since = replay->now;
	}
	if (rule)
		count_jobs(replay, kind);
}

void site_held_set(struct site_replay *replay, struct site_kind *kind,
		   const struct maui_refusal *refusal)
{
	held_set(replay, kind, refusal ? rule_of(replay, refusal) : NO_RULE);
}

void site_held_settle_newcomer(struct site_replay *replay, struct site_newcomer *newcomer)
{
	int64_t seconds = replay->now - newcomer->held_since;

	if (newcomer->rule == NO_RULE)
		return;
	add_time(replay, newcomer->rule, seconds, 1, replay->trace->jobs[newcomer->job].procs);
	replay->schedule->held.seconds[newcomer->job] += seconds;
	newcomer->held_since = replay->now;
}

static void held_set_newcomer(struct site_replay *replay, struct site_newcomer *newcomer,
			      uint32_t rule)
{
	site_held_settle_newcomer(replay, newcomer);
	replay->barred -= newcomer->rule != NO_RULE;
	newcomer->rule = rule;
	newcomer->held_since = replay->now;
	if (rule == NO_RULE)
		return;
	replay->barred++;
	count_job(replay, newcomer->job, newcomer->rule);
}

void site_held_set_newcomer(struct site_replay *replay, struct site_newcomer *newcomer,
			    const struct maui_refusal *refusal)
{
	held_set_newcomer(replay, newcomer, rule_of(replay, refusal));
}

void site_held_set_stock(struct site_replay *replay, uint32_t job,
			 const struct maui_stock_refusal *refusal)
{
	uint32_t rule = refusal ? rule_of_stock(replay, refusal) : NO_RULE;

	if (replay->kind_of[job] == NO_KIND)
		held_set_newcomer(replay, &replay->newcomers[replay->before[job]], rule);
	else
		held_set(replay, &replay->kinds[replay->kind_of[job]], rule);
}

/* ---- the account ---- */

void site_held_open(struct site_replay *replay)
{
	size_t room = replay->trace->count + 1;

	replay->held_by = maui_calloc(1, sizeof(*replay->held_by));
	replay->schedule->held.seconds = maui_calloc(room, sizeof(int64_t));
	replay->held_by->first = maui_calloc(room, sizeof(uint32_t));
	held_rehash(replay->held_by);
}

void site_held_clear(struct site_replay *replay)
{
	if (!replay->held_by)
		return;
	free(replay->held_by->rules);
	free(replay->held_by->by_key);
	free(replay->held_by->first);
	free(replay->held_by->others);
	free(replay->held_by);
}

static void name_holder(const struct site_replay *replay, unsigned int type, uint32_t id,
			char name[MAUI_REPLAY_NAME_SIZE])
{
	const char *text = NULL;

	if (type >= MAUI_CREDENTIALS)
		text = "";
	else if (type == MAUI_USER || type == MAUI_GROUP)
		text = maui_intern_name(replay->trace->names[type],
					maui_names_number(replay->names, type, id));
	else if (id)
		text = maui_names_name(replay->names, type, id);
	snprintf(name, MAUI_REPLAY_NAME_SIZE, "%s", text ? text : "DEFAULT");
}

static const char *type_name(unsigned int type)
{
	return type < MAUI_CREDENTIALS ? maui_credential_name(type) : "system";
}

static void name_limit(const struct site_replay *replay, const struct maui_limit_verdict *limit,
		       struct maui_replay_hold *hold)
{
	char name[MAUI_LIMIT_NAME_SIZE];

	snprintf(hold->rule, sizeof(hold->rule), "%s%s",
		 limit->level == MAUI_LIMIT_SOFT ? "soft " : "",
		 maui_limit_verdict_name(limit, name));
	hold->holder_type = type_name(limit->type);
	name_holder(replay, limit->type, limit->id, hold->holder);
	if (!limit->pair)
		return;
	hold->second_type = type_name(limit->second_type);
	name_holder(replay, limit->second_type, limit->second_id, hold->second);
}

static void held_tell(const struct site_replay *replay, const struct rule *rule,
		      struct maui_replay_hold *hold)
{
	const struct maui_refusal *refusal = &rule->example;

	*hold = (struct maui_replay_hold){.jobs = rule->jobs,
					  .seconds = rule->seconds,
					  .processor_seconds = rule->processor_seconds};
	if (rule->key.what == OF_STOCK) {
		maui_stock_run_name(replay->stock, &rule->stock, hold);
		return;
	}
	if (refusal->kind == MAUI_REFUSAL_LIMIT) {
		name_limit(replay, &refusal->limit, hold);
		return;
	}
	if (refusal->kind == MAUI_REFUSAL_FSCAP) {
		snprintf(hold->rule, sizeof(hold->rule), "FSTARGET cap");
		hold->holder_type = type_name(refusal->cap.type);
		name_holder(replay, refusal->cap.type, refusal->id, hold->holder);
		return;
	}
	snprintf(hold->rule, sizeof(hold->rule), "QLIST");
	hold->holder_type = type_name(refusal->qos.type);
	name_holder(replay, refusal->qos.type, refusal->qos.id, hold->holder);
	hold->second_type = type_name(MAUI_QOS);
	name_holder(replay, MAUI_QOS, refusal->id, hold->second);
}

static int by_seconds(const void *a, const void *b)
{
	const struct maui_replay_hold *x = a, *y = b;
	int order;

	if (x->seconds != y->seconds)
		return x->seconds < y->seconds ? 1 : -1;
	if (x->jobs != y->jobs)
		return x->jobs < y->jobs ? 1 : -1;
	order = strcmp(x->holder, y->holder);
	return order ? order : strcmp(x->rule, y->rule);
}

void site_held_finish(struct site_replay *replay)
{
	struct maui_replay_held *result = &replay->schedule->held;
	const struct site_held *held = replay->held_by;

	for (size_t i = 0; i < replay->snapshot->count; i++) {
		struct site_kind *kind = &replay->kinds[replay->kind_at[i]];

		site_held_settle(replay, kind);
		for (uint32_t job = kind->first; job != NO_JOB; job = replay->after[job])
			result->seconds[job] += kind->held_total;
	}
	for (size_t i = 0; i < replay->newcomer_count; i++)
		if (replay->newcomers[i].job != NO_JOB)
			site_held_settle_newcomer(replay, &replay->newcomers[i]);
	result->holds = maui_calloc(held->count + 1, sizeof(*result->holds));
	for (size_t i = 1; i <= held->count; i++)
		held_tell(replay, &held->rules[i], &result->holds[result->count++]);
	qsort(result->holds, result->count, sizeof(*result->holds), by_seconds);
}
