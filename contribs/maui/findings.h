/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `maui check` collects: the problems of a file, and notes about what could not be checked. */
#ifndef MAUI_FINDINGS_H
#define MAUI_FINDINGS_H

#include <stdbool.h>

#include <json-c/json.h>

#include "common/config/config.h"
#include "common/policy/sr_settings.h"

struct findings {
	struct json_object *problems; /* as maui_report_problems() makes them */
	struct json_object *notes;    /* texts */
	int errors, warnings;         /* once they are counted */
	bool short_of_memory;         /* something is missing */
};

void findings_error(struct findings *findings, const struct maui_origin *origin, const char *text);
void findings_warn(struct findings *findings, const struct maui_origin *origin, const char *format,
		   ...) __attribute__((format(printf, 3, 4)));
void findings_note(struct findings *findings, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Sort by line within each file (files stay in the order in which they turned up), and count. */
void findings_finish(struct findings *findings);

/* Users, groups and administrators that this machine does not know. */
void check_names(const struct maui_config *config, struct findings *findings);
/* Those of a reservation's lists, and its owner. */
void check_members(const struct maui_config *config, const struct maui_sr *sr,
		   struct findings *findings);
/* QLIST and QDEF that do not go together. */
void check_qos(const struct maui_config *config, struct findings *findings);
/* Limits of nodes that nobody looks at. */
void check_nodes(const struct maui_config *config, struct findings *findings);
/* Standing reservations that cannot be made as written, what of them is not there yet, and names that Slurm does not know;
 * offline: it is not asked, and said so. */
void check_reservations(struct maui_config *config, struct findings *findings, bool offline);
/* What slurm.conf must say for the policies to hold; offline: not asked, and said so. */
void check_slurm(const struct maui_config *config, struct findings *findings, bool offline);

#endif
