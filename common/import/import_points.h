/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The priority that priority/multifactor itself gives a job: S-IMP-1. */
#ifndef MAUI_IMPORT_POINTS_H
#define MAUI_IMPORT_POINTS_H

#include "common/import/import_factors.h"

#define MAUI_IMPORT_NONE SIZE_MAX

/* A job, by what the factors count. */
struct maui_import_request {
	int64_t waited;   /* seconds; 0 or less: none */
	double fairshare; /* FairShare of its association */
	uint32_t nodes;   /* at least so many; 0 counts as 1 */
	uint32_t cpus;
	uint64_t memory;              /* MB, the whole job's */
	uint64_t minutes;             /* its time limit */
	size_t partition, qos, assoc; /* of the priority's lists; MAUI_IMPORT_NONE */
	/* How much of a GRES, by its name; NULL: none. */
	uint64_t (*gres)(const void *context, const char *name);
	const void *context;
};

/* Over which PriorityJobFactor and the priorities of QOS and associations count. */
struct maui_import_greatest {
	uint32_t factor, qos, assoc;
};

/* The greatest PriorityJobFactor of all partitions, at least 1; and all three. */
uint32_t maui_import_greatest_factor(const struct maui_import_priority *priority);
struct maui_import_greatest maui_import_greatest(const struct maui_import_priority *priority);

/* Whole, from 1 to 2^32 - 1, as squeue shows it. Not for priority/basic. */
uint32_t maui_import_points(const struct maui_import_priority *priority,
			    const struct maui_import_greatest *greatest,
			    const struct maui_import_request *request);

/* How much of one TRES it asks for; 0 for those that are no resource of Maui's. */
uint64_t maui_import_asked(const struct maui_import_request *request,
			   const struct maui_import_tres *tres);

#endif
