/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When a standing reservation is in force: its periods, one after the other, and the window of
 * each. D-RSV-11 to D-RSV-13: times are what clocks show, so that 9:00 is 9:00 on the days of a
 * change, too.
 *
 * DAY is from midnight to midnight, WEEK from Sunday 00:00 on, INFINITY is one period that never
 * ends. Index 0 is the present one. STARTTIME and ENDTIME are from a period's beginning; an ENDTIME
 * beyond the period's end is honoured, and then the windows of two periods may overlap. ONCE is no
 * period: it begins and ends when it does, and has the index 0.
 */
#ifndef MAUI_POLICY_SR_WINDOW_H
#define MAUI_POLICY_SR_WINDOW_H

#include "common/policy/reservation/sr_settings.h"

/* The end of what never ends: the original's last second. */
#define MAUI_SR_FOREVER (MAUI_INFINITY - 1)

enum maui_sr_need {
	MAUI_SR_WANTED,
	MAUI_SR_EMPTY,      /* nothing is left of it: it ends now, or before it starts */
	MAUI_SR_NOT_NEEDED, /* the day is not one of DAYS, or the window is over */
};

struct maui_sr_window {
	int64_t date;  /* YYYYMMDD of the period's beginning; 0: INFINITY, ONCE */
	int64_t start; /* epoch seconds, of the whole window; INFINITY: 0 */
	int64_t end;   /* the first second behind it */
	int64_t from;  /* what is left of it begins: the present, if the window has begun */
};

/*
 * The window of the index-th period as seen at now; index may be negative: a period that has
 * passed, whose window may still be open. Outputs of MAUI_SR_NOT_NEEDED are 0 but for the date.
 */
enum maui_sr_need maui_sr_window(const struct maui_sr *sr, int64_t index, int64_t now,
				 struct maui_sr_window *ret_window);

/* The index of the period that began on a date, 0 for INFINITY's and ONCE's; INT64_MIN if none
 * does. */
int64_t maui_sr_index(const struct maui_sr *sr, int64_t date, int64_t now);

/* Bytes of an instance's name with its NUL. */
#define MAUI_SR_INSTANCE_SIZE (MAUI_SR_NAME_MAX + 16)

/* D-RSV-1: `<sr>.<YYYYMMDD>`, or `<sr>.inf`. Returns text. */
const char *maui_sr_instance_name(const char *sr_name, int64_t date,
				  char text[MAUI_SR_INSTANCE_SIZE]);

/* The same, and of ONCE its own name. */
const char *maui_sr_name_at(const struct maui_sr *sr, int64_t date,
			    char text[MAUI_SR_INSTANCE_SIZE]);

/*
 * Names of administrative reservations, `<base>.<number>`: never the name of an instance, for a
 * number has seven digits at most. Of such a name the length of its base; 0 if it is none.
 */
#define MAUI_SR_ONCE_NUMBER_MAX 9999999u
size_t maui_sr_once_parse(const char *name, uint32_t *ret_number);

/* Of an instance's name the length of the reservation's part, and the date; 0 if it is none. */
size_t maui_sr_instance_parse(const char *name, int64_t *ret_date);

#endif
