/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/base.h"

#include "plugins/engine/reservation/rsv_book.h"

#include <errno.h>
#include <stdlib.h>

#include "plugins/engine/reservation/rsv_view.h"
#include "plugins/engine/reservation/rsv_when.h"
#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/runtime/statefile.h"
#include "plugins/engine/runtime/stateload.h"
#include "plugins/engine/slurm/resvrec.h"
#include "plugins/engine/slurm/rsv_records.h"

#define NAME "reservations"

enum knowledge {
	BOOK_KNOWN,
	BOOK_LOST,   /* which were ours is unknown: go by looks */
	BOOK_UNREAD, /* it will be known: until then nothing of ours is made, changed or removed */
};

ENGINE_GUARDED static struct {
	struct maui_rsv_names known;
	enum knowledge knowledge;
	bool unsaved; /* the file is out of date */
} book;

static void read_late(void);

static int parse(const char *text, size_t size, void *result, struct maui_error *why)
{
	return maui_rsv_names_parse(text, size, result, why);
}

static const struct stateload stored = {
	.name = NAME,
	.limit = MAUI_RSV_NAMES_MAX_SIZE,
	.parse = parse,
	.lost = "reservations that look like Maui's are taken for Maui's, and those with SINGLEUSE "
		"are made once more",
	.kept = "reservations that look like Maui's are taken for Maui's, and none is made",
	.waits = "reservations stay as they are, none is made, and nobody gets into those that "
		 "look like Maui's",
	.again = read_late,
};

/* The file's contents until adopted; only the thread that begins the engine uses them. */
static struct {
	struct maui_rsv_names known;
	enum knowledge knowledge;
} found;

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

static void read_file(const struct site *site, enum engine_mode mode)
{
	(void)mode;
	found.knowledge = knowledge_of(stateload(&stored, site->state_directory, &found.known));
}

/* Takes over the names. */
ENGINE_LOCKED static void take(struct maui_rsv_names *names, enum knowledge knowledge)
{
	maui_rsv_names_clear(&book.known);
	book.known = *names;
	book.knowledge = knowledge;
	book.unsaved = false;
	*names = (struct maui_rsv_names){0};
}

static void adopt(void)
{
	engine_assert_locked();
	take(&found.known, found.knowledge);
}

/* No name has been added meanwhile. */
static void read_late(void)
{
	struct maui_rsv_names late = {0};
	enum knowledge knowledge = knowledge_of(stateload_again(&stored, &late));

	if (knowledge == BOOK_UNREAD)
		return;
	engine_lock();
	take(&late, knowledge);
	rsv_view_forget();
	rsv_when_now();
	engine_unlock();
}

static void discard(void)
{
	maui_rsv_names_clear(&found.known);
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
		book.unsaved |= known != NULL;
	}
	if (known)
		known->id = resvrec_id(reservation);
	return known;
}

void rsv_book_changed(bool changed)
{
	book.unsaved |= changed;
}

static int write_text(const char *directory, const char *text, size_t size)
{
	static bool failed; /* the engine's thread alone */
	struct maui_error why = {"out of memory"};
	int rc = directory && text ? statefile_replace(directory, NAME, text, size, &why) : -ENOMEM;

	if (rc && !failed)
		error("maui: %s: standing reservations stay as they are", why.text);
	failed = rc;
	return rc;
}

int rsv_book_save(void)
{
	char *text = NULL, *directory = NULL;
	size_t size = 0;
	bool unsaved;
	int rc;

	engine_lock();
	unsaved = book.unsaved;
	book.unsaved = false;
	if (unsaved && !maui_rsv_names_format(&book.known, &text, &size))
		directory = engine_state_directory();
	engine_unlock();
	if (!unsaved)
		return 0;
	rc = write_text(directory, text, size);
	free(directory);
	free(text);
	if (rc) {
		engine_lock();
		book.unsaved = true;
		engine_unlock();
	}
	return rc;
}

const struct module rsv_book_module = {.read = read_file, .adopt = adopt, .discard = discard};
