# SPDX-License-Identifier: GPL-2.0-or-later
"""Which processes belong to a cluster, and how to end exactly these.

A pid alone is no name for a process: it may have ended and its number may be somebody else's now.
So a process is its pid and its start time (field 22 of /proc/PID/stat), and a signal goes through
a pidfd that is checked after it was opened.

The daemons carry the cluster's directory in their environment. What they start inherits it,
with two exceptions: slurmstepd writes its title over its environment, and a job's environment
is the submitter's. Hence the other signs in belongs_directly().
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

MARKER = "MAUI_CLUSTER_DIR"

POLL_SECONDS = 0.02


class Process(NamedTuple):
    """One process, for ever: a later process with the same pid has another start time."""

    pid: int
    start: int

    @staticmethod
    def of(pid: int) -> Process:
        """The living process with this pid; ProcessLookupError if there is none."""
        stat = _stat(pid)
        if stat is None:
            raise ProcessLookupError(pid)
        return Process(pid, stat.start)

    def alive(self) -> bool:
        """A zombie has ended: only its parent has yet to hear of it."""
        stat = _stat(self.pid)
        return stat is not None and stat.start == self.start

    def reaped(self) -> bool:
        """Its parent has heard of its end, and nothing of it is left."""
        stat = _stat(self.pid, zombies=True)
        return stat is None or stat.start != self.start

    def signal(self, number: int) -> None:
        """Send a signal to this process and to no other; nothing happens if it has ended."""
        try:
            handle = os.pidfd_open(self.pid)
        except ProcessLookupError:
            return
        except OSError:  # no pidfd here (an old kernel, gVisor): the smallest window that is left
            if self.alive():
                try:
                    os.kill(self.pid, number)
                except ProcessLookupError:
                    pass
            return
        try:
            # Whatever the pidfd names cannot change any more; is it what we mean?
            if self.alive():
                signal.pidfd_send_signal(handle, number)
        except ProcessLookupError:
            pass
        finally:
            os.close(handle)

    def session(self) -> int | None:
        """The pid of its session's leader, who need not live any more."""
        try:
            return os.getsid(self.pid)
        except ProcessLookupError:
            return None

    def program(self) -> str:
        """Basename of argv[0]; for a process that writes itself a title, the title's first word."""
        argv0 = _read(self.pid, "cmdline").split(b"\0", 1)[0]
        return os.fsdecode(os.path.basename(argv0))

    def describe(self) -> str:
        words = _read(self.pid, "cmdline").replace(b"\0", b" ").strip()
        return f"{self.pid} ({os.fsdecode(words)[:80] or 'ended'})"


class _Stat(NamedTuple):
    parent: int
    start: int


def _stat(pid: int, *, zombies: bool = False) -> _Stat | None:
    """Of a living process, or a zombie if these are wanted; None for one that ended."""
    # The command's name is in parentheses and may itself contain spaces and parentheses.
    fields = _read(pid, "stat").rpartition(b")")[2].split()
    if len(fields) < 20 or (fields[0] in (b"Z", b"X") and not zombies):
        return None
    return _Stat(parent=int(fields[1]), start=int(fields[19]))


def _read(pid: int, name: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/{name}").read_bytes()
    except OSError:  # it ended meanwhile
        return b""


def _has_file_below(pid: int, directory: str) -> bool:
    prefix = directory + "/"
    try:
        with os.scandir(f"/proc/{pid}/fd") as entries:
            for entry in entries:
                try:
                    if os.readlink(entry.path).startswith(prefix):
                        return True
                except OSError:
                    continue
    except OSError:
        pass
    return False


def _belongs_directly(pid: int, directory: str, slurm_conf: str) -> bool:
    environment = _read(pid, "environ").split(b"\0")
    if os.fsencode(f"{MARKER}={directory}") in environment:
        return True
    # A job's process, also one that left its step's process tree: slurmstepd sets both, whatever
    # the submitter exported.
    if os.fsencode(f"SLURM_CONF={slurm_conf}") in environment:
        return any(entry.startswith(b"SLURM_JOB_ID=") for entry in environment)
    # slurmstepd logs into its node's log.
    return Process(pid, 0).program().startswith("slurmstepd") and _has_file_below(pid, directory)


def find(directory: Path, slurm_conf: Path, recorded: Iterable[Process] = ()) -> set[Process]:
    """Every living process of the cluster in `directory`, except this one and its ancestors.

    `recorded`: processes which the cluster is known to have started.
    """
    stats: dict[int, _Stat] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            stat = _stat(int(name))
            if stat is not None:
                stats[int(name)] = stat

    mine = set()
    pid = os.getpid()
    while pid in stats:
        mine.add(pid)
        pid = stats[pid].parent

    known = {process.pid: process.start for process in recorded}
    found: dict[int, bool] = {pid: False for pid in mine}

    def belongs(pid: int) -> bool:
        if pid not in stats:
            return False
        if pid not in found:
            found[pid] = (
                known.get(pid) == stats[pid].start
                or _belongs_directly(pid, str(directory), str(slurm_conf))
                or belongs(stats[pid].parent)
            )
        return found[pid]

    return {Process(pid, stat.start) for pid, stat in stats.items() if belongs(pid)}


def wait_ended(processes: Iterable[Process], seconds: float) -> set[Process]:
    """Wait for the end of all of them; returns those that still live after `seconds`."""
    deadline = time.monotonic() + seconds
    left = {process for process in processes if process.alive()}
    while left and time.monotonic() < deadline:
        time.sleep(POLL_SECONDS)
        left = {process for process in left if process.alive()}
    return left


def wait_reaped(processes: Iterable[Process], seconds: float) -> None:
    """Wait until the zombies are gone as well: a caller that looks for our processes sees them.

    They are init's by now, and init may take its time, or not care at all (in a container).
    """
    deadline = time.monotonic() + seconds
    left = set(processes)
    while left and time.monotonic() < deadline:
        left = {process for process in left if not process.reaped()}
        time.sleep(POLL_SECONDS)


def end(processes: Iterable[Process], patience: float) -> None:
    """SIGTERM, and SIGKILL for those that still live after `patience` seconds."""
    asked = set(processes)
    for process in asked:
        process.signal(signal.SIGTERM)
    for process in wait_ended(asked, patience):
        process.signal(signal.SIGKILL)


def end_all(search: Callable[[], set[Process]], seconds: float) -> set[Process]:
    """SIGKILL whatever `search` finds until it finds nothing: a tree may grow while it is felled.

    Returns what still lives after `seconds` (a process in uninterruptible sleep).
    """
    deadline = time.monotonic() + seconds
    while left := search():
        if time.monotonic() >= deadline:
            return left
        for process in left:
            process.signal(signal.SIGKILL)
        wait_ended(left, min(1.0, seconds))
    return set()
