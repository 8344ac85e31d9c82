# SPDX-License-Identifier: GPL-2.0-or-later
"""maui queue and showstart: Slurm's records as our JSON, from a Slurm that is none."""

import json
import os
import re
import time

import cli_harness as harness
import fake_service as fake
import fake_slurm as fs
import limits_data as ld
import page_data as pd
import pytest

pytestmark = fs.ITS_SLURM

NOW = 0  # _now()
UNSET = {"array_task_id": fs.NO_VAL, "het_job_id": fs.NO_VAL, "pn_min_memory": 0, "nice": fs.NICE_OFFSET,
         "time_limit": fs.NO_VAL, "max_nodes": fs.NO_VAL, "num_tasks": fs.NO_VAL, "cpus_per_task": fs.NO_VAL16}


@pytest.fixture(autouse=True, scope="module")
def _now():
    """When these tests begin: all files are imported before the first test of any runs, which may be long ago."""
    global NOW
    NOW = int(time.time())


def _job(**members):
    return UNSET | {"job_id": 17, "name": "j", "partition": "batch"} | members


def _queue(maui, **records):
    with fs.Slurm(**records) as slurm:
        done = slurm.run(maui, "queue")
    harness.check_code(done, 0)
    harness.check_errors(done, None)
    return json.loads(done.stdout)


def _only(found, expected, what):
    """These members, and those that are None are not there."""
    harness.equal({name: found.get(name) for name in expected}, expected, what)


def test_the_queue_has_what_slurm_tells(maui):
    found = _queue(maui)
    _only(found, {"schema": "maui.queue/1", "cluster": "test", "jobs": [], "nodes": [], "partitions": [],
                  "reservations": []}, "an empty Slurm")
    if not NOW <= found["time"] <= time.time():
        raise harness.Failure(f"its time is {found['time']}")


def test_jobs_have_squeues_names(maui):
    for members, name in (
            ({}, "17"),
            ({"array_job_id": 15, "array_task_id": 3}, "15_3"),
            ({"array_job_id": 15, "array_bitmap": [4, 5, 6, 7, 8, 9], "array_max_tasks": 2}, "15_[4-9%2]"),
            ({"array_job_id": 15, "array_bitmap": [*range(0, 40, 4), 41]}, "15_[0-36:4,41]"),
            ({"array_job_id": 15, "array_bitmap": LONG}, "15_[13-14,19-20,25-26,31-32,37-38,43-44,...]"),
            ({"het_job_id": 16, "het_job_offset": 1}, "16+1"),
            ({"het_job_id": 0}, "17")):
        harness.equal(_queue(maui, jobs=[_job(**members)])["jobs"][0]["id"], name, members)


def test_a_number_is_unset_by_its_own_width(maui):
    """65534 and 65535 are NO_VAL16 and INFINITE16, and numbers where Slurm has more than 16 bits."""
    for number in (fs.NO_VAL16, fs.NO_VAL16 + 1):
        job = _job(job_id=number, time_limit=number, pn_min_memory=number, cpus_per_task=number)
        expected = {"id": str(number), "job": number, "time_limit": 60 * number, "memory": number, "procs_per_task": None}
        _only(_queue(maui, jobs=[job])["jobs"][0], expected, number)


LONG = [task for first in range(13, 793, 6) for task in (first, first + 1)]


def test_all_tasks_that_wait_are_there(maui):
    """libslurm's text of them ends after 64 bytes, or as many as SLURM_BITSTR_LEN says."""
    record = _job(job_id=15, array_job_id=15, array_task_str="13-14,19-20,25-26,31-3...", array_bitmap=LONG, priority=7)
    for length in (None, "0", "8", "64", "4096"):
        with fs.Slurm(jobs=[record]) as slurm:
            env = {"SLURM_BITSTR_LEN": length} if length else {}
            text = json.loads(slurm.run(maui, "queue", env=env).stdout)["jobs"][0]["array_tasks"]
            harness.equal(text, ",".join(f"{first}-{first + 1}" for first in range(13, 793, 6)), f"the tasks with {length}")
            for name in ("15_787", "15_788", "15_[1-12,787]", "15"):
                harness.check_code(slurm.run(maui, "checkjob", name, "--host=127.0.0.1", "--port=1", env=env), 0)
            harness.check_code(slurm.run(maui, "checkjob", "15_15", "--host=127.0.0.1", "--port=1", env=env), 5)


def test_an_array_is_all_of_its_tasks(maui):
    """A task that is held does not speak for those that wait."""
    options = ("--host=127.0.0.1", "--port=1")
    held = _job(job_id=18, array_job_id=17, array_task_id=2, state_reason=13, priority=0)
    planned = _job(job_id=19, array_job_id=17, array_task_id=1, priority=9, start_time=NOW + 600)
    rest = _job(job_id=17, array_job_id=17, array_bitmap=[3, 4, 5], priority=9, start_time=NOW + 900)
    runs = _job(job_id=20, array_job_id=17, array_task_id=0, job_state=1, priority=9, start_time=NOW - 60)
    with fs.Slurm(jobs=[held, rest, planned, runs]) as slurm:
        for name, start in (("17", NOW + 600), ("17_[3-9,2]", NOW + 900), ("17_4", NOW + 900)):
            done = slurm.run(maui, "showstart", name, "--json", *options)
            harness.check_code(done, 0)
            harness.equal(json.loads(done.stdout)["start"], start, name)
        harness.check_code(slurm.run(maui, "showstart", "17_2", *options), 1)
        both = slurm.run(maui, "showstart", "17_1,17_[3,5]", "--json", *options).stdout.decode().splitlines()
        harness.equal([json.loads(line)["start"] for line in both], [NOW + 600, NOW + 900], "two of a list")
        found = json.loads(slurm.run(maui, "checkjob", "17", "--json", *options).stdout)["job"]
        harness.equal(found["array_tasks"], {"waiting": 4, "held": 1, "running": 1}, "its tasks")
        text = slurm.run(maui, "checkjob", "17", *options).stdout.decode()
        if "Tasks of 17: 4 wait, 1 are held, 1 run" not in text or "State: Idle" not in text:
            raise harness.Failure(text)
        harness.equal(json.loads(slurm.run(maui, "checkjob", "17_2", "--json", *options).stdout)["job"]["array_tasks"], None, "one task")
        listed = json.loads(slurm.run(maui, "diagnose", "-j", "17_[1-3]", "17_0,17_2", "--json", *options).stdout)["jobs"]
        harness.equal(sorted(job["job"] for job in listed), [17, 18, 19, 20], "those of a list")


def test_texts_are_what_slurm_has(maui):
    """Whatever is in them, and wherever a piece ends that is parsed before the next one has come."""
    evil = "\"\\/\b\f\n\r\t\x01\x1f\x7f\u00e9\u20ac\U0001f600</script>, {[:"
    names = [evil * (length % 7 + 1) + "x" * length for length in range(3000)]
    found = _queue(maui, jobs=[_job(name=name, nice=fs.NICE_OFFSET - 5) for name in names])["jobs"]
    harness.equal([job["name"] for job in found], names, "names")
    harness.equal({job["nice"] for job in found}, {-5}, "a number below zero")


def test_jobs_have_their_users_by_name_or_number(maui):
    jobs = [_job(user_id=0, group_id=0), _job(user_id=0, group_id=0), _job(user_id=1024, group_id=1024),
            _job(user_id=4_000_000_000, group_id=4_000_000_001)]
    found = [(job["user"], job["group"], job["uid"], job["gid"]) for job in _queue(maui, jobs=jobs)["jobs"]]
    harness.equal(found, [("root", "root", 0, 0)] * 2 + [("1024", "1024", 1024, 1024)] +
                  [("4000000000", "4000000001", 4_000_000_000, 4_000_000_001)], "users")


def test_jobs_have_slurms_words_for_states(maui):
    words = ["PENDING", "RUNNING", "SUSPENDED", "COMPLETED", "CANCELLED", "FAILED", "TIMEOUT", "NODE_FAIL", "PREEMPTED",
             "BOOT_FAIL", "DEADLINE", "OUT_OF_MEMORY", "UNKNOWN"]
    found = _queue(maui, jobs=[_job(job_state=number) for number in range(len(words))])["jobs"]
    harness.equal([job["state"] for job in found], words, "states")
    flags = {1 << 15: "COMPLETING", 1 << 14: "CONFIGURING", 1 << 10: "REQUEUED", 1 << 13: "RESIZING", 1 << 16: "STOPPED"}
    found = _queue(maui, jobs=[_job(job_state=1 | sum(flags))])["jobs"][0]
    harness.equal((found["state"], set(found["flags"])), ("RUNNING", set(flags.values())), "flags")


def test_times_of_a_job_are_its_state_s(maui):
    """A pending job's start is a plan, and one behind what never ends is none; what a running job has used has no pauses."""
    never = 2140000000
    for members, expected in (
            ({"job_state": 0, "start_time": NOW + 60, "end_time": never, "time_limit": 10, "time_min": 5},
             {"start": NOW + 60, "end": None, "run_time": 0, "time_limit": 600, "time_min": 300}),
            ({"job_state": 0, "start_time": never, "eligible_time": NOW, "accrue_time": 0, "deadline": NOW + 9},
             {"start": None, "eligible": NOW, "accrue": None, "deadline": NOW + 9, "time_limit": None, "time_min": None}),
            ({"job_state": 1, "start_time": 0}, {"start": None, "run_time": 0}),
            ({"job_state": 2, "start_time": NOW - 100, "suspend_time": NOW - 50, "pre_sus_time": 40}, {"run_time": 40}),
            ({"job_state": 3, "start_time": NOW - 100, "end_time": NOW - 10}, {"run_time": 90, "end": NOW - 10}),
            ({"job_state": 3, "start_time": NOW - 100, "end_time": NOW - 10, "suspend_time": NOW - 30, "pre_sus_time": 20},
             {"run_time": 40}),
            ({"job_state": 3, "start_time": NOW, "end_time": NOW - 10}, {"run_time": 0}),
            ({"time_limit": fs.INFINITE, "priority": 7, "nice": fs.NICE_OFFSET - 5, "submit_time": NOW - 5,
              "site_factor": fs.NICE_OFFSET + 9},
             {"time_limit": None, "priority": 7, "nice": -5, "site_factor": 9, "submit": NOW - 5})):
        _only(_queue(maui, jobs=[_job(**members)])["jobs"][0], expected, members)


def test_jobs_have_what_they_ask_for(maui):
    for members, expected in (
            ({"pn_min_memory": 4096, "max_nodes": 0}, {"memory": 4096, "memory_per": "node", "max_nodes": None}),
            ({"pn_min_memory": 512 - fs.PER_CPU, "max_nodes": 3, "ntasks_per_node": 2},
             {"memory": 512, "memory_per": "cpu", "max_nodes": 3, "tasks_per_node": 2}),
            ({"num_tasks": 4, "cpus_per_task": 2, "num_cpus": 8, "num_nodes": 2, "pn_min_tmp_disk": 7},
             {"tasks": 4, "procs_per_task": 2, "procs": 8, "nodes": 2, "disk": 7}),
            ({"tres_req_str": "cpu=1", "tres_alloc_str": ""}, {"tres": "cpu=1"}),
            ({"tres_req_str": "cpu=1", "tres_alloc_str": "cpu=2"}, {"tres": "cpu=2"}),
            ({"features": "fast", "prefer": "", "licenses": "matlab:1", "dependency": "afterok:3", "resv_name": "own.1",
              "comment": "x=HOSTLIST:n1", "network": "ib", "req_nodes": "n1", "exc_nodes": "n2", "tres_per_node": "gpu:1",
              "tres_per_job": "gpu:4", "tres_per_socket": "gpu:2", "tres_per_task": "gpu:3"},
             {"features": "fast", "prefer": None, "licenses": "matlab:1", "dependency": "afterok:3",
              "reservation": "own.1", "comment": "x=HOSTLIST:n1", "network": "ib", "required_nodes": "n1",
              "excluded_nodes": "n2", "tres_per_node": "gpu:1",
              "tres_per_job": "gpu:4", "tres_per_socket": "gpu:2", "tres_per_task": "gpu:3"}),
            ({"shared": 0, "contiguous": 1, "requeue": 1, "restart_cnt": 2, "batch_flag": 1, "command": "/bin/x",
              "work_dir": "/w", "std_out": "/o"},
             {"exclusive": True, "contiguous": True, "requeue": True, "restarts": 2, "batch": True, "command": "/bin/x",
              "work_dir": "/w", "stdout": "/o"})):
        _only(_queue(maui, jobs=[_job(**members)])["jobs"][0], expected, members)


def test_jobs_have_their_processors_of_each_node(maui):
    job = _job(job_state=1, nodes="n[1-3]", batch_host="n1", job_resrcs=[4, 2])
    found = _queue(maui, jobs=[job, _job(nodes="n1")])["jobs"]
    harness.equal(found[0]["allocated"], [{"node": "n1", "procs": 4}, {"node": "n2", "procs": 2},
                                          {"node": "n3", "procs": 0}], "allocated")
    harness.equal(found[1]["allocated"], [], "without resources")


def test_nodes_have_what_is_left_of_them(maui):
    nodes = [
        {"name": "n1", "node_state": 5, "cpus": 8, "cpus_efctv": 6, "real_memory": 1000, "mem_spec_limit": 100,
         "free_mem": 500, "cpu_load": 150, "features": "a,b,,c", "select_nodeinfo": {"cpus": 3, "memory": 70},
         "boot_time": NOW, "weight": 3, "gres": "gpu:1", "gres_used": "gpu:1(IDX:0)", "tmp_disk": 9, "os": "Linux", "arch": "x86_64"},
        {"name": None},
        {"name": "n2", "node_state": 2 | 1 << 9, "cpus": 4, "cpu_load": fs.NO_VAL, "free_mem": fs.NO_VAL64 - 2**64,
         "features": "a", "features_act": "z", "reason": "broken"}]
    found = _queue(maui, nodes=nodes, partitions=[{"name": "batch"}, {"name": "long"}])["nodes"]
    harness.equal(len(found), 2, "nodes, one of which has no name")
    _only(found[0], {"name": "n1", "state": "MIXED", "flags": [], "procs": 6, "allocated_procs": 3, "memory": 900,
                     "allocated_memory": 70, "free_memory": 500, "disk": 9, "load": 1.5, "features": ["a", "b", "c"],
                     "gres": "gpu:1", "gres_used": "gpu:1(IDX:0)", "weight": 3, "reason": None, "boot": NOW, "opsys": "Linux", "arch": "x86_64",
                     "partitions": ["batch", "long"]}, "n1")
    _only(found[1], {"name": "n2", "state": "IDLE", "flags": ["DRAIN"], "procs": 4, "allocated_procs": 0, "load": None,
                     "free_memory": None, "features": ["z"], "reason": "broken"}, "n2")


def test_partitions_have_their_limits(maui):
    states = {0x03: "UP", 0x01: "DOWN", 0x02: "DRAIN", 0x00: "INACTIVE"}
    found = _queue(maui, partitions=[{"name": "p", "state_up": state} for state in states])["partitions"]
    harness.equal([one["state"] for one in found], list(states.values()), "states")
    partition = {"name": "batch", "flags": 1 | 2 | 4, "nodes": "n[1-2]", "total_nodes": 2, "total_cpus": 8,
                 "max_time": 60, "default_time": fs.NO_VAL, "max_nodes": fs.INFINITE, "min_nodes": 1, "priority_tier": 5,
                 "priority_job_factor": 30, "allow_accounts": "a", "allow_groups": "g", "allow_qos": "q", "deny_accounts": "d", "deny_qos": "e",
                 "qos_char": "limits"}
    _only(_queue(maui, partitions=[partition])["partitions"][0],
          {"default": True, "hidden": True, "root_only": False, "nodes": "n[1-2]", "node_count": 2, "procs": 8,
           "max_time": 3600, "default_time": None, "max_nodes": None, "min_nodes": 1, "tier": 5, "job_factor": 30, "allow_accounts": "a",
           "allow_groups": "g", "allow_qos": "q", "deny_accounts": "d", "deny_qos": "e", "qos": "limits"}, "batch")


def test_reservations_have_their_cores(maui):
    reservations = [
        {"name": "own.inf", "start_time": NOW, "end_time": 2**31 - 1, "node_list": "n[1-2]", "node_cnt": 2,
         "tres_str": "cpu=24,node=2", "users": "alice", "groups": "g", "accounts": "a", "partition": "batch",
         "features": "f", "max_start_delay": 60, "flags": 8, "core_spec_cnt": 2},
        {"name": "short", "end_time": NOW + 5, "tres_str": "node=1"}]
    found = _queue(maui, reservations=reservations)["reservations"]
    _only(found[0], {"name": "own.inf", "start": NOW, "end": None, "nodes": "n[1-2]", "node_count": 2, "procs": 24,
                     "users": "alice", "groups": "g", "accounts": "a", "partition": "batch", "features": "f",
                     "max_start_delay": 60, "flags": 8,
                     "cores": [{"node": "n1", "cores": "0-1"}, {"node": "n2", "cores": "0-1"}]}, "own.inf")
    _only(found[1], {"end": NOW + 5, "procs": None, "max_start_delay": None, "cores": []}, "short")


def test_names_may_be_any_bytes(maui):
    """sbatch -J takes Latin-1: what is no UTF-8 is U+FFFD, and strict readers take the answer."""
    odd = "caf\udce9 \udc9b \x9b"
    with fs.Slurm(jobs=[_job(name=odd, comment=odd, account=odd, work_dir=odd)]) as slurm:
        done = slurm.run(maui, "queue")
    harness.check_code(done, 0)
    text = done.stdout.decode()
    if "\x9b" in text:
        raise harness.Failure(f"a control character: {text!r}")
    right = "caf\ufffd \ufffd \x9b"
    _only(json.loads(text)["jobs"][0], {"name": right, "comment": right, "account": right, "work_dir": right}, "the job")


def test_what_slurm_refuses_is_told(maui):
    """ESLURM_ACCESS_DENIED, of each request."""
    for request in ("conf", "jobs", "nodes", "partitions", "reservations"):
        with fs.Slurm(errors={request: 2002}) as slurm:
            done = slurm.run(maui, "queue")
        harness.check_code(done, 3)
        harness.check_quiet(done)
        harness.check_errors(done, "cannot ask Slurm for its queue: Access/permission denied")


def test_a_slurm_that_hangs_is_left(maui):
    with fs.Slurm(wait=60) as slurm:
        done = slurm.run(maui, "queue", "--timeout=1", env={"MAUI_TEST_SLOWER": "1"})
    harness.check_code(done, 3)
    harness.check_errors(done, "Slurm did not send its queue within 1 seconds")


# ---- showstart ----


def test_showstart_asks_when_so_many_processors_could_start(maui):
    """As `sbatch --test-only`: the time and the partition are slurmctld's."""
    for argument, asked in (("8@100", "will_run procs 8 minutes 2"), ("8", f"will_run procs 8 minutes {fs.NO_VAL}")):
        with fs.Slurm(will_run={"start_time": NOW + 3600, "part_name": "batch"},
                      partitions=[{"name": "other"}, {"name": "batch", "flags": 1, "max_time": 30}]) as slurm:
            done = slurm.run(maui, "showstart", argument, "--json")
            harness.check_code(done, 0)
            harness.equal(slurm.changes(), [asked], "what slurmctld was asked")
        found = json.loads(done.stdout)
        _only(found, {"schema": "maui.showstart/1", "source": "slurm", "partition": "batch", "start": NOW + 3600,
                      "procs": 8}, argument)


def _page(maui, slurm, *options):
    """As of one moment: what of it is the clock's is taken out."""
    with harness.Munge() as munge, fake.FakeService(munge, pd.answer(_engine())) as service:
        done = slurm.run(maui, "page", *options, "--host=127.0.0.1", f"--port={service.port}",
                         f"--munge-socket={munge.socket}", f"--slurm-user={os.getuid()}")
    harness.check_code(done, 0)
    harness.check_errors(done, None)
    return done.stdout.decode()


def _engine():
    """Limits that waiting jobs of others use up, in each amount."""
    idle = [ld.limit(f"MAXI{name}", 99, 1, mode="idle", metric=metric) for name, metric in (
        ("JOB", "jobs"), ("PROC", "procs"), ("NODE", "nodes"), ("PS", "procseconds"), ("WC", "seconds"), ("MEM", "memory"))]
    kinds = {"user": ["daemon", "bin"], "group": ["daemon", "bin"], "account": ["physics"], "class": ["batch"], "qos": ["high"]}
    unnamed = {kind: [ld.row("4711", limits=idle, unnamed=True)] for kind in ("user", "group")}
    return pd.engine(diagnose_credentials=lambda kind: ld.credentials(
        kind, *[ld.row(name, limits=idle) for name in kinds[kind]], *unnamed.get(kind, [])),
        diagnose_priority=pd.priorities() | {"jobs": []})


def test_a_page_is_that_of_the_whole_queue(maui):
    """Of jobs that others wait for it asks for little: for all that it is made of, whoever reads it."""
    if not harness.Munge.is_here():
        print("no munge here: a_page_is_that_of_the_whole_queue is skipped")
        return
    common = {"partition": "batch", "account": "physics", "qos": "high", "num_cpus": 4, "num_nodes": 2, "time_limit": 30,
              "pn_min_memory": 500, "state_reason": 1, "eligible_time": NOW, "submit_time": NOW - 60, "licenses": "matlab:2"}
    jobs = [
        _job(**common | {"job_id": 17, "user_id": 1, "group_id": 1, "priority": 9, "name": "mine", "dependency": "afterany:18(unfulfilled)",
                         "comment": "whose?", "state_reason": 2}),
        _job(**common | {"job_id": 18, "user_id": 2, "group_id": 2, "priority": 12}),
        _job(**common | {"job_id": 20, "array_job_id": 20, "array_bitmap": [4, 5, 6, 7, 8, 9], "user_id": 2, "group_id": 2, "priority": 11,
                         "pn_min_memory": 100 - fs.PER_CPU, "num_cpus": 1}),
        _job(**common | {"job_id": 21, "user_id": 1, "group_id": 1, "priority": 10, "dependency": "afterok:20_5(unfulfilled)",
                         "name": "other", "state_reason": 2}),
        _job(**common | {"job_id": 22, "job_state": 1, "user_id": 2, "group_id": 2, "nodes": "n1", "job_resrcs": [4], "num_nodes": 1,
                         "start_time": NOW - 60, "end_time": NOW + 3600}),
        _job(**common | {"job_id": 23, "user_id": 1, "group_id": 1, "priority": 8, "name": "last", "state_reason": 1}),
        _job(**common | {"job_id": 24, "user_id": 4711, "group_id": 4711, "priority": 7}),
    ]
    nodes = [{"name": f"n{at}", "cpus": 4, "real_memory": 4000, "node_state": 2, "cpu_load": 5} for at in (1, 2)]
    batch = {"name": "batch", "nodes": "n[1-2]", "total_nodes": 2, "total_cpus": 8, "state_up": 3, "flags": 1}
    with fs.Slurm(jobs=jobs, nodes=nodes, partitions=[batch]) as slurm:
        for user in ("daemon", "bin", "games"):
            for _ in range(20):  # until both are of the same second
                slurm.path("queue").write_bytes(slurm.run(maui, "queue").stdout)
                short = _page(maui, slurm, "-u", user)
                whole = _page(maui, slurm, "-u", user, f"--queue-file={slurm.path('queue')}")
                made = [re.search(r'datetime="([^"]+)"', text)[1] for text in (short, whole)]
                if made[0] == made[1]:
                    break
            harness.equal(short.splitlines(), whole.splitlines(), f"the page of {user}")
            told = {"daemon": "afterany of job 18", "bin": "20_[4-9]", "games": "No waiting"}[user]
            if user != "games" and told not in short:
                raise harness.Failure(f"{told!r} is not on the page of {user}")


def test_showstart_tells_why_there_is_no_start(maui):
    for records, words in (
            ({"errors": {"will_run": 2014}}, "Requested node configuration is not available"),
            ({"will_run": {"start_time": 2140000000}}, "reservations that never end are in its way"),
            ({"will_run": {"start_time": 0}}, "Slurm names no time")):
        with fs.Slurm(**records) as slurm:
            done = slurm.run(maui, "showstart", "2@1:00:00")
        if words not in harness.text_of(done):
            raise harness.Failure(f"no {words!r} in {harness.text_of(done)}")


def test_showstart_asks_about_a_job_that_backfill_has_not_planned(maui):
    """A start that has passed is now; what runs without an end never ends."""
    waits, runs = _job(priority=100, num_cpus=4, num_tasks=4, time_limit=10), _job(job_id=18, job_state=1, start_time=NOW - 60, num_cpus=4)
    for jobs, start, expected, asked in (
            ([waits], NOW + 90000, {"source": "slurm", "start": NOW + 90000}, ["will_run 17"]),
            ([waits], NOW - 90, {"source": "slurm"}, ["will_run 17"]),
            ([waits | {"start_time": NOW - 90}], 0, {"source": "backfill", "partition": "batch"}, []),
            ([waits | {"start_time": NOW + 90000}], 0, {"source": "backfill", "start": NOW + 90000}, [])):
        with fs.Slurm(jobs=jobs, will_run={"start_time": start, "part_name": "batch"}) as slurm:
            done = slurm.run(maui, "showstart", "17", "--json", "--host=127.0.0.1", "--port=1")
            harness.check_code(done, 0)
            harness.equal(slurm.changes(), asked, "what slurmctld was asked")
        found = json.loads(done.stdout)
        _only(found, expected, (jobs, start))
        if found["start"] < NOW:
            raise harness.Failure(f"it starts in the past: {found}")
    with fs.Slurm(jobs=[runs]) as slurm:
        found = json.loads(slurm.run(maui, "showstart", "18", "--json", "--host=127.0.0.1", "--port=1").stdout)
    _only(found, {"source": "running", "start": NOW - 60, "end": None}, "a job without an end")
