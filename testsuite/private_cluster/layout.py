# SPDX-License-Identifier: GPL-2.0-or-later
"""Where the files of a cluster lie below its directory, and the record it keeps of itself."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass, field
from pathlib import Path

from .network import Identity
from .problem import Problem
from .processes import Process

_RECORD = "cluster.json"
_SCHEMA = 1

# The longest socket that Slurm makes is slurmstepd's, SPOOL/NODE/NODE_JOB.STEP, and a socket's
# path has at most 107 characters.
_SOCKET_PATH_MAX = 107
_LONGEST_SOCKET = "/spool/n9999/n9999_4294967295.4294967295"

# slurm.conf knows no quoting for white space, '#' and '%' in a path, and PriorityParameters none
# for commas.
_PLAIN_PATH = re.compile(r"[A-Za-z0-9._/+@:=~-]+")


def require_plain(path: Path, what: str) -> None:
    if not _PLAIN_PATH.fullmatch(str(path)):
        raise Problem(
            f"{what} '{path}' cannot be written into slurm.conf; "
            "use letters, digits and . _ / + @ : = ~ - only"
        )


class Layout:
    """The paths of one cluster. The directory itself need not exist."""

    def __init__(self, directory: str) -> None:
        # The real path: /proc shows real paths only, and they have to be recognised there.
        self.top = Path(os.path.realpath(directory))
        self.bin = self.top / "bin"
        self.etc = self.top / "etc"
        self.log = self.top / "log"
        self.run = self.top / "run"
        self.state = self.top / "state"
        self.spool = self.top / "spool"
        self.stage = self.top / "stage"
        self.database = self.top / "database"
        self.work = self.top / "work"
        self.record = self.top / _RECORD
        self.slurm_conf = self.etc / "slurm.conf"
        self.slurmdbd_conf = self.etc / "slurmdbd.conf"
        self.maui_cfg = self.etc / "maui.cfg"
        self.munge_socket = self.run / "munge.sock"
        self.backup_run = self.run / "backup"
        self.clock = self.run / "clock"  # the offset
        self.clock_library = self.run / "test_clock.so"

    def check(self) -> None:
        require_plain(self.top, "the directory")
        if len(str(self.top)) + len(_LONGEST_SOCKET) > _SOCKET_PATH_MAX:
            raise Problem(
                f"the directory '{self.top}' has a too long name: Unix sockets below it would not "
                f"fit into {_SOCKET_PATH_MAX} characters; it may have "
                f"{_SOCKET_PATH_MAX - len(_LONGEST_SOCKET)}"
            )

    def log_of(self, daemon: str) -> Path:
        return self.log / f"{daemon}.log"

    def stderr_of(self, daemon: str) -> Path:
        """What a daemon says before its log is open, and an assertion's words."""
        return self.log / f"{daemon}.stderr"

    @property
    def sanitizer(self) -> Path:
        """A sanitizer in slurmctld adds a dot and its pid."""
        return self.log / "sanitizer"


@dataclass
class Record:
    """What has to be known of a running cluster; kept in its directory as JSON."""

    layout: Layout
    identity: Identity
    backup: Identity | None = None  # the backup controller's, if there is one
    stock: bool = False
    slurmctld: str = ""
    build: str = ""
    sanitizers: list[str] = field(default_factory=list)  # libraries that slurmctld has to preload
    clock: bool = False  # it has one of its own
    time_zone: str = ""  # empty: the caller's
    made_parents: list[str] = field(default_factory=list)
    nodes: dict[str, int] = field(default_factory=dict)  # name -> slurmd's port
    daemons: dict[str, Process] = field(default_factory=dict)
    ports: dict[str, int] = field(default_factory=dict)

    def create(self) -> None:
        """Take the directory: fails if another cluster has taken it."""
        try:
            descriptor = os.open(self.layout.record, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
        except FileExistsError:
            raise Problem(
                f"a cluster is in '{self.layout.top}' already; "
                f"end it with: testsuite/cluster down --dir {self.layout.top}"
            ) from None
        os.close(descriptor)
        self.save()

    def save(self) -> None:
        data = {
            "schema": _SCHEMA,
            "identity": self.identity._asdict(),
            "backup": None if self.backup is None else self.backup._asdict(),
            "stock": self.stock,
            "slurmctld": self.slurmctld,
            "build": self.build,
            "sanitizers": self.sanitizers,
            "clock": self.clock,
            "time_zone": self.time_zone,
            "made_parents": self.made_parents,
            "nodes": self.nodes,
            "daemons": {name: process._asdict() for name, process in self.daemons.items()},
            "ports": self.ports,
        }
        fresh = self.layout.record.with_suffix(f".{os.getpid()}")
        fresh.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
        fresh.chmod(0o644)
        fresh.replace(self.layout.record)

    @staticmethod
    def load(layout: Layout) -> Record | None:
        """The record of the cluster in this directory; None if there is none."""
        try:
            text = layout.record.read_text(encoding="utf-8")
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise Problem(f"cannot read '{layout.record}': {error.strerror}") from None
        try:
            data = json.loads(text)
            if data["schema"] != _SCHEMA:
                raise Problem(
                    f"'{layout.record}' was written by another version of testsuite/cluster "
                    f"(schema {data['schema']}, not {_SCHEMA}); use that one"
                )
            backup = data.get("backup")
            return Record(
                layout=layout,
                identity=Identity(**data["identity"]),
                backup=None if backup is None else Identity(**backup),
                stock=data["stock"],
                slurmctld=data["slurmctld"],
                build=data["build"],
                sanitizers=data.get("sanitizers", []),
                clock=data.get("clock", False),
                time_zone=data.get("time_zone", ""),
                made_parents=data["made_parents"],
                nodes=data["nodes"],
                daemons={name: Process(**fields) for name, fields in data["daemons"].items()},
                ports=data["ports"],
            )
        except (ValueError, KeyError, TypeError):
            # An `up` that was killed in its first moment: nothing is known but that it is ours.
            return Record(layout=layout, identity=Identity("", "", private=False))

    @staticmethod
    def require(layout: Layout) -> Record:
        record = Record.load(layout)
        if record is None:
            raise Problem(
                f"no cluster is in '{layout.top}'; "
                f"start one with: testsuite/cluster up --dir {layout.top}"
            )
        return record
