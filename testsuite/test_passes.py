# SPDX-License-Identifier: GPL-2.0-or-later
"""The table of what has passed on other releases, and its data."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from runner import cli, passes, steps
from runner.passes import Passes, Run
from runner.release import Release
from runner.task import Outcome, Task

TESTS = [Run("2026-11-30", f"{number:08x}", 7, 0) for number in range(5)]
FAILED = Run("2026-11-30", "0badc0de", 5, 2)


def of(*runs: Run) -> Passes:
    result: Passes = {}
    for run in runs:
        passes.add(result, "25.05.8", "smoke", run)
    return result


def test_the_document_has_the_table_of_the_data() -> None:
    document = passes.DOCUMENT.read_text(encoding="utf-8")
    assert passes.with_table(document, passes.read()) == document


def test_the_data_is_as_it_is_written() -> None:
    assert passes.text_of(passes.read()) == passes.DATA.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("runs", "cell"),
    [
        ((TESTS[0],), "7 x1"),
        (TESTS, "7 x3"),  # more are not kept
        ((*TESTS, FAILED), "2 of 7 failed"),
        ((FAILED, TESTS[0]), "7 x1"),
        ((TESTS[0], FAILED, *TESTS[1:3]), "7 x2"),
        ((Run("2026-11-30", "00000000", 0, 0),), "none"),
    ],
)
def test_a_cell_tells_of_the_newest_and_of_those_before(runs: tuple[Run, ...], cell: str) -> None:
    assert f"| smoke | {cell} |" in passes.table(of(*runs))


def test_the_last_row_counts_scenarios_with_three_clean_runs() -> None:
    data = of(*TESTS)
    passes.add(data, "25.05.8", "state", TESTS[0])
    passes.add(data, "24.11.5", "state", FAILED)
    assert passes.table(data).splitlines()[-1] == "| 3 clean runs | 0 of 2 | 1 of 2 |"
    assert passes.table(data).splitlines()[0] == "| scenario | 24.11.5 | 25.05.8 |"


def test_a_document_without_the_lines_of_the_table_is_not_written() -> None:
    with pytest.raises(ValueError, match="no lines"):
        passes.with_table("nothing\n", of(*TESTS))


def test_only_scenarios_that_have_run_are_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DATA", "DOCUMENT"):
        monkeypatch.setattr(passes, name, Path(shutil.copy(getattr(passes, name), tmp_path)))
    passes.DATA.write_text(passes.text_of(of(TESTS[0])), encoding="utf-8")

    def outcome(step: str, name: str, earlier: bool = False) -> Outcome:
        return Outcome(Task(step, name, []), True, 9, 0, 1.0, 1.0, Path(), "", earlier=earlier)

    cli._record(
        [Release("25.05.8", "")],
        [
            outcome("build for Slurm 25.05.8", "build for Slurm 25.05.8"),
            outcome("Slurm 25.05.8", "smoke"),
            outcome("Slurm 25.05.8", steps.CHECKS[0]),
            outcome("Slurm 25.05.8", "state", earlier=True),
            outcome("Slurm 24.11.5", "smoke"),
        ],
    )
    (recorded,) = passes.read()["25.05.8"].values()
    assert [run.passed for run in recorded] == [7, 9]
    assert "| smoke | 9 x2 |" in passes.DOCUMENT.read_text(encoding="utf-8")
