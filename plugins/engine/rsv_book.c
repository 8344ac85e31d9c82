/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/engine/reservation/rsv_book.h"

#include <errno.h>
#include <stdlib.h>

#include "plugins/engine/reservation/rsv_records.h"
#include "plugins/engine/state.h"
#include "plugins/engine/runtime/statefile.h"
#include "plugins/engine/runtime/stateload.h"

#define NAME "reservations"

static struct {
	struct rsv_known known;
	bool lost; /* nobody knows which were ours: what looks like it is */
	bool grew; /* names have been added by that, and are not on disk */
} book;

static int parse(const char *text, size_t size, void *result, struct maui_error *why)
{
	return rsv_known_parse(text, size, result, why);
}

void rsv_book_load(const struct site *site, struct rsv_known *ret_known, bool *ret_lost)
{
	*ret_known = (struct rsv_known){0};
	*ret_lost = stateload(site->state_directory, NAME, RSV_KNOWN_MAX_SIZE, parse, ret_known,
			      "reservations are taken for ours by their look, and those of "
			      "SINGLEUSE are made once more") != 0;
}

void rsv_book_adopt(struct rsv_known *known, bool lost)
{
	rsv_known_clear(&book.known);
	book.known = *known;
	book.lost = lost;
	book.grew = false;
	*known = (struct rsv_known){0};
}

struct rsv_known *rsv_book(void)
{
	return &book.known;
}

bool rsv_book_is_lost(void)
{
	return book.lost;
}

bool rsv_book_is_ours(const slurmctld_resv_t *reservation)
{
	int64_t date;
	uint32_t number;

	if (!rsv_record_looks_ours(reservation) || !reservation->name)
		return false;
	if (rsv_known_find(&book.known, reservation->name))
		return true;
	if (!book.lost ||
	    (!maui_sr_instance_parse(reservation->name, &date) &&
	     !maui_sr_once_parse(reservation->name, &number)) ||
	    !rsv_known_add(&book.known, reservation->name))
		return false;
	book.grew = true;
	return true;
}

bool rsv_book_grew(void)
{
	bool grew = book.grew;

	book.grew = false;
	return grew;
}

int rsv_book_save(void)
{
	static bool failed;
	struct maui_error why = {"out of memory"};
	char *text = NULL, *directory = NULL;
	size_t size = 0;
	int rc;

	pthread_mutex_lock(&engine.mutex);
	rc = rsv_known_format(&book.known, &text, &size);
	if (engine.site.state_directory)
		directory = strdup(engine.site.state_directory);
	pthread_mutex_unlock(&engine.mutex);
	if (!rc)
		rc = directory ? statefile_replace(directory, NAME, text, size, &why) : -ENOMEM;
	free(directory);
	free(text);
	if (rc && !failed)
		error("maui: %s: standing reservations stay as they are", why.text);
	failed = rc;
	return rc;
}
