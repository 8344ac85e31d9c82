/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Standing reservations as SRCFG lines (and the older SR... parameters) describe them: chapter
 * 7.1.5.2, with its documented defaults (D-CFG-10, D-RSV-9).
 *
 * Compiled once per maui.cfg and never changed. Problems that the reader of maui.cfg cannot see,
 * because they involve several attributes or their meaning, are found here, with line and column.
 * Names of users, hosts, features and partitions are kept as they are: the caller, which can ask
 * Slurm, checks that they exist.
 */
#ifndef MAUI_POLICY_SR_SETTINGS_H
#define MAUI_POLICY_SR_SETTINGS_H

#include <stddef.h>

#include "common/config/config.h"
#include "common/policy/reservation/sr.h"

struct maui_sr_settings;

/* Keeps a reference to config. Owners and names in access lists get their ids from names. */
struct maui_sr_settings *maui_sr_settings_compile(struct maui_config *config,
						  const struct maui_limit_names *names);

/*
 * The same for administrative reservations, written as SRCFG lines: once has one element for each,
 * in the order of their first lines. Anything they say of periods is ignored. -EINVAL if there
 * are more or fewer.
 */
int maui_sr_settings_compile_once(struct maui_config *config, const struct maui_sr_once *once,
				  size_t count, const struct maui_limit_names *names,
				  struct maui_sr_settings **ret_settings, struct maui_error *error);
struct maui_sr_settings *maui_sr_settings_free(struct maui_sr_settings *settings);

/* All of them in the order of their first lines, unusable ones included. settings may be NULL. */
size_t maui_sr_list(const struct maui_sr_settings *settings, const struct maui_sr **ret_list);
/* NULL if there is none with that name. */
const struct maui_sr *maui_sr_find(const struct maui_sr_settings *settings, const char *name);

/* What is wrong, apart from the configuration's own problems; in the order of lines. */
size_t maui_sr_problems(const struct maui_sr_settings *settings,
			const struct maui_problem **ret_problems);

/* NODEALLOCATIONPOLICY for placing reservations (D-RSV-15): its partition's, or the global one. */
enum maui_nodealloc_policy maui_sr_allocation_policy(const struct maui_config *config,
						     const struct maui_sr *sr);

#endif
