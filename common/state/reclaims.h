/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What owners have taken back of their reservations and not got yet: contribs/doc/state-files.md,
 * `reclaims`. Text only; no file, no Slurm, no lock.
 */
#ifndef MAUI_STATE_RECLAIMS_H
#define MAUI_STATE_RECLAIMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/state/state_file.h"
#include "common/util/arena.h"
#include "common/util/credential.h"

#define MAUI_RECLAIMS_MAX        4096
#define MAUI_RECLAIMS_NODES_SIZE 4096 /* with its NUL */
#define MAUI_RECLAIMS_OWNER_SIZE 1024 /* with its NUL: as long as in the windows' files */
#define MAUI_RECLAIMS_MAX_SIZE                                                                     \
	(MAUI_RECLAIMS_MAX * (MAUI_RECLAIMS_NODES_SIZE + MAUI_RECLAIMS_OWNER_SIZE + 96) + 4096)

struct maui_reclaim {
	enum maui_credential type;
	const char *owner; /* the credential's name; no newline */
	const char *nodes; /* in Slurm's range form: no blanks, no control characters */
	uint32_t job_id;   /* not 0 */
	int64_t made, until;
	bool settled; /* a task of the array has begun */
};

/* A zeroed struct is empty. */
struct maui_reclaims {
	struct maui_arena *texts;
	struct maui_reclaim *list;
	size_t count, room;
};

/* Its texts are copied. 0; -EINVAL if the file cannot hold it; -ENOSPC for too many. */
int maui_reclaims_add(struct maui_reclaims *reclaims, const struct maui_reclaim *reclaim);

MAUI_STATE_FUNCTIONS(maui_reclaims, struct maui_reclaims *, const struct maui_reclaims *)

#endif
