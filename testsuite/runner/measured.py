# SPDX-License-Identifier: GPL-2.0-or-later
"""measured.py RESULT SECONDS COMMAND...: runs a command and writes to RESULT, as JSON, its status,
whether it had to be ended, and its wall and CPU seconds.

All that the command starts counts, also daemons that detach themselves: orphans become children of
this process. So it also hears of their end at once, which init in a container may never do, and
leaves none behind. After SECONDS, or when it is asked to end itself, the command gets SIGTERM and a
minute to say what it was doing.
"""

import ctypes
import json
import os
import resource
import signal
import sys
import time

PR_SET_CHILD_SUBREAPER = 36
GRACE_SECONDS = 60
CANNOT_RUN = 127


def start(command: list[str], mask: set[signal.Signals]) -> int:
    child = os.fork()
    if child == 0:
        try:
            os.setsid()  # a signal of the terminal is for the runner alone
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            os.execvp(command[0], command)
        except OSError as error:
            print(f"{command[0]}: {error.strerror}", file=sys.stderr)
        os._exit(CANNOT_RUN)
    return child


def reap(child: int) -> int | None:
    """Hear of everybody who has ended; the status of `child` if it is among them."""
    status = None
    while True:
        try:
            pid, code = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return status
        if pid == 0:
            return status
        if pid == child:
            status = os.waitstatus_to_exitcode(code)


def children() -> list[int]:
    found = []
    for name in os.listdir("/proc"):
        try:
            with open(f"/proc/{int(name)}/stat", encoding="utf-8", errors="replace") as file:
                parent = int(file.read().rpartition(")")[2].split()[1])
        except (ValueError, OSError):  # no process, or one that has ended
            continue
        if parent == os.getpid():
            found.append(int(name))
    return found


def end_the_rest() -> int:
    """SIGKILL what the command has left, generation by generation; returns how many there were."""
    ended = set()
    while left := children():
        for pid in left:
            ended.add(pid)
            os.kill(pid, signal.SIGKILL)
        time.sleep(0.01)
        reap(0)
    return len(ended)


def main() -> None:
    result, seconds, command = sys.argv[1], float(sys.argv[2]), sys.argv[3:]
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    awaited = {signal.SIGCHLD, signal.SIGTERM}
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, awaited)
    begun = time.monotonic()
    child = start(command, mask)
    ends, asked, status = begun + seconds, False, None
    while (status := reap(child)) is None:
        left = ends - time.monotonic()
        if left <= 0 and asked:
            os.kill(child, signal.SIGKILL)
            left = GRACE_SECONDS
        elif left <= 0:
            os.kill(child, signal.SIGTERM)
            ends, left, asked = time.monotonic() + GRACE_SECONDS, GRACE_SECONDS, True
        got = signal.sigtimedwait(awaited, left)
        if got is not None and got.si_signo == signal.SIGTERM and not asked:
            ends = time.monotonic()
    rest = end_the_rest()
    if rest:
        print(f"left behind, and killed: {rest} processes", file=sys.stderr)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(result, "w", encoding="ascii") as file:
        json.dump(
            {
                "status": status,
                "ended": asked,
                "wall": time.monotonic() - begun,
                "cpu": used.ru_utime + used.ru_stime,
            },
            file,
        )


if __name__ == "__main__":
    main()
