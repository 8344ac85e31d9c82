# SPDX-License-Identifier: GPL-2.0-or-later
"""Samples of Slurm's queue at 20 Hz, with Slurm's own command."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable

from harness import CLUSTER, Cluster

# One request for each sample: what it answers is of one moment.
_LOOP = """\
while :; do
    scontrol --oneliner --details show job 2>/dev/null; echo "@@@ $?"; sleep 0.03
done
"""


class Sampler(threading.Thread):
    """Tells of each sample, with the time when it had come; None where slurmctld did not answer."""

    def __init__(self, cluster: Cluster, tell: Callable[[float, str | None], None]) -> None:
        super().__init__(name="sampler", daemon=True)
        self.error: BaseException | None = None
        self._tell = tell
        self._stopped = False
        self._process = subprocess.Popen(
            [sys.executable, str(CLUSTER), "exec", "--dir", str(cluster.dir), "--", "sh", "-c", _LOOP],
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
        )

    def run(self) -> None:
        assert self._process.stdout
        lines: list[str] = []
        try:
            for line in self._process.stdout:
                if not line.startswith("@@@ "):
                    lines.append(line)
                    continue
                self._tell(time.time(), "".join(lines) if line == "@@@ 0\n" else None)
                lines = []
            if not self._stopped:
                raise AssertionError("the sampler's shell has ended")
        except BaseException as error:  # the test's thread raises it
            self.error = error

    def stop(self) -> None:
        self._stopped = True
        self._process.terminate()
        self._process.wait(timeout=60)
        self.join(timeout=60)
        assert self._process.stdout
        self._process.stdout.close()
