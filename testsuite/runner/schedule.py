# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs tasks side by side: those that work one for each core, and beside them those that wait.

Those that work are nice: a scenario that has waited for something goes on at once.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from .count import Count, count
from .earlier import Earlier
from .task import Outcome, Task

_MEASURED = Path(__file__).with_name("measured.py")
_NICE = 10
# What a test prints goes to the log at once, so that one that hangs has said it. Plugins of pytest that this
# machine has beside Debian's change nothing.
_PYTEST = {"PYTEST_ADDOPTS": "--verbose --capture=no --color=no --durations=20", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
_POLL_SECONDS = 0.05
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Running:
    """A task that runs; its files are its log and what measured.py says of it."""

    def __init__(self, task: Task, directory: Path, number: int) -> None:
        self.task = task
        self.log = directory / "logs" / f"{task.slug}.log"
        self.evidence = directory / "failures" / task.slug
        self._result = directory / "logs" / f".{number}.json"
        self._junit = self._result.with_suffix(".xml")
        for file in (self._result, self._junit):
            file.unlink(missing_ok=True)
        environment = {**os.environ, **task.environment, **_PYTEST, "MAUI_TEST_EVIDENCE": str(self.evidence)}
        environment["PYTEST_ADDOPTS"] += f" --junit-xml={shlex.quote(str(self._junit))}"
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                [
                    *([] if task.waits else ["nice", "-n", str(_NICE)]),
                    sys.executable,
                    "-IS",
                    str(_MEASURED),
                    str(os.getpid()),
                    str(self._result),
                    str(task.timeout),
                    *task.command,
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=environment,
                cwd=task.directory,
                start_new_session=True,
            )

    def outcome(self) -> Outcome:
        """When its process has ended."""
        try:
            result = json.loads(self._result.read_text(encoding="ascii"))
            self._result.unlink()
        except (OSError, ValueError):
            result = {"status": CRASHED, "ended": False, "wall": 0.0, "cpu": 0.0}
        good = result["status"] == 0 and not result["ended"]
        output = self.log.read_text(encoding="utf-8", errors="replace")
        counted = Count(int(good), int(not good))
        if self.task.counted:
            counted = count(output, self._junit, good)
        self._junit.unlink(missing_ok=True)
        return Outcome(
            self.task,
            good,
            counted.passed,
            counted.failed,
            result["wall"],
            result["cpu"],
            self.log,
            "" if good else self._words(result, counted),
            None if good else self._keep(),
            counted.left_out,
        )

    def _words(self, result: dict[str, object], counted: Count) -> str:
        if result["ended"]:
            return f"did not end within {self.task.timeout:.0f} seconds"
        return "; ".join(counted.failures) or f"ended with status {result['status']}"

    def _keep(self) -> Path:
        """The log goes where the scenario has put what else tells of the failure."""
        self.evidence.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(self.log, self.evidence / "output")
        return self.evidence


CRASHED = 125  # not even measured.py could say how it ended


class Schedule:
    """The tasks that are left, those that run, and room for more."""

    def __init__(
        self,
        directory: Path,
        cores: int,
        waiting: int,
        ended: Callable[[Outcome], None],
        earlier: Earlier | None = None,
    ) -> None:
        """earlier: what passed, and need not run again, and where it is written down."""
        self._directory = directory.resolve()
        self._cores = cores
        self._waiting = waiting
        self._ended = ended
        self._left: list[Task] = []
        self._running: list[Running] = []
        self._number = 0
        self._started = time.monotonic()
        self.known = 0  # how many tasks there have been so far
        self.left_out: list[Task] = []  # for want of time
        self._earlier = earlier
        # The logs of what passed before are worth as much as those of this run.
        keep = ("logs",) if earlier and earlier.passed else ()
        for name in ("logs", "failures"):
            if name not in keep:
                shutil.rmtree(directory / name, ignore_errors=True)
            (directory / name).mkdir(parents=True, exist_ok=True)

    def add(self, tasks: Iterable[Task]) -> None:
        added = list(tasks)
        self.known += len(added)
        passed = [outcome for task in added if (outcome := self._before(task))]
        added = [task for task in added if task not in [one.task for one in passed]]
        self._left = sorted(self._left + added, key=lambda task: -task.scale)
        for outcome in passed:
            self._ended(outcome)

    def _before(self, task: Task) -> Outcome | None:
        log = self._directory / "logs" / f"{task.slug}.log"
        return self._earlier.outcome(task, log) if self._earlier else None

    def run(self) -> None:
        try:
            while self._left or self._running:
                self._begin()
                for running in [one for one in self._running if one.process.poll() is not None]:
                    self._end(running)
                time.sleep(_POLL_SECONDS)
        except BaseException:
            self._stop()
            raise

    def _fits(self, task: Task) -> bool:
        if task.waits:
            return sum(one.task.waits for one in self._running) < self._waiting
        used = sum(one.task.cores for one in self._running if not one.task.waits)
        return used == 0 or used + task.cores <= self._cores

    def _leave_out(self) -> None:
        late = [task for task in self._left if time.monotonic() > self._started + task.latest]
        self._left = [task for task in self._left if task not in late]
        self.left_out += late

    def _begin(self) -> None:
        self._leave_out()
        blocked = False  # a small one does not overtake one that waits for all cores
        for task in list(self._left):
            if blocked and not task.waits:
                continue
            if self._fits(task):
                self._left.remove(task)
                running = Running(task, self._directory, self._number)
                self._number += 1
                self._running.append(running)
            elif not task.waits:
                blocked = True

    def _end(self, running: Running) -> None:
        self._running.remove(running)
        outcome = running.outcome()
        if outcome.good:
            self.add(running.task.then())
        if self._earlier:
            self._earlier.add(outcome)
        self._ended(outcome)

    def _stop(self) -> None:
        """Somebody wants the run to end: so do its programs, and their clusters with them.

        Who asks again gets them killed; each measured.py cleans up in any case.
        """

        def end(*_: object) -> None:
            for running in self._running:
                running.process.send_signal(signal.SIGTERM)

        for number in ENDING:
            signal.signal(number, end)
        end()
        for running in self._running:
            running.process.wait()
