/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a partition's record in Slurm says. Partition read lock. */
#ifndef MAUI_ENGINE_PARTREC_H
#define MAUI_ENGINE_PARTREC_H

#include "plugins/compat/base.h"

const char *partrec_name(const part_record_t *partition);
bitstr_t *partrec_nodes(const part_record_t *partition); /* NULL: it has none */

part_record_t *partrec_find(const char *name);
uint32_t partrec_count(void);

/* Call visit for each; stops when that returns less than 0, and then does so, too. */
typedef int (*partrec_visit_t)(part_record_t *partition, void *context);
int partrec_each(partrec_visit_t visit, void *context);

#endif
