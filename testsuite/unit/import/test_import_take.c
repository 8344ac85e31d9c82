/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits of Slurm that become Maui's, the commands that take them out of Slurm, and what stays. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "common/import/import_take.h"

static char said[4096];

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
	size_t used = strlen(said);
	va_list values;

	va_start(values, format);
	used += (size_t)vsnprintf(said + used, sizeof(said) - used, format, values);
	va_end(values);
	cr_assert_lt(used, sizeof(said));
}

static void complain(void *context, const struct maui_conf_place *place, const char *text)
{
	(void)context;
	cr_assert_fail("%u:%u: %s", place->line, place->column, text);
}

#define QOS(COLUMN, VALUE) "Name|Priority|" COLUMN "\nq|0|" VALUE "\n"
#define NO_QOS             "Name|Priority\nq|0\n"
#define TREE                                                                                       \
	"Cluster - 'c':Fairshare=1%s\nParent - 'root'\nAccount - 'a'%s\nParent - 'a'\n"            \
	"Account - 'b'%s\nUser - 'u'%s\nParent - 'b'\nUser - 'v'%s\n"

#define MODIFY "sacctmgr -i modify "

/* Lines; "$ " commands; "| " what stays, with the reason of those that could have been taken. */
static const struct {
	const char *qos, *of[5]; /* of the cluster, a, b, the user u in a, and v in b */
	const char *result;
} cases[] = {
	/* of QOS */
	{QOS("GrpTRES|GrpJobs", "cpu=8,mem=4G,gres/gpu:a100=2,license/x=3|5"),
	 {0},
	 "QOSCFG[q] MAXPROC=8; QOSCFG[q] MAXMEM=4096; QOSCFG[q] MAXGRES[gpu:a100]=2; "
	 "QOSCFG[q] MAXGRES[license:x]=3; QOSCFG[q] MAXJOB=5; $ " MODIFY
	 "qos where name=q set GrpTRES=cpu=-1,mem=-1,gres/gpu:a100=-1,license/x=-1; $ " MODIFY
	 "qos where name=q set GrpJobs=-1; "},
	{QOS("MaxTRESPU|MaxJobsPU|MaxTRESPA|MaxJobsPA", "cpu=8,gres/gpu=1|2|cpu=9|3"),
	 {0},
	 "QOSCFG[q] MAXPROC[USER]=8; QOSCFG[q] MAXGRES[gpu,USER]=1; QOSCFG[q] MAXJOB[USER]=2; "
	 "QOSCFG[q] MAXPROC[ACCOUNT]=9; QOSCFG[q] MAXJOB[ACCOUNT]=3; $ " MODIFY
	 "qos where name=q set MaxTRESPerUser=cpu=-1,gres/gpu=-1; $ " MODIFY
	 "qos where name=q set MaxJobsPerUser=-1; $ " MODIFY
	 "qos where name=q set MaxTRESPerAccount=cpu=-1; $ " MODIFY
	 "qos where name=q set MaxJobsPerAccount=-1; "},
	{QOS("GrpTRESRunMins|MaxTRESRunMinsPU", "cpu=100|gres/gpu=10"),
	 {0},
	 "QOSCFG[q] MAXPS=6000; QOSCFG[q] MAXGS[gpu,USER]=600; $ " MODIFY
	 "qos where name=q set GrpTRESRunMins=cpu=-1; $ " MODIFY
	 "qos where name=q set MaxTRESRunMinsPU=gres/gpu=-1; "},
	{QOS("GrpTRES", "cpu=8,node=2,billing=3"),
	 {0},
	 "QOSCFG[q] MAXPROC=8; $ " MODIFY
	 "qos where name=q set GrpTRES=cpu=-1; | GrpTRES=node=2,billing=3: Slurm counts a node once"
	 " for all jobs on it, MAXNODE once for each job; "},
	{QOS("GrpJobs", "0"), {0}, "| GrpJobs=0: 0 is no limit in maui.cfg; "},
	{QOS("GrpTRES", "cpu=99999999999999999999"),
	 {0},
	 "| GrpTRES=cpu=99999999999999999999: this is no number that Maui takes; "},
	{QOS("GrpJobs|Flags", "5|DenyOnLimit"),
	 {0},
	 "| GrpJobs=5: DenyOnLimit: Slurm rejects a job beyond it at submission, Maui lets it "
	 "wait; "
	 "| Flags=DenyOnLimit; "},
	{QOS("GrpTRES|Flags", "cpu=50|Relative"),
	 {0},
	 "| GrpTRES=cpu=50: Relative: the value is a percentage of the cluster; "
	 "| Flags=Relative; "},
	{QOS("GrpTRESRunMins|UsageFactor", "cpu=50|2.000000"),
	 {0},
	 "| GrpTRESRunMins=cpu=50: Slurm multiplies what is left of jobs by the QOS's UsageFactor; "
	 "| UsageFactor=2.000000; "},
	{QOS("GrpSubmit|MaxSubmitPU|GrpTRESMins|MaxJobsAccruePU|MaxTRES|MaxWall",
	     "1|2|cpu=3|4|cpu=5|6"),
	 {0},
	 "| GrpSubmit=1; | MaxSubmitPU=2; | GrpTRESMins=cpu=3; | MaxJobsAccruePU=4; | "
	 "MaxTRES=cpu=5; "
	 "| MaxWall=6; "},
	{"Name|Priority|GrpJobs\nq|0|\npart|0|7\n",
	 {0},
	 "| GrpJobs=7: the QOS is a partition's, and counts all jobs there; "},
	{"Name|Priority|MaxJobsPU|GrpTRES\nq|0|3|cpu=1\npart|0|7|mem=1M\n",
	 {0},
	 "QOSCFG[q] MAXPROC=1; $ " MODIFY "qos where name=q set GrpTRES=cpu=-1; | MaxJobsPU=3: of "
	 "this and MaxJobsPU of QOS part Slurm enforces one alone, and Maui would enforce both; "
	 "| MaxJobsPU=7: the QOS is a partition's, and counts all jobs there; "
	 "| GrpTRES=mem=1M: the QOS is a partition's, and counts all jobs there; "},
	/* of associations */
	{NO_QOS,
	 {"", "", ":GrpTRES=cpu=8:GrpJobs=5", ":GrpTRES=gres/gpu=2:MaxJobs=3", ""},
	 "ACCOUNTCFG[b] MAXPROC=8; ACCOUNTCFG[b] MAXJOB=5; ACCOUNTCFG[a] MAXGRES[gpu,USER:u]=2; "
	 "ACCOUNTCFG[a] MAXJOB[USER:u]=3; $ " MODIFY
	 "account where name=b cluster=c set GrpTRES=cpu=-1; $ " MODIFY
	 "account where name=b cluster=c set GrpJobs=-1; $ " MODIFY
	 "user where name=u account=a cluster=c set GrpTRES=gres/gpu=-1; $ " MODIFY
	 "user where name=u account=a cluster=c set MaxJobs=-1; "},
	{NO_QOS,
	 {"", ":GrpJobs=5", "", "", ""},
	 "| GrpJobs=5: Slurm counts the jobs of the accounts below, too, and Maui an account's "
	 "own; "},
	/* MaxJobs is inherited, and the nearest counts */
	{NO_QOS,
	 {":MaxJobs=9", "", ":MaxJobs=4", "", ""},
	 "ACCOUNTCFG[root] MAXJOB[USER]=9; ACCOUNTCFG[a] MAXJOB[USER]=9; "
	 "ACCOUNTCFG[b] MAXJOB[USER]=4; $ " MODIFY "cluster where name=c set MaxJobs=-1; $ " MODIFY
	 "account where name=b cluster=c set MaxJobs=-1; "},
	/* a user's line would take the place of what he inherits */
	{NO_QOS,
	 {"", ":MaxJobs=4", "", ":GrpJobs=6", ":GrpJobs=2:MaxJobs=3"},
	 "ACCOUNTCFG[a] MAXJOB[USER]=4; ACCOUNTCFG[b] MAXJOB[USER]=4; ACCOUNTCFG[a] "
	 "MAXJOB[USER:u]=4; ACCOUNTCFG[b] MAXJOB[USER:v]=2; $ " MODIFY
	 "account where name=a cluster=c set MaxJobs=-1; $ " MODIFY
	 "user where name=u account=a cluster=c set GrpJobs=-1; $ " MODIFY
	 "user where name=v account=b cluster=c set GrpJobs=-1; $ " MODIFY
	 "user where name=v account=b cluster=c set MaxJobs=-1; "},
	{NO_QOS,
	 {"", ":MaxJobs=4", "", "", ":Partition='p':GrpJobs=2"},
	 "| MaxJobs=4: users have associations of one partition, of which Slurm counts each by "
	 "itself; | GrpJobs=2: it is of one partition, and Maui has no limit of an account, a user "
	 "and a class together; "},
	/* a QOS comes before associations */
	{QOS("MaxJobsPU|GrpTRES", "3|cpu=4"),
	 {"", "", ":MaxJobs=5:GrpTRES=cpu=9,mem=1024", "", ""},
	 "ACCOUNTCFG[b] MAXMEM=1024; $ " MODIFY
	 "account where name=b cluster=c set GrpTRES=mem=-1; | MaxJobsPU=3: of this and MaxJobs of "
	 "account b Slurm enforces one alone, and Maui would enforce both; | GrpTRES=cpu=4: of this"
	 " and GrpTRES of account b Slurm enforces one alone, and Maui would enforce both; "
	 "| MaxJobs=5: of this and MaxJobsPU of QOS q Slurm enforces one alone, and Maui would "
	 "enforce both; | GrpTRES=cpu=9: of this and GrpTRES of QOS q Slurm enforces one alone, "
	 "and Maui would enforce both; "},
	{QOS("LimitFactor", "2.000000"),
	 {"", "", ":GrpJobs=5", "", ""},
	 "| LimitFactor=2.000000; | GrpJobs=5: a QOS has a LimitFactor, by which Slurm multiplies "
	 "it; "},
	{NULL,
	 {"", "", ":GrpJobs=5", "", ""},
	 "| GrpJobs=5: the QOS are not known, and a limit of the same kind there would come "
	 "first; "},
};

static void read_case(const char *qos, const char *const of[5],
		      struct maui_import_accounting *accounting)
{
	const struct maui_import_complaints complaints = {complain, NULL};
	char dump[1024];

	if (qos)
		cr_assert_eq(
			maui_import_read_qos(accounting, "file", qos, strlen(qos), &complaints), 0);
	if (!of[0])
		return;
	snprintf(dump, sizeof(dump), TREE, of[0], of[1], of[2], of[3], of[4]);
	cr_assert_eq(maui_import_read_dump(accounting, "file", dump, strlen(dump), &complaints), 0);
}

static void say_limits(const struct maui_import_accounting *accounting)
{
	static const char before[] = "Slurm goes on enforcing it: ";

	for (size_t i = 0; i < accounting->limit_count; i++) {
		const struct maui_import_limit *limit = &accounting->limits[i];

		if (!*limit->value)
			continue;
		say("| %s=%s", limit->setting, limit->value);
		if (limit->effect) {
			cr_expect(!strncmp(limit->effect, before, strlen(before)));
			say(": %s", limit->effect + strlen(before));
		}
		say("; ");
	}
}

static void take_case(struct maui_import_accounting *accounting, bool enforced)
{
	static const char *const of_partitions[] = {"part"};
	const struct maui_import_priority priority = {0};
	const struct maui_import_site site = {of_partitions, 1, &priority, enforced};
	struct maui_import import;

	*said = '\0';
	maui_import_begin(&import);
	maui_import_take_limits(accounting, &site, &import);
	for (size_t i = 0; i < import.line_count; i++)
		say("%s %s; ", import.lines[i].key, import.lines[i].value);
	for (size_t i = 0; i < import.command_count; i++)
		say("$ %s; ", import.commands[i]);
	say_limits(accounting);
	maui_import_clear(&import);
}

Test(import_take, each_limit_becomes_a_line_or_says_why_not)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct maui_import_accounting accounting;

		maui_import_accounting_begin(&accounting);
		read_case(cases[i].qos, cases[i].of, &accounting);
		take_case(&accounting, true);
		cr_expect_str_eq(said, cases[i].result, "case %zu\nfound    %s\nexpected %s", i,
				 said, cases[i].result);
		maui_import_accounting_clear(&accounting);
	}
}

Test(import_take, nothing_is_taken_that_slurm_does_not_enforce)
{
	const char *const none[5] = {NULL};
	struct maui_import_accounting accounting;

	maui_import_accounting_begin(&accounting);
	read_case(QOS("GrpJobs", "5"), none, &accounting);
	take_case(&accounting, false);
	cr_expect_str_eq(said, "| GrpJobs=5; ");
	maui_import_accounting_clear(&accounting);
}

Test(import_take, a_maui_cfg_names_so_many_gres)
{
	char qos[1024] = "Name|Priority|GrpTRES\nq|0|";
	const char *const none[5] = {NULL};
	struct maui_import_accounting accounting;

	for (int i = 1; i <= 17; i++)
		snprintf(qos + strlen(qos), sizeof(qos) - strlen(qos), "gres/g%d=1,", i);
	maui_import_accounting_begin(&accounting);
	read_case(qos, none, &accounting);
	take_case(&accounting, true);
	cr_expect(strstr(said, "MAXGRES[g16]=1; $ "), "%s", said);
	cr_expect(strstr(said, "| GrpTRES=gres/g17=1: a maui.cfg can name no more GRES; "), "%s",
		  said);
	maui_import_accounting_clear(&accounting);
}
