/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables of words for states and flags, and put_ functions that write a value
 * as JSON unless it is empty, NO_VAL or INFINITE.
 */
#include "contribs/maui/slurm/slurm_words.h"

#include <stddef.h>
#include <string.h>

#include "common/policy/reservation/sr_window.h"
#include "common/util/list.h"
#include "contribs/maui/slurm/slurm_compat.h"

#define YEAR INT64_C(31536000) /* seconds */

struct flag {
	uint32_t bit;
	const char *word;
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *word_of(const char *const *words, size_t count, uint32_t number)
{
	return number < count ? words[number] : "UNKNOWN";
}

static void put_words(struct json_text *record, const char *name, const struct flag *flags,
		      size_t count, uint32_t state)
{
	json_text_open(record, name, '[');
	for (size_t i = 0; i < count; i++)
		if (state & flags[i].bit)
			put_text(record, NULL, flags[i].word);
	json_text_close(record, ']');
}

const char *slurm_words_job_state(uint32_t state)
{
	static const char *const words[] = {"PENDING",   "RUNNING",   "SUSPENDED", "COMPLETED",
					    "CANCELLED", "FAILED",    "TIMEOUT",   "NODE_FAIL",
					    "PREEMPTED", "BOOT_FAIL", "DEADLINE",  "OUT_OF_MEMORY"};

	return word_of(words, COUNT(words), state & JOB_STATE_BASE);
}

void put_job_flags(struct json_text *record, const char *name, uint32_t state)
{
	static const struct flag flags[] = {
		{JOB_COMPLETING, "COMPLETING"},
		{JOB_CONFIGURING, "CONFIGURING"},
		{JOB_LAUNCH_FAILED, "LAUNCH_FAILED"},
		{JOB_POWER_UP_NODE, "POWER_UP_NODE"},
		{JOB_RECONFIG_FAIL, "RECONFIG_FAIL"},
		{JOB_REQUEUE, "REQUEUED"},
		{JOB_REQUEUE_FED, "REQUEUE_FED"},
		{JOB_REQUEUE_HOLD, "REQUEUE_HOLD"},
		{JOB_RESIZING, "RESIZING"},
		{JOB_RESV_DEL_HOLD, "RESV_DEL_HOLD"},
		{JOB_REVOKED, "REVOKED"},
		{JOB_SIGNALING, "SIGNALING"},
		{JOB_SPECIAL_EXIT, "SPECIAL_EXIT"},
		{JOB_STAGE_OUT, "STAGE_OUT"},
		{JOB_STOPPED, "STOPPED"},
	};

	put_words(record, name, flags, COUNT(flags), state);
}

const char *slurm_words_node_state(uint32_t state)
{
	static const char *const words[] = {"UNKNOWN", "DOWN",  "IDLE",  "ALLOCATED",
					    "ERROR",   "MIXED", "FUTURE"};

	return word_of(words, COUNT(words), state & NODE_STATE_BASE);
}

void put_node_flags(struct json_text *record, const char *name, uint32_t state)
{
	static const struct flag flags[] = {
		{NODE_STATE_CLOUD, "CLOUD"},
		{NODE_STATE_COMPLETING, "COMPLETING"},
		{NODE_STATE_DRAIN, "DRAIN"},
		{NODE_STATE_DYNAMIC_FUTURE, "DYNAMIC_FUTURE"},
		{NODE_STATE_DYNAMIC_NORM, "DYNAMIC_NORM"},
		{NODE_STATE_FAIL, "FAIL"},
		{NODE_STATE_INVALID_REG, "INVALID_REG"},
		{NODE_STATE_MAINT, "MAINT"},
		{NODE_STATE_NO_RESPOND, "NOT_RESPONDING"},
		{NODE_STATE_PLANNED, "PLANNED"},
		{NODE_STATE_POWERED_DOWN, "POWERED_DOWN"},
		{NODE_STATE_POWERING_DOWN, "POWERING_DOWN"},
		{NODE_STATE_POWERING_UP, "POWERING_UP"},
		{NODE_STATE_POWER_DOWN, "POWER_DOWN"},
		{NODE_STATE_POWER_DRAIN, "POWER_DRAIN"},
		{NODE_STATE_POWER_UP, "POWER_UP"},
		{NODE_STATE_REBOOT_ISSUED, "REBOOT_ISSUED"},
		{NODE_STATE_REBOOT_REQUESTED, "REBOOT_REQUESTED"},
		{NODE_STATE_RES, "RESERVED"},
	};

	put_words(record, name, flags, COUNT(flags), state);
}

const char *slurm_words_partition_state(uint16_t state)
{
	switch (state) {
	case PARTITION_UP:
		return "UP";
	case PARTITION_DOWN:
		return "DOWN";
	case PARTITION_DRAIN:
		return "DRAIN";
	default:
		return "INACTIVE";
	}
}

const char *slurm_words_reason(uint32_t reason)
{
	return slurm_job_state_reason_string((enum job_state_reason)reason);
}

void put_text(struct json_text *record, const char *name, const char *text)
{
	if (text && *text)
		json_text_string(record, name, text, strlen(text));
}

void put_time(struct json_text *record, const char *name, time_t time)
{
	if (time && time != (time_t)NO_VAL && time != (time_t)INFINITE)
		json_text_number(record, name, time);
}

bool slurm_words_is_never(time_t plan)
{
	return plan >= MAUI_SR_FOREVER - YEAR;
}

void put_plan(struct json_text *record, const char *name, time_t time)
{
	if (!slurm_words_is_never(time))
		put_time(record, name, time);
}

/* NO_VAL or INFINITE of so many bytes. */
static bool is_unset(uint64_t count, size_t size)
{
	switch (size) {
	case sizeof(uint16_t):
		return count == NO_VAL16 || count == INFINITE16;
	case sizeof(uint32_t):
		return count == NO_VAL || count == INFINITE;
	default:
		return count == NO_VAL64 || count == INFINITE64;
	}
}

void put_count_of_size(struct json_text *record, const char *name, uint64_t count, size_t size)
{
	if (!is_unset(count, size))
		json_text_number(record, name, (int64_t)count);
}

void put_some_of_size(struct json_text *record, const char *name, uint64_t count, size_t size)
{
	if (count)
		put_count_of_size(record, name, count, size);
}

void put_minutes(struct json_text *record, const char *name, uint32_t count)
{
	if (!is_unset(count, sizeof(count)))
		json_text_number(record, name, (int64_t)count * 60);
}

void put_list(struct json_text *record, const char *name, const char *list)
{
	struct maui_item item;

	json_text_open(record, name, '[');
	while (maui_list_next(&list, ",", &item))
		if (item.size)
			json_text_string(record, NULL, item.text, item.size);
	json_text_close(record, ']');
}
