# SPDX-License-Identifier: GPL-2.0-or-later
"""maui check --report: every line of a maui.cfg or moab.cfg is accounted for, each attribute of it by itself."""

import json
import pathlib
import re
import tempfile

import cli_harness as harness

SECTIONS = ("SYSCFG", "USERCFG", "GROUPCFG", "ACCOUNTCFG", "QOSCFG", "CLASSCFG", "NODECFG", "SRCFG", "PERIODCFG")
ENTRY = re.compile(r"^(?P<file>[^:]+):(?P<line>\d+): (?P<verdict>honoured|approximated|ignored|error)"
                   r"(: (?P<parameter>[^:]+(\[[^]]*\])?[^:]*?)(: (?P<text>.+))?)?$")
SUMMARY = re.compile(r"^(\d+) lines?, (\d+) parameters? and attributes: (\d+) honoured, (\d+) approximated, "
                     r"(\d+) ignored, (\d+) errors?$")

# The parameters that the file sets with which the original came.
STOCK = """\
# As it was delivered, but for its comments.
SERVERHOST            master
ADMIN1                root

RMCFG[MASTER] TYPE=PBS
AMCFG[bank]  TYPE=NONE

RMPOLLINTERVAL        00:00:30
SERVERPORT            42559
SERVERMODE            NORMAL

LOGFILE               maui.log
LOGFILEMAXSIZE        10000000
LOGLEVEL              3

QUEUETIMEWEIGHT       1
#FSPOLICY              PSDEDICATED

BACKFILLPOLICY        FIRSTFIT   # a comment
RESERVATIONPOLICY     CURRENTHIGHEST
NODEALLOCATIONPOLICY  MINRESOURCE
"""

MOAB = """\
SCHEDCFG[Moab]        SERVER=master:42559
ADMINCFG[1]           USERS=root
TOOLSDIR              /opt/moab/tools
RMCFG[torque]         TYPE=PBS SUBMITCMD=/usr/bin/qsub
RMPOLLINTERVAL        30,30
NODEACCESSPOLICY      SHARED
NODESETPOLICY         ONEOF
NODESETISOPTIONAL     TRUE
JOBMAXOVERRUN         00:10:00
DEFERTIME             1:00:00
JOBREJECTPOLICY       CANCEL
ENABLEHIGHTHROUGHPUT  TRUE
PARCFG[torque]        NODESETLIST=a
CLASSCFG[batch]       DEFAULT.NODESET=ONEOF:FEATURE MAX.NODE=4 PRIORITY=10 \\
                      EXCL.FEATURES=gpu HUH=1
QOSCFG[hi]            PRIORITY=100 QFLAGS=PREEMPTOR,RUNNOW PREEMPTEES=low
NODECFG[n1]           RACK=3 SLOT=2 VARATTR=HYPER
SRCFG[maint]          HOSTEXP=n1 PERIOD=DAY USERLIST=root ENABLE=TRUE
IDCFG[ldap]           SERVER=exec:///a
"""


def _report(maui, text, *options):
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "maui.cfg"
        path.write_text(text)
        path.chmod(0o644)
        return maui.run("check", "--report", *options, path)


def _entries(done):
    found = json.loads(done.stdout)
    harness.equal(found["schema"], "maui.check-report/1", "schema")
    counts = {"honoured": 0, "approximated": 0, "ignored": 0, "error": 0}
    losses = dict.fromkeys(("none", "harmless", "different", "policy"), 0)
    for entry in found["entries"]:
        counts[entry["verdict"]] += 1
        losses[entry["loss"]] += entry["verdict"] != "error"
        if entry["verdict"] != "honoured" and not entry["text"]:
            raise harness.Failure(f"no reason: {entry}")
    harness.equal([found["honoured"], found["approximated"], found["ignored"], found["errors"]], list(counts.values()), "counts")
    harness.equal(found["losses"], losses, "losses")
    code = 2 if counts["error"] else 1 if counts["approximated"] or counts["ignored"] else 0
    harness.check_code(done, code)
    return found


def _expected(text):
    """What lines say, read independently: [(line, name)] of each parameter and each attribute."""
    said = []
    section = ""
    for number, line in enumerate(text.splitlines(), 1):
        line = line if line.startswith("#INCLUDE") else line.partition("#")[0]
        goes_on = line.rstrip().endswith("\\")
        words = line.rstrip().rstrip("\\").split()
        if not words:
            continue
        if not section:
            head = words[0]
            if re.sub(r"\[.*", "", head) in SECTIONS:
                section = head
                words = words[1:]
            else:
                said.append((number, f"#INCLUDE {words[1]}" if head == "#INCLUDE" else head))
                words = []
        said += [(number, f"{section} {word.partition('=')[0]}") for word in words if "=" in word]
        if not goes_on:
            section = ""
    return said


def _check_total(maui, text):
    found = _entries(_report(maui, text, "--json"))
    said = [(entry["line"], entry["parameter"]) for entry in found["entries"]]
    for missing in set(_expected(text)) - set(said):
        raise harness.Failure(f"not accounted for: {missing}; there are {said}")
    harness.equal(sorted(said), sorted(_expected(text)), "entries")
    harness.equal(found["lines"], len({line for line, _ in said}), "lines")
    return {(entry["line"], entry["parameter"]): entry for entry in found["entries"]}


def _value_of(key):
    """A value that its kind accepts."""
    if key["keywords"]:
        return key["keywords"][-1]
    kinds = {"duration": "01:00:00", "yes or no": "TRUE", "days": "MON", "host list": "n1", "formula": "APROCS",
             "trigger": "start;cancel", "credential": "USER:root", "resources": "PROCS:1", "text": "x", "list": "x",
             "access list": "x", "access list of times": "01:00:00", "access list of numbers": "4"}
    return kinds.get(key["kind"], "1")


def _every_key(maui):
    """A maui.cfg with every key of the table once for each section that has it."""
    lines = []
    for key in json.loads(maui.run("keys", "--json").stdout)["keys"]:
        value = _value_of(key)
        name = key["name"].replace("*", "X")
        if key["parameter"]:
            lines.append(f"{name} {value}")
        for section in key["sections"]:
            lines.append(f"{section} {name}={value}" if section == "SYSCFG" else f"{section}[x] {name}={value}")
    return "\n".join(lines) + "\n"


def test_every_key_of_the_table_is_accounted_for(maui):
    text = _every_key(maui)
    found = _check_total(maui, text)
    if len(found) < 350:
        raise harness.Failure(f"there are but {len(found)} entries")
    for entry in found.values():
        if "is known here" in entry["text"]:
            raise harness.Failure(f"a key of the table is not known: {entry}")


def test_the_file_that_the_original_came_with_is_accounted_for(maui):
    found = _check_total(maui, STOCK)
    harness.equal({place: entry["verdict"] for place, entry in found.items() if entry["verdict"] != "ignored"}, {
        (3, "ADMIN1"): "honoured", (8, "RMPOLLINTERVAL"): "approximated",
        (9, "SERVERPORT"): "honoured", (16, "QUEUETIMEWEIGHT"): "honoured",
        (21, "NODEALLOCATIONPOLICY"): "honoured"}, "what is not ignored")
    harness.check_golden(_stable(_report(maui, STOCK)), "check.report.stock.out")


def test_a_file_of_moab_is_accounted_for(maui):
    found = _check_total(maui, MOAB)
    for entry in found.values():
        if entry["parameter"].endswith(" HUH") != ("that is known here" in entry["text"]):
            raise harness.Failure(f"a name of Moab's is not known: {entry}")
    harness.check_golden(_stable(_report(maui, MOAB)), "check.report.moab.out")


def test_names_of_one_family_do_not_replace_each_other(maui):
    found = _check_total(maui, "SIMSTARTTIME 1\nSIMSTOPITERATION 3\nLOGLEVEL 1\nLOGLEVEL 2\nPROCWEIGHT 1\nPROCWEIGHT 2\n")
    texts = [entry["text"] for _, entry in sorted(found.items())]
    harness.equal([line for line, text in enumerate(texts, 1) if "sets it again" in text], [5], "lines that are set again")
    if "SlurmctldDebug" not in texts[2] or "whatif" not in texts[0]:
        raise harness.Failure(f"no reason: {texts}")


def _stable(done):
    """Without the directory that the file was in."""
    done.stdout = re.sub(rb"^/[^:]*/maui.cfg:", b"maui.cfg:", done.stdout, flags=re.MULTILINE)
    return done


def _line(entry):
    return ": ".join(filter(None, (f"maui.cfg:{entry['line']}", entry["verdict"], entry["parameter"], entry["text"])))


def _two_readings(found):
    if not found["two_readings"]:
        return []
    return ["Times that the original read differently:"] + [_line(entry) for entry in found["two_readings"]] + [""]


def _sorted_by_loss(found):
    """The report's lines in their parts, made of its JSON, which is in the order of the file."""
    parts = (("Errors", lambda entry: entry["verdict"] == "error"),
             ("Lost until somebody acts", lambda entry: entry["loss"] == "policy"),
             ("Different from the original", lambda entry: entry["loss"] == "different"),
             ("Harmless: nothing about jobs hangs on it", lambda entry: entry["loss"] == "harmless"),
             ("As in the original", lambda entry: entry["loss"] == "none"))
    lines, left = [], found["entries"]
    for heading, is_of_it in parts:
        part, left = [entry for entry in left if is_of_it(entry)], [entry for entry in left if not is_of_it(entry)]
        if part:
            lines += [f"{heading} ({len(part)}):"] + [_line(entry) for entry in part] + [""]
    return lines


def test_the_worst_comes_first(maui):
    text = ("LOGLEVEL 3\nADMIN1 root\nRMPOLLINTERVAL 30\nPREEMPTPOLICY REQUEUE\nADMINCFG[1] USERS=root\nTOOLSDIR /opt\n"
            "SERVERMODE NORMAL\nQOSCFG[x] QFLAGS=IGNALL,NOBF\nSRCFG[x] FLAGS=BYNAME,ADVRES TASKCOUNT=1 USERLIST=root\n"
            "CREDWIEGHT 1\nADMIN1 root\nSERVWEIGHT x\n")
    found = _check_total(maui, text)
    losses = {name: entry["loss"] for (line, name), entry in found.items() if line != 2}
    harness.equal(losses, {
        "LOGLEVEL": "harmless", "RMPOLLINTERVAL": "different", "PREEMPTPOLICY": "policy", "ADMINCFG[1]": "policy",
        "TOOLSDIR": "harmless", "SERVERMODE": "harmless", "QOSCFG[x] QFLAGS": "policy", "SRCFG[x] FLAGS": "harmless",
        "SRCFG[x] TASKCOUNT": "none", "SRCFG[x] USERLIST": "none", "CREDWIEGHT": "policy", "ADMIN1": "none",
        "SERVWEIGHT": "policy"}, "losses")
    harness.equal(found[2, "ADMIN1"]["loss"], "harmless", "a line that a later one replaces")
    heads = [line for line in _stable(_report(maui, text)).stdout.decode().splitlines() if line.endswith("):")]
    harness.equal(heads, ["Errors (1):", "Lost until somebody acts (4):", "Different from the original (1):",
                          "Harmless: nothing about jobs hangs on it (5):", "As in the original (3):"], "parts")


MANY = ("".join(f"NODECFG[n{i:02}] PARTITION={'a' if i < 30 else 'b'} SPEED=1.5\n" for i in range(1, 43)) +
        "NODECFG[login] PARTITION=a\nNODECFG[DEFAULT] PARTITION=c\n" +
        "".join(f"USERCFG[u{i}] MAXJOB=4\n" for i in range(12)) +
        "GROUPCFG[g] MAXJOB=1\nGROUPCFG[h] MAXJOB=1\n" +
        "".join(f"USERCFG[x{i}] MAXJOB=many\n" for i in range(3)))


def test_lines_that_are_alike_are_one_entry(maui):
    lines = _stable(_report(maui, MANY)).stdout.decode().splitlines()
    for line in ("maui.cfg:1-43: ignored: NODECFG[login,n[01-29]] PARTITION (30 times): "
                 "in slurm.conf: PartitionName=a Nodes=login,n[01-29]",
                 "maui.cfg:30-42: ignored: NODECFG[n[30-42]] PARTITION (13 times): "
                 "in slurm.conf: PartitionName=b Nodes=n[30-42]",
                 "maui.cfg:44: ignored: NODECFG[DEFAULT] PARTITION: in slurm.conf: PartitionName=c Nodes=...",
                 "maui.cfg:1-42: honoured: NODECFG[n[01-42]] SPEED (42 times)",
                 "maui.cfg:45-56: honoured: USERCFG[u0,u1,u2,u3,u4,u5,u6,u7,u8,u9,...] MAXJOB (12 times)",
                 "maui.cfg:57: honoured: GROUPCFG[g] MAXJOB", "maui.cfg:58: honoured: GROUPCFG[h] MAXJOB"):
        if line not in lines:
            raise harness.Failure(f"no {line} in\n" + "\n".join(lines))
    harness.equal(len([line for line in lines if ": error: USERCFG[x" in line]), 3, "errors stand alone")
    found = _entries(_report(maui, MANY, "--json"))["entries"]
    harness.equal(len(found), 42 * 2 + 2 + 12 + 2 + 3, "entries of the JSON, one for each")
    harness.equal(found[0]["text"], "in slurm.conf: PartitionName=a Nodes=n01", "its text")


def test_the_line_of_slurm_conf_has_the_values(maui):
    cases = (("RESERVATIONDEPTH 8", "SchedulerParameters=bf_job_part_count_reserve=8, which counts in each partition"),
             ("BACKFILLDEPTH 200", "SchedulerParameters=bf_max_job_test=200"),
             ("RESERVATIONRETRYTIME 00:01:00", "SchedulerParameters=bf_interval=60"),
             ("JOBAGGREGATIONTIME 10", "SchedulerParameters=batch_sched_delay=10"),
             ("JOBPURGETIME 00:05:00", "MinJobAge=300"), ("JOBMAXOVERRUN 00:01:30", "OverTimeLimit=2"),
             ("SYSTEMDEFAULTJOBWALLTIME 26:00:00", "PartitionName=DEFAULT DefaultTime=1-02:00:00"),
             ("ENABLEMULTINODEJOBS FALSE", "PartitionName=DEFAULT MaxNodes=1"),
             ("PREEMPTPOLICY requeue", "PreemptMode=REQUEUE"), ("PREEMPTPOLICY SUSPEND", "PreemptMode=SUSPEND,GANG"),
             ("BACKFILLPOLICY NONE", "SchedulerType=sched/builtin"), ("BACKFILLPOLICY FIRSTFIT", "SchedulerType=sched/backfill"),
             ("MAILPROGRAM /usr/bin/mail", "MailProg=/usr/bin/mail"), ("SERVERNAME big", "ClusterName=big"),
             ("USERCFG[a] PDEF=p", "PartitionName=p Default=YES"),
             ("CLASSCFG[q] DEFAULT.WCLIMIT=01:00:00", "PartitionName=q DefaultTime=0-01:00:00"),
             ("CLASSCFG[q] MAXPROCPERNODE=4", "PartitionName=q MaxCPUsPerNode=4"),
             ("NODECFG[n1] GRES=gpu:2", "NodeName=n1 Gres=gpu:2, and gres.conf"),
             ("NODECFG[n1] NODETYPE=fat", "NodeName=n1 Feature=fat"))
    for line, expected in cases:
        entry = _entries(_report(maui, line + "\n", "--json"))["entries"][0]
        harness.equal(entry["text"], f"in slurm.conf: {expected}", line)
    for line in ("RESERVATIONDEPTH many", "JOBPURGETIME soon", "PREEMPTPOLICY CHECKPOINT", "USERCFG[a] MAXPROCPERNODE=4",
                 "MAILPROGRAM /usr/bin/mail;x", "USERCFG[a] PDEF=p,q", "NODECFG[n] PARTITION=-1"):
        entry = _entries(_report(maui, line + "\n", "--json"))["entries"][0]
        if "in slurm.conf" in entry["text"] or not entry["text"]:
            raise harness.Failure(f"{line}: {entry}")
    entry = _entries(_report(maui, "SIMTIME 1\n", "--json"))["entries"][0]
    harness.equal(entry["text"].split(" runs ")[0], "maui replay", "the simulator")


def test_text_and_json_agree(maui):
    for text in (STOCK, MOAB, _every_key(maui)):
        found = _entries(_report(maui, text, "--json"))
        done = _report(maui, text)
        harness.check_code(done, 2 if found["errors"] else 1)
        lines = _stable(done).stdout.decode().splitlines()
        harness.equal(lines[:-1], _two_readings(found) + _sorted_by_loss(found), "lines")
        counts = [found["lines"], len(found["entries"])]
        counts += [found[name] for name in ("honoured", "approximated", "ignored", "errors")]
        harness.equal([int(number) for number in SUMMARY.match(lines[-1]).groups()], counts, "summary")


def test_a_file_of_which_all_is_honoured_is_exit_code_0(maui):
    done = _report(maui, "CREDWEIGHT 1\nUSERWEIGHT 1\nUSERCFG[root] PRIORITY=3\n")
    harness.check_code(done, 0)
    harness.equal(_stable(done).stdout.decode().splitlines()[-1],
                  "3 lines, 3 parameters and attributes: 3 honoured, 0 approximated, 0 ignored, 0 errors", "summary")
    done = _report(maui, "# nothing\n")
    harness.check_code(done, 0)
    harness.equal(done.stdout.decode(), "0 lines, 0 parameters and attributes: 0 honoured, 0 approximated, 0 ignored, 0 errors\n",
                  "an empty report")


def test_what_a_later_line_replaces_is_ignored(maui):
    found = _check_total(maui, "FSWEIGHT 1\nUSERCFG[a] PRIORITY=1\nUSERCFG[a] PRIORITY=2 MAXJOB=1\nFSWEIGHT 2\nUSERWEIGHT 1\n")
    harness.equal(found[1, "FSWEIGHT"]["text"], "line 4 sets it again", "FSWEIGHT")
    harness.equal(found[2, "USERCFG[a] PRIORITY"]["text"], "line 3 sets it again", "PRIORITY")
    harness.equal(found[3, "USERCFG[a] PRIORITY"]["verdict"], "honoured", "the later line")
    harness.equal(found[4, "FSWEIGHT"]["text"],
                  "FSWEIGHT has no effect: FSPOLICY is [NONE], so nothing is counted; write FSPOLICY DEDICATEDPS", "FSWEIGHT")


def test_includes_are_part_of_it(maui):
    with tempfile.TemporaryDirectory() as directory:
        main = pathlib.Path(directory) / "maui.cfg"
        main.write_text("SERVWEIGHT 1\n#INCLUDE more.cfg\n#INCLUDE none.cfg\nFSCAP 1\n")
        (pathlib.Path(directory) / "more.cfg").write_text("SERVWEIGHT 2\nBOGUS 1\n")
        done = maui.run("check", "--report", "--json", main)
    found = [(pathlib.Path(entry["file"]).name, entry["line"], entry["parameter"], entry["verdict"])
             for entry in _entries(done)["entries"]]
    harness.equal(found, [("maui.cfg", 1, "SERVWEIGHT", "ignored"), ("maui.cfg", 2, "#INCLUDE more.cfg", "honoured"),
                          ("maui.cfg", 3, "#INCLUDE none.cfg", "error"), ("maui.cfg", 4, "FSCAP", "honoured"),
                          ("more.cfg", 1, "SERVWEIGHT", "honoured"), ("more.cfg", 2, "BOGUS", "ignored")], "entries")


def test_what_is_missing_where_an_include_begins_is_not_the_includes(maui):
    cases = (("SRCFG", "SRCFG", "error", "needs a name in brackets, as in SRCFG[DEFAULT]; the file is refused"),
             ("USERCFG[root] MAXGRES[gpu]=", "USERCFG[root] MAXGRES[gpu]", "ignored", "has no value; it is ignored"),
             ("NODECFG[n1] PRIORITYF=CPROCS+", "NODECFG[n1] PRIORITYF", "error",
              "a component or number is missing at the end (column 8 of the formula); the file is refused"))
    for before, parameter, verdict, text in cases:
        for include, of_include in (("none.cfg", "error"), ("more.cfg", "honoured")):
            with tempfile.TemporaryDirectory() as directory:
                main = pathlib.Path(directory) / "maui.cfg"
                main.write_text(f"{before}#INCLUDE {include}\n")
                (pathlib.Path(directory) / "more.cfg").write_text("CREDWEIGHT 1\n")
                entries = _entries(maui.run("check", "--report", "--json", main))["entries"]
            found = {entry["parameter"]: entry for entry in entries}
            mine, its = found[parameter], found[f"#INCLUDE {include}"]
            harness.equal((mine["verdict"], mine["text"].endswith(text)), (verdict, True), mine)
            harness.equal((its["verdict"], text in its["text"]), (of_include, False), its)


def test_a_limit_of_a_nodes_gres_is_honoured(maui):
    found = _entries(_report(maui, "NODECFG[DEFAULT] MAXGRES[gpu]=2 GRES=gpu:4\n", "--json"))["entries"]
    harness.equal([(entry["parameter"], entry["verdict"]) for entry in found],
                  [("NODECFG[DEFAULT] MAXGRES[gpu]", "honoured"), ("NODECFG[DEFAULT] GRES", "ignored")], "entries")


def test_times_with_two_readings_come_first(maui):
    done = _report(maui, "CREDWEIGHT 1\nSRCFG[a] TIMELIMIT=8:00 TASKCOUNT=1 USERLIST=root\n")
    lines = _stable(done).stdout.decode().splitlines()
    harness.equal(lines[0], "Times that the original read differently:", "the first line")
    if not lines[1].startswith("maui.cfg:2: approximated: SRCFG[a] TIMELIMIT: '8:00' is read as MM:SS"):
        raise harness.Failure(lines[1])


def test_lines_that_cannot_be_read_are_accounted_for(maui):
    text = ("USERCFG[bob]PRIORITY=10 FSTARGET=5 MAXJOB = 3 QLIST=a b\nUSERCFG [x] PRIORITY=1\nUSERCFG[y]\n"
            "=\nFSWEIGHT\nFSWEIGHT[a\n[x]\nUSERCFG[q] PRIORITY='1\nCREDWEIGHT x\n" + "x" * 70000 + "\n")
    done = _report(maui, text, "--json")
    found = _entries(done)
    harness.equal(sorted({entry["line"] for entry in found["entries"]}), list(range(1, 11)), "lines")
    harness.equal(len([1 for entry in found["entries"] if entry["line"] == 1]), 4, "entries of the first line")


def test_names_that_nobody_knows_have_their_nearest(maui):
    found = _check_total(maui, "QUEUETIMEWEIGTH 1\nUSERCFG[a] MAXJOBB=1\nQTTARGET 3\n")
    harness.equal(found[1, "QUEUETIMEWEIGTH"]["text"],
                  "the nearest is QUEUETIMEWEIGHT", "the parameter")
    harness.equal(found[2, "USERCFG[a] MAXJOBB"]["text"],
                  "the nearest is MAXJOB", "the attribute")
    harness.equal(found[3, "QTTARGET"]["text"], "it is an attribute of QOSCFG",
                  "an attribute without section")


def test_what_check_finds_beyond_the_parser_is_in_the_report(maui):
    found = _entries(_report(maui, "STATDIR /nonexistent/stats\nFSDEPTH 3\nADMIN1 ALL\nADMIN3 ALL\nSERVERHOST head\n"
                             "FSPOLICY DEDICATEDPX\nNODEACCESSPOLICY UNIQUEUSER\n", "--json"))["entries"]
    harness.equal([entry["verdict"] for entry in found],
                  ["error", "ignored", "approximated", "honoured", "ignored", "error", "approximated"], "verdicts")
    for entry, part in ((found[0], "/nonexistent/stats does not exist"), (found[1], "FSPOLICY is [NONE]"),
                        (found[4], "the service listens on loopback"), (found[5], "; the file is refused"),
                        (found[6], "UNIQUEUSER is read as SHARED")):
        if part not in entry["text"]:
            raise harness.Failure(f"no {part} in {entry}")


def test_tens_of_thousands_of_lines_are_accounted_for(maui):
    text = "".join(f"BOGUS{i} 1\nUSERCFG[u{i}] PRIORITY=x\n" for i in range(20000))
    found = _entries(_report(maui, text, "--json"))
    harness.equal(len([1 for entry in found["entries"] if entry["parameter"]]), 40000, "entries")
    harness.equal([(entry["line"], entry["verdict"]) for entry in found["entries"] if not entry["parameter"]], [(20000, "error")],
                  "the entry of what is not listed")


def test_junk_is_no_crash(maui):
    for text in ("\x01", "USERCFG[" * 1000, "A=" * 5000, "\\\n" * 500, "#INCLUDE\n", "#INCLUDE maui.cfg\n", "\x1b[2J"):
        done = _report(maui, text)
        if done.returncode not in (0, 1, 2) or b"\x1b" in done.stdout + done.stderr:
            raise harness.Failure(f"exit code {done.returncode} of {text[:20]!r}: {harness.text_of(done)}")


def test_a_file_that_cannot_be_read_is_exit_code_2(maui):
    done = maui.run("check", "--report", "--json", "/nonexistent/maui.cfg")
    harness.check_code(done, 2)
    harness.check_errors(done, "No such file")
