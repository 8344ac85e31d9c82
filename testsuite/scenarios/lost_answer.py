# SPDX-License-Identifier: GPL-2.0-or-later
"""A command of Slurm that failed, and may have done what it should all the same.

slurmctld does not answer everybody while it is reconfigured, or when it is killed.
"""

from __future__ import annotations

import re

_LOST = re.compile(
    r"Zero Bytes|[Ss]ocket|[Cc]onnection|timed out|[Uu]nable to contact|authentication|Unexpected message"
)
_TIMED_OUT = 124  # the status of timeout(1)


def is_lost(status: int, said: str) -> bool:
    return status == _TIMED_OUT or (status != 0 and bool(_LOST.search(said)))
