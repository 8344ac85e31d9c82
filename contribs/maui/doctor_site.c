/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui doctor: what slurm.conf and maui.cfg say, and what is closed because they do not say more. */
#include "contribs/maui/doctor.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/config/config.h"
#include "common/policy/sr_owner.h"
#include "common/policy/sr_settings.h"

#define RESTART ", and restart slurmctld"

static void look_at_priority(struct doctor *doctor)
{
	const char *type = doctor->install.priority_type;

	if (doctor->ours)
		doctor_add(doctor, DOCTOR_OK, "PriorityType", "", "%s", type);
	else
		doctor_add(doctor, DOCTOR_WARN, "PriorityType",
			   "PriorityType=priority/maui in slurm.conf" RESTART,
			   "%s: no policy of maui.cfg is in force", type);
}

static void look_at_select(struct doctor *doctor)
{
	const char *type = doctor->install.select_type;

	if (!strcmp(type, "select/cons_tres"))
		doctor_add(doctor, DOCTOR_OK, "SelectType", "", "%s", type);
	else if (doctor->ours)
		doctor_add(doctor, DOCTOR_WARN, "SelectType",
			   "SelectType=select/cons_tres in slurm.conf" RESTART,
			   "%s: limits are off, reservations closed, nodes in Slurm's order", type);
}

static void look_at_job_submit(struct doctor *doctor)
{
	const char *list = doctor->install.job_submit_plugins;

	if (slurm_list_has(list, "maui"))
		doctor_add(doctor, DOCTOR_OK, "JobSubmitPlugins", "", "%s", list);
	else if (doctor->ours)
		doctor_add(doctor, DOCTOR_WARN, "JobSubmitPlugins",
			   "JobSubmitPlugins=maui in slurm.conf" RESTART,
			   "lacks maui: Slurm refuses --reservation=NAME of Maui's reservations");
}

static void look_at_preemption(struct doctor *doctor, const struct maui_config *config)
{
	const struct maui_object *const *objects;
	size_t count = maui_config_objects(config, MAUI_SRCFG, &objects);

	for (size_t i = 0; i < count; i++) {
		const struct maui_value *value = maui_object_get(objects[i], MAUI_ATTR_FLAGS);
		unsigned int flags = 0;
		const char *lack;

		for (size_t k = 0; value && k < value->list_size; k++)
			flags |= maui_sr_flag_find(value->list[k]);
		lack = maui_sr_owner_lack(flags, doctor->site.preemption);
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

static void look_at_config(struct doctor *doctor)
{
	const struct maui_reader reader = maui_file_reader(&doctor->install.slurm_uid);
	const char *path = doctor->site.maui_cfg;
	struct maui_config *config = NULL;
	char remedy[2 * PATH_MAX + 64];
	struct maui_error error;
	int rc = maui_config_load(path, &reader, &config, &error);

	snprintf(remedy, sizeof(remedy), "maui check %s", path);
	if (rc == -EACCES) {
		doctor_add(doctor, DOCTOR_UNSEEN, "maui.cfg", "", "%s", error.text);
		return;
	}
	if (rc) {
		doctor_add(doctor, doctor->ours ? DOCTOR_WRONG : DOCTOR_WARN, "maui.cfg",
			   "write it, or name it with PriorityParameters=maui_cfg=PATH", "%s",
			   error.text);
		return;
	}
	if (maui_config_errors(config))
		doctor_add(doctor, DOCTOR_WRONG, "maui.cfg", remedy,
			   "%s has errors (%zu): a restart takes the last good copy", path,
			   (size_t)maui_config_errors(config));
	else
		doctor_add(doctor, DOCTOR_OK, "maui.cfg", "", "%s has no errors", path);
	snprintf(remedy, sizeof(remedy), "chown root %s && chmod go-w %s (and files it includes)",
		 path, path);
	if (!maui_config_trusted(config))
		doctor_add(doctor, DOCTOR_WARN, "maui.cfg", remedy,
			   "others than root and SlurmUser may write it: TRIGGER and LOCAL are "
			   "refused");
	look_at_preemption(doctor, config);
	maui_config_unref(config);
}

void doctor_site(struct doctor *doctor)
{
	look_at_priority(doctor);
	look_at_select(doctor);
	look_at_job_submit(doctor);
	look_at_config(doctor);
}
