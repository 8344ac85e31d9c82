# SPDX-License-Identifier: GPL-2.0-or-later
"""What the threads of a process have used of the processors."""

from __future__ import annotations

import os
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")


def busy_threads(pid: int, name: str, seconds: float) -> int:
    """How many threads of that name have used more than so many seconds so far. 0: the process is gone."""
    count = 0
    for stat in Path(f"/proc/{pid}/task").glob("*/stat"):
        try:
            head, _, rest = stat.read_text(encoding="ascii", errors="replace").rpartition(")")
        except OSError:  # it has ended
            continue
        used = sum(map(int, rest.split()[11:13])) / _TICKS  # in user mode and in the kernel
        count += head.partition("(")[2] == name and used > seconds
    return count
