/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When a standing reservation is in force: its periods, one after another, and the window of each.
 * D-RSV-11 to D-RSV-13: times are what clocks show, so that 9:00 is 9:00 even on the day of a clock
 * change.
 *
 * DAY is from midnight to midnight, WEEK starts on Sunday at 00:00, INFINITY is one period that
 * never ends. Index 0 is the present one. STARTTIME and ENDTIME count from a period's beginning; an
 * ENDTIME beyond the period's end is honoured, and then the windows of two periods may overlap.
 * UNTIL ends whatever window is open then, and no later one is needed.
 * ONCE is not a period: it has its own start and end, and index 0.
 */
#ifndef MAUI_POLICY_SR_WINDOW_H
#define MAUI_POLICY_SR_WINDOW_H

#include "common/policy/reservation/sr_settings.h"

/* The end of what never ends: the original's last second. */
#define MAUI_SR_FOREVER (MAUI_INFINITY - 1)

enum maui_sr_need {
	MAUI_SR_WANTED,
	MAUI_SR_EMPTY,      /* nothing is left of it: it ends now, or before it starts */
	MAUI_SR_NOT_NEEDED, /* the day is not one of DAYS, or the window is over, or after UNTIL */
};

struct maui_sr_window {
	int64_t date;  /* YYYYMMDD of the period's beginning; 0: INFINITY, ONCE */
	int64_t start; /* epoch seconds, of the whole window; INFINITY: 0 */
	int64_t end;   /* the first second after it */
	int64_t from;  /* when what is left of it begins: now, if the window has begun */
};

/*
 * The window of the index-th period as seen at now; index may be negative: a past period, whose
 * window may still be open. For MAUI_SR_NOT_NEEDED all outputs but the date are 0.
 */
enum maui_sr_need maui_sr_window(const struct maui_sr *sr, int64_t index, int64_t now,
				 struct maui_sr_window *ret_window);

/* The index of the period that began on a date, 0 for INFINITY and ONCE; INT64_MIN if none did. */
int64_t maui_sr_index(const struct maui_sr *sr, int64_t date, int64_t now);

/* Bytes of an instance's name with its NUL. */
#define MAUI_SR_INSTANCE_SIZE (MAUI_SR_NAME_MAX + 16)

/* D-RSV-1: `<sr>.<YYYYMMDD>`, or `<sr>.inf`. Returns text. */
const char *maui_sr_instance_name(const char *sr_name, int64_t date,
				  char text[MAUI_SR_INSTANCE_SIZE]);

/* The same; for ONCE its own name. */
const char *maui_sr_name_at(const struct maui_sr *sr, int64_t date,
			    char text[MAUI_SR_INSTANCE_SIZE]);

/*
 * Names of administrative reservations, `<base>.<number>`: never the name of an instance, as a
 * number has at most seven digits. Returns the length of the base; 0 if it is not such a name.
 */
#define MAUI_SR_ONCE_NUMBER_MAX 9999999u
size_t maui_sr_once_parse(const char *name, uint32_t *ret_number);

/*
 * For an instance's name, the length of the reservation's part, and the date; 0 if it is not one.
 */
size_t maui_sr_instance_parse(const char *name, int64_t *ret_date);

#endif
