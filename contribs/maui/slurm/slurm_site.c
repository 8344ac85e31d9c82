/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Takes maui_cfg, maui_port and the other maui_ parameters, AuthInfo,
 * preemption and weights from slurm_conf_t in a child process.
 */
#include "contribs/maui/slurm/slurm_site.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

#include "common/util/list.h"
#include "contribs/maui/slurm/slurm_child.h"

/* Bits of accounting_storage_enforce; slurm.h does not name them. */
#define ENFORCE_ASSOCIATIONS 0x0001
#define ENFORCE_QOS          0x0008

/* Exported by libslurm, but not declared in its public headers: what slurm_init() has read. */
extern slurm_conf_t *slurm_conf_lock(void);
extern void slurm_conf_unlock(void);

/* The value of key= in a list such as "a=1,maui_cfg=/x": copied, "" if it is not there. */
static void find_parameter(const char *list, const char *key, char *ret_value, size_t size)
{
	struct maui_item value;

	*ret_value = '\0';
	if (maui_list_value(list, key, &value))
		maui_item_copy(value, ret_value, size);
}

static void find_config(const slurm_conf_t *conf, struct slurm_site *site)
{
	const char *path = conf->slurm_conf ? conf->slurm_conf : "";
	const char *slash = strrchr(path, '/');

	find_parameter(conf->priority_params, "maui_cfg", site->maui_cfg, sizeof(site->maui_cfg));
	if (!*site->maui_cfg && slash)
		snprintf(site->maui_cfg, sizeof(site->maui_cfg), "%.*s/maui.cfg",
			 (int)(slash - path), path);
}

static void find_port(const slurm_conf_t *conf, struct slurm_site *site)
{
	char text[16];
	unsigned long port;

	find_parameter(conf->priority_params, "maui_port", text, sizeof(text));
	port = strtoul(text, NULL, 10);
	site->port = port <= 65535 ? (unsigned int)port : 0;
}

/* Whether a parameter has the only word that it takes. */
static bool has_word(const slurm_conf_t *conf, const char *key, const char *word)
{
	char text[16];

	find_parameter(conf->priority_params, key, text, sizeof(text));
	return !strcasecmp(text, word);
}

static void find_hidden_columns(const slurm_conf_t *conf, struct slurm_site *site)
{
	const struct {
		const char *name;
		uint32_t weight;
	} columns[] = {
		{"AGE", conf->priority_weight_age},        {"ASSOC", conf->priority_weight_assoc},
		{"FAIRSHARE", conf->priority_weight_fs},   {"JOBSIZE", conf->priority_weight_js},
		{"PARTITION", conf->priority_weight_part}, {"QOS", conf->priority_weight_qos},
	};

	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		if (!columns[i].weight)
			maui_list_add(site->hidden_columns, sizeof(site->hidden_columns), ", ",
				      columns[i].name);
}

static enum maui_sr_preemption find_preemption(const slurm_conf_t *conf)
{
	unsigned int mode = conf->preempt_mode & ~(PREEMPT_MODE_GANG | PREEMPT_MODE_WITHIN);
	char inner[64];

	find_parameter(conf->priority_params, "maui_preempt", inner, sizeof(inner));
	return maui_sr_preemption(conf->preempt_type && !strcmp(conf->preempt_type, "preempt/maui"),
				  mode == PREEMPT_MODE_REQUEUE || mode == PREEMPT_MODE_CANCEL,
				  mode == PREEMPT_MODE_OFF, *inner);
}

static void slurm_site_describe(const slurm_conf_t *conf, struct slurm_site *site)
{
	find_config(conf, site);
	find_parameter(conf->priority_params, "maui_socket", site->socket, sizeof(site->socket));
	find_parameter(conf->priority_params, "maui_address", site->address, sizeof(site->address));
	find_port(conf, site);
	site->shadow = has_word(conf, "maui_mode", "shadow");
	site->unknown_is_error = has_word(conf, "maui_unknown", "error");
	find_hidden_columns(conf, site);
	find_parameter(conf->authinfo, "socket", site->munge_socket, sizeof(site->munge_socket));
	if (conf->state_save_location)
		snprintf(site->state_directory, sizeof(site->state_directory), "%s/maui",
			 conf->state_save_location);
	snprintf(site->priority_type, sizeof(site->priority_type), "%s",
		 conf->priority_type ? conf->priority_type : "");
	site->slurm_uid = conf->slurm_user_id;
	site->enforces_accounts = conf->accounting_storage_enforce & ENFORCE_ASSOCIATIONS;
	site->enforces_qos = conf->accounting_storage_enforce & ENFORCE_QOS;
	site->measures_use = conf->job_acct_gather_type &&
			     strcmp(conf->job_acct_gather_type, "jobacct_gather/none") != 0;
	site->hides_steps =
		conf->slurmctld_params && strstr(conf->slurmctld_params, "enable_stepmgr");
	site->preemption = find_preemption(conf);
}

/* In the child. */
static bool tell_site(FILE *facts, bool ask)
{
	struct slurm_site site = {0};
	slurm_conf_t *conf = NULL;

	if (ask && slurm_load_ctl_conf(0, &conf) != SLURM_SUCCESS)
		return slurm_child_failed();
	if (!ask)
		conf = slurm_conf_lock();
	slurm_site_describe(conf, &site);
	if (!ask)
		slurm_conf_unlock();
	return fwrite(&site, sizeof(site), 1, facts) == 1;
}

static bool ask_site(FILE *facts)
{
	return tell_site(facts, true);
}

static bool read_site(FILE *facts)
{
	return tell_site(facts, false);
}

static int slurm_site_fetch(slurm_child_work work, int timeout, struct slurm_site *ret_site,
			    struct maui_error *error)
{
	char *facts = NULL;
	size_t size = 0;
	int rc = slurm_child(work, timeout, sizeof(*ret_site), "configuration", &facts, &size,
			     error);

	if (!rc && size != sizeof(*ret_site))
		rc = maui_error_set(error, EIO, "cannot ask Slurm for its configuration");
	if (!rc)
		memcpy(ret_site, facts, sizeof(*ret_site));
	free(facts);
	return rc;
}

int slurm_site_load(int timeout, struct slurm_site *ret_site, struct maui_error *error)
{
	return slurm_site_fetch(ask_site, timeout, ret_site, error);
}

int slurm_site_read(int timeout, struct slurm_site *ret_site, struct maui_error *error)
{
	return slurm_site_fetch(read_site, timeout, ret_site, error);
}
