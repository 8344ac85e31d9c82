/* SPDX-License-Identifier: GPL-2.0-or-later */
/* NodeName of slurm.conf. */
#include <string.h>
#include <strings.h>

#include "common/replay/slurm_conf/slurm_conf_private.h"
#include "common/util/grow.h"

enum {
	NAME,
	CPUS,
	PROCS, /* of old releases: counts where CPUs is nowhere */
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
	{"Procs", PROCS},
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

void maui_conf_add_away(struct maui_slurm_conf_reading *reading, uint32_t node)
{
	struct maui_slurm_conf *conf = reading->conf;

	conf->away =
		maui_grow(conf->away, conf->away_count + 1, &conf->away_room, sizeof(*conf->away));
	conf->away[conf->away_count++] = node;
}

/* ---- one line ---- */

#define COMPLAINED 1 /* of add_node() and add_future() */

struct adding {
	struct maui_slurm_conf_reading *reading;
	const struct maui_conf_entry *entry;
	int64_t cpus, memory;
	bool away;
};

/* What a line says of a node's processors. */
struct shape {
	int64_t cpus, boards, sockets, cores, threads;
	bool says_cpus, says_sockets;
};

/* False: one of them is no number, which is said. */
static bool read_shape(struct maui_slurm_conf_reading *reading, const struct maui_conf_setting *set,
		       struct shape *shape)
{
	const struct maui_conf_setting *cpus = &set[set[CPUS].text ? CPUS : PROCS];
	const struct maui_conf_setting *per_board = &set[SOCKETS_PER_BOARD];
	int64_t on_board;

	shape->says_cpus = cpus->text;
	shape->says_sockets = set[SOCKETS].text || per_board->text;
	if (!maui_conf_positive(reading, cpus, 1, &shape->cpus) ||
	    !maui_conf_positive(reading, &set[BOARDS], 1, &shape->boards) ||
	    !maui_conf_positive(reading, &set[SOCKETS], 1, &shape->sockets) ||
	    !maui_conf_positive(reading, per_board, 1, &on_board) ||
	    !maui_conf_positive(reading, &set[CORES], 1, &shape->cores) ||
	    !maui_conf_positive(reading, &set[THREADS], 1, &shape->threads))
		return false;
	if (per_board->text && set[SOCKETS].text)
		maui_conf_warn(reading, &set[SOCKETS].place,
			       "Sockets does not count beside SocketsPerBoard");
	if (per_board->text)
		shape->sockets = shape->boards * on_board;
	return true;
}

/* As many as CPUs says have cores, or one for each board. */
static int64_t sockets_of(const struct shape *shape)
{
	int64_t threads = shape->cores * shape->threads;

	if (shape->says_sockets)
		return shape->sockets;
	return shape->says_cpus && shape->cpus % threads == 0 ? shape->cpus / threads
							      : shape->boards;
}

/* CPUs as it says, if they are the sockets, the cores or the threads. slurmctld has 16 bits for
 * sockets and for processors, of which the lowest remain. */
static bool read_cpus(struct adding *adding)
{
	struct maui_slurm_conf_reading *reading = adding->reading;
	const struct maui_conf_setting *set = adding->entry->set;
	struct shape shape;
	int64_t sockets, cores, threads;

	if (!read_shape(reading, set, &shape))
		return false;
	sockets = (uint16_t)sockets_of(&shape);
	cores = sockets * shape.cores;
	threads = cores * shape.threads;
	adding->cpus = shape.says_cpus ? shape.cpus : (uint16_t)threads;
	if (adding->cpus != sockets && adding->cpus != cores && adding->cpus != threads) {
		const struct maui_conf_setting *cpus = &set[set[CPUS].text ? CPUS : PROCS];

		maui_conf_warn(reading, cpus->text ? &cpus->place : &set[NAME].place,
			       "neither sockets, cores nor threads: slurmctld counts %d processors",
			       (uint16_t)threads);
		adding->cpus = (uint16_t)threads;
	}
	return true;
}

static bool read_amounts(struct adding *adding)
{
	struct maui_slurm_conf_reading *reading = adding->reading;
	const struct maui_conf_setting *set = adding->entry->set;
	int64_t system;

	if (!read_cpus(adding) ||
	    !maui_conf_number(reading, &set[MEMORY], MAUI_CONF_64, 0, &adding->memory) ||
	    !maui_conf_number(reading, &set[SYSTEM_MEMORY], MAUI_CONF_64, 0, &system))
		return false;
	if (adding->memory > MAUI_REPLAY_MAX_MEMORY)
		adding->memory = MAUI_REPLAY_MAX_MEMORY;
	if (adding->memory && system >= adding->memory) {
		maui_conf_warn(reading, &set[SYSTEM_MEMORY].place,
			       "as much as the node has: slurmctld leaves all of it to jobs");
		system = 0;
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
	struct maui_error error;

	if (maui_replay_nodes_add(reading->nodes, name, (uint32_t)adding->cpus, adding->memory,
				  text_of(&set[FEATURES]), text_of(&set[GRES]), &error)) {
		maui_conf_complain(reading, &set[NAME].place, "%s", error.text);
		return COMPLAINED;
	}
	if (adding->away)
		maui_conf_add_away(reading, reading->nodes->count - 1);
	return 0;
}

/* Partitions may name them. */
static int add_future(void *context, const char *name)
{
	const struct adding *adding = context;
	struct maui_slurm_conf_reading *reading = adding->reading;

	if (maui_intern_count(reading->future) == MAUI_REPLAY_MAX_NODES &&
	    !maui_intern_find(reading->future, name)) {
		maui_conf_complain(reading, &adding->entry->set[NAME].place, "more than %u nodes",
				   MAUI_REPLAY_MAX_NODES);
		return COMPLAINED;
	}
	maui_intern_add(reading->future, name);
	return 0;
}

void maui_conf_take_node(struct maui_slurm_conf_reading *reading,
			 const struct maui_conf_word *words, size_t count)
{
	struct maui_conf_entry entry = reading->node;
	struct adding adding = {.reading = reading, .entry = &entry};

	maui_conf_fill(reading, keys, words, count, &entry);
	if (!strcasecmp(words->value, "DEFAULT")) {
		reading->node = entry;
		return;
	}
	if (!strcasecmp(text_of(&entry.set[STATE]), "FUTURE")) {
		maui_conf_expand(reading, &entry.set[NAME], add_future, &adding);
		maui_conf_ignore(reading, "State=FUTURE");
		return;
	}
	if (!read_amounts(&adding))
		return;
	adding.away = maui_conf_is_away(text_of(&entry.set[STATE]));
	maui_conf_expand(reading, &entry.set[NAME], add_node, &adding);
}
