# SPDX-License-Identifier: GPL-2.0-or-later
"""What a run leaves out for want of time, and which release has its turn."""

from __future__ import annotations

import contextlib
import datetime
import io
import json
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from runner import earlier, estimate, fuzz, packages, release, steps
from runner.release import Release
from runner.schedule import Schedule
from runner.task import Outcome, Task

RELEASES = [Release(f"{series}.1", f"/opt/slurm/{series}.1") for series in release.supported()[1:]]


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


TESTS = """\
import subprocess, sys, time, unittest
class Fine(unittest.TestCase):
    def test_one(self):
        pass
    def test_several(self):
        for number in (1, 2):
            with self.subTest(number):
                self.assertTrue(number)
class Bad(unittest.TestCase):
    def test_fails(self):
        self.assertEqual(1, 2)
    def test_good(self):
        pass
class Erroneous(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.addClassCleanup(print, "cleaned up")
        raise RuntimeError("no cluster")
    def test_one(self):
        pass
    def test_two(self):
        pass
class Untidy(unittest.TestCase):
    @classmethod
    def tearDownClass(cls):
        raise RuntimeError("something is left")
    def test_last(self):
        pass
class LeftOut(unittest.TestCase):
    def test_one(self):
        pass
    def test_other(self):
        self.skipTest("no npm")
def test_function():
    pass
class Slow(unittest.TestCase):
    def test_hangs(self):
        print("it waits", flush=True)
        time.sleep(600)
"""


class Pytest(unittest.TestCase):
    """What the runner makes of each way in which tests of Python end."""

    def run_tests(self, words: str, text: str = TESTS, timeout: float = 120) -> tuple[Outcome, str]:
        ended: list[Outcome] = []
        with tempfile.TemporaryDirectory() as name:
            Path(name, "test_it.py").write_text(text, encoding="utf-8")
            Path(name, "pytest.ini").write_text("[pytest]\naddopts = -p no:cacheprovider\n", encoding="utf-8")
            schedule = Schedule(Path(name, "output"), 1, 2, ended.append)
            command = [*steps.PYTEST, f"{name}/test_it.py", "-k", words]
            schedule.add([Task("scenarios", "it", command, counted=True, timeout=timeout)])
            schedule.run()
            return ended[0], ended[0].log.read_text(encoding="utf-8")

    def assert_counts(self, one: Outcome, passed: int, *failures: str) -> None:
        self.assertEqual((one.passed, one.failed, one.good), (passed, len(failures), not failures))
        for failure in failures:
            self.assertIn(failure, one.words.split("; "))

    def test_good_ones(self) -> None:
        self.assert_counts(self.run_tests("Fine or function")[0], 3)

    def test_one_that_fails(self) -> None:
        self.assert_counts(self.run_tests("Bad or function")[0], 2, "test_it.Bad.test_fails")

    def test_one_whose_class_cannot_be_set_up(self) -> None:
        one, log = self.run_tests("Erroneous or function")
        self.assert_counts(one, 1, "test_it.Erroneous.test_one", "test_it.Erroneous.test_two")
        self.assertIn("cleaned up", log)

    def test_one_whose_class_cannot_be_taken_down(self) -> None:
        self.assert_counts(self.run_tests("Untidy or function")[0], 1, "test_it.Untidy.test_last")

    def test_one_that_hangs(self) -> None:
        one, log = self.run_tests("Slow or function", timeout=5)
        self.assertEqual((one.passed, one.failed, one.good), (0, 1, False))
        self.assertEqual(one.words, "did not end within 5 seconds")
        self.assertIn("it waits", log)

    def test_one_that_is_left_out_has_not_passed_and_is_named(self) -> None:
        one, _ = self.run_tests("LeftOut")
        self.assert_counts(one, 1)
        self.assertEqual(one.left_out, ["left out: 1 of test_it.LeftOut: no npm"])

    def test_a_file_that_cannot_be_read(self) -> None:
        one, _ = self.run_tests("", "import no_such_module\n")
        self.assertEqual((one.passed, one.failed, one.good), (0, 1, False))

    def test_a_name_that_no_test_has(self) -> None:
        one, _ = self.run_tests("no_such_test")
        self.assertEqual((one.passed, one.failed, one.words), (0, 1, "ended with status 5"))


class LeftOut(unittest.TestCase):
    def test_without_a_build_the_run_says_so(self) -> None:
        with tempfile.TemporaryDirectory() as directory, contextlib.chdir(directory):
            self.assertEqual(len(steps.Plan(steps.STEPS).left_out()), 1)


class Continued(unittest.TestCase):
    def test_what_passed_with_the_same_inputs_is_not_run_again(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            top = Path(name)
            ran = top / "ran"
            good = Task("step", "good", ["sh", "-c", f"echo good >>{ran}"])
            bad = Task("step", "bad", ["sh", "-c", f"echo bad >>{ran}; false"])
            build = Task("build", "build", ["sh", "-c", f"echo build >>{ran}"], then=lambda: [good, bad])

            def run(wanted: bool, source: str, variable: str = "") -> dict[str, bool]:
                ran.write_text("", encoding="utf-8")
                ended: list[Outcome] = []
                with (
                    mock.patch.object(earlier, "source", lambda: source),
                    mock.patch.dict(os.environ, {"MAUI_TEST_X": variable}),
                ):
                    memory = earlier.Earlier.of(top / "output", wanted)
                    schedule = Schedule(top / "output", 1, 2, ended.append, memory)
                    schedule.add([build])
                    schedule.run()
                self.assertEqual(len(ended), 3)
                self.assertEqual([one.task.name for one in ended if not one.good], ["bad"])
                words = ran.read_text(encoding="utf-8").split()
                self.assertEqual({one.task.name for one in ended if not one.earlier}, set(words))
                return {name: name in words for name in ("build", "good", "bad")}

            everything = {"build": True, "good": True, "bad": True}
            self.assertEqual(run(False, "a"), everything)
            self.assertEqual(run(True, "a"), everything | {"good": False})
            self.assertEqual(run(True, "b"), everything)
            self.assertEqual(run(True, "b", "other"), everything)
            with open(top / "output" / "passed.jsonl", "a", encoding="utf-8") as file:
                file.write('{"inputs": "cut o')  # killed while it wrote
            self.assertEqual(run(True, "b"), everything | {"good": False})
            self.assertEqual(run(False, "b"), everything)

    def test_a_new_file_and_a_change_are_other_inputs(self) -> None:
        with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
            path = Path("a")
            path.write_text("1", encoding="utf-8")
            user = ["-c", "user.name=a", "-c", "user.email=a@b"]
            for words in (["init", "-q"], ["add", "a"], [*user, "commit", "-qm", "a"]):
                subprocess.run(["git", *words], check=True)
            seen = {earlier.source()}
            path.write_text("2", encoding="utf-8")
            seen.add(earlier.source())
            Path("b").write_text("3", encoding="utf-8")
            seen.add(earlier.source())
            Path("b").write_text("4", encoding="utf-8")
            seen.add(earlier.source())
            self.assertEqual(len(seen), 4)


class Estimated(unittest.TestCase):
    def test_the_last_run_counts_for_what_is_built_and_the_table_for_the_rest(self) -> None:
        with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
            output = Path("output")
            output.mkdir()
            with mock.patch.object(estimate, "_cached", lambda: False):
                def minutes(*names: str) -> str:
                    return estimate.words(names, (), output, 1).partition(":")[0]

                self.assertEqual(minutes("unit"), "about 5 minutes on 1 cores")
                estimate.keep(output, {"build": 60.0, "unit tests": 600.0})
                self.assertEqual(minutes("unit"), "about 13 minutes on 1 cores")
                Path("build").mkdir()
                Path("build", "build.ninja").touch()
                self.assertEqual(minutes("unit"), "about 11 minutes on 1 cores")


class Packages(unittest.TestCase):
    def test_what_they_leave_out_is_told_at_the_end(self) -> None:
        with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
            Path("test_one.py").write_text(TESTS, encoding="utf-8")
            Path("pytest.ini").write_text("[pytest]\naddopts = -p no:cacheprovider -k LeftOut\n", encoding="utf-8")
            said = io.StringIO()
            with (
                mock.patch.object(packages, "_TESTS", Path(name)),
                mock.patch.object(packages.subprocess, "run", lambda *_, **__: mock.Mock(returncode=0)),
                contextlib.redirect_stdout(said),
            ):
                self.assertEqual(packages.run([], Path("output")), 0)
        self.assertRegex(said.getvalue(), r"\nleft out: 1 of test_one.LeftOut: no npm\n1 passed, 0 failed\n$")


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


class Targets(unittest.TestCase):
    def compiled(self, task: Task) -> list[str]:
        return re.findall(r"meson compile [^;]*?-j \d+ ?([^;]*)$", task.command[-1])

    def test_a_run_compiles_all_of_them_on_each_release(self) -> None:
        for long in (False, True):
            with mock.patch.object(release, "chosen", lambda _words: RELEASES):
                tasks = steps.Plan(steps.STEPS, long).tasks()
            found = {task.name: self.compiled(task) for task in tasks if task.name.startswith("build")}
            names = ["build", "build with sanitizers", *(f"build for Slurm {one.version}" for one in RELEASES)]
            self.assertEqual(found, {name: [""] for name in names})

    def test_scenarios_on_one_release_compile_what_they_need(self) -> None:
        self.assertEqual(self.compiled(steps.on(RELEASES[0], ["limits"])), ["live"])


class Corpora(unittest.TestCase):
    def test_a_target_has_some_inputs_but_not_all_that_were_ever_found(self) -> None:
        corpora = release.ROOT / "testsuite" / "fuzz" / "corpus"
        for target in (path.stem.removeprefix("fuzz_") for path in corpora.parent.glob("fuzz_*.c")):
            with self.subTest(target):
                self.assertIn(len(list((corpora / target).iterdir())), range(1, fuzz.MOST_INPUTS + 1))


class SetUp(unittest.TestCase):
    """Warnings are errors in each build of the runner, also in one that a user has set up."""

    def setUp(self) -> None:
        top = tempfile.TemporaryDirectory()
        self.addCleanup(top.cleanup)
        self.enterContext(contextlib.chdir(top.name))
        project = "project('small')\nif get_option('tests')\nsubdir('testsuite')\nendif\n"
        Path("meson.build").write_text(project, encoding="utf-8")
        Path("meson_options.txt").write_text("option('tests', type: 'boolean', value: true)\n", encoding="utf-8")
        Path("testsuite").mkdir()
        Path("testsuite", "meson.build").touch()

    def set_up(self) -> str:
        done = subprocess.run(
            ["bash", "-c", steps.set_up("build", [])], stdout=subprocess.PIPE, text=True, check=True
        )
        return done.stdout

    def options(self) -> dict[str, object]:
        options = json.loads(Path("build/meson-info/intro-buildoptions.json").read_text(encoding="utf-8"))
        return {one["name"]: one["value"] for one in options if one["name"] in ("tests", "werror")}

    def test_a_new_build_has_them(self) -> None:
        self.set_up()
        self.assertEqual(self.options(), {"tests": True, "werror": True})
        self.assertEqual(self.set_up(), "")  # nothing is configured twice

    def test_a_build_that_lacks_one_gets_it(self) -> None:
        for lacks in ("-Dtests=false -Dwerror=true", "-Dwerror=false"):
            with self.subTest(lacks):
                subprocess.run(
                    ["meson", "setup", "--wipe", *lacks.split(), "build"] if Path("build").exists()
                    else ["meson", "setup", *lacks.split(), "build"],
                    stdout=subprocess.DEVNULL,
                    check=True,
                )
                self.set_up()
                self.assertEqual(self.options(), {"tests": True, "werror": True})
