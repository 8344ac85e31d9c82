# SPDX-License-Identifier: GPL-2.0-or-later
"""Every schema that the command prints has its section in contribs/doc."""

import pathlib
import re

import cli_harness as harness

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENTS = ROOT / "contribs/doc"


def _printed():
    """maui.NAME/1, as the sources of the command have them."""
    found = set()
    for source in (ROOT / "contribs/maui").rglob("*.[ch]"):
        found |= set(re.findall(r'"(maui\.[a-z-]+/\d+)"', source.read_text(encoding="utf-8")))
    return found - {"maui.request/1", "maui.answer/1"}


def _documented():
    """A section of its own, or that of the request whose answer is printed as it is."""
    found = set(re.findall(r"^# .*: (maui\.queue/\d+)$", (DOCUMENTS / "queue.md").read_text(), re.MULTILINE))
    found |= set(re.findall(r"^## (maui\.[a-z-]+/\d+)$", (DOCUMENTS / "json.md").read_text(), re.MULTILINE))
    for line in re.findall(r"^### (.*)$", (DOCUMENTS / "service.md").read_text(), re.MULTILINE):
        found |= {f"maui.{name}/1" for name in re.findall(r"`([a-z-]+)`", line)}
    return found


def test_every_schema_is_documented():
    printed = _printed()
    if len(printed) < 30:
        raise harness.Failure(f"only {len(printed)} schemas were found in the sources")
    missing = printed - _documented()
    if missing:
        raise harness.Failure(f"no document has {', '.join(sorted(missing))}")


def test_no_section_is_of_a_schema_that_nobody_prints():
    sections = set(re.findall(r"^## (maui\.[a-z-]+/\d+)$", (DOCUMENTS / "json.md").read_text(), re.MULTILINE))
    if sections - _printed():
        raise harness.Failure(f"nobody prints {', '.join(sorted(sections - _printed()))}")
