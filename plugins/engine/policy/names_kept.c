/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/base.h"

#include "plugins/engine/policy/names_kept.h"

#include <errno.h>
#include <stdlib.h>

#include "plugins/engine/runtime/runtime.h"
#include "plugins/engine/runtime/stateload.h"
#include "plugins/engine/runtime/statesave.h"

#define NAME "names"

ENGINE_GUARDED static struct maui_known_names *names_kept;

/* ---- reading ---- */

static int parse(const char *text, size_t size, void *result, struct maui_error *why)
{
	return maui_known_names_parse(text, size, result, why);
}

static const struct stateload stored = {
	.name = NAME,
	.limit = MAUI_KNOWN_NAMES_MAX_SIZE,
	.parse = parse,
	.lost = "until the name service answers, jobs of users that it has not named wait",
	.kept = "until the name service answers, jobs of users that it has not named wait",
};

/* What the file says, until it is adopted. Only the thread that begins the engine uses it. */
static struct maui_known_names *names_found;

static void read_file(const struct site *site, enum engine_mode mode)
{
	(void)mode;
	stateload(&stored, site->state_directory, &names_found);
}

/* ---- writing ---- */

struct names_text {
	char *text;
	size_t size;
};

static int gather(void *state, struct maui_error *why)
{
	struct names_text *names = state;

	(void)why; /* memory alone */
	engine_assert_locked();
	return maui_known_names_format(&names_kept, &names->text, &names->size);
}

static int format(void *state, char **ret_text, size_t *ret_size, struct maui_error *why)
{
	struct names_text *names = state;

	(void)why;
	*ret_text = names->text;
	*ret_size = names->size;
	names->text = NULL;
	return 0;
}

ENGINE_GUARDED static struct statesave file = {
	.name = NAME,
	.interval = 3,
	.lost = "the numbers of users and groups, which are needed if the name service is down",
	.gather = gather,
	.format = format,
};

static double due(double now)
{
	(void)now;
	engine_assert_locked();
	return statesave_due(&file);
}

static void save(void)
{
	struct names_text names = {0};

	statesave(&file, &names);
	free(names.text);
}

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
		file.changed = true;
}

void names_kept_drop_number(enum maui_credential type, const char *name)
{
	if (names_kept && maui_known_names_drop_number(names_kept, type, name))
		file.changed = true;
}

void names_kept_set_name(enum maui_credential type, uint32_t number, const char *name)
{
	if (names_kept && maui_known_names_set_name(names_kept, type, number, name))
		file.changed = true;
}

/* ---- the engine's life ---- */

static int allocate(void)
{
	engine_assert_locked();
	if (!names_kept)
		names_kept = maui_known_names_new();
	return names_kept ? 0 : -ENOMEM;
}

static void adopt(void)
{
	engine_assert_locked();
	statesave_reset(&file);
	if (!names_found)
		return;
	maui_known_names_free(names_kept);
	names_kept = names_found;
	names_found = NULL;
}

static void discard(void)
{
	names_found = maui_known_names_free(names_found);
}

const struct module names_kept_module = {
	.read = read_file,
	.allocate = allocate,
	.adopt = adopt,
	.discard = discard,
	.due = due,
	.chore = save,
	.saves = true,
};
