/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files that a report is made from, by what they held when they were read. */
#ifndef MAUI_REPLAY_INPUTS_H
#define MAUI_REPLAY_INPUTS_H

#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

struct replay_input {
	char *path;
	size_t size; /* bytes, as unpacked */
	uint32_t crc;
};

struct replay_inputs {
	struct replay_input *list; /* in the order in which they were read, each once */
	size_t count, room;
	const char *changed; /* the path of one that was not the same again; NULL: none */
};

/* A file has been read; again, if it is there already. Out of memory the command ends. */
void inputs_add(struct replay_inputs *inputs, const char *path, const char *bytes, size_t size);
void inputs_clear(struct replay_inputs *inputs);

/* A list of `path`, `bytes` and `crc32`. */
struct json_object *inputs_json(const struct replay_inputs *inputs);

#endif
