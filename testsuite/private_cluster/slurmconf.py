# SPDX-License-Identifier: GPL-2.0-or-later
"""The slurm.conf of a private cluster, and what the lines of --slurm-conf change in it.

slurm.conf has two kinds of parameters: single values (PriorityWeightAge=1) and lines that describe
one named thing (NodeName=, PartitionName=, ...). Both are kept as data, so that an overlay is
applied to parameters and not to text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from . import hostlist
from .problem import Problem

# As Slurm's own parser reads a line: KEY = VALUE, the value quoted if it has white space in it.
_PAIR = re.compile(r'\s*([A-Za-z][A-Za-z0-9_.]*)\s*([-+*/]?=)\s*("[^"]*"|\S*)')

# Parameters whose line describes one thing, in the order in which they are written.
_LINES = ("SlurmctldHost", "FrontendName", "NodeName", "DownNodes", "NodeSet", "PartitionName")
_LINE_KEYS = {name.lower(): name for name in _LINES}

# A node's shape is given by these together: if a line has one, the generated others go.
_SHAPE = frozenset(
    "cpus procs boards sockets socketsperboard corespersocket threadspercore".split()
)

# A node that is configured in such a state has no slurmd running, or is not meant to be idle.
_WITHOUT_SLURMD = frozenset(("cloud", "future", "external"))
_ORDINARY = frozenset(("unknown", "idle"))


class Parameters:
    """KEY=VALUE pairs in order; keys are compared without regard to case, as Slurm does."""

    def __init__(self, pairs: dict[str, str]) -> None:
        self._pairs = {key.lower(): (key, value) for key, value in pairs.items()}

    def get(self, key: str) -> str | None:
        pair = self._pairs.get(key.lower())
        return None if pair is None else pair[1]

    def set(self, key: str, value: str) -> None:
        """Replaces in place, or adds at the end."""
        old = self._pairs.get(key.lower())
        self._pairs[key.lower()] = (old[0] if old else key, value)

    def drop(self, *keys: str) -> None:
        for key in keys:
            self._pairs.pop(key.lower(), None)

    def update(self, other: Parameters) -> None:
        for key, value in other._pairs.values():
            self.set(key, value)

    def any_of(self, keys: frozenset[str]) -> bool:
        return not keys.isdisjoint(self._pairs)

    def lines(self) -> list[str]:
        return [f"{key}={value}" for key, value in self._pairs.values()]


@dataclass
class NodeDefaults:
    """What a NodeName line gets where it does not say otherwise."""

    hostname: str
    address: str
    cpus: int
    memory: int

    def parameters(self, name: str, port: int) -> Parameters:
        return Parameters(
            {
                "NodeName": name,
                "NodeHostname": self.hostname,
                "NodeAddr": self.address,
                "Port": str(port),
                "CPUs": str(self.cpus),
                "Boards": "1",
                "SocketsPerBoard": "1",
                "CoresPerSocket": str(self.cpus),
                "ThreadsPerCore": "1",
                "RealMemory": str(self.memory),
                "State": "UNKNOWN",
            }
        )


@dataclass
class Overlay:
    """The lines of a --slurm-conf file, parsed."""

    single: Parameters = field(default_factory=lambda: Parameters({}))
    lines: list[tuple[str, str, Parameters]] = field(default_factory=list)  # kind, name, line
    verbatim: list[str] = field(default_factory=list)

    def node_names(self) -> list[str]:
        return [
            name
            for kind, names, _ in self.lines
            if kind == "NodeName" and names.upper() != "DEFAULT"
            for name in hostlist.expand(names)
        ]


def read_overlay(path: Path) -> Overlay:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Problem(f"cannot read --slurm-conf '{path}': {error}") from None
    overlay = Overlay()
    for number, line in _logical_lines(text):
        where = f"{path}:{number}"
        words = line.split(None, 1)
        if words[0].lower() == "include":
            overlay.verbatim.append(line)
            continue
        pairs = _parse_pairs(line, where)
        first = next(iter(pairs))
        kind = _LINE_KEYS.get(first.lower())
        if kind is None:
            overlay.single.update(Parameters(pairs))
            continue
        name = pairs[first]
        if kind in ("NodeName", "DownNodes"):
            try:
                hostlist.expand(name)
            except ValueError as error:
                raise Problem(f"{where}: {error}") from None
        overlay.lines.append((kind, name, Parameters(pairs)))
    return overlay


def _logical_lines(text: str) -> list[tuple[int, str]]:
    """Lines without comments, continued lines joined, empty ones left out; with their numbers."""
    result: list[tuple[int, str]] = []
    pending, start = "", 0
    for number, raw in enumerate(text.splitlines(), 1):
        line = re.sub(r"(?<!\\)#.*", "", raw).replace(r"\#", "#").rstrip()
        start = start or number
        if line.endswith("\\"):
            pending += line[:-1]
            continue
        line = (pending + line).strip()
        if line:
            result.append((start, line))
        pending, start = "", 0
    if pending.strip():
        result.append((start, pending.strip()))
    return result


def _parse_pairs(line: str, where: str) -> dict[str, str]:
    pairs: dict[str, str] = {}
    at = 0
    while at < len(line):
        match = _PAIR.match(line, at)
        if match is None:
            raise Problem(f"{where}: '{line[at:].strip()}' is not KEY=VALUE")
        if match[2] != "=":
            raise Problem(f"{where}: '{match[1]}{match[2]}' is not supported here, only '='")
        pairs[match[1]] = match[3]
        at = match.end()
    return pairs


def changed(text: str, values: dict[str, str]) -> str:
    """A generated slurm.conf with other single values; one that is empty goes."""
    keys = {key.lower() for key in values}
    kept = [line for line in text.splitlines() if line.partition("=")[0].lower() not in keys]
    return "\n".join([*Parameters({k: v for k, v in values.items() if v}).lines(), *kept, ""])


class SlurmConf:
    """A slurm.conf: single values, and lines for named things."""

    def __init__(self, single: dict[str, str], defaults: NodeDefaults) -> None:
        self._single = Parameters(single)
        self._defaults = defaults
        self._lines: dict[str, dict[str, Parameters]] = {kind: {} for kind in _LINES}
        self._verbatim: list[str] = []

    def add(self, kind: str, parameters: Parameters) -> None:
        name = parameters.get(kind)
        assert name is not None
        self._lines[kind][name.split("(")[0]] = parameters  # SlurmctldHost=NAME(ADDRESS)

    def add_node(self, name: str, port: int) -> None:
        self.add("NodeName", self._defaults.parameters(name, port))

    def apply(self, overlay: Overlay) -> None:
        """Every node the overlay names must have been added with add_node()."""
        self._single.update(overlay.single)
        self._verbatim += overlay.verbatim
        for kind, name, line in overlay.lines:
            if kind == "NodeName" and name.upper() != "DEFAULT":
                for node in hostlist.expand(name):
                    self._change_node(node, line)
            elif kind == "PartitionName" and name in self._lines[kind]:
                self._lines[kind][name].update(line)
            elif kind == "DownNodes":
                self._lines[kind][str(len(self._lines[kind]))] = line
            elif kind == "SlurmctldHost":
                self._lines[kind][name.split("(")[0]] = line
            else:
                self._lines[kind][name] = line
            if kind == "PartitionName" and (line.get("Default") or "").upper() == "YES":
                self._other_partitions_are_not_default(name)

    def _change_node(self, node: str, line: Parameters) -> None:
        parameters = self._lines["NodeName"][node]
        if line.any_of(_SHAPE):
            parameters.drop(*_SHAPE)
        parameters.update(line)
        parameters.set("NodeName", node)  # the line's may be an expression

    def _other_partitions_are_not_default(self, name: str) -> None:
        for other, parameters in self._lines["PartitionName"].items():
            if other not in (name, "DEFAULT"):
                parameters.drop("Default")

    def nodes_with_slurmd(self) -> dict[str, int]:
        """Name and port of each node for which a slurmd is to be started."""
        return {
            name: int(parameters.get("Port") or 0)
            for name, parameters in self._lines["NodeName"].items()
            if name.upper() != "DEFAULT" and _state(parameters) not in _WITHOUT_SLURMD
        }

    def nodes_meant_idle(self) -> set[str]:
        down = {
            node
            for line in self._lines["DownNodes"].values()
            for node in hostlist.expand(line.get("DownNodes") or "")
        }
        return {
            name
            for name in self.nodes_with_slurmd()
            if not down & {name, "ALL"} and _state(self._lines["NodeName"][name]) in _ORDINARY
        }

    def text(self) -> str:
        parts = ["# Generated by testsuite/cluster; --slurm-conf changes it."]
        parts += self._single.lines()
        for kind in _LINES:
            # Defaults have to stand before what they are for.
            named = sorted(self._lines[kind].items(), key=lambda item: item[0].upper() != "DEFAULT")
            parts += [" ".join(parameters.lines()) for _, parameters in named]
        parts += self._verbatim
        return "\n".join(parts) + "\n"


def _state(parameters: Parameters) -> str:
    return (parameters.get("State") or "unknown").lower()
