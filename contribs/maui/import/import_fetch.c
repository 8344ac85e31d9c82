/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The texts that `maui import` reads: files, or what the running Slurm says. */
#include <stdlib.h>

#include "common/import/import_accounting.h"
#include "common/import/import_running.h"
#include "contribs/maui/import/import_command.h"
#include "contribs/maui/slurm/slurm_policy.h"

static int fetch_running(int timeout, struct import_text *ret_text, struct maui_error *error)
{
	char *facts = NULL;
	size_t size;
	int rc = slurm_policy_conf(timeout, &facts, &size, error);

	if (!rc)
		ret_text->text = maui_import_running_conf(facts, size, &ret_text->size);
	free(facts);
	return rc;
}

static int fetch_from_slurm(enum import_source source, const char *cluster, int timeout,
			    struct import_text *ret_text, struct maui_error *error)
{
	static const char *const names[IMPORT_SOURCES] = {[IMPORT_CONF] = "slurmctld",
							  [IMPORT_QOS] = "sacctmgr show qos",
							  [IMPORT_ASSOCIATIONS] = "sacctmgr dump",
							  [IMPORT_RESERVATIONS] =
								  "scontrol show reservation"};

	ret_text->name = names[source];
	switch (source) {
	case IMPORT_CONF:
		return fetch_running(timeout, ret_text, error);
	case IMPORT_QOS:
		return slurm_policy_qos(MAUI_IMPORT_QOS_COLUMNS, timeout, &ret_text->text,
					&ret_text->size, error);
	case IMPORT_ASSOCIATIONS:
		return slurm_policy_associations(cluster, timeout, &ret_text->text, &ret_text->size,
						 error);
	case IMPORT_RESERVATIONS:
	case IMPORT_SOURCES:
		break;
	}
	return slurm_policy_reservations(timeout, &ret_text->text, &ret_text->size, error);
}

int import_fetch(const struct import_options *options, enum import_source source,
		 const char *cluster, struct import_text *ret_text)
{
	const struct import_paths *paths = &options->paths;
	const char *const path[IMPORT_SOURCES] = {[IMPORT_CONF] = paths->slurm_conf,
						  [IMPORT_QOS] = paths->qos,
						  [IMPORT_ASSOCIATIONS] = paths->associations,
						  [IMPORT_RESERVATIONS] = paths->reservations};
	bool accounting = source == IMPORT_QOS || source == IMPORT_ASSOCIATIONS;
	struct maui_error error;

	*ret_text = (struct import_text){0};
	if (path[source])
		return import_text_read(path[source], ret_text);
	if (paths->slurm_conf || (accounting && !cluster))
		return EXIT_OK;
	if (!fetch_from_slurm(source, cluster, options->timeout, ret_text, &error))
		return EXIT_OK;
	return fail(EXIT_ERRORS, "%s", error.text);
}
