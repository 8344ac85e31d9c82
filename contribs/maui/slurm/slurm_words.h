/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slurm's states and flags in its own words, and JSON values for what may be unset. */
#ifndef MAUI_SLURM_WORDS_H
#define MAUI_SLURM_WORDS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include <json-c/json.h>

const char *slurm_words_job_state(uint32_t state);
struct json_object *slurm_words_job_flags(uint32_t state);
const char *slurm_words_node_state(uint32_t state);
struct json_object *slurm_words_node_flags(uint32_t state);
const char *slurm_words_partition_state(uint16_t state);
/* squeue's reason codes. */
const char *slurm_words_reason(uint32_t reason);

/* NULL, JSON's null, for what means "not set": "", 0, and NO_VAL or INFINITE of any width. */
struct json_object *value_text(const char *text);
struct json_object *value_time(time_t time);
/*
 * A time that Slurm plans: also unset at the end of a reservation that never ends, or a little
 * before it, where Slurm plans a job that only such reservations block.
 */
struct json_object *value_plan(time_t time);
bool slurm_words_is_never(time_t plan);
struct json_object *value_count(uint64_t count);   /* 0 is a number */
struct json_object *value_minutes(uint32_t count); /* in seconds */
/* The words of a comma-separated list; an array, empty without any. */
struct json_object *value_list(const char *list);

#endif
