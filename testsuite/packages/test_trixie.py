#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The same life in Debian 13, with packages that are made there; left out where its mirror is out of reach.

MAUI_TRIXIE_ROOT, MAUI_TRIXIE_PACKAGES: what MAUI_DEBIAN_ROOT and MAUI_PACKAGES are for Debian 12.
"""

from __future__ import annotations

import os

# Before what reads them is loaded.
os.environ["MAUI_DEBIAN_SUITE"] = "trixie"
for name in ("DEBIAN_ROOT", "PACKAGES"):
    os.environ.pop(f"MAUI_{name}", None)
    if given := os.environ.get(f"MAUI_TRIXIE_{name.removeprefix('DEBIAN_')}"):
        os.environ[f"MAUI_{name}"] = given

import made  # noqa: E402
import workshop  # noqa: E402
from test_life import Life  # noqa: E402

made.maker = workshop.make


class Trixie(Life):
    """A life of its own. Plugins made from another source than Debian's own are not known to fit its slurmctld,
    and doctor says so."""

    def rows(self) -> list[str]:
        found = super().rows()
        if "MAUI_SLURM_SOURCE" not in os.environ:
            return found
        layouts = [row for row in found if row.startswith("warn   layouts: ")]
        self.assertEqual(len(layouts), 1, found)
        return [row for row in found if row not in layouts]


del Life  # unittest would run it, too
