# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads the text of OpenMetrics and complains of whatever its grammar does not allow, or node_exporter does not."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
_META = re.compile(rf"# (TYPE|UNIT|HELP) ({_NAME}) (.*)")
_SAMPLE = re.compile(rf"({_NAME})(?:\{{(.*)\}})? (\S+)")
_LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"')
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|Inf)|NaN")
# Those that Prometheus' older text format knows, too.
_SUFFIX = {"gauge": "", "counter": "_total"}

Labels = tuple[tuple[str, str], ...]


class Malformed(AssertionError):
    """A line, and what is wrong with it."""


@dataclass
class Family:
    """TYPE, UNIT, HELP, and samples by their labels."""

    meta: dict[str, str] = field(default_factory=dict)
    samples: dict[Labels, float] = field(default_factory=dict)

    def value(self, **labels: str) -> float:
        """Of the one sample that has these labels, whatever others it has."""
        found = [value for key, value in self.samples.items() if labels.items() <= dict(key).items()]
        if len(found) != 1:
            raise AssertionError(f"{len(found)} samples have {labels}: {sorted(self.samples)}")
        return found[0]


def _demand(condition: object, line: str, wrong: str) -> None:
    if not condition:
        raise Malformed(f"{wrong}: {line!r}")


def _unescape(text: str) -> str:
    return re.sub(r"\\(.)", lambda match: "\n" if match[1] == "n" else match[1], text)


def _labels(text: str | None, line: str) -> Labels:
    labels: dict[str, str] = {}
    at = 0
    while text is not None:
        match = _LABEL.match(text, at)
        _demand(match, line, "a label is malformed")
        assert match
        _demand(match[1] not in labels, line, "a label comes twice")
        _demand(not match[1].startswith("__"), line, "a label's name is reserved")
        labels[match[1]] = _unescape(match[2])
        at = match.end()
        if at == len(text):
            break
        _demand(text[at] == ",", line, "no comma between labels")
        at += 1
    return tuple(sorted(labels.items()))


def _meta(families: dict[str, Family], current: str, line: str) -> str:
    match = _META.fullmatch(line)
    _demand(match, line, "neither TYPE, UNIT nor HELP")
    assert match
    kind, name, text = match.groups()
    if name != current:
        _demand(name not in families, line, "a family comes twice")
        families[name] = Family()
    family = families[name]
    _demand(kind not in family.meta, line, "said twice")
    _demand(not family.samples, line, "behind a sample")
    if kind == "TYPE":
        _demand(text in _SUFFIX, line, "a type that not all readers know")
    elif kind == "UNIT":
        _demand(name.endswith("_" + text), line, "the unit is not the end of the name")
    else:
        _demand(re.fullmatch(r"(?:[^\\\n]|\\[\\n\"])+", text), line, "HELP is empty or not escaped")
    family.meta[kind] = text
    return name


def parse(text: str) -> dict[str, Family]:
    """The families by name."""
    families: dict[str, Family] = {}
    current = ""
    _demand(text.endswith("\n# EOF\n"), text[-40:], "the end is not # EOF and a newline")
    for line in text[: -len("# EOF\n")].splitlines():
        _demand(line == line.strip() and line, line, "blanks at an end, or an empty line")
        if line.startswith("#"):
            current = _meta(families, current, line)
            continue
        match = _SAMPLE.fullmatch(line)
        _demand(match, line, "no sample")
        assert match
        name, labels, number = match.groups()
        family = families.get(current, Family())
        _demand({"TYPE", "HELP"} <= family.meta.keys(), line, "a sample before TYPE and HELP")
        _demand(name == current + _SUFFIX[family.meta["TYPE"]], line, "not of the family above")
        _demand(_NUMBER.fullmatch(number), line, "the value is no number")
        key = _labels(labels, line)
        _demand(key not in family.samples, line, "a series comes twice")
        family.samples[key] = float(number)
    return families
