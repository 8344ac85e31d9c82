/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Policy that Slurm keeps in slurmdbd: QOS and associations, as sacctmgr prints them. */
#ifndef MAUI_IMPORT_ACCOUNTING_H
#define MAUI_IMPORT_ACCOUNTING_H

#include "common/import/import_each_line.h"
#include "common/import/import_priority.h"

enum maui_import_level { MAUI_IMPORT_OF_QOS, MAUI_IMPORT_OF_ACCOUNT, MAUI_IMPORT_OF_USER };

/* Who has a limit. */
struct maui_import_holder {
	enum maui_import_level level;
	const char *name; /* of the QOS or the account */
	const char *user; /* NULL: the account's own */
	size_t assoc;     /* its index; of a QOS 0 */
};

/* A setting of a QOS or an association that gives no priority. */
struct maui_import_limit {
	const char *setting;
	const char *value;    /* what of it stays Slurm's; "": nothing */
	const char *original; /* as it was read */
	const char *holder;   /* QOS normal, account phys, user bob in account phys */
	struct maui_import_holder of;
	const char *effect; /* what follows for jobs; NULL: what the setting's kind says */
};

/*
 * The columns of `sacctmgr show qos` that say what a QOS does, as it heads them and takes them for
 * format=: those of 22.05, which all later releases have. Without format= it leaves some out.
 */
#define MAUI_IMPORT_QOS_COLUMNS                                                                    \
	"Name,Priority,GraceTime,Preempt,PreemptExemptTime,PreemptMode,Flags,UsageThres,"          \
	"UsageFactor,LimitFactor,GrpTRES,GrpTRESMins,GrpTRESRunMins,GrpJobs,GrpJobsAccrue,"        \
	"GrpSubmit,GrpWall,MaxTRES,MaxTRESPerNode,MaxTRESMins,MaxWall,MaxTRESPU,"                  \
	"MaxTRESRunMinsPU,MaxJobsPU,MaxJobsAccruePU,MaxSubmitPU,MaxTRESPA,MaxTRESRunMinsPA,"       \
	"MaxJobsPA,MaxJobsAccruePA,MaxSubmitPA,MinPrioThres,MinTRES"

struct maui_import_accounting {
	struct maui_arena *arena;
	struct maui_import_qos *qos;
	struct maui_import_assoc *assocs; /* parents before their children */
	struct maui_import_limit *limits;
	size_t qos_count, qos_room, assoc_count, assoc_room, limit_count, limit_room;
	size_t shares;           /* associations that have some */
	const char *qos_missing; /* columns, "GrpJobs, MaxWall"; NULL: none */
	const char *cluster;     /* NULL: not known */
};

void maui_import_accounting_begin(struct maui_import_accounting *ret_accounting);
void maui_import_accounting_clear(struct maui_import_accounting *accounting);

/* Completes what slurm.conf says of priorities; QOS and associations stay the accounting's. */
void maui_import_priority_of(const struct maui_import_accounting *accounting,
			     struct maui_import_priority *priority);

/* What a text of `sacctmgr -P show qos` adds. 0, or -EINVAL if there was something to complain of. */
int maui_import_read_qos(struct maui_import_accounting *accounting, const char *path,
			 const char *text, size_t size,
			 const struct maui_import_complaints *complaints);

/* The same for the file of `sacctmgr dump`. */
int maui_import_read_dump(struct maui_import_accounting *accounting, const char *path,
			  const char *text, size_t size,
			  const struct maui_import_complaints *complaints);

/* Adds a limit, unless it is what Slurm has without one. Texts are copied, but for the holder's. */
void maui_import_add_limit(struct maui_import_accounting *accounting, const char *setting,
			   const char *value, const struct maui_import_holder *of);

/* Remarks about limits, one for each setting. enforced: AccountingStorageEnforce has limits. */
void maui_import_tell_limits(const struct maui_import_accounting *accounting, bool enforced,
			     struct maui_import *import);

#endif
