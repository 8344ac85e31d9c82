# SPDX-License-Identifier: GPL-2.0-or-later
"""NODECFG's MAXGRES: how many GPUs of a node jobs hold at a time, however they ask."""

from __future__ import annotations

import re
from collections import Counter

from gres_case import GresCase

FIRST = "NODEALLOCATIONPOLICY FIRSTAVAILABLE\n"
NODES = ("n1", "n2", "n3", "n4")


class GresNodes(GresCase):
    def starts(self, *options: str, user: str = "daemon") -> str:
        """Where it runs."""
        job = self.submit(*options, user=user)
        self.cluster.wait_for_state(job, "RUNNING")
        return self.cluster.job(job)["NodeList"]

    def waits(self, *options: str, user: str = "daemon") -> int:
        """It does not start, though a whole scheduling pass has looked at it."""
        job = self.submit(*options, user=user)
        after = self.cluster.sbatch("-t1", "-n1", "--mem=1", "--nodelist=n4", wrap="true")
        self.cluster.wait_for_state(after, "COMPLETED")
        self.assertEqual(self.cluster.job(job)["JobState"], "PENDING", options)
        return job

    def held(self) -> Counter[str]:
        """GPUs of each node that jobs have, by Slurm's records of the nodes."""
        text = self.cluster.run("scontrol --details --oneliner show nodes").stdout
        held: Counter[str] = Counter()
        for line in text.splitlines():
            used = re.search(r"GresUsed=gpu:\w+:(\d+)", line)
            name = re.search(r"NodeName=(\w+)", line)
            assert used and name, line
            held[name[1]] = int(used[1])
        return held

    def test_however_a_job_asks(self) -> None:
        on = "--nodelist=n1"
        for options in (
            ("--gres=gpu:2",),
            ("--gres=gpu:a100:2",),
            ("--gpus=2",),
            ("--gpus=2", "-N1"),
            ("--gpus-per-node=a100:2",),
            ("--gpus-per-task=1", "-n2", "-N1"),
            ("--sockets-per-node=1", "--gpus-per-socket=2", "-N1"),
        ):
            self.configure(FIRST + "NODECFG[n1] MAXGRES[gpu]=2\n")
            self.assertEqual(self.starts(*options, on), "n1", options)
            self.waits("--gres=gpu:1", on, user="bin")
            self.assertEqual(self.starts("--gres=gpu:1", user="bin"), "n2", options)
            self.assertEqual(self.starts(on), "n1", options)
            self.configure(FIRST + "NODECFG[n1] MAXGRES[gpu]=1\n")
            self.waits(*options, on)

    def test_whole_nodes_have_all(self) -> None:
        self.configure(FIRST + "NODECFG[n1] MAXGRES[gpu]=3\nNODECFG[n2] MAXGRES[gpu]=4\n")
        whole = ("--exclusive", "-N1", "--mem=0")
        self.waits(*whole, "--nodelist=n1")
        self.waits(*whole, "--gres=gpu:1", "--nodelist=n1")
        self.assertEqual(self.starts(*whole), "n2")

    def test_a_default_a_type_and_none(self) -> None:
        self.configure(
            FIRST
            + "NODECFG[DEFAULT] MAXGRES[gpu]=3 MAXGRES[gpu:a100]=1 MAXGRES[tape]=1\nNODECFG[n4] MAXGRES[gpu]=-1\n"
        )
        self.assertEqual(self.starts("--gres=gpu:a100:1"), "n1")
        self.assertEqual(self.starts("--gres=gpu:a100:1"), "n2")
        self.waits("--gres=gpu:a100:1")
        self.assertEqual(self.starts("--gres=gpu:2", user="bin"), "n3")
        self.assertEqual(self.starts("--gres=gpu:1"), "n3")
        self.assertEqual(self.starts("--gres=gpu:4", user="bin"), "n4")
        self.waits("--gres=gpu:1")
        self.assertEqual(self.starts("--gres=tape:1"), "n1")
        self.waits("--gres=tape:2")

    def test_what_slurm_chooses_counts(self) -> None:
        """Of --gpus a node may get any part, which is known once it is chosen: then others are tried."""
        self.configure(FIRST + "NODECFG[n[1-2]] MAXGRES[gpu]=1\n")
        self.assertEqual(self.starts("--gpus=2"), "n3")
        self.assertEqual(self.starts("--gpus=3", user="bin"), "n4")
        self.waits("--gpus=a100:2", "-N1")
        self.assertEqual(self.held(), Counter(n1=0, n2=0, n3=2, n4=3))

    def test_several_nodes(self) -> None:
        self.configure(FIRST + "NODECFG[n[1,3]] MAXGRES[gpu]=1\n")
        self.assertEqual(self.starts("-N2", "-n2", "--gpus-per-node=2"), "n[2,4]")
        self.assertEqual(self.starts("-N2", "-n2", "--gpus-per-node=1"), "n[1-2]")
        self.assertEqual(self.starts("-N3", "-n3", "--gpus-per-node=1", user="bin"), "n[2-4]")
        self.waits("-N2", "-n2", "--gpus-per-node=1", "--exclude=n4")

    def test_whoever_holds_them(self) -> None:
        """A suspended job does, and one of before a restart; one that has ended does not."""
        self.configure(FIRST + "NODECFG[n1] MAXGRES[gpu:a100]=2\n")
        two = ("--gpus=2", "--nodelist=n1")
        job = self.submit(*two)
        self.cluster.wait_for_state(job, "RUNNING")
        self.cluster.run(["scontrol", "suspend", str(job)])
        other = self.waits("--gres=gpu:1", "--nodelist=n1", user="bin")
        self.cluster.run(["scontrol", "resume", str(job)])
        self.cluster.restart()
        self.waits("--gres=gpu:1", "--nodelist=n1", user="sys")
        self.assertEqual(self.cluster.job(other)["JobState"], "PENDING")
        self.cluster.scancel(job)
        self.cluster.wait_for_state(other, "RUNNING")

    def test_however_a_job_ends(self) -> None:
        """What a job had is free again, and no more than that."""
        self.configure(FIRST + "NODECFG[n1] MAXGRES[gpu]=2\n")
        one = ("--gres=gpu:1", "--nodelist=n1")
        for how in ("cancel", "suspend", "requeuehold", "cancel"):
            jobs = [self.submit(*one, user="bin") for _ in range(2)]
            for job in jobs:
                self.cluster.wait_for_state(job, "RUNNING")
            other = self.waits(*one, user="sys")
            if how != "cancel":
                self.cluster.run(["scontrol", how, str(jobs[0])])
            if how == "requeuehold":
                self.cluster.wait_for_state(other, "RUNNING")
                self.waits(*one)
            self.cluster.cancel_all()

    def test_at_every_moment(self) -> None:
        """However many jobs start in one pass, and end."""
        limit = {"n1": 2, "n2": 3, "n3": 1, "n4": 4}
        self.configure("".join(f"NODECFG[{node}] MAXGRES[gpu]={most}\n" for node, most in limit.items()))
        kinds = (
            ("--gpus=1",),
            ("--gres=gpu:2",),
            ("--gpus=2",),
            ("--gpus-per-node=1", "-N2", "-n2"),
            ("--gpus-per-task=1", "-n3", "-N1"),
            ("--gpus=3", "-N2", "-n2"),
            ("--gres=gpu:h100:1",),
            ("--exclusive", "--nodelist=n4", "--mem=0"),
        )
        jobs = [
            self.cluster.sbatch(
                "-n1", "-t10", "--mem=10", *kinds[i % len(kinds)], user=("daemon", "bin", "sys")[i % 3],
                wrap=f"exec sleep {1 + i % 3}",
            )
            for i in range(48)
        ]  # fmt: skip
        most: Counter[str] = Counter()

        def done() -> bool:
            held = self.held()
            for node in NODES:
                self.assertLessEqual(held[node], limit[node], held)
            most.update({node: max(held[node] - most[node], 0) for node in NODES})
            return not self.cluster.squeue()

        self.cluster.wait_for(done, "all jobs to have run", 180)
        self.assertEqual(dict(most), limit)
        for job in jobs[-len(kinds) :]:
            self.assertEqual(self.cluster.job(job)["JobState"], "COMPLETED", job)

    def test_it_is_told(self) -> None:
        self.configure("NODECFG[n1] MAXGRES[gpu]=1,2 MAXGRES[gpu:a100]=1\n")
        told = self.cluster.run(["maui", "checknode", "n1"]).stdout
        self.assertIn("MAXGRES[gpu]=1,2", told)
        self.assertIn("MAXGRES[gpu:a100]=1", told)
        job = self.waits("--gres=gpu:3", "--nodelist=n1")
        data = self.cluster.maui("explain-nodes", str(job), "--json")
        self.assertEqual(data["left_out"]["limits"], 1)
        told = self.cluster.run(["maui", "showconfig"]).stdout
        self.assertIn("MAXGRES[gpu:a100]", told)
