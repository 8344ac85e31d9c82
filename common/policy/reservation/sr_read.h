/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One SRCFG object of maui.cfg, as the settings of a reservation. */
#ifndef MAUI_POLICY_SR_READ_H
#define MAUI_POLICY_SR_READ_H

#include "common/config/text/problems.h"
#include "common/policy/reservation/sr.h"

/* What is being read. */
struct sr_reading {
	const struct maui_config *config;
	const struct maui_limit_names *names;
	const struct maui_sr_once *once; /* for the current one; NULL: it is a standing one */
	struct maui_problems problems;
	const struct maui_object *object;
	struct maui_sr *sr; /* zeroed; the caller frees its acl and lists of hosts */
};

/* Fills reading->sr from reading->object; anything wrong becomes a problem. */
void sr_read(struct sr_reading *reading);

#endif
