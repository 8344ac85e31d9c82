# SPDX-License-Identifier: GPL-2.0-or-later
"""The switch from shadow mode: the order that it has predicted comes true, and each second of each user counts once.

The windows are made by the commands of install.md, as they stand there. The truth about usage is sacct's.
"""

from __future__ import annotations

import re
import unittest
from collections import Counter
from pathlib import Path
from typing import Any

from harness import Cluster, replace_file

INSTALL_MD = Path(__file__).resolve().parents[2] / "contribs" / "doc" / "install.md"

# Who uses less goes first: nobody uses more than the target, since priorities below 1 are all 1.
# More windows than the test lasts.
POLICY = """
RMPOLLINTERVAL     1
FSPOLICY           DEDICATEDPS
FSINTERVAL         1:00
FSDEPTH            32
FSDECAY            1
CHECKPOINTINTERVAL 5
QUEUETIMEWEIGHT    0
CREDWEIGHT         0
FSWEIGHT           1
FSUSERWEIGHT       1000
USERCFG[DEFAULT]   FSTARGET=80
"""

# Slurm's own order: --nice.
SHADOW = """
PriorityType=priority/multifactor
PriorityParameters=maui_mode=shadow
PriorityWeightAge=0
PriorityWeightAssoc=0
PriorityWeightFairshare=0
PriorityWeightJobSize=100000
PriorityWeightPartition=0
PriorityWeightQOS=0
"""

CPUS = 16
FILLER = "man"
# Processors that each user's first job has, most first: the order of who waits for longest in earnest.
SHARES = {"daemon": 8, "bin": 4, "sys": 2, "games": 1}


def commands_of_install_md() -> str:
    """From stopping slurmctld to starting it."""
    text = INSTALL_MD.read_text(encoding="utf-8")
    found = re.search(r"(?m)^    systemctl stop slurmctld\n((?:    .*\n)+?)    systemctl start slurmctld$", text)
    assert found, "install.md has no commands between stop and start"
    return re.sub(r"(?m)^    ", "", found[1])


class SwitchTest(unittest.TestCase):
    cluster: Cluster

    def setUp(self) -> None:
        self.cluster = self.enterContext(
            Cluster(nodes=1, cpus=CPUS, memory=16000, maui_cfg=POLICY, slurm_conf=SHADOW, slurmdbd=True,
                    stock_select=True)
        )
        self.slurm_conf = self.cluster.dir / "etc" / "slurm.conf"
        self.shadow_conf = self.slurm_conf.read_text(encoding="utf-8")
        self.wait_for_mode("shadow")

    # --- what is there

    def wait_for_mode(self, mode: str) -> None:
        def now() -> bool:
            done = self.cluster.run(["maui", "status", "--json"], check=False)
            return f'"mode":"{mode}"' in done.stdout

        self.cluster.wait_for(now, f"the engine's mode to be {mode}")

    def usage(self) -> dict[str, float]:
        """By user, at the time that it says of itself ("")."""
        found: dict[str, Any] = self.cluster.maui("diagnose", "-f", "--json")
        users = [row for row in found["credentials"]["user"] if row["name"] != "DEFAULT"]
        return {row["name"]: sum(row["windows"]) for row in users} | {"": found["counted"]}

    def order(self) -> list[int]:
        """Of the jobs that wait, by the priorities that the engine has given them."""
        rows = self.cluster.maui("diagnose", "-p", "--json")["jobs"]
        return [row["job"] for row in sorted(rows, key=lambda row: -row["priority"])]

    def slurms_order(self) -> list[int]:
        rows = self.cluster.squeue("--states=PENDING")
        return [int(row["id"]) for row in sorted(rows, key=lambda row: -int(row["priority"]))]

    def recorded(self) -> dict[str, float] | None:
        """Processor-seconds by user, of sacct; None while one of the jobs has no end."""
        done = self.cluster.run("sacct -D -X -a -n -P -S now-1hour -o User,Start,End,AllocCPUS,ElapsedRaw")
        used: Counter[str] = Counter()
        for line in done.stdout.splitlines():
            user, start, end, cpus, seconds = line.split("|")
            if end == "Unknown" and start != "Unknown":
                return None
            used[user] += int(cpus) * int(seconds)
        return {user: float(number) for user, number in used.items() if number}

    # --- what is done

    def run_one_of_each(self) -> None:
        jobs = [
            self.cluster.sbatch(f"-n{cpus}", "-t10", user=user, wrap="sleep 6") for user, cpus in SHARES.items()
        ]
        for job in jobs:
            self.cluster.wait_for_state(job, "COMPLETED")

    def fill(self) -> int:
        job = self.cluster.sbatch(f"-n{CPUS}", "-t60", user=FILLER)
        self.cluster.wait_for_state(job, "RUNNING")
        return job

    def queue_up(self) -> list[int]:
        """A job of each user: who has used most is first of Slurm's order."""
        return [
            self.cluster.sbatch("-n1", "-t5", f"--nice={100 * place}", user=user)
            for place, user in enumerate(SHARES)
        ]

    def switch(self, *, again: bool = False) -> None:
        """As install.md says. again: windows of an earlier time in charge are there."""
        select = "SelectType=select/cons_tres"
        if self.cluster.names_our_select():
            text = self.shadow_conf.replace(select, "SelectType=select/cons_tres_maui")
        else:
            text = re.sub(r"(?m)^PluginDir=([^:\n]*)", r"PluginDir=\1/maui:\1", self.shadow_conf)
        text = text.replace("PriorityType=priority/multifactor", "PriorityType=priority/maui")
        text = text.replace(",maui_mode=shadow", "").replace("bf_min_prio_reserve=1", "bf_min_prio_reserve=2")
        self.assertEqual(text.count("maui_mode"), 0)
        commands = commands_of_install_md()
        if again:
            commands = commands.replace("fs import --sacct", "fs import --force --sacct")
            self.assertIn("--force", commands)
        self.cluster.stop()
        replace_file(self.slurm_conf, text)
        self.cluster.run(f"cd {self.cluster.home} && set -e\n{commands}")
        self.cluster.start()
        self.wait_for_mode("primary")
        self.cluster.wait_for_iterations(2)

    def back_to_shadow(self) -> None:
        self.cluster.stop()
        replace_file(self.slurm_conf, self.shadow_conf)
        self.cluster.start()
        self.wait_for_mode("shadow")
        self.cluster.wait_for_iterations(2)

    def check_grown(self, before: dict[str, float], after: dict[str, float]) -> None:
        """By what the one job that runs has used meanwhile."""
        running = CPUS * (after[""] - before[""])
        self.assertGreater(running, 0)
        self.assertEqual(after, before | {"": after[""], FILLER: before[FILLER] + running})

    # --- the test

    def test_what_shadow_has_predicted_comes_true(self) -> None:
        self.run_one_of_each()
        filler = self.fill()
        waiting = self.queue_up()
        self.cluster.wait_for_iterations(2)
        predicted, before = self.order(), self.usage()
        self.assertEqual(predicted, waiting[::-1])
        self.assertEqual(self.slurms_order(), waiting)
        self.assertEqual(set(before), {*SHARES, FILLER, ""})

        self.switch()
        self.check_grown(before, in_charge := self.usage())
        self.assertEqual(self.order(), predicted)
        self.cluster.wait_for(lambda: self.slurms_order() == predicted, "squeue to have this order")

        self.back_to_shadow()
        self.check_grown(in_charge, self.usage())
        self.assertEqual(self.order(), predicted)

        # A shadow writes nothing: its second time is known to Slurm alone.
        self.cluster.scancel(*waiting, filler)
        self.run_one_of_each()
        recorded = self.cluster.wait_for(self.recorded, "sacct to have every end")
        self.cluster.wait_for_iterations(2)
        self.assertEqual(self.usage() | {"": 0}, recorded | {"": 0})
        self.switch(again=True)
        self.assertEqual(self.usage() | {"": 0}, recorded | {"": 0})
