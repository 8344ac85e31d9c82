/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * TRIGGER of a standing reservation: chapter 7.1.5.2, D-RSV-22.
 *
 *   EVENT[+OFFSET][@THRESHOLD];ACTION[@DATA]      with ':' for ';', too, as in its example
 *
 *   create, start, end   of an instance, OFFSET later ([[HH:]MM:]SS)
 *   minload              from OFFSET after its start on, when less of it is used than THRESHOLD: a
 *                        part of its processors from 0 to 1, or in percent, with '%' or where it
 *                        is more than 1
 *
 *   cancel               the instance goes, and is not made again in its period
 *   exec@PROGRAM ...     an absolute path, and arguments between blanks; no shell reads them
 *   submit@FILE          a job script, by its absolute path
 */
#ifndef MAUI_POLICY_SR_TRIGGER_H
#define MAUI_POLICY_SR_TRIGGER_H

#include <stddef.h>
#include <stdint.h>

#include "common/util/error.h"

enum maui_sr_event {
	MAUI_SR_ON_NOTHING, /* there is no trigger */
	MAUI_SR_ON_CREATE,
	MAUI_SR_ON_START,
	MAUI_SR_ON_END,
	MAUI_SR_ON_MINLOAD,
	MAUI_SR_EVENTS /* how many there are */
};

enum maui_sr_trigger_action { MAUI_SR_DO_CANCEL, MAUI_SR_DO_EXEC, MAUI_SR_DO_SUBMIT };

struct maui_sr_trigger {
	enum maui_sr_event event;
	int64_t offset;   /* seconds */
	double threshold; /* of minload, 0 to 1 */
	enum maui_sr_trigger_action action;
	const char *data; /* points into the parsed text, up to its end; "" for cancel */
};

#define MAUI_SR_TRIGGER_MAX_TEXT   4096 /* bytes of the whole */
#define MAUI_SR_TRIGGER_MAX_WORDS  64   /* for exec, the program included */
#define MAUI_SR_TRIGGER_MAX_OFFSET INT64_C(31622400)

/* 0; -EINVAL: *ret_at is where the text is not understood; nothing else is set. */
int maui_sr_trigger_parse(const char *text, struct maui_sr_trigger *ret_trigger, size_t *ret_at,
			  struct maui_error *error);

/* "create", "cancel", ...; "none" for MAUI_SR_ON_NOTHING */
const char *maui_sr_event_name(enum maui_sr_event event);
const char *maui_sr_trigger_action_name(enum maui_sr_trigger_action action);

/*
 * The next word of exec's data from *at on, which moves past it; its size in *ret_size. NULL if
 * there is none.
 */
const char *maui_sr_trigger_word(const char **at, size_t *ret_size);

#endif
