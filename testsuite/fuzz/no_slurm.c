/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the commands ask of Slurm, on a machine without it; and an engine that is just a function.
 * Replaces contribs/maui/slurm, and engine_request.c, locate.c and transport.c of contribs/maui/service.
 */
#include <errno.h>
#include <string.h>

#include "contribs/maui/lib/output.h"
#include "contribs/maui/service/engine_request.h"
#include "contribs/maui/service/policy_trouble.h"
#include "contribs/maui/service/transport.h"
#include "contribs/maui/slurm/slurm_change.h"
#include "contribs/maui/slurm/slurm_facts.h"
#include "contribs/maui/slurm/slurm_hosts.h"
#include "contribs/maui/slurm/slurm_install.h"
#include "contribs/maui/slurm/slurm_limit.h"
#include "contribs/maui/slurm/slurm_machine.h"
#include "contribs/maui/slurm/slurm_policy.h"
#include "contribs/maui/slurm/slurm_queue.h"
#include "contribs/maui/slurm/slurm_run.h"
#include "contribs/maui/slurm/slurm_site.h"
#include "contribs/maui/slurm/slurm_start.h"
#include "testsuite/fuzz/in_process.h"

static int no_slurm(struct maui_error *error)
{
	return maui_error_set(error, ECONNREFUSED, "there is no Slurm");
}

/* ---- Slurm ---- */

int slurm_site_load(int timeout, struct slurm_site *ret_site, struct maui_error *error)
{
	(void)timeout;
	(void)ret_site;
	return no_slurm(error);
}

int slurm_site_read(int timeout, struct slurm_site *ret_site, struct maui_error *error)
{
	return slurm_site_load(timeout, ret_site, error);
}

int slurm_facts_load(int timeout, struct slurm_facts *ret_facts, struct maui_error *error)
{
	(void)timeout;
	(void)ret_facts;
	return no_slurm(error);
}

void slurm_facts_clear(struct slurm_facts *facts)
{
	(void)facts;
}

int slurm_policy_conf(int timeout, char **ret_text, size_t *ret_size, struct maui_error *error)
{
	(void)timeout;
	(void)ret_text;
	(void)ret_size;
	return no_slurm(error);
}

int slurm_policy_reservations(int timeout, char **ret_text, size_t *ret_size,
			      struct maui_error *error)
{
	return slurm_policy_conf(timeout, ret_text, ret_size, error);
}

int slurm_policy_qos(const char *columns, int timeout, char **ret_text, size_t *ret_size,
		     struct maui_error *error)
{
	(void)columns;
	return slurm_policy_conf(timeout, ret_text, ret_size, error);
}

int slurm_policy_associations(const char *cluster, int timeout, char **ret_text, size_t *ret_size,
			      struct maui_error *error)
{
	(void)cluster;
	return slurm_policy_conf(timeout, ret_text, ret_size, error);
}

int slurm_policy_points(const char *format, int timeout, char **ret_text, size_t *ret_size,
			struct maui_error *error)
{
	(void)format;
	return slurm_policy_conf(timeout, ret_text, ret_size, error);
}

int slurm_accounts_load(int timeout, struct slurm_accounts *ret_accounts, struct maui_error *error)
{
	(void)timeout;
	(void)ret_accounts;
	return no_slurm(error);
}

void slurm_accounts_clear(struct slurm_accounts *accounts)
{
	(void)accounts;
}

int slurm_machine_load(int timeout, struct slurm_machine *ret_machine, struct maui_error *error)
{
	(void)timeout;
	(void)ret_machine;
	return no_slurm(error);
}

void slurm_machine_clear(struct slurm_machine *machine)
{
	(void)machine;
}

char *slurm_hosts_text(const struct maui_node_names *nodes, const bool *listed)
{
	(void)nodes;
	(void)listed;
	return NULL;
}

int slurm_install_read(int timeout, struct slurm_install *ret_install, struct maui_error *error)
{
	(void)timeout;
	(void)ret_install;
	return no_slurm(error);
}

int slurm_install_read_file(const char *path, int timeout, struct slurm_install *ret_install,
			    struct maui_error *error)
{
	(void)path;
	return slurm_install_read(timeout, ret_install, error);
}

int slurm_install_load(int timeout, struct slurm_install *ret_install, struct maui_error *error)
{
	return slurm_install_read(timeout, ret_install, error);
}

bool slurm_list_has(const char *list, const char *name)
{
	(void)list;
	(void)name;
	return false;
}

int slurm_queue_load(unsigned int what, const char *whose, int timeout,
		     struct json_object **ret_queue, struct maui_error *error)
{
	(void)what;
	(void)whose;
	(void)timeout;
	(void)ret_queue;
	return no_slurm(error);
}

int slurm_start_ask(const struct slurm_start_request *request, int timeout,
		    struct slurm_start *ret_start, struct maui_error *error)
{
	(void)request;
	(void)timeout;
	(void)ret_start;
	return no_slurm(error);
}

int slurm_limit_ask(const struct slurm_limit_request *request, int timeout,
		    struct slurm_limit **ret_limits, size_t *ret_count, struct maui_error *error)
{
	(void)request;
	(void)timeout;
	(void)ret_limits;
	(void)ret_count;
	return no_slurm(error);
}

int slurm_set_site_factor(char *const *jobs, size_t count, int64_t factor, int timeout,
			  struct slurm_change *ret_changes, struct maui_error *error)
{
	(void)jobs;
	(void)count;
	(void)factor;
	(void)timeout;
	(void)ret_changes;
	return no_slurm(error);
}

int slurm_read_configuration(int timeout, struct slurm_change *ret_change, struct maui_error *error)
{
	(void)timeout;
	(void)ret_change;
	return no_slurm(error);
}

int slurm_run(char *const *argv)
{
	return fail(EXIT_UNREACHABLE, "cannot run %s: there is no Slurm", argv[0]);
}

/* ---- the engine ---- */

static fake_engine engine_here;

void engine_is(fake_engine engine)
{
	engine_here = engine;
}

int engine_find(const struct cli *cli, struct engine *ret_engine)
{
	if (!engine_here)
		return fail(EXIT_UNREACHABLE, "cannot find the engine: there is no Slurm");
	*ret_engine = (struct engine){.host = ENGINE_ADDRESS,
				      .port = "1",
				      .place = ENGINE_ADDRESS ":1",
				      .timeout = cli->timeout,
				      .notes = !cli->json};
	return EXIT_OK;
}

bool transport_listens(const struct engine *engine)
{
	(void)engine;
	return engine_here != NULL;
}

int engine_ask(const struct engine *engine, const char *command, struct json_object *arguments,
	       struct json_object **ret_answer)
{
	struct json_object *answer, *data = NULL;
	int code = engine_here(command, arguments, &data);

	json_object_put(arguments);
	if (code)
		return fail(code, "the engine says no");
	answer = json_object_new_object();
	json_object_object_add(answer, "schema", json_object_new_string("maui.answer/1"));
	json_object_object_add(answer, "status", json_object_new_string("ok"));
	json_object_object_add(answer, "data", data);
	if (engine->notes)
		policy_trouble_note(data);
	*ret_answer = answer;
	return EXIT_OK;
}

int engine_query(const struct cli *cli, const char *command, struct json_object *arguments,
		 struct json_object **ret_answer)
{
	struct engine engine;
	int code = engine_find(cli, &engine);

	if (code == EXIT_OK)
		return engine_ask(&engine, command, arguments, ret_answer);
	json_object_put(arguments);
	return code;
}

int engine_change(const struct cli *cli, const char *command, struct json_object *arguments,
		  struct json_object **ret_answer)
{
	return engine_query(cli, command, arguments, ret_answer);
}
