#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Does every variable of the engine say who guards it, and does clang-tidy hold that against its users?

A static variable of plugins/engine is guarded by a mutex (runtime/lock.h), which clang checks, or is
constant, atomic or what threads wait with; any other has a comment, above it or behind it, that names
the lock or the thread. Variables without a blank line between them have one comment; one in a function
has its own, behind it.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ENGINE = ROOT / "plugins/engine"

FREE = re.compile(r"static (?:const [^*]*$|.*\*const |atomic_|pthread_cond_t |struct mutex )")
NAMED = re.compile(r"/\*[^/]*(?:\b(?:thread|locks?)\b|Never changed)")


def unsaid(text: str) -> Iterator[str]:
    """The variables of a file of which nobody knows who guards them, each by its first line."""
    for block in re.split(r"\n\s*\n", text):
        for line in block.splitlines():
            head, *rest = re.split(r"[{=;]", line.removeprefix("\t"))
            # no rest: the type of a function, which stands in the next line
            if not head.startswith("static ") or "(" in head or not rest or FREE.match(head):
                continue
            if not NAMED.search(line if line.startswith("\t") else block):
                yield line


# Each line with the word `fault` in it, and no other, has to be refused.
PLANTED = """
#include "plugins/engine/runtime/lock.h"

ENGINE_GUARDED static int number;
ENGINE_GUARDED static struct { int *list; } many;
static struct mutex own = {PTHREAD_MUTEX_INITIALIZER};
GUARDED_BY(own) static struct { int count; } its;

ENGINE_LOCKED static int with_it(void)
{
	GUARDED_BY(own) static int told;

	told++; /* fault */
	return number;
}

LOCKED_BY(own) static int with_own(void)
{
	many.list[0] = 1; /* fault */
	return its.count;
}

int without(int add);
int without(int add)
{
	number += add; /* fault */
	many.list[0] = add; /* fault */
	its.count = add; /* fault */
	with_own(); /* fault */
	return with_it(); /* fault */
}

int with_both(void);
int with_both(void)
{
	int sum;

	engine_lock();
	mutex_lock(&own);
	sum = with_it() + with_own() + its.count;
	mutex_unlock(&own);
	sum += many.list[0];
	engine_unlock();
	return sum + number; /* fault */
}

int called_by_pointer(void);
int called_by_pointer(void)
{
	engine_assert_locked();
	return with_it() + its.count; /* fault */
}

int forgets(int add);
int forgets(int add)
{
	mutex_lock(&own);
	if (add)
		mutex_unlock(&own);
	return add; /* fault */
}

LOCK_NOT_FOLLOWED int of_its_own_thread(void);
LOCK_NOT_FOLLOWED int of_its_own_thread(void)
{
	return number;
}
"""


def refused(code: str, *options: str) -> set[int]:
    """The lines that clang-tidy refuses for their locks, with the settings of the repository."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "planted.c"
        path.write_text(code, encoding="utf-8")
        done = subprocess.run(
            ["clang-tidy", "--quiet", f"--config-file={ROOT / '.clang-tidy'}", str(path), "--",
             f"-I{ROOT}", "-D_GNU_SOURCE", *options],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False,
        )
    return {
        int(found[1]) for found in re.finditer(
            r"planted\.c:(\d+):.*error:.*\[clang-diagnostic-thread-safety", done.stdout
        )
    }


class GuardsTest(unittest.TestCase):
    def test_every_variable_says_who_guards_it(self) -> None:
        files = sorted(ENGINE.rglob("*.c"))
        self.assertTrue(files)
        said = [
            f"{path.relative_to(ROOT)}: {line}: who guards it?"
            for path in files
            for line in unsaid(path.read_text(encoding="utf-8"))
        ]
        self.assertEqual(said, [])

    def test_a_planted_variable_is_found(self) -> None:
        for text in (
            "static int a;",
            "static struct {\n\tint b;\n} a;",
            "static struct a *b = NULL;",
            "/* How many there are. */\nstatic int a;",
            "static int b; /* The engine's thread alone. */\n\nstatic int a;",
            "ENGINE_GUARDED static int b;\nstatic int a;",
            "#define A 1\nstatic int a[A];",
            "static const char *a;",
            "/* Its lock. */\nvoid b(void)\n{\n\tstatic bool a;\n}",
        ):
            self.assertEqual(len(list(unsaid(f"int c;\n\n{text}\n"))), 1, text)

    def test_what_is_said_is_seen(self) -> None:
        for text in (
            "ENGINE_GUARDED static int a;",
            "GUARDED_BY(b) static struct {\n\tint b;\n} a;",
            "/* The engine's thread\n * alone. */\nstatic int a;\nstatic int b;",
            "static int a; /* Slurm's job write lock guards it */",
            "static const int a[] = {1};",
            "static const char *const a[] = {1};",
            "static atomic_bool a;",
            "void b(void)\n{\n\tstatic bool a; /* the engine's thread alone */\n}",
            "static int a(int b)\n{\n\treturn b;\n}",
            "ENGINE_LOCKED static struct a *b(void)\n{\n\treturn NULL;\n}",
        ):
            self.assertEqual(list(unsaid(f"int c;\n\n{text}\n")), [], text)

    def test_planted_accesses_are_refused(self) -> None:
        lines = PLANTED.splitlines()
        faults = {number for number, line in enumerate(lines, 1) if "/* fault */" in line}
        for options in ((), ("-DNDEBUG",)):
            self.assertEqual(refused(PLANTED, *options), faults, options)


if __name__ == "__main__":
    sys.exit(unittest.main())
