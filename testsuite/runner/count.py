# SPDX-License-Identifier: GPL-2.0-or-later
"""Counts the single tests of a program by what it prints.

A program that says how many tests it ran (Criterion, Python's unittest, vector-check), or at how many
points something failed (test_faults.c), counts as that many; any other as one. A program that failed
without saying what counts as one failure, so nothing is lost.
"""

from __future__ import annotations

import re

CRITERION = re.compile(r"Tested: (\d+) \| Passing: (\d+) \| Failing: (\d+) \| Crashing: (\d+)")
UNITTEST = re.compile(r"^Ran (\d+) tests? in", re.MULTILINE)
UNITTEST_BAD = re.compile(r"(?:failures|errors)=(\d+)")
UNITTEST_SKIPPED = re.compile(r"skipped=(\d+)")
POINTS = re.compile(r"^(\d+) points of failure", re.MULTILINE)
PLAIN = re.compile(r"^(\d+) passed, (\d+) failed$", re.MULTILINE)
# As testsuite/scenarios/evidence.py says it.
LEFT_OUT = re.compile(r"^left out: .+$", re.MULTILINE)
ESCAPES = re.compile(r"\x1b\[[0-9;]*m")
# Criterion's and unittest's ways to say which test failed.
NAMES = re.compile(r"^(?:\[FAIL\] (\S+?):? |(?:FAIL|ERROR): (.+)$)", re.MULTILINE)


def count(output: str, good: bool) -> tuple[int, int]:
    """How many passed, and how many failed."""
    output = ESCAPES.sub("", output)
    passed, failed = int(good), 0
    if match := CRITERION.search(output):
        passed, failed = int(match[2]), int(match[3]) + int(match[4])
        if good and (points := POINTS.search(output)):
            passed = int(points[1])
    elif match := UNITTEST.search(output):
        failed = sum(int(number) for number in UNITTEST_BAD.findall(output))
        skipped = sum(int(number) for number in UNITTEST_SKIPPED.findall(output))
        passed = int(match[1]) - failed - skipped
    elif match := PLAIN.search(output):
        passed, failed = int(match[1]), int(match[2])
    return max(passed, 0), failed if good else max(failed, 1)


def failed_names(output: str) -> list[str]:
    """The names of the tests that failed, as far as the program says them."""
    found = (match[1] or match[2] for match in NAMES.finditer(ESCAPES.sub("", output)))
    return list(dict.fromkeys(found))


def left_out(output: str) -> list[str]:
    """Which tests were left out, and why, a line each."""
    return LEFT_OUT.findall(ESCAPES.sub("", output))
