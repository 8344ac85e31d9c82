/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Settings of the server in slurm.conf, and remarks on all attributes of it and of queues. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/import/torque/torque_private.h"
#include "common/util/memory.h"

static void server_number(const struct maui_torque_site *site, const char *name, const char *key,
			  struct maui_torque_result *result)
{
	const struct maui_torque_attribute *attribute = maui_torque_get(&site->server, name);

	if (!attribute)
		return;
	maui_torque_line(result, MAUI_TORQUE_CONF, "# %s:%u: %s = %s", attribute->place.file,
			 attribute->place.line, attribute->name, attribute->value);
	maui_torque_line(result, MAUI_TORQUE_CONF, "%s=%" PRIu64, key,
			 maui_torque_number(attribute->value));
}

void maui_torque_server(const struct maui_torque_site *site, struct maui_torque_result *result)
{
	const struct maui_torque_attribute *others =
		maui_torque_get(&site->server, "query_other_jobs");

	server_number(site, "next_job_number", "FirstJobId", result);
	server_number(site, "keep_completed", "MinJobAge", result);
	server_number(site, "kill_delay", "KillWait", result);
	if (!others) {
		maui_import_remark(&result->import, MAUI_IMPORT_OTHER, "query_other_jobs",
				   "it is not set, so users saw their own jobs alone; Slurm shows "
				   "all jobs to all, or with PrivateData=jobs their own");
	} else if (!maui_torque_truth(others->value)) {
		maui_torque_line(result, MAUI_TORQUE_CONF, "# %s:%u: query_other_jobs = %s",
				 others->place.file, others->place.line, others->value);
		maui_torque_line(result, MAUI_TORQUE_CONF, "PrivateData=jobs");
	}
	if (result->parts[MAUI_TORQUE_CONF].count)
		maui_torque_line(result, MAUI_TORQUE_CONF, "%s", "");
}

/* The effect with the queue for %q, the value for %v, and % for %%. */
static char *server_fill(const char *effect, const struct maui_torque_object *object,
			 const char *value)
{
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	if (!stream)
		maui_memory_short(0);
	for (const char *at = effect; *at; at++) {
		if (*at != '%') {
			fputc(*at, stream);
			continue;
		}
		at++;
		if (*at == '%')
			fputc('%', stream);
		else
			fputs(*at == 'v' ? value : *object->name ? object->name : "QUEUE", stream);
	}
	if (fclose(stream))
		maui_memory_short(0);
	return text;
}

/* Set as if it were not there: nothing is lost. */
static bool server_is_idle(const struct maui_torque_object *object,
			   const struct maui_torque_attribute *attribute)
{
	const struct maui_torque_known *known = attribute->known;

	if (!strcmp(known->name, "scheduling"))
		return maui_torque_truth(attribute->value);
	if (!strcmp(known->name, "acl_hosts"))
		return !maui_torque_is_true(object, "acl_host_enable");
	return known->kind == MAUI_TORQUE_BOOLEAN && !maui_torque_truth(attribute->value);
}

/* A Route queue has no partition that could have its attributes. */
static void server_tell_route(const struct maui_torque_object *queue,
			      const struct maui_torque_attribute *attribute,
			      struct maui_torque_result *result)
{
	const char *name = attribute->known->name;
	bool opens = !strcmp(name, "enabled") || !strcmp(name, "started");

	if (!strcmp(name, "queue_type") || !strcmp(name, "route_destinations"))
		return;
	maui_torque_remark(
		result, queue, attribute, opens ? MAUI_IMPORT_STAYS : MAUI_IMPORT_LOST,
		"the Route queue becomes no partition: say it for its destinations, if it "
		"must hold");
}

/* Without a row, or with one that has an effect to tell. */
static void server_tell(const struct maui_torque_object *object,
			const struct maui_torque_attribute *attribute,
			struct maui_torque_result *result)
{
	const struct maui_torque_known *known = attribute->known;
	char *effect;

	if (!known)
		maui_torque_remark(result, object, attribute, MAUI_IMPORT_LOST,
				   "this is no attribute of Torque that is known here: nothing in "
				   "the files is made of it");
	else if (*object->name && maui_torque_is_route(object))
		server_tell_route(object, attribute, result);
	else if (known->effect) {
		effect = server_fill(known->effect, object, attribute->value);
		maui_torque_remark(result, object, attribute,
				   server_is_idle(object, attribute) ? MAUI_IMPORT_STAYS
								     : known->fate,
				   "%s", effect);
		free(effect);
	}
}

void maui_torque_tell(const struct maui_torque_site *site, struct maui_torque_result *result)
{
	for (size_t i = 0; i < site->server.count; i++)
		server_tell(&site->server, &site->server.attributes[i], result);
	for (size_t q = 0; q < site->queue_count; q++)
		for (size_t i = 0; i < site->queues[q].count; i++)
			server_tell(&site->queues[q], &site->queues[q].attributes[i], result);
}
