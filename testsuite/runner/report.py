# SPDX-License-Identifier: GPL-2.0-or-later
"""What the run says: progress, a table of times, the failures, the count; and JUnit's XML."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from .task import Outcome

_TAIL_LINES = 60
_SLOWEST = 40
# XML 1.0 has no other control characters.
_NOT_XML = re.compile(r"[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def tail(path: Path) -> str:
    text = path.read_text(encoding="utf-8", errors="replace")
    return "\n".join(text.splitlines()[-_TAIL_LINES:])


class Report:
    def __init__(self) -> None:
        self.outcomes: list[Outcome] = []

    @property
    def passed(self) -> int:
        return sum(outcome.passed for outcome in self.outcomes)

    @property
    def failed(self) -> int:
        return sum(outcome.failed for outcome in self.outcomes)

    @property
    def earlier(self) -> list[Outcome]:
        """Those that --continue did not run again."""
        return [outcome for outcome in self.outcomes if outcome.earlier]

    def add(self, outcome: Outcome, known: int) -> None:
        """Takes an outcome and says so; known: how many tasks are known by now."""
        self.outcomes.append(outcome)
        state = "before" if outcome.earlier else "ok" if outcome.good else "FAILED"
        counts = f"{outcome.passed} passed" + (f", {outcome.failed} failed" if outcome.failed else "")
        print(
            f"[{len(self.outcomes):3}/{known}] {state:6} {outcome.task.title:50} "
            f"{outcome.wall:6.1f} s, CPU {outcome.cpu:6.1f} s; {counts}",
            flush=True,
        )
        if not outcome.good:
            print(f"--- the end of {outcome.evidence}/output\n{tail(outcome.log)}\n---", flush=True)

    def seconds(self) -> dict[str, float]:
        """CPU seconds of each step."""
        result: dict[str, float] = {}
        for one in self.outcomes:
            result[one.task.step] = result.get(one.task.step, 0) + one.cpu
        return result

    def steps(self) -> None:
        """Times of each step, and of the programs that took longest."""
        print(f"\n{'wall s':>8} {'CPU s':>8}   step")
        for step in dict.fromkeys(outcome.task.step for outcome in self.outcomes):
            mine = [outcome for outcome in self.outcomes if outcome.task.step == step]
            wall, cpu = sum(one.wall for one in mine), sum(one.cpu for one in mine)
            counts = f"{sum(one.passed for one in mine)} passed, {sum(one.failed for one in mine)} failed"
            print(f"{wall:8.1f} {cpu:8.1f}   {step}: {counts}")
        print(f"\n{'wall s':>8} {'CPU s':>8}   the longest")
        for outcome in sorted(self.outcomes, key=lambda one: -one.wall)[:_SLOWEST]:
            print(f"{outcome.wall:8.1f} {outcome.cpu:8.1f}   {outcome.task.title}")

    def left_out(self) -> None:
        """Each test that a program has left out, once."""
        for line in dict.fromkeys(line for outcome in self.outcomes for line in outcome.left_out):
            print(line)

    def failures(self) -> None:
        """Each failed test, and where it has left what tells of it."""
        for outcome in self.outcomes:
            if not outcome.good:
                print(f"FAILED {outcome.task.title}: {outcome.words}\n       see {outcome.evidence}")

    def junit(self, path: Path) -> None:
        root = ElementTree.Element("testsuites")
        for step in dict.fromkeys(outcome.task.step for outcome in self.outcomes):
            mine = [outcome for outcome in self.outcomes if outcome.task.step == step]
            suite = ElementTree.SubElement(
                root,
                "testsuite",
                name=step,
                tests=str(len(mine)),
                failures=str(sum(not one.good for one in mine)),
                time=f"{sum(one.wall for one in mine):.3f}",
            )
            for one in mine:
                case = ElementTree.SubElement(
                    suite, "testcase", classname=step, name=one.task.name, time=f"{one.wall:.3f}"
                )
                if not one.good:
                    failure = ElementTree.SubElement(case, "failure", message=_xml(one.words))
                    failure.text = _xml(f"{one.evidence}\n{tail(one.log)}")
        ElementTree.ElementTree(root).write(path, encoding="utf-8", xml_declaration=True)


def _xml(text: str) -> str:
    return _NOT_XML.sub("?", text)
