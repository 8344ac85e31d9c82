# SPDX-License-Identifier: GPL-2.0-or-later
"""maui showres, diagnose -r, res explain: the original's lines, what is ours, and whatever the engine says, no crash."""

import json
import pathlib
import subprocess

import cli_harness as harness
import fake_service as fake
import reservation_data as rd

LIST_ATTRIBUTES = harness.BUILD / "testsuite/cli/list_attributes"
DOCUMENT = pathlib.Path(__file__).parents[2] / "contribs/doc/service.md"
_munge = harness.munge

# Of the original, without the reservations of jobs.
LIST = """\
Reservations

ReservationID       Type S       Start         End    Duration    N/P    StartTime

test.0.0            User -    00:00:00     3:57:05     3:57:05    1/2    Fri Nov 20 13:02:55
inf.0.0             User -   -00:02:00    INFINITY    INFINITY    2/8    Fri Nov 20 13:00:55

2 reservations located
"""
NONE = """\
Reservations

ReservationID       Type S       Start         End    Duration    N/P    StartTime


0 reservations located
"""
NODES = """\
reservations on Fri Nov 20 13:02:55

            NodeName       Type      ReservationID   JobState Task       Start    Duration            StartTime

              node01       User            inf.0.0        N/A    1   -00:02:00    INFINITE  Fri Nov 20 13:00:55
              node02       User            inf.0.0        N/A    1   -00:02:00    INFINITE  Fri Nov 20 13:00:55
              node08       User           test.0.0        N/A    1    00:00:00     3:57:05  Fri Nov 20 13:02:55
3 nodes reserved
"""


def _good(data):
    return lambda service, request: service.envelope(request, data=data, time=rd.NOW)


def _ask(maui, answer, *arguments, env=None):
    with fake.FakeService(_munge, answer) as service:
        done = maui.run(*arguments, f"--port={service.port}", "--host=127.0.0.1",
                        f"--munge-socket={_munge.socket}", f"--slurm-user={fake.os.getuid()}", env=env)
        return done, service.requests


def _golden(maui, data, golden, *arguments, errors=None):
    done, requests = _ask(maui, _good(data), *arguments)
    harness.check_code(done, 0)
    harness.check_golden(done, golden)
    harness.check_errors(done, errors)
    return requests


def test_prints_the_original_to_the_character(maui):
    for words, data, text in ((["showres"], rd.sample(), LIST), (["showres", "-r"], rd.sample(), LIST),
                              (["showres", "-s", "-v"], rd.sample(), LIST),
                              (["showres", "-g", "node01"], rd.show(), NONE),
                              (["showres", "-n"], rd.by_node(), NODES), (["showres", "-n", "-g"], rd.by_node(), NODES)):
        done, _ = _ask(maui, _good(data), *words)
        harness.check_code(done, 0)
        harness.equal(done.stdout.decode(), text, " ".join(words))
        harness.check_errors(done, None)


def test_maintenance_is_marked(maui):
    data = rd.by_node()
    data["reservations"][0]["maint"] = True
    for words, text in ((["showres"], LIST), (["showres", "-n"], NODES)):
        marked = "".join(line + ("  MAINT" if "test.0.0" in line else "") + "\n" for line in text.splitlines())
        done, _ = _ask(maui, _good(data), *words)
        harness.equal(done.stdout.decode(), marked, " ".join(words))


def test_what_would_be_there_in_shadow_mode_is_listed(maui):
    row = {"name": "night.inf", "ours": True, "standing": "night", "there": False, "would": True, "start": rd.NOW,
           "end": None, "nodes": "n[1-2]", "node_count": 2, "procs": 8, "tasks": 2, "missing": 0, "text": "2 of 2 tasks",
           "problem": None, "open": False}
    lost = row | {"name": "big.inf", "would": False, "nodes": None, "node_count": 0, "procs": 0, "text": "too few nodes"}
    data = {"known": True, "select": True, "shadow": True, "reservations": [row, lost], "omitted": 0, "standing": [],
            "active_procs": 0}
    done, _ = _ask(maui, _good(data), "showres")
    harness.check_golden(done, "showres.shadow.out")
    harness.check_errors(done, "(?s)shadow mode.*big.inf is not there: too few nodes")
    done, _ = _ask(maui, _good(data), "diagnose", "-r")
    text = done.stdout.decode()
    harness.equal([name for name in ("night.inf", "big.inf") if f"no reservation '{name}'" in text], ["big.inf"],
                  "what is missing")


def test_reservations_of_all_kinds(maui):
    missing = "NOTE:     reservation big.20261121 is not there: 0 of 32 tasks; 8 nodes held by other reservations\n"
    more = "NOTE:     3 more are not shown: ask for one by name\n"
    requests = _golden(maui, rd.all_kinds(), "showres.kinds.out", "showres", errors=f"^{missing}{more}$")
    harness.equal((requests[0]["command"], requests[0]["arguments"]), ("show-reservations", {}), "request")
    requests = _golden(maui, rd.diagnosis(), "diagnose-r.out", "diagnose", "-r", errors=f"^{more}$")
    harness.equal((requests[0]["command"], requests[0]["arguments"]), ("diagnose-reservations", {}), "request")


def test_administrative_reservations_are_told_as_such(maui):
    _golden(maui, rd.administrative(), "diagnose-r.administrative.out", "diagnose", "-r")
    done, _ = _ask(maui, _good(rd.administrative()), "showres")
    if b"foo.0               User -    00:10:00     1:10:00     1:00:00    1/4 " not in done.stdout:
        raise harness.Failure(harness.text_of(done))


# Of the original.
CREATED = """\
reservation created


reservation 'maint.0' created on 2 nodes (8 tasks)
node01:1
node02:1
"""
CREATED_ON_ONE = """\
reservation created


reservation 'alice.0' created on 1 node (1 task)
node08:1
"""


def test_setres_replies_as_the_original(maui):
    one = rd.made(name="alice.0", tasks=1, node_count=1, by_node=[{"node": "node08", "tasks": 1}])
    for data, text in ((rd.made(), CREATED), (one, CREATED_ON_ONE)):
        done, _ = _ask(maui, _good(data), "setres", "-u", "alice:bob", "node0[1-2]")
        harness.check_code(done, 0)
        harness.equal(done.stdout.decode(), text, "reply")
        harness.check_errors(done, None)
    odd = rd.made(notes=["'n1' matches only part of the names"], select=False, omitted_nodes=5)
    done, _ = _ask(maui, _good(odd), "setres", "ALL")
    harness.check_errors(done, "^NOTE:     5 more nodes are not shown\nNOTE:     'n1' matches only part of the names\n"
                               "NOTE:     nobody gets into it: [^\n]*\n$")


def _sent(maui, *words):
    done, requests = _ask(maui, _good(rd.made()), "setres", *words)
    harness.check_code(done, 0)
    harness.equal(requests[0]["command"], "set-reservation", "command")
    return requests[0]["arguments"]


def _attributes():
    """Of each attribute of SRCFG its name, its member of the answer, how setres gives it, its label; "-" for none."""
    lines = subprocess.run([LIST_ATTRIBUTES], capture_output=True, check=True, text=True).stdout.splitlines()
    return [line.split(" ", 3) for line in lines]


def test_every_attribute_that_has_a_label_is_shown(maui):
    """Each by itself, set to something; those of which the answer says something even where nothing is set, too."""
    values = {type(None): "some", int: 7, list: ["some"]}
    for name, member, _, label in _attributes():
        if member != "-" and member not in rd.standing("a"):
            raise harness.Failure(f"reservation_data.standing() has no {member}")
        if label == "-":
            continue
        one = rd.standing("a")
        one[member] = values.get(type(one[member]), one[member])
        data = rd.show(rd.row("a.0", "a", rd.NOW, None, "n1", 1, 4), active_procs=4, standing=[one])
        done, _ = _ask(maui, _good(data), "diagnose", "-r")
        harness.check_code(done, 0)
        if label not in done.stdout.decode():
            raise harness.Failure(f"diagnose -r does not show {name} as {label}: {harness.text_of(done)}")


def test_every_member_is_documented(maui):
    answer, request = (DOCUMENT.read_text().split(f"\n### `{command}`", 1)[1].split("\n### ", 1)[0]
                       for command in ("diagnose-reservations", "set-reservation"))
    for name, member, setres, _ in _attributes():
        if member != "-" and f'"{member}": ' not in answer:
            raise harness.Failure(f"diagnose-reservations of service.md does not tell of {member}, {name}")
        if setres == "member" and f'"{member}": ' not in request:
            raise harness.Failure(f"set-reservation of service.md does not tell of {member}, {name}")


def test_every_option_of_setres_is_sent(maui):
    help_text = maui.run("setres", "--help").stdout.decode()
    lists = {"-a": "ACCOUNTLIST", "-c": "CLASSLIST", "-q": "CLASSLIST", "-Q": "QOSLIST", "-g": "GROUPLIST",
             "-u": "USERLIST", "-j": "JOBATTRLIST", "--account": "ACCOUNTLIST", "--class": "CLASSLIST",
             "--queue": "CLASSLIST", "--qos": "QOSLIST", "--group": "GROUPLIST", "--user": "USERLIST",
             "--jobattr": "JOBATTRLIST"}
    members = {"-A": "chargeaccount", "-f": "features", "-n": "name", "-o": "owner", "-p": "partition", "-r": "resources",
               "-x": "flags"}
    for option in (*lists, *(f"--{member}" for member in members.values())):
        if f"{option}=" not in help_text and f"{option}, " not in help_text:
            raise harness.Failure(f"the help of setres lacks {option}")
    for option, name in lists.items():
        harness.equal(_sent(maui, option, "x:y-", "ALL"),
                      {"hosts": ["ALL"], "acl": [{"list": name, "value": "x:y-"}]}, option)
    for short, member in members.items():
        for option in (short, f"--{member}"):
            harness.equal(_sent(maui, option, "some;thing", "ALL"), {"hosts": ["ALL"], member: "some;thing"}, option)
    for name, member, setres, _ in _attributes():
        if (setres == "list" and name not in lists.values()) or (setres == "member" and member not in members.values()):
            raise harness.Failure(f"no option of setres gives {name}")
    harness.equal(_sent(maui, "-E", "all"), {"hosts": ["ALL"]}, "-E")
    for words, flags in ((["-M"], "MAINT"), (["--maint"], "MAINT"), (["-x", "BYNAME", "-M"], "MAINT,BYNAME"),
                         (["--maint", "-x", "BYNAME"], "MAINT,BYNAME"), (["-M", "-x", ""], "MAINT")):
        harness.equal(_sent(maui, *words, "ALL"), {"hosts": ["ALL"], "flags": flags}, " ".join(words))
    # In the order of the command line: the last list that names a job gives it its affinity.
    harness.equal(_sent(maui, "-u", "a-", "-g", "b", "-u", "c", "n1")["acl"],
                  [{"list": "USERLIST", "value": "a-"}, {"list": "GROUPLIST", "value": "b"},
                   {"list": "USERLIST", "value": "c"}], "order")


def test_expressions_of_setres(maui):
    for words, arguments in ((["TASKS==2"], {"tasks": 2}), (["tasks>=2"], {"tasks": 2}),
                             (["-t", "4", "TASKS>=2"], {"tasks": 2, "task_limit": 4}),
                             (["-t", "4", "TASKS==2"], {"tasks": 2}),
                             (["-t4", "node0[1-9]"], {"hosts": ["node0[1-9]"], "task_limit": 4}),
                             (["n1", "n2"], {"hosts": ["n1", "n2"]}), (["TASKSET"], {"hosts": ["TASKSET"]})):
        harness.equal(_sent(maui, *words), arguments, " ".join(words))


def test_times_of_setres(maui):
    for words, arguments in ((["-s", "+1:00:00", "-d", "2:00:00"], {"start_in": 3600, "duration": 7200}),
                             (["-s", "now", "-e", "+0:10:00"], {"end_in": 600}),
                             (["-s", "8:30_12/24/2030", "-e", "10_12/24/30"],
                              {"start": 1924331400, "end": 1924336800}),
                             (["-e", "OFF"], {}), (["-d", "INFINITY"], {})):
        done, requests = _ask(maui, _good(rd.made()), "setres", *words, "ALL")
        harness.check_code(done, 0)
        harness.equal(requests[0]["arguments"], {"hosts": ["ALL"]} | arguments, " ".join(words))
    for option in ("-s", "-d"):
        done, _ = _ask(maui, _good(rd.made()), "setres", option, "+5:30"[option == "-d":], "ALL")
        harness.check_errors(done, "^NOTE:     -. .*5:30 is read as minutes and seconds; the original reads hours")


def test_times_of_setres_in_the_repeated_hour(maui):
    """At 2:30 on 2026-10-25 in Berlin, for the first time and for the second."""
    first, second, quarter = 1792888200, 1792891800, 900
    for now, words, arguments in (
        (first, ["-e", "2:45"], {"end": first + quarter}),
        (second, ["-e", "02:45"], {"end": second + quarter}),
        (second, ["-s", "2:40", "-e", "2:45"], {"start": second + 600, "end": second + quarter}),
        (first, ["-e", "2:45", "-s", "2:15"], {"start": second - quarter, "end": second + quarter}),
        (second, ["-s", "2:40", "-d", "0:10:00"], {"start": second + 600, "duration": 600}),
    ):
        with harness.clock(now) as env:
            done, requests = _ask(maui, _good(rd.made()), "setres", *words, "ALL",
                                  env=env | {"TZ": "Europe/Berlin"})
        harness.check_code(done, 0)
        harness.equal(requests[0]["arguments"], {"hosts": ["ALL"]} | arguments, f"{words} at {now}")


def test_releaseres_replies_as_the_original(maui):
    done, requests = _ask(maui, _good(rd.released()), "releaseres", "maint.0", "nosuch", "day.20261120")
    harness.check_code(done, 5)
    harness.equal((requests[0]["command"], requests[0]["arguments"]),
                  ("release-reservations", {"names": ["maint.0", "nosuch", "day.20261120"]}), "request")
    harness.equal(done.stdout.decode(), "released User reservation 'maint.0'\n"
                                        "released User reservation 'day.20261120'\n", "reply")
    harness.equal(done.stderr.decode(), "ERROR:    cannot locate reservation 'nosuch'\n", "reply")
    good = {"reservations": rd.released()["reservations"][:1]}
    done, _ = _ask(maui, _good(good), "releaseres", "maint.0")
    harness.check_code(done, 0)
    done, _ = _ask(maui, _good(rd.released()), "releaseres", "--json", "maint.0")
    harness.check_code(done, 5)
    harness.equal(json.loads(done.stdout), {"schema": "maui.release-reservations/1"} | rd.released(), "JSON")
    done, _ = _ask(maui, _good(rd.made()), "setres", "--json", "ALL")
    harness.equal(json.loads(done.stdout), {"schema": "maui.set-reservation/1"} | rd.made(), "JSON")


def test_names_and_nodes_are_passed_on(maui):
    for words, arguments in ((["showres", "x.inf"], {"name": "x.inf"}), (["showres", "-n"], {"nodes": True}),
                             (["showres", "-n", "x"], {"name": "x", "nodes": True})):
        _, requests = _ask(maui, _good(rd.by_node()), *words)
        harness.equal(requests[0]["arguments"], arguments, f"arguments of {words}")
    done, requests = _ask(maui, _good(rd.show(standing=[], active_procs=0)), "diagnose", "-r", "x")
    harness.equal(requests[0]["arguments"], {"name": "x"}, "arguments")
    harness.check_errors(done, "^NOTE:     there is no reservation x\n$")


def test_a_job_is_explained(maui):
    requests = _golden(maui, rd.explained(), "res-explain.out", "res", "explain", "16_1")
    harness.equal((requests[0]["command"], requests[0]["arguments"]), ("explain-reservations", {"job": 16, "task": 1}),
                  "request")
    data = rd.explanation(walltime=None, asks="maint", **{"pass": None}, select=False)
    _golden(maui, data, "res-explain.none.out", "res", "explain", "17", errors="^NOTE:     nobody gets into standing")
    done, _ = _ask(maui, _good(rd.explanation(**{"pass": "user"})), "res", "explain", "17")
    if b"the user's own (--signal=R:)" not in done.stdout:
        raise harness.Failure(harness.text_of(done))


def test_who_gets_in_nowhere_is_told(maui):
    for members, pattern in (({"known": False}, "NOTE:     the engine does not know yet"),
                             ({"select": False}, "NOTE:     nobody gets into standing reservations: slurmctld has not")):
        done, _ = _ask(maui, _good(rd.sample() | members), "showres")
        harness.check_code(done, 0)
        harness.check_errors(done, f"^{pattern}[^\n]*\n$")


def test_json_is_the_data_of_the_engine_unchanged_behind_its_schema(maui):
    for words, name, data in ((["showres"], "show", rd.all_kinds()), (["diagnose", "-r"], "diagnose", rd.diagnosis()),
                              (["res", "explain", "17"], "explain", rd.explained())):
        data |= {"later": [1, 2.50, None]}
        done, _ = _ask(maui, _good(data), *words, "--json")
        harness.check_code(done, 0)
        harness.check_errors(done, None)
        found = json.loads(done.stdout)
        harness.equal(next(iter(found)), "schema", "the first member")
        harness.equal(found.pop("schema"), f"maui.{name}-reservations/1", "schema")
        harness.equal(found, data, "data")


def test_what_the_engine_refuses_is_exit_code_5(maui):
    for words in (["showres"], ["diagnose", "-r"], ["res", "explain", "17"], ["setres", "ALL"], ["releaseres", "x"]):
        done, _ = _ask(maui, fake.error("unknown command"), *words)
        harness.check_code(done, 5)
        harness.check_quiet(done)
        harness.check_errors(done, "ERROR:    unknown command")


def test_an_answer_of_something_else_is_exit_code_4(maui):
    for words in (["showres"], ["showres", "-n"], ["diagnose", "-r"], ["res", "explain", "17"], ["setres", "ALL"],
                  ["releaseres", "x"]):
        done, _ = _ask(maui, _good({}), *words)
        harness.check_code(done, 4)
        harness.check_quiet(done)


def test_wrong_usage_is_explained(maui):
    for words, pattern in ((["showres", "a", "b"], "one reservation at a time"), (["showres", "-x"], "invalid option"),
                           (["diagnose", "-r", "a", "b"], "one reservation at a time"),
                           (["diagnose", "-r", "-t", "x"], "--partition goes with"),
                           (["diagnose", "-r", "-p"], "one at a time"), (["res"], "res explain JOB"),
                           (["res", "frob"], "res has no frob"), (["res", "explain"], "which job"),
                           (["setres"], "what is to be reserved"), (["setres", "-s", "25", "ALL"], "-s: '25' is not a time"),
                           (["setres", "-e", "soon", "ALL"], "-e: 'soon' is not a time"),
                           (["setres", "-d", "x", "ALL"], "-d: 'x' is not a duration"),
                           (["setres", "-d", "-5", "ALL"], "-d: '-5' is not a duration"),
                           (["setres", "-t", "0", "ALL"], "-t: '0' is not a number"),
                           (["setres", "-t", "2", "TASKS==3"], "-t: these are fewer"),
                           (["setres", "TASKS=3"], "neither TASKS==n nor"), (["setres", "TASKS==x"], "neither TASKS==n nor"),
                           (["setres", "TASKS==0"], "neither TASKS==n nor"), (["setres", "TASKS==1", "n1"], "not both"),
                           (["setres", "-s", "OFF", "ALL"], "invalid timeframe"),
                           (["setres", "-e", "NOW", "ALL"], "invalid timeframe"), (["setres", "-X", "ALL"], "invalid option"),
                           (["releaseres"], "which reservation"), (["releaseres", "-x", "a"], "invalid option"),
                           (["res", "explain", "x"], "x is not a job ID"), (["res", "explain", "1", "2"], "one job at a time")):
        done = maui.run(*words)
        harness.check_refused(done, pattern)


def test_links_are_commands(maui):
    done = maui.run("--help", argv0="/usr/local/maui/bin/showres")
    harness.check_code(done, 0)
    harness.check_golden(done, "help.showres.out")
    for name in ("setres", "releaseres"):
        done = maui.run("--help", argv0=f"/usr/local/maui/bin/{name}")
        harness.check_code(done, 0)
        harness.check_golden(done, f"help.{name}.out")


CASES = ((["setres", "ALL"], rd.made), (["diagnose", "-r"], rd.administrative), (["showres"], rd.all_kinds), (["showres", "-n"], rd.by_node), (["diagnose", "-r"], rd.diagnosis),
         (["res", "explain", "17"], rd.explained))


def test_names_cannot_command_the_terminal(maui):
    for words, make in CASES:
        done, _ = _ask(maui, _good(harness.evil(make())), *words)
        harness.check_code(done, 0)
        for text in (done.stdout, done.stderr):
            if b"\x1b" in text or b"\x07" in text:
                raise harness.Failure("control characters in the output")


def test_odd_data_is_no_crash(maui):
    """Of each some dozens, sampled: each is a run of the program."""
    for words, make in CASES:
        changes = list(harness.odd(make()))
        for changed in changes[::max(1, len(changes) // 60)]:
            done, _ = _ask(maui, _good(changed), *words)
            if done.returncode not in (0, 4):
                raise harness.Failure(f"exit code {done.returncode} for {changed}: {harness.text_of(done)}")
