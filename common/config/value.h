/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The value of a parameter or an attribute, and the periods that values may have. */
#ifndef MAUI_CONFIG_VALUE_H
#define MAUI_CONFIG_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/config/keys/keys.h"
#include "common/config/text/origin.h"
#include "common/util/credential.h"
#include "common/util/time/duration.h" /* MAUI_INFINITY */

/* The file of a built-in default's origin. */
extern const char maui_built_in[];

/*
 * One value. Which member of the union is valid depends on key->kind (or attr->kind), see keys.h:
 *   INTEGER, MEMORY (MB)                     integer
 *   DURATION (seconds)                       integer; MAUI_INFINITY for INFINITY
 *   REAL                                     real
 *   BOOLEAN                                  boolean
 *   KEYWORD, FSPOLICY                        integer (the keyword's index in key->keywords), flag
 *                                            for FSPOLICY's '%'
 *   STRING, FORMULA, ...                     text alone
 *   LIST, FLAGS, HOSTLIST, DAYS, ...         list, list_size; FLAGS and DAYS: integer is the bit
 *                                            mask, too (flags by their keyword's index;
 *                                            Sunday is bit 0, every day is 255)
 *   ACL, TIME_ACL, COUNT_ACL                 list, with all marks; "<=" in front where it stood in
 *                                            place of '='
 *   RESOURCES                                list of "PROCS:2", "MEM:512" (MB), ...; -1 is all
 *   LIMIT, TIME_LIMIT (seconds),
 *   MEMORY_LIMIT (MB)                        limit: soft <= hard; 0 not set, -1 unlimited
 *   FSTARGET                                 real, and mark: one of '\0' + - % ^
 *   OWNER                                    dimension and dimension_name: USER:tom
 *   DATE                                     integer: epoch seconds of the first second after it
 * If several lines set a cumulative key, origin and text are the last line's and the list has the
 * items of all.
 */
struct maui_value {
	const struct maui_key_info *key;
	struct maui_origin origin;
	const char *text; /* the value as it stood in the file, quotes removed */
	uint32_t order;   /* numbers the values as they were read: a later line's is greater */
	union {
		int64_t integer;
		double real;
		bool boolean;
		struct {
			int64_t soft, hard;
		} limit;
	};
	char mark;
	bool flag;
	const char *const *list;
	size_t list_size;
	/* The second dimension of a multi-dimensional limit, MAXJOB[USER:bob]: */
	bool has_dimension;
	enum maui_credential dimension;
	const char *dimension_name; /* NULL: the general entry, MAXJOB[USER] */
	/* The number of the GRES of a limit, from 1 on; 0: it is of none. */
	unsigned int gres;
	const char *gres_name;
	/* The number of the period of a limit, MAXJOB[PERIOD:night], from 1 on; 0: of none. */
	unsigned int period;
	const char *period_name;
};

#define MAUI_RESOURCES_GRES 4u /* that one RESOURCES may name */

#define MAUI_PERIODS          32u /* that a maui.cfg may name */
#define MAUI_PERIOD_NAME_SIZE 32  /* bytes with the NUL */

/*
 * A period in which limits have values of their own: PERIODCFG[night]. It recurs each day of `days`
 * or each week, which begins on Sunday. Times are seconds as clocks show them, from the beginning of
 * the day or week on: 0 <= start < end, and end - start is at most a day or a week.
 */
struct maui_period {
	const char *name;
	bool defined; /* PERIODCFG has it, without errors */
	bool weekly;
	uint8_t days; /* of daily ones, a mask: bit 0 is Sunday */
	int64_t start, end;
};

/* Whether a line sets the value: it is not a built-in default. */
bool maui_value_given(const struct maui_value *value);

#endif
