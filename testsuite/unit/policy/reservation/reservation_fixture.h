/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Standing reservations from lines of maui.cfg. Names get their ids in order of appearance. */
#ifndef MAUI_UNIT_POLICY_RESERVATION_FIXTURE_H
#define MAUI_UNIT_POLICY_RESERVATION_FIXTURE_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/policy/reservation/sr_settings.h"
#include "common/util/intern.h"

struct reservations {
	struct maui_intern *names[MAUI_CREDENTIALS];
	struct maui_sr_settings *settings;
};

static inline uint32_t reservations_id(void *context, enum maui_credential type, const char *name)
{
	struct reservations *reservations = context;

	/* As in an engine that knows its users: this one does not exist. */
	return strcmp(name, "nobody") ? maui_intern_add(reservations->names[type], name) : 0;
}

static inline void reservations_open(struct reservations *reservations, const char *lines)
{
	struct maui_limit_names names = {reservations_id, reservations};
	struct maui_config *config = NULL;
	struct maui_error error = {""};

	*reservations = (struct reservations){.settings = NULL};
	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		reservations->names[type] = maui_intern_new();
	cr_assert_eq(maui_config_parse("maui.cfg", lines, strlen(lines), NULL, &config, &error), 0,
		     "%s", error.text);
	reservations->settings = maui_sr_settings_compile(config, &names);
	maui_config_unref(config); /* the settings hold their own reference */
}

static inline void reservations_close(struct reservations *reservations)
{
	for (int type = 0; type < MAUI_CREDENTIALS; type++)
		maui_intern_free(reservations->names[type]);
	maui_sr_settings_free(reservations->settings);
}

static inline void set_zone(const char *zone)
{
	setenv("TZ", zone, 1);
	tzset();
}

#endif
