/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of slurm.conf as slurmctld reads them. */
#ifndef MAUI_REPLAY_SLURM_CONF_VALUES_H
#define MAUI_REPLAY_SLURM_CONF_VALUES_H

#include <stdbool.h>
#include <stdint.h>

/* Bits that slurmctld has for a number. */
enum maui_conf_width { MAUI_CONF_16 = 16, MAUI_CONF_32 = 32, MAUI_CONF_64 = 64 };

/*
 * A whole number: decimal, octal (017) or hexadecimal (0x1f), one of more than 16 bits with K for
 * 1024; UNLIMITED and INFINITE are the most that its bits hold, and more than INT64_MAX is
 * INT64_MAX. False: slurmctld does not take it, either.
 */
bool maui_conf_parse_number(const char *text, enum maui_conf_width width, int64_t *ret_number);

/*
 * 90, 30:00, 12:00:00, 7-12, 7-12:00, 7-12:00:00, in seconds. False: it is none of them; UNLIMITED
 * and its like are none.
 */
bool maui_conf_parse_time(const char *text, int64_t *ret_seconds);

#endif
