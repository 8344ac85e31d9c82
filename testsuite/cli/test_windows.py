# SPDX-License-Identifier: GPL-2.0-or-later
"""maui showbf, showstart, setspri, schedctl: the original's lines, what stands in the way, and wrong usage."""

import copy
import json
import os
import pathlib
import tempfile

import cli_harness as harness
import fake_service as fake
import reservation_data as rd

_munge = harness.munge
QUEUE = json.loads((harness.FIXTURES / "queue_bf.json").read_text(encoding="utf-8"))
NOW = rd.NOW

# Of the original, but for the names of what is in the way.
BACKFILL = """\
backfill window (user: 'root' group: 'root' partition: ALL) Fri Nov 20 13:02:55

  1 proc available for      00:08:00



"""
VERBOSE = """\
backfill window (user: 'root' group: 'root' partition: ALL) Fri Nov 20 13:02:55

  1 proc available for      00:08:00


node node01 is unavailable (state 'Busy')
node node02 is unavailable (state 'Busy')
node node03 is unavailable (state 'Busy')
node node04 is unavailable (state 'Busy')
node node05 is unavailable (state 'Busy')
node node06 is blocked by reservation 7 in 00:08:00
node node07 is unavailable (state 'Busy')
node node08 does not meet requirements (ReserveTime): test.20261120



"""
NOTHING = """\
backfill window (user: 'root' group: 'root' partition: ALL) Fri Nov 20 13:02:55

no procs available



"""
ANYBODY = """\
backfill window (user: '[ALL]' group: '[ALL]' partition: ALL) Fri Nov 20 13:02:55

  2 procs available for      00:08:00
  1 proc available for      00:10:00



"""
START = """\
job 7 requires 8 procs for 1:00:00
Earliest start in         00:08:00 on Fri Nov 20 13:10:55
Earliest completion in     1:08:00 on Fri Nov 20 14:10:55
Best Partition: batch

"""
RUNNING = """\
job 10 requires 4 procs for 00:10:00
Earliest start in        -00:02:00 on Fri Nov 20 13:00:55
Earliest completion in    00:08:00 on Fri Nov 20 13:10:55
Best Partition: batch

"""
BLOCKED = """\
job 5 requires 8 procs for 1:00:00
job 5 violates active HARD MAXJOB limit of 2 for user bob  (R: 1, U: 2)
No start is known

"""


def _access(**members):
    rows = [rd.row("test.20261120", "test", NOW - 60, NOW + 14225, "node08", 1, 4),
            rd.row("inf.inf", "inf", NOW - 120, None, "node[01-02]", 2, 8)]
    return rd.show(*rows) | {"active_procs": 12, "standing": [
        rd.standing("test", acl=["USER==alice+", "CLASS==interactive+"], **members), rd.standing("inf", acl=[])]}


BLOCK = {"level": "hard", "partition": "ALL", "omitted": 0, "jobs": [
    {"job": 5, "array": None, "user": "bob", "partitions": ["batch"], "kind": "limit", "level": "hard", "text": "MAXJOB limit",
     "message": "violates active HARD MAXJOB limit of 2 for user bob  (R: 1, U: 2)", "begin": None}]}


def _answers(access=None, blocked=None):
    datas = {"diagnose-reservations": _access() if access is None else access,
             "diagnose-blocked": blocked or {"level": "hard", "partition": "ALL", "jobs": [], "omitted": 0},
             "showconfig": {"path": "/etc/maui.cfg", "values": [
                 {"parameter": "XFACTORWEIGHT", "index": None, "section": None, "name": None, "value": "0", "origin": None},
                 {"parameter": "PRIORITY", "index": None, "section": "USERCFG", "name": "bob", "value": "7",
                  "origin": {"file": "/etc/maui.cfg", "line": 3, "column": 1}}]}}
    return lambda service, request: service.envelope(request, data=datas[request["command"]], time=NOW)


def _ask(maui, *words, queue=None, answer=None, slurm_user=None):
    with tempfile.TemporaryDirectory() as directory, fake.FakeService(_munge, answer or _answers()) as service:
        path = pathlib.Path(directory, "queue.json")
        path.write_text(json.dumps(queue or QUEUE), encoding="utf-8")
        done = maui.run(*words, f"--queue-file={path}", f"--port={service.port}", "--host=127.0.0.1",
                        f"--munge-socket={_munge.socket}", f"--slurm-user={slurm_user or os.getuid()}")
        return done, service.requests


def _prints(maui, text, *words, code=0, errors=None, **members):
    done, requests = _ask(maui, *words, **members)
    harness.check_code(done, code)
    harness.equal(done.stdout.decode(), text, " ".join(words))
    harness.check_errors(done, errors)
    return requests


def test_showbf_prints_the_original_to_the_character(maui):
    _prints(maui, BACKFILL, "showbf", "-u", "root")
    _prints(maui, VERBOSE, "showbf", "-u", "root", "-v")
    _prints(maui, NOTHING, "showbf", "-u", "root", "-n", "2")
    _prints(maui, BACKFILL.replace("'root' group", "'nosuchuser' group"), "showbf", "-u", "nosuchuser", "-g", "root", "-d", "00:05:00", "-S")
    requests = _prints(maui, ANYBODY, "showbf", "-d", "00:05:00", "-A")
    harness.equal([(one["command"], one["arguments"]) for one in requests], [("diagnose-reservations", {})], "requests")


def _windows(maui, *words, **members):
    done, _ = _ask(maui, "showbf", "--json", *words, **members)
    harness.check_code(done, 0)
    data = json.loads(done.stdout)
    harness.equal(data["schema"], "maui.showbf/1", "schema")
    return [(one["procs"], one["nodes"], one["seconds"]) for one in data["windows"]]


def test_the_options_of_showbf_choose(maui):
    for words, windows in (((), [(1, 1, 480)]), (("-d", "0:08:01"), []), (("-d", "480"), [(1, 1, 480)]), (("-n1",), [(1, 1, 480)]),
                           (("-f", "fast"), [(1, 1, 480)]), (("-f", "fast:big"), [(1, 1, 480)]), (("-f", "fast:slow"), []),
                           (("-p", "batch"), [(1, 1, 480)]), (("-c", "batch"), [(1, 1, 480)]), 
                           (("-p", "ALL"), [(1, 1, 480)]), (("-m", "1664"), [(1, 1, 480)]), (("-m", "1665"), []),
                           (("-m", "<1665"), [(1, 1, 480)]), (("-m", "<1664"), []), (("-m", "<=1664"), [(1, 1, 480)]),
                           (("-m", ">1664"), []), (("-m", ">=1664"), [(1, 1, 480)]), (("-m", "==1664"), [(1, 1, 480)])):
        harness.equal(_windows(maui, *words), windows, " ".join(words))


def _list(acl, **members):
    access = _access(**members)
    access["standing"][0]["acl"] = acl
    return access


def test_reservations_admit_by_their_lists(maui):
    """node08 is planned for another job in ten minutes; both nodes together are there for eight."""
    inside, outside = [(2, 2, 480), (1, 1, 600)], [(1, 1, 480)]
    for acl, words, windows in (
            (["USER==alice+"], ("-u", "alice"), inside), (["USER==alice+"], ("-u", "Alice"), outside),
            (["USER==bob+", "USER==alice-"], ("-u", "alice"), inside), (["USER==alice+!"], ("-u", "alice"), outside),
            (["USER==bob=!"], ("-u", "alice"), inside), (["USER==alice+*", "ACCT==x+*"], ("-u", "alice"), outside),
            (["USER==alice+*", "ACCT==x+*"], ("-u", "alice", "-a", "x"), inside), (["USER==alice+^"], ("-u", "alice"), outside),
            (["GROUP==phys+"], ("-g", "phys"), inside), (["QOS==hi+"], ("-q", "HI"), inside), (["QOS==hi+"], (), outside),
            (["QOS==DEFAULT+"], (), inside), (["CLASS==batch+"], (), inside), (["CLASS==batch+"], ("-p", "batch"), inside),
            (["CLASS==long+"], (), outside), (["JFEATURE==PREEMPTEE+"], (), outside), ([], ("-u", "alice"), outside),
            (["PROC<=4+"], (), inside), (["TASK>4+"], (), outside), (["FUTURE==x+"], (), outside), (["DURATION<=soon+"], (), outside),
            (["USER==alice+", "DURATION<=00:05:00+*"], ("-u", "alice"), [(2, 2, 300), (1, 1, 480)]),
            (["USER==alice+", "DURATION<300+*"], ("-u", "alice"), [(2, 2, 299), (1, 1, 480)])):
        harness.equal(_windows(maui, *words, answer=_answers(_list(acl))), windows, f"{acl} {words}")
    for members in ({"flags": ["BYNAME"]}, {"acl_omitted": 3}):
        harness.equal(_windows(maui, "-u", "alice", answer=_answers(_list(["USER==alice+"], **members))), outside, str(members))
    closed = _list(["USER==alice+"])
    closed["reservations"][0]["open"] = False
    harness.equal(_windows(maui, "-u", "alice", answer=_answers(closed)), outside, "closed")


def _changed(**changes):
    queue = copy.deepcopy(QUEUE)
    queue["reservations"] = []
    queue["jobs"] = []
    for name, members in changes.items():
        for record in queue[name]:
            record.update(members)
    return queue


def test_a_filter_that_nobody_knows_is_an_error(maui):
    for words, error in ((["showbf", "-p", "other"], "there is no partition other"), (["showbf", "-c", "other"], "there is no partition other")):
        done, _ = _ask(maui, *words)
        harness.check_refused(done, f"^ERROR:    {error}\n$")
    for words, error in ((["-u", "nosuchuser"], "user nosuchuser"), (["-g", "nosuchgroup"], "group nosuchgroup")):
        done = maui.run("showbf", *words)
        harness.check_code(done, 2)
        harness.check_errors(done, f"^ERROR:    there is no {error}\n$")


def test_what_is_on_nodes_counts(maui):
    two = [(2, 2, None)]
    harness.equal(_windows(maui, queue=_changed()), two, "without reservations and jobs")
    for members, windows in (({"flags": ["DRAIN"]}, []), ({"flags": ["NOT_RESPONDING"]}, []), ({"state": "DOWN"}, []),
                             ({"flags": ["PLANNED"]}, two), ({"flags": ["NOT_RESPONDING", "POWERING_UP"]}, two), ({"flags": ["POWERED_DOWN"]}, two),
                             ({"flags": ["POWERING_DOWN"]}, []), ({"flags": ["MAINT"]}, []), ({"flags": ["INVALID_REG"]}, []), ({"state": "IDLE", "allocated_procs": 0}, [(32, 8, None)])):
        harness.equal(_windows(maui, queue=_changed(nodes=members)), windows, str(members))
    for members, windows in (({"state": "DOWN"}, []), ({"max_time": 1200}, [(2, 2, 1200)]), ({"root_only": True}, two),
                             ({"allow_groups": "root,nosuchgroup"}, two), ({"allow_groups": "nosuchgroup"}, []),
                             ({"allow_accounts": "x"}, two), ({"allow_qos": "x"}, two)):
        harness.equal(_windows(maui, "-u", "root", queue=_changed(partitions=members)), windows, str(members))
    for members, words in (({"root_only": True}, ("-u", "daemon")), ({"allow_accounts": "x"}, ("-a", "y")), ({"deny_qos": "y"}, ("-q", "Y")),
                           ({"deny_accounts": "x,y"}, ("-a", "y")), ({"allow_qos": "x"}, ("-q", "y"))):
        harness.equal(_windows(maui, *words, queue=_changed(partitions=members)), [], str(members))
        harness.equal(_windows(maui, "-A", queue=_changed(partitions=members)), two, str(members))


def test_parts_of_nodes_and_what_comes_later_count(maui):
    queue = _changed(nodes={"state": "IDLE", "allocated_procs": 0})
    part = QUEUE["reservations"][0] | {"name": "part", "start": NOW + 60, "end": NOW + 120, "nodes": "node[01-02]",
                                       "cores": [{"node": "node01", "cores": "0-1,3"}, {"node": "node02", "cores": "0"}]}
    over = part | {"name": "over", "start": NOW - 120, "end": NOW - 60, "cores": []}
    queue["reservations"] = [part, over]
    harness.equal(_windows(maui, queue=queue), [(32, 8, 60), (28, 8, None)], "cores")
    part["procs"] = 8  # two a core
    harness.equal(_windows(maui, queue=queue), [(32, 8, 60), (26, 7, None)], "threads")
    part["start"] = NOW - 60
    harness.equal(_windows(maui, queue=queue), [(26, 7, None)], "in force")


def test_without_the_engine_no_reservation_is_open(maui):
    done = maui.run("showbf", "-u", "alice", "--queue-file=queue_bf.json", "--host=127.0.0.1", "--port=1")
    harness.check_code(done, 0)
    harness.check_errors(done, "NOTE:     no reservation is counted as open: only the engine has the access lists\n$")
    if b"  1 proc available for      00:08:00\n" not in done.stdout:
        raise harness.Failure(harness.text_of(done))


def _with_gres():
    """node05 to node08 have GPUs, and node06, of which a processor is free, two of its three."""
    queue = copy.deepcopy(QUEUE)
    for node in queue["nodes"][4:]:
        node |= {"gres": "gpu:a100:2(S:0),gpu:h100:1,tape:4", "gres_used": "gpu:a100:2(IDX:0,1),tape:0"}
    queue["nodes"][5]["gres_used"] = "gpu:a100:1(IDX:1),gpu:h100:0(IDX:N/A),tape:3"
    return queue


def test_gres_are_in_the_window(maui):
    text = BACKFILL.replace("00:08:00\n", "00:08:00  (gpu: 2, tape: 1)\n")
    _prints(maui, text, "showbf", "-u", "root", queue=_with_gres())
    done, _ = _ask(maui, "showbf", "--json", "-u", "root", queue=_with_gres())
    harness.equal(json.loads(done.stdout)["windows"][0]["gres"],
                  [{"name": "gpu", "free": 2}, {"name": "tape", "free": 1}], "JSON")
    for asked, there in (("gpu:2", True), ("gpu:3", False), ("gpu:a100:1", True), ("gpu:a100:2", False), ("gpu:h100", True),
                         ("gpu:v100:1", False), ("gres:gpu:1,tape:1", True), ("gpu:1,tape:2", False), ("disc", False)):
        windows = _windows(maui, f"--gres={asked}", queue=_with_gres())
        harness.equal(windows, [(1, 1, 480)] if there else [], asked)
    done, _ = _ask(maui, "showbf", "-v", "--gres=gpu:3", queue=_with_gres())
    if b"node node06 does not meet requirements (GRES)\n" not in done.stdout:
        raise harness.Failure(harness.text_of(done))


def test_gres_of_long_names_and_sizes_are_told_apart(maui):
    name = f"{70 * 'g'}:nvidia_rtx_pro_6000_blackwell_server_edition"
    queue = copy.deepcopy(QUEUE)
    for node in queue["nodes"][4:]:
        node |= {"gres": f"{name}:4,scratch:500G", "gres_used": f"{name}:1,scratch:300G"}
    for asked, there in ((f"{name}:3", True), (f"{name}:4", False), (f"{name}_4g.96gb:1", False), ("scratch:200G", True),
                         ("scratch:201G", False), ("scratch:214748364800", True), ("scratch:214gb", True), ("scratch:1P", False)):
        harness.equal(_windows(maui, f"--gres={asked}", queue=queue), [(1, 1, 480)] if there else [], asked)


def test_gres_go_with_the_last_processor_of_their_node(maui):
    """A reservation of all of node06 in a minute: until then its GPUs are in the window, and not after."""
    queue = _changed(nodes={"state": "IDLE", "allocated_procs": 0, "gres": "gpu:4,tape:1G", "gres_used": "gpu:1"})
    queue["reservations"] = [QUEUE["reservations"][0] | {"name": "all", "start": NOW + 60, "end": NOW + 120, "nodes": "node06", "cores": []}]
    done, _ = _ask(maui, "showbf", "--json", queue=queue)
    found = [(one["seconds"], [(gres["name"], gres["free"]) for gres in one["gres"]])
             for one in json.loads(done.stdout)["windows"]]
    harness.equal(found, [(60, [("gpu", 24), ("tape", 8 << 30)]), (None, [("gpu", 21), ("tape", 7 << 30)])], "windows")


def test_showbf_says_all_as_json(maui):
    done, _ = _ask(maui, "showbf", "--json", "-u", "root", "-a", "x")
    harness.check_golden(done, "showbf.json.out")


def test_showstart_prints_the_original_to_the_character(maui):
    requests = _prints(maui, START, "showstart", "7")
    harness.equal([(one["command"], one["arguments"]) for one in requests],
                  [("diagnose-blocked", {"jobs": [7], "level": "hard"})], "requests")
    _prints(maui, RUNNING, "showstart", "10")
    done, _ = _ask(maui, "showstart", "3_5")
    harness.check_code(done, 0)
    done, _ = _ask(maui, "showstart", "7", "--json")
    harness.equal(json.loads(done.stdout), {
        "schema": "maui.showstart/1", "request": "7", "time": NOW, "procs": 8, "walltime": 3600, "start": NOW + 480,
        "completion": NOW + 4080, "partition": "batch", "source": "backfill", "blocked": None}, "JSON")


def test_what_holds_a_job_back_is_told(maui):
    _prints(maui, BLOCKED, "showstart", "5", code=1, answer=_answers(blocked=BLOCK))
    done, _ = _ask(maui, "showstart", "5", "--json", answer=_answers(blocked=BLOCK))
    harness.check_code(done, 1)
    data = json.loads(done.stdout)
    harness.equal((data["start"], data["completion"], data["source"], data["blocked"]),
                  (None, None, "engine", BLOCK["jobs"][0]["message"]), "JSON")
    for job, line in (("1", "job 1 cannot be selected  (JobHeldUser)"),
                      ("5", "job 5 cannot be selected  (QOSMaxJobsPerUserLimit: too many)"),
                      ("2", "job 2 is not planned by backfill")):
        done, _ = _ask(maui, "showstart", job)
        harness.check_code(done, 1)
        harness.equal(done.stdout.decode().splitlines()[1:], [line, "No start is known", ""], job)
    begin = copy.deepcopy(BLOCK)
    begin["jobs"][0] |= {"job": 7, "kind": "begin-time", "begin": NOW + 60}
    _prints(maui, START, "showstart", "7", answer=_answers(blocked=begin))
    done = maui.run("showstart", "5", "--queue-file=queue_bf.json", "--host=127.0.0.1", "--port=1")
    harness.check_code(done, 1)
    harness.check_errors(done, "NOTE:     without the engine")


def test_times_of_two_fields_are_noted(maui):
    """The original reads hours and minutes."""
    pattern = "^NOTE:     .*10:00 is read as minutes and seconds; the original reads hours and minutes: write three fields"
    harness.check_errors(_ask(maui, "showbf", "-d", "10:00")[0], pattern)
    harness.check_errors(maui.run("showstart", "4@10:00", "--queue-file=queue_bf.json"), pattern)


def test_of_what_is_not_there_no_start_is_told(maui):
    for words, pattern in ((["11"], "job 11 has ended \\(COMPLETED\\)"), (["99_1"], "there is no job 99_1"), (["99+1"], "there is no job 99\\+1"),
                           (["4@1:00:00"], "only Slurm can estimate when 4@1:00:00 could start")):
        done, _ = _ask(maui, "showstart", *words)
        harness.check_refused(done, pattern)


def test_schedctl_shows_the_policy(maui):
    done, _ = _ask(maui, "schedctl", "-l")
    harness.check_code(done, 0)
    if b"USERCFG[bob]" not in done.stdout or b"# 1 more" not in done.stdout:
        raise harness.Failure(harness.text_of(done))
    done, _ = _ask(maui, "schedctl", "-l", "xfactorweight")
    if b"USERCFG[bob]" in done.stdout or b"XFACTORWEIGHT" not in done.stdout:
        raise harness.Failure(harness.text_of(done))
    done, _ = _ask(maui, "schedctl", "-l", "NOSUCH")
    harness.check_code(done, 2)
    harness.check_errors(done, "there is no parameter NOSUCH")
    done, _ = _ask(maui, "schedctl", "-l", "PRIORITY", "--json")
    data = json.loads(done.stdout)
    harness.equal((data["schema"], [one["name"] for one in data["values"]]), ("maui.showconfig/1", ["bob"]), "JSON")


def test_schedctl_names_what_slurm_has_in_place_of_the_rest(maui):
    for words, pattern in ((["-k"], "scontrol shutdown"), (["-s"], "State=DOWN"), (["-s", "3"], "State=DOWN"), (["-S1"], "State=DOWN"),
                           (["-r"], "State=UP"), (["-n"], "scontrol show nodes"), (["-m", "X 1"], "change maui.cfg"), (["-j"], "sacct"),
                           (["-f"], "no failures")):
        done = maui.run("schedctl", *words)
        harness.check_refused(done, f"^ERROR:    schedctl {words[0][:2]} does not exist in Slurm: .*{pattern}")


def test_without_slurm_nothing_is_changed(maui):
    for words in (["setspri", "500", "17"], ["setspri", "-r", "-5", "17", "18_3"], ["schedctl", "-R"], ["showstart", "17"], ["showbf"]):
        done = maui.run(*words, "--timeout=5")
        harness.check_code(done, 3)
        harness.check_quiet(done)
        harness.check_errors(done, "^ERROR:    .*/nonexistent/slurm.conf")


def test_wrong_usage_is_explained(maui):
    for words, pattern in ((["setspri"], "which priority"), (["setspri", "5"], "which job"), (["setspri", "x", "17"], "x is not a system priority: 0 to 1000"),
                           (["setspri", "1001", "17"], "1001 is not a system priority"), (["setspri", "-5", "17"], "-5 is not a system priority: 0 to"),
                           (["setspri", "-r", "1000000001", "17"], "with -r -1000000000 to 1000000000"), (["setspri", "5", "x"], "x is not a job ID"),
                           (["setspri", "5", "17", "18;19"], "18;19 is not a job ID"), (["setspri", "-x", "5", "17"], "invalid option"),
                           (["schedctl"], "-R or -l\\?"), (["schedctl", "-R", "-l"], "-R or -l"), (["schedctl", "-R", "x"], "unexpected argument x"),
                           (["schedctl", "-l", "x", "y"], "unexpected argument y"), (["schedctl", "-x"], "invalid option"),
                           (["showbf", "x"], "unexpected argument x"), (["showbf", "-d", "soon"], "soon is not a time"), (["showbf", "-n", "-1"], "-1 is not a valid number"),
                           (["showbf", "--gres="], "names no GRES, as in gpu:2"),
                           (["showbf", "-m", "many"], "many is not a valid amount"), (["showbf", "-x"], "invalid option"),
                           (["showstart"], "which job"), (["showstart", "1", "2"], "one job at a time"),
                           (["showstart", "x", "--queue-file=queue_bf.json"], "x is neither a job nor PROCS@TIME"),
                           (["showstart", "0@5", "--queue-file=queue_bf.json"], "neither a job nor"),
                           (["showstart", "4@soon", "--queue-file=queue_bf.json"], "soon is not a time")):
        done = maui.run(*words)
        harness.check_refused(done, pattern)


def test_links_are_commands(maui):
    for name in ("schedctl", "setspri", "showbf", "showstart"):
        for done in (maui.run("--help", argv0=f"/usr/local/maui/bin/{name}"), maui.run(name, "--help"), maui.run("help", name)):
            harness.check_code(done, 0)
            harness.check_golden(done, f"help.{name}.out")


def _evil(value):
    """The same with a control sequence in every text but those that say what it is."""
    if isinstance(value, dict):
        return {key: member if key in ("schema", "state", "id", "partitions", "nodes", "scheduled_nodes") and isinstance(member, str)
                else _evil(member) for key, member in value.items()}
    if isinstance(value, list):
        return [_evil(member) for member in value]
    return f"\x1b]0;{value}\x07\n" if isinstance(value, str) or value is None else value


def test_names_cannot_command_the_terminal(maui):
    for words in (["showbf", "-v", "-u", "\x1b[2J"], ["showstart", "7"], ["showstart", "5"], ["showstart", "1"]):
        done, _ = _ask(maui, *words, queue=_evil(QUEUE), answer=_answers(_evil(_access()), _evil(BLOCK)))
        for text in (done.stdout, done.stderr):
            if b"\x1b" in text or b"\x07" in text:
                raise harness.Failure("control characters in the output")


def _odd(value):
    """One member after the other replaced by what it should not be."""
    odd = (None, "x", -1, 2**62, -2**63, 1e308, [], {}, [None, 1, "x", [], {}], "n" * 10000)
    members = value.items() if isinstance(value, dict) else enumerate(value)
    for key, member in members:
        for other in odd:
            changed = value.copy()
            changed[key] = other
            yield changed
        if isinstance(member, (dict, list)):
            for inner in _odd(member):
                changed = value.copy()
                changed[key] = inner
                yield changed


def test_odd_data_is_no_crash(maui):
    """Of each some dozens, sampled: each is a run of the program."""
    for words in (["showbf", "-v"], ["showstart", "7"], ["showstart", "3_5"]):
        for good, make in ((QUEUE, lambda odd: {"queue": odd}), (_access(), lambda odd: {"answer": _answers(odd)}),
                           (BLOCK, lambda odd: {"answer": _answers(None, odd)})):
            changes = list(_odd(good))
            for changed in changes[::max(1, len(changes) // 30)]:
                done, _ = _ask(maui, *words, **make(changed))
                if done.returncode not in (0, 1, 2, 4):
                    raise harness.Failure(f"exit code {done.returncode} for {changed}: {harness.text_of(done)}")
