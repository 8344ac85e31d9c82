# SPDX-License-Identifier: GPL-2.0-or-later
"""The private cluster with every Slurm that there is, none of our plugins in it: what fails here is
the cluster's. Releases are those of `slurm-build/prepare --list`; without one there is nothing to do.
"""

from __future__ import annotations

import subprocess
import unittest
from pathlib import Path

from harness import Cluster

PREPARE = Path(__file__).resolve().parents[2] / "slurm-build" / "prepare"


def releases() -> dict[str, str]:
    """Version -> prefix."""
    done = subprocess.run([PREPARE, "--list"], stdout=subprocess.PIPE, text=True, check=True)
    rows = (line.split("\t") for line in done.stdout.splitlines())
    return {version: place for version, kind, place in rows if kind == "release"}


class Releases(unittest.TestCase):
    def test_a_job_runs_in_each(self) -> None:
        found = releases()
        if not found:
            self.skipTest("slurm-build/prepare --list knows no release")
        for version, prefix in found.items():
            with self.subTest(version), Cluster(stock=True, slurmdbd=True, release=prefix) as cluster:
                # Its own commands, too, and as a user.
                self.assertIn(f" {version}", cluster.run(["sinfo", "--version"], user="daemon").stdout)
                job = cluster.sbatch("-N2", wrap="srun true", user="daemon")
                cluster.wait_for_state(job, "COMPLETED")
                # slurmctld tells slurmdbd later.
                sacct = ["sacct", "-nPX", "-oState", f"-j{job}"]
                cluster.wait_for(lambda: "COMPLETED" in cluster.run(sacct).stdout, "sacct to say so")


if __name__ == "__main__":
    unittest.main()
