/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pieces of text shared by the commands on reservations. */
#ifndef MAUI_RSV_TEXT_H
#define MAUI_RSV_TEXT_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/util/time/duration.h"

#define RSV_DATE_SIZE 32

/* "Fri Nov 20 13:02:55", as the original shows times. Returns text. */
const char *rsv_date(int64_t time, char text[RSV_DATE_SIZE]);

/*
 * When it ends; 0: never. Slurm has no reservation without an end: ours that have none get the last
 * second that the original knew.
 */
int64_t rsv_end(struct json_object *reservation);

/* When a reservation is, in the original's words: relative to now, and how long. */
struct rsv_times {
	char start[MAUI_DURATION_SIZE], end[MAUI_DURATION_SIZE], duration[MAUI_DURATION_SIZE];
	char date[RSV_DATE_SIZE]; /* of its start */
	bool ends;
};
void rsv_times(struct json_object *reservation, int64_t now, struct rsv_times *ret_times);

/* "ACL: USER==alice+:==bob- CLASS==batch+ " and a newline, of an object with "acl" and
 * "acl_omitted". */
void rsv_print_acl(struct json_object *object);

/* "User", as the original calls those that do not belong to a job; "Slurm" for those that are not
 * ours. */
const char *rsv_type(struct json_object *reservation);

/* How many cores of a node are in "0-3,8". */
int64_t rsv_cores(const char *list);

/* What the reader of any list of reservations should know. */
void rsv_notes(struct json_object *data);

#endif
