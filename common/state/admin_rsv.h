/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Administrative reservations as setres made them, and their file (contribs/doc/state-files.md):
 * the equivalent of an SRCFG line for each, so that it is read as such lines are, and what no such
 * line can say. Uses nothing of Slurm, and no lock.
 */
#ifndef MAUI_STATE_ADMIN_RSV_H
#define MAUI_STATE_ADMIN_RSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/policy/reservation/sr_window.h"
#include "common/state/state_file.h"

#define MAUI_ADMIN_RSVS_MAX 4000u
#define MAUI_ADMIN_RSVS_MAX_ATTRIBUTES                                                             \
	60000u /* bytes of one line's, less than what a line may have */
#define MAUI_ADMIN_RSVS_MAX_SIZE ((size_t)16 << 20) /* bytes of the file */

struct maui_admin_rsv {
	char name[MAUI_SR_INSTANCE_SIZE]; /* "maint.0" */
	int64_t start, end;               /* epoch seconds; MAUI_SR_FOREVER: it does not end */
	int64_t made;                     /* when */
	uint32_t uid;                     /* by whom */
	uint32_t task_limit;              /* as in struct maui_sr */
	bool any_feature;                 /* the same */
	/* The file was damaged: what it was made with is not known, and nobody gets in. */
	bool recovered;
	char *attributes; /* "USERLIST=alice HOSTLIST=n[1-2]" */
};

/* A copy with its own text, which is freed with it. */
struct maui_admin_rsv *maui_admin_rsv_copy(const struct maui_admin_rsv *one);

/* A zeroed struct is empty. */
struct maui_admin_rsvs {
	struct maui_admin_rsv **list; /* by name */
	size_t count, room;
};

/* NULL: there is none. The pointer is valid until it is dropped. */
struct maui_admin_rsv *maui_admin_rsvs_find(const struct maui_admin_rsvs *once, const char *name);

/*
 * Add a copy. 0; -EINVAL if it could not be written; -EEXIST; -ENOSPC for too many, or too much.
 */
int maui_admin_rsvs_add(struct maui_admin_rsvs *once, const struct maui_admin_rsv *one);
void maui_admin_rsvs_drop(struct maui_admin_rsvs *once, const char *name);

MAUI_STATE_FUNCTIONS(maui_admin_rsvs, struct maui_admin_rsvs *, const struct maui_admin_rsvs *)

/*
 * The name of the text that maui_admin_rsvs_config() reads: origins of its values have it instead
 * of a file.
 */
#define MAUI_ADMIN_RSVS_ORIGIN "setres"

/*
 * Read as SRCFG lines: for maui_sr_settings_compile_once(), with what else that needs (malloc'ed).
 * 0, or -EINVAL if one of them is not such a line. Whether its values are valid is up to
 * the configuration's problems.
 */
int maui_admin_rsvs_config(const struct maui_admin_rsvs *once, struct maui_config **ret_config,
			   struct maui_sr_once **ret_settings, struct maui_error *error);

#endif
