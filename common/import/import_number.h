/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Weights as decimal numbers, and how far rounding takes them. */
#ifndef MAUI_IMPORT_NUMBER_H
#define MAUI_IMPORT_NUMBER_H

#include "common/import/import.h"

/* Points of priority that rounding may cost a job: priorities are whole numbers. */
#define MAUI_IMPORT_ROUNDING 0.001

/*
 * A weight with as few decimals as keep weight * factor within MAUI_IMPORT_ROUNDING for all factors
 * up to most. *ret_off: by how many points it is off at most.
 */
const char *maui_import_weight(struct maui_import *import, long double weight, long double most,
			       double *ret_off);

/* A line with such a weight: behind why stands what rounding does, if it does anything. */
void maui_import_weight_line(struct maui_import *import, const char *key, long double weight,
			     long double most, const char *why);

#endif
