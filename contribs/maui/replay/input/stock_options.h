/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slurm's own policy, as slurm.conf and files of sacctmgr have it. */
#ifndef MAUI_COMMAND_REPLAY_STOCK_OPTIONS_H
#define MAUI_COMMAND_REPLAY_STOCK_OPTIONS_H

#include "common/replay/stock/stock.h"
#include "contribs/maui/replay/input/machine_options.h"

struct replay_stock {
	const char *associations, *qos; /* files; NULL: not given */
	struct maui_import_accounting accounting;
	struct maui_stock policy;
	bool read; /* both are there */
};

/* Reads the files, once --slurm-conf is read. EXIT_OK, or says what is wrong. */
int stock_read(struct replay_stock *stock, struct replay_machine *machine);
void stock_clear_options(struct replay_stock *stock);

/* For `maui replay`: NULL if it is not read. */
static inline const struct maui_stock *stock_policy(const struct replay_stock *stock)
{
	return stock->read ? &stock->policy : NULL;
}

#endif
