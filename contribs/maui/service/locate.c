/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the engine is: options, then the environment, then slurm.conf, for the port also maui.cfg,
 * then the defaults.
 */
#include "contribs/maui/service/engine_request.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/config/config.h"
#include "contribs/maui/lib/name_service.h"
#include "contribs/maui/slurm/slurm_site.h"

/* Slurm's own timeouts are long: if it is needed only for details, it gets less. */
#define DETAILS_TIMEOUT 3

static int set_slurm_user(const struct cli *cli, struct engine *engine)
{
	char *end;
	unsigned long uid;
	uint32_t number;

	if (!cli->slurm_user)
		return EXIT_OK;
	engine->knows_slurm_uid = true;
	switch (name_service_user(cli->slurm_user, &number)) {
	case NAME_IS_THERE:
		engine->slurm_uid = number;
		return EXIT_OK;
	case NAME_NOT_ANSWERED:
		return fail_usage(cli,
				  "--slurm-user=%s: the name service does not answer; give the "
				  "user's number",
				  cli->slurm_user);
	case NAME_IS_NOT_THERE:
		break;
	}
	errno = 0;
	uid = strtoul(cli->slurm_user, &end, 10);
	if (errno || *end || end == cli->slurm_user || uid > UINT32_MAX)
		return fail_usage(cli, "--slurm-user=%s: there is no such user", cli->slurm_user);
	engine->slurm_uid = (unsigned int)uid;
	return EXIT_OK;
}

static void set_host(struct engine *engine, const char *text, size_t size)
{
	if (!*engine->host && size < sizeof(engine->host))
		snprintf(engine->host, sizeof(engine->host), "%.*s", (int)size, text);
}

static void set_port(struct engine *engine, unsigned int port)
{
	if (!*engine->port && port)
		snprintf(engine->port, sizeof(engine->port), "%u", port & 0xffff);
}

/* ":42559" or nothing after the host. False if it is neither. */
static bool read_port(const char *text, unsigned int *ret_port)
{
	unsigned long port;
	char *rest;

	*ret_port = 0;
	if (!*text)
		return true;
	if (*text != ':' || text[1] < '0' || text[1] > '9')
		return false;
	port = strtoul(text + 1, &rest, 10);
	*ret_port = (unsigned int)port;
	return !*rest && port >= 1 && port <= 65535;
}

/* host:port, host, [address]:port, or the path of a socket */
static int set_from_environment(struct engine *engine)
{
	const char *text = getenv("MAUI_SERVER");
	const char *host = text, *end;
	unsigned int port;

	if (!text || !*text)
		return EXIT_OK;
	if (*text == '/' && strlen(text) < sizeof(engine->host)) {
		set_host(engine, text, strlen(text));
		return EXIT_OK;
	}
	if (*text == '[') {
		host++;
		end = strchr(host, ']');
	} else {
		end = host + strcspn(host, ":");
	}
	if (!end || end == host || (size_t)(end - host) >= sizeof(engine->host) ||
	    !read_port(end + (*end == ']'), &port))
		return fail(
			EXIT_ERRORS,
			"MAUI_SERVER=%s in the environment is neither HOST:PORT nor the path of "
			"a socket",
			text);
	set_host(engine, host, (size_t)(end - host));
	set_port(engine, port);
	return EXIT_OK;
}

/*
 * SERVERPORT. A file that was not named explicitly may be unreadable: then the default applies.
 * SERVERHOST of an old file names the host of another scheduler.
 */
static int set_from_file(struct engine *engine, const char *path, bool required)
{
	const struct maui_reader reader = maui_file_reader(NULL);
	const struct maui_value *port;
	struct maui_config *config;
	struct maui_error error;

	if (maui_config_load(path, &reader, &config, &error) < 0)
		return required ? fail(EXIT_ERRORS, "%s", error.text) : EXIT_OK;
	port = maui_config_get(config, MAUI_KEY_SERVERPORT, NULL);
	if (port)
		set_port(engine, (unsigned int)port->integer);
	maui_config_unref(config);
	return EXIT_OK;
}

static void set_defaults(struct engine *engine)
{
	const char *port = maui_key_info(MAUI_KEY_SERVERPORT)->default_text;

	set_host(engine, ENGINE_ADDRESS, strlen(ENGINE_ADDRESS));
	set_port(engine, (unsigned int)strtoul(port, NULL, 10));
	if (*engine->host == '/')
		snprintf(engine->place, sizeof(engine->place), "%s", engine->host);
	else
		snprintf(engine->place, sizeof(engine->place), "%s:%s", engine->host, engine->port);
}

static bool is_placed(const struct engine *engine)
{
	return *engine->host == '/' || (*engine->host && *engine->port);
}

/* What slurm.conf says. Without Slurm the port must come from elsewhere. */
static int set_from_slurm(const struct cli *cli, struct engine *engine)
{
	bool placed = is_placed(engine) || cli->config_file;
	int timeout =
		placed && engine->timeout > DETAILS_TIMEOUT ? DETAILS_TIMEOUT : engine->timeout;
	struct slurm_site site;
	struct maui_error error;

	if (is_placed(engine) && *engine->munge_socket && engine->knows_slurm_uid)
		return EXIT_OK;
	if (slurm_site_load(timeout, &site, &error) < 0) {
		if (placed)
			return EXIT_OK;
		return fail(
			EXIT_UNREACHABLE,
			"cannot find the engine: %s (--host and --port, or MAUI_SERVER, name it)",
			error.text);
	}
	if (!*engine->munge_socket)
		snprintf(engine->munge_socket, sizeof(engine->munge_socket), "%s",
			 site.munge_socket);
	if (!engine->knows_slurm_uid)
		engine->slurm_uid = site.slurm_uid;
	engine->knows_slurm_uid = true;
	if (!*engine->port)
		set_host(engine, site.socket, strlen(site.socket));
	set_host(engine, site.address, strlen(site.address));
	if (cli->config_file || *engine->host == '/')
		return EXIT_OK;
	set_port(engine, site.port);
	return *engine->port ? EXIT_OK : set_from_file(engine, site.maui_cfg, false);
}

int engine_find(const struct cli *cli, struct engine *ret_engine)
{
	struct engine engine = {.timeout = cli->timeout, .notes = !cli->json};
	int code;

	if (cli->host) {
		if (!*cli->host || strlen(cli->host) >= sizeof(engine.host))
			return fail_usage(cli, "--host=%s: this is not a host", cli->host);
		set_host(&engine, cli->host, strlen(cli->host));
	}
	set_port(&engine, cli->port);
	if (cli->munge_socket)
		snprintf(engine.munge_socket, sizeof(engine.munge_socket), "%s", cli->munge_socket);
	code = set_slurm_user(cli, &engine);
	if (!code)
		code = set_from_environment(&engine);
	if (!code && cli->config_file)
		code = set_from_file(&engine, cli->config_file, true);
	if (!code)
		code = set_from_slurm(cli, &engine);
	if (code)
		return code;
	set_defaults(&engine);
	*ret_engine = engine;
	return EXIT_OK;
}
