# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs the maui command and compares what it says: golden files for standard output, patterns for standard error.

`MAUI_UPDATE_GOLDEN=1 pytest testsuite/cli` writes the golden files anew."""

import contextlib
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))

import built_for  # noqa: E402  (the path has to be set first)

GOLDEN = HERE / "golden"
FIXTURES = HERE / "fixtures"
BUILD = built_for.own_build()


class Failure(AssertionError):
    """What a test found wrong, in words."""


class Maui:
    """The command, in a clean environment."""

    def __init__(self, program):
        self.program = program

    def run(self, *arguments, env=None, cwd=FIXTURES, argv0=None):
        environment = {
            "PATH": "/usr/bin:/bin",
            "LC_ALL": "C",
            "TZ": "UTC",
            "SLURM_CONF": "/nonexistent/slurm.conf",  # no test asks the machine's own Slurm
        }
        for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS"):
            if name in os.environ:
                environment[name] = os.environ[name]
        environment.update(env or {})
        return subprocess.run(
            [argv0 or self.program, *map(str, arguments)],
            executable=self.program,
            env=environment,
            cwd=cwd,
            capture_output=True,
            timeout=60,
            check=False,
        )


@contextlib.contextmanager
def clock(now):
    """The environment in which the command's clock shows `now`, and goes on (testsuite/clock)."""
    with tempfile.NamedTemporaryFile() as file:
        offset = round((now - time.time()) * 1e9)
        file.write(struct.pack("=q", offset).ljust(4096, b"\0"))
        file.flush()
        yield {"LD_PRELOAD": str(BUILD / "testsuite/clock/test_clock.so"), "MAUI_TEST_CLOCK": file.name,
               "ASAN_OPTIONS": f"{os.environ.get('ASAN_OPTIONS', '')}:verify_asan_link_order=0"}


def check_code(done, code):
    if done.returncode != code:
        raise Failure(f"exit code {done.returncode}, not {code}; it said:\n{text_of(done)}")


def text_of(done):
    return (done.stdout + done.stderr).decode(errors="replace")


def duration(seconds):
    """As replays print those below a day."""
    return time.strftime("%H:%M:%S", time.gmtime(round(seconds)))


def check_golden(done, name):
    """Standard output is golden/<name>."""
    path = GOLDEN / name
    found = re.sub(rb"Slurm-Maui \d+\.\d+\.\d+", b"Slurm-Maui VERSION", done.stdout)
    if os.environ.get("MAUI_UPDATE_GOLDEN"):
        path.write_bytes(found)
        return
    if found != path.read_bytes():
        raise Failure(f"standard output is not golden/{name}:\n{found.decode(errors='replace')}")


def check_errors(done, pattern):
    """Standard error has pattern; None: it is empty."""
    text = done.stderr.decode(errors="replace")
    if pattern is None:
        if text:
            raise Failure(f"standard error is not empty: {text}")
    elif not re.search(pattern, text):
        raise Failure(f"standard error lacks /{pattern}/: {text}")


def check_quiet(done):
    if done.stdout:
        raise Failure(f"standard output is not empty: {done.stdout.decode(errors='replace')}")


def check_refused(done, pattern):
    """It ended with 2, printed nothing, and standard error has pattern."""
    check_code(done, 2)
    check_quiet(done)
    check_errors(done, pattern)


def equal(found, expected, what):
    if found != expected:
        raise Failure(f"{what} is {found!r}, not {expected!r}")


def evil(value):
    """The same data with a control sequence in every text."""
    if isinstance(value, dict):
        return {key: evil(member) for key, member in value.items()}
    if isinstance(value, list):
        return [evil(member) for member in value]
    return f"\x1b]0;{value}\x07\n" if isinstance(value, str) or value is None else value


def odd(value):
    """One member after the other replaced by what it should not be."""
    wrong = (None, "x", -1, 2**62, -2**63, 1e308, float("nan"), [], {}, [None, 1, "x", [], {}], "n" * 10000)
    members = value.items() if isinstance(value, dict) else enumerate(value)
    for key, member in members:
        for other in wrong:
            changed = value.copy()
            changed[key] = other
            yield changed
        if isinstance(member, (dict, list)):
            for inner in odd(member):
                changed = value.copy()
                changed[key] = inner
                yield changed


class Munge:
    """A munged of our own; the machine's, if it has one, has nothing to do with it."""

    def __init__(self):
        self.directory = None
        self.daemon = None

    @property
    def socket(self):
        return self.directory / "munge.sock"

    @staticmethod
    def is_here():
        return all(find(name) for name in ("munged", "munge", "unmunge"))

    def __enter__(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="maui-cli."))
        self.directory.chmod(0o755)
        key = self.directory / "munge.key"
        key.touch(mode=0o600)
        key.write_bytes(os.urandom(32))
        self.daemon = subprocess.Popen(
            [find("munged"), "--foreground", "--force", f"--socket={self.socket}", f"--key-file={key}",
             f"--pid-file={self.directory}/munged.pid", f"--seed-file={self.directory}/munged.seed",
             f"--log-file={self.directory}/munged.log", "--group-update-time=-1", "--num-threads=1"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(200):
            if self.socket.exists() and self._answers():
                return self
            if self.daemon.poll() is not None:
                break
            subprocess.run(["sleep", "0.05"], check=True)
        raise RuntimeError("munged does not start")

    def __exit__(self, *_):
        if self.daemon:
            self.daemon.terminate()
            self.daemon.wait()
        shutil.rmtree(self.directory, ignore_errors=True)

    def _answers(self):
        return subprocess.run(["munge", "-n", "-S", self.socket], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, check=False).returncode == 0

    def encode(self, text, *options):
        return subprocess.run(["munge", "-S", self.socket, *options], input=text.encode(),
                              capture_output=True, check=True).stdout.decode().strip()

    def decode(self, credential, reader=None):
        done = subprocess.run(["unmunge", "-S", self.socket, "-m", os.devnull], user=reader,
                              input=credential.encode(), capture_output=True, check=True)
        return done.stdout.decode()


def find(name):
    return shutil.which(name, path="/usr/bin:/usr/sbin:/bin:/sbin:/usr/local/bin:/usr/local/sbin")


munge = Munge()  # conftest.py starts it, once for all tests
