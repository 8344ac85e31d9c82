# SPDX-License-Identifier: GPL-2.0-or-later
"""The form of the sources: clang-format's and shellcheck's."""

from __future__ import annotations

import subprocess

import pytest

from built_for import ROOT
from runner.steps import CLANG, other_version


def run(command: str) -> None:
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
    )
    if done.returncode:
        pytest.fail(f"status {done.returncode}\n{done.stdout}", pytrace=False)


def test_clang_format() -> None:
    if version := other_version("clang-format"):
        pytest.skip(f"clang-format is {version} here, and {CLANG} for this tree")
    run("git ls-files -z -- '*.c' '*.h' | xargs -0 clang-format --dry-run -Werror")


def test_shellcheck() -> None:
    run("git grep -lzE '^#!/bin/(ba)?sh' -- slurm-build contribs testsuite .ci | xargs -0 shellcheck")
