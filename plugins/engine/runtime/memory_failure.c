/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An allocation of the engine that fails ends slurmctld, as xmalloc() does, and its log says so. */
#include "plugins/compat/base.h"

#include "common/util/memory.h"

static void end_slurmctld(size_t bytes)
{
	if (!bytes)
		fatal("maui: out of memory");
	fatal("maui: out of memory: cannot allocate %zu bytes", bytes);
}

/* When the library is loaded, before anything of the engine allocates. */
__attribute__((constructor)) static void set_handler(void)
{
	maui_memory_set_handler(end_slurmctld);
}
