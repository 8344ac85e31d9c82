/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses the maui_* options of PriorityParameters, the munge socket of
 * AuthInfo, and bf_interval and bf_min_prio_reserve. An invalid maui_* value is
 * logged and ignored.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/runtime/site_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/list.h"
#include "common/util/memory.h"
#include "common/util/slurm/sched_params.h"

/* The value of key in a comma-separated list of key=value, malloc'ed; NULL if it is not there. */
static char *site_parameter(const char *list, const char *key)
{
	struct maui_item value;

	return maui_list_value(list, key, &value) ? maui_strndup(value.text, value.size) : NULL;
}

static char *beside_slurm_conf(const char *slurm_conf_path)
{
	const char *slash = slurm_conf_path ? strrchr(slurm_conf_path, '/') : NULL;

	if (!slash)
		return maui_strdup("/etc/slurm/maui.cfg");
	return maui_asprintf("%.*s/maui.cfg", (int)(slash - slurm_conf_path), slurm_conf_path);
}

static uint16_t port_parameter(const char *list)
{
	char *text = site_parameter(list, "maui_port"), *end;
	unsigned long port;

	if (!text)
		return 0;
	port = strtoul(text, &end, 10);
	if (*end || !port || port > UINT16_MAX) {
		error("maui: PriorityParameters: maui_port=%s is not a port number: SERVERPORT of "
		      "maui.cfg is used",
		      text);
		port = 0;
	}
	free(text);
	return (uint16_t)port;
}

static unsigned int timeout_parameter(const char *list)
{
	char *text = site_parameter(list, "maui_trigger_timeout"), *end;
	unsigned long seconds;

	if (!text)
		return SITE_TRIGGER_TIMEOUT;
	seconds = strtoul(text, &end, 10);
	if (*end || !seconds || seconds > SITE_TRIGGER_TIMEOUT_MAX) {
		error("maui: PriorityParameters: maui_trigger_timeout=%s is not a number of "
		      "seconds from 1 to %u: %u is used",
		      text, SITE_TRIGGER_TIMEOUT_MAX, SITE_TRIGGER_TIMEOUT);
		seconds = SITE_TRIGGER_TIMEOUT;
	}
	free(text);
	return (unsigned int)seconds;
}

/* Of unknown names in maui.cfg. */
static bool unknown_parameter(const char *list)
{
	char *text = site_parameter(list, "maui_unknown");
	bool error_wanted = text && !strcasecmp(text, "error");

	if (text && !error_wanted)
		error("maui: PriorityParameters: maui_unknown=%s is unknown and has no effect: the "
		      "only word is error",
		      text);
	free(text);
	return error_wanted;
}

/* A mistyped word must not pass for another mode, nor shadow mode be accepted where it cannot
 * be. */
static bool shadow_parameter(const char *list, const char *priority_type)
{
	char *text = site_parameter(list, "maui_mode");
	bool shadow = text && !strcasecmp(text, "shadow");

	if (text && !shadow)
		error("maui: PriorityParameters: maui_mode=%s is unknown and has no effect: the "
		      "only mode is shadow",
		      text);
	free(text);
	if (!shadow || xstrcmp(priority_type, SITE_OUR_PRIORITY) != 0)
		return shadow;
	error("maui: PriorityParameters: maui_mode=shadow has no effect with "
	      "PriorityType=" SITE_OUR_PRIORITY
	      ": maui.cfg is in force; for shadow mode set PriorityType to Slurm's own and restart "
	      "slurmctld");
	return false;
}

/*
 * Does not take slurmctld's configuration lock: Slurm may first call the plugin's init from a
 * priority_g_ function, while it recovers jobs and holds all of its locks.
 */
void site_read(struct site *ret_site)
{
	struct site site = {0};

	slurm_conf_lock();
	site.config_path = site_parameter(slurm_conf.priority_params, "maui_cfg");
	if (!site.config_path)
		site.config_path = beside_slurm_conf(slurm_conf.slurm_conf);
	site.state_directory = maui_asprintf("%s/maui", slurm_conf.state_save_location);
	site.munge_socket = site_parameter(slurm_conf.authinfo, "socket");
	site.socket = site_parameter(slurm_conf.priority_params, "maui_socket");
	site.address = site_parameter(slurm_conf.priority_params, "maui_address");
	site.port = port_parameter(slurm_conf.priority_params);
	site.shadow = shadow_parameter(slurm_conf.priority_params, slurm_conf.priority_type);
	site.unknown_is_error = unknown_parameter(slurm_conf.priority_params);
	site.trigger_timeout = timeout_parameter(slurm_conf.priority_params);
	if (slurm_conf.slurm_conf)
		site.slurm_conf_path = maui_strdup(slurm_conf.slurm_conf);
	site.prio_reserve = maui_sched_main_reserve(slurm_conf.sched_params);
	site.backfill_interval =
		maui_sched_value(slurm_conf.sched_params, MAUI_SCHED_INTERVAL, NULL);
	site.slurm_uid = slurm_conf.slurm_user_id;
	slurm_conf_unlock();
	*ret_site = site;
}

void site_clear(struct site *site)
{
	free(site->config_path);
	free(site->state_directory);
	free(site->munge_socket);
	free(site->socket);
	free(site->address);
	free(site->slurm_conf_path);
	*site = (struct site){0};
}
