/* SPDX-License-Identifier: GPL-2.0-or-later */
/* NodeName of slurm.conf. */
#include <errno.h>
#include <string.h>
#include <strings.h>

#include "common/replay/slurm_conf_private.h"
#include "common/util/grow.h"

enum {
	NAME,
	CPUS,
	BOARDS,
	SOCKETS,
	SOCKETS_PER_BOARD,
	CORES,
	THREADS,
	MEMORY,
	SYSTEM_MEMORY,
	FEATURES,
	GRES,
	STATE,
	SETTINGS
};
_Static_assert(SETTINGS <= MAUI_SLURM_CONF_SETTINGS, "a line has room for all settings");

static const struct maui_conf_key keys[] = {
	{"NodeName", NAME},
	{"CPUs", CPUS},
	{"Procs", CPUS},
	{"Boards", BOARDS},
	{"Sockets", SOCKETS},
	{"SocketsPerBoard", SOCKETS_PER_BOARD},
	{"CoresPerSocket", CORES},
	{"ThreadsPerCore", THREADS},
	{"RealMemory", MEMORY},
	{"MemSpecLimit", SYSTEM_MEMORY},
	{"Feature", FEATURES},
	{"Features", FEATURES},
	{"Gres", GRES},
	{"State", STATE},
	{"BcastAddr", -1},
	{"CpuBind", -1},
	{"NodeAddr", -1},
	{"NodeHostname", -1},
	{"Port", -1},
	{"Reason", -1},
	{"TmpDisk", -1},
	{NULL, -1},
};

bool maui_conf_is_away(const char *state)
{
	enum maui_node_use use = maui_node_use(maui_node_state(state, strlen(state)));

	return use == MAUI_NODE_DOWN || use == MAUI_NODE_DRAINS;
}

int maui_conf_add_away(struct maui_slurm_conf_reading *reading, uint32_t node)
{
	struct maui_slurm_conf *conf = reading->conf;
	void *grown =
		maui_grow(conf->away, conf->away_count + 1, &conf->away_room, sizeof(*conf->away));

	if (!grown)
		return -ENOMEM;
	conf->away = grown;
	conf->away[conf->away_count++] = node;
	return 0;
}

/* ---- one line ---- */

#define COMPLAINED 1 /* of add_node() */

struct adding {
	struct maui_slurm_conf_reading *reading;
	const struct maui_conf_entry *entry;
	int64_t cpus, memory;
	bool away;
};

/* CPUs as it says, or sockets x cores x threads. False: one of them is none, which is said. */
static bool read_cpus(struct adding *adding)
{
	struct maui_slurm_conf_reading *reading = adding->reading;
	const struct maui_conf_setting *set = adding->entry->set;
	int64_t boards, sockets, cores, threads, all;

	if (!maui_conf_number(reading, &set[BOARDS], 1, MAUI_REPLAY_MAX_CPUS, 1, &boards) ||
	    !maui_conf_number(reading, &set[SOCKETS], 1, MAUI_REPLAY_MAX_CPUS, boards, &sockets) ||
	    !maui_conf_number(reading, &set[CORES], 1, MAUI_REPLAY_MAX_CPUS, 1, &cores) ||
	    !maui_conf_number(reading, &set[THREADS], 1, MAUI_REPLAY_MAX_CPUS, 1, &threads))
		return false;
	if (set[SOCKETS_PER_BOARD].text) {
		if (!maui_conf_number(reading, &set[SOCKETS_PER_BOARD], 1, MAUI_REPLAY_MAX_CPUS, 1,
				      &sockets))
			return false;
		sockets *= boards;
	}
	/* Each is at most 2^16 or, of sockets on boards, 2^32: no product of two overflows. */
	all = sockets * cores > MAUI_REPLAY_MAX_CPUS ? INT64_MAX : sockets * cores * threads;
	return maui_conf_number(reading, &set[CPUS], 1, MAUI_REPLAY_MAX_CPUS, all, &adding->cpus);
}

static bool read_amounts(struct adding *adding)
{
	const struct maui_conf_setting *set = adding->entry->set;
	int64_t system;

	if (!read_cpus(adding) ||
	    !maui_conf_number(adding->reading, &set[MEMORY], 1, MAUI_REPLAY_MAX_MEMORY, 0,
			      &adding->memory) ||
	    !maui_conf_number(adding->reading, &set[SYSTEM_MEMORY], 0, MAUI_REPLAY_MAX_MEMORY, 0,
			      &system))
		return false;
	if (adding->memory && system >= adding->memory) {
		maui_conf_complain(adding->reading, &set[SYSTEM_MEMORY].place,
				   "no memory is left for jobs");
		return false;
	}
	adding->memory -= adding->memory ? system : 0;
	return true;
}

static const char *text_of(const struct maui_conf_setting *setting)
{
	return setting->text ? setting->text : "";
}

static int add_node(void *context, const char *name)
{
	struct adding *adding = context;
	struct maui_slurm_conf_reading *reading = adding->reading;
	const struct maui_conf_setting *set = adding->entry->set;
	uint32_t cpus = adding->cpus > MAUI_REPLAY_MAX_CPUS ? 0 : (uint32_t)adding->cpus;
	struct maui_error error;
	int rc = maui_replay_nodes_add(reading->nodes, name, cpus, adding->memory,
				       text_of(&set[FEATURES]), text_of(&set[GRES]), &error);

	if (rc == -EINVAL) {
		maui_conf_complain(reading, &set[NAME].place, "%s", error.text);
		return COMPLAINED;
	}
	return !rc && adding->away ? maui_conf_add_away(reading, reading->nodes->count - 1) : rc;
}

/* Partitions may name them. */
static int add_future(void *context, const char *name)
{
	struct adding *adding = context;

	return maui_intern_add(adding->reading->future, name) ? 0 : -ENOMEM;
}

int maui_conf_take_node(struct maui_slurm_conf_reading *reading, const struct maui_conf_word *words,
			size_t count)
{
	struct maui_conf_entry entry = reading->node;
	struct adding adding = {.reading = reading, .entry = &entry};
	int rc = maui_conf_fill(reading, keys, words, count, &entry);

	if (rc)
		return rc;
	if (!strcasecmp(words->value, "DEFAULT")) {
		reading->node = entry;
		return 0;
	}
	if (!strcasecmp(text_of(&entry.set[STATE]), "FUTURE")) {
		rc = maui_conf_expand(reading, &entry.set[NAME], add_future, &adding);
		return rc ? rc : maui_conf_ignore(reading, "State=FUTURE");
	}
	if (!read_amounts(&adding))
		return 0;
	adding.away = maui_conf_is_away(text_of(&entry.set[STATE]));
	return maui_conf_expand(reading, &entry.set[NAME], add_node, &adding);
}
