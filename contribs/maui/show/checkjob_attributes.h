/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MAUI_CHECKJOB_ATTRIBUTES_H
#define MAUI_CHECKJOB_ATTRIBUTES_H

#include <stdint.h>

#include "contribs/maui/queue/job_facts.h"

/* checkjob -A: a line of NAME=VALUE; pairs, with the names of Maui's Wiki interface; unset values
 * are left out. */
void checkjob_print_attributes(const struct job_facts *facts, int64_t start_priority);

#endif
