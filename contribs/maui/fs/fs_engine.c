/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Asks the running engine for diagnose-fairshare, and compares the directory in
 * its answer with the one of the import.
 */
#include "contribs/maui/fs/fs_engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <munge.h>

#include "common/report/json.h"
#include "contribs/maui/lib/output.h"
#include "contribs/maui/service/transport.h"

/* munge's own default, if AuthInfo names no socket. */
static void default_socket(char *path, size_t size)
{
	munge_ctx_t context = munge_ctx_create();
	const char *socket = NULL;

	*path = '\0';
	if (!context)
		return;
	if (munge_ctx_get(context, MUNGE_OPT_SOCKET, &socket) == EMUNGE_SUCCESS && socket)
		snprintf(path, size, "%s", socket);
	munge_ctx_destroy(context);
}

int fs_engine_find(const struct cli *cli, const struct fs_site *site, struct engine *ret_engine)
{
	char socket[PATH_MAX], uid[16];
	struct cli known = *cli;

	if (!known.config_file)
		known.config_file = maui_config_path(site->config);
	if (!site->knows_slurm)
		return engine_find(&known, ret_engine);
	if (!known.port && site->slurm.port && !getenv("MAUI_SERVER"))
		known.port = site->slurm.port;
	if (!known.host && !getenv("MAUI_SERVER"))
		known.host = *site->slurm.address ? site->slurm.address : ENGINE_ADDRESS;
	snprintf(uid, sizeof(uid), "%u", site->slurm.slurm_uid);
	if (!known.slurm_user)
		known.slurm_user = uid;
	default_socket(socket, sizeof(socket));
	if (!known.munge_socket && *site->slurm.munge_socket)
		known.munge_socket = site->slurm.munge_socket;
	else if (!known.munge_socket && *socket)
		known.munge_socket = socket;
	return engine_find(&known, ret_engine);
}

static bool is_same(const char *a, const char *b)
{
	struct stat x, y;

	if (!strcmp(a, b))
		return true;
	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Whether the answering engine may write to directory. */
static bool fs_engine_owns(struct json_object *data, const struct fs_site *site,
			   const char *directory)
{
	const char *own = member_text(data, "directory");

	if (*own) /* its answer counts, not the maui.cfg that this program has read */
		return is_same(own, directory) || is_same(member_text(data, "missing"), directory);
	return !site->stat_directory || is_same(site->stat_directory, directory);
}

int fs_engine_permits(const struct engine *engine, const struct fs_site *site,
		      const char *directory)
{
	struct json_object *arguments, *answer = NULL;
	bool busy;

	if (!transport_listens(engine))
		return EXIT_OK;
	arguments = json_make_object();
	json_set_text(arguments, "type", "class"); /* the shortest answer */
	if (engine_ask(engine, "diagnose-fairshare", arguments, &answer))
		return fail(EXIT_ERRORS,
			    "whether the engine runs is not certain: stop slurmctld first, for it "
			    "would overwrite what is imported");
	busy = !directory || fs_engine_owns(member_object(answer, "data"), site, directory);
	json_object_put(answer);
	if (!busy)
		return EXIT_OK;
	return fail(EXIT_ERRORS,
		    "the engine runs (%s) and would overwrite what is imported: stop slurmctld "
		    "first, or name another directory with --to",
		    engine->place);
}
