# SPDX-License-Identifier: GPL-2.0-or-later
"""What tests of standing reservations share: Slurm's reservations as data, and windows."""

from __future__ import annotations

import time
from collections.abc import Iterable

from harness import Cluster, ClusterTest

SLURM_CONF = """\
SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=2,bf_continue
"""
# Slurm from 24.11 on refuses --signal=R where nobody preempts (S-RSV-1); here nobody has a reason to.
PREEMPTION = "PreemptType=preempt/maui\nPreemptMode=REQUEUE\n"
FAST = "RMPOLLINTERVAL 1\nNODEALLOCATIONPOLICY FIRSTAVAILABLE\n"
PARTITIONS = "PartitionName=interactive Nodes=ALL\nPartitionName=few Nodes=n[1-2]\n"
# The look of an instance that is open, and of one that is closed to everybody.
OPEN = "1000-00:00:00"
# Example 5 of chapter 7.1.5, PERIOD said twice as there.
EXAMPLE_5 = """\
ACCTCFG[jupiter] PRIORITY=10000

SRCFG[jupiter] HOSTLIST=n[1-{nodes}]
SRCFG[jupiter] PERIOD=INFINITY
SRCFG[jupiter] ACCOUNTLIST=jupiter,saturn-
SRCFG[jupiter] OWNER=ACCOUNT:jupiter
SRCFG[jupiter] FLAGS=OWNERPREEMPT
SRCFG[jupiter] PERIOD=INFINITY
"""
FLAGS = {"IGNORE_JOBS", "SPEC_NODES", "OVERLAP", "NO_HOLD_JOBS_AFTER_END"}


def clock(seconds: float) -> str:
    """The time of day of a point in time, as STARTTIME and ENDTIME have it."""
    return time.strftime("%H:%M:%S", time.localtime(seconds))


def window(start: float, end: float) -> str:
    return f"STARTTIME={clock(start)} ENDTIME={clock(end)} PERIOD=DAY DEPTH=1"


def today() -> str:
    return time.strftime("%Y%m%d")


def show_reservations(cluster: Cluster) -> dict[str, dict[str, str]]:
    """Slurm's reservations by name. The same name twice is an error."""
    text = cluster.run(["scontrol", "--oneliner", "show", "reservation"]).stdout
    found: dict[str, dict[str, str]] = {}
    for line in text.splitlines():
        one = dict(word.split("=", 1) for word in line.split() if "=" in word)
        if "ReservationName" not in one:
            continue
        if one["ReservationName"] in found:
            raise AssertionError(f"two reservations of one name:\n{text}")
        found[one["ReservationName"]] = one
    return found


def nodes_of(reservation: dict[str, str]) -> set[str]:
    return expand(reservation["Nodes"])


def expand(names: str) -> set[str]:
    """n[1-3,5] to its nodes; here all of them are n and a number."""
    result = set()
    for part in names.replace("n[", "").replace("]", "").replace("n", "").split(","):
        if part and part[0].isdigit():
            first, _, last = part.partition("-")
            result |= {f"n{i}" for i in range(int(first), int(last or first) + 1)}
    return result


def epoch(text: str) -> float:
    """Slurm's local time."""
    return time.mktime(time.strptime(text, "%Y-%m-%dT%H:%M:%S"))


def install(cluster: Cluster, maui_cfg: str) -> None:
    """Another maui.cfg, in force when this returns."""
    cluster.install(maui_cfg)


def wait_for_instances(
    cluster: Cluster, wanted: dict[str, str | Iterable[str]], timeout: float = 60
) -> dict[str, dict[str, str]]:
    """Until these instances of ours, and no others, are there, on these nodes."""
    expected = {
        name: expand(nodes) if isinstance(nodes, str) else set(nodes)
        for name, nodes in wanted.items()
    }
    seen: dict[str, set[str]] = {}

    def look() -> dict[str, dict[str, str]] | None:
        nonlocal seen
        found = show_reservations(cluster)
        seen = {name: nodes_of(one) for name, one in found.items()}
        return (found or {"": {}}) if seen == expected else None

    try:
        return cluster.wait_for(look, f"the reservations {expected}", timeout)
    except AssertionError as error:
        raise AssertionError(f"{error}\nthere are {seen}") from None


class ReservationTest(ClusterTest):
    """Each test begins with no jobs and no reservations.

    Whatever it waits for is an event; where a job must not start, it is that the schedulers have
    looked: a later job, which may start, has started, and the one before it says why it waits.
    """

    def setUp(self) -> None:
        self.cluster.cancel_all()
        self.configure("")
        wait_for_instances(self.cluster, {})

    def tearDown(self) -> None:
        self.assertNotIn("error: maui: reservation", self.cluster.log_text())

    def configure(self, maui_cfg: str, **instances: str) -> None:
        """instances: the standing reservation (_: today's, else INFINITY's) and its nodes."""
        install(self.cluster, FAST + maui_cfg)
        if instances:
            wait_for_instances(
                self.cluster,
                {
                    f"{name[1:]}.{today()}" if name[0] == "_" else f"{name}.inf": nodes
                    for name, nodes in instances.items()
                },
            )

    def submit(self, *options: str, user: str = "daemon", wrap: str = "sleep 1000") -> int:
        limit = [] if any(one.startswith("-t") for one in options) else ["-t60"]
        return self.cluster.sbatch(*limit, *options, user=user, wrap=wrap)

    def lands(self, *options: str, user: str = "daemon") -> set[str]:
        """The nodes on which a job starts."""
        job = self.submit(*options, user=user)
        self.cluster.wait_for_state(job, "RUNNING")
        return expand(self.cluster.job(job)["NodeList"])

    def waits(self, *jobs: int, but: tuple[str, ...] = (), user: str = "games") -> None:
        """The jobs do not start, though both schedulers have looked since: somebody else's job of
        lower priority, sent behind them, starts where it may."""
        # Outside of their partition's order: backfill comes to it after them.
        probe = self.submit("-n1", "-t1", "--nice=1000", *(but or ("-w", "n4")), user=user)
        self.cluster.wait_for_state(probe, "RUNNING")
        for job in jobs:
            self.cluster.wait_for(
                lambda job=job: self.cluster.job(job)["Reason"] not in ("None", ""),
                f"job {job} to say why it waits",
            )
            self.assertEqual(self.cluster.job(job)["JobState"], "PENDING")
        self.cluster.scancel(probe)
        self.cluster.wait_for_state(probe, "CANCELLED")
