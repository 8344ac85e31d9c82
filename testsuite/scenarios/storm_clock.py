# SPDX-License-Identifier: GPL-2.0-or-later
"""When the cluster's clock showed which time. It is set during a storm; the test's own clock, which is
called real here, is not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from storm_model import INFINITE, Job

SLACK = 2.0  # seconds: Slurm's times are whole ones, and a moment passes while the clock is set


@dataclass
class Era:
    """The clock is ahead by this much from some moment between the two on, until the next era."""

    asked: float
    in_force: float = INFINITE  # while the clock is being set
    ahead: float = 0  # seconds; known once it is in force


class Clock:
    def __init__(self, ahead: float) -> None:
        self.eras = [Era(-INFINITE, -INFINITE, ahead)]
        # As they were seen first: a later clock may show the same time again.
        self._starts: dict[tuple[int, float], float] = {}

    def set(self, now: Callable[[], float], shown: Callable[[], float], acting: Callable[[], None]) -> None:
        """acting sets the clock; shown is what it shows."""
        era = Era(now())
        self.eras.append(era)
        acting()
        done = now()
        era.ahead = shown() - now()
        era.in_force = done  # last: the sampler's thread reads

    def off_by(self) -> float:
        return self.eras[-1].ahead - self.eras[0].ahead

    def era(self, real: float) -> int:
        """The number of the era. While the clock is being set, the earlier one."""
        return max(number for number, era in enumerate(self.eras) if era.in_force <= real)

    def is_being_set(self, real: float) -> bool:
        """Slurm's times may be by the new clock already, and it is not known yet which that is."""
        last = self.eras[-1]
        return last.asked <= real and last.in_force == INFINITE

    def shown(self, real: float) -> float:
        return real + self.eras[self.era(real)].ahead

    def real(self, shown: float, seen: float) -> float | None:
        """When it showed this, for the last time before it was seen; None: it never did."""
        eras: Sequence[Era] = [era for era in self.eras if era.in_force < INFINITE]
        ends = [era.in_force for era in eras[1:]] + [INFINITE]
        for era, end in zip(reversed(eras), reversed(ends), strict=True):
            real = shown - era.ahead
            if era.asked - SLACK <= real <= min(end, seen) + SLACK:
                return real
        return None

    def was_set(self, since: float, until: float) -> int:
        """How often it may have been, between two real times."""
        return sum(era.asked <= until and era.in_force >= since for era in self.eras[1:])

    def start(self, job: int, shown: float, when: float) -> float | None:
        """The real time of a run's start, which was seen then. A start that is first seen while the
        clock is being set has none yet: it may be by either clock."""
        known = self._starts.get((job, shown))
        if known is None and not self.is_being_set(when):
            known = self.real(shown, when)
            if known is not None:
                self._starts[job, shown] = known
        return known

    def place(self, jobs: Sequence[Job], when: float) -> list[Job]:
        """Jobs with real starts, as they were seen then. One whose start no clock showed stays out."""
        placed = []
        for job in jobs:
            if not job.on:
                placed.append(job)
            elif (start := self.start(job.id, job.start, when)) is not None:
                set_since = self.was_set(start, when) > 0
                placed.append(replace(job, start=start, clock_was_set=set_since))
        return placed

    def __str__(self) -> str:
        first = self.eras[0].ahead
        return ", ".join(f"{era.ahead - first:+.0f} from {era.asked:.1f} on" for era in self.eras[1:])
