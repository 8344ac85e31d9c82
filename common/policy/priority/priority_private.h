/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the priority policy share. */
#ifndef MAUI_POLICY_PRIORITY_PRIVATE_H
#define MAUI_POLICY_PRIORITY_PRIVATE_H

#include "common/policy/priority/priority.h"
#include "common/util/intern.h"

struct maui_priority_policy {
	struct maui_config *config;
	struct maui_intern *partitions;        /* names of those that have weights of their own */
	struct maui_priority_weights *weights; /* by their numbers; [0] are the global ones */
	double xfactor_minimum; /* XFMINWCLIMIT in seconds, at least 1: it is divided by */
	double floor;           /* 1, or a number that nothing is below (ENABLENEGJOBPRIORITY) */
	bool negatives_enabled;
	bool rejects_negatives;
};

/* A value of any numeric kind; 0 for none. */
double maui_priority_number(const struct maui_value *value);

#endif
