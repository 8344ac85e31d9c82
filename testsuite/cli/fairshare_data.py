# SPDX-License-Identifier: GPL-2.0-or-later
"""What an engine says of fairshare."""

import json

COUNTED = 1700139600


def data(maui):
    """What the engine would answer: as of the files in fixtures/stats."""
    done = maui.run("fs", "show", "--configfile=fs.cfg", "--at=1700140000", "--json", "stats")
    data = json.loads(done.stdout)
    del data["schema"], data["at"]
    return data | {"counted": COUNTED, "directory": "/var/spool/slurm/maui/stats", "enforced": False}
