/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decides which of Slurm's reservations are ours: by mark and name table, or by
 * the name's form while the file is lost or unread.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/reservation/rsv_name_table.h"

#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/slurm/resvrec.h"
#include "plugins/engine/slurm/rsv_records.h"

enum knowledge {
	NAMES_KNOWN,
	NAMES_LOST,   /* which were ours is unknown: go by looks */
	NAMES_UNREAD, /* it will be known: until then nothing of ours is made, changed or removed */
};

ENGINE_GUARDED static struct {
	struct maui_rsv_names known;
	enum knowledge knowledge;
	uint64_t generation; /* counts the files that were taken over */
} table;

/* What the file says, until it is adopted: the thread that begins, then the engine's own. */
static struct maui_rsv_names found;

static void take_late(enum state_answer answer);

struct state_file reservations_file = {
	.format = &maui_rsv_names_file,
	.interval = 3,
	.found = &found,
	.in_shadow = true,
	.late = take_late,
	.live = &table.known,
};

static enum knowledge knowledge_of(enum state_answer answer)
{
	switch (answer) {
	case STATE_READ:
		return NAMES_KNOWN;
	case STATE_NOT_NOW:
		return NAMES_UNREAD;
	default:
		return NAMES_LOST;
	}
}

/* Takes over the names that were found. */
ENGINE_LOCKED static void name_table_take(enum state_answer answer)
{
	maui_rsv_names_clear(&table.known);
	table.known = found;
	table.knowledge = knowledge_of(answer);
	table.generation++;
	found = (struct maui_rsv_names){0};
}

static void name_table_adopt(void)
{
	engine_assert_locked();
	name_table_take(reservations_file.answer);
}

/* No name has been added meanwhile. */
static void take_late(enum state_answer answer)
{
	engine_lock();
	name_table_take(answer);
	engine_want_refresh(); /* rsv_when sees another generation, and a roll follows */
	engine_unlock();
}

struct maui_rsv_names *rsv_name_table(void)
{
	return &table.known;
}

uint64_t rsv_name_table_generation(void)
{
	return table.generation;
}

bool rsv_name_table_is_lost(void)
{
	return table.knowledge != NAMES_KNOWN;
}

bool rsv_name_table_is_unread(void)
{
	return table.knowledge == NAMES_UNREAD;
}

bool rsv_name_table_is_ours(const slurmctld_resv_t *reservation)
{
	const char *name = resvrec_name(reservation);
	struct maui_rsv_name *known = name ? maui_rsv_names_find(&table.known, name) : NULL;
	int64_t date;
	uint32_t number;

	if (!rsv_record_is_marked(reservation)) /* somebody may have taken the mark away */
		return known && known->id && known->id == resvrec_id(reservation);
	if (!known && table.knowledge != NAMES_KNOWN && name &&
	    (maui_sr_instance_parse(name, &date) || maui_sr_once_parse(name, &number))) {
		if (table.knowledge == NAMES_UNREAD)
			return true;
		known = maui_rsv_names_add(&table.known, name);
		rsv_name_table_changed(known != NULL);
	}
	if (known)
		known->id = resvrec_id(reservation);
	return known;
}

void rsv_name_table_changed(bool changed)
{
	reservations_file.changed |= changed;
}

int rsv_name_table_save(struct maui_error *why)
{
	bool changed;

	engine_lock();
	changed = reservations_file.changed;
	engine_unlock();
	return changed ? state_write(&reservations_file, why) : 0;
}

const struct module rsv_name_table_module = {.adopt = name_table_adopt};
