/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Policy that Slurm keeps in slurmdbd: QOS and associations, as sacctmgr prints them. */
#ifndef MAUI_IMPORT_ACCOUNTING_H
#define MAUI_IMPORT_ACCOUNTING_H

#include "common/import/import_each_line.h"
#include "common/import/import_priority.h"

/* A setting of a QOS or an association that gives no priority. */
struct maui_import_limit {
	const char *setting, *value;
	const char *holder; /* QOS normal, account phys, user bob in phys */
};

struct maui_import_accounting {
	struct maui_arena *arena;
	struct maui_import_qos *qos;
	struct maui_import_assoc *assocs; /* parents before their children */
	struct maui_import_limit *limits;
	size_t qos_count, qos_room, assoc_count, assoc_room, limit_count, limit_room;
	size_t shares; /* associations that have some */
};

void maui_import_accounting_begin(struct maui_import_accounting *ret_accounting);
void maui_import_accounting_clear(struct maui_import_accounting *accounting);

/* What a text of `sacctmgr -P show qos` adds. 0, or -EINVAL if there was something to complain of. */
int maui_import_read_qos(struct maui_import_accounting *accounting, const char *path,
			 const char *text, size_t size,
			 const struct maui_import_complaints *complaints);

/* The same for the file of `sacctmgr dump`. */
int maui_import_read_dump(struct maui_import_accounting *accounting, const char *path,
			  const char *text, size_t size,
			  const struct maui_import_complaints *complaints);

/* Adds a limit, unless it is what Slurm has without one. Texts are copied. */
void maui_import_add_limit(struct maui_import_accounting *accounting, const char *setting,
			   const char *value, const char *holder);

/* Remarks about limits, one for each setting. */
void maui_import_tell_limits(const struct maui_import_accounting *accounting,
			     struct maui_import *import);

#endif
