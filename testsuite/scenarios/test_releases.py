# SPDX-License-Identifier: GPL-2.0-or-later
"""The private cluster with every Slurm that there is, none of our plugins in it: what fails here is
the cluster's. Releases are those of `slurm-build/prepare --list`; without one there is nothing to do.
"""

from __future__ import annotations

import unittest

from harness import Cluster  # which makes testsuite's packages known
from runner.release import listed


class Releases(unittest.TestCase):
    def test_a_job_runs_in_each(self) -> None:
        found = {version: place for version, kind, place in listed() if kind == "release"}
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
