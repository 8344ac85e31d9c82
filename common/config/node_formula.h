/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PRIORITYF: the priority of a node as a linear formula of what is known of it. Chapter 5.2.2.4 of
 * the manual; D-NODE-8. A superset of what the original reads:
 *
 *   formula   = [sign...] term { sign... term }
 *   term      = factor { '*' [sign...] factor }     with at most one component
 *   factor    = number [component] | component
 *   component = a name below | CGRES '[' gres ']' | AGRES '[' gres ']'
 *
 * as in "SPEED+ .01 * AMEM - 10 * JOBCOUNT", "2 LOAD", "LOAD*-1", "- -LOAD"; CGRES and AGRES are ours,
 * D-GRES-10: "-100*CGRES[gpu] + AGRES[gpu:a100]". If a component occurs
 * several times, its coefficients are added (the original takes the last one). A term without a
 * component is a constant, which can set nodes with their own formulas apart (the original ignores
 * it). Names are in upper case, as in the original. Anything else is refused, where the original
 * ignores it or never returns.
 */
#ifndef MAUI_CONFIG_NODE_FORMULA_H
#define MAUI_CONFIG_NODE_FORMULA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/error.h"
#include "common/util/slurm/gres.h"

enum maui_node_component {
	MAUI_NODE_ADISK,       /* MB of local disk available; dynamic */
	MAUI_NODE_AMEM,        /* MB of memory available; dynamic */
	MAUI_NODE_APROCS,      /* processors for jobs that are not dedicated; dynamic */
	MAUI_NODE_ASWAP,       /* MB of swap space available; dynamic */
	MAUI_NODE_CDISK,       /* MB of local disk configured */
	MAUI_NODE_CMEM,        /* MB of memory configured */
	MAUI_NODE_CPROCS,      /* processors configured */
	MAUI_NODE_CSWAP,       /* MB of swap space configured */
	MAUI_NODE_JOBCOUNT,    /* jobs on the node; dynamic */
	MAUI_NODE_LOAD,        /* load average of one minute; dynamic */
	MAUI_NODE_PREF,        /* 1: the node has a feature that the job prefers; 0 */
	MAUI_NODE_PRIORITY,    /* NODECFG PRIORITY */
	MAUI_NODE_RESAFFINITY, /* 1 positive or required, 0, -1 negative */
	MAUI_NODE_SPEED,       /* PROCSPEED (MHz) if set, else SPEED */
	MAUI_NODE_USAGE,       /* percent of the node's time that jobs ran in; dynamic */
	MAUI_NODE_COMPONENTS,
	/* Of the GRES with number n in the formula's names: units configured, CGRES[gpu] ... */
	MAUI_NODE_CGRES = MAUI_NODE_COMPONENTS, /* + n */
	/* ... and not given to jobs, AGRES[gpu]; dynamic. */
	MAUI_NODE_AGRES = MAUI_NODE_CGRES + MAUI_GRES_NAMES, /* + n */
	MAUI_NODE_TERMS = MAUI_NODE_AGRES + MAUI_GRES_NAMES
};

/* The GRES that formulas and MAXGRES of nodes name, by number from 0. */
struct maui_node_gres {
	unsigned int count;
	char name[MAUI_GRES_NAMES][MAUI_GRES_NAME_SIZE];
};

/* The number of a name, which is added if it is new; MAUI_GRES_NAMES: there is no room for it. */
unsigned int maui_node_gres_number(struct maui_node_gres *gres, const char *name, size_t size);

/* "ADISK"; NULL for anything that is not a component, and for those of a GRES. */
const char *maui_node_component_name(enum maui_node_component component);

/* The same for all, "CGRES[gpu]" included; gres may be NULL if there is none. "" is none. */
#define MAUI_NODE_TERM_NAME_SIZE (MAUI_GRES_NAME_SIZE + 8)
const char *maui_node_term_name(const struct maui_node_gres *gres,
				enum maui_node_component component,
				char buffer[MAUI_NODE_TERM_NAME_SIZE]);

/*
 * Whether a component reflects the present state. For jobs that start later it counts as 0,
 * because its value at that time is unknown.
 */
bool maui_node_component_dynamic(enum maui_node_component component);

/* The largest absolute value of a coefficient. */
#define MAUI_NODE_COEFFICIENT_LIMIT 1e15

struct maui_node_formula {
	double constant;
	const struct maui_node_gres *gres; /* the names; NULL: none */
	bool dynamic;                      /* one of the terms is */
	bool counts_gres;                  /* one of them is a GRES's */
	uint8_t term_count;
	/* The components with a nonzero coefficient, in order: those that evaluation visits. */
	uint8_t terms[MAUI_NODE_TERMS];
	double coefficient[MAUI_NODE_TERMS];
};

/*
 * Read a formula. -EINVAL with the reason and, in *ret_column (may be NULL), the place in text,
 * from 1: unknown words, lower case, a second component in a term, anything that is not a linear
 * formula, more GRES than there is room for. -ERANGE likewise if a coefficient is out of range.
 * GRES that it names are added to *gres, which the formula refers to; what an invalid formula names
 * may be added, too. gres may be NULL: then it must name none.
 */
int maui_node_formula_parse(const char *text, struct maui_node_gres *gres,
			    struct maui_node_formula *ret_formula, size_t *ret_column,
			    struct maui_error *error);

/* PRIORITY + 100*PREF + 100*RESAFFINITY, which holds if no line gives a formula. */
void maui_node_formula_default(struct maui_node_formula *ret_formula);

/* Replace one coefficient: LOADWEIGHT and its kin. It is clamped to the range. */
void maui_node_formula_set(struct maui_node_formula *formula, enum maui_node_component component,
			   double coefficient);

/*
 * The formula as text, "SPEED + 0.01*AMEM - 10*JOBCOUNT": reading it gives the same formula again.
 * malloc'ed.
 */
char *maui_node_formula_text(const struct maui_node_formula *formula);

#endif
