# SPDX-License-Identifier: GPL-2.0-or-later
"""maui check: what it finds, how it says so, and what it says of what it cannot check."""

import grp
import json
import os
import pathlib
import pwd
import re
import socket
import tempfile

import cli_harness as harness

LINE = re.compile(r"^[^:]+:\d+:\d+: (error|warning): .+$")


def test_a_clean_file_is_silent(maui):
    done = maui.run("check", "clean.cfg")
    harness.check_code(done, 0)
    harness.check_quiet(done)


def test_warnings_are_exit_code_1(maui):
    done = maui.run("check", "warnings.cfg")
    harness.check_code(done, 1)
    lines = done.stdout.decode().splitlines()
    for line in lines:
        if not LINE.match(line) or ": error: " in line:
            raise harness.Failure(f"this is no warning: {line}")
    harness.equal([line.split(":")[1] for line in lines], ["2", "3", "4", "5"], "the lines with warnings")


def test_errors_are_exit_code_2(maui):
    done = maui.run("check", "errors.cfg")
    harness.check_code(done, 2)
    text = done.stdout.decode()
    for pattern in (r"^errors.cfg:1:\d+: error: ", r"^errors.cfg:3:\d+: error: ", r"^errors.cfg:4:\d+: error: .*not-there",
                    r"^errors.cfg:2:1: warning: "):
        if not re.search(pattern, text, re.MULTILINE):
            raise harness.Failure(f"no line is /{pattern}/: {text}")


def test_unknown_users_groups_and_administrators_are_named(maui):
    text = maui.run("check", "warnings.cfg").stdout.decode()
    for line in (
            "warnings.cfg:3:1: warning: USERCFG[no_such_user]: there is no user no_such_user on this machine; the line affects no job",
            "warnings.cfg:4:1: warning: GROUPCFG[no_such_group]: there is no group no_such_group on this machine; the line affects no job",
            "warnings.cfg:5:1: warning: ADMIN1: there is no user no_such_admin on this machine; nobody gets this right"):
        if line not in text.splitlines():
            raise harness.Failure(f"this line is missing: {line}\n{text}")


def test_default_is_written_in_capitals(maui):
    found = _found(maui, "USERCFG[default] MAXJOB=1\nCLASSCFG[Default] MAXJOB=1\nQOSCFG[DEFAULT] PRIORITY=1\nNODECFG[dEFAULT] MAXJOB=1\n")
    for name in ("USERCFG[default]", "CLASSCFG[Default]", "NODECFG[dEFAULT]"):
        harness.equal(any(f"{name}: this holds for" in line and "write DEFAULT in capitals" in line for line in found), True, f"{name} in {found}")
    harness.equal(any("QOSCFG" in line and "capitals" in line for line in found), False, f"{found}")


def test_owners_that_nobody_knows_are_named(maui):
    found = _found(maui, "SRCFG[x] HOSTLIST=n1 OWNER=USER:no_such_user\nSRCFG[y] HOSTLIST=n1 OWNER=GROUP:no_such_group\n"
                         "SRCFG[z] HOSTLIST=n1 OWNER=USER:root\n")
    for text in ("SRCFG[x]: there is no user no_such_user on this machine", "SRCFG[y]: there is no group no_such_group on this machine"):
        harness.equal(any(text in line for line in found), True, f"{text} in {found}")
    harness.equal(any("SRCFG[z]" in line and "no user" in line for line in found), False, "root is known")


def test_a_line_that_an_included_file_replaces_names_that_file(maui):
    with tempfile.TemporaryDirectory(prefix="maui-cli.") as directory:
        path = pathlib.Path(directory) / "maui.cfg"
        path.write_text(f"FSDEPTH 3\n#INCLUDE {directory}/more.cfg\n")
        path.with_name("more.cfg").write_text("\nFSDEPTH 4\n")
        done = maui.run("check", "--offline", path)
    harness.equal(f"FSDEPTH has no effect: {directory}/more.cfg:2 sets it again" in harness.text_of(done), True, harness.text_of(done))


def test_problems_come_in_the_order_of_lines(maui):
    lines = [int(line.split(":")[1]) for line in maui.run("check", "errors.cfg").stdout.decode().splitlines()]
    harness.equal(lines, sorted(lines), "lines")


def test_what_cannot_be_checked_is_said(maui):
    done = maui.run("check", "full.cfg")
    harness.check_errors(done, r"NOTE:     not checked: slurm.conf \(cannot read SLURM_CONF ")
    harness.check_errors(done, "NOTE:     not checked: whether Slurm has the QOS, partitions that the file names")
    harness.check_errors(maui.run("check", "--offline", "clean.cfg"), r"not checked: slurm.conf \(--offline\)")


def test_problems_as_json(maui):
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


def test_json_and_text_agree(maui):
    text = maui.run("check", "--offline", "errors.cfg")
    found = json.loads(maui.run("check", "--offline", "--json", "errors.cfg").stdout)
    lines = ["{file}:{line}:{column}: {severity}: {text}".format(**problem) for problem in found["problems"]]
    harness.equal(lines, text.stdout.decode().splitlines(), "problems")


def test_a_clean_file_as_json(maui):
    done = maui.run("check", "--json", "--offline", "clean.cfg")
    harness.check_code(done, 0)
    harness.equal(json.loads(done.stdout)["problems"], [], "problems")


def test_reservations_say_what_is_not_there_yet(maui):
    done = maui.run("check", "--offline", "reservations.cfg")
    harness.check_code(done, 2)  # z
    harness.check_golden(done, "check.reservations.out")


def test_limits_of_a_node_that_nobody_looks_at_are_told(maui):
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "maui.cfg"
        path.write_text("NODECFG[DEFAULT] MAXPROC[CLASS:batch]=4 MAXJOB[USER]=1 MAXPROC[ACCOUNT:a]=2 MAXJOB=3\n"
                        "NODECFG[n1] MAXJOB=2 MAXPROC[USER:root]=8\nNODECFG[n2] MAXJOB[QOS:hi]=1\n")
        done = maui.run("check", "--offline", path)
    harness.check_code(done, 1)
    found = [line.partition("maui.cfg:")[2] for line in done.stdout.decode().splitlines()]
    kept = "has no effect: of a node's limits, only those that name a class or an account are kept"
    harness.equal(found, [f"2:22: warning: NODECFG[n1]: MAXPROC of user root {kept}",
                          f"3:13: warning: NODECFG[n2]: MAXJOB of qos hi {kept}"], "problems")


def test_accounts_and_qos_are_in_small_letters(maui):
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "maui.cfg"
        path.write_text("ACCOUNTCFG[projectX] MAXJOB=1\nACCOUNTCFG[DEFAULT] MAXJOB=1\nQOSCFG[High] MAXJOB=2\nCLASSCFG[Big] MAXJOB=1\n")
        done = maui.run("check", "--offline", path)
    harness.check_code(done, 1)
    found = [line.partition("maui.cfg:")[2] for line in done.stdout.decode().splitlines()]
    small = "in small letters only: write it that way, or the line affects no job"
    harness.equal(found, [f"1:1: warning: ACCOUNTCFG[projectX]: Slurm has accounts {small}",
                          f"3:1: warning: QOSCFG[High]: Slurm has QOS {small}"], "problems")


def _found(maui, text):
    """The warnings on a file, without its name."""
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "maui.cfg"
        path.write_text(text)
        path.chmod(0o644)
        done = maui.run("check", "--offline", path)
    return [line.partition("maui.cfg:")[2].replace("warning: ", "") for line in done.stdout.decode().splitlines()]


def test_an_end_in_the_past_is_told_at_its_place(maui):
    rest = "TASKCOUNT=1 USERLIST=root UNTIL="
    found = _found(maui, f"SRCFG[x] {rest}2020-02-29\nSRCFG[y] {rest}2020-02-28_12:00:00\nSRCFG[z] {rest}3000-12-31\n")
    harness.equal([line for line in found if "UNTIL" in line], [
        "1:36: SRCFG[x]: UNTIL 2020-02-29 is in the past: the reservation is not made",
        "2:36: SRCFG[y]: UNTIL 2020-02-28_12:00:00 is in the past: the reservation is not made"], "problems")


def test_limits_of_overlapping_periods_are_told_where_they_stand(maui):
    found = _found(maui, "PERIODCFG[night] STARTTIME=20:00:00 ENDTIME=6:00:00\nPERIODCFG[end] DAYS=Sat,Sun\n"
                         "PERIODCFG[noon] STARTTIME=11:00:00 ENDTIME=13:00:00 DAYS=Mon\n"
                         "USERCFG[root] MAXJOB=4 MAXJOB[PERIOD:end]=9\nUSERCFG[root] MAXJOB[PERIOD:night]=6 MAXJOB[PERIOD:noon]=1\n"
                         "USERCFG[root] MAXPROC[PERIOD:end]=7 MAXPROC[PERIOD:night]=7\nUSERCFG[daemon] MAXPROC[PERIOD:night]=8\n"
                         "CLASSCFG[a] MAXJOB[USER:root,PERIOD:end]=1 MAXJOB[USER:daemon,PERIOD:night]=2\n"
                         "CLASSCFG[b] MAXJOB[USER:root,PERIOD:end]=1 MAXJOB[USER:root,PERIOD:night]=2\n")
    harness.equal([line for line in found if "overlap" in line], [
        "5:15: MAXJOB: the periods end (line 4) and night overlap: the lower value counts while both are in force",
        "9:44: MAXJOB: the periods end (line 9) and night overlap: the lower value counts while both are in force"], "problems")


def test_an_object_without_any_valid_attribute_is_told_at_its_line(maui):
    here = ["SRCFG[x]: neither TASKCOUNT nor HOSTLIST says what to reserve; the reservation is not made",
            "SRCFG[x] has no access list: no job may use it"]
    harness.equal(_found(maui, "\nSRCFG[x] HOSTLST=n1\nUSERCFG[no_such_user] PRIO=1\n GROUPCFG[no_such_group]\nACCOUNTCFG[Big] X=1\n"), [
        f"2:1: error: {here[0]}", f"2:1: {here[1]}",
        "2:10: SRCFG has no attribute HOSTLST; it is ignored: the nearest is HOSTLIST",
        "3:1: USERCFG[no_such_user]: there is no user no_such_user on this machine; the line affects no job",
        "3:23: USERCFG has no attribute PRIO; it is ignored",
        "4:2: the line gives GROUPCFG no attribute",
        "4:2: GROUPCFG[no_such_group]: there is no group no_such_group on this machine; the line affects no job",
        "5:1: ACCOUNTCFG[Big]: Slurm has accounts in small letters only: write it that way, or the line affects no job",
        "5:17: ACCOUNTCFG has no attribute X; it is ignored"], "problems")
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "maui.cfg"
        path.write_text("SRCFG[x] HOSTLST=n1\n")
        found = json.loads(maui.run("check", "--offline", "--json", path).stdout)
        harness.equal({(problem["file"], problem["line"]) for problem in found["problems"]}, {(str(path), 1)}, "places")
        report = maui.run("check", "--report", path)
        harness.check_code(report, 2)


def test_a_file_that_cannot_be_read_has_no_line(maui):
    done = maui.run("check", "--offline", "--json", "/nonexistent/maui.cfg")
    harness.check_code(done, 2)
    found = json.loads(done.stdout)["problems"]
    harness.equal([(problem["file"], problem["line"], problem["column"]) for problem in found], [("/nonexistent/maui.cfg", 0, 0)], "places")


def test_an_error_of_the_file_says_that_the_file_is_refused(maui):
    harness.equal(_found(maui, "FSPOLICY DEDICATEDPX\nUSERCFG[root] MAXJOB=x\nCREDWEIGHT[a 1\nSRCFG[x] TASKCOUNT=1 HOSTLIST=n( USERLIST=root\n"), [
        "1:10: error: FSPOLICY: 'DEDICATEDPX' is not known: write [NONE], DEDICATEDPS, DEDICATEDPES, UTILIZEDPS or DEDICATEDGRES; "
        "the nearest is DEDICATEDPS; the file is refused",
        "2:22: error: MAXJOB: 'x' is not a valid limit; the file is refused",
        "3:11: error: ']' is missing; the file is refused",
        # of a reservation alone
        "4:22: error: HOSTLIST: 'n(' is ignored: Unmatched ( or \\(",
        "4:22: error: HOSTLIST: nothing is left of it; the reservation is not made"], "problems")


def test_an_old_serverhost_is_told_not_to_be_listened_on(maui):
    harness.equal(_found(maui, "SERVERHOST head\nSERVERPORT 42559\n"), [
        "1:1: SERVERHOST has no effect: the service listens on loopback; in slurm.conf: PriorityParameters=maui_address=... for "
        "another address"], "problems")


def test_everybody_may_look_but_no_more(maui):
    harness.equal(_found(maui, "ADMIN3 ALL\n"), [], "ADMIN3")
    harness.equal(_found(maui, "ADMIN1 root ALL\nADMIN2 all\n"), [
        f"{line}:1: ADMIN{line}: ALL gives nobody this right: only ADMIN3 may be given to everybody" for line in (1, 2)], "ADMIN1")


def test_a_statdir_that_is_not_there_is_an_error(maui):
    with tempfile.TemporaryDirectory() as directory:
        file = pathlib.Path(directory) / "file"
        file.touch()
        for path, lack in ((f"{directory}/none", "does not exist"), (f"{file}/x", "does not exist"), (file, "is not a directory")):
            found = _found(maui, f"FSPOLICY DEDICATEDPS\nSTATDIR {path}\n")
            harness.equal(found, [f"2:1: error: STATDIR: {path} {lack}: make it for SlurmUser; until slurmctld can use it, "
                                  "fairshare's files are kept in StateSaveLocation"], "problems")
        harness.equal(_found(maui, f"FSPOLICY DEDICATEDPS\nSTATDIR {directory}\n"), [], "problems of one that is there")
        harness.equal(_found(maui, "STATDIR none\n"), [], "problems of a relative one")


def test_settings_of_fairshare_where_nothing_is_counted_are_told(maui):
    text = "FSDEPTH 3\nFSINTERVAL 12:00:00\nFSDECAY 0.8\nUSEMACHINESPEEDFORFS TRUE\n"
    why = "has no effect: FSPOLICY is [NONE], so nothing is counted; write FSPOLICY DEDICATEDPS"
    harness.equal(_found(maui, text), [f"{line}:1: {name} {why}" for line, name in
                                       enumerate(("FSDEPTH", "FSINTERVAL", "FSDECAY", "USEMACHINESPEEDFORFS"), 1)], "problems")
    harness.equal(_found(maui, text + "FSPOLICY DEDICATEDPS\n"), [], "problems where it is counted")


def test_what_a_weight_of_0_makes_void_is_told(maui):
    harness.equal(_found(maui, "USERCFG[root] PRIORITY=3 FSTARGET=10+\nUSERCFG[daemon] FSTARGET=10^\nFSPOLICY DEDICATEDPS\n"
                               "FSWEIGHT 3\nFSGROUPWEIGHT[b] 2\nFSWEIGHT[b] 0\nRESWEIGHT 2\nPROCWEIGHT 0\nXFACTORWEIGHT 0\n"
                               "QOSCFG[a] QTTARGET=00:10:00 XFTARGET=2 PRIORITY=0 QTWEIGHT=2\nTARGETXFACTORWEIGHT 2\n"
                               "CLASSCFG[b] PRIORITY=5\nGROUPCFG[root] CLASSWEIGHT=2\n"), [
        "1:15: USERCFG[root]: PRIORITY has no effect: USERWEIGHT is 0, write USERWEIGHT 1",
        "1:26: USERCFG[root]: FSTARGET has no effect: FSUSERWEIGHT is 0, write FSUSERWEIGHT 1",
        "4:1: FSWEIGHT has no effect: the weights of its parts (FSUSERWEIGHT, ...) are all 0",
        "5:1: FSGROUPWEIGHT[b] has no effect: FSWEIGHT is 0 there, write FSWEIGHT[b] 1",
        "7:1: RESWEIGHT has no effect: the weights of its parts (NODEWEIGHT, ...) are all 0",
        "10:11: QOSCFG[a]: QTTARGET has no effect: TARGWEIGHT is 0, write TARGWEIGHT 1",
        "10:29: QOSCFG[a]: XFTARGET has no effect: TARGWEIGHT is 0, write TARGWEIGHT 1",
        "11:1: TARGETXFACTORWEIGHT has no effect: TARGWEIGHT is 0, write TARGWEIGHT 1"], "weights")


def test_a_weight_that_acts_in_any_partition_is_no_weight_of_0(maui):
    harness.equal(_found(maui, "CREDWEIGHT 0\nCREDWEIGHT[b] 1\nUSERWEIGHT 2\nUSERCFG[root] PRIORITY=1\n"
                               "SERVWEIGHT 0\nSERVWEIGHT[b] 2\nQOSCFG[a] QTWEIGHT=3\n"), [], "weights")
    harness.equal(_found(maui, "CREDWEIGHT 0\nUSERCFG[root] PRIORITY=1\nUSERWEIGHT 3\n"), [
        "2:15: USERCFG[root]: PRIORITY has no effect: CREDWEIGHT is 0, write CREDWEIGHT 1",
        "3:1: USERWEIGHT has no effect: CREDWEIGHT is 0, write CREDWEIGHT 1"], "weights")


def test_weights_of_gres_without_effect_are_told(maui):
    cases = (("GRESWEIGHT[gpu] 5\n", "1:1: GRESWEIGHT has no effect: RESWEIGHT is 0, write RESWEIGHT 1"),
             ("RESWEIGHT 1\nGRESWEIGHT 5\n", "2:1: GRESWEIGHT has no effect: no line names a GRES, write GRESWEIGHT[gpu] 1"),
             ("RESWEIGHT 1\nGRESWEIGHT[gpu] 5\n", None),
             ("RESWEIGHT 1\nGRESWEIGHT 5\nGRESWEIGHT[gpu] 5\n", None))
    for text, problem in cases:
        found = [line for line in _found(maui, text) if "has no effect" in line]
        harness.equal(found, [problem] if problem else [], text)


GRES = """\
USERCFG[root] MAXGRES[gpu]=2
USERCFG[daemon] MAXGRES[gpu]=3 MAXGS[gpu:a100]=9
FSPOLICY DEDICATEDGRES[tape]
NODECFG[DEFAULT] PRIORITYF='AGRES[gpu:h100] - CGRES[gpu]'
SRCFG[x] TASKCOUNT=1 RESOURCES=PROCS:1;GRES=gpu:v100:2 USERLIST=root
SYSCFG MAXGRES[license:matlab]=1
PEGRES[disc] TRUE
NODECFG[n1] MAXGRES[nic]=1
"""


def test_gres_that_nobody_can_be_asked_for_are_warned_of(maui):
    """Once for each name, at a line that has it."""
    places = {"gpu": (1, "MAXGRES[gpu]"), "gpu:a100": (2, "MAXGS[gpu:a100]"), "tape": (3, "FSPOLICY DEDICATEDGRES[tape]"),
              "gpu:h100": (4, "PRIORITYF [gpu:h100]"), "gpu:v100": (5, "RESOURCES GRES=gpu:v100"),
              "license:matlab": (6, "MAXGRES[license:matlab]"), "disc": (7, "PEGRES[disc]"),
              "nic": (8, "MAXGRES[nic]")}
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "maui.cfg"
        path.write_text(GRES)
        for options in ((), ("--offline",)):
            done = maui.run("check", "--json", *options, path)
            harness.check_code(done, 1)
            data = json.loads(done.stdout)
            found = [(one["line"], one["text"].partition(" (")[0]) for one in data["problems"]
                     if one["severity"] == "warning" and "not checked: " in one["text"]]
            harness.equal(found, [(line, f"{called}: not checked: whether Slurm has a GRES {name}")
                                  for name, (line, called) in places.items()], options)
            harness.equal([note for note in data["notes"] if "GRES" in note], [], "notes")


def test_targets_without_fspolicy_are_told(maui):
    nothing = "has no effect: FSPOLICY is [NONE], so nothing is counted; write FSPOLICY DEDICATEDPS"
    harness.equal(_found(maui, "FSWEIGHT 1\nFSUSERWEIGHT 1\nUSERCFG[root] FSTARGET=10\nGROUPCFG[root] FSTARGET=5^\n"), [
        f"1:1: FSWEIGHT {nothing}", f"3:15: USERCFG[root]: FSTARGET {nothing}",
        f"4:16: GROUPCFG[root]: FSTARGET {nothing}"], "targets")


def test_the_share_tree_counts_without_fspolicy(maui):
    nothing = "has no effect: FSPOLICY is [NONE], so nothing is counted; write FSPOLICY DEDICATEDPS"
    harness.equal(_found(maui, "FSWEIGHT 1\nFSTREEWEIGHT 1000\nFSTREECAP 0.5\n"), [], "tree")
    harness.equal(_found(maui, "FSWEIGHT 1\nFSTREEWEIGHT[b] 1000\n"), [], "tree of a partition")
    harness.equal(_found(maui, "FSTREEWEIGHT 1000\n"), [
        "1:1: FSTREEWEIGHT has no effect: FSWEIGHT is 0, write FSWEIGHT 1"], "tree without its component")
    harness.equal(_found(maui, "FSWEIGHT 1\nFSTREEWEIGHT 1000\nFSUSERWEIGHT 3\nFSQOSWEIGHT[b] 3\n"), [
        f"3:1: FSUSERWEIGHT {nothing}", f"4:1: FSQOSWEIGHT {nothing}"], "tree beside targets")
    harness.equal(_found(maui, "FSWEIGHT 1\nFSTREEWEIGHT 1000\nFSUSERWEIGHT 3\nFSPOLICY DEDICATEDPS\n"), [], "both")


def test_lines_that_later_ones_replace_are_told(maui):
    harness.equal(_found(maui, "QUEUETIMEWEIGHT 1\nUSERCFG[root] MAXJOB=1 MAXJOB[CLASS]=1\nUSERCFG[root] MAXJOB=2\nQUEUETIMEWEIGHT 3\n"
                               "SRCFG[a] TASKCOUNT=1 USERLIST=root\nSRCFG[a] USERLIST=daemon\n"), [
        "1:1: QUEUETIMEWEIGHT has no effect: line 4 sets it again",
        "2:15: MAXJOB has no effect: line 3 sets it again"], "lines")


def test_reservations_that_never_admit_anybody_are_told(maui):
    never = "never admits a job:"
    remedy = "; take that out, or name who may use it"
    harness.equal(_found(maui, "SRCFG[a] USERLIST=root*,daemon* TASKCOUNT=1\nSRCFG[b] USERLIST=root,!root TASKCOUNT=1\n"
                               "SRCFG[c] USERLIST=root,daemon GROUPLIST=root* TASKCOUNT=1\nSRCFG[d] USERLIST=^root TASKCOUNT=1\n"
                               "SRCFG[e] PROCLIMIT=0* USERLIST=root TASKCOUNT=1\nSRCFG[f] CLASSLIST=b* USERLIST=root* TASKCOUNT=1\n"
                               "SRCFG[g] USERLIST=root*,!root TASKCOUNT=1\n"), [
        f"1:10: SRCFG[a] {never} USER==root+* is required, and USER==daemon+* does not go with it{remedy}",
        f"4:10: SRCFG[d] {never} no item of its lists gives anybody access{remedy}",
        f"5:23: SRCFG[e] {never} no job meets PROC<=0+*{remedy}",
        f"7:10: SRCFG[g] {never} USER==root+* is required, and USER==root+! does not go with it{remedy}"], "lists")


def test_files_that_cannot_be_read_are_exit_code_2(maui):
    for name, pattern in (("/nonexistent/maui.cfg", "No such file"), (".", "directory"), ("/dev/null", ""), ("", "")):
        done = maui.run("check", "--offline", name)
        harness.check_refused(done, "ERROR:    .*" + pattern)


def test_a_file_that_cannot_be_read_is_json_too(maui):
    done = maui.run("check", "--json", "/nonexistent/maui.cfg")
    harness.check_code(done, 2)
    found = json.loads(done.stdout)
    harness.equal((found["errors"], found["problems"][0]["line"]), (1, 0), "errors and line")


def test_a_file_without_permission_is_exit_code_2(maui):
    if os.getuid() == 0:
        return
    with tempfile.NamedTemporaryFile() as file:
        os.chmod(file.name, 0)
        done = maui.run("check", file.name)
    harness.check_code(done, 2)
    harness.check_errors(done, "Permission denied")


def test_without_a_file_and_slurm_it_asks_which(maui):
    done = maui.run("check")
    harness.check_code(done, 2)
    harness.check_errors(done, r"which file\? \(cannot read SLURM_CONF")


def test_configfile_names_the_file_too(maui):
    harness.check_code(maui.run("check", "--offline", "--configfile=clean.cfg"), 0)
    harness.check_code(maui.run("check", "--offline", "--configfile=errors.cfg"), 2)


def test_a_default_qos_is_looked_for_in_its_own_list(maui):
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
        "6:19: warning: CLASSCFG[DEFAULT]: QLIST names no QOS, so it is not a list: every QOS that other lists allow is allowed",
    ], "warnings")
    harness.check_errors(done, "not checked: whether Slurm has the QOS that the file names")


def test_what_a_line_may_not_say_is_an_error_at_its_place(maui):
    ranges = "".join(f"NODECFG[{letter}[1-65536]] SPEED=1\n" for letter in "abcdefghijklmnop")
    for text, expected in (("SRCFG[x] USERLIST=,", "1:19: error: USERLIST: the list is empty"),
                           ("SRCFG[x] RESOURCES=;", "1:20: error: RESOURCES: no resource is named"),
                           ("FSDEPTH +010", "1:9: FSDEPTH: the leading 0 makes this an octal number, as in the original: 8"),
                           (ranges, "16:9: error: the ranges of NODECFG have more than 1000000 names")):
        found = _found(maui, text)
        harness.equal(any(line.startswith(expected) for line in found), True, f"{expected} in {found}")


def test_a_socket_is_no_maui_cfg(maui):
    with tempfile.TemporaryDirectory(prefix="maui-cli.") as directory, socket.socket(socket.AF_UNIX) as listener:
        path = f"{directory}/maui.cfg"
        listener.bind(path)
        done = maui.run("check", "--offline", path)
    harness.check_code(done, 2)
    harness.check_errors(done, f"{path}: .*a socket")


def test_binary_junk_is_no_crash(maui):
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


def test_many_names_are_judged_as_few_are(maui):
    users = [entry.pw_name for entry in pwd.getpwall()] + [f"no_such_user{i}" for i in range(500)]
    groups = [entry.gr_name for entry in grp.getgrall()] + [f"no_such_group{i}" for i in range(500)]
    text = "".join(f"USERCFG[{name}] MAXJOB=1\n" for name in users * 2) + "".join(f"GROUPCFG[{name}] MAXJOB=1\n" for name in groups)
    found = [re.search(r"there is no (\w+) (\S+) on", line) for line in _found(maui, text)]
    harness.equal([match[2] for match in found if match and match[1] == "user"], [name for name in users if name.startswith("no_such")], "unknown names")
    harness.equal([match[2] for match in found if match and match[1] == "group"], [name for name in groups if name.startswith("no_such")], "unknown names")


def test_ten_thousand_unknown_users_do_not_take_long(maui):
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "long.cfg"
        path.write_text("".join(f"USERCFG[nobody{i}] MAXJOB={i}\n" for i in range(10000)))
        done = maui.run("check", "--offline", path)
    harness.check_code(done, 1)
    harness.equal(done.stdout.count(b"\n"), 10000, "number of warnings")
