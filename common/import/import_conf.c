/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps the words of slurm.conf's lines that are policy. Names with Priority or Preempt in front,
 * and all of a partition's, are kept without a row, too, so that nothing is left out in silence.
 */
#include "common/import/import_conf.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/util/grow.h"
#include "common/util/text.h"

void maui_import_conf_begin(struct maui_import_conf *ret_conf)
{
	*ret_conf = (struct maui_import_conf){.arena = maui_arena_new()};
}

void maui_import_conf_clear(struct maui_import_conf *conf)
{
	maui_arena_free(conf->arena);
	free(conf->partitions);
	free(conf->unknown);
	*conf = (struct maui_import_conf){0};
}

bool maui_import_enforces_limits(const struct maui_import_conf *conf)
{
	static const char *const words[] = {"limits", "safe", "all"};
	const char *text = conf->set[MAUI_IMPORT_ENFORCE].text;

	for (size_t i = 0; text && i < sizeof(words) / sizeof(words[0]); i++)
		if (strcasestr(text, words[i]))
			return true;
	return false;
}

static const char *conf_copy(struct maui_import_conf *conf, const char *text)
{
	return maui_arena_text(conf->arena, text, strlen(text));
}

static void conf_keep(struct maui_import_conf *conf, const struct maui_conf_word *word,
		      struct maui_import_value *ret_value)
{
	*ret_value = (struct maui_import_value){conf_copy(conf, word->value), word->value_at};
}

static void conf_keep_unknown(struct maui_import_conf *conf, const struct maui_conf_word *word,
			      const char *partition)
{
	conf->unknown = maui_grow(conf->unknown, conf->unknown_count + 1, &conf->unknown_room,
				  sizeof(*conf->unknown));
	conf->unknown[conf->unknown_count++] = (struct maui_import_unknown){
		conf_copy(conf, word->key), conf_copy(conf, word->value), partition};
}

static void conf_take_word(struct maui_import_conf *conf, const struct maui_conf_word *word)
{
	size_t id = maui_import_find(maui_import_settings, MAUI_IMPORT_GLOBALS, word->key);

	if (id < MAUI_IMPORT_GLOBALS)
		conf_keep(conf, word, &conf->set[id]);
	else if (maui_begins(word->key, "Priority") || maui_begins(word->key, "Preempt"))
		conf_keep_unknown(conf, word, NULL);
}

static void conf_take_partition(struct maui_import_conf *conf, const struct maui_conf_word *words,
				size_t count)
{
	struct maui_import_entry entry = conf->otherwise;
	const char *name = conf_copy(conf, words->value);

	for (size_t i = 0; i < count; i++) {
		size_t id = maui_import_find(maui_import_partition_settings,
					     MAUI_IMPORT_PARTITION_COUNT, words[i].key);

		if (id < MAUI_IMPORT_PARTITION_COUNT)
			conf_keep(conf, &words[i], &entry.set[id]);
		else
			conf_keep_unknown(conf, &words[i], name);
	}
	if (!strcasecmp(name, "DEFAULT")) {
		conf->otherwise = entry;
		return;
	}
	conf->partitions = maui_grow(conf->partitions, conf->partition_count + 1,
				     &conf->partition_room, sizeof(*conf->partitions));
	conf->partitions[conf->partition_count++] = entry;
}

void maui_import_conf_line(struct maui_import_conf *conf, const struct maui_conf_word *words,
			   size_t count)
{
	static const char *const others[] = {"NodeName", "NodeSet", "DownNodes", "FrontendName"};

	if (!strcasecmp(words->key, "PartitionName")) {
		conf_take_partition(conf, words, count);
		return;
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (!strcasecmp(words->key, others[i]))
			return;
	for (size_t i = 0; i < count; i++)
		conf_take_word(conf, &words[i]);
}
