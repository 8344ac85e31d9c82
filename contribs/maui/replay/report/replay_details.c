/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is told of each schedule beside its figures, as JSON. */
#include "common/report/json.h"
#include "contribs/maui/replay/report/replay_facts.h"
#include "contribs/maui/replay/report/replay_reserved.h"

/* ---- groups ---- */

static struct json_object *groups_json(const struct replay_facts *facts,
				       const struct replay_account *account)
{
	struct json_object *object = json_make_object();

	for (int by = 0; by < MAUI_REPLAY_BYS; by++) {
		struct json_object *list = json_make_array();

		for (size_t i = 0; i < facts->by[by].count; i++) {
			const struct maui_replay_measures *measures = &account->groups[by][i];
			struct json_object *group = replay_measures_json(measures);

			json_set_text(group, "name", facts->by[by].names[i]);
			json_set_number(group, "backfilled", (int64_t)measures->backfilled);
			json_set_number(group, "apart", (int64_t)measures->apart);
			json_set_number(group, "never", (int64_t)measures->never);
			json_append(list, group);
		}
		json_set(object, maui_replay_by_name((enum maui_replay_by)by), list);
	}
	return object;
}

/* ---- over time ---- */

static struct json_object *timeline_json(const struct replay_facts *facts,
					 const struct replay_account *account)
{
	struct json_object *object = json_make_object(), *used = json_make_array();
	struct json_object *waiting = json_make_array(), *wanted = json_make_array();

	for (size_t i = 0; i < facts->steps; i++) {
		json_append(used, json_make_real(account->moments[i].used));
		json_append(waiting, json_make_real(account->moments[i].waiting));
		json_append(wanted, json_make_real(account->moments[i].wanted));
	}
	json_set_number(object, "begin", facts->begin);
	json_set_number(object, "step", facts->step);
	json_set(object, "used", used);
	json_set(object, "waiting", waiting);
	json_set(object, "wanted", wanted);
	return object;
}

/* ---- who was held ---- */

static struct json_object *held_json(const struct maui_replay_held *held)
{
	struct json_object *list = json_make_array();

	for (size_t i = 0; i < held->count; i++) {
		const struct maui_replay_hold *hold = &held->holds[i];
		struct json_object *object = json_make_object();

		json_set_text(object, "rule", hold->rule);
		json_set_text(object, "holder_type", hold->holder_type);
		json_set_text(object, "holder", hold->holder);
		json_set_text(object, "second_type", hold->second_type);
		json_set_text(object, "second", hold->second_type ? hold->second : NULL);
		json_set_number(object, "jobs", (int64_t)hold->jobs);
		json_set_number(object, "seconds", hold->seconds);
		json_set_real(object, "processor_seconds", hold->processor_seconds);
		json_append(list, object);
	}
	return list;
}

/* ---- shares ---- */

static struct json_object *replay_details_reals(const double *values, size_t count)
{
	struct json_object *list = json_make_array();

	for (size_t i = 0; i < count; i++)
		json_append(list, json_make_real(values[i]));
	return list;
}

static struct json_object *shares_json(const struct maui_replay_shares *shares)
{
	struct json_object *object = json_make_object(), *list = json_make_array();

	for (size_t i = 0; i < shares->count; i++) {
		const struct maui_replay_holder *share = &shares->shares[i];
		const char mark[2] = {maui_fstarget_mark(share->target.mode), '\0'};
		struct json_object *one = json_make_object();

		json_set_text(one, "type", maui_credential_name(share->type));
		json_set_text(one, "name", share->name);
		json_set_real(one, "target", share->target.value);
		json_set_text(one, "mark", mark);
		json_set_real(one, "percent", share->percent);
		json_set(one, "window", replay_details_reals(share->window, shares->windows));
		json_set(one, "counted", replay_details_reals(share->counted, shares->windows));
		json_append(list, one);
	}
	json_set_number(object, "begin", shares->begin);
	json_set_number(object, "interval", shares->interval);
	json_set(object, "holders", list);
	json_set_number(object, "more", (int64_t)shares->more);
	json_set_flag(object, "cut", shares->too_long);
	return object;
}

/* ---- who gains and loses ---- */

static struct json_object *changes_json(const struct replay_report *report, size_t side,
					const struct maui_replay_change *changes, size_t count)
{
	struct json_object *list = json_make_array();

	for (size_t i = 0; i < count; i++) {
		const struct maui_replay_job *job = &report->trace->jobs[changes[i].job];
		struct json_object *object = json_make_object();
		char id[MAUI_REPLAY_ID_SIZE];

		json_set_text(object, "id", maui_replay_job_id(job, id));
		json_set_number(object, "job", job->number);
		json_set_text(object, "user", replay_user(report, changes[i].job));
		json_set_number(object, "submitted", job->submitted);
		json_set_number(object, "processors", job->procs);
		json_set_number(object, "run_time", job->run);
		json_set_number(object, "first_wait", replay_wait(report, 0, changes[i].job));
		json_set_number(object, "wait", replay_wait(report, side, changes[i].job));
		json_append(list, object);
	}
	return list;
}

static struct json_object *difference_json(const struct replay_report *report,
					   const struct replay_facts *facts, size_t side)
{
	const struct maui_replay_difference *d = &facts->side[side].difference;
	struct json_object *object = json_make_object();

	json_set_number(object, "earlier", (int64_t)d->earlier);
	json_set_number(object, "same", (int64_t)d->same);
	json_set_number(object, "later", (int64_t)d->later);
	json_set_number(object, "only_first", (int64_t)d->only_first);
	json_set_number(object, "only_here", (int64_t)d->only_second);
	json_set_real(object, "mean", d->mean);
	json_set(object, "gains", changes_json(report, side, d->gains, d->gain_count));
	json_set(object, "losses", changes_json(report, side, d->losses, d->loss_count));
	json_set(object, "reservations", replay_reserved_changes_json(report, side));
	return object;
}

void replay_details_json(const struct replay_report *report, const struct replay_facts *facts,
			 size_t side, struct json_object *object)
{
	const struct replay_account *account = &facts->side[side];
	const struct maui_replay_held *held = &report->side[side].schedule.held;

	json_set(object, "groups", groups_json(facts, account));
	json_set(object, "timeline", timeline_json(facts, account));
	json_set(object, "held", held->seconds ? held_json(held) : NULL);
	json_set(object, "reservations", replay_reserved_json(&report->side[side]));
	json_set(object, "shares", account->shares.count ? shares_json(&account->shares) : NULL);
	json_set(object, "against_first", side ? difference_json(report, facts, side) : NULL);
}

void replay_recorded_json(const struct replay_facts *facts, struct json_object *object)
{
	json_set(object, "groups", groups_json(facts, &facts->recorded));
	json_set(object, "timeline", timeline_json(facts, &facts->recorded));
}
