/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens or closes all our reservations in Slurm with rsv_record_open(), in a
 * roll. At the engine's start and end it only closes them.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/reservation/roll/rsv_open.h"

#include "plugins/engine/nodes/node_order.h"
#include "plugins/engine/reservation/rsv_name_table.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/slurm/resvrec.h"
#include "plugins/engine/slurm/rsv_records.h"

static const slurmctld_lock_t node_write = {.node = WRITE_LOCK};

struct setting {
	struct slurm_writer *writer;
	bool open;
};

static int set_one(slurmctld_resv_t *reservation, void *context)
{
	const struct setting *setting = context;

	engine_assert_locked();
	if (rsv_name_table_is_ours(reservation))
		rsv_record_open(setting->writer, reservation, setting->open);
	return 0;
}

static void rsv_open_set_all(struct slurm_writer *writer, bool open)
{
	struct setting setting = {writer, open};

	if (!writer)
		return;
	engine_lock();
	resvrec_each(set_one, &setting);
	engine_unlock();
	slurm_writer_end(writer, node_write);
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
			rsv_open_set_all(slurm_writer_begin(node_write), open);
			return;
		}
}

/* If our select plugin is not loaded, nobody judges who gets in; and if it is not known which are
 * ours, nothing is rolled. */
static void rsv_open_begun(void)
{
	bool unread;

	engine_lock();
	unread = rsv_name_table_is_unread();
	engine_unlock();
	if (unread || !select_is_loaded())
		rsv_open_set_all(slurm_writer_begin(node_write), false);
}

static void rsv_open_leave(void)
{
	rsv_open_set_all(slurm_writer_leave(node_write), false);
}

const struct module rsv_open_module = {.begun = rsv_open_begun, .leave = rsv_open_leave};
