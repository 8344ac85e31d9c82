/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Carries out `maui disable` and `maui enable`: changes the file `disabled` and
 * binds the policy anew. The answer counts the jobs and reservations still
 * marked by Maui.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/service/disable.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/report/json.h"
#include "common/state/files.h"
#include "common/util/memory.h"
#include "plugins/engine/limits/limits.h"
#include "plugins/engine/nodes/node_order.h"
#include "plugins/engine/policy/in_force.h"
#include "plugins/engine/queue/job_queue.h"
#include "plugins/engine/reservation/rsv_asked.h"
#include "plugins/engine/reservation/rsv_name_table.h"
#include "plugins/engine/reservation/rsv_policy.h"
#include "plugins/engine/reservation/rsv_view.h"
#include "plugins/engine/reservation/rsv_when.h"
#include "plugins/engine/runtime/monotonic.h"
#include "plugins/engine/runtime/retry.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/runtime/statefile.h"
#include "plugins/engine/slurm/jobrec.h"
#include "plugins/engine/slurm/mark.h"
#include "plugins/engine/slurm/pass.h"
#include "plugins/engine/slurm/records.h"
#include "plugins/engine/slurm/resvrec.h"
#include "plugins/engine/start/priorities.h"

/* Seconds to wait at most: the command waits ten in all (lanes.h). */
#define PATIENCE 8

/* Names of remaining reservations in one answer, and jobs with a system priority. */
#define MAX_NAMES 1000

ENGINE_GUARDED static struct {
	bool wanted; /* there is an order */
	bool disable;
	uid_t uid;
	uint64_t given, taken, done; /* orders, by number */
	struct maui_error why;       /* why the last one failed; "": it did not */
	bool passes;                 /* jobs may still have passes */
} orders;

static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;

ENGINE_GUARDED static struct retry again; /* the file could not be looked for */

/* ---- the file ---- */

enum state_answer disable_read(const struct site *site)
{
	return stateload(&maui_disabled_file, site->state_directory, NULL);
}

/* Only its existence counts; its text is for people. */
static int write_file(const char *directory, uid_t uid, struct maui_error *why)
{
	char text[128], date[32], first[MAUI_STATE_FIRST_LINE];
	time_t now = time(NULL);
	struct tm local;
	int size;

	if (!localtime_r(&now, &local) ||
	    !strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &local))
		date[0] = '\0';
	size = snprintf(text, sizeof(text), "%ssince %s by uid %u\n",
			maui_state_first_line(&maui_disabled_file, first), date, (unsigned int)uid);
	return statefile_replace(directory, maui_disabled_file.name, text, (size_t)size, why);
}

static int change_file(bool disable, uid_t uid, struct maui_error *why)
{
	char *directory, path[PATH_MAX];
	int rc;

	engine_lock();
	directory = engine_state_directory();
	engine_unlock();
	rc = disable ? write_file(directory, uid, why)
		     : statefile_remove(directory, maui_disabled_file.name, why);
	if (!rc) {
		snprintf(path, sizeof(path), "%s/%s", directory, maui_disabled_file.name);
		stateload_known(path);
	}
	free(directory);
	return rc;
}

/* ---- in force ---- */

void disable_adopt(enum state_answer answer)
{
	bool disabled = answer == STATE_READ;

	engine.disabled_unread = answer == STATE_NOT_NOW;
	retry_note(&again, engine.disabled_unread);
	if (engine.disabled_unread || engine.disabled == disabled)
		return;
	engine.disabled = orders.passes = disabled;
	limits_forget();
	limits_bind(in_force.policy, in_force.principals);
	rsv_policy_switch();
	rsv_view_forget();
	rsv_when_wanted();
	node_order_policy(disabled ? NULL : in_force.policy);
}

void disable_tell(void)
{
	info("maui: disabled: only priorities are Maui's; no limits, no reservations. `maui "
	     "enable` puts maui.cfg in force again");
}

static int forget_pass(job_record_t *job, void *writer)
{
	rsv_pass_forget(writer, job);
	return 0;
}

/* Running jobs included: Slurm would keep the pass for their next run. */
static void forget_passes(void)
{
	slurmctld_lock_t job_write = {.job = WRITE_LOCK};
	struct slurm_writer *writer;
	bool due;

	engine_lock();
	due = orders.passes;
	orders.passes = false;
	engine_unlock();
	if (!due)
		return;
	writer = slurm_writer_begin(job_write);
	if (!writer)
		return;
	jobrec_each(forget_pass, writer);
	slurm_writer_end(writer, job_write);
}

/* ---- orders: the engine's thread ---- */

bool disable_waits(void)
{
	return orders.wanted;
}

static void carry_out(void)
{
	struct maui_error why = {""};
	bool disable, changes;
	uid_t uid;
	int rc = 0;

	engine_lock();
	disable = orders.disable;
	uid = orders.uid;
	orders.wanted = false;
	orders.taken = orders.given;
	changes = engine.disabled != disable || engine.disabled_unread;
	engine_unlock();
	if (!engine_is_primary())
		rc = maui_error_set(&why, EAGAIN, "this controller is no longer in charge");
	else if (changes || !disable)
		rc = change_file(disable, uid, &why);
	engine_lock();
	orders.why = why;
	if (!rc)
		disable_adopt(disable ? STATE_READ : STATE_ABSENT);
	engine_unlock();
	if (!rc && changes)
		info("maui: %s by uid %u", disable ? "disabled" : "enabled", (unsigned int)uid);
}

static void disable_run(void)
{
	bool wanted;

	engine_lock();
	wanted = orders.wanted;
	engine_unlock();
	if (wanted)
		carry_out();
	forget_passes();
}

static double disable_due(double now)
{
	(void)now;
	engine_assert_locked();
	return retry_due(&again);
}

/* Reservations that stayed as they were are rolled now. */
static void look_again(void)
{
	enum state_answer answer;
	char *directory;

	engine_lock();
	directory = engine_state_directory();
	engine_unlock();
	answer = stateload(&maui_disabled_file, directory, NULL);
	free(directory);
	engine_lock();
	disable_adopt(answer);
	if (answer != STATE_NOT_NOW) {
		rsv_when_now();
		engine_want_refresh();
	}
	engine_unlock();
	if (answer == STATE_READ)
		disable_tell();
}

/* The order's iteration and roll are over. */
static void disable_done(void)
{
	engine_lock();
	if (orders.done != orders.taken) {
		orders.done = orders.taken;
		pthread_cond_broadcast(&ended);
	}
	engine_unlock();
}

/* ---- orders: the service ---- */

/* False: not done within PATIENCE. The mutex is held. */
ENGINE_LOCKED static bool await(uint64_t number)
{
	double until = monotonic_seconds() + PATIENCE;

	while (orders.done < number && engine.mode == ENGINE_PRIMARY)
		if (!engine_wait_until(&ended, until))
			break;
	return orders.done >= number;
}

/* What is still ours in Slurm's records. */
struct rest {
	uint32_t marked, rejected, passes, asking, system;
	uint32_t reservations;
	struct json_object *names, *system_jobs;
};

static int count_job(job_record_t *job, void *context)
{
	struct rest *rest = context;
	struct jobrec_facts facts;

	engine_assert_locked();
	rest->passes += rsv_pass_given(job);
	if (!jobrec_is_pending(job))
		return 0;
	jobrec_facts_read(job, &facts);
	rest->marked += facts.mark != MARK_NONE;
	rest->rejected += rejection_is_ours(job, maui_jobs_find(job_queue.jobs, jobrec_id(job))) &&
			  jobrec_reason_text(job);
	rest->asking += rsv_asked_by(facts.comment).name != NULL;
	if (facts.system_priority && rest->system++ < MAX_NAMES)
		json_append_number(rest->system_jobs, facts.job_id);
	return 0;
}

static int count_reservation(slurmctld_resv_t *reservation, void *context)
{
	struct rest *rest = context;

	engine_assert_locked();
	if (!rsv_name_table_is_ours(reservation))
		return 0;
	if (rest->reservations++ < MAX_NAMES)
		json_append_text(rest->names, resvrec_name(reservation));
	return 0;
}

static void look_at_rest(struct rest *rest)
{
	slurmctld_lock_t read = {.job = READ_LOCK, .node = READ_LOCK};

	rest->names = json_make_array();
	rest->system_jobs = json_make_array();
	lock_slurmctld(read);
	engine_lock();
	jobrec_each(count_job, rest);
	resvrec_each(count_reservation, rest);
	engine_unlock();
	unlock_slurmctld(read);
}

static struct json_object *disable_report(bool disable, bool finished)
{
	struct json_object *data = json_make_object();
	struct rest rest = {0};

	look_at_rest(&rest);
	json_set_flag(data, "disabled", disable);
	json_set_flag(data, "finished", finished);
	json_set_number(data, "blocked_jobs", rest.marked);
	json_set_number(data, "rejected_jobs", rest.rejected);
	json_set_number(data, "passes", rest.passes);
	json_set_number(data, "asking_jobs", rest.asking);
	json_set_number(data, "system_priorities", rest.system);
	json_set(data, "system_priority_jobs", rest.system_jobs);
	json_set_number(data, "reservation_count", rest.reservations);
	json_set(data, "reservations", rest.names);
	engine_lock();
	json_set_text(data, "state_directory",
		      engine.site.state_directory ? engine.site.state_directory : "");
	json_set_text(data, "slurm_conf",
		      engine.site.slurm_conf_path ? engine.site.slurm_conf_path : "");
	engine_unlock();
	return data;
}

const char *disable_order(bool disable, uid_t uid, struct json_object **ret_data, char **ret_text)
{
	struct maui_error why = {""};
	bool finished, late;

	*ret_text = NULL;
	engine_lock();
	orders.wanted = true;
	orders.disable = disable;
	orders.uid = uid;
	orders.given++;
	pthread_cond_signal(&engine.wake);
	finished = await(orders.given);
	if (finished)
		why = orders.why;
	late = !finished && orders.wanted; /* do not carry it out once nobody expects it */
	if (late)
		orders.wanted = false;
	engine_unlock();
	if (late)
		return "the engine is busy: nothing was done, try again";
	if (*why.text) {
		*ret_text = maui_strdup(why.text);
		return *ret_text;
	}
	*ret_data = disable_report(disable, finished);
	return NULL;
}

const struct module disable_module = {
	.due = disable_due, .chore = look_again, .before = disable_run, .after = disable_done};
