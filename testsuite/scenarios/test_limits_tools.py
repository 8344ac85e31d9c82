# SPDX-License-Identifier: GPL-2.0-or-later
"""`maui diagnose -q`, -u, -g, -a, -c and -Q on real jobs: who is blocked by what, and how much is left to whom."""

from __future__ import annotations

import unittest
from typing import Any

from harness import USERS, Cluster

FIRST, SECOND = USERS  # daemon, bin

POLICY = f"""\
RMPOLLINTERVAL 1
FSPOLICY DEDICATEDPS
USERCFG[DEFAULT] MAXJOB=1,2 MAXIJOB=20
USERCFG[{SECOND}] MAXJOB=4 MAXNODE=-1 PRIORITY=7 FSTARGET=20+
USERCFG[nosuchuser] MAXJOB=1
GROUPCFG[{FIRST}] FSTARGET=0.001^
CLASSCFG[batch] MAXPROC=6 MAXJOB[USER]=3
SYSCFG MAXJOB=50
"""
SLURM_CONF = """\
PartitionName=batch Nodes=ALL Default=YES State=UP
PartitionName=closed Nodes=ALL State=DOWN
SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=5,bf_min_prio_reserve=1
"""
PRIVATE = "PrivateData=jobs\n"
HARD_LIMIT = f"violates active HARD MAXJOB limit of 4 for user {SECOND}  (R: 1, U: 4)"
CLASS_LIMIT = "violates active HARD MAXPROC limit of 6 for class batch  (R: 4, U: 4)"


def by_name(rows: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {row["name"]: row for row in rows}


class LimitsToolsTest(unittest.TestCase):
    cluster: Cluster

    @classmethod
    def setUpClass(cls) -> None:
        cls.cluster = cls.enterClassContext(
            Cluster(nodes=2, cpus=8, maui_cfg=POLICY.replace(f"GROUPCFG[{FIRST}] FSTARGET=0.001^\n", ""), slurm_conf=SLURM_CONF)
        )
