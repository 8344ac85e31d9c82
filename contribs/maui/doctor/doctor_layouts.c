/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * maui doctor: whether the installed slurmctld is one that the plugins are known to fit. They read its
 * records, and a distribution's update may move a member without a new version (D-SYS-14).
 */
#include "contribs/maui/doctor/doctor.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/files/file.h"
#include "contribs/maui/doctor/build_id.h"
#include "contribs/maui/doctor/layouts_file.h"
#include "contribs/maui/doctor/plugin_dirs.h"

#define ENGINE   "libslurm_maui"
#define CHECK    "layouts"
#define MAX_FILE ((size_t)4 << 20)

struct fit {
	char package[PATH_MAX];   /* the package's file of layouts */
	char here[PATH_MAX];      /* the host's, beside slurm.conf */
	char slurmctld[PATH_MAX]; /* the program */
	char build_id[BUILD_ID_SIZE];
	char hash[LAYOUTS_HASH_SIZE];
	enum layouts_fit known;
};

/* The file NAME beside another. False: the path would be too long. */
static bool put_beside(const char *other, const char *name, char ret_path[PATH_MAX])
{
	const char *slash = strrchr(other, '/');
	int directory = slash ? (int)(slash - other) + 1 : 0;

	return (size_t)snprintf(ret_path, PATH_MAX, "%.*s%s", directory, other, name) < PATH_MAX;
}

/* What cannot be looked at is not wrong. */
static void add_trouble(struct doctor *doctor, int rc, const char *text)
{
	doctor_add(doctor, rc == -EACCES ? DOCTOR_UNSEEN : DOCTOR_WARN, CHECK, "", "%s", text);
}

/* NULL: there is nothing to compare, and a row says why. */
static char *read_package(struct doctor *doctor, const struct fit *fit)
{
	struct maui_error error;
	char *text = NULL;
	size_t size;
	int rc = maui_file_read(fit->package, MAX_FILE, NULL, &text, &size, NULL, &error);

	if (rc == -ENOENT)
		doctor_add(
			doctor, DOCTOR_OK, CHECK, "",
			"the plugins are built from source, not from a package: build them again "
			"to see whether an update of Slurm has moved anything that they read");
	else if (rc)
		add_trouble(doctor, rc, error.text);
	return text;
}

static bool is_remembered(const struct fit *fit)
{
	struct maui_error error;
	char *text = NULL;
	size_t size;
	bool found = !maui_file_read(fit->here, MAX_FILE, NULL, &text, &size, NULL, &error) &&
		     layouts_remembered(text, fit->hash, fit->build_id);

	free(text);
	return found;
}

static void add_unknown(struct doctor *doctor, const struct fit *fit)
{
	char remedy[3 * PATH_MAX + 256];

	snprintf(remedy, sizeof(remedy),
		 "install slurmctld's debugging symbols (slurmctld-dbgsym; dnf debuginfo-install "
		 "slurm-slurmctld) and python3-pyelftools, then: " MAUI_LAYOUTS_SCRIPT
		 " compare --remember %s %s %s",
		 fit->here, fit->package, fit->slurmctld);
	doctor_add(doctor, DOCTOR_WARN, CHECK, remedy,
		   "%s is another build (%s) than the one the plugins are known to fit: an update "
		   "may have moved what they read, without a new version",
		   fit->slurmctld, fit->build_id);
}

static void judge_fit(struct doctor *doctor, struct fit *fit, const char *package)
{
	if (layouts_parse(package, fit->build_id, fit->hash, &fit->known))
		doctor_add(doctor, DOCTOR_WARN, CHECK, "install the plugins' package again",
			   "%s is not what the package has brought", fit->package);
	else if (fit->known == LAYOUTS_COMPARED || is_remembered(fit))
		doctor_add(doctor, DOCTOR_OK, CHECK, "",
			   "%s was compared with the plugins: its records are as they read them",
			   fit->slurmctld);
	else if (fit->known == LAYOUTS_SAME_SOURCE)
		doctor_add(doctor, DOCTOR_OK, CHECK, "",
			   "%s is the build for which the plugins were made", fit->slurmctld);
	else
		add_unknown(doctor, fit);
}

static void look_at_slurmctld(struct doctor *doctor, struct fit *fit, const char *package)
{
	struct maui_error error;
	int rc;

	if (!plugin_dirs_slurmctld(doctor->install.plugin_dir, fit->slurmctld)) {
		doctor_add(doctor, DOCTOR_OK, CHECK, "", "this host has no slurmctld");
		return;
	}
	rc = build_id_read(fit->slurmctld, fit->build_id, &error);
	if (rc)
		add_trouble(doctor, rc, error.text);
	else
		judge_fit(doctor, fit, package);
}

void doctor_layouts(struct doctor *doctor, uint32_t slurm)
{
	struct fit fit = {.known = LAYOUTS_NOT_KNOWN};
	struct plugin_file plugin;
	struct maui_error error;
	char engine[PATH_MAX], *package;

	/* What is missing or of another version has its row already. */
	if (plugin_dirs_find(doctor->install.plugin_dir, ENGINE ".so", engine, &plugin, &error) ||
	    plugin.version != slurm || !put_beside(engine, ENGINE ".layouts", fit.package) ||
	    !put_beside(doctor->install.slurm_conf, "maui.layouts", fit.here))
		return;
	package = read_package(doctor, &fit);
	if (package)
		look_at_slurmctld(doctor, &fit, package);
	free(package);
}
