/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A moment after which waiting stops. */
#ifndef MAUI_DEADLINE_H
#define MAUI_DEADLINE_H

#include <stdint.h>

struct deadline {
	int64_t end; /* milliseconds of the monotonic clock */
};

/* Milliseconds of that clock, which nobody sets. */
int64_t milliseconds_now(void);

struct deadline deadline_in(int seconds);

/* Milliseconds left, as poll() takes them; 0 when it has passed. */
int deadline_left(const struct deadline *deadline);

#endif
