/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names of GRES in maui.cfg, D-GRES-1: gpu, gpu:a100, license:matlab; as Slurm prints them,
 * case included. Each that a line names gets a number, in the order of the lines, for this
 * configuration only.
 */
#ifndef MAUI_UTIL_GRES_H
#define MAUI_UTIL_GRES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAUI_GRES_NAMES     16u /* in one maui.cfg; numbers are from 1 to this */
#define MAUI_GRES_NAME_SIZE 128 /* with the end of the string; NVML names types of 52 */

/* For each number less 1, how much; as jobs have it, gres_table.h. Bit n of a mask is for number n + 1. */
struct maui_gres_amounts {
	uint32_t mask; /* of those that are not 0 */
	uint32_t amount[MAUI_GRES_NAMES];
};

/* Set one; more than fits counts as the most that fits. */
static inline void maui_gres_set(struct maui_gres_amounts *amounts, size_t index, uint64_t amount)
{
	amounts->amount[index] = amount < UINT32_MAX ? (uint32_t)amount : UINT32_MAX;
	if (amount)
		amounts->mask |= UINT32_C(1) << index;
	else
		amounts->mask &= ~(UINT32_C(1) << index);
}

/*
 * Whether a text is a name: NAME or NAME:TYPE of letters, digits and _ - + . @, not longer than
 * MAUI_GRES_NAME_SIZE allows.
 */
bool maui_gres_is_name(const char *text, size_t size);

#define MAUI_GRES_LICENSE "license:" /* before the name of a license */

/* Of license:NAME the license's name, within the text; NULL for others. */
const char *maui_gres_license(const char *name);

/* How many of a license a list asks for: --licenses as Slurm keeps it, `matlab:2,ansys@server`. */
uint64_t maui_gres_licenses(const char *list, const char *license);

#endif
