# SPDX-License-Identifier: GPL-2.0-or-later
"""Samples of Slurm's queue at 20 Hz, with Slurm's own command."""

from __future__ import annotations

import contextlib
import subprocess
import threading
import time
from collections.abc import Callable, Sequence

# One request for each sample: what it answers is of one moment. It is made when the sample before has
# been told of: so no sample is of a moment before that at which the one before had come. Where the clock
# is set back while scontrol waits, it waits until that time comes again.
# The mark has a line of its own even if scontrol was killed within one.
_LOOP = """\
while read -r go; do
    timeout 20 {command} 2>/dev/null </dev/null; printf '\\n@@@ %s\\n' "$?"
done
"""
SCONTROL = "scontrol --oneliner --details show job"
PAUSE = 0.03  # seconds between two samples


class Sampler(threading.Thread):
    """Tells of each sample, with the time when it had come; None where slurmctld did not answer.

    cluster: the words before a command to run it there.
    """

    def __init__(
        self,
        cluster: Sequence[str],
        tell: Callable[[float, str | None], None],
        command: str = SCONTROL,
    ) -> None:
        super().__init__(name="sampler", daemon=True)
        self.error: BaseException | None = None
        self._tell = tell
        self._stopped = False
        self._process = subprocess.Popen(
            [*cluster, "sh", "-c", _LOOP.format(command=command)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
        )

    def run(self) -> None:
        try:
            while not self._stopped:
                self._take()
                time.sleep(PAUSE)
        except BaseException as error:  # the test's thread raises it
            self.error = error

    def _take(self) -> None:
        assert self._process.stdin and self._process.stdout
        lines: list[str] = []
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write("\n")
            self._process.stdin.flush()
        for line in self._process.stdout:
            if line.startswith("@@@ "):
                text = "".join(lines).removesuffix("\n")  # the one before the mark
                self._tell(time.time(), text if line == "@@@ 0\n" else None)
                return
            lines.append(line)
        if not self._stopped:
            raise AssertionError("the sampler's shell has ended")

    def stop(self) -> None:
        self._stopped = True
        self._process.terminate()
        self._process.wait(timeout=60)
        self.join(timeout=60)
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe
            with contextlib.suppress(BrokenPipeError):
                pipe.close()
