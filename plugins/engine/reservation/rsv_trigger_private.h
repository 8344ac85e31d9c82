/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between rsv_trigger.c, which knows what is due, and rsv_trigger_program.c, which runs it. */
#ifndef MAUI_ENGINE_RSV_TRIGGER_PRIVATE_H
#define MAUI_ENGINE_RSV_TRIGGER_PRIVATE_H

#include <stdint.h>

#include "common/policy/reservation/sr_trigger.h"
#include "common/policy/reservation/sr_window.h"

/* One that is to be set off: copies. */
struct rsv_going_off {
	char name[MAUI_SR_INSTANCE_SIZE];
	char standing[MAUI_SR_NAME_MAX + 1];
	struct maui_sr_trigger trigger;
	char *data, *nodes;
	int64_t start, end;
};

/* Starts the program of exec or submit, and does not wait for its end; what says which event it is,
 * for the log, where it is also told if there is no such program. No lock held; takes the mutex. */
void rsv_trigger_program(const struct rsv_going_off *one, const char *what);

#endif
