/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Maps each QOS to a bit mask of attributes from QFLAGS, and adds the bits of
 * FLAGS in a job's comment.
 */
#include "common/config/default_name.h"
#include "common/policy/reservation/job_attributes.h"

#include <stdlib.h>
#include <string.h>

#include "common/policy/reservation/acl.h"
#include "common/util/extension.h"
#include "common/util/idmap.h"
#include "common/util/memory.h"

#define BETWEEN ",:| \t\r\n"

struct maui_job_attributes {
	uint32_t without_qos;     /* those of the QOS DEFAULT */
	struct maui_idmap of_qos; /* those without any are not in it */
};

/* ---- maui.cfg ------------------------------------------------------------------------------ */

static uint32_t flags_of(const struct maui_object *qos)
{
	const struct maui_value *value = maui_object_get(qos, MAUI_ATTR_QFLAGS);
	uint32_t bits = 0;

	for (size_t i = 0; value && i < value->list_size; i++)
		bits |= maui_acl_attribute(value->list[i], strlen(value->list[i]));
	return bits;
}

static void job_attributes_read_all(struct maui_job_attributes *into,
				    const struct maui_config *config,
				    const struct maui_limit_names *names)
{
	const struct maui_object *const *objects;
	size_t count = maui_config_objects(config, MAUI_QOSCFG, &objects);

	for (size_t i = 0; i < count; i++) {
		const char *name = maui_object_name(objects[i]);
		uint32_t bits = flags_of(objects[i]), id;

		if (!bits)
			continue;
		if (maui_is_default(name)) {
			into->without_qos = bits;
			continue;
		}
		id = names->id(names->context, MAUI_QOS, name);
		if (id)
			maui_idmap_set(&into->of_qos, id, bits);
	}
}

struct maui_job_attributes *maui_job_attributes_compile(const struct maui_config *config,
							const struct maui_limit_names *names)
{
	struct maui_job_attributes *attributes = maui_calloc(1, sizeof(*attributes));

	job_attributes_read_all(attributes, config, names);
	if (!attributes->without_qos && !attributes->of_qos.count)
		attributes = maui_job_attributes_free(attributes);
	return attributes;
}

struct maui_job_attributes *maui_job_attributes_free(struct maui_job_attributes *attributes)
{
	if (attributes)
		maui_idmap_clear(&attributes->of_qos);
	free(attributes);
	return NULL;
}

/* ---- a job --------------------------------------------------------------------------------- */

static uint32_t flags_of_comment(const char *comment)
{
	struct maui_piece flags;
	const char *at, *end;
	uint32_t bits = 0;

	if (!maui_extension_find(comment, "FLAGS", &flags))
		return 0;
	end = flags.text + flags.size;
	for (at = flags.text; at < end; at++) {
		const char *word = at;

		while (at < end && !strchr(BETWEEN, *at))
			at++;
		bits |= maui_acl_attribute(word, (size_t)(at - word));
	}
	return bits;
}

uint32_t maui_job_attributes(const struct maui_job_attributes *attributes, uint32_t qos,
			     const char *comment)
{
	uint32_t bits = comment && *comment ? flags_of_comment(comment) : 0;

	if (!attributes)
		return bits;
	return bits | (qos ? maui_idmap_find(&attributes->of_qos, qos) : attributes->without_qos);
}
