# SPDX-License-Identifier: GPL-2.0-or-later
"""A private cluster with GPUs, by default of two types, tapes and licenses, for tests of several users' jobs."""

from __future__ import annotations

import unittest

from harness import Cluster, gpu_devices
from test_limits import SLOW, settle

SLURM_CONF = """\
SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=3,bf_min_prio_reserve=1
DebugFlags=Priority,HetJob
GresTypes=gpu,tape
Licenses=matlab:10
"""
# Two nodes of four a100, two of four h100; a tape on each. In the place of devices, files.
GRES_CONF = """\
NodeName=n[1-2] Name=gpu Type=a100 File={devices}/gpu[0-3]
NodeName=n[3-4] Name=gpu Type=h100 File={devices}/gpu[0-3]
NodeName=n[1-4] Name=tape Count=2
"""
SLURM_CONF += """\
NodeName=n[1-2] Gres=gpu:a100:4,tape:2
NodeName=n[3-4] Gres=gpu:h100:4,tape:2
"""
SOME = ("-n1", "-t10", "--mem=10")


class GresCase(unittest.TestCase):
    cluster: Cluster
    slurm_conf = SLURM_CONF
    gres_conf = GRES_CONF

    @classmethod
    def setUpClass(cls) -> None:
        devices = cls.enterClassContext(gpu_devices())
        cls.cluster = cls.enterClassContext(
            Cluster(
                nodes=4,
                cpus=16,
                memory=16000,
                maui_cfg=SLOW,
                slurm_conf=cls.slurm_conf,
                gres_conf=cls.gres_conf.format(devices=devices),
            )
        )

    def tearDown(self) -> None:
        """What is kept as jobs start and end is what a recount gives, in each iteration."""
        self.assertNotIn("error: maui: limits:", self.cluster.log_text())

    def configure(self, maui_cfg: str) -> None:
        self.cluster.cancel_all()
        self.cluster.install(SLOW + maui_cfg)

    def submit(self, *options: str, user: str = "daemon") -> int:
        return self.cluster.sbatch(*SOME, *options, user=user)

    def expect(self, *cases: tuple[tuple[str, ...], str], user: str = "daemon") -> None:
        """Jobs are submitted one after the other; each runs ("") or says why it does not."""
        for options, text in cases:
            job = self.submit(*options, user=user)
            self.assertEqual(settle(self.cluster, [job])[job], text, options)
