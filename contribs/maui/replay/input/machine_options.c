/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the nodes of --processors, --nodes, --sinfo or --slurm-conf, of which
 * one is allowed, and later the --outages.
 */
#include "contribs/maui/replay/input/machine_options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "common/replay/nodes/partitions.h"
#include "common/replay/nodes/sinfo.h"
#include "contribs/maui/lib/text.h"
#include "contribs/maui/replay/input/replay_file.h"

int machine_take_processors(const struct cli *cli, struct replay_machine *machine, const char *text)
{
	machine->procs = parse_count(text, MAUI_REPLAY_MAX_PROCS);
	if (machine->nodes)
		return fail_usage(cli, "--processors, and nodes that have them: one of the two");
	if (machine->procs)
		return EXIT_OK;
	return fail_usage(cli, "--processors=%s: processors are a number from 1 to %u", text,
			  MAUI_REPLAY_MAX_PROCS);
}

/* The nodes, which are still empty. EXIT_OK, or says why not. */
static int open_nodes(const struct cli *cli, struct replay_machine *machine)
{
	if (machine->nodes || machine->procs)
		return fail_usage(cli, "one machine: --processors, --nodes, --sinfo or "
				       "--slurm-conf, once");
	machine->nodes = maui_replay_nodes_new();
	return EXIT_OK;
}

int machine_close_nodes(struct replay_machine *machine, const char *what)
{
	if (machine->nodes->cpus > MAUI_REPLAY_MAX_PROCS)
		return fail(EXIT_ERRORS, "%s: more than %u processors", what,
			    MAUI_REPLAY_MAX_PROCS);
	machine->procs = (uint32_t)machine->nodes->cpus;
	return EXIT_OK;
}

int machine_take_nodes(const struct cli *cli, struct replay_machine *machine, const char *text)
{
	struct maui_error error;
	int code = open_nodes(cli, machine);

	if (code != EXIT_OK)
		return code;
	if (maui_replay_nodes_read(machine->nodes, text, &error))
		return fail_usage(cli, "--nodes: %s", error.text);
	return machine_close_nodes(machine, "--nodes");
}

int machine_take_sinfo(const struct cli *cli, struct replay_machine *machine, const char *path)
{
	int code = open_nodes(cli, machine);
	struct replay_file file;
	struct maui_replay_complaints complaints = {replay_file_bad_line, &file};
	size_t bad_lines = 0;

	if (code != EXIT_OK)
		return code;
	code = replay_file_read(path, machine->inputs, &file);
	/* A machine that lacks a node is another one, D-RPL-13. */
	if (code == EXIT_OK)
		code = maui_replay_sinfo_read(machine->nodes, file.bytes, file.size, &complaints,
					      &bad_lines) ||
				       bad_lines
			       ? EXIT_ERRORS
			       : machine_close_nodes(machine, path);
	free(file.bytes);
	return code;
}

/* ---- slurm.conf ---- */

static int read_conf_file(void *context, const char *path, char **ret_text, size_t *ret_size)
{
	struct replay_machine *machine = context;
	struct replay_file file;
	int code = replay_file_read(path, machine->inputs, &file);

	*ret_text = file.bytes;
	*ret_size = file.size;
	return code == EXIT_OK ? 0 : -EINVAL;
}

void machine_complain(void *context, const struct maui_conf_place *place, const char *text)
{
	(void)context;
	complain("%s:%u:%u: %s", place->file, place->line, place->column, text);
}

static void keep_policy(void *context, const struct maui_conf_word *words, size_t count)
{
	struct replay_machine *machine = context;

	maui_import_conf_line(&machine->policy, words, count);
}

static void note_replaced(void *context, const struct maui_conf_place *place, const char *text)
{
	(void)context;
	note("%s:%u:%u: %s", place->file, place->line, place->column, text);
}

static void note_ignored(const char *path, const struct maui_slurm_conf *conf)
{
	char *list = text_copy("");

	for (size_t i = 0; i < conf->ignored_count; i++) {
		const struct maui_slurm_conf_ignored *ignored = &conf->ignored[i];
		char *more = text_printf(ignored->count > 1 ? "%s%s%s (%zu times)" : "%s%s%s", list,
					 *list ? ", " : "", ignored->name, ignored->count);

		free(list);
		list = more;
	}
	if (*list)
		note("%s: no effect on a replay have %s", path, list);
	free(list);
}

int machine_take_slurm_conf(const struct cli *cli, struct replay_machine *machine, const char *path)
{
	const struct maui_slurm_conf_files files = {.read = read_conf_file,
						    .complain = machine_complain,
						    .warn = note_replaced,
						    .line = keep_policy,
						    .context = machine};
	int code = open_nodes(cli, machine);
	struct replay_file file;

	if (code != EXIT_OK)
		return code;
	maui_import_conf_begin(&machine->policy);
	code = replay_file_read(path, machine->inputs, &file);
	if (code == EXIT_OK)
		code = maui_slurm_conf_read(path, file.bytes ? file.bytes : "", file.size, &files,
					    machine->nodes, &machine->conf)
			       ? EXIT_ERRORS
			       : machine_close_nodes(machine, path);
	free(file.bytes);
	if (code == EXIT_OK)
		note_ignored(path, &machine->conf);
	return code;
}

/* ---- outages ---- */

/* Events that would be outages for all their time if their nodes could not be used. */
static void note_usable(const struct replay_machine *machine)
{
	const struct maui_replay_outages *outages = &machine->outages;

	if (outages->usable)
		note("%s: %zu events are of nodes that could be used, as in power saving: "
		     "no outages",
		     machine->outages_path, outages->usable);
	if (outages->shortened)
		note("%s: %zu events are of nodes that power up or down: outages of at most "
		     "ResumeTimeout, %" PRId64 " s, and SuspendTimeout, %" PRId64 " s",
		     machine->outages_path, outages->shortened, outages->timeouts.resume,
		     outages->timeouts.suspend);
}

static int read_outages(struct replay_machine *machine)
{
	struct replay_file file;
	struct maui_replay_complaints complaints = {replay_file_bad_line, &file};
	size_t before = machine->outages.count;
	int code = replay_file_read(machine->outages_path, machine->inputs, &file);

	machine->outages.timeouts = machine->conf.timeouts;
	if (code == EXIT_OK && maui_replay_outages_read(&machine->outages, machine->nodes,
							file.bytes, file.size, &complaints))
		code = EXIT_ERRORS;
	free(file.bytes);
	note_usable(machine);
	if (code == EXIT_OK && machine->outages.count == before && !machine->outages.usable)
		note("%s has no outage of these nodes", machine->outages_path);
	return code;
}

/* slurm.conf does not say until when. */
static void take_away(struct replay_machine *machine, const struct maui_replay_trace *trace)
{
	for (size_t i = 0; i < machine->conf.away_count; i++)
		maui_replay_outages_add(&machine->outages, maui_replay_trace_begin(trace),
					MAUI_REPLAY_FOREVER, machine->conf.away[i]);
}

int machine_match(struct replay_machine *machine, struct maui_replay_trace *trace)
{
	int code = EXIT_OK;

	if (!machine->nodes && machine->outages_path)
		return fail(EXIT_ERRORS,
			    "--outages are of nodes: --nodes, --sinfo or --slurm-conf");
	if (!machine->nodes)
		return EXIT_OK;
	if (machine->outages_path)
		code = read_outages(machine);
	if (code != EXIT_OK)
		return code;
	take_away(machine, trace);
	maui_replay_apply_partitions(trace, machine->nodes);
	machine->requests = maui_replay_requests_new(trace, machine->nodes);
	return EXIT_OK;
}

void machine_clear_options(struct replay_machine *machine)
{
	maui_replay_outages_clear(&machine->outages);
	maui_replay_requests_free(machine->requests);
	maui_replay_nodes_free(machine->nodes);
	maui_slurm_conf_clear(&machine->conf);
	maui_import_conf_clear(&machine->policy);
}
