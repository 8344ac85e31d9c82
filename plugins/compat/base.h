/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is alike in all releases: Slurm's constants, its bitmaps, lists, memory, log, slurm.conf and
 * locks; its records by name only. Whoever wants to look into a record asks plugins/engine/slurm,
 * or is a plugin, and includes compat.h instead.
 */
#ifndef MAUI_COMPAT_BASE_H
#define MAUI_COMPAT_BASE_H

#include "config.h" /* of the configured Slurm tree */

#include <stdbool.h>

#include "slurm/slurm.h"
#include "slurm/slurm_errno.h"
#include "slurm/slurmdb.h"

#include "src/common/bitstring.h"
#include "src/common/list.h"
#include "src/common/log.h"
#include "src/common/read_config.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"
#include "src/slurmctld/locks.h"

typedef List compat_list_t;

typedef struct job_record job_record_t;
typedef struct node_record node_record_t;

/* Slurm 22.05 has no tag for these structs: who has the records has the names from there. */
#ifndef MAUI_COMPAT_H
typedef struct part_record part_record_t;
typedef struct slurmctld_resv slurmctld_resv_t;
typedef struct step_record step_record_t;
#endif

/* Whether slurmctld is going down: for who stands below plugins/engine/slurm. No lock. */
bool compat_shuts_down(void);

#endif
