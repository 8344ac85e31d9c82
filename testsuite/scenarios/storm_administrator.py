# SPDX-License-Identifier: GPL-2.0-or-later
"""The storm's administrator: all that may be done to a cluster, and the history of maui.cfg."""

from __future__ import annotations

import random
import shutil
import threading
import time
from collections.abc import Collection
from dataclasses import replace

from harness import Cluster, replace_file
from storm_actors import NODES, SPARE_NODE, SPARE_PARTITION, Actor, Board, Shell
from storm_clock import Clock
from storm_model import INFINITE, History, Limit, Policy, Reservation

RESERVATIONS = (
    Reservation("vault", "n1", users=("games",)),
    Reservation("books", "n2", accounts=("physics",), users=("man",)),
    Reservation("half", "n3", procs=1, users=("man",), classes=("batch",)),
    Reservation("pc", "n4", procs=2, users=("games",)),
    Reservation("deny", "n5", users=("games",), classes=("batch",)),
    Reservation("gate", "n6", users=("man",)),
)
COMES_AND_GOES = "gate"
LIMITS = (
    Limit("USER", "DEFAULT", "JOB", 5),
    Limit("USER", "DEFAULT", "PROC", 11),
    Limit("USER", "bin", "JOB", 2),
    Limit("USER", "daemon", "PROC", 5),
    Limit("USER", "man", "PS", 3600),
    Limit("USER", "man", "WC", 1500),
    Limit("USER", "DEFAULT", "WC", 4000),
    Limit("ACCOUNT", "physics", "PROC", 7),
    Limit("ACCOUNT", "DEFAULT", "JOB", 5),
    Limit("CLASS", "other", "JOB", 9),
    Limit("CLASS", "batch", "PS", 12000),
    Limit("SYS", "", "PROC", 22),
)
# What an administrator may change of a reservation by hand, whoever made it.
CHANGES = (
    "users=+bin,daemon",
    "users=bin",
    "users=bin flags=MAGNETIC",
    "users=daemon flags=FLEX",
    "flags=MAINT",
    "flags=DAILY",
    "flags=PURGE_COMP",
    "flags-=PURGE_COMP",
    "flags-=IGNORE_JOBS",
    "MaxStartDelay=60",
    "duration=5",
    "endtime=now+2minutes",
    "nodes=n5",
    "nodes=n1,n2 users=+daemon",
    "partition=other",
)
# How he makes one by the name of ours, once that is gone.
IMPOSTORS = (
    "users=bin,daemon nodes={node} flags=ignore_jobs,overlap",
    "users=bin nodes={node} flags=ignore_jobs,maint",
    "users=daemon nodes={node} flags=ignore_jobs,magnetic",
    "users=root nodes={node} flags=ignore_jobs,overlap maxstartdelay=1000-00:00:00",
)
# Lines of slurm.conf that come and go; users ask for what is in them all the time.
SPARES = (f"NodeName={SPARE_NODE} ", f"PartitionName={SPARE_PARTITION} ")
OTHER = """\
RMPOLLINTERVAL 1
FSPOLICY DEDICATEDPS
FSINTERVAL 24:00:00
CHECKPOINTINTERVAL 1
"""
POLICY = Policy(RESERVATIONS, LIMITS, OTHER)
KILL_EVERY = 15.0  # seconds
UNSAVED = 15.0  # seconds that slurmctld may forget when it is killed; it saves every five
# How far the clock is set ahead or back, and for how long, in seconds.
STEP_EVERY = 40.0
STEPS = (120, 300, 1800, 3600, 7200)
WRONG_FOR = (4.0, 25.0)


class Administrator(Actor):
    def __init__(
        self,
        cluster: Cluster,
        dice: random.Random,
        stop: threading.Event,
        board: Board,
        history: History,
        clock: Clock,
        without: Collection[str] = (),
    ) -> None:
        super().__init__("root", Shell(cluster), dice, stop)
        self.cluster = cluster
        self.board = board
        self.truth = history
        self.clock = clock
        # When the clock is set, and when it is right again.
        self._step_at = INFINITE if "step" in without else time.monotonic() + STEP_EVERY / 2
        self._right_at = INFINITE
        self._slurm_conf = cluster.dir / "etc" / "slurm.conf"
        self._whole = self._slurm_conf.read_text(encoding="utf-8")
        self._stopped = ""  # slurmdbd, or its database's server
        self._kill_at = INFINITE if "kill" in without else time.monotonic() + KILL_EVERY
        weights = {
            self.reconfigure: 14,
            self.node: 22,
            self.suspend: 18,
            self.resume: 16,
            self.release: 10,
            self.hold: 4,
            self.delete: 14,
            self.alter: 14,
            self.replace: 4,
            self.begin: 6,
            self.requeue: 4,
            self.edit: 2,
            self.accounting: 3,
        }
        self._weights = {one: n for one, n in weights.items() if one.__name__ not in without}

    # --- maui.cfg

    def install(self, policy: Policy, what: str) -> None:
        change = self.truth.ask(time.time(), policy)
        text = policy.text(self.dice)

        def acting() -> None:
            self.cluster.install(text)
            change.in_force = time.time()

        self.record(f"reconfigure: {what}", acting)

    def reconfigure(self) -> None:
        """The policy in force, its lines in another order; or another one."""
        now = self.truth.changes[-1].policy
        kind = self.dice.choices(("same", "gate", "limits"), (50, 25, 25))[0]
        if kind == "gate":
            there = any(one.name == COMES_AND_GOES for one in now.reservations)
            other = now.without(COMES_AND_GOES) if there else replace(now, reservations=RESERVATIONS)
            self.install(other, f"{COMES_AND_GOES} {'goes' if there else 'comes'}")
        elif kind == "limits":
            hard = [max(1, int(one.hard * self.dice.choice((0.5, 1, 1, 2)))) for one in LIMITS]
            limits = [replace(one, hard=number) for one, number in zip(LIMITS, hard, strict=True)]
            self.install(replace(now, limits=tuple(limits)), f"limits {hard}")
        else:
            self.install(now, "in another order")

    # --- the rest

    def act(self) -> None:
        now = time.monotonic()
        if now >= self._right_at:
            self.set_right()
        elif now >= self._step_at:
            self.step()
        elif now >= self._kill_at:
            self.kill()
        else:
            self.dice.choices(list(self._weights), list(self._weights.values()))[0]()

    def kill(self) -> None:
        def acting() -> None:
            self.truth.killed(time.time() - UNSAVED)
            self.cluster.stop(kill=True)
            self._restore_node_state()
            self.cluster.start()

        self.record("kill -9", acting)
        # After it, which takes long on a busy machine: there is time for all the rest in between.
        self._kill_at = time.monotonic() + self.dice.uniform(0.5, 1.5) * KILL_EVERY

    def _restore_node_state(self) -> None:
        """slurmctld removes a file before it gives the new one its name. Without node_state 26.05 does not
        start: it does not read the old one."""
        state = self.cluster.dir / "state"
        if not (state / "node_state").exists() and (state / "node_state.old").exists():
            shutil.copy2(state / "node_state.old", state / "node_state")

    def edit(self) -> None:
        """A node or a partition leaves slurm.conf with the jobs in it, or comes back."""
        lines = self._slurm_conf.read_text(encoding="utf-8").splitlines(keepends=True)
        spare = self.dice.choice(SPARES)
        there = any(line.startswith(spare) for line in lines)
        left = [line for line in lines if not line.startswith(spare)]
        if not there:
            left += [line for line in self._whole.splitlines(True) if line.startswith(spare)]
        self._restart("".join(left), f"{spare}{'goes' if there else 'comes'}")

    def _restart(self, slurm_conf: str, what: str) -> None:
        def acting() -> None:
            self.cluster.stop()
            replace_file(self._slurm_conf, slurm_conf)
            self.cluster.start()

        self.record(f"slurm.conf: {what}", acting)

    def step(self) -> None:
        """The clock of all daemons and commands is set ahead or back, and right again after a while."""
        self._step_at = INFINITE
        self._set_clock(self.dice.choice((1, -1)) * self.dice.choice(STEPS))
        self._right_at = time.monotonic() + self.dice.uniform(*WRONG_FOR)

    def set_right(self) -> None:
        self._right_at = INFINITE
        if off_by := round(self.clock.off_by()):
            self._set_clock(-off_by)
        self._step_at = time.monotonic() + self.dice.uniform(0.5, 1.5) * STEP_EVERY

    def _set_clock(self, seconds: int) -> None:
        """Back only while slurmctld is down: Slurm's schedulers stand still until the time has come
        again, and only a new slurmctld goes on."""
        how = self.dice.choice(("stopped", "killed", *(("running",) if seconds > 0 else ())))

        def acting() -> None:
            if how != "running":
                self.cluster.stop(kill=how == "killed")
            self.clock.set(
                time.time, self.cluster.time, lambda: self.cluster.set_clock(f"{seconds:+d}")
            )
            if how != "running":
                self.cluster.start()

        self.record(f"clock with slurmctld {how}: {seconds:+d}", acting)

    def accounting(self) -> None:
        """slurmdbd or its database's server is killed, or starts again."""
        if self._stopped or not self.cluster.daemon_runs("slurmdbd"):
            self.mend_accounting()
            return
        daemon = self.dice.choice(("slurmdbd", "mariadbd"))
        self.record(f"kill -9 {daemon}", lambda: self.cluster.stop(daemon, kill=True))
        self._stopped = daemon

    def mend_accounting(self) -> None:
        """Also slurmdbd, which may have ended when its database did not answer."""
        for daemon in filter(None, (self._stopped, "slurmdbd")):
            if not self.cluster.daemon_runs(daemon):
                self.record(f"start {daemon}", lambda daemon=daemon: self.cluster.start(daemon))
        self._stopped = ""

    def mend(self) -> None:
        """All that there was at first is there again."""
        self.mend_accounting()
        self.set_right()
        if self._slurm_conf.read_text(encoding="utf-8") != self._whole:
            self._restart(self._whole, "as it was")

    def wake_nodes(self) -> None:
        """A slurmd that waits for something as the clock is set back may wait until that time comes again."""
        for node in sorted(self.cluster.nodes_silent()):
            self.record(f"start slurmd.{node}", lambda node=node: self._start_again(f"slurmd.{node}"))

    def _start_again(self, daemon: str) -> None:
        if self.cluster.daemon_runs(daemon):
            self.cluster.stop(daemon, kill=True)
        self.cluster.start(daemon)

    def node(self) -> None:
        state = self.dice.choice(("down", "drain", "resume", "resume", "resume"))
        self.do(f"scontrol update nodename=n{self.dice.randint(1, NODES)} state={state} reason=storm")

    def delete(self) -> None:
        self._take_away(self.dice.choice(RESERVATIONS).name)

    def _take_away(self, name: str) -> None:
        status, _ = self.do(f"scontrol delete reservation={name}.inf")
        if status == "0":
            self.truth.deleted(f"{name}.inf", time.time())

    def alter(self) -> None:
        name = self.dice.choice(RESERVATIONS).name
        self.do(f"scontrol update reservation={name}.inf {self.dice.choice(CHANGES)}")

    def replace(self) -> None:
        """One of his own by the name of ours, which he may delete later as any other."""
        one = self.dice.choice(RESERVATIONS)
        how = self.dice.choice(IMPOSTORS).format(node=self.dice.choice((one.node, "n5")))
        self._take_away(one.name)
        asked = time.time()
        _, said = self.do(
            f"scontrol create reservation reservationname={one.name}.inf starttime=now duration=60 {how}"
        )
        if "Error creating" not in said:  # else it is there, or may be
            self.truth.made(f"{one.name}.inf", asked)

    def make_way(self) -> None:
        """None of his own is left."""
        for one in RESERVATIONS:
            self._take_away(one.name)

    def _of(self, *states: str) -> int:
        found = [job.id for job in self.board.jobs if job.state in states]
        return self.dice.choice(found) if found else 0

    def suspend(self) -> None:
        if job := self._of("RUNNING"):
            self.board.suspended |= {job} | {one.key for one in self.board.jobs if one.id == job}
            self.do(f"scontrol suspend {job}")

    def resume(self) -> None:
        if job := self._of("SUSPENDED"):
            self.do(f"scontrol resume {job}")

    def hold(self) -> None:
        if job := self._of("PENDING", "RUNNING"):
            self.board.held |= {job} | {one.key for one in self.board.jobs if one.id == job}
            self.do(f"scontrol hold {job}")

    def release(self) -> None:
        held = [job.id for job in self.board.jobs if not job.priority]
        if job := (self.dice.choice(held) if held else self._of("PENDING")):
            self.do(f"scontrol release {job}")

    def begin(self) -> None:
        """A requeued job would wait for the end of its credential's life, minutes."""
        waiting = [job.id for job in self.board.jobs if job.reason == "BeginTime"]
        if waiting:
            self.do(f"scontrol update job={self.dice.choice(waiting)} starttime=now")

    def requeue(self) -> None:
        if job := self._of("RUNNING", "SUSPENDED"):
            self.do(f"scontrol requeue {job}")
