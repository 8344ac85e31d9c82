#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""No circle of modules, and no folder with more modules than one can look through.

A module is X.c with X.h; it needs those whose headers either of them includes. Modules that need each
other, directly or by others, are a circle: none of them can be understood or tested without the rest.
"""

from __future__ import annotations

import re
import tempfile
import unittest
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("common", "plugins", "contribs")
MOST = 25  # modules of a folder

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)\.h"', re.MULTILINE)

Modules = dict[str, set[str]]  # a module: those that it needs


def modules_of(root: Path) -> Modules:
    modules: Modules = {}
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.[ch]")):
            name = str(path.relative_to(root).with_suffix(""))
            needed = _INCLUDE.findall(path.read_text(encoding="utf-8"))
            modules.setdefault(name, set()).update(needed)
    return {name: {each for each in needed if each in modules and each != name}
            for name, needed in modules.items()}


def reached(modules: Modules, start: str) -> set[str]:
    """All that a module needs, directly or by others."""
    found: set[str] = set()
    ahead = [start]
    while ahead:
        for each in modules[ahead.pop()]:
            if each not in found:
                found.add(each)
                ahead.append(each)
    return found


def circles(modules: Modules) -> set[tuple[str, ...]]:
    reach = {name: reached(modules, name) for name in modules}
    return {tuple(sorted(each for each in reach[name] if name in reach[each]))
            for name in modules if name in reach[name]}


def one_idea(circle: tuple[str, ...]) -> bool:
    """X, and X_private.h for the other files of X."""
    return len(circle) == 2 and circle[1] == f"{circle[0]}_private"


def found(root: Path) -> set[str]:
    """A line for each circle, CIRCLE: MODULE..., and for each folder, FULL: FOLDER COUNT."""
    modules = modules_of(root)
    counts = Counter(str(Path(name).parent) for name in modules)
    return {
        f"CIRCLE: {' '.join(circle)}" for circle in circles(modules) if not one_idea(circle)
    } | {f"FULL: {folder} {count}" for folder, count in counts.items() if count > MOST}


class Circles(unittest.TestCase):
    def test_there_is_none(self) -> None:
        self.assertEqual(found(ROOT), set())

    def planted(self, files: dict[str, str]) -> set[str]:
        with tempfile.TemporaryDirectory() as name:
            root = Path(name)
            for path, text in files.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text, encoding="utf-8")
            return found(root)

    def test_a_planted_circle_is_found(self) -> None:
        self.assertEqual(self.planted({
            "common/a/one.h": "",
            "common/a/one.c": '#include <x.h>\n#include "common/a/two.h"\n',
            "common/a/two.h": '# include "common/b/three.h"\n',
            "common/b/three.h": "",
            "common/b/three.c": '#include "common/b/three.h"\n#include "common/a/one.h"\n',
            "plugins/four.c": '#include "common/a/one.h"\n',
        }), {"CIRCLE: common/a/one common/a/two common/b/three"})

    def test_two_circles_are_two_lines(self) -> None:
        self.assertEqual(self.planted({
            "common/a.h": '#include "common/b.h"\n#include "common/c.h"\n',
            "common/b.c": '#include "common/a.h"\n',
            "common/b.h": "",
            "common/c.h": '#include "common/d.h"\n',
            "common/d.h": "",
            "common/d.c": '#include "common/c.h"\n',
        }), {"CIRCLE: common/a common/b", "CIRCLE: common/c common/d"})

    def test_a_module_and_its_private_header_are_one_idea(self) -> None:
        files = {
            "common/a.h": "",
            "common/a.c": '#include "common/a_private.h"\n',
            "common/a_private.h": '#include "common/a.h"\n',
        }
        self.assertEqual(self.planted(files), set())
        files |= {"common/b.h": '#include "common/a_private.h"\n'}
        files["common/a.c"] += '#include "common/b.h"\n'
        self.assertEqual(self.planted(files), {"CIRCLE: common/a common/a_private common/b"})

    def test_a_planted_full_folder_is_found(self) -> None:
        files = {f"common/a/m{i}.c": "" for i in range(MOST)} | {"common/a/m1.h": ""}
        self.assertEqual(self.planted(files), set())
        self.assertEqual(self.planted(files | {"common/a/more.h": ""}), {f"FULL: common/a {MOST + 1}"})


if __name__ == "__main__":
    unittest.main()
