/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts of slurm.conf, the lines of maui.cfg that they become, and what is remarked upon. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "common/import/import_read.h"
#include "common/replay/slurm_conf/slurm_conf.h"

#define MACHINE "NodeName=n[1-4] CPUs=16 RealMemory=1000 Gres=gpu:a100:2\n"
#define DBD     "AccountingStorageType=accounting_storage/slurmdbd\n"
#define FACTORS "PriorityType=priority/multifactor\n"
#define P       "PartitionName=p Nodes=ALL\n"
#define Q       "PartitionName=q Nodes=n[1-2]\n"
#define NO_AGE  "QUEUETIMEWEIGHT 0; "

/* Lines; lost | other | stays, by their settings */
static const struct {
	const char *text, *lines;
} sites[] = {
	{FACTORS P, "QUEUETIMEWEIGHT 0; |||"},
	{DBD FACTORS P "PriorityWeightAge=1000\nPriorityFlags=accrue_always\n",
	 "QUEUETIMEWEIGHT 0.0992063; QUEUETIMECAP 10080; JOBPRIOACCRUALPOLICY ALWAYS; |||"},
	{DBD FACTORS P "PriorityWeightAge=60\nPriorityMaxAge=1:00:00\n",
	 "QUEUETIMEWEIGHT 1; QUEUETIMECAP 60; JOBPRIOACCRUALPOLICY FULLPOLICY; "
	 "||PriorityFlags without ACCRUE_ALWAYS; |"},
	{DBD FACTORS P "PriorityWeightAge=7\nPriorityMaxAge=0\n",
	 "QUEUETIMEWEIGHT 0; ||PriorityMaxAge=0; |"},
	{DBD FACTORS P "PriorityWeightAge=71582788\nPriorityMaxAge=INFINITE\n"
		       "PriorityFlags=ACCRUE_ALWAYS\n",
	 "QUEUETIMEWEIGHT 1.00000001024; QUEUETIMECAP 71582787.267; JOBPRIOACCRUALPOLICY ALWAYS; "
	 "|||"},
	/* sizes: half for 4 nodes, half for 64 processors */
	{FACTORS P "PriorityWeightJobSize=512\n",
	 NO_AGE "NODEWEIGHT 64; PROCWEIGHT 4; RESWEIGHT 1; |||"},
	{FACTORS P "PriorityWeightJobSize=512\nPriorityFavorSmall=yes\n",
	 NO_AGE "NODEWEIGHT -64; PROCWEIGHT -4; RESWEIGHT 1; GROUPWEIGHT 1; "
		"GROUPCFG[DEFAULT] PRIORITY=512; |||"},
	{FACTORS P "PriorityWeightJobSize=512\nPriorityFlags=SMALL_RELATIVE_TO_TIME\n",
	 NO_AGE "|PriorityFlags=SMALL_RELATIVE_TO_TIME; ||"},
	/* partitions */
	{FACTORS P Q "PriorityWeightPartition=10\n",
	 NO_AGE "CLASSWEIGHT 10; CLASSCFG[p] PRIORITY=1; CLASSCFG[q] PRIORITY=1; |||"},
	{FACTORS "PartitionName=DEFAULT PriorityJobFactor=4\n" P
		 "PartitionName=DEFAULT PriorityJobFactor=1\n" Q
		 "PartitionName=r PriorityJobFactor=0 Nodes=n1\nPriorityWeightPartition=10\n",
	 NO_AGE "CLASSWEIGHT 2.5; CLASSCFG[p] PRIORITY=4; CLASSCFG[q] PRIORITY=1; |||"},
	{FACTORS "PartitionName=p Nodes=ALL PriorityJobFactor=9 Priority=8\n"
		 "PriorityWeightPartition=10\nPriorityFlags=NO_NORMAL_PART\n",
	 NO_AGE "CLASSWEIGHT 10; CLASSCFG[p] PRIORITY=8; |||Priority=8 of p; "},
	/* TRES: shares of the partition, or units */
	{FACTORS P "PriorityWeightTRES=cpu=128,mem=4000,node=2,gres/gpu=16\n",
	 NO_AGE "NODEWEIGHT 0.5; PROCWEIGHT 2; MEMWEIGHT 1; GRESWEIGHT[gpu] 2; RESWEIGHT 1; |||"},
	{FACTORS P Q "PriorityWeightTRES=CPU=128,GRES/gpu:a100=16\nPriorityWeightJobSize=512\n",
	 NO_AGE "NODEWEIGHT 64; PROCWEIGHT 4; PROCWEIGHT[p] 6; PROCWEIGHT[q] 8; "
		"GRESWEIGHT[gpu:a100] 2; RESWEIGHT 1; ||PriorityWeightTRES GRES/gpu:a100=16; |"},
	{FACTORS P "PriorityWeightTRES=cpu=3,mem=512G,gres/gpu=-5,cpu=4\n"
		   "PriorityFlags=NO_NORMAL_TRES\n",
	 NO_AGE "PROCWEIGHT 4; MEMWEIGHT 0.5; GRESWEIGHT[gpu] -5; RESWEIGHT 1; |||"},
	{FACTORS P "PriorityWeightTRES=license/x=1,gres/fpga=2,energy=3\n",
	 NO_AGE "|PriorityWeightTRES license/x=1; PriorityWeightTRES energy=3; ||"
		"PriorityWeightTRES gres/fpga=2; "},
	{FACTORS P "SelectTypeParameters=CR_Core\nPriorityWeightTRES=mem=7\n",
	 NO_AGE "|PriorityWeightTRES mem=7; ||"},
	/* beyond slurm.conf */
	{DBD FACTORS P "PriorityWeightQOS=1\nPriorityWeightAssoc=2\nPriorityWeightFairshare=3\n",
	 NO_AGE "FSWEIGHT 1; FSTREEWEIGHT 3; |PriorityWeightQOS=1; PriorityWeightAssoc=2; ||"},
	{DBD FACTORS P "PriorityWeightFairshare=3\nPriorityFlags=NO_FAIR_TREE\n",
	 NO_AGE "FSWEIGHT 1; FSTREEWEIGHT 3; |||"},
	{DBD FACTORS P "PriorityWeightFairshare=3\nPriorityFlags=DEPTH_OBLIVIOUS\n",
	 NO_AGE "FSWEIGHT 1; FSTREEWEIGHT 3; ||PriorityFlags=DEPTH_OBLIVIOUS; |"},
	{DBD FACTORS P "PriorityWeightFairshare=1000000001\n",
	 NO_AGE "FSWEIGHT 1; FSTREEWEIGHT 1000000001; ||PriorityWeight* together; |"},
	{FACTORS P "PriorityWeightFairshare=3\nPriorityWeightAge=2\n",
	 NO_AGE "|||PriorityWeightFairshare; "},
	{FACTORS P "PriorityWeightPartition=1000000001\n",
	 NO_AGE "CLASSWEIGHT 1000000001; CLASSCFG[p] PRIORITY=1; "
		"||PriorityWeight* together; |"},
	{P "PriorityType=priority/basic\n",
	 "QUEUETIMEWEIGHT 60; JOBPRIOACCRUALPOLICY ALWAYS; ||PriorityType=priority/basic; |"},
	{P, NO_AGE "||PriorityType is not set; |"},
	/* what stays, and what nobody knows */
	{FACTORS "PartitionName=p Nodes=ALL MaxTime=60 State=UP LLN=no Mood=good\n"
		 "PreemptType=preempt/none\nPreemptMode=SUSPEND,GANG\nPreemptHarder=1\n"
		 "PriorityFlags=MAX_TRES,INCR_ONLY,NEW\nReturnToService=1\n",
	 NO_AGE "|PriorityFlags=INCR_ONLY; PriorityFlags=NEW; Mood=good of p; PreemptHarder=1; ||"
		"PreemptMode=SUSPEND,GANG; PriorityFlags=MAX_TRES; MaxTime=60 of p; "},
};

static int no_file(void *context, const char *path, char **ret_text, size_t *ret_size)
{
	cr_assert_fail("%s is read", path);
	return -1;
}

static void complain(void *context, const struct maui_conf_place *place, const char *text)
{
	cr_assert_fail("%u:%u: %s", place->line, place->column, text);
}

static void line(void *context, const struct maui_conf_word *words, size_t count)
{
	maui_import_conf_line(context, words, count);
}

static char said[2048];

static void say(const char *a, const char *b, const char *c)
{
	size_t used = strlen(said);

	used += (size_t)snprintf(said + used, sizeof(said) - used, "%s%s%s", a, b, c);
	cr_assert_lt(used, sizeof(said));
}

static void say_import(const struct maui_import *import)
{
	*said = '\0';
	for (size_t i = 0; i < import->line_count; i++) {
		cr_expect(*import->lines[i].why);
		say(import->lines[i].key, " ", import->lines[i].value);
		say("; ", "", "");
	}
	for (int fate = 0; fate < MAUI_IMPORT_FATES; fate++) {
		say("|", "", "");
		for (size_t i = 0; i < import->remark_count; i++)
			if (import->remarks[i].fate == (enum maui_import_fate)fate)
				say(import->remarks[i].setting, "; ", "");
	}
}

static void import_site(const char *text, struct maui_import *import)
{
	struct maui_replay_nodes *nodes = maui_replay_nodes_new();
	struct maui_import_conf policy;
	struct maui_slurm_conf conf;
	struct maui_import_priority priority;
	const struct maui_slurm_conf_files files = {.read = no_file,
						    .complain = complain,
						    .warn = complain,
						    .line = line,
						    .context = &policy};
	const struct maui_import_complaints complaints = {complain, NULL};

	maui_import_conf_begin(&policy);
	cr_assert_eq(maui_slurm_conf_read("slurm.conf", text, strlen(text), &files, nodes, &conf),
		     0);
	cr_assert_eq(maui_import_read_priority(&policy, nodes, &complaints, &priority), 0);
	maui_import_translate_priority(&priority, import);
	maui_import_tell_conf(&policy, import);
	maui_slurm_conf_clear(&conf);
	maui_import_conf_clear(&policy);
	maui_replay_nodes_free(nodes);
}

Test(import_lines, each_site_has_its_lines)
{
	for (size_t i = 0; i < sizeof(sites) / sizeof(sites[0]); i++) {
		struct maui_import import;
		char text[2048];

		snprintf(text, sizeof(text), MACHINE "%s", sites[i].text);
		maui_import_begin(&import);
		import_site(text, &import);
		say_import(&import);
		cr_expect_str_eq(said, sites[i].lines, "%s\nfound    %s\nexpected %s",
				 sites[i].text, said, sites[i].lines);
		maui_import_clear(&import);
	}
}

Test(import_lines, names_stand_once_in_the_tables)
{
	const struct {
		const struct maui_import_row *rows;
		size_t count;
	} tables[] = {{maui_import_settings, MAUI_IMPORT_GLOBALS},
		      {maui_import_partition_settings, MAUI_IMPORT_PARTITION_COUNT},
		      {maui_import_flags, MAUI_IMPORT_FLAG_COUNT}};

	for (size_t t = 0; t < 3; t++)
		for (size_t i = 0; i < tables[t].count; i++) {
			const struct maui_import_row *row = &tables[t].rows[i];
			bool told = row->becomes == MAUI_IMPORT_BECOMES_LOST ||
				    row->becomes == MAUI_IMPORT_BECOMES_STAYS;

			cr_expect_eq(maui_import_find(tables[t].rows, tables[t].count, row->name),
				     i, "%s", row->name);
			cr_expect_eq(told, row->effect != NULL, "%s", row->name);
		}
}
