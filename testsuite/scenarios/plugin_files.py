# SPDX-License-Identifier: GPL-2.0-or-later
"""Files of plugins, replaced under a cluster."""

from __future__ import annotations

import struct
import subprocess
from pathlib import Path


def replace(path: Path, content: bytes) -> None:
    """Not in place: the commands have it mapped."""
    fresh = path.with_suffix(".new")
    fresh.write_bytes(content)
    fresh.chmod(0o755)
    fresh.replace(path)


def of_another_release(plugin: Path, symbol: str = "plugin_version") -> bytes:
    """A plugin as it would be, had it been compiled for the next micro release of Slurm: what it says
    of its version, under this symbol, is another number."""

    def listed(*command: str) -> list[list[str]]:
        done = subprocess.run(
            [*command, str(plugin)], capture_output=True, text=True, check=True
        )
        return [line.split() for line in done.stdout.splitlines()]

    (address,) = [int(f[0], 16) for f in listed("nm", "-D") if f[-1] == symbol]
    # LOAD lines: offset in the file, address, (physical address), size in the file
    (at,) = [
        address - int(f[2], 16) + int(f[1], 16)
        for f in listed("readelf", "-lW")
        if f and f[0] == "LOAD" and 0 <= address - int(f[2], 16) < int(f[4], 16)
    ]
    content = bytearray(plugin.read_bytes())
    version = struct.unpack_from("=I", content, at)[0]
    if version >> 8 < 22 << 8:  # major, minor and micro: a byte each
        raise AssertionError(f"{version:#x} at {at:#x} of {plugin} is no version of Slurm")
    struct.pack_into("=I", content, at, version + 1)
    return bytes(content)
