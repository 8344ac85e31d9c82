#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Counts the single tests of a meson test run: `count.py testlog.json` prints "PASSED FAILED".

A program of the run that says how many tests it ran (Criterion, Python's unittest, vector-check) counts as that many;
any other as one. A program that failed without saying what counts as one failure, so nothing is lost.
"""

import json
import re
import sys

CRITERION = re.compile(r"Tested: (\d+) \| Passing: (\d+) \| Failing: (\d+) \| Crashing: (\d+)")
UNITTEST = re.compile(r"^Ran (\d+) tests? in", re.MULTILINE)
UNITTEST_BAD = re.compile(r"(?:failures|errors)=(\d+)")
PLAIN = re.compile(r"^(\d+) passed, (\d+) failed$", re.MULTILINE)
ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


def count(test: dict) -> tuple[int, int]:
    output = ESCAPES.sub("", test.get("stdout", "") + "\n" + test.get("stderr", ""))
    good = test["result"] in ("OK", "EXPECTEDFAIL")
    passed, failed = int(good), 0
    if match := CRITERION.search(output):
        passed, failed = int(match[2]), int(match[3]) + int(match[4])
    elif match := UNITTEST.search(output):
        failed = sum(int(number) for number in UNITTEST_BAD.findall(output))
        passed = int(match[1]) - failed
    elif match := PLAIN.search(output):
        passed, failed = int(match[1]), int(match[2])
    return passed, failed if good else max(failed, 1)


def main() -> None:
    passed = failed = 0
    with open(sys.argv[1], encoding="utf-8") as log:
        for line in log:
            good, bad = count(json.loads(line))
            passed += good
            failed += bad
    if not passed and not failed:
        failed = 1  # a run of no tests is no success
    print(passed, failed)


if __name__ == "__main__":
    main()
