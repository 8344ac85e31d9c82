# SPDX-License-Identifier: GPL-2.0-or-later
"""maui import: slurm.conf files in the style of sites, and what is wrong with files."""

import re
import tempfile

import cli_harness as harness
import pytest

CONFS = harness.HERE / "fixtures" / "import"
MANUAL = harness.HERE.parents[1] / "slurm-build/tree/src/doc/man/man5/slurm.conf.5"
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
    if "sacctmgr" in left or "MAXJOB" in left.replace("MAXIJOB", ""):
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
