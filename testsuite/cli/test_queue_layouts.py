# SPDX-License-Identifier: GPL-2.0-or-later
"""maui showq, checkjob, diagnose -j: the original's captures to the character, jobs of all kinds, and no engine."""

import json
import pathlib
import resource
import tempfile

import cli_harness as harness
import fake_service as fake
import queue_data as qd

_munge = harness.munge

SHOWQ = """\
ACTIVE JOBS--------------------
JOBNAME            USERNAME      STATE  PROC   REMAINING            STARTTIME

job000                  bob    Running     4    00:08:00  Fri Nov 20 13:00:55
job005                alice    Running     4    00:08:00  Fri Nov 20 13:00:55
job019                alice    Running    16    00:58:00  Fri Nov 20 13:00:55
job022                alice    Running     2    00:58:00  Fri Nov 20 13:00:55
job018                alice    Running     4    23:58:00  Fri Nov 20 13:00:55

     5 Active Jobs      30 of   32 Processors Active (93.75%)
                         8 of    8 Nodes Active      (100.00%)

IDLE JOBS----------------------
JOBNAME            USERNAME      STATE  PROC     WCLIMIT            QUEUETIME

job007                  bob       Idle     8     1:00:00  Fri Nov 20 12:59:55
job011                 dave       Idle    16     2:00:00  Fri Nov 20 12:59:55
job008                alice       Idle    16    00:10:00  Fri Nov 20 12:59:55
job020                alice       Idle     2    00:10:00  Fri Nov 20 12:59:55

4 Idle Jobs

BLOCKED JOBS----------------
JOBNAME            USERNAME      STATE  PROC     WCLIMIT            QUEUETIME

job001                  bob       Idle     8    00:10:00  Fri Nov 20 12:59:55
job002                carol       Idle    16    00:10:00  Fri Nov 20 12:59:55
job003                 dave       Idle     8    00:10:00  Fri Nov 20 12:59:55
job004                  bob       Idle     2     1:00:00  Fri Nov 20 12:59:55
job006                  bob       Idle     4  1:00:00:00  Fri Nov 20 12:59:55
job009                 dave       Idle     8    00:10:00  Fri Nov 20 12:59:55
job010                  bob       Idle    16     1:00:00  Fri Nov 20 12:59:55
job012                 dave       Idle    16     1:00:00  Fri Nov 20 12:59:55
job013                  bob       Idle     8     2:00:00  Fri Nov 20 12:59:55
job014                 dave       Idle     2     1:00:00  Fri Nov 20 12:59:55
job016                carol       Idle    16     1:00:00  Fri Nov 20 12:59:55
job017                carol       Idle     4     2:00:00  Fri Nov 20 12:59:55
job021                  bob       Idle     2    00:10:00  Fri Nov 20 12:59:55
job023                carol       Idle     8     2:00:00  Fri Nov 20 12:59:55
job024                 dave       Idle    16    00:10:00  Fri Nov 20 12:59:55
job025                 dave       Idle     8    00:10:00  Fri Nov 20 12:59:55
job026                carol       Idle     4    00:10:00  Fri Nov 20 12:59:55
job027                carol       Idle     2     2:00:00  Fri Nov 20 12:59:55
job028                 dave       Idle     1    00:10:00  Fri Nov 20 12:59:55
job029                carol       Idle    16     2:00:00  Fri Nov 20 12:59:55

Total Jobs: 29   Active Jobs: 5   Idle Jobs: 4   Blocked Jobs: 20
"""

# Slurm does not say how much of its processors a job uses, nor what backfill has started; a partition has its own name.
ACTIVE = """\
           JobName  S Par  Effic  XFactor  Q      User    Group    MHost Procs   Remaining            StartTime

            job000+ R DEF 100.00      1.1 lo       bob    staff   node07     4    00:08:00  Fri Nov 20 13:14:16
            job005  R DEF 100.00      1.0 DE     alice    staff   node08     4    00:08:00  Fri Nov 20 13:14:16
            job019  R DEF 100.00      1.0 hi     alice     phys   node01    16    00:58:00  Fri Nov 20 13:14:16
            job022  R DEF 100.00      1.0 hi     alice     phys   node06     2    00:58:00  Fri Nov 20 13:14:16
            job018  R DEF 100.00      1.0 hi     alice    staff   node05     4    23:58:00  Fri Nov 20 13:14:16

  5 Jobs      30 of    32 Processors Active (93.75%)
""".replace("+", " ").replace(" DEF ", " bat ").replace("100.00", "------")

IDLE = """\
           JobName    Priority  XFactor  Q      User    Group  Procs     WCLimit     Class      SystemQueueTime

            job007*        477      1.0  -       bob     phys      8     1:00:00     batch  Fri Nov 20 13:15:16
            job011          45      1.0  -      dave     phys     16     2:00:00     batch  Fri Nov 20 13:13:16
            job008           1      1.3 lo     alice     phys     16    00:10:00     batch  Fri Nov 20 13:13:16
            job020           1      1.2  -     alice     phys      2    00:10:00     batch  Fri Nov 20 13:14:16

Jobs: 4  Total Backlog:  43.00 ProcHours  (1.34 Hours)
"""

# Without the times that its simulator knew in advance; a job has its own partition.
CHECKJOB = """\


checking job job007

State: Idle
Creds:  user:bob  group:phys  account:B  class:batch  qos:DEFAULT
WallTime: 00:00:00 of 1:00:00
SubmitTime: Fri Nov 20 13:00:00
  (Time Queued  Total: 00:03:00  Eligible: 00:01:00)

Total Tasks: 8

Req[0]  TaskCount: 8  Partition: ALL
Network: [NONE]  Memory >= 0  Disk >= 0  Swap NC 0
Opsys: [NONE]  Arch: [NONE]  Features: [NONE]
Dedicated Resources Per Task: PROCS: 1  MEM: 128M


IWD: [NONE]  Executable:  cmd
Bypass: 0  StartCount: 0
PartitionMask: [batch]
Reservation 'job007' (00:08:00 -> 1:08:00  Duration: 1:00:00)
PE:  8.00  StartPriority:  477
job cannot run in partition batch (insufficient idle procs available: 2 < 8)

"""

CHECKJOB_VERBOSE = """\


checking job job007

State: Idle
Creds:  user:bob  group:phys  account:B  class:batch  qos:DEFAULT
WallTime: 00:00:00 of 1:00:00
SubmitTime: Fri Nov 20 13:00:00
  (Time Queued  Total: 00:03:00  Eligible: 00:01:00)

Total Tasks: 8

Req[0]  TaskCount: 8  Partition: ALL
Network: [NONE]  Memory >= 0  Disk >= 0  Swap NC 0
Opsys: [NONE]  Arch: [NONE]  Features: [NONE]
Exec:  'cmd'  ExecSize: 0  ImageSize: 0
Dedicated Resources Per Task: PROCS: 1  MEM: 128M
NodeAccess: SHARED
NodeCount: 0


IWD: [NONE]  Executable:  cmd
Bypass: 0  StartCount: 0
PartitionMask: [batch]
SystemQueueTime: Fri Nov 20 13:02:00

Reservation 'job007' (00:08:00 -> 1:08:00  Duration: 1:00:00)
PE:  8.00  StartPriority:  477
job cannot run in partition batch (insufficient idle procs available: 2 < 8)
"""

CHECKJOB_RUNNING = """\


checking job job000

State: Running
Creds:  user:bob  group:staff  account:B  class:batch  qos:low
WallTime: 00:02:00 of 00:10:00
SubmitTime: Fri Nov 20 13:00:00
  (Time Queued  Total: 00:01:00  Eligible: 00:01:00)

StartTime: Fri Nov 20 13:01:00
Total Tasks: 4

Req[0]  TaskCount: 4  Partition: batch
Network: [NONE]  Memory >= 0  Disk >= 0  Swap NC 0
Opsys: [NONE]  Arch: [NONE]  Features: [NONE]
Dedicated Resources Per Task: PROCS: 1  MEM: 128M
NodeCount: 1
Allocated Nodes:
[node07:4]


IWD: [NONE]  Executable:  cmd
Bypass: 0  StartCount: 1
PartitionMask: [batch]
Reservation 'job000' (-00:02:00 -> 00:08:00  Duration: 00:10:00)
PE:  4.00  StartPriority:  50

"""

BLOCKED_END = """\
PE:  1.00  StartPriority:  114
cannot select job job028 for partition batch (job job028 violates active HARD MAXJOB limit of 3 for qos hi  (R: 1, U: 3)
)

"""

ALONE = "^NOTE:     this is from Slurm alone, as the engine does not answer: "


def _run(maui, queue, *arguments):
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory, "queue.json")
        path.write_text(json.dumps(queue), encoding="utf-8")
        return maui.run(*arguments, f"--queue-file={path}", "--host=127.0.0.1", f"--munge-socket={_munge.socket}",
                        f"--slurm-user={fake.os.getuid()}")


def _ask(maui, queue, answer, *arguments):
    with fake.FakeService(_munge, answer) as service:
        return _run(maui, queue, *arguments, f"--port={service.port}"), service.requests


def _alone(maui, queue, *arguments):
    """The port is nobody's."""
    with fake.socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    return _run(maui, queue, *arguments, f"--port={port}")


def _same(done, text, what):
    harness.check_code(done, 0)
    harness.equal(done.stdout.decode(), text, what)


# ---- the original's captures

def test_showq_prints_the_original_to_the_character(maui):
    done, requests = _ask(maui, qd.queue(qd.SIM1), qd.answers(qd.blocked_rows(others=True), qd.SIM1), "showq")
    _same(done, SHOWQ, "showq")
    harness.check_errors(done, None)
    harness.equal([request["command"] for request in requests], ["diagnose-blocked"], "requests")


def test_tables_of_one_kind_print_the_original(maui):
    blocked = qd.blocked_rows(others=True)
    for option, text, rows in (("-r", ACTIVE, blocked), ("-i", IDLE, blocked)):
        done, _ = _ask(maui, qd.queue(qd.SIM3), qd.answers(rows, qd.SIM3), "showq", option)
        _same(done, text, f"showq {option}")
        harness.check_errors(done, None)
    done, _ = _ask(maui, qd.queue(qd.SIM3), qd.answers(qd.blocked_rows(), qd.SIM3), "showq", "-b")
    _same(done, qd.BLOCKED, "showq -b")


def test_diagnose_j_prints_the_original(maui):
    done, _ = _ask(maui, qd.queue(qd.SIM1), qd.answers(qd.blocked_rows(others=True), qd.SIM1), "diagnose", "-j")
    _same(done, qd.JOBS.replace("Running DEF", "Running bat"), "diagnose -j")
    harness.check_errors(done, None)


def test_checkjob_prints_the_original(maui):
    answer = qd.answers(qd.blocked_rows(others=True), qd.SIM2)
    for name, text in (("job007", CHECKJOB), ("job000", CHECKJOB_RUNNING)):
        done, _ = _ask(maui, qd.queue(qd.SIM2), answer, "checkjob", name)
        _same(done, text, f"checkjob {name}")
        harness.check_errors(done, None)
    done, _ = _ask(maui, qd.queue(qd.SIM2), answer, "checkjob", "-v", "job007")
    if not done.stdout.decode().startswith(CHECKJOB_VERBOSE):
        raise harness.Failure(f"checkjob -v is {done.stdout.decode()}")
    done, _ = _ask(maui, qd.queue(qd.SIM2), answer, "checkjob", "job028")
    if not done.stdout.decode().endswith(BLOCKED_END):
        raise harness.Failure(f"the end of a blocked job is {done.stdout.decode()}")


# ---- jobs of all kinds

def test_jobs_of_all_kinds_have_their_places(maui):
    for options, golden in (([], "showq.kinds.out"), (["-v"], "showq.verbose.out"), (["-r"], "showq-r.kinds.out"),
                            (["-i"], "showq-i.kinds.out"), (["-b"], "showq-b.kinds.out"),
                            (["-p", "fast"], "showq.partition.out"), (["-u", "eve"], "showq.user.out")):
        done, _ = _ask(maui, qd.fixture(), qd.kinds(), "showq", *options)
        harness.check_code(done, 0)
        harness.check_golden(done, golden)
        harness.check_errors(done, None)
    done, _ = _ask(maui, qd.fixture(), qd.kinds(), "diagnose", "-j")
    harness.check_golden(done, "diagnose-j.kinds.out")


def test_gres_are_in_use_and_asked_for(maui):
    queue = qd.fixture()
    for node in queue["nodes"]:
        node |= {"gres": "gpu:a100:3(S:0-1),gpu:h100:1,tape:2K", "gres_used": "gpu:a100:2(IDX:0,2),gpu:h100:0(IDX:N/A),tape:0"}
    queue["nodes"][0] |= {"state": "DOWN", "allocated_procs": 0}
    done, _ = _ask(maui, queue, qd.kinds(), "showq")
    harness.check_golden(done, "showq.gres.out")
    done, _ = _ask(maui, queue, qd.kinds(), "showq", "--json")
    up = 6  # of the fixture's nodes, without the one that is down now
    harness.equal(json.loads(done.stdout)["gres"], [{"name": "gpu", "active": 2 * up, "up": 4 * up},
                                                    {"name": "tape", "active": 0, "up": 2048 * up}], "JSON")
    job = next(one for one in queue["jobs"] if one["id"] == "23")
    for members, text in (({"tres_per_node": "gres:gpu:2"}, "PerNode: gres:gpu:2"), ({"tres_per_job": "gres:gpu:a100:4"}, "PerJob: gres:gpu:a100:4"),
                          ({"tres_per_socket": "gres:gpu:1"}, "PerSocket: gres:gpu:1"),
                          ({"tres_per_task": "gres:gpu:1", "tres_per_job": "license:x"}, "PerJob: license:x  PerTask: gres:gpu:1")):
        for name in ("tres_per_job", "tres_per_node", "tres_per_socket", "tres_per_task"):
            job[name] = members.get(name)
        done, _ = _ask(maui, queue, qd.kinds(), "checkjob", "23")
        line = next(line for line in done.stdout.decode().splitlines() if line.startswith("Dedicated Resources Per Task:"))
        harness.equal(line.split("  MEM: ")[-1].split("M  ")[-1], text, "what is asked for")
        done, _ = _ask(maui, queue, qd.kinds(), "checkjob", "--json", "23")
        found = json.loads(done.stdout)["job"]
        harness.equal({name: found[name] for name in members}, members, "JSON")


def test_jobs_of_all_kinds_can_be_checked(maui):
    for name in ("11", "13", "16", "21", "22", "23", "24", "26", "31", "41", "20_3", "37+1"):
        done, requests = _ask(maui, qd.fixture(), qd.kinds(), "checkjob", "-v", name)
        harness.check_code(done, 0)
        harness.check_golden(done, f"checkjob.{name}.out")
        harness.check_errors(done, None)
        harness.equal(len(requests), 3 if b"Slurm's reason" in done.stdout else 2, "requests")


def test_checkjob_tells_what_a_waiting_job_lacks(maui):
    """By its last line and the nodes' rejections, of job 21 with another wish."""
    for wish, words in (({"nodes": 9}, "(insufficient idle nodes available: "), ({"procs": 64}, "(insufficient idle procs available: "),
                        ({"excluded_nodes": "n[1-9]"}, "HostList"), ({"procs_per_task": 9, "tasks": 1}, "CPU")):
        queue = qd.fixture()
        next(job for job in queue["jobs"] if job["id"] == "21").update(wish)
        done, _ = _ask(maui, queue, qd.kinds(), "checkjob", "-v", "21")
        harness.check_code(done, 0)
        harness.equal(words in done.stdout.decode(), True, f"{words} in {done.stdout.decode()}")


def test_checkjob_tells_a_system_priority(maui):
    now = qd.fixture()["time"]
    for number, text in ((10**9 + 500, "SystemPriority:  500\n"), (4711, "SystemPriority:  relative\n")):
        row = {"job": 21, "array": None, "bypass": 0, "queued_since": now, "maui_priority": number, "system_priority": True}
        done, _ = _ask(maui, qd.fixture(), qd.answers([], now, [row], ["night"]), "checkjob", "21")
        harness.equal(text in done.stdout.decode(), True, f"{text!r} in {done.stdout.decode()}")


def test_jobs_are_found_by_all_their_names(maui):
    for name, found in (("20", ["20_[2-9%2]", "20_1"]), ("20_1", ["20_1"]), ("20_5", ["20_[2-9%2]"]),
                        ("37", ["37+0", "37+1"]), ("37+1", ["37+1"]), ("10", ["10"])):
        done, _ = _ask(maui, qd.fixture(), qd.kinds(), "diagnose", "-j", "--json", name)
        harness.equal(sorted(job["id"] for job in json.loads(done.stdout)["jobs"]), sorted(found), f"jobs of {name}")
        done, _ = _ask(maui, qd.fixture(), qd.kinds(), "checkjob", "--json", name)
        harness.equal(json.loads(done.stdout)["job"]["id"], found[0], f"the job of {name}")
    for name in ("99", "x", "20_1000", "37+2", ""):
        done, _ = _ask(maui, qd.fixture(), qd.kinds(), "checkjob", name)
        harness.check_code(done, 5)
        harness.check_quiet(done)
        harness.check_errors(done, f"^ERROR:    cannot locate job '{name.replace('+', '.')}': there is none, or it is not yours")
        done, _ = _ask(maui, qd.fixture(), qd.kinds(), "diagnose", "-j", name)
        harness.check_code(done, 0)
        harness.check_errors(done, "NOTE:     there is no job")


def test_what_is_asked_for_is_passed_on(maui):
    wanted = {"user": "eve", "partition": "batch"}
    for words in (["showq", "-i", "-u", "eve", "-p", "batch"], ["diagnose", "-j", "-u", "eve", "-t", "batch"]):
        _, requests = _ask(maui, qd.fixture(), qd.kinds(), *words)
        harness.equal([(one["command"], one["arguments"]) for one in requests],
                      [("diagnose-blocked", wanted), ("diagnose-priority", wanted)], "requests")
    _, requests = _ask(maui, qd.fixture(), qd.kinds(), "checkjob", "20_3")
    harness.equal([one["arguments"] for one in requests], [{"jobs": [20]}] * 2 + [{"job": 20}], "arguments of checkjob")
    _, requests = _ask(maui, qd.fixture(), qd.kinds(), "showq", "-r")
    harness.equal(requests, [], "requests of showq -r")


def test_users_can_be_numbers(maui):
    done, _ = _ask(maui, qd.fixture(), qd.kinds(), "showq", "-u", "1003", "--json")
    harness.equal({job["user"] for job in json.loads(done.stdout)["jobs"]}, {"eve"}, "users")


# ---- JSON

def test_digits_are_a_name_where_somebody_has_it(maui):
    """Users and groups alike; otherwise they are the number."""
    now = qd.SIM1
    first, second = qd.queue(now)["jobs"][:2]
    for option, name, number in (("user", "user", "uid"), ("group", "group", "gid")):
        named = first | {"id": "1", "job": 1, name: "1001", number: 70}
        numbered = second | {"id": "2", "job": 2, name: "eve", number: 1001}
        unnamed = second | {"id": "3", "job": 3, name: "1001", number: 1001}
        for jobs, wanted in (([named, numbered], [1]), ([numbered], [2]), ([named, unnamed], [1]), ([unnamed], [3])):
            done = _alone(maui, qd.queue(now, jobs), "showq", "--json", "-w", f"{option}=1001")
            harness.check_code(done, 0)
            harness.equal([job["job"] for job in json.loads(done.stdout)["jobs"]], wanted, option)


def test_a_user_or_partition_that_nobody_knows_is_an_error(maui):
    """As in squeue. Whom a job of the queue belongs to is known, and a number, and whom this machine knows."""
    for command in (["showq"], ["showq", "-i"], ["showq", "--json"], ["diagnose", "-j"]):
        partition = "-t" if command[0] == "diagnose" else "-p"
        for words, error in ((["-u", "nosuch"], "there is no user nosuch"), ([partition, "nosuch"], "there is no partition nosuch")):
            done, _ = _ask(maui, qd.fixture(), qd.kinds(), *command, *words)
            harness.check_refused(done, f"^ERROR:    {error}\n$")
        for user in ("root", "4711", "eve"):
            done, _ = _ask(maui, qd.fixture(), qd.kinds(), *command, "-u", user)
            harness.check_code(done, 0)


def test_json_has_the_same_jobs_and_sums(maui):
    done, _ = _ask(maui, qd.fixture(), qd.kinds(), "showq", "--json")
    data = json.loads(done.stdout)
    harness.equal(next(iter(data)), "schema", "the first member")
    harness.equal(data["schema"], "maui.showq/1", "schema")
    for section in ("active", "idle", "blocked"):
        harness.equal(len([job for job in data["jobs"] if job["section"] == section]), data[section], section)
    harness.equal((data["active"], data["idle"], data["blocked"]), (8, 4, 14), "sums")
    harness.equal((data["procs"], data["nodes"]), ({"active": 23, "up": 56}, {"active": 4, "up": 7}), "the machine")
    harness.equal((data["engine"], data["time"]), (True, 1700000000), "head")
    by_id = {job["id"]: job for job in data["jobs"]}
    harness.equal(by_id["21"]["reserved"], True, "a planned job")
    harness.equal((by_id["16"]["wclimit"], by_id["16"]["remaining"]), (None, None), "no limit")
    harness.equal(by_id["22"]["eligible_since"], 1700000000 - 900, "eligible since")
    harness.equal((by_id["23"]["kind"], by_id["23"]["message"]), ("fairshare-cap", "violates FS cap of 1000 for user bob"), "a cap")
    done, _ = _ask(maui, qd.fixture(), qd.kinds(), "showq", "-b", "--json")
    harness.equal({job["section"] for job in json.loads(done.stdout)["jobs"]}, {"blocked"}, "sections of -b")


def test_json_of_a_job_has_its_nodes(maui):
    done, _ = _ask(maui, qd.fixture(), qd.kinds(), "checkjob", "--json", "22")
    data = json.loads(done.stdout)
    harness.equal((data["schema"], data["job"]["bypass"]), ("maui.checkjob/1", 3), "head")
    harness.equal([(one["partition"], one["idle_procs"]) for one in data["partitions"]], [("batch", 12), ("fast", 12)], "partitions")
    harness.equal(data["partitions"][1]["nodes"], [{"node": "n2", "rejected": None, "procs": 4},
                                                   {"node": "n4", "rejected": None, "procs": 8}], "nodes")


def test_reservations_keep_jobs_out(maui):
    """night begins before job 23 would end, and the engine says that it admits it; maint is Slurm's."""
    def rejected(done, partition):
        harness.check_code(done, 0)
        data = json.loads(done.stdout)["partitions"][partition]
        return sorted(node["node"] for node in data["nodes"] if node["rejected"] == "ReserveTime")

    def private(service, request):
        if request["command"] == "explain-reservations":
            return service.envelope(request, status="error", error="PrivateData leaves the reservations to others")
        return qd.kinds()(service, request)

    for name, alone, told in (("21", ["n8"], ["n8"]), ("23", ["n2", "n4", "n8"], ["n8"])):
        done, _ = _ask(maui, qd.fixture(), qd.kinds(), "checkjob", "--json", name)
        harness.equal(rejected(done, 0), told, f"with the engine, nodes that job {name} cannot have")
        harness.equal(rejected(_alone(maui, qd.fixture(), "checkjob", "--json", name), 0), alone, f"without it, for {name}")
        done, _ = _ask(maui, qd.fixture(), private, "checkjob", "--json", name)
        harness.equal(rejected(done, 0), alone, f"where it may not tell, for {name}")
        harness.equal(json.loads(done.stdout)["engine"], True, "the engine")
        harness.check_errors(done, None)
    # What asks for a reservation gets no other nodes, and none before it begins.
    queue = qd.fixture()
    harness.equal(rejected(_alone(maui, queue, "checkjob", "--json", "37+1"), 0), ["n1", "n2", "n4", "n8", "n9"], "before")
    queue["reservations"][1]["start"] = queue["time"] - 1
    harness.equal(rejected(_alone(maui, queue, "checkjob", "--json", "37+1"), 0), ["n1", "n8", "n9"], "in it")
    # One that may not be seen still marks its nodes.
    queue["reservations"] = []
    harness.equal(rejected(_alone(maui, queue, "checkjob", "--json", "21"), 0), ["n8"], "hidden")


# ---- without the engine, and without jobs that are hidden

def test_without_the_engine_slurm_is_enough(maui):
    for words, golden in ((["showq"], "showq.alone.out"), (["showq", "-b"], "showq-b.alone.out"),
                          (["showq", "-i"], "showq-i.alone.out"), (["checkjob", "32"], "checkjob.alone.out")):
        done = _alone(maui, qd.fixture(), *words)
        harness.check_code(done, 0)
        harness.check_golden(done, golden)
        harness.check_errors(done, ALONE + "[^\n]+\n$")
    data = json.loads(_alone(maui, qd.fixture(), "showq", "--json").stdout)
    harness.equal((data["engine"], data["active"], data["idle"], data["blocked"]), (False, 8, 5, 13), "sums")


def test_an_engine_that_refuses_or_lies_is_none(maui):
    for answer in (fake.error("not now"), fake.raw(b"{}\n"), fake.good({"jobs": None})):
        done, _ = _ask(maui, qd.fixture(), answer, "showq", "-b")
        harness.check_code(done, 0)
        harness.check_golden(done, "showq-b.alone.out")
        harness.check_errors(done, ALONE + "[^\n]+\n$")


def test_wrong_options_are_no_missing_engine(maui):
    done = maui.run("showq", f"--queue-file={qd.HERE}/fixtures/queue.json", "--slurm-user=no_such_user")
    harness.check_code(done, 2)
    harness.check_errors(done, "^ERROR: .*there is no such user")


def test_what_the_engine_leaves_out_is_said(maui):
    def answer(service, request):
        return service.envelope(request, data={"jobs": [], "omitted": 7})
    done, _ = _ask(maui, qd.fixture(), answer, "showq", "-b")
    harness.check_golden(done, "showq-b.alone.out")
    harness.check_errors(done, "^NOTE:     the engine leaves out 7 of the jobs that it blocks")


def test_processors_of_hidden_jobs_are_said(maui):
    queue = qd.fixture()
    queue["jobs"] = [job for job in queue["jobs"] if job["user"] == "eve"]
    done, _ = _ask(maui, queue, qd.answers([], queue["time"], [{}]), "showq")
    harness.check_code(done, 0)
    harness.check_golden(done, "showq.hidden.out")
    harness.check_errors(done, "^NOTE:     jobs that are not yours to see have 19 of these processors\n$")


def test_an_empty_queue_is_none(maui):
    queue = qd.queue(qd.SIM1, jobs=[], nodes=[])
    for option in ([], ["-r"], ["-i"], ["-b"]):
        done, _ = _ask(maui, queue, qd.answers([], qd.SIM1), "showq", *option)
        harness.check_code(done, 0)
        harness.check_golden(done, f"showq{''.join(option)}.empty.out")


# ---- wrong usage, and what is odd

def test_wrong_usage_is_explained(maui):
    for words, pattern in ((["showq", "-r", "-i"], "-r or -i, one at a time"), (["showq", "17"], "showq takes no 17"),
                           (["showq", "-x"], "--help` shows"), (["checkjob"], "which job"),
                           (["checkjob", "1", "2"], "one job at a time"), (["showq", "-p", "x"], "there is no partition x")):
        done = _alone(maui, qd.fixture(), *words)
        harness.check_refused(done, pattern)


def test_names_of_the_original_are_links(maui):
    for name in ("showq", "checkjob"):
        done = maui.run("--help", argv0=name)
        harness.check_code(done, 0)
        if not done.stdout.startswith(f"usage: maui {name} ".encode()):
            raise harness.Failure(done.stdout.decode())


def _evil(value):
    if isinstance(value, dict):
        return {key: member if key in ("state", "schema") else _evil(member) for key, member in value.items()}
    if isinstance(value, list):
        return [_evil(member) for member in value]
    return f"\x1b]0;{value}\x07\n" if isinstance(value, str) else value


def test_names_cannot_command_the_terminal(maui):
    queue = _evil(qd.fixture())
    ids = [job["id"] for job in queue["jobs"] if job["state"] == "PENDING"]
    for words in (["showq", "-v"], ["showq", "-r"], ["showq", "-i"], ["showq", "-b"], ["diagnose", "-j"],
                  ["checkjob", "-v", ids[0]], ["checkjob", "-v", ids[-1]]):
        done = _alone(maui, queue, *words)
        harness.check_code(done, 0)
        if b"\x1b" in done.stdout + done.stderr or b"\x07" in done.stdout + done.stderr:
            raise harness.Failure(f"control characters in {words}: {done.stdout}")


def test_odd_queues_are_no_crash(maui):
    odd = (None, "x", -1, 2**62, -2**63, 1e308, [], {}, [None, 1, "x", [], {}], "n" * 10000, "a" + "[1-9]" * 20)
    tries = 0
    for array in ("jobs", "nodes", "reservations"):
        members = sorted({key for record in qd.fixture()[array] for key in record})
        for value in odd:
            queue = qd.fixture()
            for place, record in enumerate(queue[array]):
                record[members[(place + tries) % len(members)]] = value
                record[members[(place * 7 + tries) % len(members)]] = value
            tries += 1
            for words in (["showq", "-v"], ["showq", "-i"], ["showq", "-r"], ["checkjob", "-v", "22"], ["diagnose", "-j"]):
                done = _alone(maui, queue, *words)
                if done.returncode not in (0, 5):
                    raise harness.Failure(f"exit code {done.returncode} for {value} {words}: {harness.text_of(done)}")


def _showq_of(maui, count):
    """What showq -i shows of so many jobs, half of which have a row or an order of their own, and its CPU seconds."""
    queue = qd.fixture()
    job = next(job for job in queue["jobs"] if job["id"] == "21")
    small = {key: job[key] for key in ("user", "uid", "group", "partition", "state", "flags", "reason", "priority", "submit",
                                       "eligible", "accrue", "time_limit", "procs", "tasks", "nodes", "run_time")}
    queue["jobs"] = [small | {"id": str(number), "job": number} for number in range(count)]
    rows = [{"job": number, "kind": "limit", "message": "m"} for number in range(0, count * 2 // 5, 2)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done, _ = _ask(maui, queue, qd.answers(rows, queue["time"], [{"job": n} for n in range(count // 5)]), "showq", "-i")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    harness.check_code(done, 0)
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_a_hundred_thousand_jobs_are_no_matter(maui):
    _, small = _showq_of(maui, 10000)
    shown, large = _showq_of(maui, 100000)
    if b"\nJobs: 80000  " not in shown:
        raise harness.Failure(shown[-100:].decode())
    if large > 40 * small:  # a list that is searched for each job: a hundred times
        raise harness.Failure(f"ten times the jobs took {large / small:.0f} times the CPU time")
