# SPDX-License-Identifier: GPL-2.0-or-later
"""tidy.py [--whole] [FILE...]: clang-tidy on every source file that has changed since it passed.

By default the files of common, plugins and contribs. What a file is to clang-tidy is its text after
the preprocessor, the command that compiles it, and clang-tidy's own version and settings; of each that
passed the hash is kept in build/tidy/. So nothing is left unseen, and a first run sees all.

The analyzer has nine tenths of the time. A file that is seen for the first time it looks at without
following most calls; one that has changed since, and with --whole every one, to its full depth.
"""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

BUILD = Path("build")
STAMPS = BUILD / "tidy"
FOLDERS = ("common/*.c", "plugins/*.c", "contribs/*.c")
SHALLOW = [
    f"--extra-arg={word}" for word in ("-Xclang", "-analyzer-config", "-Xclang", "mode=shallow")
]


def output_of(*command: str) -> str:
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def commands() -> dict[str, list[str]]:
    """How each file is compiled; of one that is compiled twice the first, as clang-tidy has it."""
    entries = json.loads((BUILD / "compile_commands.json").read_text(encoding="utf-8"))
    found: dict[str, list[str]] = {}
    for entry in entries:
        name = os.path.relpath(os.path.join(entry["directory"], entry["file"]))
        found.setdefault(name, shlex.split(entry["command"]))
    return found


class Tidy:
    def __init__(self, whole: bool) -> None:
        self._whole = whole
        self._commands = commands()
        settings = output_of("clang-tidy", "--version") + Path(".clang-tidy").read_text("utf-8")
        self._settings = settings.encode()

    def compiles(self, name: str) -> bool:
        return name in self._commands

    def _hash(self, name: str) -> str | None:
        """None if it is not known how it is compiled."""
        command = self._commands.get(name)
        if command is None:
            return None
        at = command.index("-o")
        words = [*command[:at], *command[at + 2 :]]
        # As clang sees it, to whom the attributes of locks are not empty. Comments stay: NOLINT is one.
        preprocess = ["clang", *words[1 + (words[0] == "ccache") :], "-w", "-E", "-CC", "-MF", "/dev/null"]
        done = subprocess.run(preprocess, cwd=BUILD, capture_output=True, check=False)
        if done.returncode != 0:
            return None
        text = b"\0".join((self._settings, " ".join(command).encode(), done.stdout))
        return hashlib.sha256(text).hexdigest()

    def check(self, name: str) -> tuple[str, bool, bool]:
        """Its output, whether it is good, and whether it had to be looked at."""
        stamp = STAMPS / name.replace("/", "%")
        now = self._hash(name)
        if now and not self._whole and stamp.exists() and stamp.read_text("ascii") == now:
            return "", True, False
        depth = [] if self._whole or stamp.exists() else SHALLOW
        done = subprocess.run(
            ["clang-tidy", "--quiet", "-p", str(BUILD), *depth, name],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # how many warnings it has suppressed
            text=True,
            check=False,
        )
        if done.returncode == 0 and now:
            stamp.write_text(now, encoding="ascii")
        return done.stdout, done.returncode == 0, True


def main() -> int:
    whole = "--whole" in sys.argv[1:]
    named = [name for name in sys.argv[1:] if name != "--whole"]
    files = named or output_of("git", "ls-files", "--", *FOLDERS).splitlines()
    STAMPS.mkdir(exist_ok=True)
    tidy = Tidy(whole)
    # One of two that stand for each other: what its command would be nobody knows.
    for name in [name for name in files if not tidy.compiles(name)]:
        print(f"{name}: not compiled in this build, not looked at")
        files.remove(name)
    bad = looked = 0
    # The largest first, so that none is left for one processor at the end.
    files.sort(key=lambda name: -os.path.getsize(name))
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for text, good, seen in pool.map(tidy.check, files):
            looked += seen
            bad += not good
            if not good:
                print(text, flush=True)
    print(f"{looked} files looked at, {len(files) - looked} as they were when they passed")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
