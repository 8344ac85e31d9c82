/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A site's Torque, as its files have it: nodes, queues, and settings of the server. */
#ifndef MAUI_TORQUE_SITE_H
#define MAUI_TORQUE_SITE_H

#include "common/import/import_each_line.h"
#include "common/import/torque/torque_known.h"
#include "common/util/intern.h"

struct maui_torque_attribute {
	const char *name, *value; /* resources_max.walltime, 24:00:00 */
	struct maui_conf_place place;
	const struct maui_torque_known *known; /* NULL: no row has this name */
};

/* A queue, or the server. */
struct maui_torque_object {
	const char *name; /* of the server "" */
	struct maui_conf_place place;
	struct maui_torque_attribute *attributes; /* in the file's order, each once */
	size_t count, room;
};

struct maui_torque_node {
	const char *name;
	uint32_t cpus, gpus, mics;
	const char *features; /* a,b; "" none */
	bool offline;         /* held back by an administrator */
};

/* A word of a node that slurm.conf does not get. */
struct maui_torque_word {
	const char *node, *text;
	struct maui_conf_place place;
};

/* An attribute that slurmd reports by itself: its first line, and how many there are. */
struct maui_torque_report {
	const struct maui_torque_known *known;
	const char *node;
	struct maui_conf_place place;
	size_t lines;
};

struct maui_torque_site {
	struct maui_arena *arena;
	struct maui_torque_object server;
	struct maui_torque_object *queues;
	struct maui_torque_node *nodes;
	struct maui_intern *node_names; /* a node's index + 1 */
	struct maui_torque_word *words;
	struct maui_torque_report *reports;
	size_t queue_count, queue_room, node_count, node_room, word_count, word_room;
	size_t report_count, report_room;
};

void maui_torque_site_begin(struct maui_torque_site *ret_site);
void maui_torque_site_clear(struct maui_torque_site *site);

/* NULL: it is not set. */
const struct maui_torque_attribute *maui_torque_get(const struct maui_torque_object *object,
						    const char *name);
/* The queue's own, or else the server's. */
const struct maui_torque_attribute *maui_torque_of_queue(const struct maui_torque_site *site,
							 const struct maui_torque_object *queue,
							 const char *name);
/* Whether it is set, and true. */
bool maui_torque_is_true(const struct maui_torque_object *object, const char *name);

/* Whether a comma-separated list has a word of so many bytes. */
bool maui_torque_list_has(const char *list, const char *word, size_t size);

#endif
