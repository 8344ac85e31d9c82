/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of known names in memory. Each change marks `names` for writing,
 * and a file that is read late is merged into the table.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/policy/names_kept.h"

#include "plugins/engine/runtime/runtime.h"

ENGINE_GUARDED static struct maui_known_names *names_kept;

/* What the file says, until it is adopted: the thread that begins, then the engine's own. */
static struct maui_known_names *names_found;

static void names_late(enum state_answer answer);

struct state_file names_file = {
	.format = &maui_known_names_file,
	.interval = 3,
	.found = &names_found,
	.in_shadow = true,
	.late = names_late,
	.live = &names_kept,
};

/* ---- what is kept ---- */

bool names_kept_number(enum maui_credential type, const char *name, uint32_t *ret_number)
{
	return maui_known_names_number(names_kept, type, name, ret_number);
}

const char *names_kept_name(enum maui_credential type, uint32_t number)
{
	return maui_known_names_name(names_kept, type, number);
}

void names_kept_set_number(enum maui_credential type, const char *name, uint32_t number)
{
	if (names_kept && maui_known_names_set_number(names_kept, type, name, number))
		names_file.changed = true;
}

void names_kept_drop_number(enum maui_credential type, const char *name)
{
	if (names_kept && maui_known_names_drop_number(names_kept, type, name))
		names_file.changed = true;
}

void names_kept_set_name(enum maui_credential type, uint32_t number, const char *name)
{
	if (names_kept && maui_known_names_set_name(names_kept, type, number, name))
		names_file.changed = true;
}

/* ---- the engine's life ---- */

static void names_kept_allocate(void)
{
	engine_assert_locked();
	if (!names_kept)
		names_kept = maui_known_names_new();
}

static void names_kept_adopt(void)
{
	engine_assert_locked();
	if (!names_found)
		return;
	maui_known_names_free(names_kept);
	names_kept = names_found;
	names_found = NULL;
}

/* The name service's answers since then count. */
static void names_late(enum state_answer answer)
{
	(void)answer;
	engine_lock();
	maui_known_names_add(names_kept, names_found);
	engine_unlock();
}

const struct module names_kept_module = {.allocate = names_kept_allocate,
					 .adopt = names_kept_adopt};
