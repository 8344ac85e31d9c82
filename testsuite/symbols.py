#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Are our plugins what this slurmctld asks for, and has it all that they ask for?

    symbols.py SLURMCTLD PLUGINDIR PLUGIN...

The names of the calls that Slurm looks up in a plugin are texts in its own programs, so that no
list here can be another release's: a plugin has to have each of them, and no call that is not
looked up. And what a plugin takes from outside is in slurmctld, in Slurm's library or in one that
the plugin is linked to. That is so for its weak references, too: one to what a release does not have
is a NULL, which nothing tells before it is followed.

And where Slurm has its locks when it calls a plugin, that one does not take them, too.

What PLUGIN is its name tells (select_cons_tres.so); a lib*.so only takes.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

CALLS = {
    "select": rb"select_p_\w+",
    "priority": rb"priority_p_\w+",
    "preempt": rb"preempt_p_\w+",
    "job_submit": rb"job_submit|job_modify",
}
# Slurm's plugin.c asks every plugin for these; of the last two it does without.
ALWAYS = {"plugin_name", "plugin_type", "plugin_version", "init", "fini"}
MORE = {"select": {"plugin_id"}}
# Weak in every object: whoever loads it may have them or not.
LINKERS = re.compile(r"_ITM_\w+|__gmon_start__|__cxa_finalize|__gcov_\w+|__llvm_\w+")


def names(file: Path, *options: str) -> set[str]:
    done = subprocess.run(
        ["nm", "-D", *options, "--", file], stdout=subprocess.PIPE, text=True, check=True
    )
    return {line.split()[-1].partition("@")[0] for line in done.stdout.splitlines()}


def libraries(file: Path) -> list[Path]:
    """Those that the loader brings in for a file."""
    done = subprocess.run(["ldd", file], stdout=subprocess.PIPE, text=True, check=True)
    return [Path(path) for path in re.findall(r"(/\S+) \(0x", done.stdout)]


def looked_up(kind: str, programs: list[Path]) -> set[str]:
    text = re.compile(rb"(?<=\0)(?:" + CALLS[kind] + rb")(?=\0)")
    return {found.decode() for program in programs for found in text.findall(program.read_bytes())}


def kind_of(plugin: Path) -> str | None:
    return next((kind for kind in CALLS if plugin.name.startswith(kind + "_")), None)


def wrong_calls(plugin: Path, kind: str, programs: list[Path]) -> list[str]:
    wanted = looked_up(kind, programs)
    if not wanted:
        return [f"{programs[0]} looks for no call of {kind} plugins: this test has to learn how it does"]
    has = names(plugin, "--defined-only")
    calls = {name for name in has if re.fullmatch(CALLS[kind], name.encode())}
    missing = (wanted | ALWAYS | MORE.get(kind, set())) - has
    wrong = [f"{plugin.name} has no {name}, which Slurm looks for" for name in sorted(missing)]
    wrong += [f"{plugin.name} has {name}, which Slurm does not look for" for name in sorted(calls - wanted)]
    # priority_maui.so has to say that it is priority/maui.
    own = f"{kind}/{plugin.stem[len(kind) + 1:]}"
    if f"\0{own}\0".encode() not in plugin.read_bytes():
        wrong.append(f"{plugin.name} does not say that it is {own}")
    return wrong


def wrong_references(plugin: Path, programs: list[Path]) -> list[str]:
    have: set[str] = set()
    for file in (*programs, *libraries(plugin)):
        have |= names(file, "--defined-only")
    takes = {name for name in names(plugin, "--undefined-only") if not LINKERS.fullmatch(name)}
    return [f"{plugin.name} takes {name}, which nobody has" for name in sorted(takes - have)]


def locks_twice(plugin: Path) -> list[str]:
    """The releases that begin a priority plugin late hold slurmctld's locks for sprio (S-PRI-2). A lock
    of glibc's is had twice for reading, and nobody would notice, but for a slurmctld with assertions."""
    late = "priority_p_thread_start" in names(plugin, "--defined-only")
    twice = late and "lock_slurmctld" in names(plugin, "--undefined-only")
    return [f"{plugin.name} takes slurmctld's locks, which the caller of its calls has"] if twice else []


def main() -> int:
    slurmctld, directory, *plugins = map(Path, sys.argv[1:])
    programs = [slurmctld, directory / "libslurmfull.so"]
    wrong = []
    for plugin in plugins:
        if kind := kind_of(plugin):
            wrong += wrong_calls(plugin, kind, programs)
            wrong += locks_twice(plugin) if kind == "priority" else []
        wrong += wrong_references(plugin, programs)
    print("\n".join(wrong) or f"{len(plugins)} plugins fit {slurmctld}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
