# SPDX-License-Identifier: GPL-2.0-or-later
"""Who acts in the storm: users with all that Slurm lets them do to their own jobs, in shells of
their own, and what each of them did when."""

from __future__ import annotations

import random
import re
import subprocess
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from harness import CLUSTER, Cluster
from lost_answer import is_lost
from storm_model import Job

KEPT = 30  # actions of each actor, for a finding's text
COMMAND_SECONDS = 20  # a client that lost slurmctld's answer waits for minutes
SPARE_NODE, SPARE_PARTITION = "n8", "spare"
PARTITIONS = ("other", "batch", "other,batch", "other", "batch", "other,batch", SPARE_PARTITION)
ACCOUNTS = ("physics", "biology")
NODES = 7
_NUMBER = re.compile(r"^\d+", re.MULTILINE)  # of sbatch --parsable, among what plugins say


def clock(when: float) -> str:
    return f"{time.strftime('%H:%M:%S', time.localtime(when))}.{int(when * 1000) % 1000:03d}"


@dataclass
class Action:
    when: float
    command: str
    lasted: float = 0
    status: str = "under way"

    def __str__(self) -> str:
        return f"{clock(self.when)} +{self.lasted:.2f} {self.status}: {self.command}"


def inside(cluster: Cluster, *options: str) -> list[str]:
    """The words before a command that run it in the cluster."""
    return [sys.executable, str(CLUSTER), "exec", "--dir", str(cluster.dir), *options, "--"]


class Shell:
    """A user's shell in the cluster, which takes one command after the other."""

    def __init__(self, cluster: Cluster, user: str | None = None) -> None:
        as_user = ["--as", user] if user else []
        self._process = subprocess.Popen(
            [*inside(cluster, *as_user), "sh"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
        )

    def run(self, command: str) -> tuple[str, str]:
        """Its status, and what it printed."""
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(f"({command}) </dev/null 2>&1; echo \"\n@@@ $?\"\n")
        self._process.stdin.flush()
        lines: list[str] = []
        for line in self._process.stdout:
            if line.startswith("@@@ "):
                return line.split()[1], "".join(lines).strip()
            lines.append(line)
        raise AssertionError(f"the shell has ended: {command}")

    def close(self) -> None:
        assert self._process.stdin and self._process.stdout
        self._process.stdin.close()
        self._process.wait(timeout=60)
        self._process.stdout.close()


class Actor(threading.Thread):
    """Acts until it is told to stop; acting() is its next action."""

    def __init__(self, name: str, shell: Shell, dice: random.Random, stop: threading.Event) -> None:
        super().__init__(name=name, daemon=True)
        self.dice = dice
        self.counts: Counter[str] = Counter()
        self.history: deque[Action] = deque(maxlen=KEPT)
        self.error: BaseException | None = None
        self._shell = shell
        self._stop_wanted = stop

    def run(self) -> None:
        try:
            while not self._stop_wanted.is_set():
                self.act()
                self._stop_wanted.wait(self.dice.uniform(0.05, 0.5))
        except BaseException as error:  # the test's thread raises it
            self.error = error

    def close(self) -> None:
        self._shell.close()

    def act(self) -> None:
        raise NotImplementedError

    def do(self, command: str) -> tuple[str, str]:
        action = Action(time.time(), command)
        self.history.append(action)
        status, said = self._shell.run(f"timeout {COMMAND_SECONDS} {command}")
        action.lasted = time.time() - action.when
        action.status = f"{status} {said[-100:]}".strip()
        words = command.split()
        kind = " ".join(words[:2]) if words[0] == "scontrol" else words[0]
        self.counts[kind if status == "0" else f"{kind} refused"] += 1
        return status, said

    def record(self, command: str, acting: Callable[[], object]) -> None:
        """What is done otherwise than by a command of the shell."""
        action = Action(time.time(), command)
        self.history.append(action)
        acting()
        action.lasted = time.time() - action.when
        action.status = "0"
        self.counts[command.split(":")[0]] += 1


@dataclass
class Board:
    """What all actors know: the queue as it was sampled last, and whom somebody has held.

    A hold is written here before it is given, and stays: a kill -9 may cost slurmctld the release.
    """

    jobs: Sequence[Job] = ()
    held: set[int] = field(default_factory=set)
    # Users whose job is held from its submission on, and its number is not known: that is under way,
    # or slurmctld's answer was lost.
    holding: set[str] = field(default_factory=set)
    # Slurm holds a job that is requeued while it is suspended.
    suspended: set[int] = field(default_factory=set)

    def may_be_held(self, job: Job) -> bool:
        if job.reason == "JobHeldUser" and job.user in self.holding:
            return True
        return bool({job.id, job.key} & (self.held | self.suspended))


class User(Actor):
    MOST = 14  # jobs at a time

    def __init__(
        self,
        name: str,
        shell: Shell,
        dice: random.Random,
        stop: threading.Event,
        board: Board,
        without: Collection[str] = (),
    ) -> None:
        super().__init__(name, shell, dice, stop)
        self.board = board
        kinds = {"plain": 66, "array": 16, "het": 10, "srun": 5, "salloc": 3}
        self._kinds = {kind: weight for kind, weight in kinds.items() if kind not in without}

    def act(self) -> None:
        own = [job for job in self.board.jobs if job.user == self.name]
        if len(own) < self.MOST and (not own or self.dice.random() < 0.45):
            self.submit()
        elif own:
            self.change(self.dice.choice(own))
        else:
            self.submit()

    # --- submissions

    def submit(self) -> None:
        dice = self.dice
        kind = dice.choices(list(self._kinds), list(self._kinds.values()))[0]
        wrap = f"--wrap 'exec sleep {dice.choice((1, 2, 3, 5, 8, 12))}'"
        one = self.options()
        if kind == "het":
            self.do(f"sbatch --parsable -D/ -o/dev/null {one} : {self.options()} {wrap}")
        elif kind in ("srun", "salloc"):
            # Behind this shell's back: it waits for nodes.
            self.do(f"sh -c 'timeout 8 {kind} --immediate=3 {one} sleep 3 >/dev/null 2>&1 &'")
        else:
            tasks = f"--array=1-{dice.randint(2, 4)}{dice.choice(('', '%2'))} "
            one = f"{tasks if kind == 'array' else ''}{self.once()}{one}"
            self.submit_batch(f"sbatch --parsable -D/ -o/dev/null {one} {wrap}")

    def submit_batch(self, command: str) -> None:
        if "--hold" in command:
            self.board.holding.add(self.name)
        status, said = self.do(command)
        if status == "0" and "--hold" in command:
            self.board.held.add(int(_NUMBER.findall(said)[0]))
        if not is_lost(int(status), said):
            self.board.holding.discard(self.name)

    def options(self) -> str:
        dice, chance = self.dice, self.dice.random
        words = [f"-p {dice.choice(PARTITIONS)}", f"-n{dice.choice((1, 1, 2, 2, 3, 4))}"]
        words.append("--mem-per-cpu=10")
        if chance() < 0.7:
            words.append(f"-t {dice.choice((1, 1, 2, 5, 10, 30, 0))}")
        if chance() < 0.5:
            words.append(f"-w n{dice.randint(1, NODES)}")
        elif chance() < 0.3:
            words.append("-N2")
        if chance() < 0.4:
            words.append(f"-A {dice.choice(ACCOUNTS)}")
        if chance() < 0.15:
            words.append(f"--signal=R:USR1@{dice.choice((0, 1, 60, 65535))}")
        if chance() < 0.08:
            words.append(f"--comment={self.comment()}")
        if chance() < 0.05:
            words.append(f"--reservation={self.reservation()}")
        if chance() < 0.05:
            words.append("--exclusive")
        if chance() < 0.08:
            words.append("--time-min=1")
        return " ".join(words)

    def once(self) -> str:
        """Options for a whole job."""
        dice, chance = self.dice, self.dice.random
        words = [f"-J {dice.choice(('one', 'two'))}", dice.choice(("--requeue", "--no-requeue"))]
        if chance() < 0.05:
            words.append("--hold")
        if chance() < 0.05:
            words.append("--begin=now+3")
        if chance() < 0.08:
            words.append(f"--dependency={self.dependency()}")
        return " ".join(words) + " "

    def comment(self) -> str:
        names = ("vault", "deny", "pc")
        return self.dice.choice((*(f"x=ADVRES:{name}" for name in names), "x=FLAGS:ADVRES", "none"))

    def reservation(self) -> str:
        return self.dice.choice(("vault.inf", "vault", "deny.inf", "pc.inf", "books.inf"))

    def dependency(self) -> str:
        others = [job.key for job in self.board.jobs] or [1]
        kinds = ("singleton", "after", "afterany")
        kind = self.dice.choice(kinds)
        return kind if kind == "singleton" else f"{kind}:{self.dice.choice(others)}"

    # --- changes

    def change(self, job: Job) -> None:
        dice = self.dice
        number = dice.choice((job.id, job.key))
        kind = dice.choices(
            ("update", "hold", "release", "requeue", "cancel", "begin"), (70, 5, 7, 6, 7, 5)
        )[0]
        if kind == "hold":
            self.board.held |= {job.id, job.key}
            self.do(f"scontrol {dice.choice(('hold', 'uhold'))} {number}")
        elif kind == "cancel":
            self.do(f"scancel {number}")
        elif kind == "begin":
            self.do(f"scontrol update job={number} starttime=now")
        elif kind == "update":
            self.do(f"scontrol update job={number} {self.difference()}")
        else:
            self.do(f"scontrol {kind} {number}")

    def difference(self) -> str:
        dice = self.dice
        return dice.choice(
            (
                f"partition={dice.choice(PARTITIONS)}",
                f"partition={dice.choice(PARTITIONS)} reqnodelist=n{dice.randint(1, NODES)}",
                f"partition={dice.choice(PARTITIONS)} account={dice.choice(ACCOUNTS)}",
                f"account={dice.choice(ACCOUNTS)}",
                f"reqnodelist=n{dice.randint(1, NODES)}",
                "reqnodelist=",
                f"excnodelist=n{dice.randint(1, NODES)}",
                f"timelimit={dice.choice((1, 2, 10, 60, 'UNLIMITED'))}",
                f"jobname={dice.choice(('one', 'two'))}",
                f"dependency={self.dependency()}",
                "dependency=",
                f"comment={self.comment()}",
                f"reservationname={self.reservation()}",
                "reservationname=",
                f"numcpus={dice.randint(1, 4)}",
                f"nice={dice.randint(0, 500)}",
            )
        )
