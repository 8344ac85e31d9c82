/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Schedules of a few jobs on nodes, worked out by hand. Backfill takes its turn at 0, 30, 60, ...
 * Where nothing else is said, nodes are taken from the end of the list: LASTAVAILABLE is the
 * default.
 */
#include <errno.h>
#include <time.h>

#include "common/replay/nodes/sinfo.h"
#include "testsuite/unit/replay/nodes_fixture.h"

#define FIRST "RMPOLLINTERVAL 1\nNODEALLOCATIONPOLICY FIRSTAVAILABLE\n"
#define PRIORITIES                                                                                 \
	"CREDWEIGHT 1\nUSERWEIGHT 1\nUSERCFG[DEFAULT] PRIORITY=10\nUSERCFG[b] PRIORITY=100\n"
#define GPUS "2x8+gres/gpu:a100=4,1x8+gres/gpu:v100=2,1x8"

#define PLANNED  "NodeName|TimeStart|TimeEnd\n"
#define SURPRISE "NodeName|TimeStart|TimeEnd|State\n"

static const struct replay_example cases[] = {
	/* ---- which nodes ---- */
	{"FIRSTAVAILABLE is the order of the list", "3x4", FIRST, "", "0 2x9/9 a; 1 4x9/9 a",
	 "1 0 n1:2; 2 1 n1:2 n2:2"},
	{"LASTAVAILABLE the reverse of it", "3x4", "RMPOLLINTERVAL 1\n", "", "0 2x9/9 a; 1 4x9/9 a",
	 "1 0 n3:2; 2 1 n2:2 n3:2"},
	{"MINRESOURCE the node with the least memory", "1x4:1000,1x4:200,1x4:500",
	 "NODEALLOCATIONPOLICY MINRESOURCE\n", "", "0 2x9/9:m100 a", "1 0 n2:2"},
	{"CPULOAD the most idle one", "3x4", "NODEALLOCATIONPOLICY CPULOAD\n", "",
	 "0 2x9/9 a; 1 2x9/9 a; 2 4x9/9 a", "1 0 n3:2; 2 1 n2:2; 3 2 n1:4"},
	{"PRIORITY the greatest PRIORITYF", "3x4",
	 "NODEALLOCATIONPOLICY PRIORITY\nNODECFG[n2] PRIORITYF=\"10 - JOBCOUNT\"\n"
	 "NODECFG[DEFAULT] PRIORITYF=\"9 * 1\"\n",
	 "", "0 2x9/9 a", "1 0 n2:2"},
	{"FASTEST the fastest", "3x4",
	 "NODEALLOCATIONPOLICY FASTEST\nNODECFG[n2] SPEED=2\nNODECFG[n1] SPEED=1.5\n", "",
	 "0 6x9/9 a", "1 0 n1:3 n2:3"},
	{"a partition may have a policy of its own", "3x4",
	 FIRST "NODEALLOCATIONPOLICY[last] LASTAVAILABLE\n", "first=n1,n2,n3;last=n1,n2,n3",
	 "0 2x9/9 a - - first; 0 2x9/9 a - - last", "1 0 n1:2; 2 0 n3:2"},

	/* ---- how many ---- */
	{"tasks go round the nodes", "4x4", FIRST, "", "0 6x9/9 a; 20 6x9/9:n3 a",
	 "1 0 n1:3 n2:3; 2 20 n1:2 n2:2 n3:2"},
	{"as far as each can take them", "1x1,1x2,1x8", FIRST, "", "0 8x9/9 a",
	 "1 0 n1:1 n2:2 n3:5"},
	{"a job that wants more nodes than are free waits", "2x4", FIRST, "",
	 "0 4x100/100 a; 1 4x9/9:n2 a", "1 0 n1:4; 2 100 n1:2 n2:2"},
	{"processors of nodes that are half free add up", "2x4", FIRST, "",
	 "0 3x100/100 a; 1 3x100/100 a; 2 2x9/9 a", "1 0 n1:3; 2 1 n1:1 n2:2; 3 2 n2:2"},

	/* ---- memory ---- */
	{"each task has its part of the memory", "2x4:1000", FIRST, "",
	 "0 2x100/100:m1000 a; 1 1x9/9:m600 a; 2 2x9/9 a", "1 0 n1:2; 2 1 n2:1; 3 2 n1:2"},
	{"and waits for it", "1x4:1000", FIRST, "", "0 1x100/100:m600 a; 1 1x9/9:m600 a",
	 "1 0 n1:1; 2 100 n1:1"},
	{"memory bounds how many tasks a node takes", "2x4:1000", FIRST, "", "0 4x9/9:m1600 a",
	 "1 0 n1:2 n2:2"},
	{"a node whose memory is not known has enough", "1x4", FIRST, "",
	 "0 1x100/100:m600 a; 1 1x9/9:m600 a", "1 0 n1:1; 2 1 n1:1"},

	/* ---- features ---- */
	{"all features", "1x4+ib,1x4+ib+fast,1x4+fast", FIRST, "",
	 "0 1x9/9:cfast a; 0 1x9/9:cib&fast a; 0 1x9/9 a", "1 0 n2:1; 2 0 n2:1; 3 0 n1:1"},
	{"any feature", "1x4+slow,1x4+ib,1x4+fast", FIRST, "", "0 6x9/9:cfast|ib a",
	 "1 0 n2:3 n3:3"},
	{"a node with the feature is waited for", "1x4+fast,1x4", FIRST, "",
	 "0 4x100/100 a; 1 1x9/9:cfast a", "1 0 n1:4; 2 100 n1:1"},

	/* ---- GRES ---- */
	{"a GPU of any type", GPUS, FIRST, "", "0 4x9/9:ggpu=4 a; 1 2x9/9:ggpu=2 a",
	 "1 0 n1:4; 2 1 n2:2"},
	{"of one type", GPUS, FIRST, "", "0 2x9/9:ggpu.v100=1 a; 1 1x9/9:ggpu=1,gpu.v100=1 a",
	 "1 0 n3:2; 2 1 n3:1"},
	{"processors and GPUs are divided alike", GPUS, FIRST, "", "0 8x9/9:ggpu=8 a",
	 "1 0 n1:4 n2:4"},
	{"they are waited for", GPUS, FIRST, "",
	 "0 1x100/100:ggpu.v100=2 a; 1 1x9/9:ggpu.v100=1 a; 2 1x9/9 a",
	 "1 0 n3:1; 2 100 n3:1; 3 30 b n1:1"},
	{"more than 32 bits of a size", "1x4+gres/scratch=500G", FIRST, "",
	 "0 1x100/100:gscratch=322122547200 a; 1 1x9/9:gscratch=322122547200 a; 2 "
	 "1x9/9:gscratch=214748364800 a",
	 "1 0 n1:1; 2 100 n1:1; 3 30 b n1:1"},
	{"accounted in lower case", "1x4+gres/Scratch=500G", FIRST, "",
	 "0 1x9/9:gscratch=322122547200 a", "1 0 n1:1"},
	{"a limit on a size", "2x4+gres/scratch=500G", FIRST "USERCFG[a] MAXGRES[scratch]=400G\n",
	 "", "0 1x100/100:gscratch=322122547200 a; 1 1x9/9:gscratch=322122547200 a",
	 "1 0 n1:1; 2 100 n1:1"},
	{"a limit on GPUs", GPUS, FIRST "USERCFG[a] MAXGRES[gpu]=2\n", "",
	 "0 2x100/100:ggpu=2 a; 1 1x9/9:ggpu=1 a; 2 1x9/9 a; 3 1x9/9:ggpu.v100=1 b",
	 "1 0 n1:2; 2 100 n1:1; 3 2 n1:1; 4 3 n3:1"},

	/* ---- partitions ---- */
	{"a partition has its nodes", "3x4", FIRST, "x=n1;y=n2,n3",
	 "0 4x9/9 a - - y; 0 4x9/9 a - - x; 1 4x5/5 a - - x", "1 0 n2:4; 2 0 n1:4; 3 9 n1:4"},
	{"one that is full closes no other", "2x4", FIRST, "x=n1;y=n2",
	 "0 4x100/100 a - - x; 1 4x9/9 a - - x; 2 4x9/9 a - - y", "1 0 n1:4; 2 100 n1:4; 3 2 n2:4"},
	{"but its own nodes in others", "2x4", FIRST, "x=n1,n2;y=n2",
	 "0 4x100/100 a - - x; 1 8x9/9 a - - x; 2 4x29/29 a - - y",
	 "1 0 n1:4; 2 100 n1:4 n2:4; 3 30 b n2:4"},
	/* The plan of 100 is rounded down to 60. */
	{"which it needs until the second before", "2x4", FIRST, "x=n1,n2;y=n2",
	 "0 4x100/100 a - - x; 1 8x9/9 a - - x; 2 4x30/30 a - - y",
	 "1 0 n1:4; 2 100 n1:4 n2:4; 3 109 n2:4"},
	{"of which it leaves the rest", "3x4", FIRST, "x=n1,n2;y=n2,n3",
	 "0 4x100/100 a - - x; 1 8x9/9 a - - x; 2 4x60/60 a - - y",
	 "1 0 n1:4; 2 100 n1:4 n2:4; 3 2 n3:4"},

	/* ---- backfill ---- */
	{"the plan keeps whole nodes", "2x4", FIRST, "",
	 "0 4x600/600 a; 1 5x60/60 a; 2 1x900/900 a; 3 2x500/500 a",
	 "1 0 n1:4; 2 600 n1:3 n2:2; 3 600 n1:1; 4 30 b n2:2"},
	{"nodes that nobody ahead needs are used", "3x4", FIRST, "",
	 "0 8x600/600 a; 1 8x60/60 a; 2 1x900/900 a",
	 "1 0 n1:4 n2:4; 2 600 n1:4 n2:4; 3 30 b n3:1"},
	{"only jobs that end before the plan needs the node", "2x4", FIRST, "",
	 "0 3x600/600 a; 1 8x60/60 a; 2 1x500/500 a; 3 1x640/640 a",
	 "1 0 n1:3; 2 600 n1:4 n2:4; 3 30 b n1:1; 4 660 n1:1"},
	{"a plan may follow a plan", "1x4+a,1x4+b", FIRST, "",
	 "0 4x600/600:ca a; 1 4x60/60:ca a; 2 8x60/60 a; 3 4x900/900:cb a",
	 "1 0 n1:4; 2 600 n1:4; 3 660 n1:4 n2:4; 4 720 n2:4"},
	/* Of jobs that end at 600 and 660; of 600 and 661. */
	{"a plan waits for all of a group of ends", "3x4", FIRST, "",
	 "0 4x600/600 a; 1 4x659/659 a; 2 8x60/60 a; 3 4x620/620 a",
	 "1 0 n1:4; 2 1 n2:4; 3 650 n1:4 n3:4; 4 30 b n3:4"},
	{"but not for one that ends later", "3x4", FIRST, "",
	 "0 4x600/600 a; 1 4x660/660 a; 2 8x60/60 a; 3 4x620/620 a",
	 "1 0 n1:4; 2 1 n2:4; 3 600 n1:4 n3:4; 4 660 n1:4"},
	/* Windows begin at 660: the first job ends at 630, the others at 700 and 720, or 721. Once
	 * it has ended they begin at 720, and 721 is in the first. */
	{"the next group is twice as wide", "4x4", FIRST, "",
	 "0 4x630/630 a; 1 4x699/699 a; 2 4x718/718 a; 3 12x60/60 a; 4 4x660/660 a",
	 "1 0 n1:4; 2 1 n2:4; 3 2 n3:4; 4 700 n1:4 n2:4 n4:4; 5 30 b n4:4"},
	{"and no wider", "4x4", FIRST, "",
	 "0 4x630/630 a; 1 4x699/699 a; 2 4x719/719 a; 3 12x60/60 a; 4 4x660/660 a",
	 "1 0 n1:4; 2 1 n2:4; 3 2 n3:4; 4 721 n1:4 n2:4 n3:4; 5 630 b n4:4"},
	{"memory is planned for, too", "1x4:1000", FIRST, "",
	 "0 1x600/600:m600 a; 1 1x60/60:m900 a; 2 1x500/500:m300 a; 3 1x700/700:m300 a",
	 "1 0 n1:1; 2 600 n1:1; 3 30 b n1:1; 4 660 n1:1"},
	/* ---- reservations: seconds after a midnight, which was a Thursday's ---- */
	{"outsiders are kept out, insiders go in", "3x4",
	 FIRST "SRCFG[x] HOSTLIST=n1 PERIOD=INFINITY USERLIST=b\n", "", "0 4x9/9 a; 0 4x9/9 b",
	 "1 0 n2:4; 2 0 n1:4"},
	{"outsiders begin before it if they end before it", "2x4",
	 FIRST "SRCFG[x] HOSTLIST=n1 PERIOD=DAY STARTTIME=01:00:00 ENDTIME=02:00:00 USERLIST=b\n",
	 "", "0 4x3600/3600 a; 0 4x3601/3601 a; 0 4x60/3601 a", "1 0 n1:4; 2 0 n2:4; 3 3601 n2:4"},
	{"and when it is over", "1x4",
	 FIRST "SRCFG[x] HOSTLIST=ALL PERIOD=DAY ENDTIME=01:00:00 USERLIST=b\n", "", "0 4x9/9 a",
	 "1 3600 n1:4"},
	{"on the days that it says", "1x4",
	 FIRST "SRCFG[x] HOSTLIST=ALL PERIOD=DAY DAYS=FRI USERLIST=b\n", "",
	 "0 4x9/9 a; 86395 4x9/9 a", "1 0 n1:4; 2 172800 n1:4"},
	{"of a class", "2x4", FIRST "SRCFG[x] HOSTLIST=n1 PERIOD=INFINITY CLASSLIST=debug\n", "",
	 "0 4x9/9 a - - batch; 0 4x9/9 a - - debug; 1 8x9/9 a - - debug",
	 "1 0 n2:4; 2 0 n1:4; 3 9 n1:4 n2:4"},
	{"TIMELIMIT admits short jobs", "1x4",
	 FIRST "SRCFG[x] HOSTLIST=n1 PERIOD=INFINITY TIMELIMIT=00:01:00\n", "",
	 "0 1x60/60 a; 0 1x61/61 a", "1 0 n1:1; 2 never"},
	{"negative affinity: as a last resort", "2x4",
	 FIRST "SRCFG[x] HOSTLIST=n1 PERIOD=INFINITY USERLIST=b-\n", "", "0 2x9/9 b; 0 4x9/9 b",
	 "1 0 n2:2; 2 0 n1:2 n2:2"},
	{"a part of a node", "1x4",
	 FIRST "SRCFG[x] HOSTLIST=n1 TASKCOUNT=2 RESOURCES=PROCS:1 PERIOD=INFINITY USERLIST=b\n",
	 "", "0 2x100/100 a; 0 1x50/50 a; 0 2x50/50 b", "1 0 n1:2; 2 100 n1:1; 3 0 b n1:2"},
	{"whose insiders have nothing kept from others a second time", "1x4",
	 FIRST "SRCFG[x] HOSTLIST=n1 TASKCOUNT=2 RESOURCES=PROCS:1 PERIOD=INFINITY USERLIST=b\n",
	 "", "0 2x100/100 b; 1 2x50/50 a; 2 2x50/50 a", "1 0 n1:2; 2 1 n1:2; 3 51 n1:2"},
	{"an insider takes nothing of what the next instances keep off today's", "1x8",
	 FIRST "SRCFG[x] HOSTLIST=n1 TASKCOUNT=4 RESOURCES=PROCS:1 PERIOD=DAY DEPTH=3 "
	       "USERLIST=b\n",
	 "", "0 2x100/100 b; 1 4x20/20 a; 2 5x50/50 a", "1 0 n1:2; 2 1 n1:4; 3 never"},
	{"a job as long as two instances finds the parts of both kept", "1x8",
	 FIRST "SRCFG[x] HOSTLIST=n1 TASKCOUNT=3 RESOURCES=PROCS:1 PERIOD=DAY DEPTH=3 "
	       "USERLIST=b\n",
	 "", "0 5x50/50 a; 100 2x50/86401 a; 101 3x50/86401 a", "1 0 n1:5; 2 100 n1:2; 3 never"},
	{"without hosts it is where NODEALLOCATIONPOLICY puts it", "2x4",
	 FIRST "SRCFG[x] TASKCOUNT=4 RESOURCES=PROCS:1 PERIOD=INFINITY USERLIST=b\n", "",
	 "0 4x9/9 a; 0 4x9/9 b", "1 0 n2:4; 2 0 n1:4"},
	{"and what it lacks it gets when a job has ended", "2x4",
	 FIRST "SRCFG[x] TASKCOUNT=8 RESOURCES=PROCS:1 PERIOD=DAY ENDTIME=00:10:00 DEPTH=1 "
	       "USERLIST=b\n",
	 "", "600 4x85900/90000 a; 86501 4x9/9 a", "1 600 n1:4; 2 87000 n1:4"},
	{"LASTAVAILABLE takes the node whose reservation comes next", "3x4",
	 "RMPOLLINTERVAL 1\nSRCFG[x] HOSTLIST=n2 PERIOD=DAY STARTTIME=01:00:00 USERLIST=b\n", "",
	 "0 1x9/9 a; 0 1x9999/9999 a", "1 0 n2:1; 2 0 n3:1"},
	{"backfill plans around it", "2x4",
	 FIRST "SRCFG[x] HOSTLIST=n1 PERIOD=DAY STARTTIME=00:10:00 ENDTIME=00:20:00 USERLIST=b\n",
	 "", "0 4x60/60 a; 1 8x600/600 a; 2 4x500/500 a; 3 4x1100/1100 a",
	 "1 0 n1:4; 2 1200 n1:4 n2:4; 3 30 b n2:4; 4 1800 n1:4"},

	/* ---- from a queue ---- */
	{"what runs is where it is", "3x4", FIRST, "",
	 "@1000 10 4x9/9 a; 1000 4x100/100:r:pn2.4 b; 1000 2x50/50:r:pn1.2 b",
	 "1 1000 n1:2 n3:2; 2 1000 n2:4; 3 1000 n1:2"},
	{"what the machine does not have is not held", "1x4", FIRST, "",
	 "@1000 10 4x9/9 a; 1000 4x100/100:r:pother.4 b; 1000 2x50/50:r:pn1.1:pother.1 b",
	 "1 1050 n1:4; 2 1000; 3 1000 n1:1"},
	{"its memory and GPUs are held", "1x4:1000+gres/gpu=2", FIRST, "",
	 "@1000 10 1x9/9:m600 a; 20 1x9/9:ggpu=1 a; 1000 2x100/100:r:m600:ggpu=2:pn1.2 b",
	 "1 1100 n1:1; 2 1100 n1:1; 3 1000 n1:2"},

	{"priorities count", "2x4", FIRST PRIORITIES, "", "0 8x100/100 a; 1 4x9/9 a; 2 8x9/9 b",
	 "1 0 n1:4 n2:4; 2 109 n1:4; 3 100 n1:4 n2:4"},
};

/* Outages: known beforehand, or a surprise. */
static const struct {
	struct replay_example example;
	const char *outages;
} outage_cases[] = {
	{{"maintenance is known: who would not end before it does not begin", "2x4", FIRST, "",
	  "0 4x100/100 a; 0 4x101/101 a; 1 4x100/100 a", "1 0 n1:4; 2 0 n2:4; 3 101 n2:4"},
	 PLANNED "n1|100|300\n"},
	{{"and begins when it is over", "1x4", FIRST, "", "0 4x101/101 a; 1 1x50/50 a",
	  "1 300 n1:4; 2 30 b n1:1"},
	 PLANNED "n1|100|300\n"},
	{{"a node that goes down is not known of", "2x4", FIRST, "",
	  "0 4x101/101 a; 110 4x9/9 a; 111 4x9/9 a; 112 4x9/9 a",
	  "1 0 n1:4; 2 110 n2:4; 3 119 n2:4; 4 128 n2:4"},
	 SURPRISE "n1|100|300|DOWN\n"},
	{{"nor when it will be there again", "2x4", FIRST, "",
	  "0 4x50/50 a; 101 8x9/9 a; 102 1x5000/5000 a",
	  "1 0 n1:4; 2 5120 n1:4 n2:4; 3 120 b n2:1"},
	 SURPRISE "n1|100|300|DOWN\n"},
	{{"jobs that run there go on", "1x4", FIRST, "", "0 4x200/200 a; 1 4x9/9 a",
	  "1 0 n1:4; 2 300 n1:4"},
	 SURPRISE "n1|100|300|DRAIN\n"},
	{{"a reservation goes where nodes are up", "2x4",
	  FIRST "SRCFG[x] TASKCOUNT=4 RESOURCES=PROCS:1 PERIOD=INFINITY USERLIST=b\n", "",
	  "0 4x9/9 b", "1 0 n2:4"},
	 SURPRISE "n1|0|300|DOWN\n"},
};

static void use_utc(void)
{
	setenv("TZ", "UTC", 1);
	tzset();
}

Test(replay_nodes, jobs_begin_when_and_where_they_should, .init = use_utc)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		replay_check_example(&cases[i], NULL);
	for (size_t i = 0; i < sizeof(outage_cases) / sizeof(outage_cases[0]); i++)
		replay_check_example(&outage_cases[i].example, outage_cases[i].outages);
}

/* ---- what no node can take ---- */

Test(replay_nodes, jobs_that_no_nodes_can_hold_are_left_out)
{
	static const struct {
		const char *nodes, *job;
		size_t left;
	} tries[] = {
		{"2x4", "0 8x1/1 a", 1},
		{"2x4", "0 8x1/1:n3 a", 0},
		{"2x4:100", "0 1x1/1:m101 a", 0},
		{"2x4:100", "0 2x1/1:m200 a", 1},
		{"2x4", "0 1x1/1:m101 a", 1},
		{"2x4+fast", "0 1x1/1:cslow a", 0},
		{"2x4", "0 1x1/1:cslow a", 1},
		{"2x4+gres/gpu=2", "0 1x1/1:ggpu=3 a", 0},
		{"2x4", "0 1x1/1:ggpu=3 a", 1},
		{"2x4+gres/gpu=2", "0 2x1/1:ggpu=4 a", 1},
		{"2x4+gres/gpu=2", "0 3x1/1:ggpu=4 a", 0},
		{"2x4+fast", "0 1x1/1:c[slow*2] a", 1},
	};

	for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
		struct maui_replay_nodes *nodes = replay_nodes(tries[i].nodes);
		struct maui_replay_trace *trace = replay_trace(tries[i].job, (uint32_t)nodes->cpus);
		struct maui_replay_requests *requests = maui_replay_requests_new(trace, nodes);

		cr_expect_eq(trace->count, tries[i].left, "%s on %s", tries[i].job, tries[i].nodes);
		cr_expect_eq(trace->lacking[MAUI_REPLAY_NO_NODES], 1 - tries[i].left, "%s on %s",
			     tries[i].job, tries[i].nodes);
		maui_replay_requests_free(requests);
		maui_replay_trace_free(trace);
		maui_replay_nodes_free(nodes);
	}
}

/* ---- the option ---- */

Test(replay_nodes, kinds_of_nodes_are_read)
{
	struct maui_replay_nodes *nodes = replay_nodes(
		"2x16:64000,gpu[08-09]=64:512000+nvme+gres/gpu:a100=4+gres/shard=8,x=1");
	static const char *const names[] = {"n1", "n2", "gpu08", "gpu09", "x"};

	cr_assert_eq(nodes->count, 5);
	for (uint32_t i = 0; i < 5; i++) {
		cr_expect_str_eq(nodes->nodes[i].name, names[i]);
		cr_expect_eq(maui_replay_nodes_find(nodes, names[i]), i);
	}
	cr_expect_eq(nodes->nodes[1].cpus, 16);
	cr_expect_eq(nodes->nodes[1].memory, 64000);
	cr_expect_eq(nodes->nodes[1].feature_count, 0);
	cr_expect_eq(nodes->nodes[3].feature_count, 1);
	cr_expect_eq(nodes->nodes[3].gres_count, 2);
	cr_expect_eq(nodes->nodes[3].gres[0].count, 4);
	cr_expect_eq(nodes->nodes[3].gres[1].count, 8);
	cr_expect_str_eq(maui_intern_name(nodes->gres, nodes->nodes[3].gres[0].gres), "gpu:a100");
	cr_expect_eq(nodes->nodes[4].memory, 0);
	cr_expect_eq(nodes->cpus, 161);
	maui_replay_nodes_free(nodes);
}

/* What separates kinds and items is no separator in the name of a GRES. */
Test(replay_nodes, names_of_gres_are_read)
{
	static const char *const names[] = {"gpu:1g.10gb+me", "q;z", "q|z", "q[z", "q]z", "q'z",
					    "t:a\"b",         "q)z"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct maui_replay_nodes *nodes;
		char text[128];

		snprintf(text, sizeof(text), "a[1,2]=4+fast+gres/%s=3+large,1x8", names[i]);
		nodes = replay_nodes(text);
		cr_assert_eq(nodes->count, 3, "%s", text);
		cr_expect_eq(nodes->nodes[0].feature_count, 2, "%s", text);
		cr_assert_eq(nodes->nodes[0].gres_count, 1, "%s", text);
		cr_expect_eq(nodes->nodes[0].gres[0].count, 3, "%s", text);
		cr_expect_str_eq(maui_intern_name(nodes->gres, nodes->nodes[0].gres[0].gres),
				 names[i]);
		maui_replay_nodes_free(nodes);
	}
}

Test(replay_nodes, what_cannot_be_nodes_is_refused)
{
	static const char *const bad[] = {
		"",
		"x",
		"4",
		"4x",
		"x4",
		"0x4",
		"4x0",
		"4x4:",
		"4x4:1x",
		"4x4+",
		"4x4++a",
		"4x4+gres/",
		"4x4+gres/gpu",
		"4x4+gres/gpu+gres/x=1",
		"4x4+gres/=1",
		"4x4+gres/gpu=x",
		"4x4+a=b",
		"4x4+gpu:4",
		"4x4,",
		",4x4",
		"a=4,a=4",
		"n2=4,1x4",
		"a[1=4",
		"a[1-70000]=4",
		"=4",
		"999999999x1",
		"1x99999999",
		"1x1:9999999999999",
		"1x1+gres/gpu=4x",
		"n[1-3=4",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct maui_replay_nodes *nodes = maui_replay_nodes_new();
		struct maui_error error = {""};

		cr_expect_eq(maui_replay_nodes_read(nodes, bad[i], &error), -EINVAL, "%s", bad[i]);
		cr_expect(*error.text, "%s", bad[i]);
		maui_replay_nodes_free(nodes);
	}
}

Test(replay_nodes, a_gres_beyond_the_last_leaves_no_trace)
{
	struct maui_replay_nodes *nodes = maui_replay_nodes_new();
	struct maui_error error = {""};
	char gres[16];

	for (uint32_t i = 0; i <= MAUI_REPLAY_MAX_GRES; i++) {
		char name[16];

		snprintf(name, sizeof(name), "n%u", i);
		snprintf(gres, sizeof(gres), "g%u", i);
		cr_expect_eq(maui_replay_nodes_add(nodes, name, 4, 0, "", gres, &error),
			     i < MAUI_REPLAY_MAX_GRES ? 0 : -EINVAL, "%s", gres);
	}
	cr_expect(strstr(error.text, gres), "%s", error.text);
	cr_expect_eq(nodes->count, MAUI_REPLAY_MAX_GRES);
	cr_expect_eq(maui_intern_count(nodes->gres), MAUI_REPLAY_MAX_GRES);
	cr_expect_eq(maui_replay_gres_mask(nodes, gres), 0);
	cr_expect_eq(maui_replay_gres_mask(nodes, "g63"), UINT64_C(1) << 63);
	cr_expect_eq(maui_replay_nodes_add(nodes, "last", 4, 0, "", "g0,g63", &error), 0);
	maui_replay_nodes_free(nodes);
}

static void keep_line(void *context, uint32_t line, uint32_t column, const char *text)
{
	snprintf(context, sizeof(((struct maui_error *)0)->text), "%u:%u: %s", line, column, text);
}

Test(replay_nodes, features_and_nodes_of_outages_are_bounded)
{
	struct maui_replay_nodes *nodes = replay_nodes("2x4");
	struct maui_replay_outages outages = {.node_count = MAUI_REPLAY_MAX_OUTAGE_NODES - 1};
	static const char text[] = "NodeName|TimeStart|TimeEnd\nn[1-2]|100|200\n";
	struct maui_error error = {""};
	struct maui_replay_complaints complaints = {keep_line, error.text};
	char features[2 * (MAUI_REPLAY_MAX_FEATURES + 1) + 1] = "f";

	for (size_t i = 1; i < MAUI_REPLAY_MAX_FEATURES; i++)
		memcpy(&features[2 * i - 1], ",f", 3);
	cr_expect_eq(maui_replay_nodes_add(nodes, "a", 4, 0, features, "", &error), 0);
	memcpy(&features[2 * MAUI_REPLAY_MAX_FEATURES - 1], ",f", 3);
	cr_expect_eq(maui_replay_nodes_add(nodes, "b", 4, 0, features, "", &error), -EINVAL);
	cr_expect_str_eq(error.text, "b: more than 1024 features");
	cr_expect_eq(nodes->count, 3);
	cr_assert_eq(maui_replay_outages_read(&outages, nodes, text, strlen(text), &complaints), 0);
	cr_expect_str_eq(error.text, "2:1: with these, more than 67108864 nodes of outages");
	cr_expect_eq(outages.count, 0);
	cr_expect_eq(outages.node_count, MAUI_REPLAY_MAX_OUTAGE_NODES - 1);
	maui_replay_outages_clear(&outages);
	maui_replay_nodes_free(nodes);
}

Test(replay_nodes, a_line_of_sinfo_is_one_node)
{
	static const char text[] = "NODELIST|CPUS|PARTITION\nn[1-100]|16|a\nn2|8|a\n";
	struct maui_replay_nodes *nodes = maui_replay_nodes_new();
	struct maui_error said = {""};
	struct maui_replay_complaints complaints = {keep_line, said.text};
	size_t bad_lines = 0;

	cr_assert_eq(maui_replay_sinfo_read(nodes, text, strlen(text), &complaints, &bad_lines), 0);
	cr_expect_str_eq(said.text, "2:1: more than one node: sinfo -N");
	cr_expect_eq(bad_lines, 1);
	cr_assert_eq(nodes->count, 1);
	cr_expect_str_eq(nodes->nodes[0].name, "n2");
	cr_expect_eq(nodes->partition_count, 1);
	maui_replay_nodes_free(nodes);
}

Test(replay_nodes, texts_of_slurm_are_read)
{
	struct maui_replay_nodes *nodes = maui_replay_nodes_new();
	struct maui_error error = {""};

	cr_assert_eq(maui_replay_nodes_add(nodes, "a", 4, 0, "", "gpu:a100:2(S:0,1),:4", &error),
		     -EINVAL);
	cr_expect(strstr(error.text, ":4"), "%s", error.text);
	cr_assert_eq(maui_replay_nodes_add(nodes, "a", 4, 0, "ib,,fast",
					   "gpu:a100:2(S:0,1),gpu:a100:1,shard:1K(S:0),nic,fs:2M",
					   &error),
		     0, "%s", error.text);
	cr_expect_eq(nodes->nodes[0].feature_count, 2);
	cr_assert_eq(nodes->nodes[0].gres_count, 4);
	cr_expect_eq(nodes->nodes[0].gres[3].count, 2 << 20);
	cr_expect_eq(nodes->nodes[0].gres[0].count, 3);
	cr_expect_eq(nodes->nodes[0].gres[1].count, 1024);
	cr_expect_eq(nodes->nodes[0].gres[2].count, 1);
	maui_replay_nodes_free(nodes);
}
