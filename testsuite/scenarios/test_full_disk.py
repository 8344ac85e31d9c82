# SPDX-License-Identifier: GPL-2.0-or-later
"""The disk of StateSaveLocation is full: a file system of its own in memory. slurmctld goes on, setres, `maui status` and
`maui doctor` say what cannot be written, and nothing is lost when there is room again."""

from __future__ import annotations

import json
import os
import subprocess
import unittest
from pathlib import Path

from harness import Cluster
from reservation_model import FAST, OPEN, PARTITIONS, SLURM_CONF, show_reservations

POLICY = FAST + "ADMIN1 root\nJOBPRIOACCRUALPOLICY FULLPOLICY\n"
FULL = "No space left on device"


class FullDiskTest(unittest.TestCase):
    """The mount needs root, as all scenarios do: without it the test fails, and is not left out."""

    def setUp(self) -> None:
        self.cluster = self.enterContext(
            Cluster(nodes=2, cpus=4, maui_cfg=POLICY, slurm_conf=SLURM_CONF + PARTITIONS)
        )
        self.state = self.cluster.dir / "state"
        self.cluster.stop()
        kept = self.cluster.dir / "state-kept"
        owner = self.state.stat()
        self.state.rename(kept)
        self.state.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=32m,mode=700", "tmpfs", self.state], check=True)
        self.addCleanup(subprocess.run, ["umount", "-l", self.state], check=True)
        os.chown(self.state, owner.st_uid, owner.st_gid)
        subprocess.run(["cp", "-a", f"{kept}/.", self.state], check=True)
        self.cluster.start()
        self.ballast = Path(self.state, "ballast")

    def fill(self) -> None:
        """Until there is no room for a byte."""
        with self.ballast.open("wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(4096))
            except OSError as error:
                self.assertEqual(error.strerror, FULL)

    def unwritten(self) -> dict[str, str]:
        """Names below StateSaveLocation/maui, and why."""
        rows = self.cluster.maui("status", "--json")["unwritten_files"]
        return {str(Path(row["path"]).relative_to(self.state / "maui")): row["why"] for row in rows}

    def findings(self) -> list[str]:
        done = self.cluster.run(["maui", "doctor", "--json"], check=False)
        return [row["text"] for row in json.loads(done.stdout)["checks"]
                if row["check"] == "state directory" and row["state"] == "wrong"]

    def test_nothing_is_lost(self) -> None:
        before = self.cluster.maui("setres", "--json", "-u", "daemon", "n1")["name"]
        running = self.cluster.sbatch("-n1", "-w", "n2", "-t600", user="bin")
        self.cluster.wait_for_state(running, "RUNNING")
        self.assertEqual((self.unwritten(), self.findings()), ({}, []))
        # slurmctld itself refuses jobs while it cannot write their scripts.
        another = self.cluster.sbatch("-n1", "-w", "n2", "-t1", "-H", wrap="sleep 1", user="bin")
        life = self.cluster.life()
        self.fill()

        done = self.cluster.run(["maui", "setres", "-u", "daemon", "n2"], check=False)
        self.assertNotEqual(done.returncode, 0)
        # The names of reservations are written before they are made.
        self.assertIn(f"cannot write {self.state}/maui/reservations", done.stderr)
        self.assertIn(FULL, done.stderr)
        self.assertEqual({name for name, one in show_reservations(self.cluster).items() if one["MaxStartDelay"] == OPEN},
                         {before})

        self.cluster.wait_for(lambda: "reservations" in self.unwritten(), "status to say so")
        self.assertEqual({FULL in why for why in self.unwritten().values()}, {True}, self.unwritten())
        text = self.cluster.run(["maui", "status"]).stdout
        self.assertIn(f"unwritten   {self.state}/maui/reservations cannot be written", text)
        found = self.findings()
        self.assertTrue(any(f"{self.state}/maui/reservations cannot be written" in row for row in found), found)
        self.assertTrue(any("MB left" in row for row in found), found)

        # Jobs start and end meanwhile.
        self.cluster.run(["scontrol", "release", str(another)])
        self.cluster.wait_for_state(another, "COMPLETED")
        self.assertEqual(self.cluster.life(), life)

        self.ballast.unlink()
        self.cluster.wait_for(lambda: not self.unwritten(), "all to be written", 120)
        self.assertEqual(self.findings(), [])
        later = self.cluster.maui("setres", "--json", "-u", "daemon", "n2")["name"]
        self.cluster.wait_until_saved(running)
        self.cluster.restart(kill=True)
        self.cluster.wait_for(lambda: {before, later} <= set(show_reservations(self.cluster)), "both reservations")
        self.assertEqual(self.cluster.job(running)["JobState"], "RUNNING")
        known = {row["name"] for row in self.cluster.maui("showres", "--json")["reservations"] if row.get("administrative")}
        self.assertEqual(known, {before, later})
