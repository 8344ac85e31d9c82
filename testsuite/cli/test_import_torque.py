# SPDX-License-Identifier: GPL-2.0-or-later
"""maui import --torque: the files of three sites, what is wrong with files, and what is written."""

import re
import tempfile
from pathlib import Path

import cli_harness as harness

SITES = harness.HERE / "fixtures" / "import" / "torque"
NAMES = ("department", "centre", "old", "cluster")
FILES = ("slurm.conf", "sacctmgr.sh", "maui.cfg", "remarks")

QMGR = "create queue q\nset queue q queue_type = Execution\n"
NODES = "n1 np=4\n"


def _import(maui, name, *arguments):
    return maui.run("import", f"--torque={name}", *arguments, cwd=SITES)


def test_sites_are_imported(maui):
    for name in NAMES:
        done = _import(maui, name)
        harness.check_code(done, 1)
        harness.check_golden(done, f"import.torque.{name}.out")
        harness.check_errors(done, None)


def test_files_are_written_once(maui):
    with tempfile.TemporaryDirectory() as directory:
        new = Path(directory) / "new"
        done = _import(maui, "centre", f"--output={new}")
        harness.check_code(done, 1)
        harness.equal(sorted(path.name for path in new.iterdir()), sorted(FILES), "files")
        printed = _import(maui, "centre").stdout.decode()
        parts = re.split(r"^\n?#### (.*) ####\n", printed, flags=re.MULTILINE)[1:]
        for name, text in zip(parts[::2], parts[1::2]):
            written = (new / name).read_text()
            harness.equal(written.startswith("#!/bin/sh\n"), name == "sacctmgr.sh", f"{name} is a script")
            harness.equal(written.removeprefix("#!/bin/sh\n").rstrip("\n"), text.rstrip("\n"), name)
        harness.equal((new / "sacctmgr.sh").stat().st_mode & 0o100, 0o100, "the script's mode")
        before = {name: (new / name).read_bytes() for name in FILES}
        (new / "slurm.conf").unlink()
        again = _import(maui, "department", f"--output={new}")
        harness.check_refused(again, "sacctmgr.sh is there already, and is not overwritten")
        harness.equal([name for name in FILES if (new / name).exists()], list(FILES[1:]), "files")
        for name in FILES[1:]:
            harness.equal((new / name).read_bytes(), before[name], name)


def test_what_is_written_passes_the_check(maui):
    for name in NAMES:
        with tempfile.TemporaryDirectory() as directory:
            new = Path(directory) / "new"
            _import(maui, name, f"--output={new}")
            checked = maui.run("check", "--offline", "--json", new / "maui.cfg")
            if checked.returncode == 2:
                raise harness.Failure(checked.stdout.decode())
            # the reader of slurm.conf takes the other file as it is
            (new / "whole.conf").write_text((new / "slurm.conf").read_text() +
                                            "PriorityType=priority/multifactor\n")
            read = maui.run("import", f"--slurm-conf={new / 'whole.conf'}")
            harness.check_errors(read, None)


def _import_files(maui, **files):
    with tempfile.TemporaryDirectory() as directory:
        for name, text in files.items():
            (Path(directory) / name.replace("_", ".")).write_text(text)
        return maui.run("import", f"--torque={directory}")


def test_faults_have_a_place(maui):
    for line, place in (("set queue x enabled = True", "qmgr:3:11: no line before creates this queue"),
                        ("create queue q", "qmgr:3:14: this queue is there already"),
                        ("create queue a]", "qmgr:3:14: a partition cannot have this name"),
                        ("create queue a b", "qmgr:3:16: nothing is expected"),
                        ("create hook h", "qmgr:3:1: this is not a line that qmgr prints"),
                        ("set hook h enabled = True", "qmgr:3:5: this is server, queue or node"),
                        ("set node n1 np = 2", "qmgr:3:10: no line before creates this node"),
                        ("create node n[1-2]", "qmgr:3:13: slurm.conf cannot have this name"),
                        ("create node n1 np=2", "qmgr:3:16: nothing is expected"),
                        ("set queue q", "qmgr:3:12: an attribute is expected"),
                        ("set queue q enabled True", "qmgr:3:21: = or += and a value"),
                        ("set queue q enabled = perhaps", "qmgr:3:23: this is True or False"),
                        ("set queue q max_running = -1", "qmgr:3:27: a whole number"),
                        ("set queue q max_running = ", "qmgr:3:27: there is no value"),
                        ("set queue q resources_max.walltime = 1:2:3:4:5", "qmgr:3:38: a time is"),
                        ("set queue q resources_max.pmem = 4pb", "qmgr:3:34: a size is"),
                        ("set queue q enabled += True", "qmgr:3:24: this attribute has one value"),
                        ('set server comment = "never', "qmgr:3:22: this quote has no end")):
        done = _import_files(maui, qmgr=QMGR + line + "\n", nodes=NODES)
        harness.check_code(done, 2)
        harness.check_errors(done, re.escape(place))
        harness.equal(done.stdout, b"", "the output")


def test_faults_of_nodes_of_qmgr_have_a_place(maui):
    for line, place in (("create node n1", "qmgr:4:13: this node is there already"),
                        ("set node n1 np = 0", "qmgr:4:18: a number from 1"),
                        ("set node n1 np = x", "qmgr:4:18: a whole number"),
                        ("set node n1 gpus = 70000", "qmgr:4:20: this is more than 65533"),
                        ("set node n1 np += 4", "qmgr:4:19: this attribute has one value"),
                        ("set node n1 properties = a&b", "qmgr:4:26: slurm.conf cannot have this feature")):
        done = _import_files(maui, qmgr=QMGR + "create node n1\n" + line + "\n")
        harness.check_code(done, 2)
        harness.check_errors(done, re.escape(place))
    done = _import_files(maui, qmgr=QMGR + "create node n1\n", nodes="# none\nn1 np=4\n")
    harness.check_refused(done, "nodes:2:1: this node is there already")


def test_nodes_of_qmgr_are_as_those_of_the_file(maui):
    printed = _import_files(maui, qmgr=QMGR + "create node n1\nset node n1 np = 4\nset node n1 gpus = 2\n"
                            "set node n1 properties = a\nset node n1 properties += b\n", nodes="").stdout.decode()
    of_file = _import_files(maui, qmgr=QMGR, nodes="n1 np=4 gpus=2 a b\n").stdout.decode()
    named = r"/tmp/\S+"
    harness.equal(re.sub(named, "", printed), re.sub(named, "", of_file), "what is printed")


def test_faults_of_nodes_have_a_place(maui):
    for line, place in (("n1 np=4", "nodes:2:1: this node is there already"),
                        ("n[2-3] np=4", "nodes:2:1: slurm.conf cannot have this name"),
                        ("n2 np=0", "nodes:2:7: a number from 1"),
                        ("n2 np=", "nodes:2:7: there is no value"),
                        ("n2 np=4 gpus=x", "nodes:2:14: a whole number"),
                        ("n2 np=4 gpus=70000", "nodes:2:14: this is more than 65533"),
                        ("n2 np=4 a&b", "nodes:2:9: slurm.conf cannot have this feature")):
        done = _import_files(maui, qmgr=QMGR, nodes=NODES + line + "\n")
        harness.check_code(done, 2)
        harness.check_errors(done, re.escape(place))
    done = _import_files(maui, qmgr=QMGR, nodes="# none\n")
    harness.check_refused(done, "nodes:1:1: there is no node in this file")


def test_faults_of_maui_cfg_have_a_place(maui):
    done = _import_files(maui, qmgr=QMGR, nodes=NODES, maui_cfg="CREDWEIGHT 1\nFSPOLICY NOSUCH\n")
    harness.check_code(done, 2)
    harness.check_errors(done, "maui.cfg:2:10: ")
    harness.equal(done.stdout, b"", "the output")


def test_files_that_are_missing_are_named(maui):
    harness.check_refused(_import_files(maui, nodes=NODES), "has neither qmgr nor server")
    harness.check_refused(_import_files(maui, qmgr=QMGR), "nodes")
    harness.check_refused(_import_files(maui, qmgr=QMGR, server=QMGR, nodes=NODES), "both qmgr and server")
    harness.check_refused(_import_files(maui, qmgr=QMGR, nodes=NODES, maui_cfg="", moab_cfg=""),
                          "both maui.cfg and moab.cfg")


# Of nodes: those that all of them report are one remark.
_REPORTED = {"power_state", "ntype", "status", "mom_service_port", "mom_manager_port", "jobs"}


def test_what_all_nodes_report_is_one_remark(maui):
    printed = _import(maui, "cluster").stdout.decode()
    for name in _REPORTED:
        harness.equal(len(re.findall(rf"node n\d: {name}\b", printed)), 1, f"remarks on {name}")


def test_no_attribute_is_left_out_in_silence(maui):
    """Each line of a dump is in a file, by its name and value, or among the remarks."""
    silent = {"queue_type", "enabled", "started", "resources_max.walltime", "resources_default.walltime",
              "resources_max.nodect", "resources_min.nodect", "resources_max.nodes", "resources_max.pmem",
              "resources_default.pmem", "resources_default.neednodes", "features_required", "acl_user_enable",
              "acl_group_enable", "acl_host_enable", "acl_logic_or", "acl_users", "acl_groups", "acl_hosts",
              "route_destinations", "default_queue", "query_other_jobs", "np", "properties", "state"}
    for name, dump in zip(NAMES, ("qmgr", "server", "qmgr", "qmgr")):
        printed = _import(maui, name).stdout.decode()
        lines = (SITES / name / dump).read_text().splitlines()
        for number, line in enumerate(lines, 1):
            found = re.match(r"set (?:(?:queue|node) \w+|server) (\S+) = ", line)
            if found and found[1] not in silent | _REPORTED and not re.search(rf"{dump}:{number}\b", printed):
                raise harness.Failure(f"{name}/{dump}:{number}: {line} is nowhere in\n{printed}")


def test_a_list_of_users_never_opens_a_partition(maui):
    for lines in ("acl_user_enable = True\n", "acl_user_enable = True\nset queue q acl_users = -bob\n",
                  "acl_group_enable = True\n", "acl_group_enable = True\nset queue q acl_groups = *\n"):
        printed = _import_files(maui, qmgr=QMGR + "set queue q " + lines, nodes=NODES).stdout.decode()
        if "PartitionName=q Nodes=ALL AllowGroups=torque-q " not in printed:
            raise harness.Failure(printed)


def test_wrong_usage_is_refused(maui):
    for arguments, pattern in ((["--output=x"], "--output needs --torque"),
                               (["--torque=x", "--slurm-conf=y"], "--torque takes --output alone"),
                               (["--torque=x", "--take-limits"], "--torque takes --output alone"),
                               (["--torque=x", "--compare"], "--torque takes --output alone"),
                               (["--torque=x", "--torque=y"], "one file at a time"),
                               (["--torque=/nowhere"], "has neither qmgr nor server")):
        harness.check_refused(maui.run("import", *arguments), pattern)
