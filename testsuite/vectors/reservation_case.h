/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the areas of reservations: SRCFG lines compiled by the core, and its items compared. */
#ifndef MAUI_VECTORS_RESERVATION_CASE_H
#define MAUI_VECTORS_RESERVATION_CASE_H

#include "common/policy/reservation/sr_settings.h"
#include "common/util/intern.h"
#include "testsuite/vectors/check.h"

struct reservation_core {
	struct maui_intern *names[MAUI_CREDENTIALS];
	struct maui_config *config;
	struct maui_sr_settings *settings;
};

/* The core on lines of maui.cfg; false, with the case failed, if it does not accept them. */
bool reservation_core_open(struct check *check, const char *lines, struct reservation_core *ret);
void reservation_core_close(struct reservation_core *core);

/* The id of a name, assigned now. NULL has none. */
uint32_t reservation_id(struct reservation_core *core, enum maui_credential type, const char *name);

/* The items of an access list against those of a vector; cfg: the lines they come from. */
void reservation_check_acl(struct check *check, struct json_object *expected,
			   const struct maui_acl *acl, struct json_object *cfg);

/* "+", "=", "-" or "none". */
const char *reservation_affinity(enum maui_affinity affinity);

/* Its flags in the original's order, ACCESS included. */
void reservation_flags(const struct maui_sr *sr, char *text, size_t size);

#endif
