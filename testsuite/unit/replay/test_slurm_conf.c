/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Machines from texts of slurm.conf, as one line each; and what is wrong with texts. */
#include <criterion/criterion.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/replay/nodes/partitions.h"
#include "common/replay/slurm_conf/slurm_conf.h"
#include "common/util/memory.h"

#define NODE "NodeName=n CPUs=1\n"

/* ---- files, and what is said ---- */

static char said[1024];
static unsigned int files_read;

/* Two that can be included. */
static int read_file(void *context, const char *path, char **ret_text, size_t *ret_size)
{
	const char *text = NULL;

	(void)context;
	files_read++;
	if (!strcmp(path, "/etc/nodes.conf"))
		text = "NodeName=i[1-2] CPUs=2\nbad\n";
	else if (!strcmp(path, "/etc/blue.conf"))
		text = "NodeName=blue CPUs=2\n";
	else if (!strcmp(path, "/etc/loop.conf"))
		text = "Include loop.conf\n";
	else if (!strcmp(path, "/etc/twice.conf"))
		text = "Include twice.conf\nInclude twice.conf\n";
	if (!text)
		return -EINVAL;
	*ret_text = maui_strdup(text);
	*ret_size = strlen(text);
	return 0;
}

static void complain(void *context, const struct maui_conf_place *place, const char *text)
{
	size_t used = strlen(said);

	(void)context;
	snprintf(said + used, sizeof(said) - used, "%s%s:%u:%u: %s", used ? "; " : "",
		 strrchr(place->file, '/') + 1, place->line, place->column, text);
}

static char warned[1024];

static void warn(void *context, const struct maui_conf_place *place, const char *text)
{
	size_t used = strlen(warned);

	(void)context;
	snprintf(warned + used, sizeof(warned) - used, "%s%u:%u: %s", used ? "; " : "", place->line,
		 place->column, text);
}

static char words_seen[256];

static void count_words(void *context, const struct maui_conf_word *words, size_t count)
{
	size_t used = strlen(words_seen);

	(void)context;
	snprintf(words_seen + used, sizeof(words_seen) - used, "%s%s=%s+%zu", used ? " " : "",
		 words->key, words->value, count - 1);
}

static int read_conf(const char *text, struct maui_replay_nodes *nodes,
		     struct maui_slurm_conf *ret_conf)
{
	static const struct maui_slurm_conf_files files = {
		.read = read_file, .complain = complain, .warn = warn, .line = count_words};

	*said = *warned = *words_seen = '\0';
	return maui_slurm_conf_read("/etc/slurm.conf", text, strlen(text), &files, nodes, ret_conf);
}

/* ---- a machine as a text ---- */

static struct {
	char text[1024];
	size_t used;
} out;

__attribute__((format(printf, 1, 2))) static void put(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	out.used += (size_t)vsnprintf(out.text + out.used, sizeof(out.text) - out.used, format,
				      arguments);
	va_end(arguments);
	cr_assert_lt(out.used, sizeof(out.text));
}

/* n1=4:8000+fast+gpu=2; 2!: jobs do not take it */
static void put_node(const struct maui_replay_nodes *nodes, const struct maui_replay_node *node)
{
	put("%s%s=%u", out.used ? " " : "", node->name, node->cpus);
	if (node->memory)
		put(":%" PRId64, node->memory);
	for (uint32_t i = 0; i < node->feature_count; i++)
		put("+%s", maui_intern_name(nodes->features, node->features[i]));
	for (uint32_t i = 0; i < node->gres_count; i++)
		put("+%s=%" PRIu64 "%s", maui_intern_name(nodes->gres, node->gres[i].gres),
		    node->gres[i].count,
		    node->no_consume >> (node->gres[i].gres - 1) & 1 ? "!" : "");
}

/* ; batch*[n1 n2] max 3600 default 60 nodes 2 closed */
static void put_partition(const struct maui_replay_nodes *nodes,
			  const struct maui_replay_partition *partition)
{
	const char *between = "";

	put("; %s%s[", partition->name, partition->is_default ? "*" : "");
	for (uint32_t i = 0; i < nodes->count; i++)
		if (maui_replay_has(partition->members, i)) {
			put("%s%s", between, nodes->nodes[i].name);
			between = " ";
		}
	put("]");
	if (partition->max_time)
		put(" max %" PRId64, partition->max_time);
	if (partition->default_time)
		put(" default %" PRId64, partition->default_time);
	if (partition->max_nodes)
		put(" nodes %u", partition->max_nodes);
	put("%s", partition->closed ? " closed" : "");
}

static const char *machine_text(const struct maui_replay_nodes *nodes,
				const struct maui_slurm_conf *conf)
{
	out.used = 0;
	*out.text = '\0';
	for (uint32_t i = 0; i < nodes->count; i++)
		put_node(nodes, &nodes->nodes[i]);
	for (uint32_t i = 0; i < nodes->partition_count; i++)
		put_partition(nodes, &nodes->partitions[i]);
	for (size_t i = 0; i < conf->away_count; i++)
		put("%s%s", i ? " " : "; away ", nodes->nodes[conf->away[i]].name);
	for (size_t i = 0; i < conf->ignored_count; i++)
		put("%s%s %zu", i ? ", " : "; ignored ", conf->ignored[i].name,
		    conf->ignored[i].count);
	return out.text;
}

/* ---- what is read ---- */

static const struct {
	const char *name, *text, *machine;
} cases[] = {
	/* lines */
	{"keys are in any case, and comments nothing",
	 "# all\nnodename=n1 CPUS=2 # NodeName=n2\nNODENAME=n3 cpus=1#x\n\n", "n1=2 n3=1"},
	{"a line goes on behind a \\", "NodeName=n \\\n CPUs=4 \\  \n RealMemory=10\n", "n=4:10"},
	{"and a \\ takes what follows as it is", "NodeName=n CPUs=2 Feature=a\\#b,c\\\\d\n",
	 "n=2+a#b+c\\d"},
	{"two of them end a line", "NodeName=n Feature=a\\\\\nNodeName=m\n", "n=1+a\\ m=1"},
	{"values may stand in quotes, with blanks", "NodeName=n CPUs=\"2\" Reason=\"a CPUs=3\"\n",
	 "n=2"},
	{"and blanks beside the sign", "NodeName = n CPUs= 2\tRealMemory =5\r\n", "n=2:5"},
	{"the last line may end without a newline", "NodeName=n CPUs=3", "n=3"},
	{"other lines are nobody's business", "SlurmctldHost=a(b)\nFuture_Key=x y=z\n" NODE, "n=1"},
	/* files */
	{"a file is included where it is named, and beside slurm.conf",
	 "ClusterName=blue\nNodeName=a\ninclude %c.conf\nNodeName=z\n", "a=1 blue=2 z=1"},
	/* nodes */
	{"range expressions", "NodeName=n[1-2],m[08-09] CPUs=2\n", "n1=2 n2=2 m08=2 m09=2"},
	{"processors are sockets, cores and threads",
	 "NodeName=a Sockets=2 CoresPerSocket=3 ThreadsPerCore=2\n"
	 "NodeName=b Boards=2 SocketsPerBoard=2 CoresPerSocket=4\nNodeName=c Boards=2\n"
	 "NodeName=d Sockets=2 CoresPerSocket=3 ThreadsPerCore=2 CPUs=6\nNodeName=e Procs=5\n",
	 "a=12 b=16 c=2 d=6 e=5"},
	{"DEFAULT is of what follows, and grows",
	 "NodeName=a\nNodeName=DEFAULT CPUs=4 RealMemory=9\nNodeName=b\nNodeName=DEFAULT CPUs=8\n"
	 "NodeName=c\nNodeName=d CPUs=2\n",
	 "a=1 b=4:9 c=8:9 d=2:9"},
	{"features and GRES", "NodeName=n Features=ib,fast Gres=gpu:a100:4,shard:8\n",
	 "n=1+ib+fast+gpu:a100=4+shard=8"},
	{"as slurmctld takes GRES: more than 65536", "NodeName=n Gres=gpu:a100:4,localtmp:200000\n",
	 "n=1+gpu:a100=4+localtmp=200000"},
	{"sizes", "NodeName=n gres=scratch:500G,disk:nvme:6T,x:2kb,y:1P\n",
	 "n=1+scratch=536870912000+disk:nvme=6597069766656+x=2000+y=1125899906842624"},
	{"what is not consumed",
	 "NodeName=n Gres=gpu:a100:4,bandwidth:lustre:no_consume:4G,VramPerGpu:no_consume:32G,a:No_"
	 "Consume\n",
	 "n=1+gpu:a100=4+bandwidth:lustre=4294967296!+VramPerGpu=34359738368!+a=1!"},
	{"devices and sockets",
	 "NodeName=n Gres=gpu:a100:4(S:0,1),gpu:h100:2(S:0-1),gpu(S:0),gpu:1g.5gb:7,shard:8\n",
	 "n=1+gpu:a100=4+gpu:h100=2+gpu=1+gpu:1g.5gb=7+shard=8"},
	{"a GRES in two pieces", "NodeName=n Gres=gpu:2,gpu:3\n", "n=1+gpu=5"},
	{"a type of NVML's",
	 "NodeName=n Gres=gpu:nvidia_rtx_pro_6000_blackwell_server_edition_4g.96gb:2\n",
	 "n=1+gpu:nvidia_rtx_pro_6000_blackwell_server_edition_4g.96gb=2"},
	{"a quoted value, and one that is continued",
	 "NodeName=n Gres=\"gpu:2,shard:8\" \\\n CPUs=2\n", "n=2+gpu=2+shard=8"},
	{"memory of the system is nobody's", "NodeName=n RealMemory=1000 MemSpecLimit=100\n",
	 "n=1:900"},
	{"and none counts if Slurm counts none",
	 "SelectTypeParameters=CR_Core\nNodeName=n RealMemory=1000\n", "n=1"},
	{"but with CR_Core_Memory",
	 "SelectTypeParameters=CR_CORE_MEMORY\nNodeName=n RealMemory=1000\n", "n=1:1000"},
	{"states",
	 "NodeName=a State=UNKNOWN\nNodeName=b State=down\nNodeName=c State=CLOUD\n"
	 "NodeName=d State=DRAIN\n",
	 "a=1 b=1 c=1 d=1; away b d"},
	{"nodes of the future are not there yet",
	 "NodeName=a\nNodeName=b[1-2] State=FUTURE\nPartitionName=p Nodes=a,b[1-2]\n",
	 "a=1; p[a]; ignored State=FUTURE 1"},
	{"DownNodes", "DownNodes=b\nNodeName=a,b,c\nDownNodes=c State=UNKNOWN\n",
	 "a=1 b=1 c=1; away b"},
	/* partitions */
	{"partitions may come before their nodes",
	 "PartitionName=p Nodes=n[1-2],m Default=yes\nPartitionName=all Nodes=ALL\n"
	 "NodeName=n[1-3],m\n",
	 "n1=1 n2=1 n3=1 m=1; p*[n1 n2 m]; all[n1 n2 n3 m]"},
	{"and have none", NODE "PartitionName=p\n", "n=1; p[]"},
	{"sets of nodes, by name and feature",
	 "NodeName=a,b Feature=x\nNodeName=c,d Feature=y\nNodeSet=s Feature=x Nodes=d\n"
	 "PartitionName=p Nodes=s,c\nPartitionName=q Nodes=s\n",
	 "a=1+x b=1+x c=1+y d=1+y; p[a b c d]; q[a b d]"},
	{"times",
	 NODE "PartitionName=a MaxTime=90\nPartitionName=b MaxTime=1:30\n"
	      "PartitionName=c MaxTime=2:00:30\nPartitionName=d MaxTime=7-0\n"
	      "PartitionName=e MaxTime=1-12:30\nPartitionName=f MaxTime=1-1:1:1\n"
	      "PartitionName=g MaxTime=INFINITE DefaultTime=60\n",
	 "n=1; a[] max 5400; b[] max 120; c[] max 7260; d[] max 604800; e[] max 131400; "
	 "f[] max 90120; g[] default 3600"},
	{"limits and states, and DEFAULT",
	 NODE "PartitionName=DEFAULT Nodes=n MaxNodes=4 State=UP\nPartitionName=a\n"
	      "PartitionName=b State=DRAIN MaxNodes=UNLIMITED\nPartitionName=c MaxNodes=0\n",
	 "n=1; a[n] nodes 4; b[n] closed; c[n] closed"},
	/* what has no effect */
	{"is counted, if it keeps anybody from anything",
	 "TopologyPlugin=topology/tree\nPreemptType=preempt/"
	 "none\nPreemptMode=OFF\nSchedulerParameters=bf_continue,bf_window=60\n"
	 "NodeName=a Weight=1 Port=7\nNodeName=b weight=2\n"
	 "PartitionName=p PriorityTier=2 OverSubscribe=NO AllowGroups=ALL Hidden=YES\n"
	 "PartitionName=q AllowGroups=x\n",
	 "a=1 b=1; p[]; q[]; ignored TopologyPlugin 1, Weight 2, PriorityTier 1, "
	 "AllowGroups 1, bf_continue 1"},
};

Test(slurm_conf, machines_are_read)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct maui_replay_nodes *nodes = maui_replay_nodes_new();
		struct maui_slurm_conf conf;

		cr_expect_eq(read_conf(cases[i].text, nodes, &conf), 0, "%s: %s", cases[i].name,
			     said);
		cr_expect_str_eq(said, "", "%s", cases[i].name);
		cr_expect_str_eq(warned, "", "%s: %s", cases[i].name, warned);
		cr_expect_str_eq(machine_text(nodes, &conf), cases[i].machine, "%s: %s",
				 cases[i].name, out.text);
		maui_slurm_conf_clear(&conf);
		maui_replay_nodes_free(nodes);
	}
}

/* What slurmctld corrects. Of all of it scenario replay_conf asks slurmctld itself. */
static const struct {
	const char *text, *machine, *warned;
} corrected[] = {
	{"NodeName=a CPUs=0x10\nNodeName=b CPUs=010 RealMemory=2K\nNodeName=c CPUs=+3\n",
	 "a=16 b=8:2048 c=3", ""},
	{"NodeName=n CPUs=UNLIMITED RealMemory=INFINITE\n", "n=65535:1099511627776", ""},
	{"NodeName=n RealMemory=99999999999999999999\n", "n=1:1099511627776", ""},
	{"NodeName=n RealMemory=0\n", "n=1", ""},
	{"NodeName=n CPUs=0\n", "n=1", "1:17: 0 counts as 1"},
	{"NodeName=n Boards=0 Sockets=0 CoresPerSocket=0 ThreadsPerCore=0\n", "n=1",
	 "1:19: 0 counts as 1; 1:29: 0 counts as 1; 1:46: 0 counts as 1; 1:63: 0 counts as 1"},
	{"NodeName=n Sockets=2 Boards=2 SocketsPerBoard=3\n", "n=6",
	 "1:20: Sockets does not count beside SocketsPerBoard"},
	{"NodeName=n CPUs=8 Sockets=2 CoresPerSocket=2\n", "n=4",
	 "1:17: neither sockets, cores nor threads: slurmctld counts 4 processors"},
	{"NodeName=n CPUs=7 CoresPerSocket=4\n", "n=4",
	 "1:17: neither sockets, cores nor threads: slurmctld counts 4 processors"},
	{"NodeName=n CPUs=8 CoresPerSocket=4\n", "n=8", ""},
	{"NodeName=n CPUs=4 Sockets=2 CoresPerSocket=2 ThreadsPerCore=2\n", "n=4", ""},
	{"NodeName=n CPUs=2 Sockets=2 CoresPerSocket=2 ThreadsPerCore=2\n", "n=2", ""},
	{"NodeName=n Sockets=999 CoresPerSocket=999\n", "n=14961",
	 "1:10: neither sockets, cores nor threads: slurmctld counts 14961 processors"},
	{"NodeName=DEFAULT CPUs=4\nNodeName=n Procs=8\n", "n=4", ""},
	{"NodeName=n RealMemory=5 MemSpecLimit=5\n", "n=1:5",
	 "1:38: as much as the node has: slurmctld leaves all of it to jobs"},
	{NODE "PartitionName=a Default=TRUE\nPartitionName=b Default=1\n"
	      "PartitionName=c Default=down\n",
	 "n=1; a[]; b*[]; c[]", ""},
	{NODE "PartitionName=p MaxTime=60 DefaultTime=61\n", "n=1; p[] max 3600",
	 "2:40: more than MaxTime: slurmctld takes MaxTime"},
	{NODE "PartitionName=p MaxTime=60 DefaultTime=INFINITE\n", "n=1; p[] max 3600", ""},
	{NODE "PartitionName=p MaxNodes=2k State=Upwards\nPartitionName=q MaxNodes=INFINITE\n",
	 "n=1; p[] nodes 2048; q[]", ""},
	{"NodeName=a,b,c\nPartitionName=p Nodes=\" a  b\"\nPartitionName=q Nodes=\"a, c \"\n",
	 "a=1 b=1 c=1; p[a b]; q[a c]", ""},
	{NODE "SchedulerParameters=bf_window=0,bf_interval=-2,bf_resolution=3601\n", "n=1",
	 "2:21: bf_interval=-2 is not -1 or from 1 to 10800: slurmctld takes 30; "
	 "2:21: bf_resolution=3601 is not from 1 to 3600: slurmctld takes 60; "
	 "2:21: bf_window=0 is not from 1 to 43200: slurmctld takes 1440"},
	{NODE "SchedulerParameters=bf_max_job_test=0,default_queue_depth=-1,bf_window_linear=x,"
	      "bf_min_prio_reserve=99999999999\n",
	 "n=1",
	 "2:21: default_queue_depth=-1 is not from 0 to 2147483647: slurmctld takes 100; "
	 "2:21: bf_max_job_test=0 is not from 1 to 1000000: slurmctld takes 500; "
	 "2:21: bf_min_prio_reserve=99999999999 is not from 1 to 4294967295: "
	 "backfill takes none, the main scheduler 1215752191; "
	 "2:21: bf_window_linear=x is not from 1 to 2147483647: slurmctld takes 0"},
	{NODE "SchedulerParameters=bf_interval=-1,bf_window=4294967297\n", "n=1", ""},
};

Test(slurm_conf, what_slurmctld_corrects_is_corrected)
{
	for (size_t i = 0; i < sizeof(corrected) / sizeof(corrected[0]); i++) {
		struct maui_replay_nodes *nodes = maui_replay_nodes_new();
		struct maui_slurm_conf conf;

		cr_expect_eq(read_conf(corrected[i].text, nodes, &conf), 0, "%s: %s",
			     corrected[i].text, said);
		cr_expect_str_eq(machine_text(nodes, &conf), corrected[i].machine, "%s: %s",
				 corrected[i].text, out.text);
		cr_expect_str_eq(warned, corrected[i].warned, "%s: %s", corrected[i].text, warned);
		maui_slurm_conf_clear(&conf);
		maui_replay_nodes_free(nodes);
	}
}

Test(slurm_conf, what_slurmctld_takes_is_taken)
{
	struct maui_replay_nodes *nodes = maui_replay_nodes_new();
	struct maui_slurm_conf conf;

	cr_assert_eq(read_conf("SchedulerParameters=BF_Window=10x,bf_window=20,bf_interval,"
			       "bf_max_job_test=010,default_queue_depth=0,bf_resolution=0\n"
			       "MaxArraySize=5000000\nResumeTimeout=UNLIMITED\n"
			       "SuspendTimeout=0x10\n" NODE,
			       nodes, &conf),
		     0, "%s", said);
	cr_expect_eq(conf.parameters.window, 600,
		     "the first, and what is behind it does not count");
	cr_expect_eq(conf.parameters.interval, 30, "no value");
	cr_expect_eq(conf.parameters.max_job_test, 10, "always decimal");
	cr_expect_eq(conf.parameters.queue_depth, 0);
	cr_expect_eq(conf.parameters.resolution, 60, "the default for what is out of range");
	cr_expect_eq(conf.max_array_size, 5000000);
	cr_expect_eq(conf.timeouts.resume, UINT16_MAX);
	cr_expect_eq(conf.timeouts.suspend, 16);
	maui_slurm_conf_clear(&conf);
	maui_replay_nodes_free(nodes);
}

Test(slurm_conf, parameters_of_the_schedulers_are_read)
{
	struct maui_replay_nodes *nodes = maui_replay_nodes_new();
	struct maui_slurm_conf conf;

	cr_assert_eq(read_conf("schedulerParameters=bf_window=2880,default_queue_depth=7,"
			       "bf_interval=60,bf_max_job_test=9,bf_resolution=600,"
			       "bf_min_prio_reserve=3\nMaxArraySize=500\n" NODE,
			       nodes, &conf),
		     0, "%s", said);
	cr_expect_eq(conf.parameters.window, 2880 * 60);
	cr_expect_eq(conf.parameters.queue_depth, 7);
	cr_expect_eq(conf.parameters.interval, 60);
	cr_expect_eq(conf.parameters.max_job_test, 9);
	cr_expect_eq(conf.parameters.resolution, 600);
	cr_expect_eq(conf.parameters.min_prio_reserve, 3);
	cr_expect_eq(conf.parameters.main_reserve, 3);
	cr_expect_not(conf.parameters.backfill_off);
	cr_expect_eq(conf.max_array_size, 500);
	maui_slurm_conf_clear(&conf);
	cr_assert_eq(read_conf("SchedulerParameters=\"bf_window=4294967298, bf_interval=-1\"\n"
			       "NodeName=k\n",
			       nodes, &conf),
		     0, "%s", said);
	cr_expect_eq(conf.parameters.window, 2 * 60, "as atoi() has it");
	cr_expect(conf.parameters.backfill_off);
	maui_slurm_conf_clear(&conf);
	cr_assert_eq(read_conf("SchedulerParameters=bf_min_prio_reserve=4294967298\nNodeName=l\n",
			       nodes, &conf),
		     0, "%s", said);
	cr_expect_eq(conf.parameters.min_prio_reserve, 0, "out of backfill's range");
	cr_expect_eq(conf.parameters.main_reserve, 2);
	maui_slurm_conf_clear(&conf);
	cr_assert_eq(read_conf("NodeName=m\n", nodes, &conf), 0, "%s", said);
	cr_expect_eq(conf.parameters.window, 86400, "Slurm's default");
	cr_expect_eq(conf.max_array_size, 0);
	maui_slurm_conf_clear(&conf);
	maui_replay_nodes_free(nodes);
}

/* ---- what is wrong ---- */

static const struct {
	const char *text, *said;
} wrong[] = {
	{"", "slurm.conf:1:1: there is no node"},
	{NODE "PartitionName=p\nfoo\n", "slurm.conf:3:1: this is not KEY=VALUE"},
	{NODE "a=1 =2\n", "slurm.conf:2:5: this is not KEY=VALUE"},
	{NODE "a=\n", "slurm.conf:2:1: there is no value"},
	{NODE "a=\"b c\n", "slurm.conf:2:3: this quote does not end"},
	{"NodeName=n \\\n CPUs=2 \\\n x\n", "slurm.conf:3:2: this is not KEY=VALUE"},
	{"NodeName=n \\\n CPUs=x\n",
	 "slurm.conf:2:7: a whole number from 0 to 65535 is needed, UNLIMITED or INFINITE"},
	{"NodeName=n CPUs=\"70000\"\n",
	 "slurm.conf:1:18: a whole number from 0 to 65535 is needed, UNLIMITED or INFINITE"},
	{NODE "NodeName=n\n", "slurm.conf:2:10: a second node n"},
	{"NodeName=n[1-2 CPUs=2\n", "slurm.conf:1:10: ']' is missing"},
	{"NodeName=n Gres=:4\n", "slurm.conf:1:10: GRES :4: NAME[:TYPE][:COUNT]"},
	{NODE "PartitionName=p Nodes=n,m\n", "slurm.conf:2:23: there is no node m"},
	{NODE "NodeSet=s Nodes=t\nNodeSet=t Nodes=n\nPartitionName=p Nodes=s\n",
	 "slurm.conf:2:17: there is no node t"},
	{NODE "PartitionName=p\nPartitionName=p\n", "slurm.conf:3:15: a second partition p"},
	{NODE "PartitionName=p MaxTime=1-\n",
	 "slurm.conf:2:25: a time is minutes, minutes:seconds, hours:minutes:seconds, days-hours, "
	 "..., or UNLIMITED"},
	{NODE "include other.conf\n", "slurm.conf:2:9: this cannot be included"},
	{"include nodes.conf\n", "nodes.conf:2:1: this is not KEY=VALUE"},
	{NODE "include loop.conf\n", "loop.conf:1:9: too many files include each other"},
	{"NodeName=a CPUs=x\nNodeName=b CPUs=y\n",
	 "slurm.conf:1:17: a whole number from 0 to 65535 is needed, UNLIMITED or INFINITE; "
	 "slurm.conf:2:17: a whole number from 0 to 65535 is needed, UNLIMITED or INFINITE"},
};

Test(slurm_conf, what_is_wrong_has_a_place)
{
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct maui_replay_nodes *nodes = maui_replay_nodes_new();
		struct maui_slurm_conf conf;

		cr_expect_eq(read_conf(wrong[i].text, nodes, &conf), -EINVAL, "%s", wrong[i].text);
		cr_expect_str_eq(said, wrong[i].said, "%s: %s", wrong[i].text, said);
		maui_slurm_conf_clear(&conf);
		maui_replay_nodes_free(nodes);
	}
}

/* Each of 15 levels would read twice as many as the one before it. */
Test(slurm_conf, files_that_include_each_other_twice_have_an_end)
{
	struct maui_replay_nodes *nodes = maui_replay_nodes_new();
	struct maui_slurm_conf conf;

	cr_expect_eq(read_conf(NODE "include twice.conf\n", nodes, &conf), -EINVAL);
	cr_expect_eq(files_read, MAUI_CONF_FILES);
	maui_slurm_conf_clear(&conf);
	maui_replay_nodes_free(nodes);
}

Test(slurm_conf, nodes_that_are_not_there_yet_are_bounded)
{
	struct maui_replay_nodes *nodes = maui_replay_nodes_new();
	struct maui_slurm_conf conf;

	cr_expect_eq(read_conf("NodeName=o CPUs=1\nNodeName=f[1-65536] State=FUTURE\n"
			       "NodeName=g[1-65536] State=FUTURE\n",
			       nodes, &conf),
		     0, "%s", said);
	maui_slurm_conf_clear(&conf);
	cr_expect_eq(read_conf("NodeName=p CPUs=1\nNodeName=f[1-65536] State=FUTURE\n"
			       "NodeName=g[1-65536] State=FUTURE\nNodeName=f1,h State=FUTURE\n",
			       nodes, &conf),
		     -EINVAL);
	cr_expect_str_eq(said, "slurm.conf:4:10: more than 131072 nodes");
	maui_slurm_conf_clear(&conf);
	maui_replay_nodes_free(nodes);
}

/* ---- what partitions mean for jobs ---- */

static void add(struct maui_replay_trace *trace, int64_t number, int64_t estimate, uint32_t nodes,
		const char *class)
{
	struct maui_replay_job job = {.submitted = number,
				      .started = MAUI_REPLAY_UNKNOWN,
				      .number = number,
				      .run = 100,
				      .estimate = estimate,
				      .nodes = nodes};

	job.credential[MAUI_CLASS] =
		maui_replay_trace_name(trace->names[MAUI_CLASS], class, strlen(class));
	maui_replay_trace_add(trace, &job, 1);
}

Test(slurm_conf, jobs_have_the_limits_of_their_partition)
{
	static const int64_t expected[][2] = {{1, 3600}, {2, 7200}, {3, 100},  {4, 600},
					      {6, 100},  {9, 100},  {11, 3600}};
	struct maui_replay_nodes *nodes = maui_replay_nodes_new();
	struct maui_replay_trace *trace = maui_replay_trace_new();
	struct maui_slurm_conf conf;

	cr_assert_eq(read_conf(NODE "PartitionName=d Default=YES MaxTime=120 DefaultTime=60\n"
				    "PartitionName=m MaxTime=120 MaxNodes=2\nPartitionName=o\n"
				    "PartitionName=c State=DOWN\n",
			       nodes, &conf),
		     0, "%s", said);
	add(trace, 1, MAUI_REPLAY_UNKNOWN, 0, "d"); /* DefaultTime */
	add(trace, 2, MAUI_REPLAY_UNKNOWN, 0, "m"); /* MaxTime */
	add(trace, 3, MAUI_REPLAY_UNKNOWN, 0, "o"); /* neither: the run time */
	add(trace, 4, 600, 0, "d");                 /* its own */
	add(trace, 5, 7201, 0, "m");                /* too long */
	add(trace, 6, 100, 2, "m");                 /* as many nodes as may be */
	add(trace, 7, 100, 3, "m");                 /* too many */
	add(trace, 8, 100, 0, "c");                 /* closed */
	add(trace, 9, 100, 9, "elsewhere");         /* a partition that is not there */
	add(trace, 10, 7201, 0, "");                /* none: the default one's MaxTime */
	add(trace, 11, MAUI_REPLAY_UNKNOWN, 0, ""); /* and DefaultTime */
	maui_replay_apply_partitions(trace, nodes);
	cr_assert_eq(trace->count, sizeof(expected) / sizeof(expected[0]));
	for (size_t i = 0; i < trace->count; i++) {
		cr_expect_eq(trace->jobs[i].number, expected[i][0]);
		cr_expect_eq(trace->jobs[i].estimate, expected[i][1], "job %" PRId64 ": %" PRId64,
			     trace->jobs[i].number, trace->jobs[i].estimate);
	}
	cr_expect_eq(trace->lacking[MAUI_REPLAY_MAX_TIME_OF], 2);
	cr_expect_eq(trace->lacking[MAUI_REPLAY_MAX_NODES_OF], 1);
	cr_expect_eq(trace->lacking[MAUI_REPLAY_MIN_NODES_OF], 0);
	cr_expect_eq(trace->lacking[MAUI_REPLAY_CLOSED], 1);
	cr_expect_eq(trace->lacking[MAUI_REPLAY_NO_ESTIMATE], 1);
	maui_slurm_conf_clear(&conf);
	maui_replay_trace_free(trace);
	maui_replay_nodes_free(nodes);
}

/* Nodes that jobs ask for and had: which of four partitions let them in. */
Test(slurm_conf, jobs_have_the_numbers_of_nodes_of_their_partition)
{
	static const struct {
		const char *partition;
		uint32_t nodes, had;
		enum maui_replay_lack why;
	} tries[] = {
		{"m", 1, 3, MAUI_REPLAY_MAX_NODES_OF}, {"m", 1, 2, MAUI_REPLAY_LACKS},
		{"m", 3, 0, MAUI_REPLAY_MAX_NODES_OF}, {"l", 1, 2, MAUI_REPLAY_MIN_NODES_OF},
		{"l", 1, 3, MAUI_REPLAY_LACKS},        {"l", 1, 0, MAUI_REPLAY_LACKS},
		{"b", 1, 0, MAUI_REPLAY_MAX_NODES_OF}, {"o", 1, 9, MAUI_REPLAY_LACKS},
	};
	struct maui_replay_nodes *nodes = maui_replay_nodes_new();
	struct maui_slurm_conf conf;

	cr_assert_eq(read_conf(NODE "PartitionName=m MaxNodes=2\nPartitionName=l MinNodes=3\n"
				    "PartitionName=b MinNodes=3 MaxNodes=2\nPartitionName=o\n",
			       nodes, &conf),
		     0, "%s", said);
	for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
		struct maui_replay_trace *trace = maui_replay_trace_new();

		add(trace, 1, 100, tries[i].nodes, tries[i].partition);
		trace->jobs[0].had_nodes = tries[i].had;
		maui_replay_apply_partitions(trace, nodes);
		cr_expect_eq(trace->count, tries[i].why == MAUI_REPLAY_LACKS, "try %zu", i);
		for (int lack = MAUI_REPLAY_CLOSED; lack <= MAUI_REPLAY_MIN_NODES_OF; lack++)
			cr_expect_eq(trace->lacking[lack], lack == (int)tries[i].why, "try %zu: %s",
				     i, maui_replay_lack_name((enum maui_replay_lack)lack));
		maui_replay_trace_free(trace);
	}
	maui_slurm_conf_clear(&conf);
	maui_replay_nodes_free(nodes);
}

Test(slurm_conf, each_line_is_passed_on_with_its_words)
{
	struct maui_replay_nodes *nodes = maui_replay_nodes_new();
	struct maui_slurm_conf conf;

	cr_assert_eq(read_conf("PriorityWeightAge=1 \\\n priorityflags=x\nInclude blue.conf\n",
			       nodes, &conf),
		     0);
	cr_assert_str_eq(words_seen, "PriorityWeightAge=1+1 NodeName=blue+1");
	maui_slurm_conf_clear(&conf);
	maui_replay_nodes_free(nodes);
}
