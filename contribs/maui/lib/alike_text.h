/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How alike two orders of the queue are, as text and as JSON. */
#ifndef MAUI_ALIKE_TEXT_H
#define MAUI_ALIKE_TEXT_H

#include <stdint.h>

#include <json-c/json.h>

#include "common/util/kendall.h"

#define GROUPED_SIZE 32

/* 1,234,567; returns text. */
const char *grouped(int64_t number, char text[GROUPED_SIZE]);

/* Two or three lines. first and second: whose priorities they are, "Slurm". */
void print_alike(const struct maui_kendall *kendall, const char *first, const char *second);

/* jobs, pairs, other_order, equal_first, equal_second, tau_b: null where it is not defined. */
struct json_object *alike_object(const struct maui_kendall *kendall, size_t jobs);

#endif
