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
	uint64_t amount[MAUI_GRES_NAMES];
};

/* Sum and product of amounts, which may be sizes in bytes: the most that fits if they do not fit. */
static inline uint64_t maui_gres_plus(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}
static inline uint64_t maui_gres_times(uint64_t a, uint64_t b)
{
	uint64_t product;

	return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

/*
 * Limits are less than this, and a request for as much or more counts as this: what a limit, what
 * is in use and what a job asks for leave is always a number of 64 bits. D-GRES-17.
 */
#define MAUI_GRES_MOST ((INT64_C(1) << 62) - 1)

static inline int64_t maui_gres_within(uint64_t amount)
{
	return amount < MAUI_GRES_MOST ? (int64_t)amount : MAUI_GRES_MOST;
}

static inline void maui_gres_set(struct maui_gres_amounts *amounts, size_t index, uint64_t amount)
{
	amounts->amount[index] = amount;
	if (amount)
		amounts->mask |= UINT32_C(1) << index;
	else
		amounts->mask &= ~(UINT32_C(1) << index);
}

/*
 * Whether a text is a name: NAME or NAME:TYPE, not longer than MAUI_GRES_NAME_SIZE allows, of all
 * printable characters of ASCII but blanks and , : = ( # \ and in licenses ; |
 */
bool maui_gres_is_name(const char *text, size_t size);

/*
 * A count as Slurm writes it: digits, and k, m, g, t, p or kib, ... for powers of 1024, or kb, ...
 * for powers of 1000, in any case. Reads all size bytes; false if they are no count. More than 64
 * bits hold is UINT64_MAX.
 */
bool maui_gres_count_parse(const char *text, size_t size, uint64_t *ret_count);

/* What the unit at the beginning of text multiplies a number by, and its length; 1 and 0: none. */
uint64_t maui_gres_unit(const char *text, size_t *ret_size);

#define MAUI_GRES_LICENSE "license:" /* before the name of a license */

/* Of license:NAME the license's name, within the text; NULL for others. */
const char *maui_gres_license(const char *name);

/* How many of a license a list asks for: --licenses as Slurm keeps it, `matlab:2,ansys@server`. */
uint64_t maui_gres_licenses(const char *list, const char *license);

#endif
