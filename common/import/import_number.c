/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the shortest decimal number that is near enough, by reading it as maui.cfg's reader does. */
#include "common/import/import_number.h"

#include <math.h>
#include <stdio.h>

#include "common/util/decimal.h"

#define DECIMALS    20
#define NUMBER_SIZE 64   /* 2^64 and DECIMALS */
#define NOTHING     1e-6 /* points: not worth a word */

const char *maui_import_weight(struct maui_import *import, long double weight, long double most,
			       double *ret_off)
{
	char text[NUMBER_SIZE];
	const char *rest;
	double read = 0;

	for (int decimals = 0; decimals <= DECIMALS; decimals++) {
		snprintf(text, sizeof(text), "%.*Lf", decimals, weight);
		maui_real_parse(text, &read, &rest);
		*ret_off = (double)(fabsl(read - weight) * most);
		if (*ret_off <= MAUI_IMPORT_ROUNDING)
			break;
	}
	return maui_import_text(import, "%s", text);
}

void maui_import_weight_line(struct maui_import *import, const char *key, long double weight,
			     long double most, const char *why)
{
	double off;
	const char *value = maui_import_weight(import, weight, most, &off);

	if (off < NOTHING)
		maui_import_line(import, key, value, "%s", why);
	else
		maui_import_line(import, key, value,
				 "%s; rounding changes a priority by at most %.6f", why, off);
}
