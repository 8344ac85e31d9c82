/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Administrative reservations as setres made them, and as they lie on disk (contribs/doc/state-files.md): what an SRCFG
 * line would say of each, so that it is read as such lines are, and what no such line can say. Knows no Slurm, and no lock.
 */
#ifndef MAUI_ENGINE_RSV_ONCE_H
#define MAUI_ENGINE_RSV_ONCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/policy/sr_window.h"

#define RSV_ONCE_MAX            4000u
#define RSV_ONCE_MAX_ATTRIBUTES 60000u /* bytes of one line's, less than what a line may have */
#define RSV_ONCE_MAX_SIZE       ((size_t)16 << 20) /* bytes of the file */

struct rsv_once {
	char name[MAUI_SR_INSTANCE_SIZE]; /* "maint.0" */
	int64_t start, end;               /* epoch seconds; MAUI_SR_FOREVER: it does not end */
	int64_t made;                     /* when */
	uint32_t uid;                     /* by whom */
	uint32_t task_limit;              /* as of struct maui_sr */
	bool any_feature;                 /* the same */
	bool recovered; /* the file was damaged: what it was made with is not known, nobody gets in */
	char *attributes; /* "USERLIST=alice HOSTLIST=n[1-2]" */
};

/* A zeroed struct is empty. */
struct rsv_once_list {
	struct rsv_once **list; /* by name */
	size_t count, room;
};

void rsv_once_clear(struct rsv_once_list *once);

/* NULL: there is none. A pointer holds until it is dropped. */
struct rsv_once *rsv_once_find(const struct rsv_once_list *once, const char *name);

/* A copy is added. 0; -EINVAL for what could not be written; -EEXIST; -ENOSPC for too many, or too much; -ENOMEM. */
int rsv_once_add(struct rsv_once_list *once, const struct rsv_once *one);
void rsv_once_drop(struct rsv_once_list *once, const char *name);

/* 0; -EINVAL for what is no such text, then nothing is set; -ENOMEM. */
int rsv_once_parse(const char *text, size_t size, struct rsv_once_list *ret_once,
		   struct maui_error *error);

/* The text, malloc'ed. 0, or -ENOMEM. */
int rsv_once_format(const struct rsv_once_list *once, char **ret_text, size_t *ret_size);

/* The name of the text that rsv_once_config() reads: what origins of its values have in place of a file. */
#define RSV_ONCE_ORIGIN "setres"

/*
 * As SRCFG lines, read: for maui_sr_settings_compile_once(), with what that takes beside them (malloc'ed). 0, -ENOMEM, or
 * -EINVAL if one of them is no such line. Whether its values are right the configuration's problems say.
 */
int rsv_once_config(const struct rsv_once_list *once, struct maui_config **ret_config,
		    struct maui_sr_once **ret_settings, struct maui_error *error);

#endif
