# SPDX-License-Identifier: GPL-2.0-or-later
"""maui check and maui check --report are of one opinion: on every name of the key table, of Maui 3.0 and of Moab, in every
section, with right, empty, wrong and foreign values."""

import collections
import json
import pathlib
import re
import subprocess
import tempfile

import cli_harness as harness

LINE = re.compile(r"^[^:]+:(\d+):(\d+): (error|warning): .+$")
MAKE_LINES = harness.BUILD / "testsuite/cli/make_lines"
REFUSED = "; the file is refused"  # said once of an entry
# Names that check looks up, and the report does not.
LOOKED_UP = re.compile(r"on this machine|in small letters only|whether Slurm has a GRES")
LENGTH = 200  # lines of a file: of very many problems with reservations not all are listed


def _all_lines():
    lines = subprocess.run([MAKE_LINES], capture_output=True, check=True, text=True).stdout.splitlines()
    if len(lines) < 5000:
        raise harness.Failure(f"{len(lines)} lines are too few")
    return lines


def _files():
    """The lines in files of which none says the same parameter twice: the last one would stand for all."""
    files = collections.defaultdict(list)
    seen = collections.Counter()
    for line in _all_lines():
        name = re.match(r"(SYSCFG )?[^ =]*", line)[0]
        files[seen[name]].append(line)
        seen[name] += 1
    return [lines[at:at + LENGTH] for lines in files.values() for at in range(0, len(lines), LENGTH)]


def _tails(text):
    """A text, and what stands behind each of its colons: names in front are left out in the report."""
    return [text] + [text[found.end():] for found in re.finditer(r": ", text)]


def _same(report, problem):
    problem = problem.removesuffix(REFUSED)
    if report.endswith("that is known here"):
        return problem.startswith("there is no parameter ") or " has no attribute " in problem
    if report.startswith("in slurm.conf: ") and "in Slurm: " in problem:  # the report has the line's value
        return True
    return report in problem or any(tail in report for tail in _tails(problem))


class _Line:
    def __init__(self):
        self.problems = []
        self.entries = []

    def contradiction(self):
        """In words; None if there is none."""
        verdicts = [entry["verdict"] for entry in self.entries]
        severities = [problem["severity"] for problem in self.problems]
        if not self.entries:
            return "the report is silent"
        if ("error" in verdicts) != ("error" in severities):
            return "only one calls it an error"
        if self.problems and set(verdicts) == {"honoured"}:
            return "the report honours what check complains of"
        for entry in self.entries:
            if entry["verdict"] == "ignored" and not any(_same(entry["text"], problem["text"]) for problem in self.problems):
                return "check does not say why the report calls it ignored"
        for problem in self.problems:
            if not any(entry["verdict"] == "ignored" or _same(entry["text"], problem["text"]) for entry in self.entries):
                return f"the report does not say: {problem['text']}"
        return None


def _opinions(maui, path):
    lines = collections.defaultdict(_Line)
    found = json.loads(maui.run("check", "--offline", "--json", path).stdout)
    for problem in found["problems"]:
        if not LOOKED_UP.search(problem["text"]):
            lines[problem["line"]].problems.append(problem)
    for entry in json.loads(maui.run("check", "--report", "--json", path).stdout)["entries"]:
        lines[entry["line"]].entries.append(entry)
    return found["problems"], lines


def test_check_and_report_agree_on_every_name_with_every_value(maui):
    wrong = []
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "maui.cfg"
        for text in _files():
            path.write_text("\n".join(text) + "\n")
            path.chmod(0o644)
            problems, lines = _opinions(maui, path)
            for problem in problems:
                if not 1 <= problem["line"] <= len(text) or not 1 <= problem["column"] <= len(text[problem["line"] - 1]) + 1:
                    wrong.append(f"a problem without a place: {problem}")
            for number, line in enumerate(text, 1):
                why = lines[number].contradiction()
                if why:
                    wrong.append(f"{line}: {why}: {lines[number].problems} {lines[number].entries}")
    if wrong:
        raise harness.Failure(f"{len(wrong)} lines:\n" + "\n".join(wrong[:10]))


def test_every_line_of_check_has_a_place(maui):
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "maui.cfg"
        path.write_text("\n".join(_all_lines()) + "\n")
        done = maui.run("check", "--offline", path)
        harness.check_code(done, 2)
        for line in done.stdout.decode().splitlines():
            found = LINE.match(line.removeprefix(f"{directory}/"))
            if not found or not int(found[1]) or not int(found[2]):
                raise harness.Failure(f"no place: {line}")
        harness.check_code(maui.run("check", "--report", path), 2)
