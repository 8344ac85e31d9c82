/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Takes slurmctld's locks, then checks again that the engine is primary. In
 * shadow mode it returns no writer.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/runtime/slurm_writer.h"

#include "plugins/engine/runtime/runtime.h"

/* There is nothing to know of a writer but that it was given here. */
struct slurm_writer {
	char unused;
};

static struct slurm_writer writer_given; /* Never changed. */

struct slurm_writer *slurm_writer_begin(slurmctld_lock_t locks)
{
	struct slurm_writer *writer = slurm_writer_leave(locks);

	if (!writer || engine_is_primary())
		return writer;
	unlock_slurmctld(locks);
	return NULL;
}

void slurm_writer_end(struct slurm_writer *writer, slurmctld_lock_t locks)
{
	xassert(writer);
	unlock_slurmctld(locks);
}

struct slurm_writer *slurm_writer_of_call(void)
{
	return shadow_refuses("to write to Slurm") ? NULL : &writer_given;
}

struct slurm_writer *slurm_writer_leave(slurmctld_lock_t locks)
{
	struct slurm_writer *writer = slurm_writer_of_call();

	if (writer)
		lock_slurmctld(locks);
	return writer;
}
