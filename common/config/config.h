/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * maui.cfg as read: every parameter and attribute that it sets, with its origin, and every problem
 * found on the way.
 *
 * A configuration is immutable once loaded, reference-counted, and may be read by any number of
 * threads. Policies (priority, fairshare, limits, ...) compile what they need from it into
 * structures of their own; no hot loop reads it.
 *
 * The grammar (D-CFG-17): PARAM VALUE, PARAM[index] VALUE, SECTION[index] ATTR=VALUE ...; see
 * maui.cfg(5). Loading goes on after an error: one run shows all problems.
 */
#ifndef MAUI_CONFIG_CONFIG_H
#define MAUI_CONFIG_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/config/keys/keys.h"
#include "common/config/node_formula.h"
#include "common/config/text/problem.h"
#include "common/config/text/reader.h"
#include "common/config/value.h"
#include "common/util/credential.h"
#include "common/util/time/duration.h" /* MAUI_INFINITY */
#include "common/util/error.h"
#include "common/util/slurm/gres.h"

struct maui_config;
struct maui_object; /* one USERCFG[x], GROUPCFG[x], ..., NODECFG[x], SRCFG[x], SYSCFG */

/*
 * Read path and everything it includes. 0: *ret_config is set, with whatever problems it has
 * (maui_config_problems). For a file that cannot be read at all -ENOENT, -EISDIR, -EACCES, -EFBIG,
 * ...: the error says which and why.
 */
int maui_config_load(const char *path, const struct maui_reader *reader,
		     struct maui_config **ret_config, struct maui_error *error);

/*
 * The same from text in memory (tests, fuzzers, vectors); reader may be NULL: then #INCLUDE is a
 * problem.
 */
int maui_config_parse(const char *name, const char *text, size_t size,
		      const struct maui_reader *reader, struct maui_config **ret_config,
		      struct maui_error *error);

struct maui_config *maui_config_ref(struct maui_config *config);
struct maui_config *maui_config_unref(struct maui_config *config); /* accepts NULL, returns NULL */

/*
 * Problems in the order of files and lines; their number is bounded, and a last one says how many
 * more there were.
 */
size_t maui_config_problems(const struct maui_config *config,
			    const struct maui_problem **ret_problems);
size_t maui_config_errors(const struct maui_config *config); /* how many of them are errors */
/*
 * How many unknown names and words have no effect, unless they are errors. Not those of Maui and
 * Moab that have a known reason to be ignored.
 */
size_t maui_config_unknown(const struct maui_config *config);
/* The path of the main file. */
const char *maui_config_path(const struct maui_config *config);
/*
 * False when TRIGGER and LOCAL must not be honoured, because someone else could have written them.
 */
bool maui_config_trusted(const struct maui_config *config);
/* Why not: the first component of a path that others decide about; NULL when it is trusted. */
const char *maui_config_distrust(const struct maui_config *config);

/*
 * The value of a plain parameter for an index (a partition's name, NULL or "0" for the global one).
 * Falls back from the index to the global value, and from there to the built-in default, so it is
 * never NULL, except for parameters without a default. For an attribute: the default of its
 * objects, if it has one.
 */
const struct maui_value *maui_config_get(const struct maui_config *config, enum maui_key key,
					 const char *index);

/*
 * The values that lines give plain parameters for the whole system, in the order of key and GRES:
 * GRESWEIGHT[gpu] is only here.
 */
size_t maui_config_parameters(const struct maui_config *config,
			      const struct maui_value *const **ret_values);

/*
 * The indices (names of partitions) that any line uses with a plain parameter, without duplicates.
 */
size_t maui_config_indices(const struct maui_config *config, const char *const **ret_names);

/* The GRES that any line names, by number less 1. Returns how many. */
size_t maui_config_gres(const struct maui_config *config, const char *const **ret_names);

/* The periods that any line names, by number less 1. Returns how many. */
size_t maui_config_periods(const struct maui_config *config,
			   const struct maui_period **ret_periods);

/* The GRES that PRIORITYF, or NODECFG's MAXGRES, names anywhere, those that are out of force and
 * invalid included. */
const struct maui_node_gres *maui_config_node_gres(const struct maui_config *config);

/*
 * The object of a section by its name, "DEFAULT" included (SYSCFG: NULL); NULL if no line mentions
 * it. O(1).
 */
const struct maui_object *maui_config_object(const struct maui_config *config,
					     enum maui_section section, const char *name);
/* All objects of a section, in the order of their first lines. */
size_t maui_config_objects(const struct maui_config *config, enum maui_section section,
			   const struct maui_object *const **ret_objects);
const char *maui_object_name(const struct maui_object *object);
/* Where the configuration first mentions it, whether or not that line had any effect. */
struct maui_origin maui_object_origin(const struct maui_object *object);

/*
 * The value of an attribute on this object's own lines, without any fallback; NULL if none. For
 * attributes with a second dimension, or of a GRES: the plain one. object may be NULL.
 */
const struct maui_value *maui_object_get(const struct maui_object *object, enum maui_key attribute);
/* All values of an object in the order of key and dimension. */
size_t maui_object_values(const struct maui_object *object,
			  const struct maui_value *const **ret_values);

/* The section whose objects describe credentials of a type: USERCFG for MAUI_USER, ... */
enum maui_section maui_credential_section(enum maui_credential type);

#endif
