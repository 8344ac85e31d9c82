/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What slurmctld says of itself, and the slurm.conf that it becomes. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "common/import/import_running.h"

static const struct {
	const char *facts, *conf;
} cases[] = {
	{"", ""},
	{"x\n\nc\ncNothing\n", ""},
	/* settings: policy, what is set, and not Slurm's default */
	{"cClusterName=c1\ncSlurmUser=slurm(64030)\n", "ClusterName=c1 \n"},
	{"cPriorityWeightAge=1000\ncPriorityWeightTRES=(null)\ncPriorityFlags=\n",
	 "PriorityWeightAge=1000 \n"},
	{"cPriorityDecayHalfLife=7-00:00:00\ncPriorityCalcPeriod=00:05:00\n"
	 "cOverTimeLimit=0 min\ncPreemptExemptTime=00:00:00\n",
	 ""},
	{"cOverTimeLimit=5 min\n", "OverTimeLimit=\"5 min\" \n"},
	{"cPriorityNews=1\ncPreemptNews=2\ncSelectTypeParameters=CR_CORE_MEMORY\n",
	 "PriorityNews=1 \nPreemptNews=2 \nSelectTypeParameters=CR_CORE_MEMORY \n"},
	{"cPrioritySiteFactorParameters=a \"b\" #c \\d",
	 "PrioritySiteFactorParameters=\"a 'b' \\#c \\\\d\" \n"},
	/* nodes */
	{"nn1 4 1000 0 \nnn2 8 2000 100 gpu:a100:2(S:0,1),tape:1\nfn3\n",
	 "NodeName=n1 CPUs=4 RealMemory=1000 MemSpecLimit=0\n"
	 "NodeName=n2 CPUs=8 RealMemory=2000 MemSpecLimit=100 Gres=gpu:a100:2,tape:1\n"
	 "NodeName=n3 State=FUTURE\n"},
	/* partitions */
	{"pPartitionName=p AllowGroups=ALL AllowQos=ALL QoS=N/A  DefaultTime=NONE Nodes=n[1-2] "
	 "PriorityTier=1 OverTimeLimit=NONE TotalCPUs=8 TRES=cpu=8,mem=1G NodeSets=s "
	 "JobDefaults=(null) PriorityJobFactor=1 Exclusive=NO\n",
	 "PartitionName=p Nodes=n[1-2] PriorityJobFactor=1 \n"},
	{"cPreemptMode=REQUEUE\npPartitionName=p PreemptMode=REQUEUE Nodes=n1\n"
	 "pPartitionName=q PreemptMode=OFF QoS=night Later=1 Nodes=n1\n",
	 "PreemptMode=REQUEUE \nPartitionName=p Nodes=n1 \n"
	 "PartitionName=q PreemptMode=OFF QoS=night Later=1 Nodes=n1 \n"},
	{"pPartitionName=p word\n", "PartitionName=p word \n"},
};

Test(import_running, facts_become_what_a_site_could_have_written)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t size;
		char *conf =
			maui_import_running_conf(cases[i].facts, strlen(cases[i].facts), &size);

		cr_expect_str_eq(conf, cases[i].conf, "%s\nfound    %s\nexpected %s",
				 cases[i].facts, conf, cases[i].conf);
		cr_expect_eq(size, strlen(cases[i].conf));
		free(conf);
	}
}
