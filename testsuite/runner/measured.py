# SPDX-License-Identifier: GPL-2.0-or-later
"""measured.py PARENT RESULT SECONDS COMMAND...: runs a command and writes to RESULT, as JSON, its
status, whether it had to be ended, and its wall and CPU seconds.

All that the command starts counts, also daemons that detach themselves: orphans become children of
this process. So it also hears of their end at once, which init in a container may never do, and
leaves none behind. The command's temporary files and its HOME lie in one directory, which is
removed in the end. After SECONDS, when asked to end (SIGTERM, SIGINT, SIGHUP), or after the end of
PARENT, the command gets SIGTERM and a minute to say what it was doing. If asked again it gets
SIGKILL.
"""

import ctypes
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
ENDED_BY = {signal.SIGTERM, signal.SIGINT, signal.SIGHUP}
GRACE_SECONDS = 60
CANNOT_RUN = 127


def control(option: int, value: int) -> None:
    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def scratch() -> str:
    """A directory for the command's temporary files, open to all users as /tmp is."""
    directory = tempfile.mkdtemp(prefix="maui-run-", dir="/tmp")
    os.chmod(directory, 0o1777)
    os.mkdir(os.path.join(directory, "home"), 0o755)
    return directory


def start(command: list[str], directory: str) -> int:
    child = os.fork()
    if child == 0:
        try:
            os.setsid()  # a signal of the terminal is for the runner alone
            for number in {signal.SIGPIPE, signal.SIGINT}:  # as Python has set them
                signal.signal(number, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_SETMASK, set())
            environment = {"HOME": os.path.join(directory, "home")} | os.environ
            os.execvpe(command[0], command, environment | {"TMPDIR": directory})
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
    awaited = {signal.SIGCHLD, *ENDED_BY}
    signal.pthread_sigmask(signal.SIG_BLOCK, awaited)
    parent, result, seconds = int(sys.argv[1]), sys.argv[2], float(sys.argv[3])
    control(PR_SET_CHILD_SUBREAPER, 1)
    control(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        sys.exit(CANNOT_RUN)  # it has ended before the signal was asked for
    begun = time.monotonic()
    directory = scratch()
    child = start(sys.argv[4:], directory)
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
        if got is not None and got.si_signo in ENDED_BY:
            ends = time.monotonic()
    rest = end_the_rest()
    if rest:
        print(f"left behind, and killed: {rest} processes", file=sys.stderr)
    # A test of the packages may have left a mount; what lies behind it stays.
    subprocess.run(["rm", "-rf", "--one-file-system", directory], check=False)
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
