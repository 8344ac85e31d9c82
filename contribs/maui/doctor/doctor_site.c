/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * maui doctor: what slurm.conf and maui.cfg say, and what does not work because of what they lack.
 */
#include "contribs/maui/doctor/doctor.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/config/config.h"
#include "common/policy/reservation/sr_owner.h"
#include "common/policy/reservation/sr_settings.h"
#include "common/util/files/socket_place.h"
#include "contribs/maui/doctor/slurm_conf_before.h"

#define RESTART ", and restart slurmctld"

static void look_at_priority(struct doctor *doctor)
{
	const char *type = doctor->install.priority_type;

	if (doctor->ours)
		doctor_add(doctor, DOCTOR_OK, "PriorityType", "", "%s", type);
	else if (doctor->shadow)
		doctor_add(doctor, DOCTOR_OK, "PriorityType", "",
			   "%s, with the engine in shadow mode beside it: it computes, and changes "
			   "nothing",
			   type);
	else
		doctor_add(doctor, DOCTOR_WARN, "PriorityType",
			   "PriorityType=priority/maui in slurm.conf" RESTART,
			   "%s: no policy of maui.cfg is in force", type);
}

/* No finding: nothing works less without it, until somebody wants to go back. */
static void look_at_conf_before(struct doctor *doctor)
{
	struct slurm_conf_before before;
	char remedy[sizeof(before.path) + 160];

	if (!doctor->ours)
		return;
	slurm_conf_before_read(&doctor->install, &before);
	snprintf(remedy, sizeof(remedy),
		 "copy slurm.conf from before the switch to %s, out of a backup, or with "
		 "PriorityType and the other lines put back",
		 before.path);
	if (before.known)
		doctor_add(doctor, DOCTOR_OK, "slurm.conf", "", "%s has the lines of before",
			   before.path);
	else
		doctor_add(doctor, DOCTOR_UNSEEN, "slurm.conf", remedy,
			   "%s: `maui disable` cannot say which lines to put back", before.why);
}

/* The mode in PriorityParameters means nothing by itself. */
static void look_at_mode(struct doctor *doctor)
{
	if (doctor->site.shadow && doctor->ours)
		doctor_add(doctor, DOCTOR_WARN, "PriorityParameters",
			   "leave maui_mode=shadow out, or set PriorityType to Slurm's own" RESTART,
			   "maui_mode=shadow has no effect with priority/maui: maui.cfg acts");
	else if (doctor->site.shadow && !doctor->shadow)
		doctor_add(doctor, DOCTOR_WARN, "PriorityParameters",
			   "JobSubmitPlugins=maui in slurm.conf" RESTART,
			   "maui_mode=shadow, but no plugin of Maui loads the engine");
}

/* Whether an address is one of this host's, by binding a socket to it on any port. */
static bool can_listen(const char *address)
{
	const struct addrinfo hints = {
		.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
	struct addrinfo *found = NULL;
	bool can = false;

	if (getaddrinfo(address, "0", &hints, &found))
		return false;
	for (const struct addrinfo *at = found; at && !can; at = at->ai_next) {
		int fd = socket(at->ai_family, at->ai_socktype | SOCK_CLOEXEC, 0);

		if (fd < 0)
			continue;
		can = !bind(fd, at->ai_addr, at->ai_addrlen);
		close(fd);
	}
	freeaddrinfo(found);
	return can;
}

static void look_at_address(struct doctor *doctor)
{
	const char *address = doctor->site.address, *path = doctor->site.socket;
	struct sockaddr_un place;
	struct maui_error why;

	if (!doctor->ours && !doctor->shadow)
		return;
	if (*path && maui_socket_place(path, doctor->site.slurm_uid, &place, &why))
		doctor_add(doctor, DOCTOR_WRONG, "PriorityParameters",
			   "make a directory for it that SlurmUser owns and nobody else can write",
			   "maui_socket=%s: the engine cannot listen there: %s", path, why.text);
	if (*address && !*path && !can_listen(address))
		doctor_add(doctor, DOCTOR_WRONG, "PriorityParameters",
			   "set maui_address to an address of this host, or leave it out for "
			   "127.0.0.1",
			   "maui_address=%s is not an address of this host: the engine cannot "
			   "listen there",
			   address);
}

static void look_at_select(struct doctor *doctor)
{
	const struct slurm_select_form *ours = doctor->select;
	const char *type = doctor->install.select_type;
	char remedy[96];

	if (!ours) {
		doctor_add(doctor, DOCTOR_UNSEEN, "SelectType", "",
			   "%s: not judged, as the release of Slurm is not known", type);
		return;
	}
	snprintf(remedy, sizeof(remedy), "SelectType=%s in slurm.conf" RESTART, ours->type);
	if (slurm_select_is(ours, type))
		doctor_add(doctor, DOCTOR_OK, "SelectType", "", "%s", type);
	else if (doctor->ours)
		doctor_add(doctor, DOCTOR_WARN, "SelectType", remedy,
			   "%s: limits are off, reservations closed, nodes in Slurm's order", type);
}

static void look_at_job_submit(struct doctor *doctor)
{
	const char *list = doctor->install.job_submit_plugins;

	if (slurm_list_has(list, "maui"))
		doctor_add(doctor, DOCTOR_OK, "JobSubmitPlugins", "", "%s", list);
	else if (doctor->ours)
		doctor_add(
			doctor, DOCTOR_WARN, "JobSubmitPlugins",
			"JobSubmitPlugins=maui in slurm.conf" RESTART,
			"lacks maui: Slurm refuses --reservation=NAME for Maui's reservations, and "
			"x=GRES in a comment asks for nothing");
}

static void look_at_preemption(struct doctor *doctor, const struct maui_config *config)
{
	const struct maui_object *const *objects;
	size_t count = maui_config_objects(config, MAUI_SRCFG, &objects);

	for (size_t i = 0; i < count; i++) {
		const char *lack = maui_sr_object_lack(objects[i], doctor->site.preemption);

		if (!lack)
			continue;
		doctor_add(doctor, DOCTOR_WARN, "PreemptType",
			   "PreemptType=preempt/maui and PreemptMode=REQUEUE or CANCEL in "
			   "slurm.conf" RESTART,
			   "SRCFG[%s]: %s", maui_object_name(objects[i]), lack);
		return;
	}
	if (!strcmp(doctor->install.preempt_type, "preempt/maui"))
		doctor_add(doctor, DOCTOR_OK, "PreemptType", "", "preempt/maui");
}

/* What slurmctld would do at its next start with a file that has errors. */
static const char *next_start(const struct doctor *doctor)
{
	char copy[PATH_MAX + 32];

	snprintf(copy, sizeof(copy), "%s/maui.cfg.last-good", doctor->site.state_directory);
	if (!access(copy, F_OK))
		return "a restart uses the last good copy";
	if (errno == ENOENT)
		return "there is no good copy, and a restart leaves out what they are about";
	return "a restart uses the last good copy, or leaves out what they are about if there is "
	       "none";
}

static const struct maui_problem *first_error(const struct maui_config *config)
{
	const struct maui_problem *problems;
	size_t count = maui_config_problems(config, &problems);

	for (size_t i = 0; i < count; i++)
		if (problems[i].severity == MAUI_ERROR)
			return &problems[i];
	return NULL;
}

static void look_at_errors(struct doctor *doctor, const struct maui_config *config)
{
	const char *path = doctor->site.maui_cfg;
	const struct maui_problem *first = first_error(config);
	char remedy[PATH_MAX + 64];

	snprintf(remedy, sizeof(remedy), "maui check %s", path);
	if (first)
		doctor_add(doctor, DOCTOR_WRONG, "maui.cfg", remedy,
			   "%s has errors (%zu): a reconfigure refuses it, %s; the first: "
			   "%s:%u:%u: %s",
			   path, maui_config_errors(config), next_start(doctor), first->origin.file,
			   first->origin.line, first->origin.column, first->text);
	else
		doctor_add(doctor, DOCTOR_OK, "maui.cfg", "", "%s has no errors", path);
}

static void look_at_owner(struct doctor *doctor, const struct maui_config *config)
{
	if (!maui_config_trusted(config))
		doctor_add(doctor, DOCTOR_WARN, "maui.cfg",
			   "chown -h root and chmod go-w of what is named; namei -l shows all that "
			   "leads to a file",
			   "others than root and SlurmUser decide what it says: %s; TRIGGER and "
			   "LOCAL are refused",
			   maui_config_distrust(config));
}

static void look_at_gres_name(struct doctor *doctor, const char *name)
{
	char type[MAUI_GRES_NAME_SIZE], remedy[2 * MAUI_GRES_NAME_SIZE + 96];

	snprintf(type, sizeof(type), "%.*s", (int)strcspn(name, ":"), name);
	if (!strcmp(type, "license") || slurm_list_has(doctor->install.gres_types, type))
		return;
	snprintf(remedy, sizeof(remedy),
		 "GresTypes=%s in slurm.conf and Gres=%s:... of the nodes" RESTART, type, type);
	doctor_add(doctor, DOCTOR_WARN, "GresTypes", remedy,
		   "%s: lacks %s, which maui.cfg names: the line affects no job",
		   *doctor->install.gres_types ? doctor->install.gres_types : "none", type);
}

static bool same_gres(const char *a, const char *b)
{
	size_t size = strcspn(a, ":");

	return size == strcspn(b, ":") && !memcmp(a, b, size);
}

/* Those of credentials and of nodes, each of them once. */
static void look_at_gres(struct doctor *doctor, const struct maui_config *config)
{
	const struct maui_node_gres *of_nodes = maui_config_node_gres(config);
	const char *all[2 * MAUI_GRES_NAMES];
	const char *const *of_limits;
	size_t count = maui_config_gres(config, &of_limits);

	for (size_t i = 0; i < count; i++)
		all[i] = of_limits[i];
	for (unsigned int i = 0; i < of_nodes->count; i++)
		all[count++] = of_nodes->name[i];
	for (size_t i = 0; i < count; i++) {
		bool seen = false;

		for (size_t k = 0; k < i; k++)
			seen |= same_gres(all[k], all[i]);
		if (!seen)
			look_at_gres_name(doctor, all[i]);
	}
}

/* The engine creates only the last directory of a path, and does not use the path if that fails. */
static void look_at_statistics(struct doctor *doctor, const struct maui_config *config)
{
	const char *path = maui_config_get(config, MAUI_KEY_STATDIR, NULL)->text;
	char remedy[PATH_MAX + 64];
	struct stat status;
	int rc;

	if (*path != '/' ||
	    !maui_config_get(config, MAUI_KEY_FSPOLICY, NULL)->integer) /* nothing is counted */
		return;
	rc = stat(path, &status) ? errno : S_ISDIR(status.st_mode) ? 0 : ENOTDIR;
	snprintf(remedy, sizeof(remedy), "mkdir -p %s && chown %u %s", path,
		 doctor->install.slurm_uid, path);
	if (!rc)
		doctor_add(doctor, DOCTOR_OK, "STATDIR", "", "%s", path);
	else if (rc == EACCES)
		doctor_add(doctor, DOCTOR_UNSEEN, "STATDIR", "", "%s: %s", path, strerror(rc));
	else
		doctor_add(doctor, DOCTOR_WRONG, "STATDIR", remedy,
			   "%s: %s: fairshare is counted in %s/stats until it can be used", path,
			   strerror(rc), doctor->site.state_directory);
}

static void look_at_config(struct doctor *doctor)
{
	struct maui_reader reader = maui_file_reader(&doctor->install.slurm_uid);
	struct maui_config *config = NULL;
	struct maui_error error;
	int rc;

	reader.unknown_is_error = doctor->site.unknown_is_error;
	rc = maui_config_load(doctor->site.maui_cfg, &reader, &config, &error);
	if (rc == -EACCES) {
		doctor_add(doctor, DOCTOR_UNSEEN, "maui.cfg", "", "%s", error.text);
		return;
	}
	if (rc) {
		doctor_add(doctor, doctor->ours || doctor->shadow ? DOCTOR_WRONG : DOCTOR_WARN,
			   "maui.cfg", "write it, or name it with PriorityParameters=maui_cfg=PATH",
			   "%s", error.text);
		return;
	}
	look_at_errors(doctor, config);
	look_at_owner(doctor, config);
	look_at_preemption(doctor, config);
	look_at_gres(doctor, config);
	look_at_statistics(doctor, config);
	maui_config_unref(config);
}

void doctor_site(struct doctor *doctor)
{
	look_at_priority(doctor);
	look_at_conf_before(doctor);
	look_at_mode(doctor);
	look_at_address(doctor);
	look_at_select(doctor);
	look_at_job_submit(doctor);
	look_at_config(doctor);
}
