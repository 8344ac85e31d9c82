/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lexical rules (D-CFG-17), one by one. */
#include "config_test.h"

Test(lines, a_parameter_is_a_name_and_a_value)
{
	static const struct case_of cases[] = {
		{"CREDWEIGHT 5", "CREDWEIGHT=5", NULL},
		{"CREDWEIGHT 5\n", "CREDWEIGHT=5", NULL},
		{"CREDWEIGHT\t5\t\n", "CREDWEIGHT=5", NULL},
		{"CREDWEIGHT 5\r\nUSERWEIGHT 6\r\n", "CREDWEIGHT=5 USERWEIGHT=6", NULL},
		{"CREDWEIGHT=5", "CREDWEIGHT=5", NULL},
		{"CREDWEIGHT = 5", "CREDWEIGHT=5", NULL},
		{"CREDWEIGHT '5'", "CREDWEIGHT=5", NULL},
		{"CREDWEIGHT \"5\"", "CREDWEIGHT=5", NULL},
		{"CREDWEIGHT 5 6 7", "CREDWEIGHT=5 ! W1:14", "takes one value; '6 7' is ignored"},
		{"CREDWEIGHT", "! E1:1", "CREDWEIGHT has no value"},
		{"CREDWEIGHT =", "! E1:1", "CREDWEIGHT has no value"},
		{"", "", NULL},
		{"\n\n  \n\t\n", "", NULL},
		{"\xef\xbb\xbf"
		 "CREDWEIGHT 5",
		 "CREDWEIGHT=5", NULL},
	};
	CHECK(cases);
}

Test(lines, leading_blanks_are_accepted_everywhere)
{
	static const struct case_of cases[] = {
		{"  CREDWEIGHT 5", "CREDWEIGHT=5", NULL},
		{"\tCREDWEIGHT 5", "CREDWEIGHT=5", NULL},
		{"  USERCFG[bob] PRIORITY=10", "USERCFG[bob] PRIORITY=10", NULL},
	};
	CHECK(cases);
}

Test(lines, names_are_known_in_any_case_and_credentials_only_in_their_own)
{
	static const struct case_of cases[] = {
		{"credweight 5", "CREDWEIGHT=5", NULL},
		{"CredWeight 5", "CREDWEIGHT=5", NULL},
		{"usercfg[bob] priority=10", "USERCFG[bob] PRIORITY=10", NULL},
		{"USERCFG[bob] PRIORITY=1\nUSERCFG[Bob] PRIORITY=2",
		 "USERCFG[bob] PRIORITY=1 USERCFG[Bob] PRIORITY=2", NULL},
		{"JOBPRIOACCRUALPOLICY fullpolicy", "JOBPRIOACCRUALPOLICY=FULLPOLICY", NULL},
	};
	CHECK(cases);
}

Test(lines, the_name_in_brackets_stands_directly_behind_the_section)
{
	static const struct case_of cases[] = {
		{"USERCFG[bob] PRIORITY=10", "USERCFG[bob] PRIORITY=10", NULL},
		{"USERCFG[ bob ] PRIORITY=10", "USERCFG[bob] PRIORITY=10", NULL},
		{"USERCFG[\tbob]\tPRIORITY=10", "USERCFG[bob] PRIORITY=10", NULL},
		{"USERCFG [bob] PRIORITY=10", "! E1:8", "without a blank before '['"},
		{"USERCFG[bob]PRIORITY=10", "USERCFG[bob] ! E1:13", "a blank is missing here"},
		{"USERCFG[bob]PRIORITY=10 FSTARGET=5", "USERCFG[bob] FSTARGET=5 ! E1:13", NULL},
		{"USERCFG[bob", "! E1:8", "']' is missing"},
		{"USERCFG[bob PRIORITY=10\nCREDWEIGHT 2", "CREDWEIGHT=2 ! E1:8", "']' is missing"},
		{"USERCFG[] PRIORITY=10", "! E1:8", "needs a name"},
		{"USERCFG[  ] PRIORITY=10", "! E1:8", "needs a name"},
		{"USERCFG PRIORITY=10", "! E1:8",
		 "needs a name in brackets, as in USERCFG[DEFAULT]"},
		{"USERCFG[bob]", "USERCFG[bob] ! W1:1", "gives USERCFG no attribute"},
		{"USERCFG[a[b] PRIORITY=1", "USERCFG[a[b] PRIORITY=1", NULL},
		{"SRCFG[0] TPN=4", "SRCFG[0] TPN=4", NULL},
	};
	CHECK(cases);
}

Test(lines, a_comment_goes_from_any_number_sign_to_the_end_of_the_line)
{
	static const struct case_of cases[] = {
		{"# CREDWEIGHT 5", "", NULL},
		{"   # CREDWEIGHT 5", "", NULL},
		{"CREDWEIGHT 5# five", "CREDWEIGHT=5", NULL},
		{"CREDWEIGHT 5 # five\nUSERWEIGHT 6", "CREDWEIGHT=5 USERWEIGHT=6", NULL},
		{"USERCFG[bob] PRIORITY=10 # FSTARGET=3", "USERCFG[bob] PRIORITY=10", NULL},
		{"NODECFG[a] PRIORITYF='LOAD # + SPEED'", "NODECFG[a] ! E1:22",
		 "(a '#' begins a comment inside quotes, too)"},
		{"CREDWEIGHT '5 # 6'", "! E1:12", "a '#' begins a comment inside quotes, too"},
		{"CREDWEIGHT 5 \\# five", "CREDWEIGHT=5 ! W1:15", "does not change that"},
		{"# a \\\nCREDWEIGHT 5", "CREDWEIGHT=5", NULL},
	};
	CHECK(cases);
}

Test(lines, a_backslash_joins_the_next_line)
{
	static const struct case_of cases[] = {
		{"USERCFG[bob] PRIORITY=10 \\\n  MAXJOB=3", "USERCFG[bob] PRIORITY=10 MAXJOB=3,3",
		 NULL},
		{"USERCFG[bob] PRIORITY=10\\\nMAXJOB=3", "USERCFG[bob] PRIORITY=10 MAXJOB=3,3",
		 NULL},
		{"USERCFG[bob] PRIORITY=10 \\  \t\n MAXJOB=3",
		 "USERCFG[bob] PRIORITY=10 MAXJOB=3,3", NULL},
		{"USERCFG[bob] PRIORITY=10 \\\r\n MAXJOB=3", "USERCFG[bob] PRIORITY=10 MAXJOB=3,3",
		 NULL},
		{"USERCFG[bob] PRIORITY=10 \\ # why\n MAXJOB=3",
		 "USERCFG[bob] PRIORITY=10 MAXJOB=3,3", NULL},
		{"CREDWEIGHT \\\n\\\n\\\n 5", "CREDWEIGHT=5", NULL},
		{"CREDWEIGHT 5 \\", "CREDWEIGHT=5", NULL},
		{"CREDWEIGHT 5 \\\n", "CREDWEIGHT=5", NULL},
		{"CREDWEIGHT \\ 5", "CREDWEIGHT=5", NULL},
		{"SRCFG[a] HOSTLIST=node\\.1", "SRCFG[a] HOSTLIST=node\\.1 ! W1:23",
		 "the original reads it as a blank"},
	};
	CHECK(cases);
}

Test(lines, problems_in_joined_lines_are_where_they_stand_in_the_file)
{
	static const struct case_of cases[] = {
		{"USERCFG[bob] \\\n  BOGUS=1 \\\n\tPRIORITY=abc\nUSERWEIGHT x",
		 "USERCFG[bob] ! W2:3 E3:11 E4:12", NULL},
		{"CREDWEIGHT \\\n   abc", "! E2:4", NULL},
		{"\n\n  USERCFG[bob] PRIORITY=1 BOGUS=2", "USERCFG[bob] PRIORITY=1 ! W3:27", NULL},
	};
	CHECK(cases);
}

Test(lines, quotes_keep_blanks_and_are_removed)
{
	static const struct case_of cases[] = {
		{"USERCFG[bob] PRIORITY='10'", "USERCFG[bob] PRIORITY=10", NULL},
		{"USERCFG[bob] PRIORITY=\"10\"", "USERCFG[bob] PRIORITY=10", NULL},
		{"NODECFG[n] PRIORITYF='PRIORITY + APROCS'",
		 "NODECFG[n] PRIORITYF=PRIORITY + APROCS", NULL},
		{"NODECFG[n] PRIORITY=1000 PRIORITYF='PRIORITY + APROCS' MAXJOB=2",
		 "NODECFG[n] PRIORITY=1000 MAXJOB=2,2 PRIORITYF=PRIORITY + APROCS", NULL},
		{"NODECFG[n] NODETYPE=\"it's\"", "NODECFG[n] NODETYPE=it's", NULL},
		{"SRCFG[a] USERLIST='bob,joe'", "SRCFG[a] USERLIST=bob|joe", NULL},
		{"SRCFG[a] USERLIST=\"bob,joe\"", "SRCFG[a] USERLIST=bob|joe", NULL},
		{"SRCFG[a] USERLIST='bob joe'", "SRCFG[a] USERLIST=bob joe", NULL},
		{"SRCFG[a] GROUPLIST=\"domain users\"", "SRCFG[a] GROUPLIST=domain users", NULL},
		{"SRCFG[a] GROUPLIST='!domain users',staff",
		 "SRCFG[a] GROUPLIST=!domain users|staff", NULL},
		{"SRCFG[a] GROUPLIST=\"staff, domain users \"",
		 "SRCFG[a] GROUPLIST=staff|domain users", NULL},
		{"USERCFG[bob] PRIORITY=''", "USERCFG[bob] ! W1:23", "PRIORITY has no value"},
		{"NODECFG[n] MAXJOB=1 PRIORITYF='LOAD + ", "NODECFG[n] MAXJOB=1,1 ! E1:31",
		 "this quote is not closed"},
		{"STATDIR 'a b'", "STATDIR=a b", NULL},
		{"STATDIR \"a b", "! E1:9", "this quote is not closed"},
	};
	CHECK(cases);
}

Test(lines, a_priority_function_that_cannot_be_read_is_an_error_at_its_column)
{
	static const struct case_of cases[] = {
		{"NODECFG[n] PRIORITYF=LOAD+lOAD", "NODECFG[n] ! E1:27", "write LOAD, not 'lOAD'"},
		{"NODECFG[n] PRIORITYF='LOAD + XYZZY'", "NODECFG[n] ! E1:30",
		 "there is no component 'XYZZY' (column 8 of the formula)"},
		{"NODECFG[n] PRIORITY=2 PRIORITYF='(LOAD)'", "NODECFG[n] PRIORITY=2 ! E1:34",
		 "no parentheses"},
	};
	CHECK(cases);
}

Test(lines, the_index_of_nodecfg_may_be_a_range_with_brackets_of_its_own)
{
	static const struct case_of cases[] = {
		{"NODECFG[node[01-16,20]] PRIORITY=2", "NODECFG[node[01-16,20]] PRIORITY=2", NULL},
		{"NODECFG[r[1-2]n[1-4],x] MAXPROC[CLASS:b]=2",
		 "NODECFG[r[1-2]n[1-4],x] MAXPROC[class:b]=2,2", NULL},
		{"NODECFG[node[5-1]] PRIORITY=2", "! E1:16", "the range ends before it begins"},
		{"NODECFG[node[1-99999999]] PRIORITY=2", "! E1:13", "too many names"},
		{"NODECFG[node[1-2] PRIORITY=2", "! E1:17", "']' is missing"},
		{"NODECFG[node1,] PRIORITY=2", "! E1:15", "a name is missing"},
		/* Other names may hold anything, as ever. */
		{"USERCFG[a,b] PRIORITY=2", "USERCFG[a,b] PRIORITY=2", NULL},
	};
	CHECK(cases);
}

Test(lines, blanks_around_the_equals_sign_lose_the_attribute_as_in_the_original)
{
	static const struct case_of cases[] = {
		{"USERCFG[bob] PRIORITY = 10 FSTARGET=5", "USERCFG[bob] FSTARGET=5 ! W1:14",
		 "without blanks around '='"},
		{"USERCFG[bob] PRIORITY =10 FSTARGET=5", "USERCFG[bob] FSTARGET=5 ! W1:14", NULL},
		{"USERCFG[bob] MAXJOB= 3 FSTARGET=5", "USERCFG[bob] FSTARGET=5 ! W1:21",
		 "without blanks after '='"},
		{"SRCFG[a] USERLIST= bob joe TPN=1", "SRCFG[a] TPN=1 ! W1:19", NULL},
		{"SRCFG[a] USERLIST=bob TPN = 1", "SRCFG[a] USERLIST=bob ! W1:23", NULL},
		{"USERCFG[bob] PRIORITY=", "USERCFG[bob] ! W1:23", "PRIORITY has no value"},
		{"USERCFG[bob] PRIORITY", "USERCFG[bob] ! W1:14", "PRIORITY has no value"},
		{"USERCFG[bob] =", "USERCFG[bob] ! W1:14", "belongs to no attribute"},
		{"USERCFG[bob] = 3", "USERCFG[bob] ! W1:14 W1:16", "belongs to no attribute"},
		{"USERCFG[bob] PRIORITY=1 junk", "USERCFG[bob] PRIORITY=1 ! W1:25",
		 "'junk' belongs to no attribute"},
	};
	CHECK(cases);
}

Test(lines, bare_words_behind_a_list_go_on_with_it)
{
	static const struct case_of cases[] = {
		{"SRCFG[special] QOSLIST=high low special-",
		 "SRCFG[special] QOSLIST=high|low|special- ! W1:29", "its next items"},
		{"SRCFG[a] USERLIST=bob joe ann- TPN=2",
		 "SRCFG[a] USERLIST=bob|joe|ann- TPN=2 ! W1:23", NULL},
		{"SRCFG[a] QOSLIST=normal= high", "SRCFG[a] QOSLIST=normal=|high ! W1:26", NULL},
		{"SRCFG[a] QOSLIST=high normal= debug= low-",
		 "SRCFG[a] QOSLIST=high|normal=|debug=|low- ! W1:23", NULL},
		{"SRCFG[a] DAYS=MON TUE WED", "SRCFG[a] DAYS=14 ! W1:19", NULL},
		{"SRCFG[a] FLAGS=BYNAME SPACEFLEX", "SRCFG[a] FLAGS=BYNAME|SPACEFLEX ! W1:23",
		 NULL},
		{"SRCFG[a] HOSTLIST=n1 n[2,3] n4", "SRCFG[a] HOSTLIST=n1|n[2,3]|n4 ! W1:22", NULL},
		{"USERCFG[bob] QLIST=hi low QDEF=hi", "USERCFG[bob] QLIST=hi|low QDEF=hi ! W1:23",
		 NULL},
		{"SRCFG[a] QOSLIST=high 'low est'", "SRCFG[a] QOSLIST=high|low est ! W1:23", NULL},
	};
	CHECK(cases);
}

Test(lines, an_index_of_a_parameter_is_a_partition)
{
	static const struct case_of cases[] = {
		{"CREDWEIGHT[batch] 10", "CREDWEIGHT[batch]=10", NULL},
		{"CREDWEIGHT[ batch ] 10", "CREDWEIGHT[batch]=10", NULL},
		{"CREDWEIGHT[batch]=10", "CREDWEIGHT[batch]=10", NULL},
		{"CREDWEIGHT 1\nCREDWEIGHT[batch] 10\nCREDWEIGHT[debug] 20",
		 "CREDWEIGHT=1 CREDWEIGHT[batch]=10 CREDWEIGHT[debug]=20", NULL},
		{"CREDWEIGHT[0] 10", "CREDWEIGHT=10", NULL},
		{"CREDWEIGHT[] 10", "CREDWEIGHT=10", NULL},
		{"RMPOLLINTERVAL[0] 30", "RMPOLLINTERVAL=30", NULL},
		{"RMPOLLINTERVAL[batch] 30", "! E1:16", "not to a partition"},
		{"CREDWEIGHT[batch 10", "! E1:11", "']' is missing"},
		{"CREDWEIGHT[batch]10", "! E1:18", "a blank belongs here"},
		{"CREDWEIGHT [batch] 10", "! E1:11", "without a blank before '['"},
		{"FSPOLICY [NONE]", "FSPOLICY=[NONE]", NULL},
	};
	CHECK(cases);
}

Test(lines, what_begins_no_line_is_an_error)
{
	static const struct case_of cases[] = {
		{"[bob] PRIORITY=1", "! E1:1", "begins with the name of a parameter"},
		{"= 5", "! E1:1", NULL},
		{"'CREDWEIGHT' 5", "! E1:1", NULL},
		{"CREDWEIGHT+10", "! E1:11", "a blank belongs here, not '+'"},
		{"CREDWEIGHT:10", "! E1:11", NULL},
		{"\xff\xfe 5", "! E1:1", "not with '?'"},
	};
	CHECK(cases);
}

Test(lines, the_system_has_no_name)
{
	static const struct case_of cases[] = {
		{"SYSCFG MAXJOB=5", "SYSCFG[] MAXJOB=5,5", NULL},
		{"SYSTEMCFG MAXJOB=5", "SYSCFG[] MAXJOB=5,5", NULL},
		{"SYSCFG[0] MAXJOB=5\nSYSCFG[DEFAULT] MAXPROC=6", "SYSCFG[] MAXJOB=5,5 MAXPROC=6,6",
		 NULL},
		{"SYSCFG[x] MAXJOB=5", "SYSCFG[] MAXJOB=5,5 ! W1:8", "SYSCFG takes no name"},
		{"ACCTCFG[jupiter] PRIORITY=10000", "ACCOUNTCFG[jupiter] PRIORITY=10000", NULL},
	};
	CHECK(cases);
}

Test(lines, later_lines_merge_with_earlier_ones_and_the_last_value_wins)
{
	static const struct case_of cases[] = {
		{"USERCFG[bob] PRIORITY=1\nUSERCFG[joe] PRIORITY=3\nUSERCFG[bob] FSTARGET=10",
		 "USERCFG[bob] PRIORITY=1 FSTARGET=10 USERCFG[joe] PRIORITY=3", NULL},
		{"USERCFG[bob] PRIORITY=1\nUSERCFG[bob] PRIORITY=2", "USERCFG[bob] PRIORITY=2",
		 NULL},
		{"USERCFG[bob] PRIORITY=1 PRIORITY=2", "USERCFG[bob] PRIORITY=2", NULL},
		{"CREDWEIGHT 1\nCREDWEIGHT 2", "CREDWEIGHT=2", NULL},
		{"CREDWEIGHT 1\nDIRECTSPECWEIGHT 2", "CREDWEIGHT=2", NULL},
		{"SRCFG[a] USERLIST=bob\nSRCFG[a] USERLIST=joe,ann-",
		 "SRCFG[a] USERLIST=bob|joe|ann-", NULL},
		{"SRCFG[a] USERLIST=a\nSRCFG[a] USERLIST=b\nSRCFG[a] USERLIST=c\nSRCFG[a] "
		 "USERLIST=d",
		 "SRCFG[a] USERLIST=a|b|c|d", NULL},
		{"SRCFG[a] FLAGS=BYNAME\nSRCFG[a] FLAGS=FORCE", "SRCFG[a] FLAGS=FORCE", NULL},
		{"SRCFG[a] FLAGS=BYNAME ACCESS=SHARED", "SRCFG[a] ACCESS=SHARED FLAGS=BYNAME",
		 NULL},
		{"SRCFG[a] HOSTLIST=a\nSRCFG[a] HOSTLIST=b", "SRCFG[a] HOSTLIST=b", NULL},
		{"USERCFG[bob] PRIORITY=5\nUSERCFG[bob] PRIORITY=abc",
		 "USERCFG[bob] PRIORITY=5 ! E2:23", NULL},
		{"USERCFG[bob] MAXJOB=1 MAXJOB[CLASS]=2 MAXJOB[CLASS:a]=3 MAXJOB[CLASS:a]=4",
		 "USERCFG[bob] MAXJOB=1,1 MAXJOB[class]=2,2 MAXJOB[class:a]=4,4", NULL},
	};
	CHECK(cases);
}
