#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Can names be searched for? No static function has a bare name, and no two .c files have one name.

A bare name is one word, such as add or judge, or a verb and `all`, such as free_all. The module's
word belongs into it: fsledger_add.
"""

from __future__ import annotations

import re
import tempfile
import unittest
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("common", "plugins", "contribs")

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
# Before a name: ENGINE_LOCKED(...), __attribute__((format(...)))
_MACRO = re.compile(r"\b[A-Z][A-Z0-9_]*\([^()\n]*\)|__attribute__\(\((?:[^()]|\([^()]*\))*\)\)\s*")
_STATIC = re.compile(r"^static\b[^;={}()#]*?\b([a-z_][a-z0-9_]*)\(", re.MULTILINE)
_BARE = re.compile(r"[a-z0-9]+(_all)?")


def bare_names(text: str) -> set[str]:
    """Static functions of a C file that no search finds."""
    plain = _MACRO.sub("", _COMMENT.sub("", text))
    return {name for name in _STATIC.findall(plain) if _BARE.fullmatch(name)}


def _files(root: Path, suffixes: Iterable[str]) -> list[Path]:
    return sorted(
        path for folder in FOLDERS for path in (root / folder).rglob("*") if path.suffix in suffixes
    )


def found(root: Path) -> set[str]:
    """A line for each bare name, PATH: NAME, and for each file name, PATH: PATH..."""
    lines = {
        f"{path.relative_to(root)}: {name}"
        for path in _files(root, (".c", ".h"))
        for name in bare_names(path.read_text(encoding="utf-8"))
    }
    by_name: dict[str, list[str]] = defaultdict(list)
    for path in _files(root, (".c",)):
        by_name[path.name].append(str(path.relative_to(root)))
    return lines | {
        f"{paths[0]}: {' '.join(paths[1:])}" for paths in by_name.values() if len(paths) > 1
    }


class Naming(unittest.TestCase):
    def test_names_are_searchable(self) -> None:
        self.assertFalse(found(ROOT), "put the module's word into these names, or rename a file")

    def test_each_fault_is_noticed(self) -> None:
        faults = {
            "static int add(int a)\n{\n}\n": {"add"},
            "static void free_all(void);\n": {"free_all"},
            "static inline const char *text(int a)\n": {"text"},
            "static ENGINE_LOCKED(lock) struct a *find(void)\n": {"find"},
            "__attribute__((format(printf, 1, 2))) static void tell(char *format, ...)\n": {"tell"},
            "static __attribute__((format(printf, 1, 2))) void\ntell(char *format, ...)\n": {"tell"},
            "static const struct a_long_name *\njudge(void)\n": {"judge"},
            "static int ledger_add(int a)\n{\n\tadd(a);\n}\n": set(),
            "int add(int a)\n": set(),
            "static int (*add)(int a);\n": set(),
            "static int table[] = {SIZE(1), 2};\n": set(),
            "/*\nstatic int add(int a)\n*/\n": set(),
        }
        for text, names in faults.items():
            with self.subTest(text):
                self.assertEqual(bare_names(text), names)

    def test_two_files_of_one_name_are_noticed(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            root = Path(name)
            for path in ("common/a.c", "common/a.h", "common/b.c", "plugins/a.c", "plugins/a.h"):
                (root / path).parent.mkdir(exist_ok=True)
                (root / path).touch()
            self.assertEqual(found(root), {"common/a.c: plugins/a.c"})


if __name__ == "__main__":
    unittest.main()
