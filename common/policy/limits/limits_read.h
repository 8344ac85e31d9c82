/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What maui.cfg says of limits in one place, before any fallback. */
#ifndef MAUI_POLICY_LIMITS_READ_H
#define MAUI_POLICY_LIMITS_READ_H

#include "common/policy/limits/limits_private.h"

/* As in maui.cfg: 0 not set, negative unlimited. */
struct limit_raw {
	int64_t value[MAUI_LIMIT_MODES][MAUI_LIMIT_LEVELS][LIMIT_WIDTH];
	/* Periods that have a value before the one of no period that would apply. */
	struct limit_periods periods;
	uint32_t in_force;         /* periods, a mask: set by the caller */
	unsigned int period_modes; /* in which any value is of a period */
	bool period_soft;          /* one of these differs between the levels */
};

/*
 * Which values of an object: the plain ones, or those of one dimension (name NULL: the general
 * ones). Those of a GRES are read as of processors and processor-seconds.
 */
struct limit_filter {
	unsigned int gres; /* its number; 0: those of none */
	bool dimension;
	enum maui_credential type;
	const char *name;
};

/* Each sets what is not set yet. */

/* SYSTEMMAX... and SYSCFG. */
void limit_read_system(struct limit_raw *raw, const struct maui_config *config, unsigned int gres);

/* From an object, which may be NULL. */
void limit_read_object(struct limit_raw *raw, const struct maui_object *object,
		       const struct limit_filter *filter);

/* OMAX..., OMAXI..., OMAXJ... and QFLAGS of a QOS: -1 means unlimited. */
void limit_read_overrides(struct limit_raw *raw, const struct maui_object *qos, unsigned int gres,
			  bool *ret_ignores_system);

/* Whether a value limits pairs of its holder and a credential of this type. */
bool limit_is_of_pairs(const struct maui_value *value, unsigned int gres,
		       enum maui_credential second);

#endif
