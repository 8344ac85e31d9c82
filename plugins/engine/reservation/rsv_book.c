/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decides which of Slurm's reservations are ours: by mark and name table, or by
 * the name's form while the file is lost or unread.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/reservation/rsv_book.h"

#include "plugins/engine/reservation/rsv_view.h"
#include "plugins/engine/reservation/rsv_when.h"
#include "plugins/engine/slurm/resvrec.h"
#include "plugins/engine/slurm/rsv_records.h"

enum knowledge {
	BOOK_KNOWN,
	BOOK_LOST,   /* which were ours is unknown: go by looks */
	BOOK_UNREAD, /* it will be known: until then nothing of ours is made, changed or removed */
};

ENGINE_GUARDED static struct {
	struct maui_rsv_names known;
	enum knowledge knowledge;
} book;

/* What the file says, until it is adopted: the thread that begins, then the engine's own. */
static struct maui_rsv_names found;

static void take_late(enum state_answer answer);

struct state_file reservations_file = {
	.format = &maui_rsv_names_file,
	.interval = 3,
	.found = &found,
	.in_shadow = true,
	.late = take_late,
	.live = &book.known,
};

static enum knowledge knowledge_of(enum state_answer answer)
{
	switch (answer) {
	case STATE_READ:
		return BOOK_KNOWN;
	case STATE_NOT_NOW:
		return BOOK_UNREAD;
	default:
		return BOOK_LOST;
	}
}

/* Takes over the names that were found. */
ENGINE_LOCKED static void take(enum state_answer answer)
{
	maui_rsv_names_clear(&book.known);
	book.known = found;
	book.knowledge = knowledge_of(answer);
	found = (struct maui_rsv_names){0};
}

static void adopt(void)
{
	engine_assert_locked();
	take(reservations_file.answer);
}

/* No name has been added meanwhile. */
static void take_late(enum state_answer answer)
{
	engine_lock();
	take(answer);
	rsv_view_forget();
	rsv_when_now();
	engine_unlock();
}

struct maui_rsv_names *rsv_book(void)
{
	return &book.known;
}

bool rsv_book_is_lost(void)
{
	return book.knowledge != BOOK_KNOWN;
}

bool rsv_book_is_unread(void)
{
	return book.knowledge == BOOK_UNREAD;
}

bool rsv_book_is_ours(const slurmctld_resv_t *reservation)
{
	const char *name = resvrec_name(reservation);
	struct maui_rsv_name *known = name ? maui_rsv_names_find(&book.known, name) : NULL;
	int64_t date;
	uint32_t number;

	if (!rsv_record_is_marked(reservation)) /* somebody may have taken the mark away */
		return known && known->id && known->id == resvrec_id(reservation);
	if (!known && book.knowledge != BOOK_KNOWN && name &&
	    (maui_sr_instance_parse(name, &date) || maui_sr_once_parse(name, &number))) {
		if (book.knowledge == BOOK_UNREAD)
			return true;
		known = maui_rsv_names_add(&book.known, name);
		rsv_book_changed(known != NULL);
	}
	if (known)
		known->id = resvrec_id(reservation);
	return known;
}

void rsv_book_changed(bool changed)
{
	reservations_file.changed |= changed;
}

int rsv_book_save(struct maui_error *why)
{
	bool changed;

	engine_lock();
	changed = reservations_file.changed;
	engine_unlock();
	return changed ? state_write(&reservations_file, why) : 0;
}

const struct module rsv_book_module = {.adopt = adopt};
