#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""maui check: what it finds, how it says so, and what it says of what it cannot check."""

import json
import os
import pathlib
import re
import sys
import tempfile

import harness

LINE = re.compile(r"^[^:]+:\d+:\d+: (error|warning): .+$")


def a_clean_file_is_silent(maui):
    done = maui.run("check", "clean.cfg")
    harness.check_code(done, 0)
    harness.check_quiet(done)


def warnings_are_exit_code_1(maui):
    done = maui.run("check", "warnings.cfg")
    harness.check_code(done, 1)
    lines = done.stdout.decode().splitlines()
    for line in lines:
        if not LINE.match(line) or ": error: " in line:
            raise harness.Failure(f"this is no warning: {line}")
    harness.equal([line.split(":")[1] for line in lines], ["2", "3", "4", "5"], "the lines with warnings")


def errors_are_exit_code_2(maui):
    done = maui.run("check", "errors.cfg")
    harness.check_code(done, 2)
    text = done.stdout.decode()
    for pattern in (r"^errors.cfg:1:\d+: error: ", r"^errors.cfg:3:\d+: error: ", r"^errors.cfg:4:\d+: error: .*not-there",
                    r"^errors.cfg:2:1: warning: "):
        if not re.search(pattern, text, re.MULTILINE):
            raise harness.Failure(f"no line is /{pattern}/: {text}")


def unknown_users_groups_and_administrators_are_named(maui):
    text = maui.run("check", "warnings.cfg").stdout.decode()
    for line in (
            "warnings.cfg:3:1: warning: USERCFG[no_such_user]: this machine knows no user no_such_user; the line acts on no job",
            "warnings.cfg:4:1: warning: GROUPCFG[no_such_group]: this machine knows no group no_such_group; the line acts on no job",
            "warnings.cfg:5:1: warning: ADMIN1: this machine knows no user no_such_admin; nobody has this right"):
        if line not in text.splitlines():
            raise harness.Failure(f"this line is missing: {line}\n{text}")


def problems_come_in_the_order_of_lines(maui):
    lines = [int(line.split(":")[1]) for line in maui.run("check", "errors.cfg").stdout.decode().splitlines()]
    harness.equal(lines, sorted(lines), "lines")


def what_cannot_be_checked_is_said(maui):
    done = maui.run("check", "full.cfg")
    harness.check_errors(done, r"NOTE:     not checked: slurm.conf \(cannot read SLURM_CONF ")
    harness.check_errors(done, "NOTE:     not checked: whether Slurm knows the QOS, partitions that the file names")
    harness.check_errors(maui.run("check", "--offline", "clean.cfg"), r"not checked: slurm.conf \(--offline\)")


def problems_as_json(maui):
    done = maui.run("check", "--json", "--offline", "warnings.cfg")
    harness.check_code(done, 1)
    harness.check_errors(done, None)
    found = json.loads(done.stdout)
    harness.equal(list(found), ["schema", "file", "errors", "warnings", "problems", "notes"], "members")
    harness.equal(found["schema"], "maui.check/1", "schema")
    harness.equal(found["file"], "warnings.cfg", "file")
    harness.equal((found["errors"], found["warnings"]), (0, 4), "numbers")
    harness.equal(list(found["problems"][1]), ["severity", "file", "line", "column", "text"], "a problem's members")
    harness.equal((found["problems"][1]["line"], found["problems"][1]["severity"]), (3, "warning"), "a problem")
    harness.equal(found["notes"], ["not checked: slurm.conf (--offline)"], "notes")


def json_and_text_agree(maui):
    text = maui.run("check", "--offline", "errors.cfg")
    found = json.loads(maui.run("check", "--offline", "--json", "errors.cfg").stdout)
    lines = ["{file}:{line}:{column}: {severity}: {text}".format(**problem) for problem in found["problems"]]
    harness.equal(lines, text.stdout.decode().splitlines(), "problems")


def a_clean_file_as_json(maui):
    done = maui.run("check", "--json", "--offline", "clean.cfg")
    harness.check_code(done, 0)
    harness.equal(json.loads(done.stdout)["problems"], [], "problems")


def reservations_say_what_is_not_there_yet(maui):
    done = maui.run("check", "--offline", "reservations.cfg")
    harness.check_code(done, 2)  # z
    harness.check_golden(done, "check.reservations.out")


def limits_of_a_node_that_nobody_looks_at_are_told(maui):
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "maui.cfg"
        path.write_text("NODECFG[DEFAULT] MAXPROC[CLASS:batch]=4 MAXJOB[USER]=1 MAXPROC[ACCOUNT:a]=2 MAXJOB=3\n"
                        "NODECFG[n1] MAXJOB=2 MAXPROC[USER:root]=8\nNODECFG[n2] MAXJOB[QOS:hi]=1\n")
        done = maui.run("check", "--offline", path)
    harness.check_code(done, 1)
    found = [line.partition("maui.cfg:")[2] for line in done.stdout.decode().splitlines()]
    kept = "has no effect: of limits of a node, those that name a class or an account are kept"
    harness.equal(found, [f"2:22: warning: NODECFG[n1]: MAXPROC of user root {kept}",
                          f"3:13: warning: NODECFG[n2]: MAXJOB of qos hi {kept}"], "problems")


def accounts_and_qos_are_in_small_letters(maui):
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "maui.cfg"
        path.write_text("ACCOUNTCFG[projectX] PRIORITY=1\nACCOUNTCFG[DEFAULT] PRIORITY=1\nQOSCFG[High] PRIORITY=2\nCLASSCFG[Big] PRIORITY=1\n")
        done = maui.run("check", "--offline", path)
    harness.check_code(done, 1)
    found = [line.partition("maui.cfg:")[2] for line in done.stdout.decode().splitlines()]
    small = "in small letters only: write it so, or the line acts on no job"
    harness.equal(found, [f"1:1: warning: ACCOUNTCFG[projectX]: Slurm knows accounts {small}",
                          f"3:1: warning: QOSCFG[High]: Slurm knows QOS {small}"], "problems")


def files_that_cannot_be_read_are_exit_code_2(maui):
    for name, pattern in (("/nonexistent/maui.cfg", "No such file"), (".", "directory"), ("/dev/null", ""), ("", "")):
        done = maui.run("check", "--offline", name)
        harness.check_code(done, 2)
        harness.check_quiet(done)
        harness.check_errors(done, "ERROR:    .*" + pattern)


def a_file_that_cannot_be_read_is_json_too(maui):
    done = maui.run("check", "--json", "/nonexistent/maui.cfg")
    harness.check_code(done, 2)
    found = json.loads(done.stdout)
    harness.equal((found["errors"], found["problems"][0]["line"]), (1, 0), "errors and line")


def a_file_without_permission_is_exit_code_2(maui):
    if os.getuid() == 0:
        return
    with tempfile.NamedTemporaryFile() as file:
        os.chmod(file.name, 0)
        done = maui.run("check", file.name)
    harness.check_code(done, 2)
    harness.check_errors(done, "Permission denied")


def without_a_file_and_slurm_it_asks_which(maui):
    done = maui.run("check")
    harness.check_code(done, 2)
    harness.check_errors(done, r"which file\? \(cannot read SLURM_CONF")


def configfile_names_the_file_too(maui):
    harness.check_code(maui.run("check", "--offline", "--configfile=clean.cfg"), 0)
    harness.check_code(maui.run("check", "--offline", "--configfile=errors.cfg"), 2)


def a_default_qos_is_looked_for_in_its_own_list(maui):
    lines = ("USERCFG[root] QLIST=hi,low& QDEF=low", "USERCFG[DEFAULT] QLIST=^hi QDEF=low", "GROUPCFG[DEFAULT] QDEF=low",
             "SYSCFG QLIST=hi:mid^ QDEF=mi", "ACCOUNTCFG[DEFAULT] QLIST=hi QDEF=DEFAULT", "CLASSCFG[DEFAULT] QLIST=&")
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "maui.cfg"
        path.write_text("\n".join(lines) + "\n")
        done = maui.run("check", "--offline", path)
    harness.check_code(done, 1)
    found = [line.removeprefix(f"{path}:") for line in done.stdout.decode().splitlines() if "no effect in this" not in line]
    harness.equal(found, [
        "2:28: warning: USERCFG[DEFAULT]: QDEF low is not in its QLIST; its jobs may have it all the same",
        "4:22: warning: SYSCFG: QDEF mi is not in its QLIST; its jobs may have it all the same",
        "6:19: warning: CLASSCFG[DEFAULT]: QLIST names no QOS, so it is no list: every QOS is allowed that other lists allow",
    ], "warnings")
    harness.check_errors(done, "not checked: whether Slurm knows the QOS that the file names")


def binary_junk_is_no_crash(maui):
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "junk.cfg"
        for content in (b"\x00\x01\x02\x1b[2J\n", b"\xff" * 4096, b"USERCFG[" * 1000, b"A=" * 5000 + b"\n",
                        b"USERCFG[\x1b]0;x\x07] PRIORITY=1\n", b"", b"\n" * 100000):
            path.write_bytes(content)
            done = maui.run("check", "--offline", path)
            if done.returncode not in (0, 1, 2):
                raise harness.Failure(f"exit code {done.returncode} for {content[:40]}: {harness.text_of(done)}")
            if b"\x1b" in done.stdout + done.stderr:
                raise harness.Failure("an escape character in the output")


def ten_thousand_unknown_users_do_not_take_long(maui):
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "long.cfg"
        path.write_text("".join(f"USERCFG[nobody{i}] PRIORITY={i}\n" for i in range(10000)))
        done = maui.run("check", "--offline", path)
    harness.check_code(done, 1)
    harness.equal(done.stdout.count(b"\n"), 10000, "number of warnings")


if __name__ == "__main__":
    harness.main(harness.cases_of(sys.modules[__name__]))
