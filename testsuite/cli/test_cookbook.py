# SPDX-License-Identifier: GPL-2.0-or-later
"""cookbook.md: each entry's maui.cfg is one that `maui check` finds nothing in, and its jobs begin when and where it says."""

import csv
import pathlib
import re
import tempfile

import cli_harness as harness

DOCUMENT = pathlib.Path(__file__).resolve().parents[2] / "contribs/doc/cookbook.md"
ENTRIES = 30
MONDAY = 1767571200  # 2026-01-05, in UTC
COLUMNS = ("JobID", "Submit", "Eligible", "Start", "End", "ElapsedRaw", "TimelimitRaw", "User", "Group", "Account", "QOS", "Partition",
           "AllocCPUS", "ReqMem", "ReqTRES", "Constraints")
# Users, groups and GRES of the document are not this host's.
OF_THIS_HOST = re.compile(r"there is no (user|group) \w+ on this machine|not checked: whether Slurm has a GRES")
JOB = re.compile(r"(?P<user>\w+) (?P<procs>\d+)x(?P<minutes>\d+)(?P<more>(?: \w+=\S+)*)(?: @(?P<at>\d+))? +-> (?P<begins>\d+)(?: on (?P<nodes>\S+))?")


def _entries():
    """Titles, with the lines of maui.cfg, the machine and the jobs."""
    for part in re.split(r"^### ", DOCUMENT.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        title, _, text = part.partition("\n")
        config, table = re.findall(r"^```\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
        machine, *jobs = table.splitlines()
        yield title, config, machine.removeprefix("nodes "), [JOB.fullmatch(line) or line for line in jobs]


def _row(number, job):
    asked = dict(word.split("=") for word in job["more"].split())
    begin, seconds = MONDAY + 60 * int(job["at"] or 0), 60 * int(job["minutes"])
    limit = int(asked.get("limit", job["minutes"]))
    tres = f"cpu={job['procs']},node=1" + (f",gres/gpu={asked['gpu']}" if "gpu" in asked else "")
    return (number, begin, begin, begin, begin + seconds, seconds, limit, job["user"], asked.get("group", "users"), asked.get("account", "lab"),
            asked.get("qos", "normal"), asked.get("class", "batch"), job["procs"], asked.get("mem", "0"), tres, asked.get("feature", ""))


def _names_of(allocated, machine):
    """n1, n2, ... of a machine of COUNTxCPUS,..., from the processors of a job."""
    cpus = [int(cpus) for count, cpus in re.findall(r"(?:^|,)(\d+)x(\d+)", machine) for _ in range(int(count))]
    owner = [f"n{node + 1}" for node, processors in enumerate(cpus) for _ in range(processors)]
    first_last = (part.partition("-") for part in allocated.split())
    return ",".join(sorted({owner[number] for first, _, last in first_last for number in range(int(first), int(last or first) + 1)}))


def _begins(maui, config, machine, jobs):
    with tempfile.TemporaryDirectory() as top:
        paths = {name: pathlib.Path(top) / name for name in ("maui.cfg", "jobs.txt", "jobs.csv")}
        paths["maui.cfg"].write_text(config, encoding="utf-8")
        rows = (COLUMNS, *(_row(number + 1, job) for number, job in enumerate(jobs)))
        paths["jobs.txt"].write_text("".join("|".join(map(str, row)) + "\n" for row in rows), encoding="utf-8")
        said = maui.run("check", str(paths["maui.cfg"])).stdout.decode()
        wrong = [line for line in said.splitlines() if ": error: " in line or ": warning: " in line and not OF_THIS_HOST.search(line)]
        harness.equal(wrong, [], "what maui check finds")
        done = maui.run("replay", f"--nodes={machine}", f"--config={paths['maui.cfg']}", f"--jobs={paths['jobs.csv']}", str(paths["jobs.txt"]))
        harness.check_code(done, 0)
        with open(paths["jobs.csv"], encoding="utf-8", newline="") as file:
            found = {int(row["job_id"]): row for row in csv.DictReader(file)}
    return [((round(float(found[number]["starting_time"])) - MONDAY) // 60, _names_of(found[number]["allocated_resources"], machine))
            for number in range(1, len(jobs) + 1)]


def _try(maui, title, config, machine, jobs):
    unread = [job for job in jobs if isinstance(job, str)]
    if unread or not jobs:
        raise harness.Failure(f"{title}: this is no line of jobs: {unread}")
    starts = _begins(maui, config, machine, jobs)
    told = [(int(job["begins"]), job["nodes"] or nodes) for job, (_, nodes) in zip(jobs, starts, strict=True)]
    harness.equal(starts, told, f"when and where jobs begin under: {title}")


def test_each_entry_does_what_it_says(maui):
    entries = list(_entries())
    harness.equal(len(entries), ENTRIES, "entries")
    failures = []
    for entry in entries:
        try:
            _try(maui, *entry)
        except harness.Failure as failure:
            failures.append(str(failure))
    if failures:
        raise harness.Failure("\n".join(failures))


def test_each_entry_says_what_slurm_alone_would_not_do(maui):
    """Under an empty maui.cfg at least one job begins elsewhere or at another time: no entry passes without its lines."""
    same = [title for title, _, machine, jobs in _entries() if _begins(maui, "QUEUETIMEWEIGHT 1\n", machine, jobs) == _begins(maui, *_entry_of(title))]
    harness.equal(same, [], "entries whose lines change nothing")


def test_the_answer_in_the_readme_is_one_of_maui_why():
    shown = (DOCUMENT.parents[2] / "README.md").read_text(encoding="utf-8").partition("    $ maui why 17\n")[2].partition("\n\n|")[0]
    printed = (harness.HERE / "golden/why.limit.out").read_text(encoding="utf-8")
    parts = [part.rstrip("\n") for part in re.sub(r"^    ", "", shown, flags=re.MULTILINE).split("\n\n")]
    harness.equal((len(parts), [part for part in parts if part not in printed]), (4, []), "parts of the answer that test_why.py does not see")


def _entry_of(title):
    return next(rest for name, *rest in _entries() if name == title)
