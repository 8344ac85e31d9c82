/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies members of slurm_conf_t into struct slurm_install in a child process,
 * from slurm_load_ctl_conf() or the file that slurm_init() reads.
 */
#include "contribs/maui/slurm/slurm_install.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

#include "common/util/list.h"
#include "common/util/memory.h"
#include "contribs/maui/slurm/slurm_child.h"

/* Exported by libslurm, but not declared in its public headers: what slurm_init() has read, and the
 * words of a mode. */
extern slurm_conf_t *slurm_conf_lock(void);
extern void slurm_conf_unlock(void);
extern const char *slurm_preempt_mode_string(uint16_t mode);

static void slurm_install_take(const char *value, char *target, size_t size)
{
	snprintf(target, size, "%s", value ? value : "");
}

#define TAKE(value, member)        slurm_install_take((value), (member), sizeof(member))
#define TAKE_NUMBER(value, member) snprintf(member, sizeof(member), "%" PRIu32, (value))

static void describe_weights(const slurm_conf_t *conf, struct slurm_install *install)
{
	TAKE_NUMBER(conf->priority_weight_age, install->weight_age);
	TAKE_NUMBER(conf->priority_weight_assoc, install->weight_assoc);
	TAKE_NUMBER(conf->priority_weight_fs, install->weight_fairshare);
	TAKE_NUMBER(conf->priority_weight_js, install->weight_job_size);
	TAKE_NUMBER(conf->priority_weight_part, install->weight_partition);
	TAKE_NUMBER(conf->priority_weight_qos, install->weight_qos);
}

static void slurm_install_describe(const slurm_conf_t *conf, struct slurm_install *install)
{
	TAKE(conf->slurm_conf, install->slurm_conf);
	TAKE(conf->plugindir, install->plugin_dir);
	TAKE(conf->priority_type, install->priority_type);
	TAKE(conf->priority_params, install->priority_parameters);
	TAKE(conf->select_type, install->select_type);
	TAKE(conf->preempt_type, install->preempt_type);
	TAKE(slurm_preempt_mode_string(conf->preempt_mode), install->preempt_mode);
	TAKE(conf->sched_params, install->scheduler_parameters);
	TAKE(conf->job_submit_plugins, install->job_submit_plugins);
	TAKE(conf->gres_plugins, install->gres_types);
	describe_weights(conf, install);
	if (conf->state_save_location)
		snprintf(install->state_directory, sizeof(install->state_directory), "%s/maui",
			 conf->state_save_location);
	install->slurm_uid = conf->slurm_user_id;
}

/* In the child. */
static bool read_here(FILE *facts)
{
	struct slurm_install install = {0};

	slurm_install_describe(slurm_conf_lock(), &install);
	slurm_conf_unlock();
	return fwrite(&install, sizeof(install), 1, facts) == 1;
}

static bool slurm_install_ask(FILE *facts)
{
	struct slurm_install install = {0};
	slurm_conf_t *conf = NULL;

	if (slurm_load_ctl_conf(0, &conf) != SLURM_SUCCESS)
		return slurm_child_failed();
	slurm_install_describe(conf, &install);
	TAKE(conf->version, install.version);
	return fwrite(&install, sizeof(install), 1, facts) == 1;
}

static int slurm_install_fetch(slurm_child_work work, int timeout,
			       struct slurm_install *ret_install, struct maui_error *error)
{
	char *facts = NULL;
	size_t size = 0;
	int rc = slurm_child(work, timeout, sizeof(*ret_install), "configuration", &facts, &size,
			     error);

	if (!rc && size != sizeof(*ret_install))
		rc = maui_error_set(error, EIO, "cannot ask Slurm for its configuration");
	if (!rc)
		memcpy(ret_install, facts, sizeof(*ret_install));
	free(facts);
	return rc;
}

int slurm_install_read(int timeout, struct slurm_install *ret_install, struct maui_error *error)
{
	return slurm_install_fetch(read_here, timeout, ret_install, error);
}

/* libslurm in the child takes the file from the environment, as its commands do. */
int slurm_install_read_file(const char *path, int timeout, struct slurm_install *ret_install,
			    struct maui_error *error)
{
	const char *named = getenv("SLURM_CONF");
	char *before = named ? maui_strdup(named) : NULL;
	int rc;

	if (setenv("SLURM_CONF", path, 1))
		maui_memory_short(strlen(path));
	rc = slurm_install_read(timeout, ret_install, error);
	if (before)
		setenv("SLURM_CONF", before, 1);
	else if (!named)
		unsetenv("SLURM_CONF");
	free(before);
	return rc;
}

int slurm_install_load(int timeout, struct slurm_install *ret_install, struct maui_error *error)
{
	return slurm_install_fetch(slurm_install_ask, timeout, ret_install, error);
}

bool slurm_list_has(const char *list, const char *name)
{
	struct maui_item item;

	while (maui_list_next(&list, ",", &item)) {
		const char *slash = memchr(item.text, '/', item.size);
		size_t type = slash ? (size_t)(slash + 1 - item.text) : 0;

		if (maui_item_is((struct maui_item){item.text + type, item.size - type}, name))
			return true;
	}
	return false;
}
