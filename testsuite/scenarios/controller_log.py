# SPDX-License-Identifier: GPL-2.0-or-later
"""What slurmctld's log knows of runs that Slurm's accounting has wrong.

A job that is requeued just after it has ended is in accounting as one that ended at its requeue.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

_TIME = r"^\[(\S+)\] "
_ENDED = re.compile(
    _TIME + r"(?:_job_complete: JobId=([\d_+]+)\S* done|job_signal: 9 of \w+ JobId=([\d_+]+)\S* succ)",
    re.MULTILINE,
)
_STARTED = re.compile(
    _TIME + r"(?:sched: Allocate JobId=([\d_+]+)\S* NodeList=.* Partition=(\S+)"
    r"|sched/backfill: _start_job: (?:HETJOB: )?Started JobId=([\d_+]+)\S* in (\S+) on )",
    re.MULTILINE,
)

_TAKEN_OVER = re.compile(_TIME + r".*Running as primary controller", re.MULTILINE)


def ends(log: str) -> dict[str, list[int]]:
    """By job or array's task, the seconds in which a run of it completed or was cancelled."""
    found: dict[str, list[int]] = {}
    for text, completed, cancelled in _ENDED.findall(log):
        found.setdefault(completed or cancelled, []).append(_second(text))
    return found


def true_end(ends_of_job: list[int], start: int, end: int) -> int:
    """Of a run that accounting has as requeued at its end, or that was forgotten in a kill then."""
    return next((second for second in ends_of_job if start <= second < end), end)


def starts(log: str) -> Iterator[tuple[str, int, str]]:
    """Job, second and partition."""
    for text, job, partition, other_job, other_partition in _STARTED.findall(log):
        yield job or other_job, _second(text), partition or other_partition


def took_over(log: Path) -> int:
    """The second in which a backup has taken over last."""
    return _second(_TAKEN_OVER.findall(log.read_text(encoding="utf-8", errors="replace"))[-1])


def _second(text: str) -> int:
    return int(datetime.fromisoformat(text).timestamp())
