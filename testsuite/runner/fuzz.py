# SPDX-License-Identifier: GPL-2.0-or-later
"""The fuzzers, side by side for a time that they share: what they have found, and what they have learnt."""

from __future__ import annotations

import math
import os
import re
import subprocess
import sys
from pathlib import Path

import surroundings

from .release import UNPROVEN
from .report import Report
from .schedule import Schedule
from .task import Outcome, Task

BUILD = Path("build-fuzz")
SOURCES = Path("testsuite", "fuzz")
LEARNT = BUILD / "corpus"  # what each has found so far; what is worth it goes to testsuite/fuzz/corpus by hand
MOST_INPUTS = 64  # of a target in testsuite/fuzz/corpus: `testsuite/run fuzz` makes the others again
GRACE_SECONDS = 300  # for a last run, and to minimise

# A run of these takes so long that libFuzzer's own bookkeeping must not, and inputs are short.
_COMMANDS = ("check", "fs", "queue", "requests", "showconfig")
_STATISTIC = re.compile(r"^stat::(\w+):\s+(\d+)$", re.MULTILINE)


def _targets() -> list[str]:
    return sorted(source.stem.removeprefix("fuzz_") for source in SOURCES.glob("fuzz_*.c"))


def _chosen(names: list[str]) -> list[str]:
    targets = _targets()
    if unknown := [name for name in names if name not in targets]:
        sys.exit(f"testsuite/run: no fuzz target '{unknown[0]}'; there are: {' '.join(targets)}")
    return names or targets


def _build() -> None:
    environment = os.environ | surroundings.for_builds()
    if not (BUILD / "build.ninja").exists():
        setup = ["meson", "setup", str(BUILD), "--native-file", "slurm-build/fuzz.ini", UNPROVEN]
        subprocess.run(setup, check=True, env=environment)
    compilation = ["meson", "compile", "-C", str(BUILD), "fuzzers"]
    subprocess.run(compilation, check=True, env=environment)


def _program(target: str) -> str:
    return str(BUILD / "testsuite" / "fuzz" / f"fuzz_{target}")


def _run(target: str, seconds: int, found: Path) -> Task:
    """A target's share; what it has learnt is minimised behind it."""
    learnt, given = LEARNT / target, SOURCES / "corpus" / target
    learnt.mkdir(parents=True, exist_ok=True)
    size = ("-max_len=1500", "-entropic=0") if target in _COMMANDS else ("-max_len=4096",)
    return Task(
        "fuzz",
        target,
        [
            _program(target),
            f"-dict={BUILD}/testsuite/fuzz/config.dict",
            *size,
            "-timeout=30",
            "-print_final_stats=1",
            f"-artifact_prefix={found}/{target}-",
            f"-max_total_time={seconds}",
            str(learnt),
            str(given),
        ],
        timeout=seconds + GRACE_SECONDS,
        then=lambda: [_minimise(target, learnt, given)],
    )


def _minimise(target: str, learnt: Path, given: Path) -> Task:
    """Only what reaches something that nothing else does stays, and of two the smaller one."""
    script = (
        'set -e; rm -rf "$2.new"; mkdir "$2.new"; "$1" -merge=1 "$2.new" "$3" "$2"; '
        'rm -rf "$2"; mv "$2.new" "$2"'
    )
    command = ["bash", "-c", script, "bash", _program(target), str(learnt), str(given)]
    return Task("minimise", target, command, timeout=GRACE_SECONDS)


def _row(outcome: Outcome) -> str:
    text = outcome.log.read_text(encoding="utf-8", errors="replace")
    numbers = {name: int(number) for name, number in _STATISTIC.findall(text)}
    runs = numbers.get("number_of_executed_units", 0)
    kept = len(list((LEARNT / outcome.task.name).iterdir()))
    rate = round(runs / outcome.wall) if outcome.wall else 0
    new = numbers.get("new_units_added", 0)
    return f"{runs:12,} {rate:9,} {new:6,} {kept:6,}   {outcome.task.name}"


def _inputs(found: Path) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for path in found.iterdir()}


def run(names: list[str], seconds: int, cores: int, directory: Path) -> int:
    """Each target has the same share of the seconds, as many side by side as there are cores."""
    _build()
    targets = _chosen(names)
    share = max(1, math.floor(seconds * min(cores, len(targets)) / len(targets)))
    found = directory / "fuzz"
    found.mkdir(parents=True, exist_ok=True)
    before = _inputs(found)
    report = Report()
    schedule = Schedule(directory, cores, 0, lambda outcome: report.add(outcome, schedule.known))
    schedule.add(_run(target, share, found) for target in targets)
    schedule.run()
    runs = [one for one in report.outcomes if one.task.step == "fuzz"]
    print(f"\n{share} seconds each, {cores} side by side\n{'runs':>12} {'runs/s':>9} {'new':>6} {'kept':>6}")
    for outcome in runs:
        print(_row(outcome))
    report.junit(directory / "junit.xml")
    report.failures()
    for path, changed in sorted(_inputs(found).items()):
        if before.get(path) != changed:
            print(f"input: {path}")
    print(f"{report.passed} passed, {report.failed} failed")
    return int(report.failed > 0)
