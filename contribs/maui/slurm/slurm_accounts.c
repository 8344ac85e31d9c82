/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names of accounts and QOS, as slurmdbd has them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contribs/maui/slurm/slurm_child.h"
#include "contribs/maui/slurm/slurm_compat.h"
#include "contribs/maui/slurm/slurm_facts.h"

#define LIMIT (64u << 20) /* bytes of all names */

static bool tell_list(FILE *facts, struct xlist *list, bool qos)
{
	struct listIterator *at = list ? slurm_list_iterator_create(list) : NULL;
	bool done = true;
	void *item;

	if (!at)
		return slurm_child_failed();
	while (done && (item = slurm_list_next(at))) {
		const char *name = qos ? ((slurmdb_qos_rec_t *)item)->name
				       : ((slurmdb_account_rec_t *)item)->name;

		done = !name || fprintf(facts, "%c%s\n", qos ? 'q' : 'a', name) > 0;
	}
	slurm_list_iterator_destroy(at);
	return done;
}

/* In the child, which ends soon: nothing is freed. */
static bool tell_names(FILE *facts)
{
	slurmdb_account_cond_t every_account = {0};
	slurmdb_qos_cond_t every_qos = {0};
	uint16_t flags = 0;
	void *connection = slurmdb_connection_get(&flags);

	if (!connection)
		return slurm_child_failed();
	return tell_list(facts, slurmdb_accounts_get(connection, &every_account), false) &&
	       tell_list(facts, slurmdb_qos_get(connection, &every_qos), true);
}

static void slurm_accounts_understand(char *text, struct slurm_accounts *names)
{
	char *rest;

	names->accounts = maui_intern_new();
	names->qos = maui_intern_new();
	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		maui_intern_add(*line == 'q' ? names->qos : names->accounts, line + 1);
}

int slurm_accounts_load(int timeout, struct slurm_accounts *ret_accounts, struct maui_error *error)
{
	struct slurm_accounts names = {0};
	char *text = NULL;
	size_t size;
	int rc = slurm_child(tell_names, timeout, LIMIT, "accounts and QOS", &text, &size, error);

	if (rc)
		return rc;
	slurm_accounts_understand(text, &names);
	free(text);
	*ret_accounts = names;
	return 0;
}

void slurm_accounts_clear(struct slurm_accounts *accounts)
{
	maui_intern_free(accounts->accounts);
	maui_intern_free(accounts->qos);
	*accounts = (struct slurm_accounts){0};
}
