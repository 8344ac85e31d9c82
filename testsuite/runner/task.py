# SPDX-License-Identifier: GPL-2.0-or-later
"""What is run, and what became of it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path


def _nothing() -> list[Task]:
    return []


@dataclass(frozen=True)
class Task:
    """One program of the run."""

    step: str  # as the report calls it, such as "unit tests"
    name: str
    command: Sequence[str]
    environment: Mapping[str, str] = field(default_factory=dict)
    directory: str | None = None  # to run in; None: where testsuite/run does
    timeout: float = 3600
    waits: bool = False  # it mostly waits, so several run beside what works
    cores: int = 1  # of one that works
    counted: bool = False  # its output says how many tests it ran
    scale: int = 0  # those with the largest begin first
    latest: float = math.inf  # seconds into the run: one that has not begun by then is left out
    then: Callable[[], list[Task]] = _nothing  # what can run when it has passed

    @property
    def title(self) -> str:
        return f"{self.step}: {self.name}" if self.name != self.step else self.name

    @property
    def leads_on(self) -> bool:
        """Whether others follow from it, as from a build."""
        return self.then is not _nothing

    @property
    def slug(self) -> str:
        """A name for its files."""
        return re.sub(r"[^A-Za-z0-9_.]+", "-", self.title)


@dataclass(frozen=True)
class Outcome:
    """How a task ended."""

    task: Task
    good: bool
    passed: int
    failed: int
    wall: float
    cpu: float
    log: Path
    words: str  # why it failed: names of tests, or how the program ended
    evidence: Path | None = None  # of a failure: the directory that tells of it
    left_out: Sequence[str] = ()  # lines on tests that it did not run
    earlier: bool = False  # it passed in a run before this one, and was not run again
