/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The whole engine in a test, without threads: what its threads would do is done in turns, when a
 * test says so, or when a caller has to wait for one of them. Time stands still unless a test lets
 * it pass. There is no socket: requests go straight to the service's commands.
 */
#ifndef MAUI_UNIT_ENGINE_DRIVE_H
#define MAUI_UNIT_ENGINE_DRIVE_H

#include <criterion/criterion.h>
#include <math.h>

#include <json-c/json.h>

#include "testsuite/unit/engine/controller.h"

#define NOW INT64_C(1699876800) /* when tests begin: Monday, 2023-11-13 12:00 UTC */

#define MINUTE 60
#define HOUR   3600
#define DAY    86400

/* Four nodes of four CPUs, in two partitions. */
#define FOUR_NODES                                                                                 \
	"NodeName=n[1-4] CPUs=4 RealMemory=4000\n"                                                 \
	"PartitionName=batch Nodes=ALL Default=YES State=UP\n"                                     \
	"PartitionName=small Nodes=n[1-2] State=UP\n"

/* ---- the engine's life ---- */

/* Sets up a directory, a machine (FOUR_NODES), and a maui.cfg; the select plugin is loaded. Nothing
 * runs yet. drive_init() and drive_fini() are the suite's .init and .fini. */
void drive_machine(const char *machine, const char *slurm_conf, const char *maui_cfg);

/* The same, then starts the engine as primary, with its first turn. */
void drive_begin(const char *machine, const char *maui_cfg);
void drive_start(void);
void drive_stop(void);

/* slurmctld is killed: the engine saves nothing, and knows nothing of it when it starts again. */
void drive_kill(void);

void drive_init(void);
void drive_fini(void);

/* Replaces maui.cfg, and slurmctld reads slurm.conf again. */
void drive_reconfigure(const char *maui_cfg);

/* Runs all threads until each of them waits: one iteration, at least. */
void drive_turn(void);

/* A thread of the engine hangs: the next time that one waits for a lock of slurmctld, this happens
 * first. It may call drive_hang() again, for the lock after that. */
void drive_hang(void (*happens)(void));

/* The shadow's watch runs through as many seconds as it likes in one turn: this is called in
 * each. */
extern void (*drive_each_second)(void);

/* No thread can be made any more; no active job can be counted. */
extern bool drive_threads_fail, drive_limits_full;

/* Time passes, and then a turn. */
void drive_pass(int64_t seconds);
void drive_clock(int64_t time); /* only the clock */

/* Somebody sets the wall clock, forward or back: no time passes. */
void drive_step(int64_t seconds);

/* ---- files ---- */

const char *drive_path(const char *name); /* below the directory; valid until the next call */
bool drive_has_file(const char *name);
/* Its text, which the caller frees; NULL: there is no such file. */
char *drive_file(const char *name);
void drive_write_file(const char *name, const char *text);

/* Whether slurmctld's log contains this text. */
bool drive_logged(const char *text);

/* ---- the service ---- */

/* The answer's data, valid until the test ends. arguments: JSON, with ' for ", or NULL. The test
 * fails if the answer is an error. uid 0 is root. */
struct json_object *drive_ask(const char *command, const char *arguments);
struct json_object *drive_ask_as(uid_t uid, const char *command, const char *arguments);

/* The text of the error; the test fails if there is none. */
const char *drive_refusal(uid_t uid, const char *command, const char *arguments);

/* Whether root gets an answer that is no error. */
bool drive_try(const char *command, const char *arguments);

/* What is at a JSON pointer; NULL: nothing, or null. */
struct json_object *drive_at(struct json_object *object, const char *pointer);
int drive_length(struct json_object *object, const char *pointer);

/* The index in the array of the object whose member is this text; the test fails if none is. */
int drive_place(struct json_object *object, const char *array, const char *member,
		const char *text);

/* A user's uid. */
uid_t drive_uid(const char *user);

/* ---- what is expected ---- */

/* Tolerates what the ticks of the clock add. */
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
