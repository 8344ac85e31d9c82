#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The packages in a fresh Debian, from their installation to their removal, with jobs that run and wait throughout."""

from __future__ import annotations

import re
import shutil
import struct
import subprocess
import tempfile
import unittest
from pathlib import Path

import made
from debian import Debian

PLUGIN_DIR = "/usr/lib/x86_64-linux-gnu/slurm-wlm"
MAUI_CFG = "RMPOLLINTERVAL 1\nQUEUETIMEWEIGHT 0\nCREDWEIGHT 1\nUSERWEIGHT 1\nUSERCFG[daemon] PRIORITY=700\nUSERCFG[bin] PRIORITY=300\n"
LINES = f"""\
PriorityType=priority/maui
PluginDir={PLUGIN_DIR}/maui:{PLUGIN_DIR}
JobSubmitPlugins=maui
SchedulerParameters=bf_min_prio_reserve=2
PriorityWeightAge=1
"""
SHADOW = "JobSubmitPlugins=maui\nPriorityParameters=maui_mode=shadow\n"


def altered(deb: Path, directory: Path, version: str, *changes: tuple[str, str]) -> Path:
    """The same package with another version, and other words in its control file."""
    top = directory / deb.name.split("_")[0]
    subprocess.run(["dpkg-deb", "-R", deb, top], check=True)
    control = top / "DEBIAN" / "control"
    text = control.read_text()
    for old, new in changes:
        text = text.replace(old, new)
    control.write_text(re.sub(r"(?m)^Version: .*", f"Version: {version}", text))
    output = directory / f"{deb.name.split('_')[0]}_{version}_amd64.deb"
    subprocess.run(["dpkg-deb", "--root-owner-group", "-b", top, output], stdout=subprocess.DEVNULL, check=True)
    shutil.rmtree(top)
    return output


def pretend_built_for(path: Path, version: int) -> None:
    """Another number in a plugin's plugin_version, as if built for another Slurm."""
    symbols = made.output_of("readelf", "--wide", "--dyn-syms", path)
    address = int(re.search(r"(?m)^\s*\d+: (\w+) .* plugin_version$", symbols)[1], 16)  # type: ignore[index]
    for line in made.output_of("readelf", "--wide", "--segments", path).splitlines():
        if match := re.match(r"\s*LOAD\s+0x(\w+) 0x(\w+) 0x\w+ 0x(\w+)", line):
            offset, start, size = (int(number, 16) for number in match.groups())
            if start <= address < start + size:
                with path.open("r+b") as file:
                    file.seek(address - start + offset)
                    file.write(struct.pack("=I", version))
                return
    raise AssertionError(f"{path} has no plugin_version")


class Life(unittest.TestCase):
    """One host's life: each test goes on where the one before has left it."""

    debian: Debian
    waiting: dict[str, int] = {}

    @classmethod
    def setUpClass(cls) -> None:
        made.directory()
        cls.debian = Debian()
        cls.addClassCleanup(cls.debian.remove)
        cls.scratch = Path(tempfile.mkdtemp(prefix="maui-life-"))
        cls.addClassCleanup(shutil.rmtree, cls.scratch)
        cls.version = made.output_of("dpkg-deb", "-f", made.deb(made.PLUGINS), "Version").strip()
        cls.slurm = cls.debian.ok("slurmctld -V").split()[1]

    def rows(self) -> list[str]:
        """What maui doctor finds that is not ok, each with its remedy."""
        output = self.debian.run("maui doctor").stdout
        return re.findall(r"(?m)^(?:warn|wrong) .*\n(?:       -> .*\n)?", output)

    def priorities(self) -> dict[str, int]:
        jobs = self.debian.jobs()
        return {user: jobs[job][1] for user, job in self.waiting.items()}

    def has_maui_priorities(self) -> bool:
        return self.priorities() == {"daemon": 700, "bin": 300, "games": 2}

    def test_1_slurm_alone(self) -> None:
        debian = self.debian
        debian.start()
        type(self).running = debian.submit("daemon", "-n4")
        debian.wait("a job runs", lambda: debian.jobs()[self.running][0] == "RUNNING")
        for user in ("games", "bin", "daemon"):
            self.waiting[user] = debian.submit(user, "-n4")

    def test_2_installation_changes_nothing(self) -> None:
        debian = self.debian
        before = debian.ok("pgrep -x 'slurmctld|slurmctld-wlm'; cat /etc/slurm/slurm.conf")
        output = debian.ok("apt-get install -y " + debian.take(*(made.deb(name) for name in (made.PLUGINS, made.COMMAND, made.COMMON))))
        self.assertIn("maui_mode=shadow", output)
        self.assertIn("maui doctor", output)
        self.assertEqual(debian.ok("pgrep -x 'slurmctld|slurmctld-wlm'; cat /etc/slurm/slurm.conf"), before)
        debian.ok("squeue")

    def test_3_shadow(self) -> None:
        debian = self.debian
        debian.write("/etc/slurm/maui.cfg", MAUI_CFG)
        debian.ok("maui check /etc/slurm/maui.cfg")
        debian.slurm_conf(SHADOW)
        debian.restart()
        debian.wait("the shadow answers", lambda: debian.run("maui diff").returncode == 0)
        self.assertNotEqual(self.priorities()["daemon"], 700)

    def test_4_in_charge(self) -> None:
        debian = self.debian
        debian.slurm_conf(LINES)
        debian.restart()
        debian.wait("jobs have Maui's priorities", self.has_maui_priorities)
        self.assertEqual(self.rows(), [])

    def test_5_upgrade_of_ours(self) -> None:
        debian = self.debian
        later = self.version.replace("-1+", "-2+")
        names = (made.PLUGINS, made.COMMON, made.COMMAND)
        debs = [altered(made.deb(name), self.scratch, later, (self.version, later)) for name in names]
        output = debian.ok("apt-get install -y " + debian.take(*debs))
        self.assertIn("runs on with the plugins that it has loaded", output)
        self.assertNotIn("WARNING", output)
        self.assertTrue(self.has_maui_priorities())
        debian.restart()
        debian.wait("jobs have Maui's priorities again", self.has_maui_priorities)
        self.assertEqual(debian.jobs()[self.running][0], "RUNNING")

    def test_6_upgrade_of_slurm(self) -> None:
        """Held back, or ours goes and apt says so before."""
        debian = self.debian
        series, _, micro = self.slurm.rpartition(".")
        later = f"{series}.{int(micro) + 1}-1"
        installed = debian.ok("dpkg-query -W -f '${Version}' slurmctld").strip()
        names = debian.ok("dpkg-query -W -f '${Package} ${source:Package}\n' | awk '$2 == \"slurm-wlm\" { print $1 }'").split()
        debian.repository(names, (installed, later))
        said = {verb: debian.ok(f"apt-get -s {verb}") for verb in ("upgrade", "dist-upgrade", "install slurmctld")}
        self.assertRegex(said["upgrade"], r"kept back:\n(?:  .*\n)*?  .*\bslurmctld\b")
        self.assertNotIn("Inst slurmctld", said["upgrade"])
        for verb in ("dist-upgrade", "install slurmctld"):
            held = "kept back" in said[verb] and "Inst slurmctld" not in said[verb]
            self.assertTrue(held or f"Remv {made.PLUGINS}" in said[verb], said[verb])
            print(f"apt-get {verb}: {'Slurm is kept back' if held else 'ours is removed'}")
        self.assertTrue(self.has_maui_priorities())

    def test_7_wrong_plugins_forced_in(self) -> None:
        debian = self.debian
        series, _, micro = self.slurm.rpartition(".")
        major, minor = map(int, series.split("."))
        path = debian.root / PLUGIN_DIR[1:] / "priority_maui.so"
        right = path.read_bytes()
        debian.stop()
        wrong = shutil.copy(path, self.scratch)
        pretend_built_for(Path(wrong), major << 16 | minor << 8 | int(micro) + 1)
        debian.ok(f"rm {PLUGIN_DIR}/priority_maui.so")
        shutil.copy(wrong, path)
        self.assertNotEqual(debian.run("slurmctld -D").returncode, 0)
        other = f"{major:02}.{minor:02}.{int(micro) + 1}"
        self.assertRegex(debian.log(), rf"Incompatible Slurm plugin .*/priority_maui\.so version \({other}\)")
        self.assertIn("Couldn't load specified plugin name for priority/maui: Incompatible plugin version", debian.log())
        rows = "".join(self.rows())
        self.assertIn(f"built for Slurm {other}, and {self.slurm} is installed", rows)
        self.assertIn(f"-> apt install {made.PLUGINS}, made for this Slurm", rows)
        path.write_bytes(right)
        debian.start()
        debian.wait("jobs have Maui's priorities again", self.has_maui_priorities)

    def test_8_removal(self) -> None:
        debian = self.debian
        before = debian.jobs()
        refused = debian.ok(f"apt-get remove -y {made.PLUGINS} && apt-get install -y --no-install-recommends "
                            + debian.take(made.deb(made.PLUGINS), made.deb(made.COMMON)) + " --allow-downgrades")
        self.assertIn("WARNING", refused)
        self.assertIn("maui disable", refused)
        self.assertIn("PriorityType=priority/maui", refused)
        lines = debian.ok("maui disable")
        self.assertIn("No reservation, reason or pass of Maui's is left", lines)
        self.assertIn("PriorityType=priority/multifactor", lines)
        debian.slurm_conf("PriorityType=priority/multifactor\n")
        debian.restart()
        output = debian.ok(f"apt-get purge -y {made.PLUGINS} {made.COMMON} {made.COMMAND}")
        self.assertNotIn("WARNING", output)
        debian.ok("squeue")
        debian.restart()
        self.assertEqual(debian.jobs().keys(), before.keys())
        self.assertEqual(debian.jobs()[self.running][0], "RUNNING")
        # Without slurmdbd priority/multifactor computes no priority anew by itself.
        debian.ok("squeue --noheader --states=PENDING --format=%A | xargs -r -n1 scontrol release")
        debian.wait("priorities are Slurm's", lambda: not set(self.priorities().values()) & {700, 300})
        debian.ok("scontrol shutdown slurmctld")
        state = (debian.root / "var/lib/slurm/slurmctld/job_state").read_bytes()
        self.assertNotIn(b"aui", state)
        self.assertFalse(list((debian.root / "usr").rglob("*maui*")))
