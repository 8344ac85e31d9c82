/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files of the fairshare policy. */
#ifndef MAUI_POLICY_FAIRSHARE_PRIVATE_H
#define MAUI_POLICY_FAIRSHARE_PRIVATE_H

#include "common/policy/fairshare/fairshare.h"

/* The five types, and the total as the sixth: one id. */
#define FS_TYPES (MAUI_FS_TOTAL + 1)
/* Bytes that no word of an FS file has: \ooo stands for them, and for a \
 * before a digit. */
static inline bool maui_fs_is_escaped(char c)
{
	return (unsigned char)c <= ' ' || c == '#' || c == 0x7f;
}

/* In the total's arrays: its id 0 is not a bin. */
#define FS_TOTAL_ID 0u

/*
 * Usage of one type: for each window an array by id, and the decayed sum of the older ones. Element
 * 0 is a bin: what is charged to "none" goes there, without a branch, and is never read.
 */
struct fs_usage {
	double *block;                     /* holds all these arrays, each with `room` elements */
	double *window[MAUI_FS_MAX_DEPTH]; /* by place in the ring, not by k */
	double *rest;
	uint32_t room;  /* elements allocated */
	uint32_t count; /* elements requested */
};

struct maui_fairshare {
	struct maui_fairshare_settings settings;
	int64_t start; /* of window 0 */
	uint32_t dirty;
	/* The place in the ring of window k. Those past the depth wait for their turn. */
	uint8_t place[MAUI_FS_MAX_DEPTH];
	double weight[MAUI_FS_MAX_DEPTH]; /* decay^k */
	struct fs_usage usage[FS_TYPES];
};

/* The array of window k. */
static inline double *fs_window(const struct maui_fairshare *fs, const struct fs_usage *usage,
				uint32_t k)
{
	return usage->window[fs->place[k]];
}

/* Whether its usage is kept: not for "none", nor for what was never reserved. */
static inline bool fs_keeps(const struct maui_fairshare *fs, unsigned int type, uint32_t id)
{
	if (type == MAUI_FS_TOTAL)
		return id == FS_TOTAL_ID;
	return type < MAUI_FS_TOTAL && id && id < fs->usage[type].count;
}

#endif
