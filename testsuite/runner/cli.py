# SPDX-License-Identifier: GPL-2.0-or-later
"""The command line of testsuite/run."""

from __future__ import annotations

import argparse
import datetime
import signal
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType

import surroundings

from . import coverage, earlier, estimate, flakes, fuzz, packages, passes, release, steps
from .earlier import Earlier
from .report import Report
from .schedule import ENDING, Schedule
from .task import Outcome, Task

_DESCRIPTION = """\
Sets a fresh Debian 12 or 13 up (as root) and passes the tests: style, static analysis, unit tests, vectors,
the fuzzers' corpora and the command's golden tests, plain and under ASan and UBSan; the scenarios in
private clusters, and a soak of mixed operations with sanitizers in slurmctld.
The last line is `N passed, N failed`.
"""
_MORE = """\
STEP is one of: style tidy unit sanitize scenario (all by default), or
  long     all of them, with scenarios of a size that takes its time
  flakes   [NAME...] --times N --load N: scenarios again and again, all by default, with N busy loops
           beside them; says how often each failed
  coverage [scenarios [NAME...]]: which lines unit tests, vectors and the command's tests have run, or
           scenarios (all of them by default); a table of both by folder. Builds in build-coverage
  fuzz     [NAME...] --seconds N: the fuzzers, all by default, for N seconds in all: each has the same
           share, and one runs on each core. They are built first, and what they have learnt is
           minimised at the end, which is not counted. Prints runs, runs a second, new inputs, and those
           that are kept; an input that fails is left in build/testsuite-run/fuzz/
  faults   a life of the engine with each call in it that may fail, for each error that fits the call,
           and name services that do not answer; with --release on these releases of Slurm
  packages [NAME...]: the packages that slurm-build/package makes: what is in them, lintian, the same bits
           again, and their life in a fresh Debian. Installs what slurm-build/packages --test-packages names

A failure leaves its output, and of a scenario slurmctld's log and state, what maui status says, and
Slurm's view of jobs, nodes and reservations, below build/testsuite-run/failures/. Every program's output
is in build/testsuite-run/logs/, and build/testsuite-run/junit.xml has the result for other programs.
"""


class _Ended(BaseException):
    """Somebody wants the run to end: so does what runs, and its clusters with it."""


def _end(_number: int, _frame: FrameType | None) -> None:
    raise _Ended


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="testsuite/run",
        description=_DESCRIPTION,
        epilog=_MORE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="STEP")
    parser.add_argument(
        "--scenarios",
        type=int,
        default=3 * steps.CORES,
        metavar="N",
        help="how many run side by side (default: %(default)s, three for each core)",
    )
    parser.add_argument(
        "--output",
        type=Path,
        default=Path("build", "testsuite-run"),
        metavar="DIR",
        help="for logs, what failures leave, and junit.xml; default: %(default)s",
    )
    parser.add_argument(
        "--release",
        metavar="V",
        help="of scenario and faults: on these releases of Slurm (24.11.5,25.11.7; all), in build-releases/V. "
        "The words after `scenario` are then names of scenarios, all by default. slurm-build/prepare --list "
        "tells which releases there are",
    )
    parser.add_argument(
        "--record",
        action="store_true",
        help="of scenario --release: writes each scenario that has run into testsuite/passes.json, and the "
        "table of contribs/doc/releases.md",
    )
    parser.add_argument(
        "--turn",
        action="store_true",
        help="all scenarios on one other release of Slurm, too: another one each day of the year. What has "
        f"not begun within {steps.TURN_SECONDS // 60} minutes is left out.",
    )
    parser.add_argument(
        "--continue",
        dest="continues",
        action="store_true",
        help="do not run again what passed in the last run, with the same --output, if its inputs are the "
        "same: the commit, changes since, new files, command, variables and build directory. Each such "
        "program is printed as `before` and counted; builds run again",
    )
    parser.add_argument("--times", type=int, default=20, metavar="N", help="of flakes; default: 20")
    parser.add_argument("--seconds", type=int, default=600, metavar="N", help="of fuzz; default: 600")
    parser.add_argument("--load", type=int, default=0, metavar="N", help="of flakes; default: 0")
    return parser


def main() -> int:
    parser = _parser()
    options = parser.parse_intermixed_args()
    surroundings.adopt()
    for number in ENDING:
        signal.signal(number, _end)
    try:
        if options.names[:1] == ["flakes"]:
            return flakes.run(
                options.names[1:], options.times, options.load, options.scenarios, options.output
            )
        if options.names[:1] == ["coverage"]:
            return coverage.run(options.names[1:], options.scenarios, options.output)
        if options.names[:1] == ["fuzz"]:
            return fuzz.run(options.names[1:], options.seconds, steps.CORES, options.output)
        if options.names == ["faults"]:
            releases = release.chosen(options.release) if options.release else []
            return _carry_out(options, steps.faults(releases), list)
        if options.names[:1] == ["packages"]:
            return packages.run(options.names[1:], options.output)
        if options.release:
            if options.names[:1] != ["scenario"]:
                parser.error("--release is of `scenario` and `faults`")
            return _on_releases(options)
        if options.record:
            parser.error("--record is of `scenario --release`")
        if unknown := [name for name in options.names if name not in (*steps.STEPS, "long")]:
            known = " ".join((*steps.STEPS, "long", "flakes", "coverage", "fuzz", "faults", "packages"))
            parser.error(f"no step '{unknown[0]}'; there are: {known}")
        return _run(options)
    except _Ended:
        print("testsuite/run: ended", file=sys.stderr)
        return 130


def _run(options: argparse.Namespace) -> int:
    long = "long" in options.names
    wanted = [name for name in options.names if name != "long"] or steps.STEPS
    turn = release.in_turn(release.chosen("all"), datetime.date.today()) if options.turn else None
    versions = [one.version for one in release.chosen("all")] if "scenario" in wanted else []
    print(estimate.words(wanted, versions, options.output, steps.CORES), flush=True)
    plan = steps.Plan(tuple(wanted), long, turn)
    return _carry_out(options, plan.tasks(), plan.left_out)


def _on_releases(options: argparse.Namespace) -> int:
    """Scenarios, on other releases of Slurm than the one that is prepared."""
    names = options.names[1:]
    releases = release.chosen(options.release)
    report = Report()
    status = _carry_out(options, [steps.on(one, names) for one in releases], list, report)
    if options.record:
        _record(releases, report.outcomes)
    return status


def _record(releases: Sequence[release.Release], outcomes: Sequence[Outcome]) -> None:
    today, commit = datetime.date.today().isoformat(), earlier.commit()
    runs = [
        (one.version, outcome.task.name, passes.Run(today, commit, outcome.passed, outcome.failed))
        for one in releases
        for outcome in outcomes
        if steps.is_scenario_on(one, outcome.task) and not outcome.earlier
    ]
    passes.record(runs)


def _carry_out(
    options: argparse.Namespace,
    tasks: list[Task],
    last: Callable[[], list[str]],
    report: Report | None = None,
) -> int:
    report = report or Report()
    begun = time.monotonic()
    schedule = Schedule(
        options.output,
        steps.CORES,
        options.scenarios,
        lambda outcome: report.add(outcome, schedule.known),
        Earlier.of(options.output, options.continues),
    )
    schedule.add(tasks)
    schedule.run()
    report.steps()
    if not report.earlier and not report.failed and "long" not in options.names:
        estimate.keep(options.output, report.seconds())
    report.junit(options.output / "junit.xml")
    minutes, seconds = divmod(round(time.monotonic() - begun), 60)
    print(f"\nin {minutes}:{seconds:02} minutes; {options.output}/junit.xml has the same as XML")
    if schedule.left_out:
        print("left out for want of time: " + ", ".join(task.title for task in schedule.left_out))
    for line in last():
        print(line)
    report.left_out()
    report.failures()
    if before := report.earlier:
        tests = sum(one.passed for one in before)
        print(f"of those that passed, {tests} did so before, in {len(before)} programs not run again")
    print(f"{report.passed} passed, {report.failed} failed")
    return int(report.failed > 0 or report.passed == 0)
