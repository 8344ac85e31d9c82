# SPDX-License-Identifier: GPL-2.0-or-later
"""The scenarios that have passed on other releases of Slurm: passes.json, and the table of releases.md.

`testsuite/run scenario --release V --record` adds a run to the last ones of each scenario, and writes
the table anew; test_passes.py compares both.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from built_for import ROOT

DATA = ROOT / "testsuite" / "passes.json"
DOCUMENT = ROOT / "contribs" / "doc" / "releases.md"
WANTED = 3  # clean runs in a row, and so many are kept
_BEGIN = "<!-- of testsuite/run --record -->\n"
_END = "<!-- end -->\n"


class Run(NamedTuple):
    """Of a scenario on a release."""

    date: str
    commit: str  # empty: not known
    passed: int
    failed: int


# release -> scenario -> the last runs, the newest at the end
Passes = dict[str, dict[str, list[Run]]]


def read() -> Passes:
    data = json.loads(DATA.read_text(encoding="utf-8"))
    return {
        release: {name: [Run(*run) for run in runs] for name, runs in scenarios.items()}
        for release, scenarios in data.items()
    }


def text_of(passes: Passes) -> str:
    """A line a scenario, so that a diff shows what has been run."""
    releases = []
    for release in _in_order(passes):
        rows = (
            f"    {json.dumps(name)}: {json.dumps([list(run) for run in runs])}"
            for name, runs in sorted(passes[release].items())
        )
        releases.append(f"  {json.dumps(release)}: {{\n" + ",\n".join(rows) + "\n  }")
    return "{\n" + ",\n".join(releases) + "\n}\n"


def add(passes: Passes, release: str, scenario: str, run: Run) -> None:
    runs = passes.setdefault(release, {}).setdefault(scenario, [])
    runs.append(run)
    del runs[:-WANTED]


def table(passes: Passes) -> str:
    releases = _in_order(passes)
    names = sorted({name for scenarios in passes.values() for name in scenarios})
    rows = [
        ["scenario", *releases],
        ["---"] * (1 + len(releases)),
        *([name, *(_cell(passes[release].get(name, [])) for release in releases)] for name in names),
        [f"{WANTED} clean runs", *(_sum(list(passes[release].values()), len(names)) for release in releases)],
    ]
    return "".join("| " + " | ".join(row) + " |\n" for row in rows)


def with_table(document: str, passes: Passes) -> str:
    before, begin, rest = document.partition(_BEGIN)
    _, end, after = rest.partition(_END)
    if not (begin and end):
        raise ValueError(f"no lines {_BEGIN.strip()} and {_END.strip()}")
    return f"{before}{begin}\n{table(passes)}\n{end}{after}"


def record(runs: Sequence[tuple[str, str, Run]]) -> None:
    """runs: of a release and a scenario."""
    passes = read()
    for release, scenario, run in runs:
        add(passes, release, scenario, run)
    DATA.write_text(text_of(passes), encoding="utf-8")
    DOCUMENT.write_text(with_table(DOCUMENT.read_text(encoding="utf-8"), passes), encoding="utf-8")


def _in_order(passes: Passes) -> list[str]:
    return sorted(passes, key=lambda release: [int(number) for number in release.split(".")])


def _clean(runs: Sequence[Run]) -> int:
    """How many of the last ones, up to the newest, had no failure."""

    def last() -> Iterator[Run]:
        for run in reversed(runs):
            if run.failed:
                return
            yield run

    return sum(1 for _ in last())


def _cell(runs: Sequence[Run]) -> str:
    """The number of tests in the newest run, and of clean runs up to it; none: the release has no such thing."""
    if not runs:
        return ""
    newest = runs[-1]
    if newest.failed:
        return f"{newest.failed} of {newest.passed + newest.failed} failed"
    return f"{newest.passed} x{_clean(runs)}" if newest.passed else "none"


def _sum(scenarios: Sequence[Sequence[Run]], known: int) -> str:
    return f"{sum(_clean(runs) == WANTED for runs in scenarios)} of {known}"
