/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The commands of the service: contribs/doc/service.md. They read snapshots, or copy under Slurm's
 * read locks; none builds its answer under one of Slurm's locks. */
#include "plugins/compat/base.h"

#include "plugins/engine/service/service_requests.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/report/json.h"
#include "common/report/report.h"
#include "common/util/memory.h"
#include "plugins/engine/fairshare/fairshare.h"
#include "plugins/engine/nodes/node_order.h"
#include "plugins/engine/policy/in_force.h"
#include "plugins/engine/queue/job_queue.h"
#include "plugins/engine/report/blocked_report.h"
#include "plugins/engine/report/credential_report.h"
#include "plugins/engine/report/fairshare_report.h"
#include "plugins/engine/report/fairshare_verdicts.h"
#include "plugins/engine/report/node_report.h"
#include "plugins/engine/report/policy_report.h"
#include "plugins/engine/report/priority_report.h"
#include "plugins/engine/report/report_arguments.h"
#include "plugins/engine/report/rsv_explain.h"
#include "plugins/engine/report/rsv_report.h"
#include "plugins/engine/runtime/monotonic.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/service/authentication.h"
#include "plugins/engine/service/challenges.h"
#include "plugins/engine/service/disable.h"
#include "plugins/engine/service/files_report.h"
#include "plugins/engine/service/loaded.h"
#include "plugins/engine/service/rsv_setres_request.h"
#include "plugins/engine/service/service_place.h"
#include "plugins/engine/slurm/authority.h"
#include "plugins/engine/whatif/whatif_report.h"

/* Seconds to wait for a fresh snapshot. */
#define SNAPSHOT_WAIT 5
#define MAX_NONCE     128

#define NO_PARTITION "Slurm has no such partition"
#define SHADOW       "the engine is in shadow mode: it changes nothing"

struct request {
	struct json_object *object; /* as it was sent; NULL: it is no JSON */
	const char *wrong;          /* why it cannot be carried out; NULL: it can */
	size_t command;             /* in the table of commands */
	uid_t uid;
	int admin_level;       /* 1..3 for ADMIN1..3, 0 for none */
	bool privileged;       /* root or SlurmUser */
	bool may_look;         /* at maui.cfg: those, ADMIN1..3, and with ADMIN3 ALL everybody */
	const char *nonce;     /* NULL: none given */
	const char *challenge; /* a repeated one of ours; NULL: none given */
	struct json_object *arguments; /* an object or NULL */
	char **text;                   /* a handler's returned text, if it has to be freed */
	char *refusal;                 /* that text */
};

/* Fills ret_data, or returns why not. */
typedef const char *(*handler_t)(const struct request *request, struct json_object **ret_data);

static const char *handle_status(const struct request *request, struct json_object **ret_data)
{
	static const char *const modes[] = {[ENGINE_STANDBY] = "standby",
					    [ENGINE_SHADOW] = "shadow",
					    [ENGINE_PRIMARY] = "primary"};
	struct json_object *data = json_make_object();

	json_set_text(data, "version", MAUI_VERSION);
	json_set_text(data, "slurm_version", SLURM_VERSION_STRING);
	engine_lock();
	json_set_text(data, "mode", modes[engine.mode]);
	json_set_flag(data, "disabled", engine.disabled);
	json_set_number(data, "pid", getpid());
	json_set_number(data, "started", engine.started);
	json_set_number(data, "iteration", (int64_t)engine.iteration);
	json_set_number(data, "last_iteration", job_queue.time);
	json_set(data, "iteration_seconds",
		 engine.iteration_seconds >= 0 ? json_make_real(engine.iteration_seconds) : NULL);
	json_set_number(data, "iteration_interval", in_force.policy->interval);
	json_set_number(data, "jobs", (int64_t)job_queue.count);
	json_set(data, "policy", policy_report(request->may_look));
	json_set(data, "names", names_report(request->may_look));
	json_set(data, "statdir", statdir_report());
	engine_unlock();
	json_set(data, "kept_files", files_report(STATEKEPT_LATER));
	json_set(data, "unread_files", files_report(STATEKEPT_UNREAD));
	json_set(data, "removed_files", files_report(STATEKEPT_REMOVED));
	json_set(data, "unwritten_files", files_report(STATEKEPT_UNWRITTEN));
	json_set_flag(data, "select", select_is_loaded());
	json_set(data, "plugins", loaded_plugins());
	json_set(data, "service", service_place_report());
	*ret_data = data;
	return NULL;
}

static const char *handle_showconfig(const struct request *request, struct json_object **ret_data)
{
	struct maui_policy *policy;

	if (!request->may_look)
		return "showconfig of the running engine is for root, SlurmUser and ADMIN1..3; "
		       "`maui showconfig FILE` reads a file";
	engine_lock();
	policy = maui_policy_ref(in_force.policy);
	engine_unlock();
	*ret_data = maui_report_config(policy->config);
	maui_policy_unref(policy);
	return NULL;
}

/* A fresh one, unless the request says that the last one will do: frequent queries are no reason
 * to iterate. */
static struct maui_snapshot *snapshot_for(const struct request *request)
{
	struct json_object *last;

	if (!request->arguments || !json_object_object_get_ex(request->arguments, "last", &last) ||
	    !json_object_get_boolean(last))
		return job_queue_snapshot(SNAPSHOT_WAIT);
	return job_queue_last_snapshot(SNAPSHOT_WAIT);
}

static struct job_query query_of(const struct request *request)
{
	return (struct job_query){.uid = request->uid,
				  .sees_all = request->privileged || request->admin_level};
}

/* Which jobs are asked about, and the snapshot that has them, both released by the caller; or why
 * there is no answer. */
static const char *look_for_jobs(const struct request *request, struct job_query *query,
				 struct maui_snapshot **ret_snapshot)
{
	const char *wrong = job_query_read(request->arguments, query);

	if (wrong)
		return wrong;
	*ret_snapshot = snapshot_for(request);
	if (!*ret_snapshot)
		return JOB_QUEUE_UNSEEN;
	return job_query_applies(query, *ret_snapshot) ? NULL : NO_PARTITION;
}

static const char *handle_diagnose_priority(const struct request *request,
					    struct json_object **ret_data)
{
	struct job_query query = query_of(request);
	struct maui_snapshot *snapshot = NULL;
	const char *wrong = look_for_jobs(request, &query, &snapshot);

	if (!wrong)
		*ret_data = priority_report(snapshot, &query);
	maui_snapshot_unref(snapshot);
	job_query_clear(&query);
	return wrong;
}

static const char *handle_diagnose_blocked(const struct request *request,
					   struct json_object **ret_data)
{
	struct job_query query = query_of(request);
	struct maui_snapshot *snapshot = NULL;
	struct blocked_filter filter;
	const char *wrong = blocked_filter_read(request->arguments, &filter);

	if (!wrong)
		wrong = look_for_jobs(request, &query, &snapshot);
	if (!wrong)
		*ret_data = blocked_report(snapshot, &query, &filter);
	maui_snapshot_unref(snapshot);
	job_query_clear(&query);
	return wrong;
}

static const char *handle_diagnose_credentials(const struct request *request,
					       struct json_object **ret_data)
{
	struct credential_filter filter = {.uid = request->uid,
					   .sees_all = request->privileged || request->admin_level};
	const char *wrong = credential_filter_read(request->arguments, &filter);
	struct maui_snapshot *snapshot;

	if (wrong)
		return wrong;
	snapshot = snapshot_for(request);
	if (!snapshot)
		return JOB_QUEUE_UNSEEN;
	*ret_data = credential_report(snapshot, &filter);
	maui_snapshot_unref(snapshot);
	return NULL;
}

static const char *handle_diagnose_fairshare(const struct request *request,
					     struct json_object **ret_data)
{
	struct fairshare_filter filter = {.uid = request->uid,
					  .sees_all = request->privileged || request->admin_level ||
						      authority_is_operator(request->uid)};
	const char *wrong = report_type_argument(request->arguments, &filter.type);
	struct maui_snapshot *snapshot;

	if (wrong)
		return wrong;
	snapshot = snapshot_for(request);
	*ret_data = fairshare_report(&filter);
	if (*ret_data && snapshot)
		json_set(*ret_data, "blocked", fairshare_verdicts(snapshot, &filter));
	maui_snapshot_unref(snapshot);
	return NULL;
}

static struct rsv_asker reservation_asker(const struct request *request)
{
	return (struct rsv_asker){.uid = request->uid,
				  .admin = request->privileged || request->admin_level == 1 ||
					   request->admin_level == 2};
}

static const char *handle_challenge(const struct request *request, struct json_object **ret_data)
{
	char text[CHALLENGE_SIZE];
	const char *wrong = challenge_make(request->uid, reservation_asker(request).admin,
					   monotonic_seconds(), text);

	if (wrong)
		return wrong;
	*ret_data = json_make_object();
	json_set_text(*ret_data, "challenge", text);
	json_set_number(*ret_data, "seconds", CHALLENGE_SECONDS);
	return NULL;
}

static const char *handle_set_reservation(const struct request *request,
					  struct json_object **ret_data)
{
	struct rsv_asker asker = reservation_asker(request);

	if (engine_is_shadow())
		return SHADOW;
	return rsv_setres_make(&asker, request->arguments, ret_data, request->text);
}

static const char *handle_release_reservations(const struct request *request,
					       struct json_object **ret_data)
{
	struct rsv_asker asker = reservation_asker(request);

	if (engine_is_shadow())
		return SHADOW;
	return rsv_setres_release(&asker, request->arguments, ret_data, request->text);
}

/* Restricted: it costs time, and shows other people's jobs. */
static const char *handle_whatif(const struct request *request, struct json_object **ret_data)
{
	struct maui_error why = {""};
	const char *wrong;

	if (!request->privileged && !request->admin_level)
		return "whatif is for root, SlurmUser and ADMIN1..3";
	wrong = whatif_report(request->arguments, ret_data, &why);
	if (wrong != why.text)
		return wrong;
	*request->text = maui_strdup(why.text);
	return *request->text;
}

static const char *change_state(const struct request *request, bool disable,
				struct json_object **ret_data)
{
	if (!request->privileged && request->admin_level != 1)
		return "to disable or enable the engine is for root, SlurmUser and ADMIN1";
	if (engine_is_shadow())
		return SHADOW;
	return disable_order(disable, request->uid, ret_data, request->text);
}

static const char *handle_disable(const struct request *request, struct json_object **ret_data)
{
	return change_state(request, true, ret_data);
}

static const char *handle_enable(const struct request *request, struct json_object **ret_data)
{
	return change_state(request, false, ret_data);
}

static const struct {
	const char *name;
	enum request_lane lane;
	handler_t handle;
	const char *(*report)(const struct report_asker *asker, struct json_object *arguments,
			      struct json_object **ret_data); /* handle NULL */
} commands[] = {
	{"challenge", REQUEST_SHORT, .handle = handle_challenge},
	{"status", REQUEST_SHORT, .handle = handle_status},
	{"showconfig", REQUEST_SHORT, .handle = handle_showconfig},
	{"check-node", REQUEST_NODES, .report = node_report_one},
	{"diagnose-blocked", REQUEST_JOBS, .handle = handle_diagnose_blocked},
	{"diagnose-credentials", REQUEST_JOBS, .handle = handle_diagnose_credentials},
	{"diagnose-fairshare", REQUEST_JOBS, .handle = handle_diagnose_fairshare},
	{"diagnose-nodes", REQUEST_NODES, .report = node_report_all},
	{"diagnose-priority", REQUEST_JOBS, .handle = handle_diagnose_priority},
	{"diagnose-reservations", REQUEST_NODES, .report = rsv_report_diagnose},
	{"disable", REQUEST_CHANGE, .handle = handle_disable},
	{"enable", REQUEST_CHANGE, .handle = handle_enable},
	{"explain-nodes", REQUEST_NODES, .report = node_report_order},
	{"explain-reservations", REQUEST_NODES, .report = rsv_explain_job},
	{"release-reservations", REQUEST_CHANGE, .handle = handle_release_reservations},
	{"set-reservation", REQUEST_CHANGE, .handle = handle_set_reservation},
	{"show-reservations", REQUEST_NODES, .report = rsv_report_show},
	{"whatif", REQUEST_WHATIF, .handle = handle_whatif},
};

static const char *string_member(struct json_object *object, const char *name)
{
	struct json_object *member;

	if (!json_object_object_get_ex(object, name, &member) ||
	    !json_object_is_type(member, json_type_string))
		return NULL;
	return json_object_get_string(member);
}

static bool find_command(const char *name, size_t *ret_command)
{
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (!strcmp(commands[i].name, name)) {
			*ret_command = i;
			return true;
		}
	return false;
}

/* NULL, or why the request cannot be carried out. */
static const char *read_members(struct request *request)
{
	struct json_object *object = request->object;
	const char *text;

	if (!object || !json_object_is_type(object, json_type_object))
		return "the request is not a JSON object";
	request->nonce = string_member(object, "nonce");
	if (request->nonce && strlen(request->nonce) > MAX_NONCE) {
		request->nonce = NULL;
		return "the nonce is too long";
	}
	text = string_member(object, "schema");
	if (!text || strcmp(text, "maui.request/1"))
		return "the request's schema is not maui.request/1";
	request->challenge = string_member(object, "challenge");
	text = string_member(object, "command");
	if (!text)
		return "the request names no command";
	if (json_object_object_get_ex(object, "arguments", &request->arguments) &&
	    request->arguments && !json_object_is_type(request->arguments, json_type_object))
		return "arguments are not a JSON object";
	return find_command(text, &request->command) ? NULL : "unknown command";
}

/* Warnings that belong in every answer. */
static void add_warnings(const struct request *request, struct json_object *data)
{
	struct json_object *trouble;

	if (engine_is_shadow())
		json_set_flag(data, "shadow", true);
	engine_lock();
	trouble = policy_report_trouble(request->may_look);
	engine_unlock();
	if (trouble)
		json_set(data, "policy_trouble", trouble);
}

static const char *judge_challenge(const struct request *request)
{
	const char *text = request->challenge;

	if (challenge_take(text ? text : "", request->uid, monotonic_seconds()))
		return NULL;
	return text ? "the request repeats a challenge that is not the engine's, has been used, or "
		      "is older than 10 seconds: nothing was done, try again"
		    : "the request changes something, and repeats no challenge of the engine's: "
		      "use "
		      "the `maui` of the engine's release";
}

static const char *request_handle(const struct request *request, struct json_object **ret_data)
{
	struct report_asker asker = {.uid = request->uid,
				     .sees_all = request->privileged || request->admin_level};

	if (commands[request->command].handle)
		return commands[request->command].handle(request, ret_data);
	return commands[request->command].report(&asker, request->arguments, ret_data);
}

static const char *request_act(const struct request *request, struct json_object **ret_data)
{
	const char *wrong = request->wrong;
	bool standby;

	engine_lock();
	standby = engine.mode == ENGINE_STANDBY;
	engine_unlock();
	if (!wrong && standby)
		return "this controller is on standby";
	if (!wrong && request_lane(request) == REQUEST_CHANGE)
		wrong = judge_challenge(request);
	if (!wrong)
		wrong = request_handle(request, ret_data);
	if (!wrong && *ret_data)
		add_warnings(request, *ret_data);
	return wrong;
}

static char *request_render(const char *wrong, const char *nonce, uid_t uid,
			    struct json_object *data, size_t *ret_size)
{
	struct json_object *object = json_make_object();
	char *proof = nonce ? authentication_prove(nonce, uid) : NULL, *text;

	json_set_text(object, "schema", "maui.answer/1");
	json_set_text(object, "status", wrong ? "error" : "ok");
	if (proof)
		json_set_text(object, "proof", proof);
	free(proof);
	json_set_number(object, "time", time(NULL));
	if (wrong)
		json_set_text(object, "error", wrong);
	else
		json_set(object, "data", data);
	text = json_line(object, ret_size);
	json_object_put(object);
	return text;
}

static struct json_object *request_parse(const char *text, size_t size)
{
	struct json_tokener *tokener = json_tokener_new_ex(8);
	struct json_object *object = NULL;

	if (tokener && text)
		object = json_tokener_parse_ex(tokener, text, (int)size);
	if (tokener)
		json_tokener_free(tokener);
	return object;
}

struct request *request_read(const char *text, size_t size, uid_t uid)
{
	struct request *request = xmalloc(sizeof(*request));

	request->uid = uid;
	request->text = &request->refusal;
	request->object = request_parse(text, size);
	engine_lock();
	request->admin_level = maui_principals_admin_level(in_force.principals, uid);
	request->privileged = uid == 0 || uid == engine.site.slurm_uid;
	request->may_look = request->privileged || request->admin_level ||
			    maui_principals_all_may_look(in_force.principals);
	engine_unlock();
	request->wrong = read_members(request);
	return request;
}

void request_free(struct request *request)
{
	if (!request)
		return;
	free(request->refusal);
	json_object_put(request->object);
	xfree(request);
}

uid_t request_uid(const struct request *request)
{
	return request->uid;
}

enum request_lane request_lane(const struct request *request)
{
	return request->wrong ? REQUEST_SHORT : commands[request->command].lane;
}

char *request_carry_out(struct request *request, size_t *ret_size)
{
	struct json_object *data = NULL;
	const char *wrong = request_act(request, &data);

	return request_render(wrong, request->nonce, request->uid, data, ret_size);
}

char *request_refuse(const struct request *request, const char *why, size_t *ret_size)
{
	return request_render(why, request->nonce, request->uid, NULL, ret_size);
}

char *request_refusal(const char *text, size_t *ret_size)
{
	return request_render(text, NULL, 0, NULL, ret_size);
}
