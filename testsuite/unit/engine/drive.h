/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The whole engine in a test, without threads: what the engine would do in threads of its own is
 * done in turns, when a test says so, or when the engine itself is asked to wait for one of them.
 * Time stands still unless a test lets it pass. Nobody listens on a socket: requests are put to the
 * service's commands.
 */
#ifndef MAUI_UNIT_ENGINE_DRIVE_H
#define MAUI_UNIT_ENGINE_DRIVE_H

#include <criterion/criterion.h>
#include <math.h>

#include <json-c/json.h>

#include "testsuite/unit/engine/controller.h"

#define NOW INT64_C(1699876800) /* where time begins: Monday, 2023-11-13 12:00 UTC */

#define MINUTE 60
#define HOUR   3600
#define DAY    86400

/* Four nodes of four CPUs, in two partitions. */
#define FOUR_NODES                                                                                 \
	"NodeName=n[1-4] CPUs=4 RealMemory=4000\n"                                                 \
	"PartitionName=batch Nodes=ALL Default=YES State=UP\n"                                     \
	"PartitionName=small Nodes=n[1-2] State=UP\n"

/* ---- the engine's life ---- */

/* A directory, a machine (FOUR_NODES), and a maui.cfg in it; the select plugin is there. Nothing
 * runs yet. For the suite's .init and .fini are drive_init() and drive_fini(). */
void drive_machine(const char *machine, const char *slurm_conf, const char *maui_cfg);

/* The same, and the engine begins as primary and takes its first turn. */
void drive_begin(const char *machine, const char *maui_cfg);
void drive_start(void);
void drive_stop(void);

void drive_init(void);
void drive_fini(void);

/* maui.cfg is another, and slurmctld reads slurm.conf again. */
void drive_reconfigure(const char *maui_cfg);

/* All threads, until each of them waits: one iteration, at least. */
void drive_turn(void);

/* The shadow's watch lives through as many seconds as it likes within one turn: this is called in
 * each. */
extern void (*drive_each_second)(void);

/* Time passes, and then a turn. */
void drive_pass(int64_t seconds);
void drive_clock(int64_t time); /* only the clock */

/* ---- files ---- */

const char *drive_path(const char *name); /* below the directory; valid until the next call */
bool drive_has_file(const char *name);
/* Its text, to be freed; NULL: there is none. */
char *drive_file(const char *name);
void drive_write_file(const char *name, const char *text);

/* Whether slurmctld's log has this text. */
bool drive_logged(const char *text);

/* ---- the service ---- */

/* The answer's data, valid until the test ends. arguments: JSON, with ' for ", or NULL. The test
 * fails if it is an error. uid 0 is root. */
struct json_object *drive_ask(const char *command, const char *arguments);
struct json_object *drive_ask_as(uid_t uid, const char *command, const char *arguments);

/* The text of the error; the test fails if there is none. */
const char *drive_refusal(uid_t uid, const char *command, const char *arguments);

/* What is at a JSON pointer; NULL: nothing, or null. */
struct json_object *drive_at(struct json_object *object, const char *pointer);
int drive_length(struct json_object *object, const char *pointer);

/* The place in the array of the object whose member is this text; the test fails if none is. */
int drive_place(struct json_object *object, const char *array, const char *member,
		const char *text);

/* The number of a user. */
uid_t drive_uid(const char *user);

/* ---- what is expected ---- */

/* But for what the ticks of the clock make of it. */
#define EXPECT_NUMBER(object, pointer, number)                                                     \
	do {                                                                                       \
		struct json_object *found_ = drive_at(object, pointer);                            \
		cr_expect(found_ &&fabs(json_object_get_double(found_) - (double)(number)) <       \
				  1e-6 * (1 + fabs((double)(number))),                             \
			  "%s: %s, and not %g", pointer,                                           \
			  found_ ? json_object_to_json_string(found_) : "nothing",                 \
			  (double)(number));                                                       \
	} while (0)

#define EXPECT_TEXT(object, pointer, text)                                                         \
	do {                                                                                       \
		struct json_object *found_ = drive_at(object, pointer);                            \
		cr_expect(found_ && !strcmp(json_object_get_string(found_), text),                 \
			  "%s: %s, and not %s", pointer,                                           \
			  found_ ? json_object_to_json_string(found_) : "nothing", text);          \
	} while (0)

#define EXPECT_TRUE(object, pointer)                                                               \
	cr_expect(drive_at(object, pointer) && json_object_get_boolean(drive_at(object, pointer)), \
		  "%s is not true", pointer)

#define EXPECT_FALSE(object, pointer)                                                              \
	cr_expect(drive_at(object, pointer) &&                                                     \
			  json_object_is_type(drive_at(object, pointer), json_type_boolean) &&     \
			  !json_object_get_boolean(drive_at(object, pointer)),                     \
		  "%s is not false", pointer)

#define EXPECT_NULL(object, pointer)                                                               \
	cr_expect_null(drive_at(object, pointer), "%s is there", pointer)

#endif
