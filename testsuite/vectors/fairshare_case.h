/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The core's side of a fairshare case: a policy, windows, and names. */
#ifndef MAUI_VECTORS_FAIRSHARE_CASE_H
#define MAUI_VECTORS_FAIRSHARE_CASE_H

#include "common/policy/fairshare/fairshare.h"
#include "common/util/intern.h"
#include "testsuite/vectors/check.h"

struct fairshare_case {
	struct maui_config *config;
	struct maui_priority_policy *policy;
	struct maui_fairshare_settings settings;
	struct maui_intern *names[MAUI_CREDENTIALS];
	struct maui_fairshare *fs;
};

/* From the lines of "cfg" (NULL: the caller's settings). False: the reason has been reported. */
bool fairshare_case_open(struct check *check, struct json_object *cfg, int64_t now,
			 const struct maui_fairshare_settings *settings,
			 struct fairshare_case *ret_case);
void fairshare_case_close(struct fairshare_case *input);

/* The id of a name, with room for it. For the total 0. */
uint32_t fairshare_case_id(struct fairshare_case *input, unsigned int type, const char *name);

/*
 * Load the case's "files", each into the window in its name; filtered: as the original understands
 * them.
 */
void fairshare_case_load(struct check *check, struct fairshare_case *input,
			 struct json_object *files, bool filtered);

/* The target on the credential's own lines; 0 and MAUI_FS_NONE if there is none. */
struct maui_fstarget fairshare_case_own_target(const struct fairshare_case *input,
					       unsigned int type, const char *name);

/* The text of diagnose -f, malloc'ed. */
char *fairshare_case_show(struct fairshare_case *input);

#endif
