# SPDX-License-Identifier: GPL-2.0-or-later
"""Every end of every run, by jobcomp/filetxt, for clusters that have one.

It has the second that slurmctld has put into the job's record, at once. slurmctld's log is written after
that, maybe in the next second. Accounting has one end of a run, the last: a job that is requeued just
after it has ended is there as one that ended at its requeue, and one whose end slurmctld has forgotten in
a kill ends once more. One that is cancelled while it is suspended ended when it was suspended.
"""

from __future__ import annotations

import re
from datetime import datetime

_ENDED = re.compile(r"^JobId=(\d+) .* JobState=(?!RESIZING)\S+ .* EndTime=(\S+) (.*)$", re.MULTILINE)
_PART = re.compile(r"\b(?:ArrayJobId=(\d+) ArrayTaskId|HetJobId=(\d+) HetJobOffset)=(\d+)")


def ends(text: str) -> dict[str, list[int]]:
    """By job, array's task or part of a heterogeneous job as in sacct, in the order in which they came."""
    found: dict[str, list[int]] = {}
    for job, end, rest in _ENDED.findall(text):
        if part := _PART.search(rest):
            array, het, number = part.groups()
            job = f"{array}_{number}" if array else f"{het}+{number}"
        found.setdefault(job, []).append(int(datetime.fromisoformat(end).timestamp()))
    return found


def true_end(ends_of_job: list[int], start: int, end: int) -> int:
    """Of a run that accounting has as ended at `end`: its first end."""
    return next((second for second in ends_of_job if start <= second < end), end)


def without_end_of_suspended(ends_of_job: list[int], until: int) -> list[int]:
    """Of a run that was suspended, and held what it had until it was cancelled: without the end that it got
    for its suspension. Earlier ones are of before a kill, or of other runs."""
    before = [place for place, second in enumerate(ends_of_job) if second < until]
    return [end for place, end in enumerate(ends_of_job) if place not in before[-1:]]
