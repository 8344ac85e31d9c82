/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui doctor: what the engine in slurmctld says about itself. */
#include "contribs/maui/doctor/doctor.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "contribs/maui/lib/output.h"
#include "contribs/maui/service/engine_request.h"
#include "contribs/maui/service/policy_trouble.h"

#define RESTART "systemctl restart slurmctld"

/*
 * An iteration of a large machine may take long; three intervals and a minute is too long for any.
 */
#define STILL 60 /* seconds */

static void look_at_clock(struct doctor *doctor, struct json_object *data, int64_t now)
{
	int64_t interval = member_integer(data, "iteration_interval");
	int64_t last = member_integer(data, "last_iteration");
	int64_t since = last ? last : member_integer(data, "started");

	if (now - since > 3 * interval + STILL)
		doctor_add(doctor, DOCTOR_WRONG, "iterations", RESTART,
			   "the last one was %" PRId64 " seconds ago, and they come every %" PRId64
			   ": the engine has stalled",
			   now - since, interval);
	else
		doctor_add(doctor, DOCTOR_OK, "iterations", "",
			   "%" PRId64 ", every %" PRId64 " seconds",
			   member_integer(data, "iteration"), interval);
}

static void look_at_source(struct doctor *doctor, struct json_object *policy, const char *remedy)
{
	const char *source = member_text(policy, "source"), *path = member_text(policy, "path");
	char text[1024];

	if (!strcmp(source, "neutral"))
		doctor_add(doctor, DOCTOR_WRONG, "policy", remedy,
			   "none: maui.cfg cannot be read, and there was no good copy");
	else if (!strcmp(source, "last-good-copy"))
		doctor_add(doctor, DOCTOR_WARN, "policy", remedy,
			   "the last good copy is in force, as maui.cfg cannot be used");
	else if (!strcmp(source, "partial"))
		doctor_add(
			doctor, DOCTOR_WRONG, "policy", remedy, "%s is only partly in force: %s",
			path,
			policy_trouble_text(member_object(policy, "left_out"), text, sizeof(text)));
	else
		doctor_add(doctor, DOCTOR_OK, "policy", "", "%s is in force", path);
}

static void look_at_policy(struct doctor *doctor, struct json_object *policy, int64_t now)
{
	struct json_object *refused = member_object(policy, "refused");
	struct json_object *unknown = member_object(policy, "unknown");
	char remedy[PATH_MAX + 64], text[1024];

	snprintf(remedy, sizeof(remedy), "maui check %s, then scontrol reconfigure",
		 doctor->site.maui_cfg);
	look_at_source(doctor, policy, remedy);
	if (refused)
		doctor_add(doctor, DOCTOR_WRONG, "policy", remedy,
			   "%s was refused %" PRId64 " seconds ago: %s",
			   member_text(refused, "path"), now - member_integer(refused, "time"),
			   policy_trouble_text(refused, text, sizeof(text)));
	if (unknown)
		doctor_add(doctor, DOCTOR_WARN, "policy", remedy, "%s: %s",
			   member_text(unknown, "path"),
			   policy_trouble_unknown(unknown, text, sizeof(text)));
}

static void look_at_names(struct doctor *doctor, int64_t unanswered)
{
	char text[256];

	if (unanswered)
		doctor_add(doctor, DOCTOR_WRONG, "names",
			   "getent passwd USER, getent group GROUP on the host of slurmctld; `maui "
			   "status` lists the names",
			   "%s", policy_trouble_names(unanswered, text, sizeof(text)));
}

static void look_at_statdir(struct doctor *doctor, struct json_object *statdir)
{
	const char *missing = member_text(statdir, "missing");
	char remedy[PATH_MAX + 64];

	if (!*missing)
		return;
	snprintf(remedy, sizeof(remedy), "mkdir -p %s && chown %u %s", missing,
		 doctor->install.slurm_uid, missing);
	doctor_add(doctor, DOCTOR_WRONG, "STATDIR", remedy,
		   "the engine cannot use %s: %s stands in for it", missing,
		   member_text(statdir, "directory"));
}

/* Those in the state directory have rows whether the engine answers or not: doctor_state_directory(). */
static void look_at_kept(struct doctor *doctor, struct json_object *kept)
{
	size_t size = strlen(doctor->install.state_directory);

	for (size_t i = 0; i < array_size(kept); i++) {
		struct json_object *one = json_object_array_get_idx(kept, i);
		const char *path = member_text(one, "path"), *name = strrchr(path, '/');

		if (!name || (size_t)(name - path) != size ||
		    strncmp(path, doctor->install.state_directory, size) != 0)
			doctor_kept(doctor, path, member_text(one, "why"));
	}
}

static void look_at_unread(struct doctor *doctor, struct json_object *unread)
{
	for (size_t i = 0; i < array_size(unread); i++) {
		struct json_object *one = json_object_array_get_idx(unread, i);
		const char *path = member_text(one, "path");
		char remedy[512];

		snprintf(remedy, sizeof(remedy),
			 "make it readable: the engine reads it as soon as it can; or, to begin "
			 "anew, rm %s while slurmctld is down",
			 path);
		doctor_add(doctor, DOCTOR_WRONG, "state directory", remedy,
			   "%s cannot be read now, and is not written: %s", path,
			   member_text(one, "why"));
	}
}

static void look_at_removed(struct doctor *doctor, struct json_object *removed)
{
	for (size_t i = 0; i < array_size(removed); i++) {
		struct json_object *one = json_object_array_get_idx(removed, i);
		const char *path = member_text(one, "path");
		char remedy[512];

		snprintf(remedy, sizeof(remedy),
			 "find out who did; to begin anew, rm %s while slurmctld is down", path);
		doctor_add(doctor, DOCTOR_WARN, "state directory", remedy,
			   "%s was removed while slurmctld ran: %s", path, member_text(one, "why"));
	}
}

static void look_at_unwritten(struct doctor *doctor, struct json_object *unwritten)
{
	for (size_t i = 0; i < array_size(unwritten); i++) {
		struct json_object *one = json_object_array_get_idx(unwritten, i);

		doctor_add(doctor, DOCTOR_WRONG, "state directory",
			   "free space there, or make it writable: the engine tries again within "
			   "five minutes",
			   "%s cannot be written, and a restart would forget what is new: %s",
			   member_text(one, "path"), member_text(one, "why"));
	}
}

static bool is_loaded(struct json_object *plugins, const char *type)
{
	for (size_t i = 0; i < array_size(plugins); i++)
		if (!strcmp(member_text(json_object_array_get_idx(plugins, i), "type"), type))
			return true;
	return false;
}

static void look_at_plugins(struct doctor *doctor, struct json_object *data)
{
	const struct {
		const char *type;
		bool wanted;
	} all[] = {
		{"job_submit/maui", slurm_list_has(doctor->install.job_submit_plugins, "maui")},
		{"preempt/maui", !strcmp(doctor->install.preempt_type, "preempt/maui")},
	};
	struct json_object *plugins = member_array(data, "plugins");

	for (size_t i = 0; i < array_size(plugins); i++) {
		struct json_object *one = json_object_array_get_idx(plugins, i);

		doctor_add(doctor, DOCTOR_OK, "loaded", "", "%s, built for Slurm %s, from %s",
			   member_text(one, "type"), member_text(one, "slurm_version"),
			   member_text(one, "path"));
	}
	for (size_t i = 0; plugins && i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i].wanted && !is_loaded(plugins, all[i].type))
			doctor_add(doctor, DOCTOR_WARN, "loaded", RESTART,
				   "slurm.conf names %s, and slurmctld has not loaded it",
				   all[i].type);
	if (!member_flag(data, "select") && !doctor->shadow)
		doctor_add(doctor, DOCTOR_WARN, "loaded",
			   "PluginDir and SelectType of slurm.conf as in maui-slurm(8), and "
			   "restart slurmctld",
			   "slurmctld has not loaded our select plugin: limits are off, "
			   "reservations closed, nodes in Slurm's order");
}

static void look_at_answer(struct doctor *doctor, struct json_object *answer)
{
	struct json_object *data = member_object(answer, "data");

	doctor_add(doctor, DOCTOR_OK, "engine", "", "Slurm-Maui %s, %s",
		   member_text(data, "version"), member_text(data, "mode"));
	if (member_flag(data, "disabled"))
		doctor_add(doctor, DOCTOR_WARN, "engine", "maui enable",
			   "disabled: no limits, no reservations; priorities alone are Maui's");
	look_at_clock(doctor, data, member_integer(answer, "time"));
	look_at_policy(doctor, member_object(data, "policy"), member_integer(answer, "time"));
	look_at_names(doctor, member_integer(member_object(data, "names"), "unanswered"));
	look_at_statdir(doctor, member_object(data, "statdir"));
	look_at_kept(doctor, member_array(data, "kept_files"));
	look_at_unread(doctor, member_array(data, "unread_files"));
	look_at_removed(doctor, member_array(data, "removed_files"));
	look_at_unwritten(doctor, member_array(data, "unwritten_files"));
	look_at_plugins(doctor, data);
}

/* ---- reservations ---- */

#define MOST_ROWS 10 /* of reservations: diagnose -r has all of them */

static void add_row(struct doctor *doctor, size_t *count, const char *name, const char *text)
{
	if ((*count)++ < MOST_ROWS)
		doctor_add(doctor, DOCTOR_WARN, "reservations", "maui diagnose -r, and maui.cfg",
			   "%s: %s", name, text);
}

/* What Slurm does not make as maui.cfg wants it. */
static void look_at_instances(struct doctor *doctor, struct json_object *rows, size_t *count)
{
	for (size_t i = 0; i < array_size(rows); i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);
		const char *problem = member_text(row, "problem");
		char text[512];

		if (!*problem)
			continue;
		snprintf(text, sizeof(text), "%s: %s", problem, member_text(row, "text"));
		add_row(doctor, count, member_text(row, "name"), text);
	}
}

/* What has no effect, such as users who are gone. */
static void look_at_lacks(struct doctor *doctor, struct json_object *list, size_t *count)
{
	for (size_t i = 0; i < array_size(list); i++) {
		struct json_object *one = json_object_array_get_idx(list, i);
		struct json_object *lacks = member_array(one, "lacks");

		for (size_t k = 0; k < array_size(lacks); k++) {
			const char *lack =
				json_object_get_string(json_object_array_get_idx(lacks, k));

			add_row(doctor, count, member_text(one, "name"), lack);
		}
	}
}

static void doctor_reservations(struct doctor *doctor)
{
	struct json_object *answer = NULL, *data;
	char text[512];
	size_t count = 0;
	int code;

	complaints_keep(text, sizeof(text));
	code = engine_query(doctor->cli, "diagnose-reservations", NULL, &answer);
	complaints_keep(NULL, 0);
	if (code) {
		doctor_add(doctor, DOCTOR_UNSEEN, "reservations", "", "%s", text);
	} else {
		data = member_object(answer, "data");
		look_at_instances(doctor, member_array(data, "reservations"), &count);
		look_at_lacks(doctor, member_array(data, "standing"), &count);
		if (count > MOST_ROWS)
			doctor_add(doctor, DOCTOR_WARN, "reservations", "maui diagnose -r",
				   "%zu more", count - MOST_ROWS);
	}
	json_object_put(answer);
}

void doctor_engine(struct doctor *doctor)
{
	struct json_object *answer = NULL;
	char text[512];
	int code;

	if (!doctor->controller || (!doctor->ours && !doctor->shadow)) {
		doctor_add(doctor, DOCTOR_UNSEEN, "engine", "", "not asked: %s",
			   doctor->controller ? "slurm.conf does not load it"
					      : "slurmctld does not answer");
		return;
	}
	complaints_keep(text, sizeof(text));
	code = engine_query(doctor->cli, "status", NULL, &answer);
	complaints_keep(NULL, 0);
	if (code)
		doctor_add(doctor, DOCTOR_WRONG, "engine",
			   "slurmctld's log says why (lines with maui:); " RESTART, "%s", text);
	else
		look_at_answer(doctor, answer);
	json_object_put(answer);
	if (!code)
		doctor_reservations(doctor);
}
