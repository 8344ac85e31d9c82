# SPDX-License-Identifier: GPL-2.0-or-later
"""Users and an administrator who do all that Slurm lets them do, all at the same time, and kill -9:
nobody is on nodes that are not for him, no limit is exceeded, nobody is held by nobody, and fairshare
has every second of every run. The cluster's clock is set ahead and back, too, if that is asked for:
then the sums have wide bounds, and what Slurm makes of a start that is yet to come takes minutes.

    MAUI_STORM_SECONDS=N   how long each storm lasts (default 120)
    MAUI_STORM_SEED=N      other choices; 0: any (default 13)
    MAUI_STORM_SEEDS=N     how many storms, of this seed and those after it (default 1)
    MAUI_STORM_WITHOUT=    what nobody does, such as delete,suspend,srun: to find the interface that something
                           came in by; names of the administrator's methods and of users' kinds of jobs
                           (default step,usage; "": the clock is set, too, and sums of usage that
                           differ are findings)

The truth is what Slurm says of its jobs, 20 times a second, judged by storm_observer.py, which knows
what maui.cfg means and asks nothing of ours. storm_usage.py adds up what they ran.
"""

from __future__ import annotations

import os
import random
import re
import threading
import time
import unittest
from collections import Counter

import pytest
from harness import Cluster
from reservation_model import wait_for_instances
from storm_actors import Action, Actor, Board, Shell, User, clock, inside
from storm_administrator import POLICY, Administrator
from storm_clock import Clock
from storm_model import History, Job, Policy
from storm_observer import Finding, Observer, is_whole, log_of, parse
from storm_sampler import Sampler
from storm_usage import SACCT, Row, Usage, accounting_rows

SECONDS = float(os.environ.get("MAUI_STORM_SECONDS", "120"))
SEED = int(os.environ.get("MAUI_STORM_SEED", "13")) or random.SystemRandom().randrange(1, 10**6)
WITHOUT = frozenset(filter(None, os.environ.get("MAUI_STORM_WITHOUT", "step,usage").split(",")))
SEEDS = int(os.environ.get("MAUI_STORM_SEEDS", "1"))

USERS = ("daemon", "bin", "sys", "lp", "games", "man")
NODES, CPUS = 8, 4  # one of them is not there all the time
# Priority logs each charge of fairshare. A cluster of 26.05 has HetJob, and this line replaces its.
SLURM_CONF = """\
SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=2,bf_continue,\
bf_min_prio_reserve=2
MinJobAge=15
DebugFlags=Priority,HetJob
PartitionName=other Nodes=n[1-6] DefaultTime=1 MaxTime=UNLIMITED
PartitionName=spare Nodes=n[1-6] DefaultTime=1 MaxTime=UNLIMITED
"""
# What a storm has more of than ENOUGH, or it was none; after SLOWEST times its seconds it is over.
STORM = ("samples", "insiders seen", "starts beside a reservation", "near a limit")
ENOUGH = SECONDS / 2
SLOWEST = 4
pytestmark = pytest.mark.usefixtures("utc")
NOON = "2026-06-06T12:00:00"  # a window of fairshare is a day
MOST = 12  # findings that are told
LOG_LINES = 40
# Seconds in which something has to start or end once all are let go.
PATIENCE = 90
# Seconds that a job may run in the end: a kill -9 may cost slurmctld the end of one.
LONGEST = 30
# Slurm 22.05 saves that a job's row in slurmdbd is being made. After a kill it waits for that for ever,
# and takes no change of the job: it would want what there is not for ever, too.
NEVER_CHANGED = re.compile("the DB index is being set")
# A user's own mistake, or Slurm's hold.
HOPELESS = re.compile(
    r"BadConstraints|PartitionConfig|PartitionNodeLimit|launch|InvalidAccount|PartitionTimeLimit"
    r"|Reservation"
)


class StormTest(unittest.TestCase):
    def test_nobody_gets_more_than_maui_cfg_gives_him(self) -> None:
        for seed in range(SEED, SEED + SEEDS):
            with self.subTest(seed=seed):
                Storm(self, seed).run()


class Storm:
    def __init__(self, test: unittest.TestCase, seed: int) -> None:
        self.test = test
        self.seed = seed
        self.board = Board()
        self.truth = History()
        self.observer = Observer(self.truth, CPUS, self.board.may_be_held)
        self.stop = threading.Event()
        self.told: list[tuple[int, str]] = []
        self.found: Counter[str] = Counter()
        self.actors: dict[str, Actor] = {}

    def run(self) -> None:
        print(f"storm: MAUI_STORM_SEED={self.seed} MAUI_STORM_SECONDS={SECONDS:.0f}", flush=True)
        begun = time.monotonic()
        with Cluster(
            nodes=NODES, cpus=CPUS, maui_cfg=POLICY.other, slurm_conf=SLURM_CONF, slurmdbd=True,
            clock=NOON,
        ) as cluster:
            self.cluster = cluster
            self.clock = Clock(cluster.time() - time.time())
            self.usage = Usage(self.clock)
            self.administrator = self._administrator()
            self.administrator.install(POLICY, "all")
            wait_for_instances(cluster, {f"{one.name}.inf": one.node for one in POLICY.reservations})
            sampler = Sampler(inside(cluster), self.sample)
            sampler.start()
            try:
                self._rage(sampler)
                self._drain(sampler)
                if not self.found["left"]:  # what is left may run for ever
                    self._add_up(sampler)
            finally:
                self.stop.set()
                sampler.stop()
                for actor in self.actors.values():
                    actor.close()
                self._tell_counts(time.monotonic() - begun)
            self._judge()

    # --- who acts

    def _dice(self, name: str) -> random.Random:
        return random.Random(f"{self.seed} {name}")

    def _administrator(self) -> Administrator:
        actor = Administrator(
            self.cluster, self._dice("root"), self.stop, self.board, self.truth, self.clock, WITHOUT
        )
        self.actors["root"] = actor
        return actor

    def _rage(self, sampler: Sampler) -> None:
        for name in USERS:
            self.actors[name] = User(
                name, Shell(self.cluster, name), self._dice(name), self.stop, self.board, WITHOUT
            )
        for actor in self.actors.values():
            actor.start()
        begun = time.monotonic()
        threads = (*self.actors.values(), sampler)
        while not (self._has_raged(time.monotonic() - begun) or any(one.error for one in threads)):
            time.sleep(0.2)
        self.stop.set()
        for actor in self.actors.values():
            actor.join(timeout=120)
        for thread in threads:
            _raise_error_of(thread)

    def _has_raged(self, seconds: float) -> bool:
        """A busy machine takes longer for as much."""
        counts = self.observer.counts
        enough = all(counts[name] > ENOUGH for name in STORM)
        return seconds > SECONDS and (enough or seconds > SLOWEST * SECONDS)

    # --- who looks; the sampler's thread

    def sample(self, when: float, text: str | None) -> None:
        if text is None or not is_whole(text):
            self.observer.counts["no answers" if text is None else "answers that broke off"] += 1
            self.observer.blind()
            self.usage.blind(when)
            return
        self.usage.look(when, text)
        found = parse(text)
        jobs = self.clock.place(found, when)
        self.observer.counts["starts that no clock showed"] += len(found) - len(jobs)
        self.board.jobs = jobs
        for finding in self.observer.look(when, jobs):
            self.found[finding.kind] += 1
            if len(self.told) < MOST:
                self.told.append((finding.job.id, self._tell(when, finding, text)))

    def _tell(self, when: float, finding: Finding, text: str) -> str:
        job = finding.job
        lines = [f"{finding.kind} at {clock(when)}: {finding.what}", f"  {job}"]
        concerned = re.compile(rf"^JobId=({job.id}|{job.key})\b")
        lines += ["--- the sample", *(line for line in text.splitlines() if concerned.search(line))]
        for name in ("root", job.user):
            actions: list[Action] = list(self.actors[name].history) if name in self.actors else []
            lines += [f"--- what {name} did", *map(str, actions)]
        found = log_of(job, self.cluster.log_text())
        return "\n".join([*lines, "--- slurmctld's log", *found[-LOG_LINES:]])

    # --- the end

    def _drain(self, sampler: Sampler) -> None:
        """All are let go: nothing stays but what nobody could start."""
        root = self.administrator
        root.mend()
        root.install(Policy(other=POLICY.other), "no limits, no reservations")
        root.make_way()
        # Slurm takes back no list of nodes of a heterogeneous job's first part, and its parts may never
        # fit side by side.
        for number in {job.key for job in self._queue() if job.het}:
            root.do(f"scancel {number}")
        for job in {job.id for job in self._queue() if job.state == "PENDING"}:
            # Who asks for what there is not, or for a node twice at once, would wait for ever.
            done, said = root.do(f"scontrol update job={job} comment=none dependency= excnodelist=")
            if done != "0" and NEVER_CHANGED.search(said):
                root.do(f"scancel {job}")
            root.do(f"scontrol update job={job} reqnodelist=")
            # Nor does Slurm from 24.11 on start what has fewer CPUs than tasks.
            root.do(f"scontrol update job={job} numcpus={CPUS}")
        seen: set[tuple[int, str]] = set()
        deadline, woken = 0.0, False
        while True:
            _raise_error_of(sampler)
            jobs = [job for job in self._queue() if not self._is_hopeless(job)]
            if not jobs:
                break
            now = {(job.id, job.state) for job in jobs}
            if now != seen:
                seen, deadline, woken = now, time.monotonic() + PATIENCE, False
            if not woken and time.monotonic() > deadline - PATIENCE / 2:
                root.wake_nodes()
                woken = True
            if time.monotonic() > deadline:
                self.found["left"] += len(jobs)
                nodes = self.cluster.run("sinfo --noheader --Node --format='%N %T %E'").stdout
                tried = "\n".join(map(str, self.administrator.history))
                for job in jobs:
                    shown = self.cluster.run(f"scontrol --oneliner show job {job.id}", check=False)
                    self.told.append((job.id, f"left behind: {shown.stdout}{nodes}{tried}"))
                return
            self._let_go(jobs)
            time.sleep(0.5)

    def _queue(self) -> list[Job]:
        return parse(self.cluster.run("scontrol --oneliner --details show job").stdout)

    def _is_ahead(self, job: Job) -> bool:
        """It began, or was suspended, while the clock was ahead: it runs until that time comes."""
        now = self.cluster.time()
        return job.state == "RUNNING" and (job.start > now + 1 or (job.ran == 0 and job.start < now - 2))

    def _is_hopeless(self, job: Job) -> bool:
        return job.state == "PENDING" and bool(HOPELESS.search(job.reason))

    def _let_go(self, jobs: list[Job]) -> None:
        root = self.administrator
        for node in sorted(self.cluster.nodes_out()):
            root.do(f"scontrol update nodename={node} state=resume")
        for job in jobs:
            if job.state == "SUSPENDED":
                root.do(f"scontrol resume {job.id}")
            # Of one whose node failed Slurm may requeue a part and end the others: it stays for ever.
            elif job.ran > LONGEST or self._is_ahead(job) or (job.het and job.state == "PENDING"):
                root.do(f"scancel {job.key}")
            elif job.reason == "BeginTime":
                root.do(f"scontrol update job={job.key} starttime=now")
            elif job.state == "PENDING" and not job.priority and (
                job.id in self.observer.held_by_slurm or self.board.may_be_held(job)
            ):
                root.do(f"scontrol release {job.id}")

    def _last_end_is_seen(self, sampler: Sampler) -> bool:
        _raise_error_of(sampler)
        return not self.usage.active

    def _add_up(self, sampler: Sampler) -> None:
        """Whether each user's usage is what all of his runs have used."""
        self.cluster.wait_for(lambda: self._last_end_is_seen(sampler), "the last run's end to be seen")
        self.cluster.wait_for_iterations(2)
        report = self.cluster.maui("diagnose", "-f", "--json")
        fairshare = {row["name"]: sum(row["windows"]) for row in report["credentials"]["user"]}
        rows = self._accounting()
        self.usage.add(rows, time.time())
        for user, used in self.usage.by_user().items():
            counted = fairshare.get(user, 0)
            print(f"storm: {user}: fairshare {counted:.0f}, {used}; {used.beside(rows)}", flush=True)
            if not used.least <= counted <= used.most and "usage" not in WITHOUT:
                self.found["usage"] += 1
                self.told.append((0, f"fairshare of {user} has {counted}: {used}\n{used.list(rows)}"))

    def _accounting(self) -> dict[tuple[int, int], Row]:
        """sacct's runs. Some may be missing: slurmdbd is killed, too."""
        done = self.cluster.run(f"SLURM_TIME_FORMAT=%s sacct -D -X -a -n -P -S now-1day -o {SACCT}")
        return dict(accounting_rows(done.stdout))

    def _tell_counts(self, lasted: float) -> None:
        counts = sum((actor.counts for actor in self.actors.values()), Counter())
        for title, what in (("did", counts), ("saw", self.observer.counts), ("found", self.found)):
            print(
                f"storm: {title} in {lasted:.0f} seconds: "
                + ", ".join(f"{number} {name[:40]}" for name, number in sorted(what.items())),
                flush=True,
            )

    def _judge(self) -> None:
        if self.told:
            # With what came after it, which tells how long it lasted.
            texts = [
                f"{text}\n--- what was seen of job {job}\n{self._trail(job)}" for job, text in self.told
            ]
            found = f"MAUI_STORM_SEED={self.seed}: {dict(self.found)}"
            self.test.fail("\n\n".join((found, *texts)))
        seen = self.observer.counts
        for name in STORM:
            self.test.assertGreater(seen[name], ENOUGH, name)  # else it was no storm

    def _trail(self, job: int) -> str:
        return "\n".join(f"{clock(when)} {look}" for when, look in self.observer.trails.get(job, ()))


def _raise_error_of(thread: Actor | Sampler) -> None:
    if thread.error:
        raise thread.error
