/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who asks for a report, and what PrivateData of slurm.conf lets that user see. */
#ifndef MAUI_ENGINE_REPORT_ASKER_H
#define MAUI_ENGINE_REPORT_ASKER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct report_asker {
	uid_t uid;
	bool sees_all; /* PrivateData does not bind root, SlurmUser and ADMIN1..3 */
};

/* Whether a flag of PrivateData is set and binds the asking user. No lock of Slurm's held. */
bool report_asker_is_bound(const struct report_asker *asker, uint16_t flag);
/* PrivateData=jobs, as squeue applies it; account may be NULL. No lock of Slurm's held. */
bool report_asker_sees_job(const struct report_asker *asker, uint32_t uid, const char *account);

#endif
