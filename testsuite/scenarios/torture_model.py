# SPDX-License-Identifier: GPL-2.0-or-later
"""The torture test's observer: which start of which run was over a hard limit, by accounting alone.

Written from chapter 6.2 of the manual and D-LIM-1 to D-LIM-15; it shares nothing with the plugins.
It knows the limits that Policy writes and no others: a credential's own entry stands before DEFAULT,
its QOS's O... in place of both, a pair's entry with a name before the one without, -1 is no limit.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import controller_log
import jobcomp

INFINITE = 2**62
# MAXPS, MAXPE and MAXWC are set so high that they never bind. Metrics of a GRES have its name as in
# maui.cfg; GS, its outstanding seconds, shrinks with time.
METRICS = ("JOB", "PROC", "NODE", "MEM", "GRES[gpu]", "GRES[gpu:a100]", "GS[gpu]")
TIME_LIMIT = 60  # seconds, the least of any run
CLOCKS = 2  # seconds by which the start in accounting may be before limits were looked at

GRES_METRIC = re.compile(r"(GRES|GS)\[(.*)\]$")

# In whose name a job runs; SYS is the whole system.
HOLDERS = ("USER", "GROUP", "ACCOUNT", "CLASS", "QOS")
Key = tuple[str, ...]


@dataclass
class Run:
    """What accounting says of one start of a job or of an array's task: it ran in [start, end)."""

    job: str
    start: int
    end: int
    names: dict[str, str]  # by HOLDERS
    procs: int = 1
    nodes: int = 1
    memory: int = 0
    gres: dict[str, int] = field(default_factory=dict)  # by name: gpu, gpu:a100
    part: bool = False  # of a heterogeneous job, but its first: they are one job
    state: str = ""
    away: tuple[int, int] = (0, 0)  # [from, to): it had ended, until a kill made slurmctld forget that

    def is_there(self, second: int) -> bool:
        """Whether it surely was there, for one that starts in this second."""
        return self.end > second and not self.away[0] <= second < self.away[1]

    def amount(self, metric: str) -> int:
        """What it adds when it starts; of outstanding seconds, at least."""
        if metric == "JOB":
            return 0 if self.part else 1
        if gres := GRES_METRIC.match(metric):
            amount = self.gres.get(gres[2], 0)
            return amount * TIME_LIMIT if gres[1] == "GS" else amount
        return {"PROC": self.procs, "NODE": self.nodes, "MEM": self.memory}[metric]

    def usage(self, metric: str, second: int) -> int:
        """What of that is in use; of outstanding seconds, at least."""
        amount = self.amount(metric)
        if metric.startswith("GS["):
            left = self.start + TIME_LIMIT - second - CLOCKS
            return amount * max(left, 0) // TIME_LIMIT
        return amount


@dataclass(frozen=True)
class Limit:
    """One attribute of a line such as `CLASSCFG[batch] MAXJOB[USER:bin]=2,3`."""

    holder: str  # of HOLDERS, or SYS
    name: str  # or DEFAULT; "" for SYS
    metric: str
    hard: int
    soft: int | None = None
    pair: str = ""  # the second holder: `USER`, or `USER:bin`
    override: bool = False

    @property
    def text(self) -> str:
        metric, _, gres = self.metric.rstrip("]").partition("[")
        name = f"{'O' if self.override else ''}MAX{metric}"
        index = ",".join(one for one in (gres, self.pair) if one)
        soft = "" if self.soft is None else f"{self.soft},"
        return f"{name}{f'[{index}]' if index else ''}={soft}{self.hard}"


@dataclass
class Policy:
    """A maui.cfg: hard limits that the observer knows, and lines that it need not know."""

    limits: list[Limit] = field(default_factory=list)
    procs_per_job: int = INFINITE
    other: str = ""

    @property
    def text(self) -> str:
        lines: dict[str, list[str]] = {}
        for limit in self.limits:
            index = f"[{limit.name}]" if limit.name else ""
            lines.setdefault(f"{limit.holder}CFG{index}", []).append(limit.text)
        text = "".join(f"{key} {' '.join(values)}\n" for key, values in lines.items())
        if self.procs_per_job < INFINITE:
            text += f"SYSTEMMAXPROCPERJOB {self.procs_per_job}\n"
        return text + self.other

    @cached_property
    def _hard(self) -> dict[tuple[str, str, str, str, bool], int]:
        return {
            (one.holder, one.name, one.metric, one.pair, one.override): one.hard
            for one in self.limits
        }

    def _first(self, *wanted: tuple[str, str, str, str, bool]) -> int:
        """The first of these that is set, 0 if none is."""
        return next((self._hard[one] for one in wanted if self._hard.get(one)), 0)

    def limit(self, key: Key, metric: str, run: Run) -> int:
        """Up to what this run may bring the usage of one of its holders, or pairs of holders."""
        if key[0] == "SYS":
            hard = self._first(("SYS", "", metric, "", False))
            return hard if hard > 0 else INFINITE
        override = self._first(("QOS", run.names["QOS"], metric, "", True))
        if len(key) == 2:
            holder, name = key
            own = self._first(
                (holder, name, metric, "", False), (holder, "DEFAULT", metric, "", False)
            )
        else:
            holder, name, second, second_name = key
            own = self._first(
                *(
                    (holder, first, metric, pair, False)
                    for first in (name, "DEFAULT")
                    for pair in (f"{second}:{second_name}", second)
                )
            )
            if own <= 0:  # a pair that nothing is said of has no limit to be overridden
                return INFINITE
        hard = override or own
        return hard if hard > 0 else INFINITE

    def pairs(self) -> set[tuple[str, str]]:
        return {(one.holder, one.pair.partition(":")[0]) for one in self.limits if one.pair}


@dataclass
class Change:
    """A policy came into force at some time between these two."""

    asked: float
    in_force: float
    policy: Policy


def keys_of(run: Run, pairs: Iterable[tuple[str, str]]) -> Iterator[Key]:
    yield ("SYS",)
    for holder in HOLDERS:
        yield (holder, run.names[holder])
    for first, second in pairs:
        yield (first, run.names[first], second, run.names[second])


@dataclass
class Verdict:
    violations: list[str] = field(default_factory=list)
    judged: int = 0  # starts
    clear: int = 0  # of these, by one policy
    reached: Counter[str] = field(default_factory=Counter)  # by metric: starts up to near a limit


class Observer:
    """Holds each start against the usage at that time and the limits in force then.

    Accounting has seconds. A run counts where it surely was there: one that ends in a second is no
    usage for one that starts in it, and one that starts and ends within a second is none at all.
    Of those that start in the same second nobody knows the order: there must be one in which each
    was within its own limit; the least limit first is one if any is. Only starts are judged, so a
    limit that was lowered stops nobody who runs. Near a change the laxer of both policies counts.
    """

    SLACK = 2  # seconds around a change

    def __init__(self, changes: Sequence[Change]) -> None:
        self._changes = list(changes)

    def in_force(self, second: int) -> list[Policy]:
        """All policies that may have been in force in this second; there is one at least."""
        found = []
        for change, after in zip(self._changes, [*self._changes[1:], None], strict=True):
            begun = change.asked - self.SLACK <= second + 1
            ended = after is not None and after.in_force + self.SLACK < second
            if begun and not ended:
                found.append(change.policy)
        return found

    def judge(self, runs: Sequence[Run]) -> Verdict:
        verdict = Verdict()
        lasting = sorted((run for run in runs if run.end > run.start), key=lambda run: run.start)
        active: list[Run] = []
        at = 0
        while at < len(lasting):
            second = lasting[at].start
            behind = at
            while behind < len(lasting) and lasting[behind].start == second:
                behind += 1
            active = [run for run in active if run.end > second]
            there = [run for run in active if run.is_there(second)]
            self._judge_second(second, there, lasting[at:behind], verdict)
            active += lasting[at:behind]
            at = behind
        return verdict

    def _judge_second(
        self, second: int, active: Sequence[Run], fresh: Sequence[Run], verdict: Verdict
    ) -> None:
        policies = self.in_force(second)
        pairs = sorted(set().union(*(policy.pairs() for policy in policies)))
        before: Counter[tuple[Key, str]] = Counter()
        for run in active:
            for key in keys_of(run, pairs):
                for metric in METRICS:
                    before[key, metric] += run.usage(metric, second)
        starts: dict[tuple[Key, str], list[tuple[int, int, Run]]] = {}
        for number, run in enumerate(fresh):
            verdict.judged += 1
            verdict.clear += len(policies) == 1
            if run.procs > max(policy.procs_per_job for policy in policies):
                verdict.violations.append(f"SYSTEMMAXPROCPERJOB: {run}")
            for key in keys_of(run, pairs):
                for metric in METRICS:
                    limit = max(policy.limit(key, metric, run) for policy in policies)
                    starts.setdefault((key, metric), []).append((limit, number, run))
        for (key, metric), several in starts.items():
            used = before[key, metric]
            for limit, _, run in sorted(several, key=lambda one: one[:2]):
                amount = run.amount(metric)
                used += amount
                verdict.reached[metric] += amount > 0 and limit * 3 / 4 <= used <= limit
                if amount and used > limit:
                    verdict.violations.append(
                        f"at {second} {'/'.join(key)} has {used} MAX{metric}, "
                        f"of {limit} for {run}"
                    )


# --- from accounting

# What of sacct; times are epoch seconds (SLURM_TIME_FORMAT=%s).
SACCT = "JobID,User,Group,Account,QOS,Partition,State,Start,End,AllocCPUS,NNodes,AllocTRES"
GRES = re.compile(r"(?:^|,)gres/([^=]*)=(\d+)")
UNITS = {"K": 1 / 1024, "M": 1, "G": 1024, "T": 1024 * 1024}


def parse_runs(text: str) -> list[Run]:
    """The runs in the output of `sacct -D -X -n -P`; one that goes on ends at INFINITE."""
    runs = []
    for line in text.splitlines():
        job, user, group, account, qos, class_, state, start, end, cpus, nodes, tres = line.split("|")
        if not start.isdigit() or not int(start) or not int(cpus):
            continue  # it never ran
        memory = re.search(r"(?:^|,)mem=([\d.]+)([KMGT])", tres)
        runs.append(
            Run(
                job=job,
                start=int(start),
                end=int(end) if end.isdigit() and int(end) else INFINITE,
                names={"USER": user, "GROUP": group, "ACCOUNT": account, "QOS": qos, "CLASS": class_},
                procs=int(cpus),
                nodes=int(nodes),
                memory=round(float(memory[1]) * UNITS[memory[2]]) if memory else 0,
                gres={name: int(count) for name, count in GRES.findall(tres)},
                part="+" in job and not job.endswith("+0"),
                state=state.split()[0],
            )
        )
    return runs


def correct_requeued(runs: Iterable[Run], ends: dict[str, list[int]]) -> None:
    """When requeued runs ended, by jobcomp."""
    for run in runs:
        if run.state == "REQUEUED":
            run.end = jobcomp.true_end(ends.get(run.job, []), run.start, run.end)


def correct_classes(runs: Iterable[Run], log: str) -> None:
    """In which of their partitions runs were, from slurmctld's log: accounting has of a requeued one all
    those where it may run next."""
    classes: dict[str, list[tuple[int, str]]] = {}
    for job, second, class_ in controller_log.starts(log):
        classes.setdefault(job, []).append((second, class_))
    for run in runs:
        for second, class_ in classes.get(run.job, ()):
            if "," in run.names["CLASS"] and abs(second - run.start) <= 1:
                run.names["CLASS"] = class_


# --- policies


@dataclass
class Site:
    """Who there is to be limited."""

    names: dict[str, tuple[str, ...]]  # by HOLDERS
    # By metric: what bears on one holder without stopping all of its jobs, and its spread.
    scale: dict[str, tuple[int, int]]


# How much more than a user the others may have.
SHARE = {"USER": 1, "GROUP": 3, "ACCOUNT": 4, "CLASS": 4, "QOS": 4, "SYS": 8}
PAIRS = (("CLASS", "USER"), ("QOS", "USER"), ("ACCOUNT", "CLASS"), ("CLASS", "GROUP"))


def _limit(dice: random.Random, site: Site, holder: str, name: str, metric: str) -> Limit:
    least, spread = site.scale[metric]
    hard = (least + dice.randint(0, spread)) * SHARE[holder]
    if name and name != "DEFAULT" and dice.random() < 0.1:
        return Limit(holder, name, metric, -1)
    soft = dice.randint(1, hard) if dice.random() < 0.4 else None
    return Limit(holder, name, metric, hard, soft)


def random_policy(dice: random.Random, site: Site, procs_per_job: int) -> Policy:
    """Limits of everybody, as a site might set them that has gone mad."""
    limits: dict[tuple[str, ...], Limit] = {}

    def add(limit: Limit) -> None:
        key = (limit.holder, limit.name, limit.metric, limit.pair, str(limit.override))
        limits.setdefault(key, limit)

    for holder in HOLDERS:
        for metric in METRICS:
            if dice.random() < (0.8 if holder == "USER" else 0.35):
                add(_limit(dice, site, holder, "DEFAULT", metric))
            for name in site.names[holder]:
                if dice.random() < 0.15:
                    add(_limit(dice, site, holder, name, metric))
    for metric in METRICS:
        if dice.random() < 0.3:
            add(_limit(dice, site, "SYS", "", metric))
        if dice.random() < 0.3:
            qos = dice.choice(site.names["QOS"])
            add(replace(_limit(dice, site, "ACCOUNT", "DEFAULT", metric),
                        holder="QOS", name=qos, override=True))
    for first, second in PAIRS:
        if dice.random() < 0.6:
            continue
        name = dice.choice((*site.names[first], "DEFAULT"))
        metric = dice.choice(METRICS)
        limit = _limit(dice, site, second, "DEFAULT", metric)
        add(replace(limit, holder=first, name=name, pair=second))
        if dice.random() < 0.5:
            other = _limit(dice, site, second, "DEFAULT", metric)
            pair = f"{second}:{dice.choice(site.names[second])}"
            add(replace(other, holder=first, name=name, pair=pair))
    other = [f"RMPOLLINTERVAL {dice.choice((1, 2, 5))}", "USERCFG[root] PRIORITY=1"]
    if dice.random() < 0.5:
        other.append(f"SYSCFG MAXPS={10**8} MAXWC={10**6} MAXPE={10**5}")
    if dice.random() < 0.5:
        holder = dice.choice(HOLDERS)
        other.append(f"{holder}CFG[DEFAULT] MAXIJOB={dice.randint(2, 9) * SHARE[holder]}")
    if dice.random() < 0.3:
        other.append(f"{dice.choice(('USER', 'CLASS'))}CFG[DEFAULT] MAXIPROC={dice.randint(40, 90)}")
    if dice.random() < 0.5:
        other += ["CREDWEIGHT 1", "USERWEIGHT 1"]
        other += [
            f"USERCFG[{name}] PRIORITY={dice.randint(-500, 9000)}" for name in site.names["USER"]
        ]
    return Policy(list(limits.values()), procs_per_job, "".join(f"{line}\n" for line in other))
