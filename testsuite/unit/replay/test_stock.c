/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Schedules of a few jobs on 10 processors under Slurm's own policy, worked out by hand. A pass is
 * due at 0, 60, 120, ..., backfill at 0, 30, 60, ...
 */
#include <errno.h>

#include "testsuite/unit/replay/replay_fixture.h"

#include "common/import/import_accounting.h"
#include "common/replay/slurm_conf/slurm_conf.h"

#define PROCS 10
#define CONF                                                                                       \
	"PriorityType=priority/multifactor\nPriorityCalcPeriod=1\n"                                \
	"AccountingStorageType=accounting_storage/slurmdbd\n"                                      \
	"AccountingStorageEnforce=limits\nNodeName=n[1-10]\n"                                      \
	"PartitionName=p Nodes=ALL Default=YES MaxTime=UNLIMITED\n"
#define TREE                                                                                       \
	"Cluster - 'c':Fairshare=1\nParent - 'root'\n"                                             \
	"Account - 'x':Fairshare=1%s\nAccount - 'y':Fairshare=1%s\n"                               \
	"Parent - 'x'\nUser - 'a':DefaultAccount='x':Fairshare=1%s\n"                              \
	"User - 'b':DefaultAccount='x':Fairshare=1\n"                                              \
	"Parent - 'y'\nUser - 'd':DefaultAccount='y':Fairshare=1\n"
#define QOS "Name|Priority|Flags|UsageFactor|%s\nlow|1|%s|1.000000|%s\nhigh|2||1.000000|\n"

struct stock_case {
	const char *name;
	const char *conf;                   /* more lines */
	const char *x, *y, *a;              /* what these associations have */
	const char *column, *flags, *limit; /* of the QOS low */
	const char *trace, *schedule;
};

static const struct stock_case cases[] = {
	/* ---- priorities ---- */
	{"who has waited longer is first", "PriorityWeightAge=1000\n", "", "", "", "MaxJobsPU", "",
	 "", "0 10x100/100 a; 1 10x10/10 a; 2 10x10/10 d", "1 0; 2 100; 3 110"},
	{"at the same priority, first come", "", "", "", "", "MaxJobsPU", "", "",
	 "0 10x100/100 a; 1 10x10/10 d; 2 10x10/10 a", "1 0; 2 100; 3 110"},
	{"a QOS of a higher priority", "PriorityWeightQOS=10\n", "", "", "", "MaxJobsPU", "", "",
	 "0 10x100/100 a; 1 10x10/10 a - low; 2 10x10/10 a - high", "1 0; 2 110; 3 100"},
	{"an association of a higher priority", "PriorityWeightAssoc=10\n", "", ":Priority=7", "",
	 "MaxJobsPU", "", "", "0 10x100/100 a; 1 10x10/10 a; 2 10x10/10 d", "1 0; 2 110; 3 100"},
	{"the larger job", "PriorityWeightJobSize=10\n", "", "", "", "MaxJobsPU", "", "",
	 "0 10x100/100 a; 1 6x10/10 a; 2 9x10/10 a", "1 0; 2 110; 3 100"},
	{"the smaller job", "PriorityWeightJobSize=10\nPriorityFavorSmall=YES\n", "", "", "",
	 "MaxJobsPU", "", "", "0 10x100/100 a; 1 9x10/10 a; 2 6x10/10 a", "1 0; 2 110; 3 100"},
	{"the job with more CPUs of the partition", "PriorityWeightTRES=CPU=10\n", "", "", "",
	 "MaxJobsPU", "", "", "0 10x100/100 a; 1 6x10/10 a; 2 9x10/10 a", "1 0; 2 110; 3 100"},
	{"who comes between passes has the points of the last one", "PriorityWeightFairshare=9\n",
	 "", "", "", "MaxJobsPU", "", "", "0 10x50/50 a; 1 10x10/10 a; 2 10x10/10 d",
	 "1 0; 2 50; 3 60"},
	{"a pass counts what has run until then", "PriorityWeightFairshare=9\n", "", "", "",
	 "MaxJobsPU", "", "", "0 10x100/100 a; 1 10x10/10 a; 2 10x10/10 d", "1 0; 2 110; 3 100"},
	{"the users of one account share its usage", "PriorityWeightFairshare=9\n", "", "", "",
	 "MaxJobsPU", "", "", "0 10x100/100 a; 1 10x10/10 b; 2 10x10/10 d", "1 0; 2 110; 3 100"},
	{"classic: so they do, a pass later",
	 "PriorityWeightFairshare=900\nPriorityFlags=NO_FAIR_TREE\n", "", "", "", "MaxJobsPU", "",
	 "", "0 10x150/150 a; 1 10x10/10 b; 2 10x10/10 d", "1 0; 2 160; 3 150"},
	{"without slurmdbd age and fairshare do not count",
	 "AccountingStorageType=accounting_storage/none\nPriorityWeightFairshare=9\n", "", "", "",
	 "MaxJobsPU", "", "", "0 10x100/100 a; 1 10x10/10 a; 2 10x10/10 d", "1 0; 2 100; 3 110"},

	/* ---- limits ---- */
	{"GrpTRES of an account", "", ":GrpTRES=cpu=4", "", "", "MaxJobsPU", "", "",
	 "0 4x100/100 a; 1 4x10/10 b; 2 4x10/10 d", "1 0; 2 100; 3 2"},
	{"a job that asks for more never begins", "", ":GrpTRES=cpu=4", "", "", "MaxJobsPU", "", "",
	 "0 5x100/100 a; 1 4x10/10 d", "1 never; 2 1"},
	{"GrpJobs of an account", "", ":GrpJobs=1", "", "", "MaxJobsPU", "", "",
	 "0 1x100/100 a; 1 1x10/10 b; 2 1x10/10 d", "1 0; 2 100; 3 2"},
	{"MaxJobs is each user's", "", ":MaxJobs=1", "", "", "MaxJobsPU", "", "",
	 "0 1x100/100 a; 1 1x10/10 b; 2 1x10/10 a", "1 0; 2 1; 3 100"},
	{"his own comes before his account's", "", ":MaxJobs=1", "", ":MaxJobs=2", "MaxJobsPU", "",
	 "", "0 1x100/100 a; 1 1x10/10 a; 2 1x10/10 a", "1 0; 2 1; 3 11"},
	{"MaxJobsPU of a QOS", "", "", "", "", "MaxJobsPU", "", "1",
	 "0 1x100/100 a - low; 1 1x10/10 b - low; 2 1x10/10 a - low; 3 1x10/10 a - high",
	 "1 0; 2 1; 3 100; 4 3"},
	{"it takes the place of MaxJobs", "", ":MaxJobs=1", "", "", "MaxJobsPU", "", "2",
	 "0 1x100/100 a - low; 1 1x10/10 a - low; 2 1x10/10 a - low", "1 0; 2 1; 3 11"},
	{"GrpTRES of a QOS takes the place of an association's", "", ":GrpTRES=cpu=1", "", "",
	 "GrpTRES", "", "cpu=8", "0 5x100/100 a - low; 1 3x10/10 a - low; 2 1x10/10 d - low",
	 "1 0; 2 1; 3 11"},
	{"but of another TRES it does not", "", ":GrpJobs=1", "", "", "GrpTRES", "", "cpu=8",
	 "0 1x100/100 a - low; 1 1x10/10 a - low", "1 0; 2 100"},
	{"MaxTRESPU", "", "", "", "", "MaxTRESPU", "", "cpu=4",
	 "0 4x100/100 a - low; 1 1x10/10 a - low; 2 4x10/10 b - low", "1 0; 2 100; 3 2"},
	{"MaxWall", "", "", "", "", "MaxWall", "", "00:02:00",
	 "0 1x50/120 a - low; 1 1x50/121 a - low", "1 0; 2 never"},
	{"GrpTRESRunMins shrinks at each pass", "", "", "", "", "GrpTRESRunMins", "", "cpu=5",
	 "0 1x240/240 a - low; 1 1x60/120 a - low", "1 0; 2 60"},
	{"a partition's QOS comes first", "PartitionName=q Nodes=ALL QOS=low\n", "", "", "",
	 "MaxJobsPU", "", "1", "0 1x100/100 a - high q; 1 1x10/10 a - high q; 2 1x10/10 a - high p",
	 "1 0; 2 100; 3 2"},
	{"GrpTRESMins is free again when usage has decayed",
	 "PriorityDecayHalfLife=2\nAccountingStorageEnforce=limits\n", "", "", "", "GrpTRESMins",
	 "", "cpu=2", "0 2x120/120 a - low; 61 10x50/60 d; 62 1x10/60 a - low",
	 "1 0; 2 120; 3 180"},
	{"with NoDecay it is not", "PriorityDecayHalfLife=2\n", "", "", "", "GrpTRESMins",
	 "NoDecay", "cpu=2", "0 2x120/120 a - low; 61 10x50/60 d; 62 1x10/60 a - low",
	 "1 0; 2 120; 3 never"},
	{"without limits in AccountingStorageEnforce there are none",
	 "AccountingStorageEnforce=associations\n", ":GrpJobs=1", "", "", "MaxJobsPU", "", "",
	 "0 1x100/100 a; 1 1x10/10 b", "1 0; 2 1"},
};

static void refuse(void *context, const struct maui_conf_place *place, const char *text)
{
	cr_assert_fail("%s: %u:%u: %s", (const char *)context, place->line, place->column, text);
}

static void take_line(void *context, const struct maui_conf_word *words, size_t count)
{
	maui_import_conf_line(context, words, count);
}

struct stock_site {
	struct maui_import_conf policy;
	struct maui_slurm_conf conf;
	struct maui_replay_nodes *nodes;
	struct maui_import_accounting accounting;
	struct maui_stock stock;
};

/* Of a setting that is there twice, the last line counts. */
static void open_site(const struct stock_case *one, struct stock_site *site)
{
	const struct maui_slurm_conf_files files = {
		.complain = refuse, .warn = refuse, .line = take_line, .context = &site->policy};
	const struct maui_import_complaints complaints = {refuse, (void *)one->name};
	char text[2048];
	int size = snprintf(text, sizeof(text), "%s%s", CONF, one->conf);

	maui_import_conf_begin(&site->policy);
	maui_import_accounting_begin(&site->accounting);
	site->nodes = maui_replay_nodes_new();
	cr_assert_eq(maui_slurm_conf_read("slurm.conf", text, (size_t)size, &files, site->nodes,
					  &site->conf),
		     0, "%s", one->name);
	size = snprintf(text, sizeof(text), TREE, one->x, one->y, one->a);
	cr_assert_eq(
		maui_import_read_dump(&site->accounting, "dump", text, (size_t)size, &complaints),
		0, "%s", one->name);
	size = snprintf(text, sizeof(text), QOS, one->column, one->flags, one->limit);
	cr_assert_eq(
		maui_import_read_qos(&site->accounting, "qos", text, (size_t)size, &complaints), 0,
		"%s", one->name);
	cr_assert_eq(maui_stock_open(&site->policy, site->nodes, &site->accounting, &complaints,
				     &site->stock),
		     0, "%s", one->name);
}

static void close_site(struct stock_site *site)
{
	maui_stock_clear(&site->stock);
	maui_import_accounting_clear(&site->accounting);
	maui_slurm_conf_clear(&site->conf);
	maui_replay_nodes_free(site->nodes);
	maui_import_conf_clear(&site->policy);
}

static const char *schedule_of(const struct stock_case *one, bool apart, char text[1024])
{
	struct stock_site stock;
	struct maui_replay_trace *trace = replay_trace(one->trace, PROCS);
	struct maui_replay_site site = replay_site(one->name, "", "", PROCS);
	struct maui_replay_schedule schedule;
	struct maui_replay_counts counts;
	struct maui_error error = {""};

	open_site(one, &stock);
	site.stock = &stock.stock;
	site.multifactor = true;
	site.apart = apart;
	cr_assert_eq(maui_replay_site_run(trace, &site, &schedule, &counts, &error), 0, "%s: %s",
		     one->name, error.text);
	replay_text(trace, &schedule, text, 1024);
	maui_replay_schedule_clear(&schedule);
	maui_policy_unref(site.policy);
	maui_replay_trace_free(trace);
	close_site(&stock);
	return text;
}

Test(replay_stock, jobs_begin_when_slurms_policy_lets_them)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[1024];

		cr_expect_str_eq(schedule_of(&cases[i], false, text), cases[i].schedule,
				 "%s\nfound    %s\nexpected %s", cases[i].name, text,
				 cases[i].schedule);
	}
}

Test(replay_stock, and_job_by_job_it_is_the_same)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char together[1024], apart[1024];

		schedule_of(&cases[i], false, together);
		cr_expect_str_eq(schedule_of(&cases[i], true, apart), together, "%s: %s, not %s",
				 cases[i].name, apart, together);
	}
}
