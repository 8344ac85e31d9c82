# SPDX-License-Identifier: GPL-2.0-or-later
"""How each daemon of a cluster is found, started and watched."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import surroundings

from . import processes, sanitizer
from .layout import Layout, Record
from .network import Identity
from .problem import Problem

_LOG_TAIL_LINES = 25
_COMMAND_SECONDS = 60.0  # longer than any of Slurm's own time limits for an answer

# slurmctld and slurmd decide by argv[0] what they are, and Debian's alternatives may point to
# builds for emulation: so the daemons run under these names, from links in the cluster's bin/.
_SLURM_DAEMONS = ("slurmctld", "slurmd", "slurmstepd", "slurmdbd")

_SYSTEM_DIRECTORIES = ("/usr/sbin", "/usr/local/sbin", "/sbin")


def find_program(name: str, package: str) -> Path:
    path = shutil.which(name) or shutil.which(name, path=os.pathsep.join(_SYSTEM_DIRECTORIES))
    if path is None:
        raise Problem(
            f"'{name}' is not installed (Debian package {package}); run slurm-build/packages"
        )
    return Path(path)


def find_slurmctld() -> Path:
    """The installed slurmctld, as slurm-build/prepare looks for it without an option."""
    for name in ("slurmctld-wlm", "slurmctld"):
        for directory in _SYSTEM_DIRECTORIES:
            path = Path(directory, name)
            if os.access(path, os.X_OK):
                return path
    return find_program("slurmctld", "slurmctld")


def link_slurm(layout: Layout, slurmctld: Path) -> None:
    """Fill bin/ with links to the daemons that lie beside this slurmctld."""
    suffix = slurmctld.name.removeprefix("slurmctld")  # Debian: -wlm
    for name in _SLURM_DAEMONS:
        for candidate in (slurmctld.with_name(name + suffix), slurmctld.with_name(name)):
            if candidate.exists():
                (layout.bin / name).symlink_to(candidate)
                break
        else:
            if name != "slurmdbd":  # needed only with --with-slurmdbd, and missed there
                raise Problem(f"no {name} beside '{slurmctld}'; run slurm-build/packages")


def environment(record: Record) -> dict[str, str]:
    """For commands: what surroundings.py names of the caller's, pointed at this cluster."""
    layout = record.layout
    result = surroundings.variables(surroundings.CLUSTER)
    path = [str(layout.bin)]
    if record.build:
        # Not the build's, which may be where others cannot go.
        path += map(str, layout.stage.glob("**/bin"))
    # A Slurm that was installed elsewhere brings its own commands.
    commands = Path(record.slurmctld).parent.parent / "bin"
    if (commands / "scontrol").exists():
        path.append(str(commands))
    path.append(result["PATH"])
    result["PATH"] = os.pathsep.join(path)
    result["SLURM_CONF"] = str(layout.slurm_conf)
    if record.time_zone:
        result["TZ"] = record.time_zone
    if record.clock:
        result["MAUI_TEST_CLOCK"] = str(layout.clock)
        result["LD_PRELOAD"] = str(layout.clock_library)
    return result


def tail(path: Path) -> str:
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    return "\n".join(lines[-_LOG_TAIL_LINES:])


class _Node(NamedTuple):
    """A node as scontrol shows it."""

    name: str
    state: str  # such as IDLE, IDLE+DRAIN, DOWN*
    reason: str

    @staticmethod
    def parse(line: str) -> _Node:
        fields = dict(word.split("=", 1) for word in line.split() if "=" in word)
        reason = line.partition(" Reason=")[2]
        return _Node(fields.get("NodeName", ""), fields.get("State", "without state"), reason)

    def responds(self) -> bool:
        return not ("*" in self.state or " " in self.state or "UNKNOWN" in self.state)

    def idle(self) -> bool:
        # PLANNED, which backfill has a job in mind for, and RESERVED are idle, too.
        first, *flags = self.state.split("+")
        return first == "IDLE" and set(flags) <= {"PLANNED", "RESERVED"}


class Supervisor:
    """Starts the daemons of one cluster and notices when one of them ends."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self._layout = record.layout
        self._children: dict[str, subprocess.Popen[bytes]] = {}

    def start(
        self,
        name: str,
        command: list[str],
        identity: Identity | None = None,
        directory: Path | None = None,
        more_variables: dict[str, str] | None = None,
    ) -> None:
        """Start a daemon in the foreground mode, so that its pid is known from the beginning.

        identity: another host than the cluster's; directory: where it runs, and a core file goes.
        """
        host = identity or self._record.identity
        variables = environment(self._record) | (more_variables or {})
        variables[processes.MARKER] = str(self._layout.top)
        with open(self._layout.stderr_of(name), "ab") as output:
            child = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd=directory or self._layout.log,
                env=variables,
                start_new_session=True,
                umask=0o022,
                preexec_fn=host.enter if host.private else None,
            )
        self._children[name] = child
        try:
            self._record.daemons[name] = processes.Process.of(child.pid)
        except ProcessLookupError:
            self.check()
        self._record.save()

    def check(self) -> None:
        """Problem, with the end of its log, if a daemon that was started here has ended."""
        for name, child in self._children.items():
            if child.poll() is not None:
                raise Problem(
                    f"{name} ended with status {child.returncode}" + self.log_tail(name)
                )

    def log_tail(self, name: str) -> str:
        reports = []
        if name in self._children:
            reports.append(Path(f"{self._layout.sanitizer}.{self._children[name].pid}"))
        for path in (*reports, self._layout.stderr_of(name), self._layout.log_of(name)):
            text = tail(path)
            if text:
                return f"; the end of '{path}':\n{text}"
        return "; it wrote no log"

    def wait(self, ready: Callable[[], str | None], seconds: float, what: str, daemon: str) -> None:
        """Poll until `ready` returns None; otherwise it says what is still missing."""
        deadline = time.monotonic() + seconds
        pause = 0.02
        while (missing := ready()) is not None:
            self.check()
            if time.monotonic() >= deadline:
                raise Problem(
                    f"{what}: not within {seconds:.0f} seconds: {missing}" + self.log_tail(daemon)
                )
            time.sleep(pause)
            pause = min(pause * 1.5, 0.5)

    def query(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a command of Slurm against this cluster, as root; status 124 if it hangs."""
        try:
            return subprocess.run(
                command,
                env=environment(self._record),
                cwd=self._layout.work,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=_COMMAND_SECONDS,
                check=False,
                preexec_fn=self._record.identity.enter if self._record.identity.private else None,
            )
        except subprocess.TimeoutExpired:
            hung = f"`{' '.join(command)}` does not return"
            return subprocess.CompletedProcess(command, 124, stdout="", stderr=hung)
        except FileNotFoundError:
            raise Problem(
                f"'{command[0]}' is not installed (Debian package slurm-client); "
                "run slurm-build/packages"
            ) from None

    def start_munged(self, seconds: float) -> None:
        layout = self._layout
        key = layout.run / "munge.key"
        descriptor = os.open(key, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(descriptor, "wb") as file:
            file.write(os.urandom(64))
        self.start(
            "munged",
            [
                str(find_program("munged", "munge")),
                "--foreground",
                # Without it munged refuses a directory that another user may write to on the
                # way, as /tmp is.
                "--force",
                f"--socket={layout.munge_socket}",
                f"--key-file={key}",
                f"--pid-file={layout.run / 'munged.pid'}",
                f"--seed-file={layout.run / 'munged.seed'}",
                "--group-update-time=-1",
            ],
        )
        self.wait(
            lambda: None if layout.munge_socket.is_socket() else f"no '{layout.munge_socket}'",
            seconds,
            "starting munged",
            "munged",
        )

    def start_slurmctld(self, name: str = "slurmctld") -> None:
        layout = self._layout
        command = [str(layout.bin / "slurmctld"), "-D", "-f", str(layout.slurm_conf)]
        more = sanitizer.environment(
            self._record.sanitizers, layout.sanitizer, environment(self._record)
        )
        if name == "backup":
            command += ["-L", str(layout.log_of(name))]
            self.start(name, command, self._record.backup, layout.backup_run, more)
        elif self._record.backup is not None:
            # SlurmctldPidFile is one name for both: it is relative to where they run.
            self.start(name, command, directory=layout.run, more_variables=more)
        else:
            self.start(name, command, more_variables=more)

    def wait_slurmctld(self, seconds: float, name: str = "slurmctld") -> None:
        """Until this controller answers. A primary one is in charge then, a backup one need not."""
        place = "(backup" if name == "backup" else "(primary)"

        def missing() -> str | None:
            done = self.query("scontrol", "ping")
            if any(place in line and " is UP" in line for line in done.stdout.splitlines()):
                return None
            return (done.stdout + done.stderr).strip()

        self.wait(missing, seconds, f"waiting for {name}", name)

    def start_slurmd(self, node: str, booted: bool = False) -> None:
        """booted: it tells slurmctld that its node has, as after power saving."""
        layout = self._layout
        (layout.spool / node).mkdir(exist_ok=True)
        self.start(
            f"slurmd.{node}",
            [
                str(layout.bin / "slurmd"),
                "-D",
                "-N",
                node,
                "-f",
                str(layout.slurm_conf),
                "-d",
                str(layout.bin / "slurmstepd"),
                *(["-b"] if booted else []),
            ],
        )

    def wait_nodes(self, idle: set[str], seconds: float) -> None:
        """Until every node is as it should be: those of `idle` idle, the others responding."""

        def missing() -> str | None:
            done = self.query("scontrol", "--oneliner", "show", "node")
            if done.returncode != 0:
                return done.stderr.strip()
            seen = {node.name: node for node in map(_Node.parse, done.stdout.splitlines())}
            unknown = _Node("", "not known to slurmctld", "")
            problems = []
            for name in self._record.nodes:
                node = seen.get(name, unknown)
                if not (node.idle() if name in idle else node.responds()):
                    reason = f" ({node.reason})" if node.reason else ""
                    problems.append(f"{name} is {node.state}{reason}")
            return "; ".join(problems) or None

        self.wait(missing, seconds, "waiting for the nodes", "slurmctld")

    def wait_version(self, seconds: float) -> None:
        """Until every node has said that its slurmd is of the release that slurmctld is of."""
        told = self.query("scontrol", "--version").stdout.split()[-1:]
        version = f" Version={told[0] if told else ''} "

        def missing() -> str | None:
            done = self.query("scontrol", "--oneliner", "show", "node")
            late = [line.split()[0] for line in done.stdout.splitlines() if version not in line]
            return ", ".join(late) or (done.stderr.strip() if done.returncode else None)

        self.wait(missing, seconds, f"waiting for{version}of each node", "slurmctld")
