# SPDX-License-Identifier: GPL-2.0-or-later
"""What the storm's maui.cfg means: whose the nodes are, and how much anybody may have at once.

Written from the manual and sharing nothing with the plugins. It knows the lines that Policy writes
and no others: access lists of which any one admits, and hard limits, a holder's own before DEFAULT.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

INFINITE = 2**62
HOLDERS = ("USER", "ACCOUNT", "CLASS", "SYS")
METRICS = ("JOB", "PROC", "PS", "WC")


@dataclass(frozen=True)
class Job:
    """One that has nodes, or waits, as `scontrol --details show job` has it."""

    id: int
    key: int  # the array's or the heterogeneous job's: what is done to it is done to all
    user: str
    account: str  # "" if it has none
    partition: str
    state: str
    reason: str = ""
    priority: int = 1
    start: float = 0
    limit: int = INFINITE  # seconds
    ran: int = 0
    cpus: int = 1
    on: tuple[tuple[str, frozenset[int]], ...] = ()  # its nodes, and which CPUs of each
    het: bool = False  # it is a part of a heterogeneous job
    clock_was_set: bool = False  # since it started
    part: bool = False  # of a heterogeneous job, but its first: they are one job
    reservation: str = ""  # of Slurm's that it is in

    def cpus_on(self, node: str) -> frozenset[int]:
        return dict(self.on).get(node, frozenset())

    @property
    def remaining(self) -> int:
        return INFINITE if self.limit == INFINITE else max(0, self.limit - self.ran)

    def look(self) -> str:
        """What there is to see of it, in few words."""
        limit = "for ever" if self.limit == INFINITE else str(self.limit)
        words = [self.state, self.reason, f"priority {self.priority}", self.partition]
        words += [self.account or "no account", f"{self.cpus} CPUs", f"limit {limit}"]
        words += [f"{node}:{','.join(map(str, sorted(cpus)))}" for node, cpus in self.on]
        return " ".join(words)

    def amount(self, metric: str) -> int:
        """What it holds of a limit's metric."""
        if metric == "JOB":
            return 0 if self.part else 1
        if metric == "PROC":
            return self.cpus
        return self.remaining * (self.cpus if metric == "PS" else 1)

    def holder(self, kind: str) -> str:
        names = {"USER": self.user, "ACCOUNT": self.account, "CLASS": self.partition}
        return names.get(kind, "all")


@dataclass(frozen=True)
class Reservation:
    """A standing reservation of one node, or of some of its CPUs, for ever."""

    name: str
    node: str
    procs: int = 0  # 0: the whole node
    users: tuple[str, ...] = ()
    accounts: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()

    def admits(self, job: Job) -> bool:
        return (
            job.user in self.users or job.account in self.accounts or job.partition in self.classes
        )

    @property
    def attributes(self) -> list[str]:
        words = [f"HOSTLIST={self.node}", "PERIOD=INFINITY"]
        if self.procs:
            words.append(f"RESOURCES=PROCS={self.procs} TASKCOUNT=1")
        lists = {"USERLIST": self.users, "ACCOUNTLIST": self.accounts, "CLASSLIST": self.classes}
        return words + [f"{key}={','.join(names)}" for key, names in lists.items() if names]


@dataclass(frozen=True)
class Limit:
    holder: str  # of HOLDERS
    name: str  # or DEFAULT; "" for SYS
    metric: str
    hard: int

    @property
    def text(self) -> str:
        index = f"[{self.name}]" if self.name else ""
        return f"{self.holder}CFG{index} MAX{self.metric}={self.hard}"


@dataclass(frozen=True)
class Policy:
    """A maui.cfg; its text says the same in many ways."""

    reservations: tuple[Reservation, ...] = ()
    limits: tuple[Limit, ...] = ()
    other: str = ""

    def text(self, dice: random.Random) -> str:
        """The lines in any order, attributes of one object on one line or on several."""
        lines = [limit.text for limit in self.limits]
        for one in self.reservations:
            words = dice.sample(one.attributes, len(one.attributes))
            cut = dice.randrange(len(words))
            parts = (words[:cut], words[cut:])
            lines += [f"SRCFG[{one.name}] {' '.join(part)}" for part in parts if part]
        dice.shuffle(lines)
        return self.other + "".join(f"{line}\n" for line in lines)

    def limit(self, holder: str, name: str, metric: str) -> int:
        """Up to what this holder may have; a job without an account is nobody's in it."""
        if not name:
            return INFINITE
        known = {(one.holder, one.name, one.metric): one.hard for one in self.limits}
        wanted = ("",) if holder == "SYS" else (name, "DEFAULT")
        found = (known[holder, one, metric] for one in wanted if (holder, one, metric) in known)
        return next(found, INFINITE)

    def without(self, reservation: str) -> Policy:
        return replace(
            self, reservations=tuple(one for one in self.reservations if one.name != reservation)
        )


@dataclass
class Change:
    """A policy came into force at some time between these two."""

    asked: float
    policy: Policy
    in_force: float = INFINITE


@dataclass
class Own:
    """The administrator has made one of Slurm's reservations by the name of one of ours. Whom it lets in,
    and where, is Slurm's to say."""

    name: str
    since: float
    until: float = INFINITE


@dataclass
class History:
    """Which policies may have been in force when. The administrator writes it, the observer reads."""

    changes: list[Change] = field(default_factory=list)
    own: list[Own] = field(default_factory=list)

    def made(self, name: str, when: float) -> None:
        self.own.append(Own(name, when))

    def deleted(self, name: str, when: float) -> None:
        for one in self.own:
            if one.name == name:
                one.until = min(one.until, when)

    def killed(self, since: float) -> None:
        """slurmctld may have forgotten what was deleted since then."""
        for one in self.own:
            if one.until >= since:
                one.until = INFINITE

    def is_in_own(self, job: Job, first: float, last: float) -> bool:
        """Whether the job is in a reservation that may have been the administrator's between these two."""
        return any(
            one.name == job.reservation and one.since <= last and one.until >= first for one in self.own
        )

    def ask(self, now: float, policy: Policy) -> Change:
        self.changes.append(Change(now, policy))
        return self.changes[-1]

    def in_force(self, first: float, last: float) -> list[Policy]:
        """All that may have been between these two times; there is one at least."""
        changes: Sequence[Change] = list(self.changes)
        found = []
        for number, change in enumerate(changes):
            # The last but one holds on until the last is known to be in force.
            until = changes[number + 1].in_force if number + 1 < len(changes) else INFINITE
            if change.asked <= last and until >= first:
                found.append(change.policy)
        return found
