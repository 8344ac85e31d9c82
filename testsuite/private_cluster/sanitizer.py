# SPDX-License-Identifier: GPL-2.0-or-later
"""Sanitizer-built plugins in the distribution's slurmctld.

A library with AddressSanitizer can be loaded only where the sanitizer's runtime was loaded before
everything else. So the runtimes that the plugin needs are preloaded into slurmctld, and into it
alone: its clients do not load the plugin, except sshare.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

_RUNTIME = re.compile(r"^\s*lib(?:asan|ubsan)\.so\S* => (/\S+)", re.MULTILINE)

# A finding ends the daemon. Leaks are not looked for unless the caller's ASAN_OPTIONS say so: most
# are Slurm's, which does not free what it has at its end.
_OPTIONS = {
    "ASAN_OPTIONS": "halt_on_error=1:exitcode=99:detect_leaks=0",
    "UBSAN_OPTIONS": "halt_on_error=1:exitcode=99:print_stacktrace=1",
}


def runtimes(plugin: Path) -> list[str]:
    """The sanitizers' libraries that a plugin needs; none if it was built without."""
    done = subprocess.run(["ldd", plugin], capture_output=True, text=True, check=False)
    return _RUNTIME.findall(done.stdout)


def environment(libraries: list[str], log: Path, others: dict[str, str]) -> dict[str, str]:
    """For slurmctld, if its plugins need these, beside its `others`; reports go to LOG.PID."""
    if not libraries:
        return {}
    preload = [*libraries, *others.get("LD_PRELOAD", "").split()]
    options = {
        name: ":".join(filter(None, (ours, f"log_path={log}", os.environ.get(name))))
        for name, ours in _OPTIONS.items()
    }
    return {"LD_PRELOAD": " ".join(preload)} | options
