/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Windows whose files cannot be read now. Such a file has usage up to a time that is not known: so
 * what runs did before this process began to count is put off (maui_fsledger_learn()), and what they
 * do since is counted. Once the file is read, both are added to it.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/fairshare/fairshare_files.h"
#include "plugins/engine/fairshare/fairshare_private.h"
#include "plugins/engine/fairshare/rsv_idle.h"

void fairshare_unread_add(int64_t start)
{
	struct fairshare_unread *unread = &fairshare.unread;

	if (fairshare_unread_has(start) || unread->count == MAUI_FS_MAX_DEPTH)
		return;
	unread->start[unread->count++] = start;
	unread->again = (struct retry){0};
	retry_note(&unread->again, true);
}

bool fairshare_unread_has(int64_t start)
{
	for (size_t i = 0; i < fairshare.unread.count; i++)
		if (fairshare.unread.start[i] == start)
			return true;
	return false;
}

uint32_t fairshare_unread_mask(void)
{
	uint32_t depth = maui_fairshare_settings_of(fairshare.windows)->depth, mask = 0;

	for (uint32_t k = 0; k < depth; k++)
		if (fairshare_unread_has(maui_fairshare_start(fairshare.windows, k)))
			mask |= UINT32_C(1) << k;
	return mask;
}

/* FSDEPTH: no longer one of them. */
static uint32_t unread_place(const struct maui_fairshare *windows, int64_t start)
{
	uint32_t depth = maui_fairshare_settings_of(windows)->depth, k = 0;

	while (k < depth && maui_fairshare_start(windows, k) != start)
		k++;
	return k;
}

ENGINE_LOCKED static void unread_take(const struct maui_fairshare *found, uint32_t k, int64_t start,
				      int64_t counted)
{
	fairshare_window_add(found, fairshare.windows, k);
	maui_fsledger_learn(fairshare.ledger, fairshare.windows, start, counted);
	rsv_idle_learn(fairshare.windows, start, counted);
	maui_fairshare_soil(fairshare.windows, k);
	fairshare.due = 0;
}

/* Whether the window no longer waits. */
static bool unread_try_one(const struct fairshare_state *now, int64_t start)
{
	uint32_t k = unread_place(now->windows, start);
	struct maui_fairshare *found;
	struct maui_fairshare_file file;
	bool done;

	if (k == maui_fairshare_settings_of(now->windows)->depth)
		return true;
	found = maui_fairshare_new(maui_fairshare_settings_of(now->windows),
				   maui_fairshare_start(now->windows, 0));
	done = fairshare_file_load(now->place.directory, found, k, start, &file) != STATE_NOT_NOW;
	engine_lock();
	if (done)
		unread_take(found, k, start, file.counted);
	engine_unlock();
	maui_fairshare_free(found);
	return done;
}

void fairshare_unread_try(void)
{
	const struct fairshare_state *now = fairshare_to_read();
	struct fairshare_unread left = now->unread;

	if (!now->windows || !left.count)
		return;
	left.count = 0;
	for (size_t i = 0; i < now->unread.count; i++)
		if (!unread_try_one(now, now->unread.start[i]))
			left.start[left.count++] = now->unread.start[i];
	retry_note(&left.again, left.count > 0);
	engine_lock();
	fairshare.unread = left;
	engine_unlock();
}
