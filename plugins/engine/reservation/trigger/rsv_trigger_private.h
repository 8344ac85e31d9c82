/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by rsv_trigger.c, which finds what is due, and rsv_trigger_program.c, which runs it. */
#ifndef MAUI_ENGINE_RSV_TRIGGER_PRIVATE_H
#define MAUI_ENGINE_RSV_TRIGGER_PRIVATE_H

#include <stdint.h>

#include "common/policy/reservation/sr_trigger.h"
#include "common/policy/reservation/sr_window.h"

/* A trigger to set off; everything is copied. */
struct rsv_going_off {
	char name[MAUI_SR_INSTANCE_SIZE];
	char standing[MAUI_SR_NAME_MAX + 1];
	struct maui_sr_trigger trigger;
	char *data, *nodes;
	int64_t start, end;
};

/* Start the program of exec or submit without waiting for it to end; what names the event for the
 * log. Failure to start is logged as well. No lock held; takes the mutex. */
void rsv_trigger_program(const struct rsv_going_off *one, const char *what);

#endif
