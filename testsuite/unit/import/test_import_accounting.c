/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts of sacctmgr: QOS, associations and limits as one line, and what is wrong with texts. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/import/import_accounting.h"

static char said[1024];

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
	cr_assert_str_eq(place->file, "file");
	say("%u:%u: %s", place->line, place->column, text);
}

static void say_accounting(const struct maui_import_accounting *accounting)
{
	for (size_t i = 0; i < accounting->qos_count; i++)
		say("%s %u; ", accounting->qos[i].name, accounting->qos[i].priority);
	for (size_t i = 0; i < accounting->assoc_count; i++) {
		const struct maui_import_assoc *assoc = &accounting->assocs[i];

		say("%s%s%s%s%s %u; ", assoc->account, assoc->user ? "/" : "",
		    assoc->user ? assoc->user : "", assoc->partition ? "@" : "",
		    assoc->partition ? assoc->partition : "", assoc->priority);
	}
	for (size_t i = 0; i < accounting->limit_count; i++)
		say("%s=%s of %s; ", accounting->limits[i].setting, accounting->limits[i].value,
		    accounting->limits[i].holder);
	if (accounting->shares)
		say("%zu shares", accounting->shares);
}

typedef int (*reader)(struct maui_import_accounting *accounting, const char *path, const char *text,
		      size_t size, const struct maui_import_complaints *complaints);

struct text_case {
	const char *text, *result; /* what is there, or what is wrong */
	bool wrong;
};

static void check_cases(reader read, const struct text_case *cases, size_t count)
{
	const struct maui_import_complaints complaints = {complain, NULL};

	for (size_t i = 0; i < count; i++) {
		struct maui_import_accounting accounting;
		int rc;

		*said = '\0';
		maui_import_accounting_begin(&accounting);
		rc = read(&accounting, "file", cases[i].text, strlen(cases[i].text), &complaints);
		cr_expect_eq(rc, cases[i].wrong ? -EINVAL : 0, "%s", cases[i].text);
		if (!rc)
			say_accounting(&accounting);
		cr_expect_str_eq(said, cases[i].result, "%s\nfound    %s\nexpected %s",
				 cases[i].text, said, cases[i].result);
		maui_import_accounting_clear(&accounting);
	}
}

Test(import_accounting, qos_are_read_by_the_names_of_columns)
{
	static const struct text_case cases[] = {
		{"Name|Priority\nnormal|0\nhigh|10\n", "normal 0; high 10; ", false},
		{"Name|Priority|\nnormal|0|\n\nhigh||\n", "normal 0; high 0; ", false},
		{"priority|MaxJobsPU|name|Descr|UsageFactor|GrpTRES\n"
		 "5|4|high|any|1.000000|cpu=8,gres/gpu:a100=2\n",
		 "high 5; MaxJobsPU=4 of QOS high; GrpTRES=cpu=8,gres/gpu:a100=2 of QOS high; ",
		 false},
		{"Name|Priority|PreemptMode|GraceTime|UsageFactor\nq|1|cluster|00:01:00|2.000000",
		 "q 1; GraceTime=00:01:00 of QOS q; UsageFactor=2.000000 of QOS q; ", false},
		{"Name|Priority|MaxWall\r\nq|1|1-0\r\n", "q 1; MaxWall=1-0 of QOS q; ", false},
		{"", "1:1: there is no QOS", true},
		{"Name|Priority\n", "1:1: there is no QOS", true},
		{"Name|Flags\nq|x\n",
		 "1:1: this is not what `sacctmgr -P show qos` prints: it has the columns Name and "
		 "Priority",
		 true},
		{"Name|Priority\nq|1|2|3\n",
		 "2:1: this line has not as many values as there are columns", true},
		{"Name|Priority\nq\n", "2:1: this line has not as many values as there are columns",
		 true},
		{"Name|Priority\nq|high\n", "2:3: a priority is a whole number", true},
		{"Name|Priority\na b|1\n", "2:1: maui.cfg cannot have this name", true},
		{"Name|Priority\nq|1\nQ|2\n", "3:1: this QOS stands here twice", true},
	};

	check_cases(maui_import_read_qos, cases, sizeof(cases) / sizeof(cases[0]));
}

/* Columns of the table that these lack, or none. */
static void check_missing(const char *columns, const char *missing)
{
	const struct maui_import_complaints complaints = {complain, NULL};
	struct maui_import_accounting accounting;
	char text[1024];

	snprintf(text, sizeof(text), "%s\n", columns);
	for (char *at = text; (at = strchr(at, ','));)
		*at = '|';
	maui_import_accounting_begin(&accounting);
	maui_import_read_qos(&accounting, "file", text, strlen(text), &complaints);
	cr_expect_str_eq(accounting.qos_missing ? accounting.qos_missing : "none", missing);
	maui_import_accounting_clear(&accounting);
}

Test(import_accounting, columns_that_are_missing_are_named)
{
	static const char all[] = MAUI_IMPORT_QOS_COLUMNS;
	const char *last = strstr(all, ",MaxSubmitPA,");
	char text[1024];

	check_missing(all, "none");
	snprintf(text, sizeof(text), "%sPA,Extra", all);
	check_missing(text, "MinTRES");
	snprintf(text, sizeof(text), "%.*s", (int)(last - all), all);
	check_missing(text, "MaxSubmitPA, MinPrioThres, MinTRES");
}

#define CLUSTER "Cluster - 'c'\n"

Test(import_accounting, associations_have_what_their_parents_have)
{
	static const struct text_case cases[] = {
		{"# nothing\n\n" CLUSTER, "root 0; ", false},
		{"Cluster - 'c':Fairshare=1:Priority=3\nParent - 'root'\n"
		 "User - 'root':AdminLevel='Administrator':Fairshare=1\n"
		 "Account - 'a':Description='x: y':Priority=5\nAccount - 'b'\nParent - 'a'\n"
		 "Account - 'a1'\nUser - 'u':Partition='p'\nUser - 'v':Priority=0\nParent - 'a1'\n"
		 "User - 'u'\r\n",
		 "root 3; root/root 3; a 5; b 3; a1 5; a/u@p 5; a/v 0; a1/u 5; 2 shares", false},
		{CLUSTER "Account - 'a':GrpTRES=cpu=8,gres/gpu:a100=2:GrpJobs=3:QOS='+x,y'\n",
		 "root 0; a 0; GrpTRES=cpu=8,gres/gpu:a100=2 of account a; GrpJobs=3 of account a; "
		 "QOS=+x,y of account a; ",
		 false},
		{CLUSTER "User - 'u':GrpTRES=gres/gpu:a100=2:MaxJobs=1\n",
		 "root 0; root/u 0; GrpTRES=gres/gpu:a100=2 of user u in account root; "
		 "MaxJobs=1 of user u in account root; ",
		 false},
		{"", "1:1: there is no cluster", true},
		{"Account - 'a'\n", "1:1: a line with the cluster comes first", true},
		{CLUSTER "Cluster - 'd'\n", "2:12: a second cluster", true},
		{CLUSTER "Parent - 'a'\n", "2:11: there is no such account before this line", true},
		{CLUSTER "Account - 'a'\nAccount - 'a'\n", "3:12: this account stands here twice",
		 true},
		{CLUSTER "Account - 'a\n", "2:12: this quote does not end", true},
		{CLUSTER "Account - 'a':x\n", "2:15: this is not KEY=VALUE", true},
		{CLUSTER "Account - 'a':Priority=x\n", "2:24: a priority is a whole number", true},
		{CLUSTER "Account - 'a':Description='x'y\n", "2:30: a colon is needed here", true},
		{CLUSTER "Account - 'a b'\n", "2:12: maui.cfg cannot have this name", true},
		{CLUSTER "Coordinator - 'a'\n",
		 "2:1: a line begins with QOS, Cluster, Parent, Account or User, and a name in "
		 "quotes",
		 true},
	};

	check_cases(maui_import_read_dump, cases, sizeof(cases) / sizeof(cases[0]));
}

/* Of the credentials: the lines, and after a bar what is different. */
Test(import_accounting, priorities_become_lines)
{
	static const struct maui_import_qos qos[] = {{"low", 0}, {"high", 4}};
	static const struct maui_import_assoc assocs[] = {
		{.account = "root"},
		{.account = "a", .priority = 2, .parent = "root"},
		{.account = "b", .parent = "root"},
		{.account = "a", .user = "u", .priority = 10, .parent = "a"},
		{.account = "b", .user = "u", .partition = "p", .priority = 8, .parent = "b"},
		{.account = "a", .user = "v", .priority = 1, .parent = "a"},
		{.account = "a", .user = "w", .priority = 2, .parent = "a"},
		{.account = "b", .user = "w", .priority = 5, .parent = "b"},
	};
	struct maui_import_priority priority = {
		.type = "priority/multifactor",
		.qos = qos,
		.qos_count = 2,
		.assocs = assocs,
		.assoc_count = 8,
		.weight = {[MAUI_IMPORT_QOS] = 2, [MAUI_IMPORT_ASSOC] = 20}};
	struct maui_import import;

	*said = '\0';
	maui_import_begin(&import);
	maui_import_translate_priority(&priority, &import);
	for (size_t i = 0; i < import.line_count; i++)
		say("%s %s; ", import.lines[i].key, import.lines[i].value);
	for (size_t i = 0; i < import.remark_count; i++)
		say("| %s", import.remarks[i].setting);
	cr_expect_str_eq(said, "QUEUETIMEWEIGHT 0; QOSWEIGHT 0.5; QOSCFG[high] PRIORITY=4; "
			       "ACCOUNTWEIGHT 2; ACCOUNTCFG[a] PRIORITY=2; USERWEIGHT 2; "
			       "USERCFG[u] PRIORITY=8; USERCFG[v] PRIORITY=-1; "
			       "| Priority of user w in account b");
	maui_import_clear(&import);
}
