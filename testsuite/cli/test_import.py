# SPDX-License-Identifier: GPL-2.0-or-later
"""maui import: slurm.conf files in the style of sites, and what is wrong with files."""

import json
import pathlib
import re
import tempfile

import cli_harness as harness
import fake_slurm as fs
import pytest

CONFS = harness.HERE / "fixtures" / "import"
SLURM = harness.HERE.parents[1] / "slurm-build/tree/prepared/src"
MANUAL = SLURM / "doc/man/man5/slurm.conf.5"
HEADER = harness.HERE.parents[1] / "common/import/import_settings.h"


def _import_conf(maui, name):
    return maui.run("import", f"--slurm-conf={name}.conf", cwd=CONFS)


def test_sites_are_imported(maui):
    for name in ("small", "department", "gpus", "fifo", "large"):
        done = _import_conf(maui, name)
        harness.check_code(done, 1)
        harness.check_golden(done, f"import.{name}.out")
        harness.check_errors(done, None)


def test_accounting_is_imported_beside_it(maui):
    done = maui.run("import", "--slurm-conf=department.conf", "--qos=department.qos",
                    "--associations=department.dump", "--reservations=department.resv", cwd=CONFS)
    harness.check_code(done, 1)
    harness.check_golden(done, "import.accounting.out")
    harness.check_errors(done, None)


def test_limits_are_taken(maui):
    files = ("--slurm-conf=limits.conf", "--qos=limits.qos", "--associations=limits.dump")
    done = maui.run("import", *files, "--take-limits", cwd=CONFS)
    harness.check_code(done, 1)
    harness.check_golden(done, "import.limits.out")
    harness.check_errors(done, None)
    with tempfile.NamedTemporaryFile(suffix=".cfg") as file:
        file.write(done.stdout)
        file.flush()
        checked = maui.run("check", "--offline", file.name).stdout.decode()
    harness.equal([line for line in checked.splitlines() if "(--offline)" not in line], [], "the problems")
    left = maui.run("import", *files, cwd=CONFS).stdout.decode()
    for limit in ("GrpTRES=cpu=64,mem=512G,gres/gpu=8,node=10 of QOS long", "MaxJobs=40 of account root"):
        if limit not in left:
            raise harness.Failure(f"without --take-limits {limit!r} is not Slurm's:\n{left}")
    if "sacctmgr -i" in left or "MAXJOB" in left.replace("MAXIJOB", ""):
        raise harness.Failure(f"without --take-limits:\n{left}")


def test_what_is_wrong_with_accounting_is_told(maui):
    for option, name, pattern in (("--qos", "department.dump", r"department.dump:1:1: this is not what"),
                                  ("--associations", "department.qos", r"department.qos:1:1: a line begins"),
                                  ("--qos", "nowhere", "nowhere"),
                                  ("--reservations", "nowhere", "nowhere"),
                                  ("--reservations", "department.qos", "department.qos:1:1: this is not KEY=VALUE"), ("--associations", "nowhere", "nowhere")):
        done = maui.run("import", "--slurm-conf=department.conf", f"{option}={name}", cwd=CONFS)
        harness.check_refused(done, pattern)


def test_what_is_printed_passes_the_check(maui):
    for name in ("small", "department", "gpus", "fifo", "large"):
        with tempfile.NamedTemporaryFile(suffix=".cfg") as file:
            file.write(_import_conf(maui, name).stdout)
            file.flush()
            checked = maui.run("check", "--offline", file.name).stdout.decode()
        found = [line for line in checked.splitlines() if "(--offline)" not in line]
        harness.equal(found, [], f"the problems of {name}")


def _import_text(maui, text):
    with tempfile.NamedTemporaryFile("w", suffix=".conf") as file:
        file.write(text)
        file.flush()
        return maui.run("import", f"--slurm-conf={file.name}")


MACHINE = "NodeName=n CPUs=4\nPartitionName=p Nodes=n\nPriorityType=priority/multifactor\n"


def test_nothing_to_remark_upon_is_success(maui):
    done = _import_text(maui, MACHINE + "AccountingStorageType=accounting_storage/slurmdbd\n"
                       "PriorityWeightAge=100\nPriorityFlags=ACCRUE_ALWAYS\n")
    harness.check_code(done, 0)
    if b"QUEUETIMEWEIGHT" not in done.stdout or b"\n#   " in done.stdout:
        raise harness.Failure(done.stdout.decode())


def test_faults_have_a_place(maui):
    for line, place in (("PriorityWeightAge=many", "4:19: a whole number"),
                        ("PriorityWeightTRES=cpu=1,mem", "4:26: this is not TRES=WEIGHT"),
                        ("PriorityWeightTRES=cpu=x", "4:20: a weight is"),
                        ("PriorityWeightTRES=cpu=1Q", "4:20: behind the weight"),
                        ("PriorityMaxAge=soon", "4:16: a time is"),
                        ("PriorityFavorSmall=perhaps", "4:20: this is YES or NO"),
                        ("PriorityType=priority/maui", "4:14: priority/maui has a maui.cfg already"),
                        ("PriorityType=priority/other", "4:14: only priority/multifactor"),
                        ("PartitionName=q Nodes=n PriorityJobFactor=65536", "4:43: a whole number"),
                        ("PartitionName=a]b Nodes=n", "4:15: maui.cfg cannot have this name"),
                        ("PriorityWeightTRES=gres/a#b=1", "4:20: this is not TRES=WEIGHT"),
                        ('PriorityWeightTRES="gres/a b=1"', "4:21: maui.cfg cannot"),
                        ("Include nowhere.conf", "4:9: this cannot be included"),
                        ("PriorityWeightAge", "4:1: this is not KEY=VALUE")):
        done = _import_text(maui, MACHINE + line + "\n")
        harness.check_code(done, 2)
        harness.check_errors(done, re.escape(place))
        harness.equal(done.stdout, b"", "the output")


def test_wrong_usage_is_refused(maui):
    for arguments, pattern in ((["x"], "unexpected argument x"),
                               (["--slurm-conf=a", "--slurm-conf=b"], "one file at a time"),
                               (["--slurm-conf=a", "--json"], "prints a maui.cfg")):
        done = maui.run("import", *arguments)
        harness.check_refused(done, pattern)
    done = maui.run("import")
    harness.check_refused(done, "cannot read SLURM_CONF /nonexistent/slurm.conf")
    done = maui.run("import", "--slurm-conf=/nowhere")
    harness.check_code(done, 2)
    harness.check_errors(done, "/nowhere")


NOW = 1700003600


def _check_imported(maui, name, text):
    """It is read without a word, and what is printed passes the check."""
    done = _import_text(maui, text)
    harness.check_errors(done, None)
    if done.returncode not in (0, 1):
        raise harness.Failure(f"{name}: {done}")
    with tempfile.NamedTemporaryFile(suffix=".cfg") as file:
        file.write(done.stdout)
        file.flush()
        checked = maui.run("check", "--offline", file.name).stdout.decode()
    harness.equal([line for line in checked.splitlines() if "(--offline)" not in line], [], f"the problems of {name}")
    return done.stdout.decode()


def _samples():
    """Of Slurm's documents those that are a whole slurm.conf, by name."""
    for path in ("doc/html/overview.shtml", "doc/html/quickstart_admin.shtml", "doc/html/priority_multifactor.shtml"):
        text = (SLURM / path).read_text(encoding="utf-8")
        for number, sample in enumerate(re.findall(r"<pre>(.*?)</pre>", text, re.DOTALL)):
            sample = re.sub(r"<[^>]*>", "", sample)
            if re.search(r"(?m)^(PriorityType|SlurmctldHost)=", sample):
                yield f"{path}, {number}", sample
    roff = re.split(r"(?m)^\.SH ", MANUAL.read_text(encoding="utf-8"))
    example = next(part for part in roff if part.startswith('"EXAMPLE"'))
    yield "slurm.conf(5)", "\n".join(line.replace("\\", "") for line in example.splitlines()[1:] if re.match(r"#|\w+=", line))
    for path in (SLURM / "etc/slurm.conf.example", *sorted(SLURM.glob("testsuite/python/tests/**/slurm.conf"))):
        yield str(path), path.read_text(encoding="utf-8")


def test_slurms_own_samples_are_imported(maui):
    if not MANUAL.exists():
        pytest.skip("the prepared Slurm has no documents")
    samples = list(_samples())
    harness.equal(len(samples) >= 9, True, f"samples in {[name for name, _ in samples]}")
    for name, text in samples:
        priority = "priority_multifactor" in name
        printed = _check_imported(maui, name, text + (MACHINE if priority else ""))
        if priority != ("\nQUEUETIMEWEIGHT " in printed and "\nFSTREEWEIGHT " in printed):
            raise harness.Failure(f"{name}:\n{printed}")


def test_the_conf_of_slurms_expect_tests_is_imported(maui):
    """What testsuite/expect/run gives its private clusters."""
    text = (harness.HERE.parents[1] / "testsuite/expect/run").read_text(encoding="utf-8")
    lines = re.findall(r'^(?:SLURM_CONF|SELECTION|BACKFILL) = """\\\n(.*?)^"""$', text, re.MULTILINE | re.DOTALL)
    harness.equal(len(lines), 3, "texts with lines of slurm.conf")
    printed = _check_imported(maui, "expect", "".join(lines).replace("Gres=", "CPUs=4 Gres=") +
                              "PriorityType=priority/multifactor\nPriorityWeightFairshare=10000\nPriorityWeightQOS=2000\n"
                              "PartitionName=batch Nodes=ALL\n")
    for words in ("FSTREEWEIGHT", "PriorityDecayHalfLife=0", "PriorityUsageResetPeriod=YEARLY"):
        if words not in printed:
            raise harness.Failure(printed)


def test_the_manual_has_the_columns_of_qos(maui):
    """As the header has them, and as the remark names them if a file lacks some."""
    header = (HEADER.parent / "import_accounting.h").read_text(encoding="utf-8")
    macro = header.partition("#define MAUI_IMPORT_QOS_COLUMNS")[2].partition("\n\n")[0]
    columns = "".join(re.findall(r'"([^"]*)"', macro))
    page = (harness.HERE.parents[1] / "contribs/man/maui.1").read_text(encoding="utf-8")
    harness.equal(re.findall(r"^format=(Name.*)$", page.replace("\\:", ""), re.MULTILINE), [columns], "columns in maui(1)")
    done = maui.run("import", "--slurm-conf=department.conf", "--qos=department.qos", cwd=CONFS)
    if f"#       format={columns}\n" not in harness.text_of(done):
        raise harness.Failure(harness.text_of(done))


def _waiting(number, priority, **members):
    return {"job": number, "user": "bob", "group": "staff", "account": "phys", "qos": "normal", "partition": "batch",
            "state": "PENDING", "reason": "Priority", "priority": priority, "nice": 0, "site_factor": 0,
            "submit": NOW - 86400, "accrue": NOW - 86400, "time_limit": 3600, "nodes": 1, "procs": 24} | members


# Under department.conf's lines: 1 waits longest, 2 has the QOS, 3 is large, 4 asks for two partitions, 5 is held.
WAITING = [
    _waiting(1, 1400, submit=NOW - 5 * 86400),
    _waiting(2, 52000, qos="express", user="eve"),
    _waiting(3, 1500, nodes=8, procs=192, reason="Resources"),
    _waiting(4, 1700, partition="batch,express", nice=-7),
    _waiting(5, 0, reason="JobHeldUser"),
    {"job": 6, "state": "RUNNING", "user": "bob", "partition": "batch", "priority": 9},
]


def _queue_file(jobs, **members):
    partitions = [{"name": name, "job_factor": factor} for name, factor in (("batch", 10), ("express", 30))]
    return {"schema": "maui.queue/1", "time": NOW, "jobs": jobs, "nodes": [{"name": "a1", "procs": 24}],
            "partitions": partitions, "reservations": []} | members


def _compare_saved(maui, queue, *options, conf="department.conf"):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        file.write(queue if isinstance(queue, str) else json.dumps(queue))
        file.flush()
        return maui.run("import", f"--slurm-conf={conf}", "--qos=department.qos", "--associations=department.dump",
                        f"--queue-file={file.name}", *(options or ["--compare"]), cwd=CONFS)


def test_a_saved_queue_is_compared(maui):
    done = _compare_saved(maui, _queue_file(WAITING))
    harness.check_code(done, 0)
    harness.check_golden(done, "import.compare.saved.out")
    harness.check_errors(done, None)


def test_another_file_is_compared(maui):
    with tempfile.NamedTemporaryFile("w", suffix=".cfg") as file:
        file.write("QUEUETIMEWEIGHT 0\nRESWEIGHT 1\nPROCWEIGHT 1\n")
        file.flush()
        done = _compare_saved(maui, _queue_file(WAITING), f"--compare={file.name}")
        harness.check_code(done, 0)
        text = harness.text_of(done)
        if f"beside those of\n{file.name}\n" not in text:
            raise harness.Failure(text)
        harness.equal(re.search(r"^3 +bob +(\d+) -> (\d+) ", text, re.MULTILINE).groups(), ("3", "1"), "job 3")
        file.write("NOSUCHKEY[ 1\nPROCWEIGHT x\n")
        file.flush()
        done = _compare_saved(maui, _queue_file(WAITING), f"--compare={file.name}")
    harness.check_refused(done, rf"{file.name}:5:12: ")
    harness.check_refused(_compare_saved(maui, _queue_file([]), "--compare=/nowhere.cfg"), "/nowhere.cfg")


def _compare_with(maui, text, queue, *options):
    with tempfile.NamedTemporaryFile("w", suffix=".cfg") as file:
        file.write(text)
        file.flush()
        done = _compare_saved(maui, queue, f"--compare={file.name}", *options)
    harness.check_code(done, 0)
    harness.check_errors(done, None)
    return harness.text_of(done).replace(file.name, "FILE")


def test_gpus_count_in_the_processor_equivalent(maui):
    """Of 96 processors and 8 GPUs: a GPU is 12 processors."""
    jobs = [_waiting(1, 9, procs=2), _waiting(2, 5, procs=1, tres="cpu=1,gres/gpu=3"), _waiting(3, 7, procs=30)]
    nodes = [{"name": f"a{number}", "procs": 24, "gres": gres}
             for number, gres in enumerate(("gpu:a100:4(S:0)", "gpu:4", "", None))]
    lines = "QUEUETIMEWEIGHT 0\nRESWEIGHT 1\nPEWEIGHT 10\n"
    for more, priorities in (("", [20, 10, 300]), ("PEGRES[gpu] TRUE\n", [20, 360, 300]),
                             ("PEGRES[gpu:a100] TRUE\n", [20, 10, 300])):
        found = json.loads(_compare_with(maui, lines + more, _queue_file(jobs, nodes=nodes), "--json"))
        rows = {job["job"]: job["maui"]["priority"] for job in found["jobs"]}
        harness.equal([rows[number] for number in (1, 2, 3)], priorities, f"priorities with {more!r}")


def test_a_tree_that_sprio_does_not_have_is_told(maui):
    lines = "QUEUETIMEWEIGHT 1\nFSWEIGHT 1\nFSTREEWEIGHT 40\n"
    text = _compare_with(maui, lines, _queue_file(WAITING))
    if "\nThe file's FSTREEWEIGHT gives no job points here:\nsprio has no FairShare of a saved queue" not in text:
        raise harness.Failure(text)
    notes = json.loads(_compare_with(maui, lines, _queue_file(WAITING), "--json"))["notes"]
    harness.equal([note["name"] for note in notes], ["FSTREEWEIGHT"], "notes")
    text = _compare_with(maui, lines.replace("40", "0"), _queue_file(WAITING))
    if "FSTREEWEIGHT" in text:
        raise harness.Failure(text)


def test_a_comparison_is_json_too(maui):
    done = _compare_saved(maui, _queue_file(WAITING), "--compare", "--json")
    harness.check_code(done, 0)
    found = json.loads(done.stdout)
    harness.equal((found["schema"], found["time"], found["file"]), ("maui.import-compare/1", NOW, None), "the beginning")
    harness.equal(found["counts"], {"jobs": 4, "moved": 3, "held": 1}, "counts")
    harness.equal(found["alike"]["pairs"], 6, "pairs")
    for job in found["jobs"]:
        harness.equal(job["change"], job["slurm"]["rank"] - job["maui"]["rank"], f"change of {job}")
        harness.equal((job["slurm"]["points"], job["reason"], job["by_hand"]), (None, None, False), f"points of {job}")
        harness.equal(sum(job["maui"]["points"].values()) > 0, True, f"points of {job}")
    harness.equal(found["mean"]["slurm"], dict.fromkeys(found["mean"]["maui"]), "points of a saved queue")


def test_orders_without_a_correlation_say_so(maui):
    for jobs, words in (([], "not defined, since there are no two jobs"),
                        ([_waiting(1, 5)], "not defined, since there are no two jobs"),
                        ([_waiting(1, 5), _waiting(2, 5, procs=1)], "all priorities of Slurm are equal"),
                        ([_waiting(1, 5), _waiting(2, 6)], "all priorities of the file are equal")):
        done = _compare_saved(maui, _queue_file(jobs))
        harness.check_code(done, 0)
        if words not in harness.text_of(done):
            raise harness.Failure(harness.text_of(done))


def test_a_queue_that_is_none_is_an_error(maui):
    harness.check_refused(_compare_saved(maui, "{"), "is not a maui.queue/1")
    done = maui.run("import", "--slurm-conf=small.conf", "--compare", "--queue-file=/nowhere", cwd=CONFS)
    harness.check_refused(done, "/nowhere")
    done = maui.run("import", "--slurm-conf=small.conf", "--compare", cwd=CONFS)
    harness.check_refused(done, "cannot read SLURM_CONF")


SPRIO = """\
1|batch|103000|2000|100|100000|400|341|0|1.0000000|cpu=159
2|batch|52000|800|50|0|900|341|50000|0.0000000|
3|batch|1500|800|50|0|0|341|0|0.0000000|cpu=309
4|batch|1700|800|50|0|509|341|0|0.0000000|
4|express|2400|800|50|0|509|1041|0|0.0000000|
7|batch|777|0|0|0|0|0|0|0.0000000|
"""


def _slurm_job(number, **members):
    unset = {"array_task_id": fs.NO_VAL, "time_limit": 60, "nice": fs.NICE_OFFSET, "site_factor": fs.NICE_OFFSET,
             "submit_time": NOW - 86400, "accrue_time": NOW - 86400, "num_cpus": 24, "num_nodes": 1, "user_id": 0,
             "group_id": 0, "account": "phys", "qos": "normal", "partition": "batch", "priority": 500}
    return unset | {"job_id": number, "name": "j"} | members


def _compare_running(maui, sprio, conf="department.conf", file="", more=()):
    jobs = [_slurm_job(1, priority=103000), _slurm_job(2, priority=52000, qos="express"),
            _slurm_job(3, priority=1500, num_cpus=192, num_nodes=8),
            _slurm_job(4, priority=1700, partition="batch,express"), _slurm_job(7, priority=777), _slurm_job(8)]
    with fs.Slurm(conf={"PriorityType": None, "PriorityParameters": None}, jobs=jobs) as slurm, harness.clock(NOW) as clock:
        if sprio is not None:
            program = pathlib.Path(slurm.path("sprio"))
            program.write_text(f"#!/bin/sh\n[ \"$*\" = '-h -o %i|%r|%Y|%A|%B|%F|%J|%P|%Q|%f|%T' ] || exit 9\n{sprio}\n")
            program.chmod(0o755)
        return slurm.run(maui, "import", f"--slurm-conf={CONFS / conf}", f"--qos={CONFS / 'department.qos'}",
                         f"--associations={CONFS / 'department.dump'}", f"--compare{file}", *more,
                         env={"PATH": f"{slurm.directory}{':/usr/bin:/bin' if sprio else ''}"} | _clock_of(clock))


def _clock_of(clock):
    """fake_slurm's library is preloaded, too."""
    return clock | {"LD_PRELOAD": f"{clock['LD_PRELOAD']}:{fs.LIBRARY}"}


@fs.ITS_SLURM
def test_the_running_queue_has_reasons(maui):
    done = _compare_running(maui, f"cat <<'END'\n{SPRIO}END")
    harness.check_code(done, 0)
    harness.check_golden(done, "import.compare.out")
    harness.check_errors(done, None)


@fs.ITS_SLURM
def test_the_running_queue_has_reasons_in_json(maui):
    """The parts of the text's reasons, and their points."""
    text = harness.text_of(_compare_running(maui, f"cat <<'END'\n{SPRIO}END"))
    done = _compare_running(maui, f"cat <<'END'\n{SPRIO}END", more=["--json"])
    harness.check_code(done, 0)
    found = json.loads(done.stdout)
    words = {"Age": "age", "Association": "association", "Fairshare": "fairshare", "Size": "size", "Partition": "partition",
             "QOS": "qos", "priority": None, "sprio": None}
    shown = re.findall(r"(?m)^(\d+) +\w+ +(\d+) -> (\d+) +(\w+)", text)
    moved = [job for job in found["jobs"] if job["change"]]
    harness.equal([(str(job["job"]), str(job["slurm"]["rank"]), str(job["maui"]["rank"]), job["reason"]) for job in moved],
                  [(job, today, then, words[word]) for job, today, then, word in shown], "jobs that move")
    by_hand = [job["job"] for job in found["jobs"] if job["by_hand"]]
    harness.equal(by_hand, [7], "jobs with a priority set by hand")
    first = next(job for job in found["jobs"] if job["job"] == 1)
    harness.equal(first["slurm"]["points"], {"age": 2000, "association": 100, "fairshare": 100000, "size": 559, "partition": 341,
                                             "qos": 0, "target": 0}, "points of job 1")


@fs.ITS_SLURM
def test_a_tree_without_slurms_weight_is_told(maui, tmp_path):
    (tmp_path / "tree.cfg").write_text("FSWEIGHT 1\nFSTREEWEIGHT 10\n", encoding="utf-8")
    no_share = re.sub(r"\|1\.0000000\|", "|0.0000000|", SPRIO)
    for sprio, told in ((no_share, True), (SPRIO, False)):
        done = _compare_running(maui, f"cat <<'END'\n{sprio}END", file=f"={tmp_path / 'tree.cfg'}")
        harness.check_code(done, 0)
        harness.equal("sprio has no FairShare above 0" in harness.text_of(done), told, "FSTREEWEIGHT is a note")


@fs.ITS_SLURM
def test_points_without_a_counterpart_are_a_reason(maui, tmp_path):
    (tmp_path / "nothing.cfg").write_text("QUEUETIMEWEIGHT 0\n", encoding="utf-8")
    done = _compare_running(maui, f"cat <<'END'\n{SPRIO}END", file=f"={tmp_path / 'nothing.cfg'}")
    harness.check_code(done, 0)
    text = harness.text_of(done)
    if "points,\nand the file has no counterpart" not in text or not re.search(r"(?m) -> .*Fairshare [\d,]+ points, the file none$", text):
        raise harness.Failure(text)


@fs.ITS_SLURM
def test_priority_basic_has_no_points(maui):
    done = _compare_running(maui, "exit 1", conf="fifo.conf")
    harness.check_code(done, 0)
    harness.check_errors(done, None)
    text = harness.text_of(done)
    if "6 waiting jobs compared" not in text or "sprio has none of a saved" not in text:
        raise harness.Failure(harness.text_of(done))


@fs.ITS_SLURM
def test_points_that_cannot_be_had_are_an_error(maui):
    for sprio, words in ((None, "cannot run sprio"), ("echo no such plugin >&2; exit 1", "no such plugin"),
                         ("echo '5|a'", "sprio:1:1: this is not what `sprio")):
        harness.check_refused(_compare_running(maui, sprio), words)


def _settings_of_the_manual():
    """Names of slurm.conf(5) that are policy: those of priority and preemption, and a partition's."""
    text = MANUAL.read_text(encoding="utf-8")
    parts = re.split(r'^\.SH "?([A-Z ]+)"?$', text, flags=re.MULTILINE)
    sections = dict(zip(parts[1::2], parts[2::2]))
    names = r"^\.TP\n\\fB([A-Z]\w+)\\fR$"
    of_all = {name for name in re.findall(names, sections["PARAMETERS"], re.MULTILINE)
              if re.match("(Priority|Preempt).", name)}
    words = {"EXCLUSIVE", "FORCE", "YES", "NO", "OFF", "CANCEL", "GANG", "REQUEUE", "SUSPEND"}
    of_partitions = set(re.findall(names, sections["PARTITION CONFIGURATION"], re.MULTILINE)) - words
    flags = re.search(r"^\\fBPriorityFlags\\fR$.*?^\\fBPriorityMaxAge\\fR$", sections["PARAMETERS"],
                      re.MULTILINE | re.DOTALL)[0]
    return of_all, of_partitions, set(re.findall(r"^\\fB([A-Z_]+)\\fR$", flags, re.MULTILINE))


def test_every_setting_of_the_manual_has_a_row(maui):
    if not MANUAL.exists():
        pytest.skip("the prepared Slurm has no manual")
    tables = re.split(r"#define MAUI_IMPORT_\w+\(SETTING\)", HEADER.read_text(encoding="utf-8"))[1:]
    rows = [set(re.findall(r'SETTING\(\w+,\s*"(\w+)"', table)) for table in tables]
    for names, least, row in zip(_settings_of_the_manual(), (20, 30, 11), rows):
        if len(names) < least:
            raise harness.Failure(f"the manual is read wrongly: {sorted(names)}")
        harness.equal(sorted(names - row), [], "the settings without a row")
