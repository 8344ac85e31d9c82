/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The right to write to Slurm: to its jobs, reservations and associations (D-SYS-18). Every function
 * that does takes a writer, which cannot be had otherwise than here, and never in shadow mode.
 */
#ifndef MAUI_ENGINE_SLURM_WRITER_H
#define MAUI_ENGINE_SLURM_WRITER_H

#include "plugins/compat/base.h"

struct slurm_writer;

/*
 * A thread of ours takes these locks of Slurm's, and is still in charge then: it may have been when it
 * began to wait. NULL: it is not, and has no lock. Takes the engine's mutex for a moment.
 */
struct slurm_writer *slurm_writer_begin(slurmctld_lock_t locks);

/* Gives the same locks back. */
void slurm_writer_end(struct slurm_writer *writer, slurmctld_lock_t locks);

/*
 * Slurm calls us with the locks that the call needs, so that it is in charge itself. NULL in shadow
 * mode, where nobody should have asked: that is logged. Any lock may be held.
 */
struct slurm_writer *slurm_writer_of_call(void);

/* In fini, when we are in charge no more: for what Slurm needs to go on without us. */
struct slurm_writer *slurm_writer_leave(slurmctld_lock_t locks);

#endif
