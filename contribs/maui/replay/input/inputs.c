/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps path, size and CRC-32 of each file that a replay reads, and reports a
 * file whose size or CRC-32 differs at a second reading.
 */
#include "contribs/maui/replay/input/inputs.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "common/report/json.h"
#include "common/util/grow.h"
#include "contribs/maui/lib/text.h"

void inputs_add(struct replay_inputs *inputs, const char *path, const char *bytes, size_t size)
{
	uint32_t crc = (uint32_t)crc32_z(0, (const unsigned char *)bytes, size);

	for (size_t i = 0; i < inputs->count; i++) {
		struct replay_input *known = &inputs->list[i];

		if (strcmp(known->path, path))
			continue;
		if (known->size != size || known->crc != crc)
			inputs->changed = known->path;
		return;
	}
	inputs->list =
		maui_grow(inputs->list, inputs->count + 1, &inputs->room, sizeof(*inputs->list));
	inputs->list[inputs->count++] = (struct replay_input){text_copy(path), size, crc};
}

void inputs_clear(struct replay_inputs *inputs)
{
	for (size_t i = 0; i < inputs->count; i++)
		free(inputs->list[i].path);
	free(inputs->list);
}

struct json_object *inputs_json(const struct replay_inputs *inputs)
{
	struct json_object *list = json_make_array();

	for (size_t i = 0; i < inputs->count; i++) {
		struct json_object *object = json_make_object();

		json_set_text(object, "path", inputs->list[i].path);
		json_set_number(object, "bytes", (int64_t)inputs->list[i].size);
		json_set_number(object, "crc32", inputs->list[i].crc);
		json_append(list, object);
	}
	return list;
}
