/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of synonyms, such as Moab's NODESPEED for FASTEST, and the search
 * for a word, exact or nearest, among a key's keywords.
 */
#include "common/config/keys/keywords.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/util/nearest.h"
#include "common/util/text.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define BY_SPEED "it is not scaled by the speed of the nodes unless USEMACHINESPEEDFORFS is TRUE"
#define BY_USER  "Slurm keeps other users off a node, and nobody else"

/* Words of others. '*' at the end: all words that begin this way. */
static const struct {
	enum maui_key key;
	const char *word, *keyword;
	const char *remark; /* NULL: the two mean the same */
} synonyms[] = {
	{MAUI_ATTR_PERIOD, "INFINITE", "INFINITY", NULL},
	{MAUI_ATTR_PERIOD, "DAYS", "DAY", NULL},

	{MAUI_KEY_FSPOLICY, "NONE", "[NONE]", NULL},
	{MAUI_KEY_FSPOLICY, "PSDEDICATED", "DEDICATEDPS", NULL},
	{MAUI_KEY_FSPOLICY, "PDEDICATEDPS", "DEDICATEDPS", BY_SPEED},
	{MAUI_KEY_FSPOLICY, "SDEDICATEDPES", "DEDICATEDPES", BY_SPEED},

	{MAUI_KEY_JOBPRIOACCRUALPOLICY, "ACCRUE", "QUEUEPOLICY",
	 "a job over a limit starts again from 0, where Moab's queue time stands still"},
	{MAUI_KEY_JOBPRIOACCRUALPOLICY, "RESET", "FULLPOLICY",
	 "JOBPRIOEXCEPTIONS, which names Moab's exceptions from it, has no effect"},

	{MAUI_KEY_NODEACCESSPOLICY, "DEDICATED", "SINGLEJOB", NULL},
	{MAUI_KEY_NODEACCESSPOLICY, "SHAREDONLY", "SHARED",
	 "jobs that ask for nodes of their own get them"},
	{MAUI_KEY_NODEACCESSPOLICY, "SINGLEACCOUNT", "SINGLEUSER", BY_USER},
	{MAUI_KEY_NODEACCESSPOLICY, "SINGLECLASS", "SINGLEUSER", BY_USER},
	{MAUI_KEY_NODEACCESSPOLICY, "SINGLEGROUP", "SINGLEUSER", BY_USER},
	{MAUI_KEY_NODEACCESSPOLICY, "SINGLEQOS", "SINGLEUSER", BY_USER},
	{MAUI_KEY_NODEACCESSPOLICY, "UNIQUEUSER", "SHARED",
	 "one job of each user on a node is NODECFG[DEFAULT] MAXJOBPERUSER=1"},
	/* of NODECFG, where it has no effect anyway */
	{MAUI_ATTR_NODEACCESS, "DEDICATED", "SINGLEJOB", NULL},
	{MAUI_ATTR_NODEACCESS, "SHAREDONLY", "SHARED", NULL},
	{MAUI_ATTR_NODEACCESS, "SINGLEACCOUNT", "SINGLEUSER", NULL},
	{MAUI_ATTR_NODEACCESS, "SINGLECLASS", "SINGLEUSER", NULL},
	{MAUI_ATTR_NODEACCESS, "SINGLEGROUP", "SINGLEUSER", NULL},
	{MAUI_ATTR_NODEACCESS, "SINGLEQOS", "SINGLEUSER", NULL},
	{MAUI_ATTR_NODEACCESS, "UNIQUEUSER", "SHARED", NULL},

	{MAUI_KEY_NODEALLOCATIONPOLICY, "CUSTOMPRIORITY", "PRIORITY", NULL},
	{MAUI_KEY_NODEALLOCATIONPOLICY, "INREPORTEDORDER", "FIRSTAVAILABLE", NULL},
	{MAUI_KEY_NODEALLOCATIONPOLICY, "INREVERSEREPORTEDORDER", "LASTAVAILABLE", NULL},
	{MAUI_KEY_NODEALLOCATIONPOLICY, "MINIMUMCONFIGUREDRESOURCES", "MINRESOURCE", NULL},
	{MAUI_KEY_NODEALLOCATIONPOLICY, "NODESPEED", "FASTEST", NULL},
	{MAUI_KEY_NODEALLOCATIONPOLICY, "PLUGIN*", "LASTAVAILABLE",
	 "a function of the site's own is LOCAL, in the file that NODEALLOCATIONLOCAL names"},
	{MAUI_KEY_NODEALLOCATIONPOLICY, "PROCESSORLOAD", "CPULOAD", NULL},
	{MAUI_KEY_NODEALLOCATIONPOLICY, "PROCESSORSPEEDBALANCE", "MAXBALANCE", NULL},
};

static int index_of(const struct maui_key_info *key, const char *text, size_t size)
{
	for (int i = 0; key->keywords[i]; i++)
		if (maui_equals(text, size, key->keywords[i]))
			return i;
	return -1;
}

static bool is_word(const char *text, size_t size, const char *word)
{
	size_t length = strlen(word);

	if (word[length - 1] != '*')
		return maui_equals(text, size, word);
	length--;
	for (size_t i = 0; i < length; i++)
		if (i == size || maui_upper(text[i]) != word[i])
			return false;
	return true;
}

int maui_keyword_find(const struct maui_key_info *key, const char *text, size_t size,
		      const char **ret_remark)
{
	*ret_remark = NULL;
	for (size_t i = 0; i < COUNT(synonyms); i++) {
		if (synonyms[i].key != key->key || !is_word(text, size, synonyms[i].word))
			continue;
		*ret_remark = synonyms[i].remark;
		return index_of(key, synonyms[i].keyword, strlen(synonyms[i].keyword));
	}
	return index_of(key, text, size);
}

const char *maui_keywords_text(const struct maui_key_info *key, char buffer[MAUI_KEYWORDS_TEXT])
{
	size_t used = 0;

	*buffer = '\0';
	for (size_t i = 0; key->keywords[i] && used < MAUI_KEYWORDS_TEXT; i++)
		used += (size_t)snprintf(buffer + used, MAUI_KEYWORDS_TEXT - used, "%s%s",
					 !i                     ? ""
					 : key->keywords[i + 1] ? ", "
								: " or ",
					 key->keywords[i]);
	return buffer;
}

const char *maui_keyword_nearest(const struct maui_key_info *key, const char *text, size_t size)
{
	struct maui_nearest search = maui_nearest_begin(text, size);
	const char *best = NULL, *found = NULL;

	for (size_t i = 0; key->keywords[i]; i++)
		maui_nearest_try(&search, key->keywords[i], strlen(key->keywords[i]));
	found = best = search.best;
	for (size_t i = 0; i < COUNT(synonyms); i++) {
		if (synonyms[i].key != key->key)
			continue;
		maui_nearest_try(&search, synonyms[i].word, strlen(synonyms[i].word));
		if (search.best != best) {
			best = search.best;
			found = synonyms[i].keyword;
		}
	}
	return found;
}

const char *maui_keyword_synonym(size_t index, enum maui_key *ret_key)
{
	if (index >= COUNT(synonyms))
		return NULL;
	*ret_key = synonyms[index].key;
	return synonyms[index].word;
}
