# SPDX-License-Identifier: GPL-2.0-or-later
"""What scenario tests need: a private cluster as a context manager, and waiting without luck.

    with Cluster(nodes=2, maui_cfg="RMPOLLINTERVAL 1\n") as cluster:
        job = cluster.sbatch("-n1", wrap="sleep 60", user="daemon")
        cluster.wait_for(lambda: cluster.job(job)["JobState"] == "RUNNING", "the job to run")

Tests never sleep for a fixed time: they wait_for() something, and a failure says what was awaited
and shows the queue and the end of slurmctld's log.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
import unittest
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

CLUSTER = Path(__file__).resolve().parents[1] / "cluster"
sys.path.insert(0, str(CLUSTER.parent))

import built_for  # noqa: E402  (the path has to be set first)
import evidence  # noqa: E402
import surroundings  # noqa: E402
from private_cluster import execution  # noqa: E402
from private_cluster.clock import shown  # noqa: E402
from thread_time import busy_threads  # noqa: E402

surroundings.adopt(surroundings.CLUSTER)
evidence.install()

# Two ordinary users whom every Debian has; they are as good as any for jobs.
USERS = ("daemon", "bin")

_T = TypeVar("_T")
_LOG_LINES = 40
# A question costs 0.02 s of CPU time. Who has waited for long may hear of the event a little later.
_POLL_SECONDS, _LONGEST_POLL = 0.1, 0.4
_POLLS = 30  # the pause is this part of the wait so far
_COMMAND_SECONDS = 600.0
_LOGIN_SHELL = b": get env for user "  # as slurmd's _get_user_env() logs it
_ENDED = ("COMPLETED", "CANCELLED", "FAILED", "TIMEOUT", "DEADLINE", "OUT_OF_MEMORY", "BOOT_FAIL")
# A time-out bounds a failure and measures nothing, so it may be long: the machine may be busy.
_PATIENCE = float(os.environ.get("MAUI_TEST_PATIENCE", "4"))

# name of a column -> squeue's format letter
_SQUEUE = {
    "id": "%i",
    "user": "%u",
    "group": "%g",
    "account": "%a",
    "partition": "%P",
    "qos": "%q",
    "name": "%j",
    "state": "%T",
    "reason": "%r",
    "priority": "%Q",
    "nodes": "%N",
    "cpus": "%C",
    "reservation": "%v",
}
# name of a column -> sprio's format letter, weighted values
_SPRIO = {
    "id": "%i",
    "user": "%u",
    "partition_name": "%r",
    "priority": "%Y",
    "site": "%S",
    "age": "%A",
    "assoc": "%B",
    "fairshare": "%F",
    "jobsize": "%J",
    "partition": "%P",
    "qos": "%Q",
    "nice": "%N",
    "tres": "%T",
}
_SPRIO_TEXT = frozenset(("id", "user", "partition_name", "tres"))


class CommandFailed(AssertionError):
    """A command ended with another status than 0; the text shows its output."""

    def __init__(self, done: subprocess.CompletedProcess[str]) -> None:
        self.done = done
        words = done.args if isinstance(done.args, str) else " ".join(map(str, done.args))
        super().__init__(
            f"`{words}` ended with status {done.returncode}\n"
            f"stdout: {done.stdout.strip()}\nstderr: {done.stderr.strip()}"
        )


def cluster_command(
    *arguments: str | os.PathLike[str],
    check: bool = True,
    timeout: float = _COMMAND_SECONDS,
    stdin: str | None = None,
    build: str | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run testsuite/cluster with this Python. build: default MAUI_BUILD."""
    done = subprocess.run(
        [sys.executable, str(CLUSTER), *map(str, arguments)],
        # A test that reads no input must not wait for a terminal's.
        input=stdin or "",
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
        env=None if build is None else {**os.environ, "MAUI_BUILD": build},
    )
    if check and done.returncode != 0:
        raise CommandFailed(done)
    return done


def wait_for(
    condition: Callable[[], _T],
    what: str,
    timeout: float = 60,
    explain: Callable[[], str] = lambda: "",
) -> _T:
    """Poll until the condition is true, and return its value; AssertionError after `timeout`
    seconds of an idle machine."""
    begun = time.monotonic()
    deadline = begun + timeout * _PATIENCE
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() >= deadline:
            raise AssertionError(
                f"waited {timeout * _PATIENCE:.0f} seconds for {what}; last value: {value!r}\n{explain()}"
            )
        waited = time.monotonic() - begun
        time.sleep(min(_LONGEST_POLL, max(_POLL_SECONDS, waited / _POLLS)))


# What slurmctld's log says of a maui.cfg. From 23.11 on reconfigure is a new process, which has the
# policy that was in force from the last good copy.
TAKEN = ("its policy is in force", "its policy is judged in shadow mode")
REFUSED = ("the policy that was in force stays", "the last good copy is in force")
PARTLY = ("there is no good copy: what they name is left out",)


def replace_file(path: Path, text: str) -> None:
    """At one stroke: a daemon, a job's step or a command that starts now reads one or the other."""
    fresh = path.with_name(path.name + ".new")
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(path)


def _version_of(release: str | None) -> str:
    """Of a Slurm in a prefix, by default of the one that MAUI_BUILD is for."""
    if not release:
        return built_for.of_build(built_for.own_build()).version
    command = [Path(release) / "sbin" / "slurmctld", "-V"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()[-1]


class Cluster:
    """A private cluster in a temporary directory of its own; `with` brings it up and down.

    maui_cfg, slurm_conf, gres_conf: texts of these files. The other arguments are those of `cluster up`.
    release: default what MAUI_BUILD is for, of a stock cluster, too.
    main_scheduler: it matters what that one does, and not backfill alone. In 23.11 that takes slurmdbd.
    jobcomp: slurmctld writes all ends of jobs to a file, see jobcomp_text().
    clock: YYYY-MM-DDTHH:MM:SS, in its time zone; stepped: it can be stopped.
    """

    def __init__(
        self,
        *,
        nodes: int = 2,
        cpus: int = 4,
        memory: int = 4000,
        maui_cfg: str | None = None,
        slurm_conf: str | None = None,
        gres_conf: str | None = None,
        slurmdbd: bool = False,
        main_scheduler: bool = False,
        jobcomp: bool = False,
        backup: bool = False,
        stock: bool = False,
        stock_select: bool = False,
        plugin_dirs: Sequence[Path] = (),
        clock: str | None = None,
        stepped: bool = False,
        time_zone: str | None = None,
        release: str | None = None,
    ) -> None:
        # When slurmctld was found to have ended, or to hang, in a reconfigure.
        self.lost_in_reconfigure: list[float] = []
        self._lives: dict[int, int] = {}  # by the pid of one that was started after such an end
        slurmdbd = slurmdbd or (main_scheduler and _version_of(release).startswith("23.11."))
        self._slurmdbd = slurmdbd
        self._options = [f"--nodes={nodes}", f"--cpus={cpus}", f"--memory={memory}"]
        if release:
            self._options.append(f"--release={release}")
        if slurmdbd:
            self._options.append("--with-slurmdbd")
        if backup:
            self._options.append("--backup")
        if stock:
            self._options.append("--stock")
        if stock_select:
            self._options.append("--stock-select")
        self._options += [f"--plugin-dir={path}" for path in plugin_dirs]
        if clock is not None:
            self._options.append(f"--clock={clock}")
        if stepped:
            self._options.append("--stepped")
        if time_zone is not None:
            self._options.append(f"--time-zone={time_zone}")
        self._maui_cfg_text = maui_cfg
        self._slurm_conf_text = slurm_conf
        self._jobcomp = jobcomp
        self._gres_conf_text = gres_conf
        self._home: Path | None = None
        self._marks = itertools.count()

    # --- up and down

    @property
    def home(self) -> Path:
        """The temporary directory around the cluster's directory; for a test's own files."""
        assert self._home is not None, "the cluster is used outside of its `with`"
        return self._home

    @property
    def dir(self) -> Path:
        return self.home / "cluster"

    @property
    def maui_cfg(self) -> Path:
        """The maui.cfg in use; it may be changed, see write_maui_cfg()."""
        return self.home / "maui.cfg"

    @property
    def log(self) -> Path:
        return self.dir / "log" / "slurmctld.log"

    @property
    def _jobcomp_file(self) -> Path:
        return self.dir / "log" / "jobcomp"

    def __enter__(self) -> Cluster:
        self._home = Path(tempfile.mkdtemp(prefix="maui-", dir=os.environ.get("TMPDIR", "/tmp")))
        self._home.chmod(0o755)
        try:
            options = [*self._options, "--dir", str(self.dir), f"--timeout={120 * _PATIENCE:.0f}"]
            if self._maui_cfg_text is not None:
                self.write_maui_cfg(self._maui_cfg_text)
                options += ["--maui-cfg", str(self.maui_cfg)]
            if self._jobcomp:
                self._slurm_conf_text = (self._slurm_conf_text or "") + (
                    f"\nJobCompType=jobcomp/filetxt\nJobCompLoc={self._jobcomp_file}\n"
                )
            if self._slurm_conf_text is not None:
                overlay = self._home / "slurm.conf"
                overlay.write_text(self._slurm_conf_text, encoding="utf-8")
                options += ["--slurm-conf", str(overlay)]
            if self._gres_conf_text is not None:
                gres = self._home / "gres.conf"
                gres.write_text(self._gres_conf_text, encoding="utf-8")
                options += ["--gres-conf", str(gres)]
            cluster_command("up", *options)
        except BaseException:
            evidence.keep_start(self)
            self._remove()
            raise
        evidence.running.append(self)
        if self._slurmdbd and self.may_fail_to_reconfigure():
            # One that is lost before it has ever saved its state has no successor: "No Assoc usage file".
            self.restart()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # pytest cleans a class up while it handles an error of setUpClass, of which it says nothing here.
        error = error or sys.exception()
        if error is not None and not isinstance(error, KeyboardInterrupt):
            print(self.explain(), file=sys.stderr)
            evidence.keep(evidence.current(), "".join(traceback.format_exception(error)))
        shells = self._login_shells()
        self._tell_of_spinning_agents()
        self._remove()
        if shells and error is None:
            raise AssertionError(
                f"jobs were started through root's or a user's profile, with --export or "
                f"--get-user-env; submit with the default export:\n{shells[0]}"
            )

    def _tell_of_spinning_agents(self) -> None:
        """A request to slurmds that 22.05 sends while it rereads slurm.conf may never end (releases.md):
        Slurm's own, and the rest goes on, but a processor is lost to what is tested."""
        spinning = busy_threads(self.pid(), "agent", 30) if self.daemon_runs() else 0
        if spinning:
            print(
                f"{spinning} agent threads of slurmctld have used 30 s each: they may go round in "
                "set_span() for ever, see contribs/doc/releases.md",
                file=sys.stderr,
            )

    def _login_shells(self) -> list[str]:
        """Where a slurmd ran `su - USER` for a job's environment: each such job waits for what
        the machine's profiles do."""
        return [
            line
            for log in (self.dir / "log").glob("slurmd.*.log")
            if _LOGIN_SHELL in log.read_bytes()
            for line in log.read_text(encoding="utf-8", errors="replace").splitlines()
            if _LOGIN_SHELL.decode() in line
        ]

    def _remove(self) -> None:
        if self in evidence.running:
            evidence.running.remove(self)
        # If `down` fails the directory stays: it says which processes are left.
        cluster_command("down", "--dir", self.dir)
        shutil.rmtree(self.home)
        self._home = None

    # --- commands

    def run(
        self,
        command: str | Sequence[str],
        user: str | None = None,
        check: bool = True,
        stdin: str | None = None,
        timeout: float = _COMMAND_SECONDS,
    ) -> subprocess.CompletedProcess[str]:
        """Run a command in the cluster; a string is for the shell."""
        words = ["sh", "-c", command] if isinstance(command, str) else list(command)
        done = execution.run(str(self.dir), user, words, stdin or "", timeout)
        if check and done.returncode != 0:
            raise CommandFailed(done)
        return done

    def sbatch(self, *options: str, wrap: str = "sleep 1000", user: str | None = None) -> int:
        """Submit a job and return its id."""
        done = self.run(["sbatch", "--parsable", *options, "--wrap", wrap], user=user)
        return int(done.stdout.split(";")[0])

    def scancel(self, *jobs: int) -> None:
        self.run(["scancel", *map(str, jobs)])

    def begin_again(self, *jobs: int | str) -> None:
        """Let jobs begin that were requeued just now. Slurm keeps them back for the life of their
        credential, minutes; but slurmd takes no credential of the second in which it has ended
        their last run, and a job that it refuses has failed ("Job credential revoked")."""
        for job in jobs:
            self.run(["scontrol", "update", f"job={job}", "starttime=now+2seconds"], check=False)

    def change(self, job: int, what: str, user: str | None = None) -> None:
        """scontrol update of a pending job. Without slurmdbd Slurm from 25.11 on refuses another partition
        more often than not, with whatever error was the last (_update_job(): error_code = errno)."""
        update = f"scontrol update job={job} {what}"
        self.wait_for(
            lambda: not self.run(update, user=user, check=False).returncode, f"{update} to be taken"
        )

    def scancel_all(self) -> None:
        """Cancel every job of every user, of arrays and heterogeneous jobs the whole."""
        self.run("squeue --all --noheader --format=%i | sed 's/[_+].*//' | sort -u | xargs -r scancel")

    def cancel_all(self) -> None:
        """The same, and wait until the queue is empty."""
        self.scancel_all()
        self.wait_for(lambda: not self.squeue(), "the queue to be empty")

    def reconfigure(self) -> None:
        """Where a race of Slurm's own may hang or end it, and does, a new slurmctld reads the same files."""
        done = self.run(["scontrol", "reconfigure"], check=False)
        if done.returncode and self.may_fail_to_reconfigure():
            self._start_again(done.stderr)
        elif done.returncode:
            raise CommandFailed(done)

    def _start_again(self, why: str) -> None:
        print(f"a reconfigure failed, as in this release: {why}", file=sys.stderr)
        self.lost_in_reconfigure.append(time.time())
        life = self.life()
        self.restart(kill=True)
        self._lives[self.pid()] = life

    def _left_agents(self, position: int) -> bool:
        """As reconfigures_by_restart() slurmctld waits three seconds for its requests to slurmds (agent_fini()),
        and unloads accounting_storage. One that ends a job's run after that calls NULL."""
        return self.log_contains("agent threads active", position) and not self.daemon_runs()

    def install(self, maui_cfg: str | None = None, refused: bool | None = False) -> str:
        """Another maui.cfg, or what is in the file by now, in force when this returns; or refused;
        or (None) either. Returns slurmctld's log since."""
        words = (() if refused else TAKEN) + (() if refused is False else REFUSED)
        if refused is None and self.reconfigures_by_restart():
            words += PARTLY
        position = self.log_position()
        if maui_cfg is not None:
            self.write_maui_cfg(maui_cfg)

        def logged() -> bool:
            return any(self.log_contains(text, position) for text in words)

        self.reconfigure()
        self.wait_for(lambda: logged() or self._left_agents(position), " or ".join(words))
        if not logged():
            self._start_again("requests to slurmds were under way")
            self.wait_for(logged, " or ".join(words))
        return self.log_text(position)

    def restart(self, daemon: str = "slurmctld", kill: bool = False) -> None:
        """End a daemon (with SIGKILL: `kill`), start it again, and wait until it answers."""
        cluster_command("restart", "--dir", self.dir, daemon, *(["--kill"] if kill else []))

    def stop(self, daemon: str = "slurmctld", kill: bool = False) -> None:
        """End slurmctld, the backup slurmctld ("backup"), slurmdbd, its database's server ("mariadbd"),
        or a node's ("slurmd.n1")."""
        cluster_command("stop", "--dir", self.dir, daemon, *(["--kill"] if kill else []))

    def start(self, daemon: str = "slurmctld", booted: bool = False) -> None:
        """Start a daemon that has ended, and wait until it answers. booted: a slurmd whose node has, too."""
        cluster_command("start", "--dir", self.dir, *(["--booted"] if booted else []), daemon)

    def upgrade(self, release: str, build: str | None = None) -> None:
        """Another release of Slurm in place, with our plugins of a build for it, or (None) without.
        Returns when slurmctld answers and all nodes have registered."""
        options = ["--release", release, f"--timeout={120 * _PATIENCE:.0f}"]
        if build is None:
            options.append("--stock")
        cluster_command("upgrade", "--dir", self.dir, *options, build=build)

    def wait_until_saved(self, job: int) -> None:
        """Wait until slurmctld has saved what is known of jobs by now. It does so late, and kill -9
        costs it the rest. job: any one that has not ended.
        """
        mark = f"mark-{next(self._marks)}-of-the-test"
        self.run(["scontrol", "update", f"job={job}", f"comment={mark}"])
        self.wait_for(lambda: mark.encode() in self.saved("job_state"), "the state to be saved")

    def saved(self, name: str) -> bytes:
        """Slurm's state file as it was saved last; nothing if it was not yet. Slurm unlinks the file
        before it links the new one: in between only NAME.old is there."""
        for file in (name, f"{name}.old"):
            with contextlib.suppress(FileNotFoundError):
                return (self.dir / "state" / file).read_bytes()
        return b""

    # --- its clock, if it has one of its own

    def time(self) -> float:
        """What time.time() is in the cluster."""
        return shown(self.dir / "run" / "clock")

    def set_clock(self, when: str) -> None:
        """For all its processes at once: YYYY-MM-DDTHH:MM:SS there, or +SECONDS or -SECONDS.

        Not while slurmctld waits for a node: it would think that the node has not answered in time.
        """
        if self.daemon_runs():
            self.wait_for(
                lambda: re.search(r"(?m)^Agent count: +0$", self.run(["sdiag"]).stdout),
                "slurmctld to have all answers",
            )
        cluster_command("clock", "--dir", self.dir, "--", when)

    def write_maui_cfg(self, text: str) -> None:
        """Replace the maui.cfg as an editor does; it is in force after reconfigure()."""
        replace_file(self.maui_cfg, text)

    def maui(self, *arguments: str, user: str | None = None) -> Any:
        """Run the `maui` command and return the JSON that it prints."""
        done = self.run(["maui", *arguments], user=user)
        try:
            return json.loads(done.stdout)
        except ValueError as error:
            raise AssertionError(
                f"`maui {' '.join(arguments)}` prints no JSON ({error}):\n"
                f"{done.stdout}{done.stderr}"
            ) from None

    # --- its daemons

    def pid(self, daemon: str = "slurmctld") -> int:
        """The pid with which a daemon was started; it may have ended since."""
        record = json.loads((self.dir / "cluster.json").read_text(encoding="utf-8"))
        return int(record["daemons"][daemon]["pid"])

    def life(self) -> int:
        """Another number when slurmctld was started again, but for ends that are a reconfigure's in this
        release."""
        return self._lives.get(self.pid(), self.pid())

    def daemon_runs(self, daemon: str = "slurmctld") -> bool:
        try:
            stat = Path(f"/proc/{self.pid(daemon)}/stat").read_text(encoding="ascii")
        except OSError:
            return False
        return stat.rpartition(")")[2].split()[0] != "Z"

    @property
    def maui_port(self) -> int:
        """Where the engine's service listens."""
        text = (self.dir / "etc" / "slurm.conf").read_text(encoding="utf-8")
        return int(text.partition("maui_port=")[2].split()[0].split(",")[0])

    def in_charge(self) -> str | None:
        """The controller whose engine listens, "slurmctld" or "backup"; None if neither does."""
        found = [
            name
            for name in ("slurmctld", "backup")
            if self.maui_port in listening_ports(self.pid(name))
        ]
        if len(found) > 1:
            raise AssertionError("both controllers listen on the engine's port")
        return found[0] if found else None

    # --- what the cluster says

    def squeue(self, *options: str) -> list[dict[str, str]]:
        """The queue, all partitions and array tasks, in squeue's order."""
        columns = "\t".join(_SQUEUE.values())
        done = self.run(["squeue", "--noheader", "--all", "--array", "-o", columns, *options])
        return _table(done.stdout, _SQUEUE)

    def sprio(self, *options: str) -> list[dict[str, Any]]:
        """Pending jobs with the weighted parts of their priority; numbers are floats."""
        done = self.run(["sprio", "--noheader", "-o", "\t".join(_SPRIO.values()), *options])
        return [
            {name: text if name in _SPRIO_TEXT else float(text) for name, text in row.items()}
            for row in _table(done.stdout, _SPRIO)
        ]

    def job(self, job: int) -> dict[str, str]:
        """What `scontrol show job` says, as a dictionary; also of a job that has ended."""
        return self._show("job", str(job))

    def node(self, name: str) -> dict[str, str]:
        return self._show("node", name)

    def nodes_out(self) -> set[str]:
        """The nodes that are down or drained. Slurm drains by itself one that it has given a job twice
        ("Duplicate jobid"): a busy one, or where it uses a job's number again after a crash."""
        return {name for name, state in self._node_states() if re.match("down|drain", state)}

    def nodes_silent(self) -> set[str]:
        """The nodes whose slurmd does not answer slurmctld."""
        return {name for name, state in self._node_states() if state.endswith("*")}

    def _node_states(self) -> list[list[str]]:
        lines = self.run("sinfo --noheader --Node --format='%N %T'").stdout.splitlines()
        return [line.split() for line in lines]

    def partition(self, name: str) -> dict[str, str]:
        return self._show("partition", name)

    def _show(self, kind: str, name: str) -> dict[str, str]:
        done = self.run(["scontrol", "--oneliner", "show", kind, name])
        return dict(word.split("=", 1) for word in done.stdout.split() if "=" in word)

    def config(self) -> dict[str, str]:
        """What `scontrol show config` says."""
        lines = self.run(["scontrol", "show", "config"]).stdout.splitlines()
        pairs = (line.split("=", 1) for line in lines if "=" in line)
        return {key.strip(): value.strip() for key, value in pairs}

    def _series(self) -> list[int]:
        return [int(number) for number in self.config()["SLURM_VERSION"].split(".")[:2]]

    def names_our_select(self) -> bool:
        """Whether our select plugin has a name of its own, as from Slurm 25.05 on."""
        return self._series() >= [25, 5]

    def reconfigures_by_restart(self) -> bool:
        """Whether `scontrol reconfigure` is a new process, as from Slurm 23.11 on."""
        return self._series() >= [23, 11]

    def knows_explicit_gres(self) -> bool:
        """Whether gres.conf has Flags=explicit; 22.05 ignores it."""
        return self._series() >= [23, 11]

    def may_fail_to_reconfigure(self) -> bool:
        """conmgr_quiesce() may wait for ever up to 24.11.5: the changes of 24.11.6 name a race. From 25.05.8 on,
        and 25.11.5, slurmctld_background() unloads accounting_storage before it waits for the requests under way,
        which call it: 25.11.7 does not. What the command says of itself, since slurmctld does not answer."""
        version = [int(number) for number in re.findall(r"\d+", self.run(["scontrol", "--version"]).stdout)[:3]]
        failing = (([24, 11], [24, 11, 6]), ([25, 5, 8], [25, 11]), ([25, 11, 5], [25, 11, 7]))
        return any(first <= version < fixed for first, fixed in failing)

    def backup_gives_way(self) -> bool:
        """Not that of 23.11 once it has been reconfigured while in charge: it answers that it does, and goes
        on as the primary; so it does on stock clusters."""
        return self._series() != [23, 11]

    def backfill_prolongs(self) -> bool:
        """Whether backfill gives a job with --time-min up to its limit, as from 25.05.3 on."""
        return self._series() >= [25, 5]

    def shows_exclusive_topo(self) -> bool:
        """Whether scontrol shows --exclusive=topo of a job with whole nodes, too, as from 26.05 on."""
        return self._series() >= [26, 5]

    def main_scheduler_starts_jobs(self) -> bool:
        """Not that of Slurm 23.11 without slurmdbd: to it every job has an invalid account."""
        config = self.config()
        dbd = config["AccountingStorageType"] == "accounting_storage/slurmdbd"
        return dbd or not config["SLURM_VERSION"].startswith("23.11.")

    # --- waiting

    def wait_for(self, condition: Callable[[], _T], what: str, timeout: float = 60) -> _T:
        return wait_for(condition, what, timeout, self.explain)

    def wait_for_iterations(self, count: int) -> None:
        """Until the engine has ended so many more."""
        first = self.maui("status", "--json")["iteration"]
        self.wait_for(
            lambda: self.maui("status", "--json")["iteration"] >= first + count,
            f"{count} iterations",
        )

    def wait_for_state(self, job: int, *states: str, timeout: float = 60) -> str:
        """Wait until a job is in one of these states, such as RUNNING, COMPLETED. AssertionError at
        once if it has ended in another one."""

        def state() -> str | None:
            shown = self.job(job)
            now = shown["JobState"]
            if now in states:
                return now
            if now in _ENDED:
                raise AssertionError(f"job {job} has ended, {now}: {shown}\n{self.explain()}")
            return None

        return self.wait_for(state, f"job {job} to be {' or '.join(states)}", timeout) or ""

    def log_text(self, after: int = 0) -> str:
        """slurmctld's log, from an earlier log_position() on."""
        with open(self.log, "rb") as file:
            file.seek(after)
            return file.read().decode("utf-8", errors="replace")

    def jobcomp_text(self) -> str:
        """All that jobcomp/filetxt has written, for jobcomp.ends()."""
        return self._jobcomp_file.read_text(encoding="utf-8", errors="replace")

    def log_position(self) -> int:
        return self.log.stat().st_size

    def log_contains(self, text: str, after: int = 0) -> bool:
        return text in self.log_text(after)

    def explain(self) -> str:
        """For a failure's text: the queue, the controllers' threads and the ends of their logs."""
        queue = self.run(["squeue", "--all"], check=False)
        parts = [f"--- squeue\n{queue.stdout}{queue.stderr}"]
        for name in ("slurmctld", "backup"):
            log = self.dir / "log" / f"{name}.log"
            if not log.exists():
                log = log.with_suffix(".stderr")
            if not log.exists():
                continue
            parts.append(f"--- threads of {name}: {' '.join(_threads(self.pid(name)))}")
            lines = [
                line
                for line in log.read_text(encoding="utf-8", errors="replace").splitlines()
                if "_heartbeat_thread" not in line
            ]
            parts.append("\n".join([f"--- the end of {log}", *lines[-_LOG_LINES:]]))
        return "\n".join(parts)


class ClusterTest(unittest.TestCase):
    """Tests that share a private cluster with the arguments CLUSTER; None: they make their own."""

    CLUSTER: dict[str, Any] | None = None
    cluster: Cluster

    @classmethod
    def setUpClass(cls) -> None:
        if cls.CLUSTER is not None:
            cls.cluster = cls.enterClassContext(Cluster(**cls.CLUSTER))


def _threads(pid: int) -> list[str]:
    """The names of a process's threads, with what each waits for in the kernel."""
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        return [f"{(t / 'comm').read_text().strip()}({(t / 'wchan').read_text()})" for t in tasks]
    except OSError:  # it has ended
        return []


def listening_ports(pid: int) -> set[int]:
    """The TCP ports on which a process listens; none if it has ended."""
    inodes = set()
    try:
        descriptors = os.listdir(f"/proc/{pid}/fd")
    except OSError:  # it has ended
        return set()
    for descriptor in descriptors:
        try:
            link = os.readlink(f"/proc/{pid}/fd/{descriptor}")
        except OSError:  # closed meanwhile
            continue
        if link.startswith("socket:["):
            inodes.add(link[len("socket:[") : -1])
    result = set()
    for name in ("tcp", "tcp6"):
        table = Path("/proc/net", name)
        for line in table.read_text().splitlines()[1:] if table.exists() else ():
            fields = line.split()
            if fields[3] == "0A" and fields[9] in inodes:  # 0A: LISTEN
                result.add(int(fields[1].rpartition(":")[2], 16))
    return result


@contextlib.contextmanager
def gpu_devices(count: int = 4) -> Iterator[Path]:
    """A directory with files that gres.conf can name as GPUs: gpu0, gpu1, ..."""
    with tempfile.TemporaryDirectory() as directory:
        for number in range(count):
            Path(directory, f"gpu{number}").touch()
        yield Path(directory)


def check_sums(
    test: unittest.TestCase, cluster: Cluster, direct: Iterable[int | str] = ()
) -> int:
    """Every job of sprio -l adds up to squeue's number; returns how many were compared.

    direct: jobs whose priority was set by hand; for these Slurm has no terms, only the number.
    """
    without_terms = set(map(str, direct))

    def numbers() -> dict[str, int]:
        return {row["id"]: int(row["priority"]) for row in cluster.squeue("--states=PENDING")}

    # In between an iteration may change what grows with time, such as fairshare's part.
    before, rows, after = numbers(), cluster.sprio(), numbers()
    sums: dict[str, set[int]] = {}
    for row in rows:
        total = (
            row["site"] + row["age"] + row["assoc"] + row["fairshare"] + row["jobsize"]
            + row["partition"] + row["qos"] - row["nice"]
        )
        if row["id"] in without_terms:
            test.assertEqual(total, 0, row)
            total = row["priority"]
        sums.setdefault(row["id"], set()).add(int(total))
        test.assertEqual(total, row["priority"], row)
    # The schedulers move multi-partition jobs between their partitions' numbers.
    for job in before.keys() & after.keys() & sums.keys():
        low, high = sorted((before[job], after[job]))
        test.assertTrue(
            any(low <= number <= high for number in sums[job]),
            f"job {job}: squeue {before[job]}, sprio {sums[job]}, squeue {after[job]}",
        )
    return len(sums)


def _table(text: str, columns: Iterable[str]) -> list[dict[str, str]]:
    """Rows whose fields are separated by tabs, as a reason may have a '|'; squeue and sprio pad some of them."""
    names = list(columns)
    rows = []
    for line in text.splitlines():
        fields = [field.strip() for field in line.split("\t")]
        if len(fields) != len(names):
            raise AssertionError(f"expected {len(names)} columns, got: {line}")
        rows.append(dict(zip(names, fields, strict=True)))
    return rows
