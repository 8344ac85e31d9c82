# SPDX-License-Identifier: GPL-2.0-or-later
"""Counts the single tests of a program.

pytest writes what became of each (JUnit's XML). Of others it is what they print: a program that says how
many tests it ran (Criterion, vector-check), or at how many points something failed (test_faults.c), counts
as that many; any other as one. A program that failed without saying what counts as one failure, so nothing
is lost.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path
from typing import NamedTuple

CRITERION = re.compile(r"Tested: (\d+) \| Passing: (\d+) \| Failing: (\d+) \| Crashing: (\d+)")
POINTS = re.compile(r"^(\d+) points of failure", re.MULTILINE)
PLAIN = re.compile(r"^(\d+) passed, (\d+) failed$", re.MULTILINE)
ESCAPES = re.compile(r"\x1b\[[0-9;]*m")
CRITERION_FAILED = re.compile(r"^\[FAIL\] (\S+?):? ", re.MULTILINE)


class Count(NamedTuple):
    passed: int
    failed: int
    failures: list[str] = []  # their names, as far as the program says them
    left_out: list[str] = []  # lines on tests that it did not run, and why


def count(output: str, junit: Path, good: bool) -> Count:
    """good: how the program ended. junit: is not there if it was killed, or is not pytest."""
    try:
        found = _of_junit(ElementTree.parse(junit).getroot())
    except (OSError, ElementTree.ParseError):
        found = _of_output(ESCAPES.sub("", output), good)
    return found._replace(failed=found.failed if good else max(found.failed, 1))


def _of_junit(root: ElementTree.Element) -> Count:
    passed, failures, skipped = 0, [], Counter[tuple[str, str]]()
    for case in root.iter("testcase"):
        where = case.get("classname", "").removeprefix("testsuite.").removeprefix("scenarios.")
        if (skip := case.find("skipped")) is not None:
            skipped[where, skip.get("message", "")] += 1
        elif case.find("failure") is not None or case.find("error") is not None:
            failures.append(f"{where}.{case.get('name')}".lstrip("."))
        else:
            passed += 1
    left_out = [f"left out: {number} of {where}: {why}" for (where, why), number in skipped.items()]
    return Count(passed, len(failures), failures, left_out)


def _of_output(output: str, good: bool) -> Count:
    passed, failed = int(good), 0
    if match := CRITERION.search(output):
        passed, failed = int(match[2]), int(match[3]) + int(match[4])
        if good and (points := POINTS.search(output)):
            passed = int(points[1])
    elif match := PLAIN.search(output):
        passed, failed = int(match[1]), int(match[2])
    return Count(passed, failed, list(dict.fromkeys(CRITERION_FAILED.findall(output))))
