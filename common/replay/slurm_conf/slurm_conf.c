/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Passes lines to the readers of NodeName, PartitionName, NodeSet and
 * DownNodes. Takes SchedulerParameters and timeouts, and opens Include files.
 */
#include "common/replay/slurm_conf/slurm_conf.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/replay/slurm_conf/slurm_conf_private.h"
#include "common/util/grow.h"
#include "common/util/text.h"

#define TEXT_SIZE 512
#define PATH_SIZE 4096

/* ---- what lines share ---- */

typedef void (*tell_place)(void *context, const struct maui_conf_place *place, const char *text);

static void tell_of_place(const struct maui_slurm_conf_reading *reading, tell_place tell,
			  const struct maui_conf_place *place, const char *format,
			  va_list arguments)
{
	char text[TEXT_SIZE];

	vsnprintf(text, sizeof(text), format, arguments);
	tell(reading->files->context, place, text);
}

void maui_conf_complain(struct maui_slurm_conf_reading *reading,
			const struct maui_conf_place *place, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	tell_of_place(reading, reading->files->complain, place, format, arguments);
	va_end(arguments);
	reading->wrong = true;
}

void maui_conf_warn(struct maui_slurm_conf_reading *reading, const struct maui_conf_place *place,
		    const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	tell_of_place(reading, reading->files->warn, place, format, arguments);
	va_end(arguments);
}

void maui_conf_ignore(struct maui_slurm_conf_reading *reading, const char *name)
{
	struct maui_slurm_conf *conf = reading->conf;

	for (size_t i = 0; i < conf->ignored_count; i++)
		if (!strcasecmp(conf->ignored[i].name, name)) {
			conf->ignored[i].count++;
			return;
		}
	conf->ignored = maui_grow(conf->ignored, conf->ignored_count + 1, &conf->ignored_room,
				  sizeof(*conf->ignored));
	conf->ignored[conf->ignored_count++] = (struct maui_slurm_conf_ignored){
		.name = maui_arena_text(conf->arena, name, strlen(name)), .count = 1};
}

void maui_conf_keep(struct maui_slurm_conf_reading *reading, const struct maui_conf_word *word,
		    struct maui_conf_setting *ret_setting)
{
	*ret_setting = (struct maui_conf_setting){
		maui_arena_text(reading->conf->arena, word->value, strlen(word->value)),
		word->value_at};
}

/* As a value of what would be ignored. */
static bool restricts_nobody(const char *value)
{
	static const char *const words[] = {"NO",           "ALL",           "UNLIMITED",
					    "INFINITE",     "OFF",           "0",
					    "preempt/none", "topology/none", "topology/default"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcasecmp(words[i], value))
			return true;
	return false;
}

void maui_conf_fill(struct maui_slurm_conf_reading *reading, const struct maui_conf_key *keys,
		    const struct maui_conf_word *words, size_t count, struct maui_conf_entry *entry)
{
	for (size_t i = 0; i < count; i++) {
		const struct maui_conf_key *key = keys;

		while (key->name && strcasecmp(key->name, words[i].key) != 0)
			key++;
		if (!key->name && !restricts_nobody(words[i].value))
			maui_conf_ignore(reading, words[i].key);
		else if (key->name && key->setting >= 0)
			maui_conf_keep(reading, &words[i], &entry->set[key->setting]);
	}
}

void maui_conf_expand(struct maui_slurm_conf_reading *reading,
		      const struct maui_conf_setting *setting, maui_hostlist_take take,
		      void *context)
{
	struct maui_error error;

	if (maui_hostlist_expand(setting->text, take, context, NULL, NULL, &error) < 0)
		maui_conf_complain(reading, &setting->place, "%s", error.text);
}

/* ---- lines of one word ---- */

/* Told of, since who runs when hangs on them. */
static const char *const ignored_keys[] = {
	"DefMemPerCPU", "DefMemPerGPU", "DefMemPerNode", "EnforcePartLimits",
	"MaxJobCount",  "MaxMemPerCPU", "MaxMemPerNode", "OverTimeLimit",
	"PreemptMode",  "PreemptType",  "TopologyParam", "TopologyPlugin",
};

static void take_single(struct maui_slurm_conf_reading *reading, const struct maui_conf_word *word)
{
	const struct {
		const char *key;
		struct maui_conf_setting *setting;
	} kept[] = {
		{"SchedulerParameters", &reading->parameters},
		{"MaxArraySize", &reading->array_size},
		{"ClusterName", &reading->cluster},
		{"SelectTypeParameters", &reading->select},
		{"ResumeTimeout", &reading->resume_timeout},
		{"SuspendTimeout", &reading->suspend_timeout},
	};

	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++)
		if (!strcasecmp(kept[i].key, word->key)) {
			maui_conf_keep(reading, word, kept[i].setting);
			return;
		}
	for (size_t i = 0; i < sizeof(ignored_keys) / sizeof(ignored_keys[0]); i++)
		if (!strcasecmp(ignored_keys[i], word->key) && !restricts_nobody(word->value))
			maui_conf_ignore(reading, ignored_keys[i]);
}

static void slurm_conf_take(void *context, const struct maui_conf_word *words, size_t count)
{
	static const struct {
		const char *key;
		void (*take)(struct maui_slurm_conf_reading *reading,
			     const struct maui_conf_word *words, size_t count);
	} kinds[] = {
		{"NodeName", maui_conf_take_node},
		{"PartitionName", maui_conf_take_partition},
		{"NodeSet", maui_conf_take_set},
		{"DownNodes", maui_conf_take_down},
	};
	const struct maui_slurm_conf_files *files =
		((struct maui_slurm_conf_reading *)context)->files;

	if (count && files->line)
		files->line(files->context, words, count);
	for (size_t i = 0; count && i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcasecmp(kinds[i].key, words->key)) {
			kinds[i].take(context, words, count);
			return;
		}
	for (size_t i = 0; i < count; i++)
		take_single(context, &words[i]);
}

/* ---- files that are included ---- */

/* %c is the cluster's name; a relative path is one beside slurm.conf. False: it is too long. */
static bool whole_path(const struct maui_slurm_conf_reading *reading, const char *name,
		       char path[PATH_SIZE])
{
	const char *slash = strrchr(reading->path, '/');
	const char *cluster = reading->cluster.text ? reading->cluster.text : "%c";
	size_t size = 0;

	if (*name != '/' && slash)
		size = (size_t)snprintf(path, PATH_SIZE, "%.*s/", (int)(slash - reading->path),
					reading->path);
	for (; *name && size < PATH_SIZE; name++) {
		bool named = name[0] == '%' && name[1] == 'c';

		size += (size_t)snprintf(path + size, PATH_SIZE - size, "%.*s",
					 named ? (int)strlen(cluster) : 1, named ? cluster : name);
		name += named;
	}
	return size < PATH_SIZE;
}

static bool open_included(void *context, const struct maui_conf_place *place, const char *name,
			  const char **ret_path, char **ret_text, size_t *ret_size)
{
	struct maui_slurm_conf_reading *reading = context;
	char path[PATH_SIZE] = "";

	if (!whole_path(reading, name, path)) {
		maui_conf_complain(reading, place, "this is too long for a path");
		return false;
	}
	*ret_path = maui_arena_text(reading->conf->arena, path, strlen(path));
	if (!reading->files->read(reading->files->context, path, ret_text, ret_size))
		return true;
	maui_conf_complain(reading, place, "this cannot be included");
	return false;
}

static void complain_of_line(void *context, const struct maui_conf_place *place, const char *text)
{
	maui_conf_complain(context, place, "%s", text);
}

/* ---- all of it ---- */

static void ignore_parameter(void *context, const char *name)
{
	char bare[TEXT_SIZE];

	snprintf(bare, sizeof(bare), "%.*s", (int)strcspn(name, "="), name);
	maui_conf_ignore(context, bare);
}

static void warn_of_parameter(void *context, const char *text)
{
	struct maui_slurm_conf_reading *reading = context;

	maui_conf_warn(reading, &reading->parameters.place, "%s", text);
}

static void take_parameters(struct maui_slurm_conf_reading *reading)
{
	struct maui_slurm_conf *conf = reading->conf;
	const struct maui_replay_parameter_notes notes = {ignore_parameter, warn_of_parameter,
							  reading};
	struct maui_error error;
	int64_t size;

	if (reading->parameters.text)
		maui_replay_parameters_read(reading->parameters.text, &conf->parameters, &notes,
					    &error);
	maui_conf_number(reading, &reading->array_size, MAUI_CONF_32, 0, &size);
	conf->max_array_size = (uint32_t)size;
	maui_conf_number(reading, &reading->resume_timeout, MAUI_CONF_16, 60,
			 &conf->timeouts.resume);
	maui_conf_number(reading, &reading->suspend_timeout, MAUI_CONF_16, 30,
			 &conf->timeouts.suspend);
}

/* Without _Memory in it, nobody's memory counts. */
static void take_memory(struct maui_slurm_conf_reading *reading)
{
	const char *select = reading->select.text;

	if (!select || strcasestr(select, "memory"))
		return;
	for (uint32_t i = 0; i < reading->nodes->count; i++)
		reading->nodes->nodes[i].memory = 0;
}

static int slurm_conf_read_all(struct maui_slurm_conf_reading *reading, const char *text,
			       size_t size)
{
	struct maui_conf_reader reader = {.arena = reading->conf->arena,
					  .take = slurm_conf_take,
					  .open = open_included,
					  .complain = complain_of_line,
					  .context = reading};
	struct maui_conf_place whole = {reading->path, 1, 1};

	maui_conf_read(&reader, reading->path, text, size);
	take_parameters(reading);
	maui_conf_make_partitions(reading);
	maui_conf_take_away(reading);
	take_memory(reading);
	if (!reading->nodes->count && !reading->wrong)
		maui_conf_complain(reading, &whole, "there is no node");
	return reading->wrong ? -EINVAL : 0;
}

int maui_slurm_conf_read(const char *path, const char *text, size_t size,
			 const struct maui_slurm_conf_files *files, struct maui_replay_nodes *nodes,
			 struct maui_slurm_conf *ret_conf)
{
	struct maui_slurm_conf_reading reading = {
		.path = path, .files = files, .nodes = nodes, .conf = ret_conf};
	int rc;

	*ret_conf = (struct maui_slurm_conf){.parameters = maui_replay_default_parameters,
					     .arena = maui_arena_new()};
	reading.future = maui_intern_new();
	rc = slurm_conf_read_all(&reading, text, size);
	maui_intern_free(reading.future);
	free(reading.partitions.list);
	free(reading.sets.list);
	free(reading.down.list);
	return rc;
}

void maui_slurm_conf_clear(struct maui_slurm_conf *conf)
{
	maui_arena_free(conf->arena);
	free(conf->away);
	free(conf->ignored);
	*conf = (struct maui_slurm_conf){0};
}
