# SPDX-License-Identifier: GPL-2.0-or-later
"""from-slurm.md: its commands, as they stand there, one after another, at a site with Slurm's own priority plugin."""

from __future__ import annotations

import re
import unittest
from pathlib import Path

from harness import USERS, Cluster, replace_file

DOCUMENT = Path(__file__).resolve().parents[2] / "contribs" / "doc" / "from-slurm.md"
USER = USERS[0]
JOBS = 5

SLURM_CONF = """
PriorityType=priority/multifactor
PriorityCalcPeriod=1
PriorityWeightAge=1000
PriorityWeightFairshare=10000
PriorityWeightQOS=5000
AccountingStorageEnforce=associations,limits,qos
"""
ACCOUNTS = f"""
sacctmgr -i add account physics
sacctmgr -i add user {USER} account=physics
"""
# What the document has of another site.
ITS_GROUP = "chem"
ALIKE = "Kendall's tau-b: 1.0000 (1: the same order, -1: the reverse)"


def document() -> str:
    return DOCUMENT.read_text(encoding="utf-8")


def lines_of(begin: str) -> list[str]:
    """Of the document's blocks, those that begin so."""
    return re.findall(rf"(?m)^    ((?:{begin}).*)$", document())


class FromSlurmTest(unittest.TestCase):
    cluster: Cluster

    def setUp(self) -> None:
        self.cluster = self.enterContext(
            Cluster(nodes=1, slurmdbd=True, slurm_conf=SLURM_CONF, maui_cfg="", stock_select=True))
        self.cluster.run(ACCOUNTS)
        self.conf = self.cluster.dir / "etc" / "slurm.conf"
        self.stock = re.sub(r"(?m)^JobSubmitPlugins=maui\n", "", self.conf.read_text(encoding="utf-8"))
        replace_file(self.conf, self.stock)
        self.cluster.maui_cfg.unlink()
        self.cluster.restart()  # which computes the shares, too
        self.cluster.wait_for(lambda: USER in self.cluster.run(f"scontrol show assoc_mgr users={USER}").stdout,
                              "slurmctld to know the associations")
        for nice in range(JOBS):
            self.cluster.sbatch("-n4", "-t60", f"--nice={100 * nice}", user=USER)
        self.cluster.wait_for(lambda: self.cluster.squeue("--states=RUNNING"), "a job to run")

    def try_command(self, command: str) -> str:
        """At this site's paths."""
        here = command.replace("/etc/slurm/maui.cfg", str(self.cluster.maui_cfg)).replace(f"[{ITS_GROUP}]", f"[{USER}]")
        done = self.cluster.run(f"cd {self.cluster.home} && {here}", check=False)
        self.assertNotIn("ERROR", done.stderr, command)
        self.assertIn(done.returncode, (0, 1), f"{command}: {done}")  # 1: remarks, warnings
        return done.stdout

    def change_conf(self) -> None:
        """The document's lines, behind what the lists have."""
        text = self.stock
        for line in lines_of("[A-Z][A-Za-z]+="):
            key, _, value = line.partition("=")
            text, found = re.subn(rf"(?m)^{key}=.*$", rf"\g<0>,{value}", text)
            text += "" if found else f"{line}\n"
        replace_file(self.conf, text)

    def shadow_agrees(self) -> bool:
        """The engine looks each minute, as the imported file says nothing else."""
        return f"{JOBS - 1} jobs with a rank on both sides\n{ALIKE}" in self.cluster.run("maui diff", check=False).stdout

    def test_the_commands_work_in_a_row(self) -> None:
        commands = lines_of("maui |cp |echo |systemctl ")
        self.assertEqual([command.split()[0] for command in commands],
                         ["maui"] * 3 + ["systemctl", "maui", "cp", "echo", "maui"], commands)
        told = {}
        for command in commands:
            if command == "systemctl restart slurmctld":
                self.change_conf()
                self.cluster.restart()
                self.cluster.wait_for(self.shadow_agrees, "shadow mode with Slurm's shares")
            else:
                told[command] = self.try_command(command)
        self.assertIn("FSTREEWEIGHT", self.cluster.maui_cfg.read_text(encoding="utf-8"))
        self.assertNotIn(": error: ", told["maui check /etc/slurm/maui.cfg"])
        self.assertIn(f"{JOBS - 1} waiting jobs compared\n{ALIKE}", told["maui import --compare"])
        self.assertIn(ALIKE, told["maui diff"])
        self.assertRegex(told["maui whatif new.cfg"], rf"\n{JOBS - 1} jobs, 0 change rank, ")
        self.check_the_way_back()

    def check_the_way_back(self) -> None:
        """The two lines out again: as "Back again" says, nothing of ours is left."""
        self.assertIn("Take the two lines out and restart slurmctld", document())
        replace_file(self.conf, self.stock)
        self.cluster.restart()
        self.assertFalse((self.cluster.dir / "state" / "maui").exists())
        self.assertEqual(len(self.cluster.squeue()), JOBS)
        self.assertNotEqual(self.cluster.run("maui diff", check=False).returncode, 0)
