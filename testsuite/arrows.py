#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Which folder may include which, and that no file includes anything else.

A folder may only include folders that stand above it in the table, so that there is no circle.
"""

from __future__ import annotations

import re
import sys
import tempfile
import unittest
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("common", "plugins", "contribs")  # where all C files are of a folder of the table

SLURM = "src"  # Slurm's sources
LIBSLURM = "slurm"  # its public headers


def util(*folders: str) -> tuple[str, ...]:
    return tuple(f"common/util/{folder}" for folder in folders)


def policy(*folders: str) -> tuple[str, ...]:
    return tuple(f"common/policy/{folder}" for folder in folders)


def replay(*folders: str) -> tuple[str, ...]:
    return tuple(f"common/replay/{folder}" for folder in folders)


def replay_command(*folders: str) -> tuple[str, ...]:
    return tuple(f"contribs/maui/replay/{folder}" for folder in folders)


def engine(*folders: str) -> tuple[str, ...]:
    return tuple(f"plugins/engine/{folder}" for folder in folders)


# Which folder includes which, each of them in some file.
ARROWS: dict[str, tuple[str, ...]] = {
    "common/util": (),
    "common/util/time": ("common/util",),
    "common/util/files": ("common/util",),
    "common/util/slurm": ("common/util",),
    "common/config/keys": ("common/util", *util("time")),
    "common/config/text": ("common/util", *util("files")),
    "common/config": ("common/util", *util("time", "slurm"), "common/config/keys", "common/config/text"),
    "common/policy/priority": ("common/util", *util("slurm"), "common/config"),
    "common/policy/fairshare": ("common/util", *util("files", "slurm"), "common/config", *policy("priority")),
    "common/policy/limits": (
        "common/util", *util("time", "slurm"), "common/config/keys", "common/config", *policy("priority"),
    ),
    "common/policy/nodes": ("common/util", *util("slurm"), "common/config"),
    "common/policy/reservation": (
        "common/util", *util("time", "slurm"), "common/config/keys", "common/config/text", "common/config",
        *policy("limits", "nodes"),
    ),
    "common/policy/preemption": (),
    "common/policy": ("common/util", "common/config", *policy("priority", "nodes")),
    "common/queue": (
        "common/util", "common/config", *policy("priority", "fairshare", "limits", "reservation"),
        "common/policy",
    ),
    "common/state": ("common/util", *util("files"), *policy("reservation"), "common/queue"),
    "common/replay/trace": ("common/util", *policy("fairshare")),
    "common/replay/readers": ("common/util", *util("time"), *replay("trace")),
    "common/replay/schedule": ("common/util", *policy("limits"), *replay("trace")),
    "common/replay/nodes": ("common/util", *util("slurm"), *replay("trace", "readers", "schedule")),
    "common/replay/slurm_conf": ("common/util", *util("slurm"), *replay("trace", "nodes")),
    "common/replay/figures": ("common/util", *replay("trace", "schedule")),
    "common/replay/plan": ("common/util",),
    "common/import": (
        "common/util", *util("slurm", "time"), *policy("fairshare"), *replay("nodes", "slurm_conf"),
    ),
    "common/import/torque": (
        "common/util", *util("slurm"), "common/config", "common/import",
    ),
    "common/replay/stock": (
        "common/util", *policy("fairshare"), *replay("trace", "schedule", "nodes", "slurm_conf"), "common/import",
    ),
    "common/replay/state": (
        "common/util", *util("slurm"), *policy("priority", "fairshare", "limits", "nodes"), "common/policy",
        "common/queue",
        *replay("trace", "schedule", "nodes", "slurm_conf", "plan", "stock"),
    ),
    "common/replay/queue": (
        "common/util", "common/config", *policy("priority"), *replay("state"),
    ),
    "common/replay/reservations": (
        "common/util", *util("time"), *policy("reservation"), *replay("trace", "schedule", "state", "queue"),
    ),
    "common/replay/placing": (
        "common/util", *util("slurm"), *replay("nodes", "plan", "state", "reservations"),
    ),
    "common/replay/site": (
        "common/util", *policy("priority"), *replay("state", "queue", "reservations", "placing"),
    ),
    "common/report": (
        "common/util", *util("time"), "common/config", *policy("priority", "fairshare"), "common/queue",
    ),
    "contribs/maui/lib": (
        "common/util", *util("time", "slurm"), "common/config/keys", "common/config", *policy("reservation"),
        "common/report",
    ),
    "contribs/maui/html": ("common/util", "contribs/maui/lib"),
    "contribs/maui/slurm": (
        "common/util", *util("slurm"), *policy("reservation"), "contribs/maui/lib", LIBSLURM, SLURM,
    ),
    "contribs/maui/service": (
        "common/util", *util("files"), "common/config", "common/report", "contribs/maui/lib",
        "contribs/maui/slurm",
    ),
    "contribs/maui/queue": (
        "common/util", *util("files", "slurm"), *policy("limits"),
        "common/report", "contribs/maui/lib", "contribs/maui/slurm", "contribs/maui/service",
    ),
    "contribs/maui/check": (
        "common/util", *util("files", "slurm", "time"), "common/config/keys", "common/config",
        *policy("priority", "fairshare", "limits", "reservation"),
        "common/report", "contribs/maui/lib", "contribs/maui/slurm",
    ),
    "contribs/maui/diagnose": (
        "common/util", *util("time"), *policy("limits", "reservation"), "common/report", "contribs/maui/lib",
        "contribs/maui/service", "contribs/maui/queue",
    ),
    "contribs/maui/doctor": (
        "common/util", *util("files"), "common/config", *policy("reservation"), "common/state",
        "common/report", "contribs/maui/lib",
        "contribs/maui/slurm", "contribs/maui/service",
    ),
    "contribs/maui/explain": (
        "common/util", "common/config",
        "common/report", "contribs/maui/lib", "contribs/maui/service", "contribs/maui/queue",
    ),
    "contribs/maui/fs": (
        "common/util", *util("files"), "common/config", *policy("priority", "fairshare"), "common/report",
        *replay("readers"),
        "contribs/maui/lib", "contribs/maui/slurm", "contribs/maui/service",
        "contribs/maui/diagnose",
    ),
    "contribs/maui/import": (
        "common/util", *util("files"), "common/config", "common/queue", *replay("slurm_conf"), "common/import",
        "common/import/torque", "common/report", "contribs/maui/lib", "contribs/maui/slurm", "contribs/maui/queue",
    ),
    "contribs/maui/metrics": ("common/util", "common/report", "contribs/maui/lib", "contribs/maui/service"),
    "contribs/maui/replay/processes": ("common/util", "contribs/maui/lib"),
    "contribs/maui/replay/input": (
        "common/util", *util("slurm"), *replay("readers", "nodes", "slurm_conf", "stock"), "common/import",
        "common/report", "contribs/maui/lib",
        "contribs/maui/queue",
    ),
    "contribs/maui/replay/report": (
        "common/util", *util("files"), *replay("trace", "schedule", "nodes", "figures", "queue", "site"),
        "common/report",
        "contribs/maui/lib", "contribs/maui/html", "contribs/maui/queue",
        *replay_command("processes", "input"),
    ),
    "contribs/maui/replay/html": (
        "contribs/maui/lib", "contribs/maui/html", *replay_command("report"),
    ),
    "contribs/maui/replay/sweep": (
        "common/util", *util("files"), "common/config/keys", "common/report", "contribs/maui/lib",
        *replay_command("processes", "input", "report"),
    ),
    "contribs/maui/replay": (
        "common/util", "common/config", "common/policy", "common/report", "contribs/maui/lib",
        "contribs/maui/fs", *replay_command("processes", "input", "report", "sweep"),
    ),
    "contribs/maui/reservation": (
        "common/util", *util("time"), *policy("reservation"), "common/report", "contribs/maui/lib",
        "contribs/maui/service",
        "contribs/maui/queue",
    ),
    "contribs/maui/show": (
        "common/util", *util("time", "slurm"), "common/config/keys", "common/config",
        *policy("priority", "reservation"),
        "common/report", "contribs/maui/lib", "contribs/maui/slurm", "contribs/maui/service",
        "contribs/maui/queue", "contribs/maui/fs",
    ),
    "contribs/maui/change": (
        "common/util", *policy("priority"), "common/report", "contribs/maui/lib", "contribs/maui/slurm",
        "contribs/maui/service", "contribs/maui/show",
    ),
    "contribs/maui/why": (
        "common/util", *util("slurm"), *policy("limits"), "common/report", "contribs/maui/lib",
        "contribs/maui/service",
        "contribs/maui/slurm", "contribs/maui/queue",
    ),
    "contribs/maui/page": (
        "common/util", *util("slurm"), *policy("priority", "limits"), "common/report", "contribs/maui/lib",
        "contribs/maui/html",
        "contribs/maui/service", "contribs/maui/queue", "contribs/maui/explain",
        *replay_command("report", "html"),
        "contribs/maui/show", "contribs/maui/why",
    ),
    "contribs/maui/serve": ("common/util", "contribs/maui/lib", "contribs/maui/page"),
    "contribs/maui": (
        "contribs/maui/lib", "contribs/maui/queue", "contribs/maui/check", "contribs/maui/diagnose",
        "contribs/maui/doctor", "contribs/maui/explain", "contribs/maui/fs", "contribs/maui/import",
        "contribs/maui/metrics", "contribs/maui/replay", "contribs/maui/reservation",
        "contribs/maui/show", "contribs/maui/change", "contribs/maui/why", "contribs/maui/page", "contribs/maui/serve",
    ),
    "contribs/man": ("common/util", "common/config/keys", "contribs/maui/lib"),
    "contribs/examples": (*policy("nodes"),),
    "plugins/compat": (SLURM, LIBSLURM),
    "plugins/inner": ("plugins/compat",),
    "plugins/engine/api": (*policy("priority"), "plugins/compat"),
    "plugins/engine/runtime": ("common/util", *util("files", "slurm"), "common/state", "plugins/compat"),
    "plugins/engine/policy": (
        "common/util", "common/config", "common/policy", "common/queue", "common/state", "plugins/compat",
        *engine("runtime"),
    ),
    "plugins/engine/slurm": (
        "common/util", *util("time", "slurm"), *policy("priority", "fairshare", "limits", "nodes"),
        "common/policy",
        "common/queue", "plugins/compat", SLURM, *engine("runtime", "policy"),
    ),
    "plugins/engine/queue": (
        "common/util", "common/queue", "common/state", "plugins/compat", *engine("runtime", "slurm"),
    ),
    "plugins/engine/nodes": (
        "common/util", *policy("priority", "nodes", "reservation"), "common/policy", "common/state",
        "plugins/compat", *engine("api", "runtime", "policy", "slurm"),
    ),
    "plugins/engine/reservation": (
        "common/util", *policy("priority", "limits", "nodes", "reservation", "preemption"), "common/policy",
        "common/queue", "common/state", "plugins/compat",
        *engine("api", "runtime", "policy", "slurm", "queue", "nodes"),
    ),
    "plugins/engine/reservation/roll": (
        "common/util", *policy("reservation"), "common/policy", "common/state", "plugins/compat",
        *engine("runtime", "policy", "slurm", "nodes", "reservation"),
    ),
    "plugins/engine/reservation/setres": (
        "common/util", "common/state", "common/report", "plugins/compat",
        *engine("runtime", "slurm", "nodes", "reservation", "reservation/roll"),
    ),
    "plugins/engine/reservation/trigger": (
        "common/util", *policy("reservation"), "common/state", "plugins/compat",
        *engine("runtime", "slurm", "reservation", "reservation/roll"),
    ),
    "plugins/engine/fairshare": (
        "common/util", *policy("fairshare"), "common/policy", "common/queue", "common/state",
        "plugins/compat", *engine("runtime", "policy", "slurm", "nodes", "reservation"),
    ),
    "plugins/engine/slurm/usage": (
        "common/util", *policy("fairshare"), "plugins/compat", *engine("api", "runtime", "fairshare"),
    ),
    "plugins/engine/limits": (
        "common/util", *policy("priority", "limits"), "common/policy", "common/queue",
        "plugins/compat", *engine("runtime", "policy", "slurm", "queue", "nodes"),
    ),
    "plugins/engine/start": (
        *policy("priority"), "common/queue", "plugins/compat",
        *engine("api", "runtime", "policy", "slurm", "queue", "nodes", "reservation", "fairshare",
                "slurm/usage", "limits"),
    ),
    "plugins/engine/report": (
        "common/util", "common/config", *policy("priority", "limits", "reservation"),
        "common/queue", "common/state",
        "common/report", "plugins/compat",
        *engine("runtime", "policy", "slurm", "queue", "nodes", "reservation", "reservation/roll",
                "reservation/setres", "reservation/trigger", "fairshare", "limits"),
    ),
    "plugins/engine/whatif": (
        "common/util", *policy("priority"), "common/queue", "common/report", "plugins/compat",
        *engine("runtime", "policy", "slurm", "queue", "nodes", "fairshare", "slurm/usage", "limits",
                "start", "report"),
    ),
    "plugins/engine/service": (
        "common/util", *util("files"), *policy("reservation"), "common/state", "common/report",
        "plugins/compat",
        *engine("api", "runtime", "policy", "slurm", "queue", "nodes", "reservation",
                "reservation/setres", "fairshare", "limits", "start", "report", "whatif"),
    ),
    "plugins/engine": (
        "common/util", *policy("priority"), "plugins/compat",
        *engine("api", "runtime", "policy", "slurm", "queue", "nodes", "reservation",
                "reservation/roll", "reservation/setres", "reservation/trigger", "fairshare",
                "slurm/usage", "limits", "start", "service"),
    ),
    "plugins/priority": (
        "common/util", *policy("priority"), "plugins/compat", SLURM, *engine("api"),
    ),
    "plugins/job_submit": ("common/util", "plugins/compat", *engine("api")),
    "plugins/select": (*util("slurm"), "plugins/compat", "plugins/inner", SLURM, *engine("api")),
    "plugins/preempt": ("common/util", "plugins/compat", "plugins/inner", *engine("api")),
}
COMPAT = "plugins/compat"
# Who may ask which Slurm it is built for: with COMPAT_FROM() and its like, but for COMPAT itself.
VERSIONED = (COMPAT, "plugins/engine/slurm")
NAMES = "plugins/compat/base.h"  # Slurm's records by name; the rest of it, and src/, have all of them
# Who may look into records; of the engine not in a header, which others include.
RECORDS = (
    *engine("slurm", "slurm/usage"), "plugins/priority", "plugins/job_submit", "plugins/select",
    "plugins/preempt", "plugins/inner", "contribs/maui/slurm",
)

INCLUDE = re.compile(r'\s*#\s*include\s+["<]([^">]+)[">]')
VERSION = re.compile(r"\s*#\s*(?:el)?if.*\bSLURM_VERSION_NUM")
RELEASE = re.compile(r".*\bCOMPAT_(?:FROM|IS)\(")


def folder_of(header: str) -> str | None:
    """None: a header of the system, of a library, or made by the build."""
    for slurm in (SLURM, LIBSLURM):
        if header.startswith(f"{slurm}/"):
            return slurm
    return str(Path(header).parent) if header.startswith(FOLDERS) else None


def looks_into_records(header: str) -> bool:
    return folder_of(header) in (SLURM, COMPAT) and header != NAMES


def may_look(path: Path, folder: str) -> bool:
    return folder == COMPAT or folder in RECORDS and not (
        folder.startswith(("plugins/engine", "contribs")) and path.suffix == ".h"
    )


def wrong_in(root: Path, path: Path) -> Iterator[tuple[str, str | None]]:
    """Each line that must not be, and each arrow."""
    folder = str(path.parent.relative_to(root))
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        where = f"{path.relative_to(root)}:{number}"
        if VERSION.match(line) and folder != COMPAT:
            yield f"{where}: what differs between versions of Slurm belongs into {COMPAT}", None
        if RELEASE.match(line) and folder not in VERSIONED:
            yield f"{where}: which release of Slurm it is may be asked in {VERSIONED} alone", None
        found = INCLUDE.match(line)
        other = folder_of(found[1]) if found else None
        if not found or not other or other == folder:
            continue
        if other not in ARROWS.get(folder, ()):
            yield f"{where}: {folder} may not include {found[1]}", None
            continue
        yield "", other
        if looks_into_records(found[1]) and not may_look(path, folder):
            yield f"{where}: no look into Slurm's records here: {NAMES}, not {found[1]}", None


def circles(arrows: dict[str, tuple[str, ...]]) -> list[str]:
    order = [SLURM, LIBSLURM, *arrows]
    return [
        f"{folder} stands above {other}, which it includes"
        for folder, others in arrows.items()
        for other in others
        if other not in order or order.index(other) >= order.index(folder)
    ]


def wrong(root: Path) -> list[str]:
    """What is wrong in the tree at root."""
    said: list[str] = []
    used: set[tuple[str, str]] = set()
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.[ch]")):
            folder = str(path.parent.relative_to(root))
            if folder not in ARROWS:
                said.append(f"{folder} is not in the table")
            for text, other in wrong_in(root, path):
                if other:
                    used.add((folder, other))
                else:
                    said.append(text)
    unused = {(folder, other) for folder, others in ARROWS.items() for other in others} - used
    return said + [f"{folder} includes nothing of {other}" for folder, other in sorted(unused)]


class ArrowsTest(unittest.TestCase):
    def test_no_file_includes_what_its_folder_may_not(self) -> None:
        self.assertEqual(wrong(ROOT), [])

    def test_the_table_has_no_circle(self) -> None:
        self.assertEqual(circles(ARROWS), [])

    def test_a_planted_fault_is_found(self) -> None:
        for where, line, said in (
            ("common/util/a.c", '#include "common/policy/reservation/acl.h"', "common/util may not include"),
            ("common/policy/limits/a.h", '#include "src/slurmctld/slurmctld.h"', "may not include src/"),
            ("common/policy/a.h", "#include <slurm/slurm.h>", "may not include slurm/"),
            ("common/state/a.c", '# include "plugins/engine/api/engine.h"', "may not include plugins/"),
            ("plugins/engine/nodes/a.c", '#include "plugins/engine/start/lowered.h"', "may not include"),
            ("plugins/engine/reservation/a.c", '#include "plugins/engine/reservation/roll/rsv_roll.h"', "may not include"),
            ("plugins/select/a.c", '#include "plugins/engine/nodes/node_use.h"', "may not include"),
            ("contribs/maui/lib/a.c", '#include "contribs/maui/show/show.h"', "may not include"),
            ("contribs/maui/why/a.c", "#include <slurm/slurm.h>", "may not include slurm/"),
            ("plugins/engine/slurm/a.c", "#if SLURM_VERSION_NUMBER >= 5", "versions of Slurm"),
            ("plugins/engine/start/a.c", "#if COMPAT_FROM(23, 11)", "which release"),
            ("plugins/select/a.c", "	if (COMPAT_IS(22, 5))", "which release"),
            ("plugins/engine/nodes/a.c", '#include "plugins/compat/compat.h"', "no look into"),
            ("plugins/engine/a.h", '#include "plugins/compat/select_api.h"', "no look into"),
            ("plugins/engine/slurm/a.h", '#include "plugins/compat/compat.h"', "no look into"),
            ("plugins/engine/slurm/a.h", '#include "src/slurmctld/slurmctld.h"', "no look into"),
            ("plugins/engine/nodes/a.c", '#include "src/common/list.h"', "may not include src/"),
            ("plugins/new/a.c", "", "plugins/new is not in the table"),
        ):
            with tempfile.TemporaryDirectory() as directory:
                path = Path(directory) / where
                path.parent.mkdir(parents=True)
                path.write_text(line + "\n", encoding="utf-8")
                self.assertIn(said, "\n".join(wrong(Path(directory))), line)

    def test_who_may_look_into_records_does(self) -> None:
        for folder in RECORDS:
            lines = [line for path in sorted((ROOT / folder).glob("*.[ch]"))
                     for line in path.read_text(encoding="utf-8").splitlines()]
            found = [match[1] for match in map(INCLUDE.match, lines) if match]
            self.assertTrue(any(map(looks_into_records, found)), folder)

    def test_a_planted_circle_is_found(self) -> None:
        for arrows in ({"a": ("b",), "b": ("a",)}, {"a": ("a",)}, {"a": ("nowhere",)}):
            self.assertTrue(circles(arrows), arrows)


if __name__ == "__main__":
    sys.exit(unittest.main())
