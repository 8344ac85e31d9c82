/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads slurm.conf.before-maui by slurm_install_read_file(), and rejects a copy
 * that already has PriorityType=priority/maui.
 */
#include "contribs/maui/doctor/slurm_conf_before.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define TIMEOUT 5 /* seconds */

__attribute__((format(printf, 2, 3))) static void
slurm_conf_before_report(struct slurm_conf_before *before, const char *format, ...)
{
	va_list values;

	va_start(values, format);
	vsnprintf(before->why, sizeof(before->why), format, values);
	va_end(values);
}

void slurm_conf_before_read(const struct slurm_install *now, struct slurm_conf_before *ret_before)
{
	struct slurm_conf_before *before = ret_before;
	struct maui_error error;
	const char *name;

	*before = (struct slurm_conf_before){.known = false};
	snprintf(before->path, sizeof(before->path), "%s.before-maui", now->slurm_conf);
	name = strrchr(before->path, '/') ? strrchr(before->path, '/') + 1 : before->path;
	if (access(before->path, F_OK) && errno == ENOENT)
		slurm_conf_before_report(before, "there is no %s beside it", name);
	else if (slurm_install_read_file(before->path, TIMEOUT, &before->install, &error))
		slurm_conf_before_report(before, "%s: %s", name, error.text);
	else if (!strcmp(before->install.priority_type, "priority/maui"))
		slurm_conf_before_report(
			before, "%s is from after the switch, with PriorityType=priority/maui",
			name);
	else
		before->known = true;
}
