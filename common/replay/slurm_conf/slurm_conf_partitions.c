/* SPDX-License-Identifier: GPL-2.0-or-later */
/* PartitionName, NodeSet and DownNodes of slurm.conf. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/replay/slurm_conf/slurm_conf_private.h"
#include "common/replay/trace/trace.h"
#include "common/util/grow.h"
#include "common/util/list.h"
#include "common/util/text.h"

enum {
	NAME,
	NODES,
	DEFAULT,
	MAX_TIME,
	DEFAULT_TIME,
	MIN_NODES,
	MAX_NODES,
	STATE,
	FEATURE,
	SETTINGS
};
_Static_assert(SETTINGS <= MAUI_SLURM_CONF_SETTINGS, "a line has room for all settings");

static const struct maui_conf_key partition_keys[] = {
	{"PartitionName", NAME},
	{"Nodes", NODES},
	{"Default", DEFAULT},
	{"MaxTime", MAX_TIME},
	{"DefaultTime", DEFAULT_TIME},
	{"MinNodes", MIN_NODES},
	{"MaxNodes", MAX_NODES},
	{"State", STATE},
	{"AllocNodes", -1},
	{"Alternate", -1},
	{"CpuBind", -1},
	{"DisableRootJobs", -1},
	{"GraceTime", -1},
	{"Hidden", -1},
	{"PriorityJobFactor", -1},
	{"ResumeTimeout", -1},
	{"SuspendTime", -1},
	{"SuspendTimeout", -1},
	{"TRESBillingWeights", -1},
	{NULL, -1},
};

static const struct maui_conf_key set_keys[] = {
	{"NodeSet", NAME}, {"Nodes", NODES}, {"Feature", FEATURE}, {NULL, -1}};

static const struct maui_conf_key down_keys[] = {
	{"DownNodes", NODES}, {"State", STATE}, {"Reason", -1}, {NULL, -1}};

/* ---- while lines are read ---- */

static void keep_entry(struct maui_conf_entries *entries, const struct maui_conf_entry *entry)
{
	entries->list =
		maui_grow(entries->list, entries->count + 1, &entries->room, sizeof(*entry));
	entries->list[entries->count++] = *entry;
}

static void take_entry(struct maui_slurm_conf_reading *reading, const struct maui_conf_key *keys,
		       const struct maui_conf_word *words, size_t count,
		       struct maui_conf_entries *entries)
{
	struct maui_conf_entry entry = {0};

	maui_conf_fill(reading, keys, words, count, &entry);
	keep_entry(entries, &entry);
}

void maui_conf_take_partition(struct maui_slurm_conf_reading *reading,
			      const struct maui_conf_word *words, size_t count)
{
	struct maui_conf_entry entry = reading->partition;

	maui_conf_fill(reading, partition_keys, words, count, &entry);
	if (strcasecmp(words->value, "DEFAULT") != 0)
		keep_entry(&reading->partitions, &entry);
	else
		reading->partition = entry;
}

void maui_conf_take_set(struct maui_slurm_conf_reading *reading, const struct maui_conf_word *words,
			size_t count)
{
	take_entry(reading, set_keys, words, count, &reading->sets);
}

void maui_conf_take_down(struct maui_slurm_conf_reading *reading,
			 const struct maui_conf_word *words, size_t count)
{
	take_entry(reading, down_keys, words, count, &reading->down);
}

/* ---- nodes ---- */

struct gathering {
	struct maui_slurm_conf_reading *reading;
	const struct maui_conf_place *place; /* where they are named */
	uint64_t *members;
	bool sets; /* NodeSets are known here */
};

static void partitions_put_all(struct gathering *gathering)
{
	for (uint32_t i = 0; i < gathering->reading->nodes->count; i++)
		maui_replay_put(gathering->members, i);
}

static void put_featured(struct gathering *gathering, const char *name)
{
	const struct maui_replay_nodes *nodes = gathering->reading->nodes;
	uint32_t feature = maui_intern_find(nodes->features, name);

	for (uint32_t i = 0; feature && i < nodes->count; i++)
		for (uint32_t k = 0; k < nodes->nodes[i].feature_count; k++)
			if (nodes->nodes[i].features[k] == feature)
				maui_replay_put(gathering->members, i);
}

static int put_name(void *context, const char *name);

static void put_set(struct gathering *gathering, const struct maui_conf_entry *set)
{
	struct gathering inner = *gathering;

	if (set->set[FEATURE].text)
		put_featured(gathering, set->set[FEATURE].text);
	if (!set->set[NODES].text)
		return;
	inner.place = &set->set[NODES].place;
	inner.sets = false;
	maui_conf_expand(gathering->reading, &set->set[NODES], put_name, &inner);
}

static int put_name(void *context, const char *name)
{
	struct gathering *gathering = context;
	struct maui_slurm_conf_reading *reading = gathering->reading;
	uint32_t node = maui_replay_nodes_find(reading->nodes, name);

	if (node != UINT32_MAX)
		maui_replay_put(gathering->members, node);
	else if (!strcasecmp(name, "ALL"))
		partitions_put_all(gathering);
	if (node != UINT32_MAX || !strcasecmp(name, "ALL") ||
	    maui_intern_find(reading->future, name))
		return 0;
	for (size_t i = 0; gathering->sets && i < reading->sets.count; i++)
		if (!strcmp(reading->sets.list[i].set[NAME].text, name)) {
			put_set(gathering, &reading->sets.list[i]);
			return 0;
		}
	maui_conf_complain(reading, gathering->place, "there is no node %s", name);
	return 0;
}

static void partitions_gather(struct maui_slurm_conf_reading *reading,
			      const struct maui_conf_setting *nodes, bool sets, uint64_t *members)
{
	struct gathering gathering = {reading, &nodes->place, members, sets};

	if (nodes->text)
		maui_conf_expand(reading, nodes, put_name, &gathering);
}

void maui_conf_take_away(struct maui_slurm_conf_reading *reading)
{
	size_t words = maui_replay_words(reading->nodes->count);
	uint64_t *members = maui_arena_alloc(reading->conf->arena, words, sizeof(*members));

	for (size_t i = 0; i < reading->down.count; i++) {
		const struct maui_conf_setting *set = reading->down.list[i].set;

		if (!set[STATE].text || maui_conf_is_away(set[STATE].text))
			partitions_gather(reading, &set[NODES], false, members);
	}
	for (uint32_t i = 0; i < reading->nodes->count; i++)
		if (maui_replay_has(members, i))
			maui_conf_add_away(reading, i);
}

/* ---- times ---- */

/* In whole minutes, as slurmctld counts. 0: there is no limit. */
static int64_t read_time(struct maui_slurm_conf_reading *reading,
			 const struct maui_conf_setting *setting)
{
	int64_t seconds = 0;

	if (!setting->text || !strcasecmp(setting->text, "UNLIMITED") ||
	    !strcasecmp(setting->text, "INFINITE") || !strcmp(setting->text, "-1"))
		return 0;
	if (!maui_conf_parse_time(setting->text, &seconds))
		maui_conf_complain(reading, &setting->place,
				   "a time is minutes, minutes:seconds, hours:minutes:seconds, "
				   "days-hours, ..., or UNLIMITED");
	if (seconds > MAUI_REPLAY_MAX_LENGTH)
		return MAUI_REPLAY_MAX_LENGTH;
	return (seconds + 59) / 60 * 60;
}

/* ---- partitions ---- */

static bool is_word(const struct maui_conf_setting *setting, const char *word)
{
	return setting->text && !strcasecmp(setting->text, word);
}

static bool is_yes(const struct maui_conf_setting *setting)
{
	return is_word(setting, "YES") || is_word(setting, "UP") || is_word(setting, "TRUE") ||
	       is_word(setting, "1");
}

static void read_times(struct maui_slurm_conf_reading *reading, const struct maui_conf_setting *set,
		       struct maui_replay_partition *partition)
{
	partition->max_time = read_time(reading, &set[MAX_TIME]);
	partition->default_time = read_time(reading, &set[DEFAULT_TIME]);
	if (!partition->max_time || partition->default_time <= partition->max_time)
		return;
	maui_conf_warn(reading, &set[DEFAULT_TIME].place,
		       "more than MaxTime: slurmctld takes MaxTime");
	partition->default_time = 0;
}

static void read_limits(struct maui_slurm_conf_reading *reading,
			const struct maui_conf_setting *set,
			struct maui_replay_partition *partition)
{
	int64_t least, nodes;

	read_times(reading, set, partition);
	maui_conf_number(reading, &set[MIN_NODES], MAUI_CONF_32, 0, &least);
	partition->min_nodes = (uint32_t)least;
	maui_conf_number(reading, &set[MAX_NODES], MAUI_CONF_32, UINT32_MAX, &nodes);
	partition->max_nodes = nodes == UINT32_MAX ? 0 : (uint32_t)nodes;
	partition->closed = !nodes || (set[STATE].text &&
				       strncasecmp(set[STATE].text, "UP", strlen("UP")) != 0);
}

/* The last one that says so is. */
static void make_default(struct maui_replay_nodes *nodes, struct maui_replay_partition *partition)
{
	for (uint32_t i = 0; i < nodes->partition_count; i++)
		nodes->partitions[i].is_default = false;
	partition->is_default = true;
}

/* slurmctld takes blanks within quotes for commas. */
static void separate_nodes(struct maui_slurm_conf_reading *reading, struct maui_conf_setting *nodes)
{
	char *copy, *end;

	if (!nodes->text)
		return;
	copy = end = maui_arena_text(reading->conf->arena, nodes->text, strlen(nodes->text));
	for (const char *at = copy; *at; at++) {
		char c = maui_is_blank(*at) ? ',' : *at;

		if (c != ',' || (end > copy && end[-1] != ','))
			*end++ = c;
	}
	end -= end > copy && end[-1] == ',';
	*end = '\0';
	nodes->text = copy;
}

static void make_partition(struct maui_slurm_conf_reading *reading,
			   const struct maui_conf_entry *entry)
{
	const struct maui_conf_setting *name = &entry->set[NAME];
	struct maui_conf_setting nodes = entry->set[NODES];
	struct maui_replay_partition *partition;

	if (maui_replay_nodes_find_partition(reading->nodes, name->text)) {
		maui_conf_complain(reading, &name->place, "a second partition %s", name->text);
		return;
	}
	partition = maui_replay_nodes_partition(reading->nodes, name->text);
	read_limits(reading, entry->set, partition);
	if (is_yes(&entry->set[DEFAULT]))
		make_default(reading->nodes, partition);
	separate_nodes(reading, &nodes);
	partitions_gather(reading, &nodes, true, partition->members);
}

void maui_conf_make_partitions(struct maui_slurm_conf_reading *reading)
{
	for (size_t i = 0; i < reading->partitions.count; i++)
		make_partition(reading, &reading->partitions.list[i]);
}
