# SPDX-License-Identifier: GPL-2.0-or-later
"""The clock of a cluster that has one of its own (testsuite/clock): the real time and an offset.

The offset is in a file that every process of the cluster has mapped: so it is set for all at once.
A stepped clock may be stopped: then the file says what it shows.
"""

from __future__ import annotations

import os
import re
import shutil
import struct
import time
import zoneinfo
from datetime import datetime
from pathlib import Path

from .layout import Layout
from .problem import Problem

_LIBRARY = Path("testsuite", "clock", "test_clock.so")
# struct test_clock: offset, stands, monotonic, in nanoseconds; turn, stepped. Behind it, waits.
_OFFSET = struct.Struct("=q")
_CLOCK = struct.Struct("=qqqII")
_SIZE = 4096
_BILLION = 1_000_000_000
_FORM = "YYYY-MM-DDTHH:MM:SS, @EPOCH, or +SECONDS or -SECONDS from what it shows"


def check_zone(name: str) -> None:
    """The C library takes a name that it does not know for UTC."""
    try:
        zoneinfo.ZoneInfo(name)
    except (OSError, ValueError) as error:  # ZoneInfoNotFoundError is a KeyError
        raise Problem(f"--time-zone '{name}': {error}") from None
    except KeyError:
        raise Problem(f"no time zone '{name}' is here (Debian package tzdata)") from None


def parse(text: str, zone: str, now: float) -> float:
    """The point in time that is meant. Of one that comes twice, the first."""
    if re.fullmatch(r"[-+]\d+(\.\d+)?", text):
        return now + float(text)
    if re.fullmatch(r"@\d+(\.\d+)?", text):
        return float(text[1:])
    try:
        local = datetime.strptime(text, "%Y-%m-%dT%H:%M:%S")
    except ValueError:
        raise Problem(f"'{text}' is no time: {_FORM}") from None
    return local.replace(tzinfo=zoneinfo.ZoneInfo(zone) if zone else None).timestamp()


def make(layout: Layout, build: Path, when: float, stepped: bool) -> None:
    """The library too: a later compilation does not change the cluster."""
    library = build / _LIBRARY
    if not library.exists():
        raise Problem(f"there is no '{library}'; run `meson compile -C {build}`")
    shutil.copyfile(library, layout.clock_library)
    layout.clock.write_bytes(_CLOCK.pack(0, 0, 0, 0, stepped).ljust(_SIZE, b"\0"))
    layout.clock.chmod(0o666 if stepped else 0o644)  # who waits says so there
    put(layout, when)


def put(layout: Layout, when: float) -> None:
    """Set the clock of all processes of the cluster."""
    offset = round((when - time.time()) * _BILLION)
    # In place, as the file is mapped, and at one stroke.
    descriptor = os.open(layout.clock, os.O_WRONLY)
    try:
        os.pwrite(descriptor, _OFFSET.pack(offset), 0)
    finally:
        os.close(descriptor)


def now(layout: Layout) -> float:
    return shown(layout.clock)


def shown(path: Path) -> float:
    offset, stands, *_ = _CLOCK.unpack(path.read_bytes()[: _CLOCK.size])
    return (stands or time.time_ns() + offset) / _BILLION


def show(layout: Layout, zone: str) -> str:
    when = datetime.fromtimestamp(now(layout), zoneinfo.ZoneInfo(zone) if zone else None)
    return f"{when:%Y-%m-%dT%H:%M:%S}"
