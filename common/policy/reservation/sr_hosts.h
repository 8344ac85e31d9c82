/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * HOSTLIST and EXCLUDEHOSTLIST of a standing reservation: chapter 7.1.5.2.2,
 * D-RSV-16. An item is the exact name of a node; if there is no such node, a
 * Slurm range expression, node0[1-9]; and if it is not one, a case-insensitive
 * POSIX extended regular expression, which may match anywhere in a name. ALL is
 * every node.
 *
 * A range is what expands to names of letters, digits, '-', '_' and '.' only:
 * it is never tried as an expression, so that a range of nodes that are gone
 * does not match others.
 *
 * What would take the C library too much time or memory is refused: see the
 * limits.
 */
#ifndef MAUI_POLICY_SR_HOSTS_H
#define MAUI_POLICY_SR_HOSTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/error.h"

#define MAUI_SR_HOSTS_ITEMS  4096u  /* of one list */
#define MAUI_SR_HOSTS_TOTAL  65536u /* names of all the ranges of one list */
#define MAUI_SR_REGEX_LENGTH 256u   /* bytes of an expression */
#define MAUI_SR_REGEX_REPEAT 1024u  /* all its {n,m} multiplied; '+' is 2 */
#define MAUI_SR_REGEX_COUNT  256u   /* expressions of one list */

/* The names of all nodes, for look-ups. */
struct maui_node_names;

/* Copies the names; the functions here refer to them by their index. */
struct maui_node_names *maui_node_names_new(const char *const *names, uint32_t count);
struct maui_node_names *maui_node_names_free(struct maui_node_names *names); /* accepts NULL */
uint32_t maui_node_names_count(const struct maui_node_names *names);
/* The first node with that name; UINT32_MAX if there is none. O(1). */
uint32_t maui_node_names_find(const struct maui_node_names *names, const char *name);

/* NULL for an invalid index. */
const char *maui_node_names_name(const struct maui_node_names *names, uint32_t place);

struct maui_sr_hosts;

/* Called for an item that is refused and ignored: which one, and why. */
typedef void (*maui_sr_hosts_refused)(void *context, size_t item, const char *why);

/*
 * Copies the items. Bad ones are reported and match nothing; the others count.
 * 0; -E2BIG for too many.
 */
int maui_sr_hosts_compile(const char *const *items, size_t count, maui_sr_hosts_refused refused,
			  void *context, struct maui_sr_hosts **ret_hosts,
			  struct maui_error *error);
struct maui_sr_hosts *maui_sr_hosts_free(struct maui_sr_hosts *hosts); /* accepts NULL */

/* How an item matched. */
enum maui_sr_host_kind {
	MAUI_SR_HOST_NONE, /* it matched no node */
	MAUI_SR_HOST_ALL,
	MAUI_SR_HOST_EXACT,
	MAUI_SR_HOST_RANGE,
	MAUI_SR_HOST_REGEX,
	MAUI_SR_HOST_PART, /* an expression that matched only parts of names, and says nothing of
			      where: n1 in n10. Worth a warning */
};
struct maui_sr_host_use {
	enum maui_sr_host_kind kind;
	uint32_t nodes;   /* that it matched */
	uint32_t missing; /* names in a range that no node has */
	uint32_t example; /* a node whose name it matched in part */
};

/*
 * Mark the nodes that the list names in ret_listed[0 .. count-1]; hosts may be NULL: none. Returns
 * their number. ret_uses (may be NULL) has room for every item. Costs nodes x expressions: to be
 * done when the nodes or the configuration change.
 */
uint32_t maui_sr_hosts_match(const struct maui_sr_hosts *hosts, const struct maui_node_names *names,
			     bool *ret_listed, struct maui_sr_host_use *ret_uses);

/* Takes the marks of the nodes that the list names away. Returns how many others are marked. */
uint32_t maui_sr_hosts_exclude(const struct maui_sr_hosts *hosts,
			       const struct maui_node_names *names, bool *listed);

size_t maui_sr_hosts_count(const struct maui_sr_hosts *hosts); /* items, refused ones included */
const char *maui_sr_hosts_item(const struct maui_sr_hosts *hosts, size_t item);

#endif
