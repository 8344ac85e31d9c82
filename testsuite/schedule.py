#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What a run leaves out for want of time, and which release has its turn."""

from __future__ import annotations

import contextlib
import datetime
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.dont_write_bytecode = True

from runner import release, steps
from runner.release import Release
from runner.schedule import Schedule
from runner.task import Outcome, Task

RELEASES = [Release(version, f"/opt/slurm/{version}") for version in ("23.11.11", "24.11.5", "26.05.3")]


class Late(unittest.TestCase):
    def test_what_has_not_begun_in_time_is_left_out(self) -> None:
        ended: list[Outcome] = []
        late = Task("turn", "late", ["true"], latest=-1, waits=True)
        in_time = Task("turn", "in time", ["true"], latest=600, waits=True)
        first = Task("build", "first", ["true"], then=lambda: [late, in_time])
        with tempfile.TemporaryDirectory() as directory:
            schedule = Schedule(Path(directory), 1, 2, ended.append)
            schedule.add([first])
            schedule.run()
        self.assertEqual([one.task for one in ended if one.good], [first, in_time])
        self.assertEqual(schedule.left_out, [late])


class LeftOut(unittest.TestCase):
    def test_a_test_that_is_left_out_has_not_passed_and_is_named(self) -> None:
        line = "left out: test_page.PageTest.test_axe: no npm"
        said = f"{line}\\n\\nRan 3 tests in 0.1s\\n\\nOK (skipped=1)\\n"
        ended: list[Outcome] = []
        with tempfile.TemporaryDirectory() as directory:
            schedule = Schedule(Path(directory), 1, 2, ended.append)
            schedule.add([Task("scenarios", "page", ["printf", said], counted=True)])
            schedule.run()
        self.assertEqual([(one.passed, one.failed, one.left_out) for one in ended], [(2, 0, [line])])

    def test_without_a_build_the_run_says_so(self) -> None:
        with tempfile.TemporaryDirectory() as directory, contextlib.chdir(directory):
            self.assertEqual(len(steps.Plan(steps.STEPS).left_out()), 1)


class Turn(unittest.TestCase):
    def test_each_release_has_its_turn_within_as_many_days(self) -> None:
        days = [datetime.date(2026, 11, 24) + datetime.timedelta(days) for days in range(len(RELEASES))]
        self.assertCountEqual([release.in_turn(RELEASES, day) for day in days], RELEASES)
        self.assertIsNone(release.in_turn([], days[0]))

    def test_all_but_smoke_wait_for_the_rest_and_may_be_left_out(self) -> None:
        one = {"suite": ["scenario"], "cmd": ["true"], "env": {}, "workdir": None, "timeout": 1, "priority": 0}

        def tests_of(_build: str, *suites: str) -> list[dict[str, object]]:
            scenarios = [f"scenario {name}" for name in ("limits", steps.SMOKE, "releases")]
            return [{**one, "name": name} for name in (scenarios if suites else ("symbols", "calendar"))]

        with mock.patch.object(steps, "tests_of", tests_of):
            tasks = {task.name: task for task in steps.on(RELEASES[0], (), latest=60).then()}
        self.assertEqual(set(tasks), {"limits", steps.SMOKE, "symbols"})
        self.assertEqual(tasks["limits"].latest, 60)
        self.assertGreater(tasks[steps.SMOKE].latest, 1e9)
        self.assertLess(tasks["limits"].scale, tasks[steps.SMOKE].scale)


if __name__ == "__main__":
    unittest.main()
