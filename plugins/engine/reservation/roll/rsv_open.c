/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/base.h"

#include "plugins/engine/reservation/roll/rsv_open.h"

#include "plugins/engine/nodes/node_order.h"
#include "plugins/engine/reservation/rsv_book.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/slurm/resvrec.h"
#include "plugins/engine/slurm/rsv_records.h"

static int set_one(slurmctld_resv_t *reservation, void *context)
{
	const bool *open = context;

	engine_assert_locked();
	if (rsv_book_is_ours(reservation))
		rsv_record_open(reservation, *open);
	return 0;
}

static void set_all(bool open)
{
	slurmctld_lock_t node_write = {.node = WRITE_LOCK};

	lock_slurmctld(node_write);
	engine_lock();
	resvrec_each(set_one, &open);
	engine_unlock();
	unlock_slurmctld(node_write);
}

bool rsv_open_wanted(void)
{
	static bool told; /* the engine's thread alone */
	bool open = select_is_loaded();

	if (!open && !told)
		error("maui: nobody gets into reservations: slurmctld has not loaded the select "
		      "plugin of Slurm-Maui, which judges who does");
	told = !open;
	return open && !engine_is_disabled();
}

void rsv_open_all(const struct rsv_world *world, bool open)
{
	for (size_t i = 0; i < world->there_count; i++)
		if (world->there[i].open != open) {
			set_all(open);
			return;
		}
}

/* If our select plugin is not loaded, nobody judges who gets in; and if it is not known which are
 * ours, nothing is rolled. */
static void begun(void)
{
	bool unread;

	engine_lock();
	unread = rsv_book_is_unread();
	engine_unlock();
	if (unread || !select_is_loaded())
		set_all(false);
}

static void leave(void)
{
	set_all(false);
}

const struct module rsv_open_module = {.begun = begun, .leave = leave};
