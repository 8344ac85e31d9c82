# SPDX-License-Identifier: GPL-2.0-or-later
"""`maui check` beside a real Slurm: what slurm.conf contradicts, and names that Slurm does not know."""

from __future__ import annotations

import json
import unittest

from harness import USERS, Cluster

FIRST = USERS[0]

POLICY = f"""\
RMPOLLINTERVAL 1
NODEALLOCATIONPOLICY PRIORITY
QUEUETIMEWEIGHT[nowhere] 2
USERCFG[{FIRST}] MAXPROC=1000 MAXJOB=3
CLASSCFG[batch] MAX.WCLIMIT=12:00:00
CLASSCFG[gone] MAXJOB=1
NODECFG[n1] SPEED=2
NODECFG[n[1-3]] SPEED=3
NODECFG[m9] SPEED=3
BACKFILLPOLICY FIRSTFIT
SRCFG[trap] HOSTLIST=^n[0-13] USERLIST={FIRST}
SRCFG[both] HOSTLIST=n TASKCOUNT=1 USERLIST={FIRST}
SRCFG[none] HOSTLIST=m1 TASKCOUNT=1 USERLIST={FIRST}
SRCFG[any] TASKCOUNT=1 USERLIST={FIRST}
"""
# accounts and QOS, which slurmdbd knows or does not
NAMES = """\
ACCOUNTCFG[physics] MAXJOB=5
ACCOUNTCFG[alchemy] MAXJOB=5
QOSCFG[normal] MAXJOB=5
QOSCFG[gold] MAXJOB=5
SYSCFG QLIST=normal,silver
"""
CONTRARY = """\
SchedulerType=sched/builtin
SchedulerParameters=default_queue_depth=5
SelectTypeParameters=CR_Core,CR_LLN
PartitionName=batch MaxTime=60
EnforcePartLimits=ALL
"""


class CheckTest(unittest.TestCase):
    def findings(self, cluster: Cluster) -> dict[int, list[str]]:
        """The warnings on each line of the file."""
        done = cluster.run(["maui", "check", "--json", str(cluster.maui_cfg)], check=False)
        self.assertIn(done.returncode, (0, 1), done.stdout + done.stderr)
        found: dict[int, list[str]] = {}
        self.notes: list[str] = json.loads(done.stdout)["notes"]
        for problem in json.loads(done.stdout)["problems"]:
            self.assertEqual(problem["file"], str(cluster.maui_cfg))
            self.assertGreater(problem["column"], 0)
            found.setdefault(problem["line"], []).append(problem["text"])
        return found

    def expect(self, found: dict[int, list[str]], line: int, text: str) -> None:
        self.assertTrue(any(text in each for each in found.get(line, [])), f"{line}: {text}: {found}")

    def test_contradictions_and_unknown_machinery(self) -> None:
        with Cluster(
            nodes=2, cpus=4, maui_cfg=POLICY, slurm_conf=CONTRARY, stock_select=True
        ) as cluster:
            found = self.findings(cluster)
            alone = "SelectType=select/cons_tres" if cluster.names_our_select() else "PluginDir="
            self.expect(found, 2, alone)
            self.expect(found, 2, "SelectTypeParameters in slurm.conf has CR_LLN")
            self.expect(found, 3, "QUEUETIMEWEIGHT[nowhere]: Slurm has no partition nowhere")
            self.expect(found, 4, "MAXPROC has no effect: nothing can reach 1000 processors, as Slurm has 8")
            self.expect(found, 4, "lacks bf_min_prio_reserve=2")
            self.expect(found, 4, "default_queue_depth=5 in slurm.conf is low")
            self.expect(found, 5, "MaxTime of the partition in slurm.conf is shorter")
            self.expect(found, 5, "EnforcePartLimits=ALL sbatch refuses")
            self.expect(found, 6, "Slurm has no partition gone")
            self.assertNotIn(7, found)
            self.expect(found, 8, "Slurm does not have 1 of the 3 nodes, the first is n3")
            self.expect(found, 9, "Slurm has no node m9")
            self.expect(found, 10, "SchedulerType=sched/builtin")
            self.assertFalse([note for note in self.notes if "partitions" in note], self.notes)
            # ^n[0-13] is an expression: 0 to 1, or 3.
            self.assertEqual(
                [note for note in self.notes if note.startswith("SRCFG[")],
                [
                    "SRCFG[trap]: HOSTLIST takes 1 node: n1",
                    "SRCFG[both]: HOSTLIST takes 2 nodes: n[1-2]",
                    "SRCFG[none]: HOSTLIST takes no node",
                ],
            )
            # An ordinary user is told the same of what everybody may know.
            done = cluster.run(["maui", "check", str(cluster.maui_cfg)], user=FIRST, check=False)
            self.assertIn("maui.cfg:9:1: warning: NODECFG[m9]: Slurm has no node m9", done.stdout)

    def test_names_of_slurmdbd_and_a_slurm_that_fits(self) -> None:
        policy = "RMPOLLINTERVAL 1\nNODEALLOCATIONPOLICY PRIORITY\n" + NAMES
        conf = "SchedulerParameters=bf_min_prio_reserve=1\nAccountingStorageEnforce=associations,qos\n"
        with Cluster(nodes=1, maui_cfg=policy, slurm_conf=conf, slurmdbd=True) as cluster:
            cluster.run("sacctmgr -i add account physics")
            found = self.findings(cluster)
            self.assertEqual(sorted(found), [4, 6, 7], found)
            self.expect(found, 4, "ACCOUNTCFG[alchemy]: Slurm has no account alchemy")
            self.expect(found, 6, "QOSCFG[gold]: Slurm has no QOS gold")
            self.expect(found, 7, "SYSCFG: QLIST: Slurm has no QOS silver: sacctmgr add qos silver")
            self.assertFalse([note for note in self.notes if "not checked" in note], self.notes)

    def test_another_select_plugin_and_no_slurmdbd(self) -> None:
        policy = "RMPOLLINTERVAL 1\nNODEALLOCATIONPOLICY PRIORITY\n" + NAMES
        conf = "SelectType=select/linear\nSelectTypeParameters=CR_Memory\n"
        with Cluster(nodes=1, maui_cfg=policy, slurm_conf=conf) as cluster:
            found = self.findings(cluster)
            self.expect(found, 2, "SelectType=select/linear in slurm.conf")
            self.expect(found, 3, "AccountingStorageEnforce in slurm.conf lacks associations")
            self.assertIn(
                "not checked: whether Slurm has the accounts, QOS that the file names "
                "(without slurmdbd it has none)",
                self.notes,
            )
