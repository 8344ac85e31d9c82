# SPDX-License-Identifier: GPL-2.0-or-later
"""maui replay --as-array, in Slurm: the array of an ordinary user gives what the sweep gives."""

from __future__ import annotations

import shutil
import unittest
from pathlib import Path

from harness import Cluster

TRACE = Path(__file__).resolve().parents[1] / "cli" / "fixtures" / "replay"
USER = "daemon"
SWEEP = "--config=tomorrow.cfg --sweep=FSWEIGHT=0,10,1000 --sweep=QUEUETIMEWEIGHT=1,50"
RESULTS = "the user's results"
MERGE = f'maui replay --merge="{RESULTS}"'


class ReplayArray(unittest.TestCase):
    cluster: Cluster
    here: Path

    @classmethod
    def setUpClass(cls) -> None:
        cls.cluster = cls.enterClassContext(
            Cluster(nodes=2, cpus=2, maui_cfg="RMPOLLINTERVAL 1\n", slurm_conf="MaxArraySize=4\n")
        )
        cls.here = cls.cluster.home / "a study"
        cls.here.mkdir()
        shutil.chown(cls.here, USER)
        for name in ("tomorrow.cfg", "small.swf"):
            shutil.copy(TRACE / name, cls.here)

    def sh(self, command: str, check: bool = True) -> str:
        done = self.cluster.run(f"cd '{self.here}' && {command}", user=USER, check=check)
        return done.stdout if check else f"{done.returncode} {done.stderr}"

    def submit(self, options: str) -> int:
        return int(self.sh(f"sbatch --parsable {options} sweep.sbatch").split(";")[0])

    def wait_for_elements(self, array: int) -> None:
        """That the last of them is in no state that squeue shows."""
        self.cluster.wait_for(
            lambda: not self.cluster.squeue(f"--jobs={array}"), "the array to end"
        )

    def test_an_array_and_its_elements_again(self) -> None:
        script = f'maui replay {SWEEP} --as-array="{RESULTS}" {{}} small.swf >sweep.sbatch'
        self.sh(script.format(""))
        refused = self.sh("sbatch --parsable sweep.sbatch", check=False)
        self.assertIn("Invalid job array specification", refused)

        self.sh(script.format("--array-size=4"))
        self.wait_for_elements(self.submit("--array=0,2-3"))
        files = sorted(path.name for path in (self.here / RESULTS).iterdir())
        self.assertEqual(files, [f"0000{number}.json" for number in (0, 2, 3, 4)])
        self.assertEqual((self.here / RESULTS / files[0]).owner(), USER)
        said = self.sh(MERGE, check=False)
        self.assertTrue(said.startswith("2 "), said)
        self.assertIn("2 of 6 combinations are missing: sbatch --array=1,", said)

        self.wait_for_elements(self.submit("--array=1"))
        self.assertEqual(self.sh(MERGE), self.sh(f"maui replay {SWEEP} small.swf"))

    def test_the_whole_array(self) -> None:
        """As the script says, without an option of sbatch."""
        options = SWEEP.replace("0,10,1000", "0,10").replace("1,50", "7,8")
        self.sh(f"maui replay {options} --as-array=whole small.swf >sweep.sbatch")
        self.wait_for_elements(self.submit(""))
        self.assertEqual(
            self.sh("maui replay --json --merge=whole"),
            self.sh(f"maui replay --json {options} small.swf"),
        )
