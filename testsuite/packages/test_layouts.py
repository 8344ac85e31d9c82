#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""slurm-build/layouts, on small programs with records of the names that it wants to see."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "slurm-build" / "layouts"
HEADER = Path("src/slurmctld/slurmctld.h")  # only what is in Slurm's headers is compared
OTHERS = ("job_details", "node_record", "part_record", "slurmctld_resv", "slurmdb_assoc_rec")
JOB = """
struct job_record {
	char *account;
	uint16_t flags : 3, more : 2;
	union { char c; };
	union { uint32_t id; struct { uint16_t low, high; }; };
	struct { uint8_t kind; uint64_t amount[4]; } sub;
	job_type_t type;
	char last[];
};
"""


def source(job: str = JOB, prefix: str = "typedef uint32_t job_type_t;") -> str:
    others = "".join(f"struct {name} {{ int a, b; }};\n" for name in OTHERS)
    return f"#include <stdint.h>\n{prefix}\n{job}\n{others}typedef struct {{ int a; }} slurmdb_qos_rec_t;\n"


class Layouts(unittest.TestCase):
    def setUp(self) -> None:
        self.top = Path(tempfile.mkdtemp(prefix="maui-layouts-"))
        self.addCleanup(shutil.rmtree, self.top)
        self.plugin = self.build("plugin.so")

    def build(self, name: str, text: str | None = None, *options: str, extra: str = "") -> Path:
        """A shared object with a variable for each record; other compilers' DWARF is asked for with options."""
        header = self.top / name / HEADER
        header.parent.mkdir(parents=True)
        header.write_text(source() if text is None else text)
        names = [f"struct {one}" for one in re.findall(r"^struct (\w+) \{", header.read_text(), re.M)] + ["slurmdb_qos_rec_t"]
        variables = "".join(f"{one} variable_{number};\n" for number, one in enumerate(names))
        main = self.top / name / "main.c"
        main.write_text(f'#include "{HEADER}"\n{extra}{variables}')
        path = self.top / f"{name}.elf"
        subprocess.run(["gcc", "-shared", "-fPIC", "-g", "-Wl,--build-id", *options, "-I", main.parent, main, "-o", path], check=True)
        return path

    def run_script(self, *arguments: str | Path) -> tuple[int, str]:
        done = subprocess.run(
            [SCRIPT, "--debug", self.top / "debug", *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )
        return done.returncode, done.stdout.replace(str(self.top), "T")

    def compare(self, theirs: Path, *options: str | Path, ours: Path | None = None) -> tuple[int, list[str]]:
        code, output = self.run_script("compare", *options, ours or self.plugin, theirs)
        return code, output.splitlines()

    def write(self, *more: str | Path) -> tuple[int, str]:
        return self.run_script("write", "--slurm", "22.05.8", *more, self.top / "layouts", self.plugin)

    def strip(self, path: Path) -> Path:
        """As packages do: the debugging information is elsewhere, by build id."""
        build_id = self.build_id(path)
        debug = self.top / "debug" / ".build-id" / build_id[:2] / f"{build_id[2:]}.debug"
        debug.parent.mkdir(parents=True)
        subprocess.run(["objcopy", "--only-keep-debug", path, debug], check=True)
        subprocess.run(["strip", "-g", path], check=True)
        return debug

    def build_id(self, path: Path) -> str:
        notes = subprocess.run(["readelf", "-n", path], stdout=subprocess.PIPE, text=True, check=True).stdout
        return re.findall(r"Build ID: (\w+)", notes)[0]

    def test_the_text_has_each_member(self) -> None:
        self.build_with_ours()
        self.assertEqual(self.write(), (0, ""))
        head, *records = (self.top / "layouts").read_text().split("\nrecord ")
        head += "\n"
        self.assertRegex(head, r"^maui-layouts 1\nlayout [0-9a-f]{40}\nslurm 22\.05\.8\n$")
        self.assertEqual({record.split()[0] for record in records}, {"job_record", "slurmdb_qos_rec", *OTHERS})
        self.assertEqual(
            next(record for record in records if record.startswith("job_record")).splitlines(),
            ["job_record 64", " account 0 8", " flags :64 :3", " more :67 :2", " c 9 1", " id 12 4", " low 12 2", " high 14 2",
             " sub 16 40", " sub.kind 16 1", " sub.amount 24 32", " type 56 4", " last 60 0"],
        )  # fmt: skip

    def build_with_ours(self) -> None:
        self.plugin = self.build("with_ours", extra="struct ours { int a; } ours;\n")

    def test_alike(self) -> None:
        """Whatever the compiler's version of DWARF, and whatever else is there."""
        reordered = source(prefix="struct other { long x; };\ntypedef unsigned int job_type_t;")
        for number, options in enumerate((["-gdwarf-4"], ["-gdwarf-5"], ["-gdwarf-3"], ["-O2", "-flto"])):
            code, lines = self.compare(self.build(f"same{number}", reordered, *options))
            self.assertEqual((code, lines[-1].split(" are ")[0]), (0, "7 records with 23 members"), lines)

    def test_what_has_moved_is_named(self) -> None:
        for number, (change, expected) in enumerate((
            (("char *account;", "char *account, *comment;"), {
                "job_record: its size is 72, and was 64", "job_record.sub: at 24 with size 40, and was at 16 with size 40",
                "job_record.comment: is new", "job_record.flags: at :128 with size :3, and was at :64 with size :3"}),
            (("more : 2", "more : 1"), {"job_record.more: at :67 with size :1, and was at :67 with size :2"}),
            (("low, high", "high, low"), {"job_record.low: at 14 with size 2, and was at 12 with size 2"}),
            (("amount[4]", "amount[3]"), {"job_record.sub.amount: at 24 with size 24, and was at 24 with size 32"}),
            (("char *account", "char *name"), {"job_record.account: is not there any more", "job_record.name: is new"}),
        )):  # fmt: skip
            code, lines = self.compare(self.build(f"moved{number}", source(JOB.replace(*change))))
            self.assertEqual(code, 1, lines)
            self.assertLessEqual(expected, set(lines))
            self.assertRegex(lines[-1], r"^\d+ differences: plugins with the layouts of .* must not be loaded by ")

    def test_a_text_stands_for_its_program(self) -> None:
        self.write()
        text = self.top / "layouts"
        moved = self.build("moved", source(JOB.replace("amount[4]", "amount[3]")))
        self.assertEqual(self.compare(self.build("same"), ours=text)[0], 0)
        self.assertEqual(self.compare(moved, ours=text)[1][:-1], self.compare(moved)[1][:-1])
        self.assertEqual(self.compare(text)[0], 0)

    def test_a_text_that_was_changed_is_refused(self) -> None:
        self.write()
        text = self.top / "layouts"
        content = text.read_text()
        for changed, words in (
            (content.replace("account 0 8", "account 8 8"), 'its line "layout" is not the hash'),
            (content[: content.rindex('record ')], 'its line "layout" is not the hash'),
            (content.replace(" account 0 8", " account 0"), "not a line of a file of layouts: ' account 0'"),
            (content.replace("\nslurm 22", "\nslum 22"), "layouts:3: not a line"),
        ):
            text.write_text(changed)
            code, lines = self.compare(self.plugin, ours=text)
            self.assertEqual(code, 2)
            self.assertIn(words, lines[0])

    def test_debugging_information_is_found_by_build_id(self) -> None:
        same, moved = self.build("same"), self.build("moved", source(JOB.replace("high", "other")))
        debug = self.strip(same)
        self.strip(moved)
        self.assertEqual((self.compare(same)[0], self.compare(debug)[0], self.compare(moved)[0]), (0, 0, 1))
        debug.unlink()
        code, lines = self.compare(same)
        self.assertEqual((code, lines), (2, [f"layouts: T/same.elf has no debugging information, and there is none of build id "
                                             f"{self.build_id(same)} in T/debug"]))  # fmt: skip

    def test_what_dwz_has_put_together_is_found(self) -> None:
        """Debian's packages of several programs: what these have in common is in a file of its own."""
        theirs = [self.build(name, source(JOB.replace(*change)), "-gdwarf-4") for name, change in (
            ("same", ("", "")), ("too", ("", "")), ("moved", ("char *account;", "char *comment, *account;")))]  # fmt: skip
        shared = self.top / "shared"
        subprocess.run(["dwz", "-m", shared, "-M", shared, *theirs], check=True)
        sections = subprocess.run(["readelf", "-S", theirs[0]], stdout=subprocess.PIPE, text=True, check=True).stdout
        self.assertIn("debugaltlink", sections)
        self.assertEqual([self.compare(path)[0] for path in theirs], [0, 0, 1])
        shared.unlink()
        self.assertEqual(self.compare(theirs[0]), (2, ["layouts: T/shared: No such file or directory"]))

    def test_nothing_is_said_without_the_records_that_matter(self) -> None:
        code, lines = self.compare(self.build("less", source().replace("node_record", "node")))
        self.assertEqual((code, lines), (2, ["layouts: T/less.elf does not have node_record: nothing can be said"]))
        self.plugin = self.build("without", None, "-g0")
        self.assertIn("has no debugging information", self.write()[1])
        for content in (b"", b"\x7fELF", self.build("whole").read_bytes()[:3000]):
            (self.top / "damaged").write_bytes(content)
            self.assertEqual(self.compare(self.top / "damaged")[0], 2, content[:8])
        self.plugin = self.top / "whole.elf"
        self.assertEqual(self.compare(self.top / "none"), (2, ["layouts: T/none: No such file or directory"]))

    def test_the_slurmctld_of_the_build(self) -> None:
        """Compared, or from the same source, or not known; and one that has moved ends the build."""
        slurmctld = self.build("slurmctld")
        line = f"slurmctld {self.build_id(slurmctld)}"
        text = self.top / "layouts"
        self.assertEqual(self.write("--slurmctld", slurmctld), (0, ""))
        self.assertIn(f"\n{line} compared\n", text.read_text())
        shutil.rmtree(self.strip(slurmctld).parents[2])
        code, words = self.write("--slurmctld", slurmctld)
        self.assertEqual((code, "not known to fit" in words, "slurmctld " in text.read_text().split("\nrecord")[0]), (0, True, False))
        code, words = self.write("--slurmctld", slurmctld, "--same-source")
        self.assertEqual((code, "were not compared" in words), (0, True))
        self.assertIn(f"\n{line} same-source\n", text.read_text())
        before = text.read_text()
        moved = self.build("moved", source(JOB.replace("char *account;", "")))
        code, words = self.write("--slurmctld", moved, "--same-source")
        self.assertEqual((code, text.read_text()), (2, before))
        self.assertIn("is not what the plugins were compiled for:\n  job_record: its size is 56, and was 64\n", words)

    def test_what_was_compared_is_remembered_once(self) -> None:
        self.write()
        known, text = self.top / "maui.layouts", self.top / "layouts"
        one, two = self.build("same"), self.build("same_too", None, "-O2")
        for slurmctld in (one, two, one):
            self.assertEqual(self.compare(slurmctld, "--remember", known, ours=text)[0], 0)
        layout = text.read_text().splitlines()[1]
        self.assertEqual(known.read_text(), "".join(f"{layout} slurmctld {self.build_id(path)}\n" for path in (one, two)))
        self.assertEqual(os.stat(known).st_mode & 0o777, 0o644)
        before = known.read_text()
        moved = self.build("moved", source(JOB.replace("high", "other")))
        self.assertEqual((self.compare(moved, "--remember", known, ours=text)[0], known.read_text()), (1, before))
