# SPDX-License-Identifier: GPL-2.0-or-later
"""The packages of one Debian at a time."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parent))

OTHER = "test_trixie.py"  # which, when it is imported, makes all modules here look at another Debian


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    files = {item.path.name for item in items}
    if OTHER in files and len(files) > 1:
        raise pytest.UsageError(f"run {OTHER} alone, or the others: it is about the packages of another Debian")
