#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""contribs/compose: what its Dockerfile says, done in a debootstrapped root with Debian's Slurm instead of by Docker,
and Slurm-Maui at work there with the lines of ansible.yml. Docker's own part, and the compose file, are left out.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import made
from debian import Debian, fresh_root
from workshop import run_in

COMPOSE = "contribs/compose"
MAUI_CFG = "RMPOLLINTERVAL 1\nQUEUETIMEWEIGHT 0\nCREDWEIGHT 1\nUSERWEIGHT 1\nUSERCFG[daemon] PRIORITY=700\n"


def copied(root: Path) -> Path:
    to = Path(tempfile.mkdtemp(prefix="maui-compose-"))
    subprocess.run(["cp", "-a", f"{root}/.", to], check=True)
    to.chmod(0o755)
    return to


class Dockerfile:
    """Its instructions, carried out one after the other; other ones than it has are an error."""

    def __init__(self, context: Path, image: Path) -> None:
        self._context = context
        self._image = image
        self.stages: dict[str, Path] = {}  # by name; the last has none
        self._root = image

    def carry_out(self, text: str) -> Path:
        for line in text.splitlines():
            word, _, rest = line.partition(" ")
            if word and not word.startswith("#"):
                getattr(self, f"_{word.lower()}")(*rest.split())
        return self._root

    def _arg(self, name: str) -> None:
        assert name == "SLURM_IMAGE", name

    def _from(self, image: str, _as: str = "AS", name: str = "") -> None:
        assert (image, _as) == ("${SLURM_IMAGE}", "AS"), (image, _as)
        self._root = self.stages[name] = copied(self._image)

    def _user(self, name: str) -> None:
        assert name == "root", name

    def _copy(self, *words: str) -> None:
        *options, source, target = words
        top = self.stages[options[0].removeprefix("--from=")] if options else self._context
        origin, to = top / source.lstrip("/"), self._root / target.lstrip("/")
        to.parent.mkdir(parents=True, exist_ok=True)
        if origin.is_dir():
            shutil.copytree(origin, to, symlinks=True, dirs_exist_ok=True)
        else:
            shutil.copy2(origin, to)

    def _run(self, *words: str) -> None:
        done = run_in(self._root, " ".join(words))
        assert done.returncode == 0, f"{' '.join(words)}\n{done.stdout[-5000:]}"


def variables(text: str, name: str) -> str:
    """A dictionary of ansible.yml, as lines of slurm.conf."""
    found = re.search(rf"(?m)^{name}:\n((?:  \w+: .*\n)+)", text)
    assert found, name
    return re.sub(r"(?m)^  (\w+): (.*)$", r"\1=\2", found[1])


class Compose(unittest.TestCase):
    debian: Debian

    @classmethod
    def setUpClass(cls) -> None:
        context = Path(tempfile.mkdtemp(prefix="maui-compose-"))
        cls.addClassCleanup(shutil.rmtree, context)
        made.copy_clone(context)
        image = fresh_root()
        cls.addClassCleanup(shutil.rmtree, image)
        dockerfile = Dockerfile(context, image)
        # The last stage, which has no name, is the Debian's.
        cls.addClassCleanup(lambda: [shutil.rmtree(root) for name, root in dockerfile.stages.items() if name])
        cls.debian = Debian(dockerfile.carry_out((made.ROOT / COMPOSE / "Dockerfile").read_text(encoding="utf-8")))
        cls.addClassCleanup(cls.debian.remove)
        cls.ansible = (made.ROOT / COMPOSE / "ansible.yml").read_text(encoding="utf-8")

    def test_it_works_with_the_lines_of_ansible(self) -> None:
        debian = self.debian
        debian.write("/etc/slurm/maui.cfg", MAUI_CFG)
        debian.slurm_conf(variables(self.ansible, "maui_shadow"))
        debian.start()
        debian.wait("the shadow answers", lambda: debian.run("maui diff").returncode == 0)
        debian.slurm_conf(variables(self.ansible, "maui_in_charge"))
        debian.restart()
        job = debian.submit("daemon", "--hold")
        debian.ok(f"scontrol release {job}")
        debian.wait("the job runs, with Maui's priority", lambda: debian.jobs()[job] == ("RUNNING", 700))
        self.assertIn(" 0 with a warning, 0 wrong, ", debian.ok("maui doctor"))

    def test_the_image_has_what_is_needed_and_no_compiler(self) -> None:
        debian = self.debian
        for name in (made.PLUGINS, made.COMMAND, made.COMMON):
            self.assertIn("install ok installed", debian.ok(f"dpkg-query -W -f '${{Status}}' {name}"))
        self.assertNotEqual(debian.run("command -v gcc || command -v meson").returncode, 0)

    def test_an_image_without_slurms_package(self) -> None:
        """Refused before anything is installed."""
        script = made.ROOT / COMPOSE / "steps"
        scratch = Path(tempfile.mkdtemp(prefix="maui-compose-"))
        self.addCleanup(shutil.rmtree, scratch)
        (scratch / "dpkg-query").write_text("#!/bin/sh\nexit 1\n")
        (scratch / "dpkg-query").chmod(0o755)
        for path, words in ((f"{scratch}:/usr/bin:/bin", "is from no package"), ("/nonexistent", "has no dpkg")):
            done = subprocess.run(
                ["/bin/sh", script, "build", scratch / "out"], env={"PATH": path}, capture_output=True, text=True, check=False
            )
            self.assertEqual(done.returncode, 1)
            self.assertIn(words, done.stderr)
