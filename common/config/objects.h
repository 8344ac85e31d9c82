/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The internals of a configuration: objects with values, found by hash. Plain parameters are values
 * of objects, too: of the section MAUI_PARAMETERS, by the partition's name, "" for the global ones.
 * One thread fills it and freezes it; from then on it is read-only.
 */
#ifndef MAUI_CONFIG_OBJECTS_H
#define MAUI_CONFIG_OBJECTS_H

#include <stdatomic.h>

#include "common/config/node_formula.h"
#include "common/config/text/problem.h"
#include "common/config/value.h"
#include "common/util/arena.h"

#define MAUI_OBJECTS_LIMIT 200000u
#define MAUI_VALUES_LIMIT  1000000u

struct maui_record; /* record.h */

/* A value, and what is needed to change it until the configuration is frozen. */
struct maui_entry {
	struct maui_value value;
	struct maui_object *object;
	struct maui_entry *next; /* of the same object */
	const char **list;       /* value.list, if several lines contributed to it */
	size_t list_room;
	uint32_t record; /* the number of the one that set it: record.h; 0 none */
	bool removed;
};

struct maui_object {
	enum maui_section section;
	const char *name;           /* "" if the section has only one */
	struct maui_origin origin;  /* its first line */
	struct maui_entry *entries; /* the newest first */
	size_t entry_count;
	const struct maui_value **values; /* once frozen: in the order of key and dimension */
	size_t value_count;
};

struct maui_object_list {
	const struct maui_object **objects;
	size_t count, room;
};

struct maui_config {
	atomic_uint references;
	struct maui_arena *arena; /* holds everything, this structure included */
	const char *path;
	const char *distrust; /* NULL: all files are trusted */
	const struct maui_problem *problems;
	size_t problem_count, error_count, unknown_count;
	struct maui_object_list sections[MAUI_SECTIONS];
	struct maui_object **object_slots; /* open addressing; a power of two */
	size_t object_slot_count, object_count;
	struct maui_entry **entry_slots;
	size_t entry_slot_count, entry_count;
	uint32_t values_read;
	const struct maui_value *defaults[MAUI_KEYS];
	const char **indices;
	size_t index_count;
	const char *gres[MAUI_GRES_NAMES]; /* by number less 1 */
	unsigned int gres_count;
	struct maui_period periods[MAUI_PERIODS]; /* by number less 1 */
	unsigned int period_count;
	struct maui_node_gres node_gres;
	const struct maui_record *records; /* NULL: none were requested */
	size_t record_count, records_lost;
};

/* One reference. */
struct maui_config *maui_config_new(void);

/*
 * The object of this name, created if it is new; name need not end with NUL. 0, or -E2BIG if there
 * are too many.
 */
int maui_config_add_object(struct maui_config *config, enum maui_section section, const char *name,
			   size_t size, struct maui_origin origin, struct maui_object **ret_object);

/*
 * Give an object a value. It replaces an earlier one of the same key and dimension; for a
 * cumulative key the lists are joined. The texts and lists must be in the arena. 0, or -E2BIG if
 * there are too many values. *ret_entry: where it is now.
 */
int maui_config_set(struct maui_config *config, struct maui_object *object,
		    const struct maui_value *value, struct maui_entry **ret_entry);

/* The object, or NULL if there is none. Before freezing as well as after. */
struct maui_object *maui_config_find(const struct maui_config *config, enum maui_section section,
				     const char *name, size_t size);
/* The entry of a key without a dimension; NULL if there is none. Before freezing. */
struct maui_entry *maui_object_entry(const struct maui_config *config,
				     const struct maui_object *object, enum maui_key key);

/* The number of a GRES, of which maui_gres_is_name() is true. 0, or -E2BIG if there are too many. */
int maui_config_add_gres(struct maui_config *config, const char *name, size_t size,
			 unsigned int *ret_number);

/* The number of a period; errors as above. */
int maui_config_add_period(struct maui_config *config, const char *name, size_t size,
			   unsigned int *ret_number);

/* Sort every object's values, and collect the indices. */
void maui_config_freeze(struct maui_config *config);

#endif
