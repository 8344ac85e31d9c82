# SPDX-License-Identifier: GPL-2.0-or-later
"""What several benchmarks do with their cluster."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

SUBMITTERS = 4


class Span(NamedTuple):
    """A line of lock_audit.c's record: a recalculation, an iteration, or a scheduler's pass. Nanoseconds."""

    thread: str
    tid: int
    cpu: int
    wall: int
    write_holds: int
    write_cpu: int
    write_wall: int
    write_longest: int
    read_cpu: int
    read_wall: int
    waited: int
    write_longest_wall: int
    mutex_holds: int
    mutex_longest: int
    mutex_longest_wall: int
    walked: int  # CPU time of the walk that emptied the caches before it

    @staticmethod
    def parse(line: str) -> Span:
        thread, *numbers = line.split()
        return Span(thread, *map(int, numbers))


def spans_in(record: Path, thread: str) -> list[Span]:
    """Those of a thread so far. The last line may be half written."""
    try:
        text = record.read_text(encoding="utf-8")
    except FileNotFoundError:
        return []
    found = [Span.parse(line) for line in text.splitlines(keepends=True) if line[-1] == "\n"]
    return [one for one in found if one.thread == thread]


def submit(cluster: Any, bench: Path, jobs: range, owners: Sequence[Sequence[str]], *options: str) -> None:
    """Jobs of these numbers, a part of them for each list of owners (UID:GID:ACCOUNT). By several processes:
    each waits for slurmctld and munge most of the time."""
    program = str(bench / "bench-submit-jobs")
    share = -(-len(jobs) // len(owners))
    parts = [jobs[at : at + share] for at in range(0, len(jobs), share)]
    with ThreadPoolExecutor(SUBMITTERS) as pool:
        done = [
            pool.submit(cluster.run, [program, *options, str(part.start), str(len(part)), *some])
            for part, some in zip(parts, owners, strict=False)
        ]
        for one in done:
            one.result()


def configure(cluster: Any, **values: str | None) -> None:
    """Change lines of slurm.conf; None takes one out. In force after the next start or reconfigure."""
    conf = cluster.dir / "etc" / "slurm.conf"
    lines = []
    for line in conf.read_text(encoding="utf-8").splitlines():
        key, _, value = line.partition("=")
        if key in values:
            if values[key] is None:
                continue
            value = str(values.pop(key))
            line = f"{key}={value}"
        lines.append(line)
    lines += [f"{key}={value}" for key, value in values.items() if value is not None]
    conf.write_text("\n".join(lines) + "\n", encoding="utf-8")
