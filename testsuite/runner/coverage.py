# SPDX-License-Identifier: GPL-2.0-or-later
"""Which lines the tests have run, by folder: those of unit tests, vectors and the command's tests in one column,
those of scenarios in the other. Each is measured by itself and kept until it is measured anew."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import surroundings

from . import steps
from .release import UNPROVEN
from .report import Report
from .schedule import Schedule
from .task import Task

BUILD = "build-coverage"
_FOLDERS = ("common/", "contribs/maui/", "plugins/")  # what is installed
_SUITES = ("unit", "vectors", "cli")  # corpora and benchmarks run lines, and assert little
_KINDS = ("unit", "scenarios")
_HOLES = 10
_FUNCTIONS = 4  # of a hole, that are named


class File(NamedTuple):
    """What one kind of tests has run of a file."""

    code: frozenset[int]
    run: frozenset[int]
    functions: Mapping[int, str]  # by the line where they begin


def run(names: list[str], side_by_side: int, directory: Path) -> int:
    if names and names[0] != "scenarios":
        sys.exit(f"testsuite/run: coverage of what? '{names[0]}' is not 'scenarios'")
    kind = "scenarios" if names else "unit"
    _build()
    _forget()
    report = Report()
    schedule = Schedule(
        directory,
        steps.CORES,
        side_by_side,
        lambda outcome: report.add(outcome, schedule.known),
    )
    schedule.add(_scenarios(names[1:]) if names else steps.units("coverage", BUILD, *_SUITES))
    schedule.run()
    _collect(kind)
    found = {kind: files for kind in _KINDS if (files := _read(kind))}
    _print_folders(found)
    _print_holes(found)
    report.failures()
    print(f"{report.passed} passed, {report.failed} failed")
    return int(report.failed > 0 or report.passed == 0)


def _build() -> None:
    # Without optimization, so that each line has instructions of its own. Threads count the same
    # lines: a counter that is not atomic may end below 0, which gcovr takes for damage.
    options = f"-Db_coverage=true -Dbuildtype=debug -Dc_args=-fprofile-update=atomic {UNPROVEN}"
    setup = f"meson setup {BUILD} {options}"
    environment = os.environ | surroundings.for_builds()
    words = ["bash", "-c", f"[ -e {BUILD}/build.ninja ] || {setup}"]
    subprocess.run(words, check=True, env=environment)
    subprocess.run(["meson", "compile", "-C", BUILD], check=True, env=environment)


def _forget() -> None:
    """Counters of an earlier run."""
    for path in Path(BUILD).rglob("*.gcda"):
        path.unlink()


def _scenarios(names: list[str]) -> Iterable[Task]:
    return (steps.scenario("coverage", test, BUILD) for test in steps.chosen(names, BUILD))


def _result(kind: str) -> Path:
    return Path(BUILD, f"coverage-{kind}.json")


def _collect(kind: str) -> None:
    filters = (f"--filter={folder}" for folder in _FOLDERS)
    command = ["gcovr", "--root=.", f"--object-directory={BUILD}", *filters, BUILD]
    subprocess.run([*command, "--json", str(_result(kind))], check=True)


def _read(kind: str) -> dict[str, File]:
    """By the name of the file; nothing if it was never measured, or before a file was changed: lines have moved."""
    try:
        files = json.loads(_result(kind).read_text(encoding="utf-8"))["files"]
    except FileNotFoundError:
        return {}
    changed = [file["file"] for file in files if _is_newer(Path(file["file"]), _result(kind))]
    if changed:
        print(f"\n{kind}: not shown, {len(changed)} files have changed since, such as {changed[0]}")
        return {}
    return {file["file"]: _file(file) for file in files}


def _is_newer(path: Path, result: Path) -> bool:
    return not path.exists() or path.stat().st_mtime > result.stat().st_mtime


def _file(file: Mapping[str, Any]) -> File:
    lines = [line for line in file["lines"] if not line.get("gcovr/noncode")]
    return File(
        frozenset(line["line_number"] for line in lines),
        frozenset(line["line_number"] for line in lines if line["count"]),
        {function["lineno"]: function["name"] for function in file["functions"]},
    )


def _names(kinds: Mapping[str, Mapping[str, File]]) -> list[str]:
    return sorted(set[str]().union(*kinds.values()))


def _code(kinds: Mapping[str, Mapping[str, File]], name: str) -> frozenset[int]:
    return frozenset[int]().union(*(files[name].code for files in kinds.values() if name in files))


def _run(kinds: Mapping[str, Mapping[str, File]], name: str) -> frozenset[int]:
    return frozenset[int]().union(*(files[name].run for files in kinds.values() if name in files))


def _print_folders(kinds: Mapping[str, Mapping[str, File]]) -> None:
    folders: dict[str, list[str]] = defaultdict(list)
    for name in _names(kinds):
        folders[os.path.dirname(name)].append(name)
    heads = "".join(f"{kind:>11}" for kind in (*_KINDS, "either"))
    print(f"\n{'lines':>7}{heads}   folder")
    for folder, names in (*folders.items(), ("all", _names(kinds))):
        lines = sum(len(_code(kinds, name)) for name in names)
        columns = [{kind: kinds[kind]} if kind in kinds else {} for kind in _KINDS]
        shares = "".join(_share(column, names, lines) for column in (*columns, kinds))
        print(f"{lines:7}{shares}   {folder}")


def _share(kinds: Mapping[str, Mapping[str, File]], names: list[str], lines: int) -> str:
    if not kinds:
        return f"{'-':>11}"
    return f"{100 * sum(len(_run(kinds, name)) for name in names) / max(lines, 1):10.1f}%"


def _print_holes(kinds: Mapping[str, Mapping[str, File]]) -> None:
    missed = {name: _code(kinds, name) - _run(kinds, name) for name in _names(kinds)}
    print(f"\nmost lines that were run by no test ({', '.join(kinds)}):")
    for name in sorted(missed, key=lambda name: -len(missed[name]))[:_HOLES]:
        functions: dict[int, str] = {}
        for files in kinds.values():
            functions |= files[name].functions if name in files else {}
        print(f"{len(missed[name]):7}   {name}: {_words(missed[name], functions)}")


def _words(missed: Iterable[int], functions: Mapping[int, str]) -> str:
    """The functions that have most of them, with how many."""
    begins = sorted(functions)
    lines = Counter(functions[begins[max(bisect_right(begins, line) - 1, 0)]] for line in missed)
    text = ", ".join(f"{name} {count}" for name, count in lines.most_common(_FUNCTIONS))
    return text + (", ..." if len(lines) > _FUNCTIONS else "")
