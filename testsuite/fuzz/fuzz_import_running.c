/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as what slurmctld says of itself: the slurm.conf that they become can be read, or each
 * complaint has a place in it.
 */
#include <errno.h>
#include <stdlib.h>

#include "common/import/import_conf.h"
#include "common/import/import_running.h"
#include "common/replay/slurm_conf/slurm_conf.h"
#include "testsuite/fuzz/complaints.h"

struct running_said {
	struct text text;
	struct maui_import_conf policy;
	size_t complaints;
};

static int read_nothing(void *context, const char *path, char **ret_text, size_t *ret_size)
{
	(void)context;
	(void)path;
	(void)ret_text;
	(void)ret_size;
	return -EINVAL;
}

static void complain(void *context, const struct maui_conf_place *place, const char *why)
{
	struct running_said *said = context;

	bad_line(&said->text, place->line, place->column, why);
	said->complaints++;
}

static void pass_over(void *context, const struct maui_conf_place *place, const char *text)
{
	(void)context;
	(void)place;
	REQUIRE(*text);
}

static void line(void *context, const struct maui_conf_word *words, size_t count)
{
	struct running_said *said = context;

	maui_import_conf_line(&said->policy, words, count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct maui_replay_nodes *nodes = maui_replay_nodes_new();
	struct running_said said = {.complaints = 0};
	const struct maui_slurm_conf_files files = {.read = read_nothing,
						    .complain = complain,
						    .warn = pass_over,
						    .line = line,
						    .context = &said};
	struct maui_slurm_conf conf;
	size_t length;
	char *text = maui_import_running_conf((const char *)data, size, &length);
	int rc;

	REQUIRE(strlen(text) == length);
	said.text = (struct text){text, length};
	maui_import_conf_begin(&said.policy);
	rc = maui_slurm_conf_read("slurmctld", text, length, &files, nodes, &conf);
	REQUIRE(rc == 0 ? !said.complaints : rc == -EINVAL && said.complaints);
	maui_slurm_conf_clear(&conf);
	maui_import_conf_clear(&said.policy);
	maui_replay_nodes_free(nodes);
	free(text);
	return 0;
}
