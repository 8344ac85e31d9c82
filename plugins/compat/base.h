/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is the same in all releases: Slurm's constants, its bitmaps, lists, memory, log, slurm.conf
 * and locks; its records by name only. Code that needs what is in a record asks
 * plugins/engine/slurm, or, in a plugin, includes compat.h instead.
 */
#ifndef MAUI_COMPAT_BASE_H
#define MAUI_COMPAT_BASE_H

#include "config.h" /* of the configured Slurm tree */

#include <stdbool.h>

#include "slurm/slurm.h"
#include "slurm/slurm_errno.h"
#include "slurm/slurm_version.h"
#include "slurm/slurmdb.h"

#include "plugins/compat/releases.h"

/* Whether this Slurm is of that release or a later one. */
#define COMPAT_FROM(major, minor) (SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(major, minor, 0))
/* Whether it is of that release. */
#define COMPAT_IS(major, minor)                                                                    \
	(COMPAT_FROM(major, minor) &&                                                              \
	 SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(major, (minor) + 1, 0))

#define COMPAT_OR_IS(major, minor) || COMPAT_IS(major, minor)
#if !(0 COMPAT_RELEASES(COMPAT_OR_IS, COMPAT_OR_IS))
#error "Slurm-Maui supports Slurm of the releases in plugins/compat/releases.h, and this is none of them: compat.h has what differs"
#endif

#include "src/common/bitstring.h"
#include "src/common/list.h"
#include "src/common/log.h"
#include "src/common/read_config.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"
#include "src/slurmctld/locks.h"

/* Under the names of later releases, which no longer have List and ListIterator. */
#if !COMPAT_FROM(23, 11)
typedef struct xlist list_t;
typedef struct listIterator list_itr_t;
#endif

typedef list_t *compat_list_t;

#if COMPAT_FROM(23, 11)
typedef hostlist_t *compat_hostlist_t;
#else
typedef hostlist_t compat_hostlist_t;
#endif

/* Whether there is a site_factor plugin; from 23.11 on "none" is NULL. */
#if COMPAT_FROM(23, 11)
#define compat_has_site_factor() ((bool)slurm_conf.site_factor_plugin)
#else
#define compat_has_site_factor() (xstrcmp(slurm_conf.site_factor_plugin, "site_factor/none") != 0)
#endif

typedef struct job_record job_record_t;
typedef struct node_record node_record_t;

/* Not all releases have a tag for these structs: where the records are included, the names come
 * from there. */
#ifndef MAUI_COMPAT_H
typedef struct part_record part_record_t;
typedef struct slurmctld_resv slurmctld_resv_t;
typedef struct step_record step_record_t;
#endif

/* Whether slurmctld is going down: for what is below plugins/engine/slurm. No lock. */
bool compat_shuts_down(void);

#endif
