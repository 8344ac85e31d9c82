/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What idle processors of reservations have been found to cost, and the files of the windows do not hold yet:
 * contribs/doc/state-files.md, `idle`. Text only; no file, no Slurm, no lock.
 */
#ifndef MAUI_ENGINE_RSV_DUES_H
#define MAUI_ENGINE_RSV_DUES_H

#include <stddef.h>
#include <stdint.h>

#include "common/util/arena.h"
#include "common/util/credential.h"
#include "common/util/error.h"

#define RSV_DUES_MAX       20000
#define RSV_DUES_NAME_SIZE 1024 /* with its NUL: as long as the windows' files take */
#define RSV_DUES_MAX_SIZE  (RSV_DUES_MAX * (RSV_DUES_NAME_SIZE + 96) + 4096)
#define RSV_DUES_MAX_TIME  INT64_C(253402300799)
#define RSV_DUES_MAX_COST  INT64_C(100000000000000000)

struct rsv_due {
	enum maui_credential type;
	const char *name;
	int64_t from, to; /* `to` is after `from` */
	int64_t cost;     /* thousandths of processor-seconds */
};

/* A zeroed struct is empty. */
struct rsv_dues {
	struct maui_arena *names;
	struct rsv_due *list;
	size_t count, room;
};

void rsv_dues_clear(struct rsv_dues *dues);

/* The name is copied. 0; -EINVAL for what the file cannot hold; -ENOSPC when there are too many; -ENOMEM. */
int rsv_dues_add(struct rsv_dues *dues, const struct rsv_due *due);

/* 0; -EINVAL for what is no such text, then nothing is set; -ENOMEM. */
int rsv_dues_parse(const char *text, size_t size, struct rsv_dues *ret_dues,
		   struct maui_error *error);

/* The text, malloc'ed. 0, or -ENOMEM. */
int rsv_dues_format(const struct rsv_dues *dues, char **ret_text, size_t *ret_size);

#endif
