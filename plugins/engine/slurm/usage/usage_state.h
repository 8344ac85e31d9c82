/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When usage was last brought up to date, across restarts. The usage itself is in slurmctld's own
 * state files. The file is priority/multifactor's, in its format (priority_last_decay_ran, two
 * times): a site can change from one plugin to the other and back. With a file of our own the other
 * plugin would find its old one, and would let all usage fade for the time that we were in charge.
 */
#ifndef MAUI_ENGINE_USAGE_STATE_H
#define MAUI_ENGINE_USAGE_STATE_H

#include <stdbool.h>
#include <stdint.h>

/* Epoch seconds. */
struct usage_times {
	int64_t last_pass, last_reset;
};

/* Leaves the times as they are if there was no pass yet, or the file is damaged, which is logged.
 * False: it cannot be read now (D-SYS-15). */
bool usage_times_load(const char *state_directory, struct usage_times *ret_times);

/* Replaces the file durably. 0, or a negative errno after an error in the log. */
int usage_times_save(const char *state_directory, const struct usage_times *times);

#endif
