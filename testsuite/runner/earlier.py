# SPDX-License-Identifier: GPL-2.0-or-later
"""What --continue need not run again: programs that passed in an earlier run with the same inputs.

The inputs are the commit, what differs from it (changes and new files that git does not ignore), the
program's command, directory and variables: of a scenario its build directory is one. A build runs
again in any case, and compiles what is missing.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .task import Outcome, Task

_FILE = "passed.jsonl"  # a line is written when a program has passed, so that a kill loses none
_RANDOM = "MALLOC_PERTURB_"


def _git(*words: str) -> bytes:
    return subprocess.run(["git", *words], stdout=subprocess.PIPE, check=True).stdout


def commit() -> str:
    """Short, with a + if what is run differs from it."""
    return _git("describe", "--always", "--abbrev=8", "--dirty=+", "--exclude=*").decode().strip()


def source() -> str:
    """A hash of the commit and of what differs from it."""
    digest = hashlib.sha256(_git("rev-parse", "HEAD") + _git("diff", "HEAD", "--binary"))
    for name in _git("ls-files", "-z", "--others", "--exclude-standard").split(b"\0"):
        path = Path(os.fsdecode(name))
        if path.is_file():
            digest.update(name + b"\0" + path.read_bytes())
    return digest.hexdigest()


@dataclass
class Earlier:
    """The programs that passed, by their inputs."""

    path: Path
    source: str
    passed: dict[str, dict[str, Any]]

    @staticmethod
    def of(directory: Path, wanted: bool) -> Earlier:
        """wanted: with --continue. Without, the record begins anew."""
        path = directory / _FILE
        directory.mkdir(parents=True, exist_ok=True)
        passed = {}
        if wanted and path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                try:
                    row = json.loads(line)
                    passed[str(row["inputs"])] = row
                except (ValueError, KeyError):  # the run was killed while it wrote
                    continue
        elif path.exists():
            path.unlink()
        return Earlier(path, source(), passed)

    def _inputs(self, task: Task) -> str:
        variables = {**os.environ, **task.environment}
        variables.pop(_RANDOM, None)
        what = (self.source, task.title, list(task.command), task.directory, sorted(variables.items()))
        return hashlib.sha256(json.dumps(what).encode()).hexdigest()

    def outcome(self, task: Task, log: Path) -> Outcome | None:
        """As it was, if nothing has changed since."""
        row = None if task.leads_on else self.passed.get(self._inputs(task))
        if row is None:
            return None
        return Outcome(
            task, True, row["passed"], 0, 0.0, 0.0, log, "", left_out=row["left_out"], earlier=True
        )

    def add(self, outcome: Outcome) -> None:
        if outcome.good and not outcome.earlier and not outcome.task.leads_on:
            row = {
                "inputs": self._inputs(outcome.task),
                "title": outcome.task.title,
                "passed": outcome.passed,
                "left_out": list(outcome.left_out),
            }
            with open(self.path, "a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")
