/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the texts of a site's policy, complains of what is wrong in them, and translates it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/import/import_take.h"
#include "common/replay/slurm_conf/slurm_conf.h"
#include "common/util/memory.h"
#include "contribs/maui/import/import_command.h"

/* All that is known of a site, until it is translated. */
struct site {
	const struct import_options *options;
	struct maui_replay_nodes *nodes;
	struct maui_import_conf policy;
	struct maui_slurm_conf conf;
	struct maui_import_accounting accounting;
	struct maui_import_resvs resvs;
};

static void note_of_place(void *context, const struct maui_conf_place *place, const char *text)
{
	(void)context;
	note("%s:%u:%u: %s", place->file, place->line, place->column, text);
}

/* ---- slurm.conf ---- */

static int read_included(void *context, const char *path, char **ret_text, size_t *ret_size)
{
	struct import_text text;

	(void)context;
	if (import_text_read(path, &text) != EXIT_OK)
		return -EINVAL;
	*ret_text = text.text;
	*ret_size = text.size;
	return 0;
}

static void take_line(void *context, const struct maui_conf_word *words, size_t count)
{
	maui_import_conf_line(context, words, count);
}

static int read_conf(struct site *site, const struct import_text *text)
{
	const struct maui_slurm_conf_files files = {.read = read_included,
						    .complain = import_complaints.complain,
						    .warn = note_of_place,
						    .line = take_line,
						    .context = &site->policy};

	return maui_slurm_conf_read(text->name, text->text, text->size, &files, site->nodes,
				    &site->conf);
}

static int read_qos(struct site *site, const struct import_text *text)
{
	return maui_import_read_qos(&site->accounting, text->name, text->text, text->size,
				    &import_complaints);
}

static int read_associations(struct site *site, const struct import_text *text)
{
	return maui_import_read_dump(&site->accounting, text->name, text->text, text->size,
				     &import_complaints);
}

static int read_reservations(struct site *site, const struct import_text *text)
{
	return maui_import_read_resvs(&site->resvs, text->name, text->text, text->size,
				      &import_complaints);
}

/* ---- all sources ---- */

static const char *site_setting(const struct site *site, enum maui_import_setting setting)
{
	const char *text = site->policy.set[setting].text;

	return text ? text : "";
}

static bool site_has_slurmdbd(const struct site *site)
{
	return !strcasecmp(site_setting(site, MAUI_IMPORT_ACCOUNTING_TYPE),
			   "accounting_storage/slurmdbd");
}

static int site_read(struct site *site, enum import_source source, const char **ret_name)
{
	static int (*const readers[IMPORT_SOURCES])(struct site * site,
						    const struct import_text *text) = {
		[IMPORT_CONF] = read_conf,
		[IMPORT_QOS] = read_qos,
		[IMPORT_ASSOCIATIONS] = read_associations,
		[IMPORT_RESERVATIONS] = read_reservations};
	struct import_text text;
	int code = import_fetch(
		site->options, source,
		site_has_slurmdbd(site) ? site_setting(site, MAUI_IMPORT_CLUSTER) : NULL, &text);

	*ret_name = text.text ? text.name : NULL;
	if (code == EXIT_OK && text.text && readers[source](site, &text))
		code = EXIT_ERRORS;
	free(text.text);
	return code;
}

static void site_take_limits(struct site *site, const struct maui_import_priority *priority,
			     struct maui_import *import)
{
	size_t count = site->policy.partition_count;
	const char **qos = maui_calloc(count, sizeof(*qos));
	struct maui_import_site facts = {.partition_qos = qos,
					 .priority = priority,
					 .enforced = maui_import_enforces_limits(&site->policy)};

	for (size_t i = 0; i < count; i++) {
		const char *name = site->policy.partitions[i].set[MAUI_IMPORT_P_QOS].text;

		if (name)
			qos[facts.partition_qos_count++] = name;
	}
	maui_import_take_limits(&site->accounting, &facts, import);
	free(qos);
}

/* Without slurmdbd there is nothing to have. */
static void site_tell_missing(const struct site *site, struct maui_import *import)
{
	if (site->options->paths.slurm_conf || site_has_slurmdbd(site))
		return;
	if (!site->accounting.qos_count)
		maui_import_remark(import, MAUI_IMPORT_STAYS, "QOS",
				   "there are none without slurmdbd (AccountingStorageType)");
	if (!site->accounting.assoc_count)
		maui_import_remark(import, MAUI_IMPORT_STAYS, "associations",
				   "there are none without slurmdbd (AccountingStorageType)");
}

static int site_translate(struct site *site, struct maui_import *import, bool *ret_basic)
{
	const struct maui_import_accounting *accounting = &site->accounting;
	struct maui_import_priority priority;

	if (maui_import_read_priority(&site->policy, site->nodes, &import_complaints, &priority))
		return EXIT_ERRORS;
	*ret_basic = priority.basic;
	maui_import_priority_of(accounting, &priority);
	maui_import_translate_priority(&priority, import);
	if (site->options->take_limits)
		site_take_limits(site, &priority, import);
	maui_import_tell_conf(&site->policy, import);
	maui_import_tell_limits(accounting, maui_import_enforces_limits(&site->policy), import);
	site_tell_missing(site, import);
	maui_import_translate_resvs(&site->resvs, import);
	return EXIT_OK;
}

int import_site(const struct import_options *options, struct maui_import *import,
		const char *ret_names[IMPORT_SOURCES], bool *ret_basic)
{
	struct site site = {.options = options, .nodes = maui_replay_nodes_new()};
	int code = EXIT_OK;

	maui_import_conf_begin(&site.policy);
	maui_import_accounting_begin(&site.accounting);
	maui_import_resvs_begin(&site.resvs);
	for (unsigned int i = 0; i < IMPORT_SOURCES && code == EXIT_OK; i++)
		code = site_read(&site, i, &ret_names[i]);
	if (code == EXIT_OK)
		code = site_translate(&site, import, ret_basic);
	maui_import_resvs_clear(&site.resvs);
	maui_import_accounting_clear(&site.accounting);
	maui_slurm_conf_clear(&site.conf);
	maui_import_conf_clear(&site.policy);
	maui_replay_nodes_free(site.nodes);
	return code;
}
