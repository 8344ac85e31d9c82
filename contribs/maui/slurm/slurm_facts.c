/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The child writes configuration, nodes, partitions and the number of pending
 * jobs as lines with a letter in front; the parent parses them.
 */
#include "contribs/maui/slurm/slurm_facts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/util/slurm/gres.h"
#include "common/util/grow.h"
#include "contribs/maui/slurm/slurm_child.h"
#include "contribs/maui/slurm/slurm_compat.h"

#define LIMIT (64u << 20) /* bytes in total */

/* ---- in the child: lines of a letter and what it stands for ---------------------------------- */

static bool tell_word(FILE *facts, enum slurm_word word, const char *text)
{
	return fprintf(facts, "w%c%s\n", 'a' + word, text ? text : "") > 0;
}

static const char *part_limits(const slurm_conf_t *conf)
{
	return conf->enforce_part_limits == PARTITION_ENFORCE_ALL   ? "ALL"
	       : conf->enforce_part_limits == PARTITION_ENFORCE_ANY ? "ANY"
								    : "NO";
}

/* "gpu:a100:2(S:0-1),tape:1" or "gpu,tape": a line for each word. */
static bool tell_gres(FILE *facts, char letter, const char *list)
{
	for (; list && *list; list += strspn(list, ",")) {
		size_t size = strcspn(list, ",(");

		if (fprintf(facts, "%c%.*s\n", letter, (int)size, list) < 0)
			return false;
		list += size;
		if (*list == '(') /* which may have commas */
			list += strcspn(list, ")");
		list += strcspn(list, ",");
	}
	return true;
}

static bool tell_conf(FILE *facts)
{
	slurm_conf_t *conf = NULL;
	bool done;

	if (slurm_load_ctl_conf(0, &conf) != SLURM_SUCCESS)
		return slurm_child_failed();
	done = tell_word(facts, SLURM_SCHEDULER, conf->schedtype) &&
	       tell_word(facts, SLURM_PARAMETERS, conf->sched_params) &&
	       tell_word(facts, SLURM_SELECT, conf->select_type) &&
	       tell_word(facts, SLURM_PLUGINS, conf->plugindir) &&
	       tell_word(facts, SLURM_STORAGE, conf->accounting_storage_type) &&
	       tell_word(facts, SLURM_LEAST_LOADED,
			 conf->select_type_param & SELECT_LLN ? "CR_LLN" : "") &&
	       tell_word(facts, SLURM_PART_LIMITS, part_limits(conf)) &&
	       tell_word(facts, SLURM_RELEASE, conf->version) &&
	       tell_gres(facts, 'g', conf->gres_plugins) && tell_gres(facts, 'l', conf->licenses);
	slurm_free_conf(conf);
	return done;
}

static bool tell_machine(FILE *facts)
{
	partition_info_msg_t *partitions = NULL;
	node_info_msg_t *nodes = NULL;
	int64_t procs = 0, memory = 0;
	const char *last = ""; /* most nodes have the same */

	if (slurm_load_node(0, &nodes, SHOW_ALL) != SLURM_SUCCESS ||
	    slurm_load_partitions(0, &partitions, SHOW_ALL) != SLURM_SUCCESS)
		return slurm_child_failed();
	for (uint32_t i = 0; i < nodes->record_count; i++) {
		const node_info_t *node = &nodes->node_array[i];

		if (!node->name)
			continue;
		procs += node->cpus;
		memory += (int64_t)node->real_memory;
		if (fprintf(facts, "n%s\n", node->name) < 0)
			return false;
		if (node->gres && strcmp(node->gres, last) != 0) {
			if (!tell_gres(facts, 'g', node->gres))
				return false;
			last = node->gres;
		}
	}
	for (uint32_t i = 0; i < partitions->record_count; i++) {
		const partition_info_t *partition = &partitions->partition_array[i];
		int64_t longest =
			partition->max_time == INFINITE ? INT64_MAX : partition->max_time * 60LL;

		if (fprintf(facts, "p%" PRId64 " %s\n", longest, partition->name) < 0)
			return false;
	}
	return fprintf(facts, "c%" PRId64 "\nm%" PRId64 "\n", procs, memory) > 0;
}

/* How many jobs wait, without requesting them; slurmctld may refuse to say. */
static bool tell_pending(FILE *facts)
{
	stats_info_request_msg_t request = {.command_id = STAT_COMMAND_GET};
	stats_info_response_msg_t *answer = NULL;

	if (slurm_get_statistics(&answer, &request) != SLURM_SUCCESS || !answer)
		return true;
	return fprintf(facts, "q%u\n", answer->jobs_pending) > 0;
}

static bool tell_facts(FILE *facts)
{
	return tell_conf(facts) && tell_machine(facts) && tell_pending(facts);
}

/* ---- in the parent --------------------------------------------------------------------------- */

static void read_partition(char *text, struct slurm_facts *facts)
{
	char *name;
	int64_t longest = strtoll(text, &name, 10);
	uint32_t count = maui_intern_count(facts->partition_names), id;

	if (*name++ != ' ')
		return;
	id = maui_intern_add(facts->partition_names, name);
	if (id <= count)
		return;
	facts->partitions = maui_grow(facts->partitions, (size_t)id + 1, &facts->partition_room,
				      sizeof(*facts->partitions));
	facts->partitions[id] = (struct slurm_partition){name, longest};
}

/* "gpu", "gpu:2", "gpu:a100", "gpu:a100:2K", "fs:no_consume:2K": its name, and its type. */
static void read_gres(char *text, struct slurm_facts *facts)
{
	char *type = strchr(text, ':');
	uint64_t count;

	if (type)
		*type = '\0';
	maui_intern_add(facts->gres, text);
	if (!type)
		return;
	*type = ':';
	if (maui_gres_count_parse(type + 1, strlen(type + 1), &count))
		return;
	type[1 + strcspn(type + 1, ":")] = '\0';
	if (strcasecmp(type + 1, "no_consume") != 0)
		maui_intern_add(facts->gres, text);
}

/* "matlab:2" */
static void read_license(char *text, struct slurm_facts *facts)
{
	char name[MAUI_GRES_NAME_SIZE];

	text[strcspn(text, ":=")] = '\0';
	snprintf(name, sizeof(name), MAUI_GRES_LICENSE "%s", text);
	maui_intern_add(facts->gres, name);
}

static void read_line(char *line, struct slurm_facts *facts)
{
	switch (*line) {
	case 'w':
		if (line[1] >= 'a' && line[1] < 'a' + SLURM_WORDS)
			facts->words[line[1] - 'a'] = line + 2;
		break;
	case 'n':
		facts->node_count++;
		maui_intern_add(facts->nodes, line + 1);
		break;
	case 'g':
		read_gres(line + 1, facts);
		break;
	case 'l':
		read_license(line + 1, facts);
		break;
	case 'p':
		read_partition(line + 1, facts);
		break;
	case 'c':
		facts->procs = strtoll(line + 1, NULL, 10);
		break;
	case 'm':
		facts->memory = strtoll(line + 1, NULL, 10);
		break;
	case 'q':
		facts->pending = strtoll(line + 1, NULL, 10);
		break;
	default:
		break;
	}
}

static void slurm_facts_understand(struct slurm_facts *facts)
{
	char *rest;

	for (size_t i = 0; i < SLURM_WORDS; i++)
		facts->words[i] = "";
	facts->nodes = maui_intern_new();
	facts->partition_names = maui_intern_new();
	facts->gres = maui_intern_new();
	for (char *line = strtok_r(facts->text, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest))
		read_line(line, facts);
}

int slurm_facts_load(int timeout, struct slurm_facts *ret_facts, struct maui_error *error)
{
	struct slurm_facts facts = {0};
	size_t size;
	int rc = slurm_child(tell_facts, timeout, LIMIT, "configuration, nodes and partitions",
			     &facts.text, &size, error);

	if (rc)
		return rc;
	slurm_facts_understand(&facts);
	*ret_facts = facts;
	return 0;
}

void slurm_facts_clear(struct slurm_facts *facts)
{
	maui_intern_free(facts->nodes);
	maui_intern_free(facts->partition_names);
	maui_intern_free(facts->gres);
	free(facts->partitions);
	free(facts->text);
	*facts = (struct slurm_facts){0};
}
