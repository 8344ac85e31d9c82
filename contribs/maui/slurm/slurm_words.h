/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slurm's states and flags in its own words, and members of JSON for what may be unset. */
#ifndef MAUI_SLURM_WORDS_H
#define MAUI_SLURM_WORDS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "contribs/maui/lib/json_text.h"

const char *slurm_words_job_state(uint32_t state);
const char *slurm_words_node_state(uint32_t state);
const char *slurm_words_partition_state(uint16_t state);
/* squeue's reason codes. */
const char *slurm_words_reason(uint32_t reason);

bool slurm_words_is_never(time_t plan);

/* Arrays of Slurm's words for the flags. */
void put_job_flags(struct json_text *record, const char *name, uint32_t state);
void put_node_flags(struct json_text *record, const char *name, uint32_t state);

/* Nothing for what means "not set": "", NULL, a time of 0, and NO_VAL or INFINITE of
 * the member's own width. */
void put_count_of_size(struct json_text *record, const char *name, uint64_t count, size_t size);
void put_some_of_size(struct json_text *record, const char *name, uint64_t count, size_t size);
void put_text(struct json_text *record, const char *name, const char *text);
void put_time(struct json_text *record, const char *name, time_t time);
/*
 * A time that Slurm plans: also unset at the end of a reservation that never ends, or a little
 * before it, where Slurm plans a job that only such reservations block.
 */
void put_plan(struct json_text *record, const char *name, time_t time);
/* 0 is a number. */
#define put_count(record, name, count) put_count_of_size(record, name, count, sizeof(count))
/* 0 is unset. */
#define put_some(record, name, count) put_some_of_size(record, name, count, sizeof(count))
void put_minutes(struct json_text *record, const char *name, uint32_t count); /* in seconds */
/* The words of a comma-separated list; an array, empty without any. */
void put_list(struct json_text *record, const char *name, const char *list);

#endif
