# SPDX-License-Identifier: GPL-2.0-or-later
"""pytest on this tree, as people start it: what it collects, leaves, and says where something is missing."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import pytest

import needed
from built_for import ROOT

# As unittest finds them: the tests of a folder of which the working directory is one.
UNITTEST = """
import sys, unittest
sys.path[:0] = [".", ".."]
def show(suite):
    for one in suite:
        show(one) if isinstance(one, unittest.TestSuite) else print(one.id())
for name in sys.argv[1:]:
    show(unittest.defaultTestLoader.loadTestsFromName(name))
"""


def run_pytest(*arguments: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """As from a terminal: without what testsuite/run sets."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTEST", "MAUI"))}
    return subprocess.run(
        [sys.executable, "-m", "pytest", *map(str, arguments)],
        cwd=ROOT, env=environment | variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
    )


def collected(*arguments: str | Path) -> list[str]:
    done = run_pytest("--collect-only", "-q", *arguments)
    assert done.returncode == 0, done.stdout
    return [line for line in done.stdout.splitlines() if "::" in line]


def compiled() -> set[Path]:
    names = ("__pycache__", ".pytest_cache")
    return {path for name in names for path in (*ROOT.glob(name), *(ROOT / "testsuite").rglob(name))}


class Collected(unittest.TestCase):
    def test_what_unittest_finds(self) -> None:
        for folder in ("scenarios", "packages"):
            for other in (False, True) if folder == "packages" else (False,):
                files = [path for path in sorted((ROOT / "testsuite" / folder).glob("test_*.py"))
                         if (path.name == "test_trixie.py") == other]
                found = subprocess.run(
                    [sys.executable, "-B", "-c", UNITTEST, *(path.stem for path in files)],
                    cwd=ROOT / "testsuite" / folder, stdout=subprocess.PIPE, text=True, check=True,
                ).stdout.splitlines()
                ours = [line.rpartition("/")[2].replace(".py::", ".").replace("::", ".") for line in collected(*files)]
                self.assertGreater(len(found), 0)
                self.assertEqual(sorted(one for one in ours if one.count(".") == 2), sorted(found), folder)

    def test_everything_in_one_process(self) -> None:
        """Folders have files of one name; and nothing is left beside the sources."""
        before = compiled()
        lines = collected()
        for name in ("cli/test_limits.py", "scenarios/test_limits.py", "naming.py", "test_style.py"):
            self.assertTrue(any(line.startswith(f"testsuite/{name}::") for line in lines), name)
        self.assertEqual(compiled() - before, set())

    def test_a_test_of_the_command_without_its_prefix_is_an_error(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            for file in ("conftest.py", "cli/conftest.py"):
                Path(name, file).parent.mkdir(exist_ok=True)
                Path(name, file).symlink_to(ROOT / "testsuite" / file)
            Path(name, "cli", "test_it.py").write_text("def a_key_is_found(maui):\n    pass\n", encoding="utf-8")
            done = run_pytest("-c", ROOT / "pytest.ini", "--rootdir", name, Path(name, "cli"))
        self.assertIn("test_it.py: a_key_is_found is neither a test_ nor private", done.stdout)
        self.assertEqual(done.returncode, pytest.ExitCode.INTERRUPTED)


class Missing(unittest.TestCase):
    """It is said once, and no test passes or is skipped."""

    def ends(self, words: str, function: object, *arguments: str) -> None:
        with self.assertRaisesRegex(pytest.exit.Exception, words) as caught:
            function(*arguments)  # type: ignore[operator]
        self.assertEqual(caught.exception.returncode, pytest.ExitCode.USAGE_ERROR)

    def test_root(self) -> None:
        with mock.patch.object(os, "geteuid", lambda: 1000):
            self.ends("need root", needed.root)

    def test_programs(self) -> None:
        self.ends("no-such-program, nor-this missing; slurm-build/packages --test", needed.programs,
                  "sh", "no-such-program", "nor-this")

    def test_a_file_of_the_build(self) -> None:
        with tempfile.TemporaryDirectory() as name, mock.patch.dict(os.environ, MAUI_BUILD=name):
            Path(name, "built-for").touch()
            self.ends(f"'{name}' has no contribs/maui/maui; run `meson compile -C {name}`", needed.build,
                      "contribs/maui/maui")

    def test_a_build_for_each_folder(self) -> None:
        for file in ("cli/test_keys.py", "scenarios/test_smoke.py"):
            done = run_pytest(f"testsuite/{file}", MAUI_BUILD="/nonexistent")
            self.assertEqual(done.returncode, pytest.ExitCode.USAGE_ERROR, done.stdout)
            self.assertIn("no test can run: '/nonexistent' is no build directory", done.stdout)
            self.assertNotRegex(done.stdout, r"\d (passed|skipped)")

    def test_a_build_where_workers_run_the_tests(self) -> None:
        done = run_pytest("-n", "2", "testsuite/cli/test_keys.py", MAUI_BUILD="/nonexistent")
        self.assertEqual(done.returncode, pytest.ExitCode.TESTS_FAILED, done.stdout)
        self.assertIn("no test can run: '/nonexistent' is no build directory", done.stdout)
        self.assertNotRegex(done.stdout, r"\d (passed|skipped)")
