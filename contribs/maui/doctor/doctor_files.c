/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maui doctor: the files that Slurm loads, or would load at its next start, and the Slurm they were
 * built for. */
#include "contribs/maui/doctor/doctor.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "contribs/maui/doctor/plugin_dirs.h"

/* A packaged command names the package that its plugins are in. */
#define PACKAGE MAUI_PLUGINS_PACKAGE
#define REBUILD                                                                                    \
	(*PACKAGE ? PACKAGE ", made for this Slurm (slurm-build/package makes it)"                 \
		  : "rebuild for this Slurm: slurm-build/prepare && meson setup --wipe build && "  \
		    "meson compile -C build && meson install -C build")
#define INSTALL (*PACKAGE ? PACKAGE : "meson install -C build")

struct wanted {
	const char *file, *what;
	bool asked; /* slurm.conf names it */
};

/* Each one exists: otherwise Slurm would not read slurm.conf (doctor.c). */
static void name_directory(const char *directory, void *context)
{
	doctor_add(context, DOCTOR_OK, "PluginDir", "", "%s", directory);
}

/* The installed Slurm may differ from the running one, after an upgrade. */
static uint32_t look_at_slurm(struct doctor *doctor)
{
	uint32_t version = plugin_dirs_slurm(doctor->install.plugin_dir);
	char text[PLUGIN_VERSION_SIZE];

	if (!version)
		doctor_add(doctor, DOCTOR_WRONG, "Slurm",
			   "name the directory of Slurm's own plugins last in PluginDir",
			   "no directory of PluginDir has Slurm's own plugins");
	else if (*doctor->running &&
		 strcmp(doctor->running, plugin_version_text(version, text)) != 0)
		doctor_add(doctor, DOCTOR_WARN, "Slurm",
			   "systemctl restart slurmctld, when the rows below are ok",
			   "%s is installed, slurmctld still runs %s",
			   plugin_version_text(version, text), doctor->running);
	else
		doctor_add(doctor, DOCTOR_OK, "Slurm", "", "%s is installed",
			   plugin_version_text(version, text));
	return version;
}

static void look_at_version(struct doctor *doctor, const struct wanted *wanted, const char *path,
			    const struct plugin_file *plugin, uint32_t slurm)
{
	char built[PLUGIN_VERSION_SIZE], installed[PLUGIN_VERSION_SIZE];

	if (!slurm || plugin_version_loads(plugin->version, slurm))
		doctor_add(doctor, DOCTOR_OK, wanted->what, "", "%s, built for Slurm %s", path,
			   plugin_version_text(plugin->version, built));
	else
		doctor_add(doctor, wanted->asked ? DOCTOR_WRONG : DOCTOR_WARN, wanted->what,
			   REBUILD,
			   "%s was built for Slurm %s, and %s is installed: slurmctld does not %s",
			   path, plugin_version_text(plugin->version, built),
			   plugin_version_text(slurm, installed),
			   wanted->asked ? "start with it" : "load it");
}

static void look_at_file(struct doctor *doctor, const struct wanted *wanted, uint32_t slurm)
{
	struct plugin_file plugin;
	struct maui_error error;
	char path[PATH_MAX];
	int rc = plugin_dirs_find(doctor->install.plugin_dir, wanted->file, path, &plugin, &error);

	if (rc == -ENOENT && !wanted->asked)
		return;
	if (rc == -EACCES)
		doctor_add(doctor, DOCTOR_UNSEEN, wanted->what, "", "%s", error.text);
	else if (rc)
		doctor_add(doctor, wanted->asked ? DOCTOR_WRONG : DOCTOR_WARN, wanted->what,
			   INSTALL, "%s", error.text);
	else if (plugin.version)
		look_at_version(doctor, wanted, path, &plugin, slurm);
	else
		doctor_add(doctor, DOCTOR_WRONG, wanted->what, REBUILD,
			   "%s does not say which Slurm it was built for", path);
}

/* Stock Slurm's file has the same name: whose comes first? */
static void look_at_shadow(struct doctor *doctor, uint32_t slurm)
{
	const struct wanted wanted = {doctor->select->file, "select", true};
	struct plugin_file plugin;
	struct maui_error error;
	char path[PATH_MAX];
	int rc = plugin_dirs_find(doctor->install.plugin_dir, wanted.file, path, &plugin, &error);

	if (rc == -EACCES)
		doctor_add(doctor, DOCTOR_UNSEEN, wanted.what, "", "%s", error.text);
	else if (!rc && plugin_file_is_ours(&plugin))
		look_at_version(doctor, &wanted, path, &plugin, slurm);
	else if (!rc)
		doctor_add(doctor, doctor->ours ? DOCTOR_WARN : DOCTOR_OK, wanted.what,
			   doctor->ours ? "PluginDir=DIRECTORY/maui:DIRECTORY in slurm.conf, and "
					  "restart slurmctld"
					: "",
			   "%s is Slurm's own%s", path,
			   doctor->ours ? ": limits are off, reservations closed, nodes in Slurm's "
					  "order"
					: "");
	else
		doctor_add(doctor, DOCTOR_WRONG, wanted.what, INSTALL, "%s", error.text);
}

/* doctor_site() says where the form is not known. */
static void look_at_select(struct doctor *doctor, uint32_t slurm)
{
	const struct slurm_select_form *ours = doctor->select;
	const char *type = doctor->install.select_type;

	if (ours && ours->shadows)
		look_at_shadow(doctor, slurm);
	else if (ours)
		look_at_file(doctor,
			     &(struct wanted){slurm_select_file(ours, type), "select",
					      slurm_select_is(ours, type)},
			     slurm);
}

/* Of the Slurm that the next start would run. */
static const struct slurm_select_form *find_form(const struct doctor *doctor, uint32_t slurm)
{
	char installed[PLUGIN_VERSION_SIZE];

	return slurm_select_form(slurm ? plugin_version_text(slurm, installed) : doctor->running);
}

void doctor_files(struct doctor *doctor)
{
	const struct slurm_install *install = &doctor->install;
	const struct wanted wanted[] = {
		{"priority_maui.so", "priority/maui", doctor->ours},
		{"libslurm_maui.so", "libslurm_maui", doctor->ours || doctor->shadow},
		{"job_submit_maui.so", "job_submit/maui",
		 slurm_list_has(install->job_submit_plugins, "maui")},
		{"preempt_maui.so", "preempt/maui", !strcmp(install->preempt_type, "preempt/maui")},
	};
	uint32_t slurm;

	plugin_dirs_each(install->plugin_dir, name_directory, doctor);
	slurm = look_at_slurm(doctor);
	doctor->select = find_form(doctor, slurm);
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
		look_at_file(doctor, &wanted[i], slurm);
	look_at_select(doctor, slurm);
	doctor_layouts(doctor, slurm);
}
