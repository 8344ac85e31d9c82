/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The program that a trigger runs: its arguments and environment. */
#include "plugins/compat/base.h"

#include "plugins/engine/reservation/trigger/rsv_trigger_private.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "common/util/memory.h"
#include "plugins/engine/reservation/trigger/rsv_action.h"
#include "plugins/engine/runtime/runtime.h"

/* Linux limits the length of a string in an environment. */
#define MAX_WORD 100000u

struct list {
	char **words;
	size_t count, room;
};

/* Takes ownership of the word. A NULL stays behind the last one. */
static void add_word(struct list *list, char *word)
{
	list->words = maui_grow_zeroed(list->words, list->count + 2, &list->room, sizeof(word));
	list->words[list->count++] = word;
}

static void add_format(struct list *list, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
static void add_format(struct list *list, const char *format, ...)
{
	va_list values;

	va_start(values, format);
	add_word(list, maui_vasprintf(format, values));
	va_end(values);
}

static struct list words_of(const struct rsv_going_off *one)
{
	struct list list = {0};
	const char *at = one->trigger.data, *word;
	size_t size;

	if (one->trigger.action == MAUI_SR_DO_SUBMIT) {
		add_word(&list, maui_strdup(SLURM_PREFIX "/bin/sbatch"));
		add_word(&list, maui_strdup(one->trigger.data));
		return list;
	}
	while ((word = maui_sr_trigger_word(&at, &size)))
		add_word(&list, maui_strndup(word, size));
	return list;
}

static struct list environment_of(const struct rsv_going_off *one)
{
	struct list list = {0};
	const char *zone = getenv("TZ");

	add_format(&list, "PATH=" SLURM_PREFIX
			  "/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
	engine_lock();
	if (engine.site.slurm_conf_path)
		add_format(&list, "SLURM_CONF=%s", engine.site.slurm_conf_path);
	engine_unlock();
	if (zone)
		add_format(&list, "TZ=%s", zone);
	add_format(&list, "MAUI_RESERVATION=%s", one->name);
	add_format(&list, "MAUI_SR=%s", one->standing);
	add_format(&list, "MAUI_EVENT=%s", maui_sr_event_name(one->trigger.event));
	add_format(&list, "MAUI_START=%" PRId64, one->start);
	add_format(&list, "MAUI_END=%" PRId64, one->end);
	if (strlen(one->nodes) < MAX_WORD)
		add_format(&list, "MAUI_NODES=%s", one->nodes);
	return list;
}

static unsigned int trigger_program_timeout(void)
{
	unsigned int seconds;

	engine_lock();
	seconds = engine.site.trigger_timeout;
	engine_unlock();
	return seconds;
}

void rsv_trigger_program(const struct rsv_going_off *one, const char *what)
{
	struct list words = words_of(one), environment = environment_of(one);
	struct rsv_action action = {
		.what = maui_strdup(what),
		.argv = words.words,
		.envp = environment.words,
		.timeout = trigger_program_timeout(),
	};
	int rc = rsv_action_start(&action);

	if (rc)
		error("maui: trigger at the %s: %s is not run: %s", what, one->trigger.data,
		      strerror(-rc));
	rsv_action_clear(&action);
}
