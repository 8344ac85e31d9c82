# SPDX-License-Identifier: GPL-2.0-or-later
"""GPUs that jobs may share, and GRES that whole nodes do not bring along: what Slurm gives counts, S-SEL-14."""

from __future__ import annotations

import re
from collections import Counter

from gres_case import GresCase

NAMES = ("gpu", "shard", "shard:a100", "tape")
WHOLE = ("--exclusive", "-N1")


class Shared(GresCase):
    """Each node has four GPUs or 8 shards of them, and two tapes."""

    slurm_conf = """\
SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=3,bf_min_prio_reserve=1
DebugFlags=Priority,Gres
GresTypes=gpu,shard,tape
NodeName=n[1-4] Gres=gpu:a100:4,shard:8,tape:2
"""
    gres_conf = """\
Name=gpu Type=a100 File={devices}/gpu[0-3]
Name=shard Count=8
Name=tape Count=2 Flags=explicit
"""

    def in_use(self) -> dict[str, int]:
        """By daemon."""
        data = self.cluster.maui("diagnose", "-u", "daemon", "--json")
        limits = data["credentials"][0]["limits"]
        return {limit["name"][len("MAXGRES[") : -1]: limit["usage"] for limit in limits}

    def given(self, job: int) -> dict[str, int]:
        """The same, by Slurm's record of the job."""
        text = self.cluster.run(["scontrol", "-d", "show", "job", str(job)]).stdout
        has = re.search(r"JOB_GRES=(\S*)", text)
        given: Counter[str] = Counter()
        for name, kind, count in re.findall(r"(\w+)(?::([a-z]\w*))?:(\d+)", has[1] if has else ""):
            given[name] += int(count)
            if kind:
                given[f"{name}:{kind}"] += int(count)
        return {name: given[name] for name in NAMES}

    def test_what_is_given_counts(self) -> None:
        self.configure("".join(f"USERCFG[daemon] MAXGRES[{name}]=100\n" for name in NAMES))
        for options in (
            ("--gres=shard:2",),
            ("--gres=shard:1,tape:1",),
            ("--gres=shard:2", "-N2", "-n2"),
            ("--gres=gpu:1,tape:2",),
            WHOLE,
            (*WHOLE, "--gres=tape:1"),
            (*WHOLE, "--gres=gpu:1"),
        ):
            self.cluster.cancel_all()
            job = self.submit(*options)
            self.cluster.wait_for_state(job, "RUNNING")
            self.assertEqual(self.in_use(), self.given(job), options)

    def test_what_will_be_given_counts_at_the_start(self) -> None:
        """A whole node brings along what is flagged explicit as far as it is asked for; 22.05 does not know the
        flag."""
        flag = self.cluster.knows_explicit_gres()
        over = "MAXGRES[{}] limit of {} for user daemon (0 in use, {} asked for)"
        for limit, options, text in (
            ("MAXGRES[gpu]=3", WHOLE, over.format("gpu", 3, 4)),
            ("MAXGRES[tape]=1", WHOLE, "" if flag else over.format("tape", 1, 2)),
            ("MAXGRES[tape]=1", (*WHOLE, "--gres=tape:1"), "" if flag else over.format("tape", 1, 2)),
            ("MAXGRES[tape]=1", ("--gres=tape:1",), ""),
            ("MAXGRES[shard]=2", ("--gres=shard:2",), ""),
            ("MAXGRES[shard]=3", ("--gres=shard:2", "-N2", "-n2"), over.format("shard", 3, 4)),
        ):
            self.configure(f"USERCFG[daemon] {limit}\n")
            self.expect((options, text))
