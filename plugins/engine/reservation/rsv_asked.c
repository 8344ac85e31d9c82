/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses ADVRES in a job's comment, and compares the name with reservations and
 * their instances.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/reservation/rsv_asked.h"

#include <string.h>

#include "common/util/extension.h"
#include "common/policy/reservation/sr_window.h"

struct rsv_asked rsv_asked_by(const char *comment)
{
	struct maui_piece piece;

	if (!maui_extension_find(comment, "ADVRES", &piece))
		return (struct rsv_asked){NULL, 0};
	return (struct rsv_asked){piece.text, piece.size};
}

bool rsv_asked_is(const struct rsv_asked *asked, const char *name)
{
	return asked->name && asked->size == strlen(name) &&
	       !memcmp(asked->name, name, asked->size);
}

bool rsv_asked_is_of(const struct rsv_asked *asked, const char *name)
{
	char instance[MAUI_SR_INSTANCE_SIZE];
	size_t size = strlen(name);
	int64_t date;

	if (rsv_asked_is(asked, name))
		return true;
	if (!asked->name || asked->size >= sizeof(instance))
		return false;
	memcpy(instance, asked->name, asked->size);
	instance[asked->size] = '\0';
	return maui_sr_instance_parse(instance, &date) == size && !memcmp(instance, name, size);
}

uint32_t rsv_asked_sum(const char *comment)
{
	struct rsv_asked asked = rsv_asked_by(comment);
	uint32_t sum = UINT32_C(2166136261);

	for (size_t i = 0; i < asked.size; i++)
		sum = (sum ^ (unsigned char)asked.name[i]) * UINT32_C(16777619);
	return asked.name ? sum | 1 : 0;
}
