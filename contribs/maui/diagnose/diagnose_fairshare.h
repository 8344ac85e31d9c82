/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `maui diagnose -f`: its table, from the engine's data or from what is shaped like it. */
#ifndef MAUI_DIAGNOSE_FAIRSHARE_H
#define MAUI_DIAGNOSE_FAIRSHARE_H

#include <stdbool.h>

#include <json-c/json.h>

#include "contribs/maui/lib/command.h"

/* data is as service.md says, "diagnose-fairshare". verbose: also rows without usage and target,
 * and the time up to which usage is counted. Returns an exit code. */
int print_fairshare(struct json_object *data, bool verbose);

/* Whether nothing is counted, FSPOLICY being off. */
bool fairshare_is_off(struct json_object *data);

/*
 * The types that words name: user, group, account, class or qos; without words, all. user: only
 * this one; may be NULL. Returns an exit code.
 */
int diagnose_fairshare_run(const struct cli *cli, const char *user, bool verbose, char **words);

#endif
