/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An instance of a standing or administrative reservation in Slurm: a
 * reservation that is for root alone, on named nodes, whatever runs there or is
 * reserved there already. Slurm admits only jobs with our pass (pass.h), and
 * those only while its MaxStartDelay is that of an open reservation.
 */
#ifndef MAUI_ENGINE_RSV_RECORDS_H
#define MAUI_ENGINE_RSV_RECORDS_H

#include <stdint.h>

#include "plugins/compat/base.h"
#include "plugins/engine/runtime/slurm_writer.h"

struct rsv_wanted {
	const char *name;
	int64_t start, end;
	bitstr_t *nodes;
	unsigned int table;    /* noderec_table(): whose indexes these are */
	const uint32_t *cores; /* by the node's index, how many; NULL: whole nodes */
	bool open;
	bool maint; /* Slurm's flag MAINT: only of whole nodes */
};

/* Whether it bears our mark; it does not after some changes by hand. Node read lock. */
bool rsv_record_is_marked(const slurmctld_resv_t *reservation);

/* Whether all but its nodes, times and MAINT is as we make it: nobody has changed it by hand, and
 * Slurm names no node of it that has gone. Node read lock. */
bool rsv_record_is_intact(const slurmctld_resv_t *reservation);

/* Opens or closes a reservation that is ours. Node write lock. */
void rsv_record_open(struct slurm_writer *writer, slurmctld_resv_t *reservation, bool open);

/* Create a reservation in Slurm, change it to what is wanted, whatever it has become, or delete it.
 * Return Slurm's error code, ESLURM_IN_STANDBY_MODE if we are in charge no more; none is made if
 * there is one of its name. Each takes the locks. */
int rsv_record_create(const struct rsv_wanted *wanted);
int rsv_record_update(const struct rsv_wanted *wanted);
int rsv_record_delete(const char *name);

/* For the select plugin, which Slurm asks for the place of a reservation of cores: that of ours
 * being made right now, in bitmaps that the caller frees. False: it is somebody else's. Job read
 * and node write lock. */
bool rsv_record_place(bitstr_t **ret_nodes, bitstr_t **ret_cores);

#endif
