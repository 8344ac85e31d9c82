/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as the output of `qmgr -c 'print server'` or 'print node @default', after a 0xff as Torque's nodes file, and
 * after another as a maui.cfg: each complaint has a place in its text. What is made of the rest can
 * be read as a slurm.conf, and as a maui.cfg without an error.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/config/record.h"
#include "common/import/torque/torque.h"
#include "common/import/torque/torque_read.h"
#include "common/replay/slurm_conf/slurm_conf.h"
#include "testsuite/fuzz/complaints.h"

typedef int (*torque_reader)(struct maui_torque_site *site, const char *path, const char *text,
			     size_t size, const struct maui_import_complaints *complaints);

static size_t complaints;

static void complain(void *context, const struct maui_conf_place *place, const char *why)
{
	REQUIRE(!strcmp(place->file, "file"));
	bad_line(context, place->line, place->column, why);
	complaints++;
}

static void refuse(void *context, const struct maui_conf_place *place, const char *why)
{
	(void)context;
	(void)place;
	REQUIRE(!*why);
}

static void pass_over(void *context, const struct maui_conf_place *place, const char *text)
{
	(void)context;
	(void)place;
	(void)text;
}

static int read_nothing(void *context, const char *path, const char *including, char **ret_text,
			size_t *ret_size, bool *ret_trusted, struct maui_error *error)
{
	(void)context;
	(void)path;
	(void)including;
	(void)ret_text;
	(void)ret_size;
	(void)ret_trusted;
	return maui_error_set(error, -ENOENT, "there is no other file");
}

static char *join(const struct maui_torque_lines *lines, size_t *ret_size)
{
	char *text;
	FILE *stream = open_memstream(&text, ret_size);

	REQUIRE(stream);
	for (size_t i = 0; i < lines->count; i++)
		fprintf(stream, "%s\n", lines->list[i]);
	fclose(stream);
	return text;
}

static void check_conf(const struct maui_torque_lines *lines)
{
	const struct maui_slurm_conf_files files = {.complain = refuse, .warn = pass_over};
	struct maui_replay_nodes *nodes = maui_replay_nodes_new();
	struct maui_slurm_conf conf;
	size_t size;
	char *text = join(lines, &size);

	maui_slurm_conf_read("slurm.conf", text, size, &files, nodes, &conf);
	maui_slurm_conf_clear(&conf);
	maui_replay_nodes_free(nodes);
	free(text);
}

static void check_policy(const struct maui_torque_lines *lines)
{
	struct maui_config *config = NULL;
	struct maui_error error;
	size_t size;
	char *text = join(lines, &size);

	REQUIRE(!maui_config_parse("maui.cfg", text, size, NULL, &config, &error));
	REQUIRE(!maui_config_errors(config));
	maui_config_unref(config);
	free(text);
}

static int read_text(struct maui_torque_site *site, torque_reader read, const char *bytes,
		     size_t size)
{
	struct text text = {bytes, size};
	const struct maui_import_complaints told = {complain, &text};
	int rc;

	complaints = 0;
	rc = read(site, "file", bytes, size, &told);
	REQUIRE(rc == 0 ? !complaints : rc == -EINVAL && complaints == 1);
	return rc;
}

/* The part up to a 0xff, or the rest; *at moves behind it. */
static struct text next_part(const char **at, const char *end)
{
	const char *cut = *at < end ? memchr(*at, 0xff, (size_t)(end - *at)) : NULL;
	struct text part = {*at, (size_t)((cut ? cut : end) - *at)};

	*at = cut ? cut + 1 : end;
	return part;
}

static void translate(const struct maui_torque_site *site, const struct text *cfg)
{
	const struct maui_reader files = {.read = read_nothing, .record = true};
	struct maui_torque_policy policy = {.text = cfg->bytes, .size = cfg->size};
	struct maui_config *config = NULL;
	struct maui_torque_result result;
	struct maui_error error;

	if (cfg->size)
		REQUIRE(!maui_config_parse("cfg", cfg->bytes, cfg->size, &files, &config, &error));
	if (config && maui_config_errors(config)) {
		maui_config_unref(config);
		return;
	}
	policy.config = config;
	maui_torque_result_begin(&result);
	maui_torque_translate(site, &policy, &result);
	check_conf(&result.parts[MAUI_TORQUE_CONF]);
	check_policy(&result.parts[MAUI_TORQUE_POLICY]);
	for (size_t i = 0; i < result.import.remark_count; i++)
		REQUIRE(*result.import.remarks[i].setting && *result.import.remarks[i].effect);
	maui_torque_result_clear(&result);
	maui_config_unref(config);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *at = size ? (const char *)data : "", *end = at + size;
	struct text qmgr = next_part(&at, end), nodes = next_part(&at, end);
	struct maui_torque_site site;
	char *cfg = strndup(at, (size_t)(end - at)); /* a text of maui.cfg ends with NUL */
	struct text copy = {cfg, cfg ? strlen(cfg) : 0};

	REQUIRE(cfg);
	maui_torque_site_begin(&site);
	if (!read_text(&site, maui_torque_read_qmgr, qmgr.bytes, qmgr.size) &&
	    !read_text(&site, maui_torque_read_nodes, nodes.bytes, nodes.size))
		translate(&site, &copy);
	maui_torque_site_clear(&site);
	free(cfg);
	return 0;
}
