# SPDX-License-Identifier: GPL-2.0-or-later
"""What each user has used in a storm, by Slurm's own records of each run, second by second.

A run is followed from sample to sample by the start that its record has. Its seconds are those of
its last record, without pauses; MinJobAge keeps that for a while after the end. Where no sample has
the end, because the job was requeued or slurmctld was killed, it is between two samples: then the
run has a least and a most, and a name for why.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from storm_clock import Clock
from storm_observer import ACTIVE, epoch_of

# Why the seconds of a run are not known exactly.
ENDED = "its end was between two samples"
KILLED = "its end was while slurmctld did not answer"
RETURNED = "a kill has made slurmctld forget its end"
PAUSE = "a kill has made slurmctld forget that it paused or went on"
STEPPED = "the clock was set while it ran"
UNSEEN = "no sample has it, but sacct"
# Seconds up to which the engine may not yet have written what it has counted, when it is killed
# with Slurm's memory of the run.
UNSAVED = 10
SECOND = 1  # Slurm's times lack the fraction of a second
ROUNDING = 4  # seconds, whenever the clock is set: those of both clocks are whole ones

_FIELD = re.compile(
    r"\b(JobId|UserId|JobState|SuspendTime|SecsPreSuspend|StartTime|EndTime|NumCPUs)=(\S*)"
)


@dataclass(frozen=True)
class Record:
    """A job in a sample. Times are the cluster's."""

    job: int
    user: str
    state: str
    cpus: int
    start: int
    end: int  # of one that is active, what its limit allows
    suspended: int  # when it was suspended or resumed last; 0: never
    before: int  # seconds that it had run then

    @property
    def active(self) -> bool:
        return self.state in ACTIVE

    def seconds(self, until: int) -> int:
        if self.state == "SUSPENDED":
            return self.before
        if self.suspended:
            return self.before + max(0, until - self.suspended)
        return max(0, until - self.start)


def records(text: str) -> Iterator[Record]:
    """Those that are active or have ended, in the output of `scontrol --oneliner show job`."""
    for line in text.splitlines():
        if not line.startswith("JobId="):
            continue
        fields: dict[str, str] = {}
        for key, value in _FIELD.findall(line):
            fields.setdefault(key, value)
        # A pending job's times are plans.
        if fields["JobState"] != "PENDING" and fields["StartTime"] != "Unknown":
            yield Record(
                job=int(fields["JobId"]),
                user=fields["UserId"].partition("(")[0],
                state=fields["JobState"],
                cpus=int(fields["NumCPUs"].partition("-")[0]),
                start=_second(fields["StartTime"]),
                end=_second(fields["EndTime"]),
                suspended=_second(fields["SuspendTime"]),
                before=int(fields["SecsPreSuspend"]),
            )


def _second(text: str) -> int:
    return int(epoch_of(text)) if text[:1].isdigit() else 0


@dataclass(frozen=True)
class Row:
    """A run in accounting that has ended."""

    user: str
    state: str
    end: int
    seconds: int  # without pauses
    cpus: int


SACCT = "JobIDRaw,User,State,Start,End,ElapsedRaw,AllocCPUS"


def accounting_rows(text: str) -> Iterator[tuple[tuple[int, int], Row]]:
    """By job and start, from sacct's lines of these columns."""
    for line in text.splitlines():
        job, user, state, start, end, seconds, cpus = line.split("|")
        if start.isdigit() and end.isdigit():
            yield (int(job), int(start)), Row(user, state, int(end), int(seconds or 0), int(cpus or 0))


@dataclass
class Run:
    last: Record
    began: float  # real
    # When it was seen active last, real: after the first and before the second of these. Once it is
    # over, the second is after its end.
    after: float
    seen: float
    least: int = 0
    most: int = 0
    over: bool = False
    end: int = 0  # the cluster's time at which it was over, at the earliest
    between: int = 0  # seconds from such ends to kills that have made slurmctld forget them
    why: set[str] = field(default_factory=set)
    # Seconds by the samples: it ran between two of them, and it may have.
    steady: float = 0
    unsure: float = 0

    @property
    def key(self) -> tuple[int, int]:
        return self.last.job, self.last.start

    def row_is_off(self, row: Row) -> int:
        """By how many processor-seconds accounting's row is beyond what is possible."""
        used, cpus = row.seconds * row.cpus, self.last.cpus
        return max(0, used - self.most * cpus) + min(0, used - self.least * cpus)


@dataclass(frozen=True)
class Used:
    """What a user's runs have used, in processor-seconds."""

    runs: Sequence[Run]

    @property
    def least(self) -> int:
        return sum(run.last.cpus * run.least for run in self.runs)

    @property
    def most(self) -> int:
        return sum(run.last.cpus * run.most for run in self.runs)

    @property
    def why(self) -> Counter[str]:
        """The difference between both, by its causes."""
        causes: Counter[str] = Counter()
        for run in self.runs:
            if run.most > run.least:
                causes[" and ".join(sorted(run.why))] += run.last.cpus * (run.most - run.least)
        return causes

    def __str__(self) -> str:
        return f"used {self.least} to {self.most} in {len(self.runs)} runs, not exact {dict(self.why)}"

    def beside(self, rows: Mapping[tuple[int, int], Row]) -> str:
        """What accounting has of the same runs."""
        known = [(run, rows[run.key]) for run in self.runs if run.key in rows]
        other = [f"{row.state} {run.row_is_off(row):+d}" for run, row in known if run.row_is_off(row)]
        total = sum(row.seconds * row.cpus for _, row in known)
        missing = sum(1 for run in self.runs if run.most and run.key not in rows)
        return f"sacct {total}, {missing} runs without a row, rows that differ: {other}"

    def list(self, rows: Mapping[tuple[int, int], Row]) -> str:
        return "\n".join(f"{run} sacct {rows.get(run.key)}" for run in self.runs)


class Usage:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._runs: dict[tuple[int, int], Run] = {}
        self._open: set[tuple[int, int]] = set()
        self._last = -math.inf  # when the sample before had come
        self._blind_since = math.inf  # slurmctld does not answer

    def blind(self, when: float) -> None:
        self._blind_since = min(self._blind_since, when)

    @property
    def _blind(self) -> bool:
        return self._blind_since < math.inf

    def look(self, when: float, text: str) -> None:
        present = set()
        for one in records(text):
            key = (one.job, one.start)
            if key not in self._runs and self._clock.is_being_set(when):
                continue  # a later sample has it, by a clock that is known
            if one.active:
                present.add(key)
                self._follow(key, one, when)
            elif key in self._runs or not self._is_planned(one, when):
                self._end(key, one, when)
        for key in self._open - present:
            self._lose(self._runs[key], when)
        self._open = present
        self._last = when
        self._blind_since = math.inf

    def _is_planned(self, one: Record, when: float) -> bool:
        """A requeued job whose nodes are not clean yet is completing, too: its start is a plan, its end that
        of the run before. By the clock it may be later, if that was ahead then. A job that ends without
        a run, or whose run a kill has made slurmctld forget, may have its plan for a start as well."""
        if one.end < one.start:
            return True
        start, end = self._clock.start(one.job, one.start, when), self._clock.real(one.end, when)
        if one.state != "COMPLETING":
            return start is None
        return start is None or end is None or end < start

    @property
    def active(self) -> int:
        return len(self._open)

    def _follow(self, key: tuple[int, int], one: Record, when: float) -> None:
        run = self._runs.get(key)
        if not run:
            run = self._new(key, one, when)
            run.steady = when - run.began
        else:
            self._count(run, one, when)
        if run.over:
            self._return(run, when)
        if self._forgets(run, one, when):
            run.why.add(PAUSE)
        run.last, run.after, run.seen = one, max(self._last, run.began), when

    def _forgets(self, run: Run, one: Record, when: float) -> bool:
        """Its record is one from before a pause or a return from it: it has run for less time now than
        it had then. What a sample says is not older than the sample before."""
        now = math.floor(self._clock.shown(when)) if one.active else one.end
        had = run.last.seconds(math.floor(self._clock.shown(run.after)))
        return one.suspended < run.last.suspended or one.seconds(now) < had

    def _return(self, run: Run, when: float) -> None:
        """It had ended before slurmctld was killed, and files may count up to then: the time between
        is not charged any more. From the kill on it is, to the end that it has in the end. No sample
        need have come while slurmctld was away."""
        run.over = False
        run.why.add(RETURNED)
        killed = math.ceil(self._clock.shown(self._blind_since if self._blind else when))
        run.between += max(0, killed - run.end)

    def _new(self, key: tuple[int, int], one: Record, when: float) -> Run:
        began = self._clock.start(one.job, one.start, when)
        began = when if began is None else began
        run = self._runs[key] = Run(one, began, after=began, seen=when)
        return run

    def _count(self, run: Run, one: Record, when: float) -> None:
        """What it ran since it was seen active last."""
        runs = (run.last.state, one.state).count("RUNNING")
        if runs == 2:
            run.steady += when - run.seen
        elif runs == 1 or not one.active:
            run.unsure += when - run.seen

    def _end(self, key: tuple[int, int], one: Record, when: float) -> None:
        run = self._runs.get(key)
        if not run:
            run = self._new(key, one, when)
            end = self._clock.real(one.end, when)
            run.seen = when if end is None else max(run.began, min(when, end + SECOND))
            run.unsure = run.seen - run.began
        elif not run.over:
            if self._forgets(run, one, when):
                run.why.add(PAUSE)
            self._count(run, one, when)
            run.seen = when
        least, most = self._bounds_of_end(run, one, when)
        # A job that ends has fewer CPUs from node to node.
        run.last = one if not run.last.active else run.last
        run.end = one.end
        self._over(run, least, most)

    def _bounds_of_end(self, run: Run, one: Record, when: float) -> tuple[int, int]:
        """Of one that has just ended Slurm may still show the end that its limit gives."""
        now = math.ceil(self._clock.shown(when))
        if one.end <= now or self._clock.was_set(run.began, when):
            return one.seconds(one.end), one.seconds(one.end)
        run.why.add(ENDED)
        return one.seconds(math.floor(self._clock.shown(run.after))), one.seconds(now)

    def _lose(self, run: Run, when: float) -> None:
        """It is not active any more; if a record has its end, that was counted."""
        if run.over:
            return
        earliest, latest = (math.floor(self._clock.shown(real)) for real in (run.after, when))
        least = run.last.seconds(earliest) - (UNSAVED if self._blind else 0)
        run.why.add(KILLED if self._blind else ENDED)
        run.unsure += when - run.after
        run.seen, run.end = when, earliest
        self._over(run, max(0, least), run.last.seconds(latest))

    def _over(self, run: Run, least: int, most: int) -> None:
        run.least = max(0, least - run.between)
        run.most = most
        run.over = True
        # Slurm's seconds are by two clocks, or without what it forgot: those of the samples count.
        times = self._clock.was_set(run.began, run.seen)
        if times:
            run.why.add(STEPPED)
        if times or PAUSE in run.why:
            rounding = ROUNDING * max(times, 1)
            run.least = min(run.least, max(0, math.floor(run.steady) - rounding))
            run.most = math.ceil(run.steady + run.unsure) + rounding

    def add(self, rows: Mapping[tuple[int, int], Row], now: float) -> None:
        """Runs that began and ended between two samples. A kill may have cost both Slurm and the engine
        their memory of one."""
        for (job, start), row in rows.items():
            if (job, start) in self._runs or not row.seconds:
                continue
            last = Record(job, row.user, row.state, row.cpus, start, row.end, suspended=0, before=0)
            run = self._new((job, start), last, now)
            run.why.add(UNSEEN)
            end = self._clock.real(row.end, now)
            run.most = row.seconds
            if end is not None and self._clock.was_set(run.began, end + SECOND):
                run.why.add(STEPPED)
                run.most = math.ceil(end + SECOND - run.began) + ROUNDING

    def by_user(self) -> dict[str, Used]:
        users: dict[str, list[Run]] = {}
        for run in self._runs.values():
            users.setdefault(run.last.user, []).append(run)
        return {user: Used(runs) for user, runs in sorted(users.items())}
