/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random numbers for a mutator: the same ones for the same seed. */
#ifndef MAUI_FUZZ_DICE_H
#define MAUI_FUZZ_DICE_H

#include <stddef.h>
#include <stdint.h>

struct dice {
	uint64_t state; /* not 0 */
};

static inline struct dice dice_of(unsigned int seed)
{
	return (struct dice){.state = (seed + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15)};
}

/* From 0 to count - 1; 0 if count is 0. */
static inline size_t roll(struct dice *dice, size_t count)
{
	uint64_t x = dice->state;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	dice->state = x;
	return count ? (size_t)(x >> 11) % count : 0;
}

#endif
