/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the files of --associations and --qos, and what slurm.conf says of priorities. */
#include "contribs/maui/replay/input/stock_options.h"

#include <stdlib.h>
#include <strings.h>

#include "contribs/maui/replay/input/replay_file.h"

static const struct maui_import_complaints complaints = {machine_complain, NULL};

typedef int (*stock_reader)(struct maui_import_accounting *accounting, const char *path,
			    const char *text, size_t size,
			    const struct maui_import_complaints *complaints);

static int stock_read_file(struct replay_stock *stock, const char *path,
			   struct replay_inputs *inputs, stock_reader read)
{
	struct replay_file file;
	int code;

	if (!path)
		return EXIT_OK;
	code = replay_file_read(path, inputs, &file);
	if (code == EXIT_OK &&
	    read(&stock->accounting, path, file.bytes ? file.bytes : "", file.size, &complaints))
		code = EXIT_ERRORS;
	free(file.bytes);
	return code;
}

/* A site that has Maui already asks what Slurm's own plugin would do. */
static int stock_check_type(struct maui_import_conf *conf)
{
	struct maui_import_value *type = &conf->set[MAUI_IMPORT_PRIORITY_TYPE];

	if (type->text && !strcasecmp(type->text, "priority/maui"))
		type->text = "priority/multifactor";
	if (type->text && !strcasecmp(type->text, "priority/basic"))
		return fail(EXIT_ERRORS,
			    "%s:%u:%u: PriorityType=priority/basic: a replay knows "
			    "priority/multifactor",
			    type->place.file, type->place.line, type->place.column);
	return EXIT_OK;
}

int stock_read(struct replay_stock *stock, struct replay_machine *machine)
{
	int code = stock_check_type(&machine->policy);

	maui_import_accounting_begin(&stock->accounting);
	stock->read = true;
	if (code == EXIT_OK)
		code = stock_read_file(stock, stock->associations, machine->inputs,
				       maui_import_read_dump);
	if (code == EXIT_OK)
		code = stock_read_file(stock, stock->qos, machine->inputs, maui_import_read_qos);
	if (code == EXIT_OK && maui_stock_open(&machine->policy, machine->nodes, &stock->accounting,
					       &complaints, &stock->policy))
		code = EXIT_ERRORS;
	return code;
}

void stock_clear_options(struct replay_stock *stock)
{
	if (!stock->read)
		return;
	maui_stock_clear(&stock->policy);
	maui_import_accounting_clear(&stock->accounting);
}
