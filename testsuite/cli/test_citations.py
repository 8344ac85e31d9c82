# SPDX-License-Identifier: GPL-2.0-or-later
"""Reasons are in the repository: what cites contribs/doc/decisions.md and slurm-doors.md finds it there, and what these
speak of exists. Any text file may cite; a build directory is none of the repository."""

import functools
import pathlib
import re
import tempfile

import cli_harness as harness
from runner import release

ROOT = pathlib.Path(__file__).resolve().parents[2]
SLURM = ROOT / "slurm-build/tree/prepared/src"  # not everywhere: `slurm-build/prepare` makes it
DOCUMENTS = {"D": "contribs/doc/decisions.md", "S": "contribs/doc/slurm-doors.md"}
HERE = "testsuite/cli/test_citations.py"  # has examples of what is wrong

ID = re.compile(r"\b([DS])-[A-Z]+-[0-9]+\b")
DEFINITION = re.compile(r"^### ([DS]-[A-Z]+-[0-9]+) (?=\S)", re.MULTILINE)
# Documents that those who clone the repository do not have, and the ways in which they were cited.
OUTSIDE = re.compile(
    r"\bsemantics\.md|\bdesign\.md|\bslurm-mechanics|\bseeds/|\b[Dd]ecisions? [0-9]|\[S\]|\[D\]|[Ss]ection \([a-g]\)|"
    r"[Cc]hapter \([a-g]\)|\b[Dd]esign, \"|\b[Rr]eference, (chapter|decision)|\breference's (chapter|table)|\"=>\"")
# One of these is in each of them: most files need no more than this look.
SIGNS = ("semantics", "design", "mechanics", "seeds/", "ecision", "[S]", "[D]", "ection (", "ction\n", "hapter (", "hapter\n",
         "eference,", "reference's", "=>")
# The end of a line, in a comment too, may break a citation in two.
BREAK = re.compile(r"\n[ \t]*(\*|#|//)?[ \t]*")
OURS = ("common/", "plugins/", "contribs/", "testsuite/", "slurm-build/", ".ci/")
SLURMS = ("src/", "slurm/")
QUOTED = re.compile(r"`([^`\s]+)`")


@functools.lru_cache(maxsize=None)
def _tree():
    return _Tree(ROOT)


class _Tree:
    def __init__(self, root):
        self.root = root
        self.texts = dict(self._texts(root))
        self.documents = {letter: self.texts.get(path, "") for letter, path in DOCUMENTS.items()}

    def _texts(self, directory):
        for path in sorted(directory.iterdir()):
            name = path.relative_to(self.root).as_posix()
            if path.is_symlink() or name in (".git", "slurm-build/tree", HERE):
                continue
            if path.is_dir():
                if not (path / "meson-private").exists():
                    yield from self._texts(path)
                continue
            try:
                yield name, path.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                pass  # an input of a fuzzer

    def defined(self):
        return [found for text in self.documents.values() for found in DEFINITION.findall(text)]

    def unknown(self):
        known = set(self.defined())
        return [f"{name} cites {found[0]}" for name, text in self.texts.items() for found in ID.finditer(text)
                if found[0] not in known]

    def defined_twice(self):
        every = self.defined()
        return sorted({found for found in every if every.count(found) > 1})

    def in_the_wrong_document(self):
        return [f"{found} is in {DOCUMENTS[letter]}" for letter, text in self.documents.items()
                for found in DEFINITION.findall(text) if found[0] != letter]

    def outside(self):
        return [f"{name} cites {found[0]}" for name, text in self.texts.items()
                if any(sign in text for sign in SIGNS) for found in OUTSIDE.finditer(BREAK.sub(" ", text))]

    def missing_paths(self):
        """What stands in backquotes and begins with a folder of ours, and links."""
        missing = []
        for document in DOCUMENTS.values():
            text = self.texts.get(document, "")
            links = {(pathlib.PurePosixPath(document).parent / link).as_posix()
                     for link in re.findall(r"\]\(([^)#]+)\)", text)}
            quoted = {path for path in QUOTED.findall(text) if path.startswith(OURS)}
            missing += [f"{document}: {path}" for path in sorted(links | quoted) if not (self.root / path).exists()]
        return missing

    def doors(self):
        """Id and text of each of slurm-doors.md."""
        pieces = DEFINITION.split(self.documents["S"])
        return list(zip(pieces[1::2], pieces[2::2]))

    def used_by(self, text):
        """Each file behind Ours:, with the paths that have this name."""
        names = QUOTED.findall(text.partition("* Ours:")[2].partition(" Test:")[0])
        def meant(name, path):
            return path == name or (path.startswith(OURS) and not path.startswith("testsuite/") and path.endswith(f"/{name}"))
        return {name: [path for path in self.texts if meant(name, path)] for name in names}

    def tested_by(self, text):
        """Each name behind Test:, with the paths that it can mean: a scenario, a unit test, a file of testsuite/."""
        def meant(name, path):
            return path in (f"testsuite/scenarios/test_{name}.py", f"testsuite/{name}") or (
                path.startswith("testsuite/unit/") and path.endswith(f"/{name}"))
        names = QUOTED.findall(text.partition(" Test:")[2].partition("\n\n")[0])
        return {name: [path for path in self.texts if meant(name, path)] for name in names}

    def misnamed(self):
        """Names behind Ours: and Test: that no file has, or more than one."""
        return [f"{door}: {name}: {len(paths)} files" for door, text in self.doors()
                for name, paths in (self.used_by(text) | self.tested_by(text)).items() if len(paths) != 1]

    def incomplete(self):
        """What is used has a file that uses it, and says who would notice; what is shut has neither."""
        return [f"{door}: no {word}" for door, text in self.doors() if not door.startswith("S-SHUT-")
                for word in ("Ours:", "Test:") if word not in text]

    def not_in_slurm(self, slurm):
        """Slurm's files exist, and the functions that a door names are in one of them, or in ours."""
        missing = []
        for door, text in self.doors():
            of_other_releases = re.compile(r"\* Later:.*?(?=\* Ours:|\Z)", re.DOTALL)
            present = of_other_releases.sub("", text)
            quoted = QUOTED.findall(present.partition("* Ours:")[0])
            files = [path for path in quoted if path.startswith(SLURMS)]
            files += [f"src/slurmctld/{name}" for name in quoted if re.fullmatch(r"\w+\.[ch]", name)]
            files += [f"src/plugins/select/{path}" for path in quoted if path.startswith("cons_")]
            missing += [f"{door}: {path}" for path in files if not (slurm / path).exists()]
            code = "".join((slurm / path).read_text(errors="replace") for path in files if (slurm / path).is_file())
            code += "".join(self.texts[path] for paths in (self.used_by(text) | self.tested_by(text)).values()
                            for path in paths)
            missing += [f"{door}: {name}()" for name in sorted(set(re.findall(r"\b(_?[a-z][a-z0-9_]+)\(\)", present)))
                        if not re.search(rf"\b{name}\b", code)]
        return missing


def _none(found, what):
    if found:
        raise harness.Failure(f"{what}:\n  " + "\n  ".join(found))


def test_every_citation_is_of_an_entry():
    tree = _tree()
    if len(tree.defined()) < 100 or len(tree.texts) < 500:
        raise harness.Failure(f"only {len(tree.defined())} entries, {len(tree.texts)} files: not all were found")
    _none(tree.unknown(), "no such entry")


def test_every_entry_is_defined_once_in_its_document():
    tree = _tree()
    _none(tree.defined_twice(), "defined twice")
    _none(tree.in_the_wrong_document(), "in the wrong document")


def test_nothing_cites_what_is_not_in_the_repository():
    _none(_tree().outside(), "cannot be looked up by those who clone the repository")


def test_files_that_the_documents_name_exist():
    _none(_tree().missing_paths(), "no such file")


def test_every_door_names_who_uses_it_and_which_test_would_notice():
    _none(_tree().incomplete(), "incomplete")
    _none(_tree().misnamed(), "not the name of one file")


def test_what_the_doors_name_is_in_slurm():
    """Files and functions are 22.05's; what later releases have instead is in words."""
    meta = SLURM / "META"
    if meta.exists() and re.search(r"(?m)^\s*Version:\s*22\.05\.", meta.read_text()):
        _none(_tree().not_in_slurm(SLURM), "not in Slurm's source")


def test_hacking_md_names_both_documents():
    text = (ROOT / "contribs/doc/hacking.md").read_text(encoding="utf-8")
    _none([path for path in DOCUMENTS.values() if f"({pathlib.PurePosixPath(path).name})" not in text], "no link")


def test_documents_name_the_supported_releases():
    names = release.supported()
    wanted = f"Slurm {', '.join(names[:-1])} and {names[-1]} are supported"
    documents = ("README.md", "contribs/doc/install.md")
    _none([name for name in documents if wanted not in " ".join((ROOT / name).read_text(encoding="utf-8").split())],
          f"does not say that {wanted}")


def test_each_fault_is_noticed():
    """A tree without a fault, and the same with one planted in it."""
    decisions, doors = DOCUMENTS.values()
    sound = {
        decisions: "### D-CFG-1 One\nSee `common/a.c`, [doors](slurm-doors.md).\n### D-FS-2 Two\nD-CFG-1.\n",
        doors: "### S-RSV-1 A door\n`src/a.c`, open_it(), `b.c`, call_it().\n* Later: shut_it() in `src/c.c`.\n* Ours: `a.c`. Test: `fine`.\n"
               "### S-SHUT-1 A wall\n",
        "common/a.c": "/* D-CFG-1, and D-FS-2: chapter 6.3. */\n",
        "src/a.c": "int open_it(void);\n",
        "src/slurmctld/b.c": "int call_it(void);\n",
        "testsuite/scenarios/test_fine.py": "",
    }
    planted = [
        ("unknown", "common/a.c", "/* D-CFG-3 */", ["common/a.c cites D-CFG-3"]),
        ("unknown", "maui.1", ".\\\" S-RSV-2\n", ["maui.1 cites S-RSV-2"]),
        ("unknown", decisions, sound[decisions] + "D-CFG-11", [f"{decisions} cites D-CFG-11"]),
        ("defined_twice", decisions, sound[decisions] + "### D-CFG-1 Again\n", ["D-CFG-1"]),
        ("in_the_wrong_document", doors, sound[doors] + "### D-CFG-9 Here\n", [f"D-CFG-9 is in {doors}"]),
        ("outside", "common/b.h", "/* see design.md */", ["common/b.h cites design.md"]),
        ("outside", "common/b.h", "/* Decision 5: so. */", ["common/b.h cites Decision 5"]),
        ("outside", "b.py", '"""section (f) of it"""', ["b.py cites section (f)"]),
        ("outside", "common/b.h", "/*\n * Chapter 6.3, decision\n * 13.\n */", ["common/b.h cites decision 1"]),
        ("outside", "common/b.h", "/* [S]: 3 */", ["common/b.h cites [S]"]),
        ("missing_paths", decisions, sound[decisions] + "`common/b.c`", [f"{decisions}: common/b.c"]),
        ("missing_paths", doors, sound[doors] + "[gone](gone.md)", [f"{doors}: contribs/doc/gone.md"]),
        ("incomplete", doors, sound[doors].replace("Test: `fine`.", ""), ["S-RSV-1: no Test:"]),
        ("misnamed", doors, sound[doors].replace("`fine`", "`test_fine.c`"), ["S-RSV-1: test_fine.c: 0 files"]),
        ("misnamed", doors, sound[doors].replace("Ours: `a.c`", "Ours: `d.c`"), ["S-RSV-1: d.c: 0 files"]),
        ("misnamed", "plugins/a.c", "", ["S-RSV-1: a.c: 2 files"]),
        ("not_in_slurm", "src/a.c", "int close_it(void);\n", ["S-RSV-1: open_it()"]),
        ("not_in_slurm", doors, sound[doors].replace("`src/a.c`", "`src/c.c`"), ["S-RSV-1: src/c.c", "S-RSV-1: open_it()"]),
        ("not_in_slurm", "src/slurmctld/b.c", "", ["S-RSV-1: call_it()"]),
    ]
    with tempfile.TemporaryDirectory(prefix="maui-cli.") as directory:
        for number, (check, path, text, expected) in enumerate([(check, "common/c.c", "", []) for check, *_ in planted] + planted):
            root = pathlib.Path(directory) / str(number)
            for name, content in {**sound, path: text}.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(content, encoding="utf-8")
            arguments = [root] if check == "not_in_slurm" else []
            harness.equal(getattr(_Tree(root), check)(*arguments), expected, f"{check} with {path} {text!r}")
