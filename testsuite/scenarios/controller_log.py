# SPDX-License-Identifier: GPL-2.0-or-later
"""What only slurmctld's log knows: in which of its partitions a job has run, and since when a backup is in
charge. A line may be of the second after what it tells of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

_TIME = r"^\[(\S+)\] "
_STARTED = re.compile(
    _TIME + r"(?:sched: Allocate JobId=([\d_+]+)\S* NodeList=.* Partition=(\S+)"
    r"|sched/backfill: _start_job: (?:HETJOB: )?Started JobId=([\d_+]+)\S* in (\S+) on )",
    re.MULTILINE,
)

_TAKEN_OVER = re.compile(_TIME + r".*Running as primary controller", re.MULTILINE)


def starts(log: str) -> Iterator[tuple[str, int, str]]:
    """Job, second and partition."""
    for text, job, partition, other_job, other_partition in _STARTED.findall(log):
        yield job or other_job, _second(text), partition or other_partition


def took_over(log: Path) -> int:
    """The second in which a backup has taken over last."""
    return _second(_TAKEN_OVER.findall(log.read_text(encoding="utf-8", errors="replace"))[-1])


def _second(text: str) -> int:
    return int(datetime.fromisoformat(text).timestamp())
