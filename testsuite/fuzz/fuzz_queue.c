/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as what `maui queue` saved and, after a 0xff, as the engine's answer, to the commands
 * that read them. The first byte selects the command. Neither Slurm nor our engine produces such
 * texts: but a saved queue may be edited, and an engine may be of another release.
 */
#include <string.h>

#include "contribs/maui/lib/command.h"
#include "testsuite/fuzz/answer.h"
#include "testsuite/fuzz/in_process.h"
#include "testsuite/fuzz/memory_files.h"
#include "testsuite/fuzz/require.h"

#define QUEUE " --queue-file=" MEMORY_DIRECTORY "queue.json"

/* Of `import`. */
#define CONF "fuzz.conf"
static const char conf[] = "AccountingStorageType=accounting_storage/slurmdbd\n"
			   "PriorityType=priority/multifactor\nPriorityWeightAge=1000\n"
			   "PriorityWeightJobSize=500\nPriorityFavorSmall=YES\n"
			   "PriorityWeightPartition=300\nPriorityWeightTRES=cpu=9,gres/gpu=70\n"
			   "GresTypes=gpu\nNodeName=n[1-2] CPUs=8 Gres=gpu:2\n"
			   "PartitionName=batch Nodes=ALL PriorityJobFactor=3\n"
			   "PartitionName=long Nodes=n1\n";

/* Those with a queue work without an engine, too. */
static const struct {
	const char *words;
	bool queue;
} commands[] = {
	{"queue" QUEUE, true},
	{"showq" QUEUE, true},
	{"showq -v -r" QUEUE, true},
	{"showq -i -u bob" QUEUE, true},
	{"showq -b -w qos=hi -p batch" QUEUE, true},
	{"checkjob 1" QUEUE, true},
	{"checkjob -v 2" QUEUE, true},
	{"checkjob -A 3_4" QUEUE, true},
	{"checknode -v n1" QUEUE, true},
	{"diagnose -j" QUEUE, true},
	{"diagnose -n -v" QUEUE, true},
	{"diagnose -t" QUEUE, true},
	{"diagnose -p -v" QUEUE, true},
	{"diagnose -q -v" QUEUE, true},
	{"diagnose -f -v" QUEUE, true},
	{"diagnose -r" QUEUE, true},
	{"diagnose -u -v" QUEUE, true},
	{"diagnose -Q" QUEUE, true},
	{"showbf -A -v" QUEUE, true},
	{"showbf -u bob -n 2 -d 1:00:00 -m >=100" QUEUE, true},
	{"showstart 1" QUEUE, true},
	{"showstart -e all 2" QUEUE, true},
	{"showstart 4@3600" QUEUE, true},
	{"showres -n" QUEUE, true},
	{"showstats" QUEUE, true},
	{"showstats -u" QUEUE, true},
	{"showstats -q hi" QUEUE, true},
	{"why 1" QUEUE, true},
	{"why 2" QUEUE, true},
	{"why 3_4" QUEUE, true},
	{"priority -v 1", false},
	{"explain-nodes 1", false},
	{"res explain 1", false},
	{"metrics", false},
	{"diff -v", false},
	{"status", false},
	{"disable", false},
	{"releaseres a", false},
	{"setres -u bob -d 60 n1", false},
	{"showconfig -v", false},
	{"schedctl -l FSWEIGHT", false},
	{"import --compare --slurm-conf=" MEMORY_DIRECTORY CONF QUEUE, true},
};
#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

static void run_both(const char *words)
{
	struct json_object *object;
	int code = run_json(words, &object), text = run_command(words, NULL, NULL);

	/* A program that cannot show as a table what it can print raw says so. */
	REQUIRE(text == code || text == EXIT_UNTRUSTED || text == EXIT_ERRORS);
	json_object_put(object);
}

static void add_conf(struct memory_files *files)
{
	struct memory_file *file;

	if (files->count == MEMORY_FILES)
		return;
	file = &files->list[files->count++];
	*file = (struct memory_file){CONF, conf, sizeof(conf) - 1};
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct memory_files files;
	size_t which = size ? data[0] % COMMANDS : 0;

	memory_files_split("queue.json", data + !!size, size - !!size, &files);
	answer = files.count > 1 ? &files.list[1] : NULL;
	add_conf(&files);
	memory_files_use(&files);
	engine_is(engine);
	run_both(commands[which].words);
	engine_is(NULL);
	if (commands[which].queue && !answer)
		run_both(commands[which].words);
	memory_files_use(NULL);
	return 0;
}
