# SPDX-License-Identifier: GPL-2.0-or-later
"""testsuite/runner itself: somebody else's environment does not reach the tests, and an interrupted
run leaves nothing. Each test runs a scenario through a runner of its own."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Callable, Mapping
from pathlib import Path

from harness import wait_for

FAILING = """\
import unittest
import pytest
from harness import Cluster
pytestmark = pytest.mark.cluster(nodes=1, stock=True)
class Early(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.enterClassContext(Cluster(nodes=1, stock=True))
        raise RuntimeError("the cluster is up")
    def test_it(self):
        pass
class Late(unittest.TestCase):
    def test_it(self):
        self.enterContext(Cluster(nodes=1, stock=True))
        for number in (1, 2, 3):
            with self.subTest(number):
                self.assertEqual(number, 2)
def test_it(cluster):
    assert cluster.squeue() == "no list"
"""

ROOT = Path(__file__).resolve().parents[2]
SCENARIO = "showq"  # jobs of several users, and what the command says of them
SECONDS = 600  # for the scenario, on a busy machine

# Whoever reads it as a start-up file says so, and is late and different from then on.
PROFILE = """\
echo "$0 $$ $(tr '\\0' ' ' </proc/$$/cmdline)" >>{mark}
sleep 5
set -o noclobber
alias ls=false
"""
JUNK = "raise SystemExit('a module of somebody else')\n"


def hostile(home: Path) -> dict[str, str]:
    """The environment of somebody who has set everything that can be set."""
    mark = home / "was-read"
    for name in (".profile", ".bash_profile", ".bash_login", ".bashrc"):
        (home / name).write_text(PROFILE.format(mark=mark), encoding="utf-8")
    junk = home / "junk"
    junk.mkdir()
    for name in ("json", "argparse", "sitecustomize"):
        (junk / f"{name}.py").write_text(JUNK, encoding="utf-8")
    for name in ("squeue", "sbatch", "grep", "sed", "python3"):
        (junk / name).write_text("#!/bin/sh\nexit 9\n", encoding="utf-8")
        (junk / name).chmod(0o755)
    refused = "http://127.0.0.1:9"
    return {
        "HOME": str(home),
        "BASH_ENV": str(home / ".bashrc"),
        "ENV": str(home / ".bashrc"),
        "SHELLOPTS": "noclobber",
        "PATH": f"{junk}:.:/usr/games",
        "LANG": "tr_TR.UTF-8",
        "LC_ALL": "tr_TR.UTF-8",
        "TZ": "Pacific/Kiritimati",
        "TMPDIR": "/nonexistent",
        "http_proxy": refused,
        "https_proxy": refused,
        "ALL_PROXY": refused,
        "CDPATH": "/usr:/",
        "GREP_OPTIONS": "--invert-match",
        "CFLAGS": "-std=c89",
        "PYTHONPATH": str(junk),
        "PYTHONSTARTUP": str(home / ".profile"),
        "PYTHONOPTIMIZE": "2",
        "SQUEUE_FORMAT": "%i",
        "SQUEUE_STATES": "COMPLETED",
        "SINFO_FORMAT": "%N",
        "SPRIO_FORMAT": "%i",
        "SLURM_CONF": "/nonexistent/slurm.conf",
        "SLURM_TIME_FORMAT": "relative",
        "SLURM_JOB_ID": "7",
        "SBATCH_EXPORT": "NONE",
        "SBATCH_HOLD": "1",
        "SBATCH_PARTITION": "nowhere",
        "SBATCH_GET_USER_ENV": "1",
        "SCANCEL_STATE": "SUSPENDED",
        "MAUI_SERVER": "127.0.0.1:9",
    }


def spoil() -> None:
    """In the child, before it becomes the runner."""
    os.umask(0o077)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # as `runner &` in a script has it
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup has it
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (80, hard))


def environment_of(pid: str) -> dict[str, str]:
    try:
        text = Path("/proc", pid, "environ").read_bytes()
    except OSError:  # it has ended
        return {}
    pairs = (entry.partition("=") for entry in os.fsdecode(text).split("\0"))
    return {name: value for name, _, value in pairs}


class RunnerTest(unittest.TestCase):
    def setUp(self) -> None:
        self.home = Path(tempfile.mkdtemp(prefix="maui-"))
        self.addCleanup(shutil.rmtree, self.home)
        self.home.chmod(0o755)
        self.output = self.home / "output"

    def runner(
        self,
        environment: Mapping[str, str] | None = None,
        before: Callable[[], None] | None = None,
    ) -> subprocess.Popen[bytes]:
        with open(self.home / "said", "wb") as said:
            runner = subprocess.Popen(
                # As testsuite/run starts it.
                ["/usr/bin/python3", "-Es", str(ROOT / "testsuite" / "runner"),
                 "flakes", SCENARIO, "--times", "1", "--output", str(self.output)],
                cwd=ROOT,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=before,
            )
        self.addCleanup(runner.wait)
        self.addCleanup(runner.kill)
        return runner

    def said(self) -> str:
        return (self.home / "said").read_text(encoding="utf-8", errors="replace")


class SomebodyElses(RunnerTest):
    def test_environment_does_not_reach_a_scenario(self) -> None:
        runner = self.runner(hostile(self.home), spoil)
        self.assertEqual(runner.wait(SECONDS), 0, self.said())
        # That no job went through a login shell the scenario itself looks at, in slurmd's log.
        mark = self.home / "was-read"
        self.assertFalse(mark.exists(), mark.read_text("utf-8") if mark.exists() else "")


class Interrupted(RunnerTest):
    """What a run has started carries its output directory in the environment."""

    def started(self) -> dict[str, str]:
        """Its processes, and (or empty) the cluster that each is of."""
        found = {}
        for entry in Path("/proc").iterdir():
            if entry.name.isdecimal():
                environment = environment_of(entry.name)
                if environment.get("MAUI_TEST_EVIDENCE", "").startswith(f"{self.output}/"):
                    found[entry.name] = environment.get("MAUI_CLUSTER_DIR", "")
        return found

    def directory(self) -> Path | None:
        """Of its cluster, as soon as a daemon runs."""
        return next((Path(one) for one in self.started().values() if one), None)

    def ends(self) -> bool:
        """Whether the scenario has been asked to end: Python's faulthandler writes where it was."""
        logs = (self.output / "logs").glob("flakes-*.log")
        return any(b"(most recent call first)" in log.read_bytes() for log in logs)

    def check(self, interrupt: Callable[[subprocess.Popen[bytes]], None]) -> None:
        runner = self.runner()
        directory = wait_for(self.directory, "a daemon of the scenario", explain=self.said)
        interrupt(runner)
        runner.wait(SECONDS)
        # It was ended, and did not go on to its own end.
        wait_for(self.ends, "the scenario to be asked to end", explain=self.said)
        wait_for(lambda: not self.started(), "its processes to end", 150, self.said)
        home = Path(*directory.parts[:3])
        self.assertEqual(home.parent, Path("/tmp"))
        wait_for(lambda: not home.exists(), f"'{home}' to be removed", explain=self.said)

    def test_by_sigint(self) -> None:
        self.check(lambda runner: runner.send_signal(signal.SIGINT))

    def test_by_sigterm(self) -> None:
        self.check(lambda runner: runner.send_signal(signal.SIGTERM))

    def test_by_sighup(self) -> None:
        self.check(lambda runner: runner.send_signal(signal.SIGHUP))

    def test_by_sigint_twice(self) -> None:
        def twice(runner: subprocess.Popen[bytes]) -> None:
            runner.send_signal(signal.SIGINT)
            # It has taken the first one when it is about to end its scenario.
            wait_for(lambda: self.ends() or runner.poll() is not None, "the first to arrive")
            runner.send_signal(signal.SIGINT)

        self.check(twice)

    def test_by_sigkill(self) -> None:
        self.check(lambda runner: runner.kill())


class Kept(unittest.TestCase):
    def test_a_failure_leaves_what_its_cluster_said_before_it_is_brought_down(self) -> None:
        top = Path(tempfile.mkdtemp(prefix="maui-"))
        self.addCleanup(shutil.rmtree, top)
        for file in ("conftest.py", "scenarios/conftest.py"):
            (top / file).parent.mkdir(exist_ok=True)
            (top / file).symlink_to(ROOT / "testsuite" / file)
        (top / "scenarios" / "test_it.py").write_text(FAILING, encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-c", ROOT / "pytest.ini", "--rootdir", top, top / "scenarios"],
            env={**os.environ, "MAUI_TEST_EVIDENCE": str(top / "kept")},
            cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
        )
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertRegex(done.stdout, r"\n=+ 2 failed, 1 error in ")
        for name, words in (("Early.test_it", "the cluster is up"), ("Late.test_it", "1 != 2"), ("test_it", "no list")):
            kept = top / "kept" / f"test_it.{name}"
            self.assertIn(words, (kept / "failure").read_text(encoding="utf-8"))
            self.assertIn("JOBID", (kept / "squeue").read_text(encoding="utf-8"))
        self.assertIn("3 != 2", done.stdout)  # the second failure of a test
