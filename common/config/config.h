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
#include "common/util/credential.h"
#include "common/util/duration.h" /* MAUI_INFINITY */
#include "common/util/error.h"
#include "common/config/node_formula.h"
#include "common/util/gres.h"

/*
 * Where a word stands: always a file, a line and a column, the last two from 1 on. The reader
 * creates origins; those of values, objects, records and problems are copies. A built-in default
 * has maui_built_in as its file.
 */
struct maui_origin {
	const char *file;
	unsigned int line;
	unsigned int column; /* in bytes */
};

extern const char maui_built_in[]; /* in place of a file name */

enum maui_severity { MAUI_WARNING, MAUI_ERROR };

struct maui_problem {
	enum maui_severity severity;
	struct maui_origin origin;
	const char *text;
	bool no_effect; /* of a value, or a word of one, that is valid but does nothing here */
	bool unknown;   /* an unknown name, or words that no attribute has: no effect */
	bool rest; /* stands for the problems not listed, at the place of the last listed one */
	bool two_readings; /* a time that the original reads differently: D-CFG-5 */
	bool of_include;   /* of an #INCLUDE: one may begin where what is before it lacks its end */
};

/*
 * One value. Which member of the union is valid depends on key->kind (or attr->kind), see keys.h:
 *   INTEGER, MEMORY (MB)                     integer
 *   DURATION (seconds)                       integer; MAUI_INFINITY for INFINITY
 *   REAL                                     real
 *   BOOLEAN                                  boolean
 *   KEYWORD, FSPOLICY                        integer (the keyword's index in key->keywords), flag
 *                                            for FSPOLICY's '%'
 *   STRING, FORMULA, ...                     text alone
 *   LIST, FLAGS, HOSTLIST, DAYS, ...         list, list_size; FLAGS and DAYS: integer is the bit
 *                                            mask, too (flags by their keyword's index;
 *                                            Sunday is bit 0, every day is 255)
 *   ACL, TIME_ACL, COUNT_ACL                 list, with all marks; "<=" in front where it stood in
 *                                            place of '='
 *   RESOURCES                                list of "PROCS:2", "MEM:512" (MB), ...; -1 is all
 *   LIMIT, TIME_LIMIT (seconds),
 *   MEMORY_LIMIT (MB)                        limit: soft <= hard; 0 not set, -1 unlimited
 *   FSTARGET                                 real, and mark: one of '\0' + - % ^
 *   OWNER                                    dimension and dimension_name: USER:tom
 *   DATE                                     integer: epoch seconds of the first second after it
 * If several lines set a cumulative key, origin and text are the last line's and the list has the
 * items of all.
 */
struct maui_value {
	const struct maui_key_info *key;
	struct maui_origin origin;
	const char *text; /* the value as it stood in the file, quotes removed */
	uint32_t order;   /* numbers the values as they were read: a later line's is greater */
	union {
		int64_t integer;
		double real;
		bool boolean;
		struct {
			int64_t soft, hard;
		} limit;
	};
	char mark;
	bool flag;
	const char *const *list;
	size_t list_size;
	/* The second dimension of a multi-dimensional limit, MAXJOB[USER:bob]: */
	bool has_dimension;
	enum maui_credential dimension;
	const char *dimension_name; /* NULL: the general entry, MAXJOB[USER] */
	/* The number of the GRES of a limit, from 1 on; 0: it is of none. */
	unsigned int gres;
	const char *gres_name;
	/* The number of the period of a limit, MAXJOB[PERIOD:night], from 1 on; 0: of none. */
	unsigned int period;
	const char *period_name;
};

#define MAUI_PERIODS          32u /* that a maui.cfg may name */
#define MAUI_PERIOD_NAME_SIZE 32  /* bytes with the NUL */

/*
 * A period in which limits have values of their own: PERIODCFG[night]. It recurs each day of `days`
 * or each week, which begins on Sunday. Times are seconds as clocks show them, from the beginning of
 * the day or week on: 0 <= start < end, and end - start is at most a day or a week.
 */
struct maui_period {
	const char *name;
	bool defined; /* PERIODCFG has it, without errors */
	bool weekly;
	uint8_t days; /* of daily ones, a mask: bit 0 is Sunday */
	int64_t start, end;
};

struct maui_config;
struct maui_object; /* one USERCFG[x], GROUPCFG[x], ..., NODECFG[x], SRCFG[x], SYSCFG */

/*
 * Where texts come from. read() stores the whole of a file (malloc'ed, *ret_text[*ret_size] ==
 * '\0') or returns a negative errno with the reason; path is as written, including is the file that
 * includes it or NULL.
 * trusted: whether the file may name commands to run, which the reader decides by owners and modes
 * (D-CFG-15); if not, the error says why.
 */
struct maui_reader {
	int (*read)(void *context, const char *path, const char *including, char **ret_text,
		    size_t *ret_size, bool *ret_trusted, struct maui_error *error);
	void *context;
	bool record;           /* keep every line's contents, and all problems: record.h */
	bool unknown_is_error; /* else an unknown name is a warning */
};

/*
 * The reader for real files: regular files up to 16 MB; relative includes are taken relative to the
 * including file. slurm_uid: the uid besides root that may own a trusted file and what leads to it.
 */
struct maui_reader maui_file_reader(const unsigned int *slurm_uid);

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

/* Whether a line sets the value: it is not a built-in default. */
bool maui_value_given(const struct maui_value *value);

/*
 * The indices (names of partitions) that any line uses with a plain parameter, without duplicates.
 */
size_t maui_config_indices(const struct maui_config *config, const char *const **ret_names);

/* The GRES that any line names, by number less 1. Returns how many. */
size_t maui_config_gres(const struct maui_config *config, const char *const **ret_names);

/* The periods that any line names, by number less 1. Returns how many. */
size_t maui_config_periods(const struct maui_config *config,
			   const struct maui_period **ret_periods);

#define MAUI_RESOURCES_GRES 4u /* that one RESOURCES may name */

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
