# SPDX-License-Identifier: GPL-2.0-or-later
"""`maui replay --scheduler=multifactor` against a slurmctld with stock plugins, whose clock is stepped.

Priorities are compared to the unit at each pass of slurmctld. For that runs must begin and end in the same seconds: jobs
of the QOS run are ahead of all others and fit at once; the others ask for all nodes, so they wait until these are over.
"""

from __future__ import annotations

import csv
import json
import os
import pwd
import re
import subprocess
import tempfile
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import pytest
from harness import Cluster

import built_for

SLURM = built_for.of_build(built_for.own_build())
pytestmark = pytest.mark.skipif(
    SLURM.series > (22, 5), reason=f"{SLURM.version} refuses jobs that bench-trace-jobs submits for users with associations"
)
NODES = 6
TURN = 30  # bf_interval, seconds
SCHEDULER = "SchedulerParameters=batch_sched_delay=0,sched_min_interval=0"
CONF = """
DebugFlags=Priority
SlurmctldDebug=info
SlurmdTimeout=0
DefMemPerCPU=1
PriorityCalcPeriod=1
"""
# c is below a; the user of e has no shares of his own. root, b and e have no usage at first: ties.
ACCOUNTS = """
sacctmgr -i add account a fairshare=30 priority=5
sacctmgr -i add account b fairshare=10
sacctmgr -i add account c parent=a fairshare=7
sacctmgr -i add account d fairshare=10
sacctmgr -i add account e fairshare=10
sacctmgr -i add user daemon account=a fairshare=20
sacctmgr -i add user bin account=a fairshare=10 priority=20
sacctmgr -i add user games account=b fairshare=1
sacctmgr -i add user man account=c fairshare=4
sacctmgr -i add user mail account=d fairshare=1
sacctmgr -i add user lp account=e fairshare=parent
sacctmgr -i modify qos normal set priority=3
sacctmgr -i add qos high priority=17
sacctmgr -i add qos run priority=1000 usagefactor=0.5
sacctmgr -i modify account root set qos=normal,high,run
"""
ACCOUNT = {"daemon": "a", "bin": "a", "games": "b", "man": "c", "mail": "d", "lp": "e"}


class Job(NamedTuple):
    submitted: int
    user: str
    procs: int
    minutes: int
    run: int
    qos: str = "normal"


class Done(NamedTuple):
    """Times are seconds from the beginning of the trace, jobs from 1 on."""

    started: list[int]
    priorities: dict[tuple[int, int], float]  # by time and job


def times(log: str, pattern: str) -> list[tuple[int, re.Match[str]]]:
    return [(int(datetime.fromisoformat(found[1]).timestamp()), found) for found in re.finditer(r"^\[(\S+)\] " + pattern, log, re.MULTILINE)]


def through_slurmctld(jobs: list[Job], conf: str, accounts: str, files: Path) -> tuple[int, Done]:
    """When the trace begins, too. files gets what the replay reads."""
    with Cluster(nodes=NODES, cpus=1, memory=1000, slurm_conf=CONF + conf, slurmdbd=True, stock=True,
                 clock="2026-03-02T00:00:00", stepped=True) as cluster:
        cluster.run(accounts)
        cluster.wait_for(lambda: all(f"|{user}|" in cluster.run(["sshare", "-a", "-P"]).stdout for user in ACCOUNT), "the associations")
        cluster.run(["sacctmgr", "-i", "dump", cluster.config()["ClusterName"], f"file={files}/associations"])
        (files / "qos").write_text(cluster.run(["sacctmgr", "-P", "show", "qos"]).stdout)
        (files / "slurm.conf").write_text((cluster.dir / "etc" / "slurm.conf").read_text())
        daemons = json.loads((cluster.dir / "cluster.json").read_text())["daemons"].values()
        lines = [f"{job.submitted} {pwd.getpwnam(job.user).pw_uid} {pwd.getpwnam(job.user).pw_gid} {job.procs} {job.minutes}"
                 f" {job.run} {ACCOUNT[job.user]} {job.qos}\n" for job in jobs]  # fmt: skip
        driver = Path(os.environ["MAUI_BUILD"]) / "testsuite" / "bench" / "bench-trace-jobs"
        done = cluster.run([str(driver), str(cluster.dir / "run" / "clock"), str(cluster.log), *(str(each["pid"]) for each in daemons)],
                           stdin="".join(lines))  # fmt: skip
        begin, *started = map(int, done.stdout.split())
        priorities = {(time - begin, int(found[2])): float(found[3])
                      for time, found in times(cluster.log_text(), r".*\bJob(?:Id=| )(\d+).* priority: .* = (-?[\d.]+)$")}
    return begin, Done(started, priorities)


def through_replay(jobs: list[Job], begin: int, slurm: Done, files: Path) -> Done:
    """A job of nobody's is ahead, so that passes are in the same seconds as slurmctld's, and so is backfill."""
    phase = Counter(time % 60 for time, _ in slurm.priorities).most_common(1)[0][0]
    first = begin + phase - 60
    rows = ["JobID|Submit|Start|End|ElapsedRaw|TimelimitRaw|User|Account|QOS|Partition|AllocCPUS|NNodes"]
    rows.append(f"{len(jobs) + 1}|{first}|{first}|{first + 1}|1|1|nobody||normal||1|1")
    for number, job in enumerate(jobs, 1):
        submitted = begin + job.submitted
        rows.append(f"{number}|{submitted}|{submitted}|{submitted + job.run}|{job.run}|{job.minutes}|{job.user}|{ACCOUNT[job.user]}"
                    f"|{job.qos}||{job.procs}|{job.procs}")  # fmt: skip
    (files / "trace").write_text("\n".join(rows) + "\n")
    maui = Path(os.environ["MAUI_BUILD"]) / "contribs" / "maui" / "maui"
    subprocess.run([maui, "replay", "--scheduler=multifactor", "--slurm-conf=slurm.conf", "--associations=associations", "--qos=qos",
                    "--priorities=priorities", "--jobs=jobs", "trace"], cwd=files, check=True, stdout=subprocess.DEVNULL)  # fmt: skip
    with (files / "jobs").open(encoding="utf-8") as file:
        started = {int(row["job_id"]): int(row["starting_time"]) - begin for row in csv.DictReader(file)}
    with (files / "priorities").open(encoding="utf-8") as file:
        priorities = {(int(row["time"]) - begin, int(row["job"])): int(row["priority"]) for row in csv.DictReader(file)}
    return Done([started.get(number, -1) for number in range(1, len(jobs) + 1)], priorities)


def both(jobs: list[Job], conf: str, accounts: str = ACCOUNTS) -> tuple[Done, Done]:
    with tempfile.TemporaryDirectory(prefix="maui-stock-") as name:
        files = Path(name)
        files.chmod(0o755)
        begin, slurm = through_slurmctld(jobs, conf, accounts, files)
        return slurm, through_replay(jobs, begin, slurm, files)


# ---- priorities

WEIGHTS = """
AccountingStorageEnforce=associations,limits,qos
PriorityDecayHalfLife=0:20:00
PriorityMaxAge=0:15:00
PriorityWeightAge=20000
PriorityWeightAssoc=300
PriorityWeightFairshare=100000
PriorityWeightJobSize=7000
PriorityWeightPartition=900
PriorityWeightQOS=1000000
PriorityWeightTRES=cpu=1300
PartitionName=batch MaxTime=UNLIMITED OverSubscribe=NO PriorityJobFactor=3
SchedulerParameters=bf_interval=-1,batch_sched_delay=0,sched_min_interval=0
"""
# One is always running; when each of them begins it fits.
RUNS = [
    Job(0, "games", 1, 30, 1300, "run"), Job(5, "bin", 2, 5, 170, "run"), Job(15, "man", 2, 8, 430, "run"),
    Job(200, "daemon", 1, 4, 61, "run"), Job(280, "lp", 2, 9, 333, "run"), Job(450, "mail", 3, 3, 100, "run"),
    Job(620, "man", 1, 5, 240, "run"), Job(640, "bin", 3, 2, 95, "run"), Job(900, "games", 4, 3, 150, "run"),
]  # fmt: skip
# Each user, most in both QOS; all of them ask for the whole machine.
PROBES = [
    Job(20 + 7 * number + 200 * later, user, NODES, 1 + number, 30, qos)
    for later, qos in enumerate(("normal", "high"))
    for number, user in enumerate(ACCOUNT)
]


@pytest.mark.parametrize(
    "flags",
    ["", "PriorityFlags=NO_FAIR_TREE\nFairShareDampeningFactor=3\n", "PriorityFlags=SMALL_RELATIVE_TO_TIME,NO_NORMAL_QOS,NO_NORMAL_TRES,NO_NORMAL_ASSOC\nPriorityFavorSmall=YES\n"],
    ids=["fair_tree", "classic", "not_normal"],
)
def test_priorities_are_slurms_at_each_pass(flags: str) -> None:
    jobs = sorted(RUNS + PROBES)
    slurm, replay = both(jobs, WEIGHTS + flags)
    for number, job in enumerate(jobs, 1):
        if job.qos == "run":
            assert (slurm.started[number - 1], replay.started[number - 1]) == (job.submitted, job.submitted), job
    over = max(job.submitted + job.run for job in RUNS)
    expected = {key: priority for key, priority in slurm.priorities.items() if key[0] < over}
    found = {key: replay.priorities[key] for key in expected if key in replay.priorities}
    # slurmctld logs two decimals and keeps whole points, cut.
    differ = {key: (expected[key], found[key]) for key in found if not -0.006 < expected[key] - found[key] < 1.006}
    assert not differ, [(key, jobs[key[1] - 1], pair) for key, pair in differ.items()][:20]
    assert len(found) > max(200, 0.95 * len(expected)), sorted(set(expected) - set(found))[:20]
    assert len({priority for (_, number), priority in found.items() if jobs[number - 1].qos == "normal"}) > 50


# ---- limits

LIMITS = """
AccountingStorageEnforce=associations,limits,qos
PriorityWeightAge=100000
PriorityWeightAssoc=0
PriorityWeightFairshare=0
PriorityWeightJobSize=0
PriorityWeightPartition=0
PriorityWeightQOS=1000
PriorityMaxAge=1-0
PartitionName=batch MaxTime=UNLIMITED OverSubscribe=NO
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0,bf_continue
"""
# Of the limits on jobs of users that of the QOS high counts there, not d's.
LIMITED = ACCOUNTS + """
sacctmgr -i modify account b set grptres=cpu=1
sacctmgr -i modify account c set grptresrunmins=cpu=9
sacctmgr -i modify account d set maxjobs=1
sacctmgr -i modify account a set grpjobs=3
sacctmgr -i modify qos high set maxjobsperuser=2 grptres=cpu=3
sacctmgr -i modify qos normal set maxtresperuser=cpu=2
"""


def crowd() -> list[Job]:
    """More than the limits let run, always the same. All jobs are of one size: among those that may run, first come, first
    served, however slurmctld takes ties of salloc."""
    users = list(ACCOUNT)
    return [
        Job(19 * number, users[(number * 5 + number // 6) % len(users)], 1, 1 + number % 5 + number % 3, 35 + 53 * (number % 5),
            "high" if number % 3 == 0 else "normal")
        for number in range(40)
    ]  # fmt: skip


def test_limits_let_jobs_start_when_slurms_do() -> None:
    jobs = crowd()
    slurm, replay = both(jobs, LIMITS, LIMITED)
    near = [abs(a - b) <= TURN for a, b in zip(slurm.started, replay.started, strict=True)]
    waited = [a - job.submitted > TURN for job, a in zip(jobs, slurm.started, strict=True)]
    assert min(slurm.started) >= 0 and sum(waited) >= 10, slurm.started
    assert all(near), [row for row, well in zip(zip(range(1, 99), jobs, slurm.started, replay.started), near) if not well]
