/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files of the priority policy. */
#ifndef MAUI_POLICY_PRIORITY_PRIVATE_H
#define MAUI_POLICY_PRIORITY_PRIVATE_H

#include "common/policy/priority/priority.h"
#include "common/util/intern.h"

struct maui_priority_policy {
	struct maui_config *config;
	struct maui_intern *partitions;        /* names of those that have weights of their own */
	struct maui_priority_weights *weights; /* by their numbers; [0]: the global ones */
	double xfactor_minimum;                /* XFMINWCLIMIT in seconds, at least 1: a divisor */
	double floor;   /* 1, or a number below all others (ENABLENEGJOBPRIORITY) */
	bool uses_tree; /* FSWEIGHT and FSTREEWEIGHT are not 0 in some partition */
	bool negatives_enabled;
	bool rejects_negatives;
};

/* A value of any numeric kind; 0 if there is none. */
double maui_priority_number(const struct maui_value *value);

#endif
