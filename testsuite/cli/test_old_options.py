# SPDX-License-Identifier: GPL-2.0-or-later
"""Options that old scripts have: diagnose -t, checkjob -A, showq -w, showstart -e, checknode -v."""

import json
import pathlib

import cli_harness as harness
import fake_service as fake
import node_data as nd
import queue_data as qd

_munge = harness.munge

# `diagnose -t` of a capture, but for swap, which Slurm does not know.
PARTITIONS = """\
Displaying Partition Status

System Partition Settings:  PList: DEFAULT PDef: DEFAULT

Name                    Procs


DEFAULT                    32

Partition    Configured         Up     U/C  Dedicated     D/U     Active     A/U

NODE----------------------------------------------------------------------------
DEFAULT               8          8 100.00%          8 100.00%          8 100.00%
PROC----------------------------------------------------------------------------
DEFAULT              32         32 100.00%         30  93.75%         30  93.75%
MEM----------------------------------------------------------------------------
DEFAULT           16384      16384 100.00%       3840  23.44%       3456  21.09%
SWAP----------------------------------------------------------------------------
DEFAULT               0          0   0.00%          0   0.00%          0   0.00%
DISK----------------------------------------------------------------------------
DEFAULT           80000      80000 100.00%          0   0.00%          0   0.00%
"""


def _saved(queue):
    path = pathlib.Path(_munge.directory, "queue.json")
    path.write_text(json.dumps(queue), encoding="utf-8")
    return f"--queue-file={path}"


def _machine():
    """The capture's: of eight nodes two have a processor free."""
    nodes = [{"name": f"node0{i}", "state": "ALLOCATED", "flags": [], "procs": 4, "allocated_procs": 3 if i in (6, 8) else 4,
              "memory": 2048, "allocated_memory": 480, "free_memory": 1616, "disk": 10000, "partitions": ["DEFAULT"]}
             for i in range(1, 9)]
    return {"schema": "maui.queue/1", "time": 1700000000, "jobs": [], "nodes": nodes,
            "partitions": [{"name": "DEFAULT", "state": "UP", "default": True}], "reservations": []}


def test_diagnose_t_prints_the_original_to_the_character(maui):
    done = maui.run("diagnose", "-t", _saved(_machine()))
    harness.check_code(done, 0)
    harness.check_errors(done, None)
    harness.equal(done.stdout.decode(), PARTITIONS, "diagnose -t")


def test_partitions_have_what_is_up_and_in_use(maui):
    for words, golden in ((["-t"], "diagnose-t.out"), (["-t", "fast"], "diagnose-t.one.out"), (["--json", "-t"], "diagnose-t.json.out")):
        done = maui.run("diagnose", *words, _saved(qd.fixture()))
        harness.check_code(done, 0)
        harness.check_golden(done, golden)
    for words, pattern in ((["-t", "nosuch"], "there is no partition nosuch"), (["-t", "a", "b"], "one partition at a time"),
                           (["-t", "-n"], "-t or -n, one at a time"), (["-t", "-u", "x"], "--user goes with")):
        done = maui.run("diagnose", *words, _saved(qd.fixture()))
        harness.check_code(done, 2)
        harness.check_errors(done, pattern)


def _ask(maui, *words):
    with fake.FakeService(_munge, qd.kinds()) as service:
        return maui.run(*words, _saved(qd.fixture()), "--host=127.0.0.1", f"--port={service.port}",
                        f"--munge-socket={_munge.socket}", f"--slurm-user={fake.os.getuid()}")


def test_checkjob_a_is_a_line_of_pairs(maui):
    for name in ("11", "20_3", "13"):
        done = _ask(maui, "checkjob", "-A", name)
        harness.check_code(done, 0)
        harness.check_golden(done, f"checkjob-a.{name}.out")
        line = done.stdout.decode()
        pairs = [pair.partition("=") for pair in line.rstrip("\n").rstrip(";").split(";")]
        harness.equal(len({name for name, _, _ in pairs}), len(pairs), "names")
        harness.equal((line.count("\n"), all(name.isupper() and value for name, _, value in pairs)), (1, True), line)


def test_showq_w_keeps_those_for_which_all_hold(maui):
    jobs = json.loads(_ask(maui, "showq", "--json").stdout)["jobs"]
    for words, keep in ((["user=eve"], {"user": "eve"}), (["acct=physics"], {"account": "physics"}),
                        (["class=fast"], {"partition": "fast"}), (["group=staff"], {"group": "staff"}),
                        (["QOS=hi"], {"qos": "hi"}), (["user=eve", "class=batch"], {"user": "eve", "partition": "batch"})):
        expected = [job["id"] for job in jobs
                    if all(value in (job[name] or "").split(",") for name, value in keep.items())]
        found = json.loads(_ask(maui, "showq", "--json", *(part for word in words for part in ("-w", word))).stdout)
        harness.equal([job["id"] for job in found["jobs"]], expected, f"jobs of {words}")
    if not jobs or not [job for job in jobs if job["user"] == "eve"]:
        raise harness.Failure("the queue shows nothing")
    for word, pattern in (("x", "-w x: user, group"), ("user=", "-w user=: user"), ("user=nosuch", "there is no user nosuch"),
                          ("group=nosuch", "there is no group nosuch"), ("class=nosuch", "there is no partition nosuch")):
        done = _ask(maui, "showq", "-w", word)
        harness.check_code(done, 2)
        harness.check_errors(done, pattern)


def test_showstart_e_estimates_in_the_ways_that_there_are(maui):
    common = ["--queue-file=queue_bf.json", "--host=127.0.0.1", "--port=1", "7"]
    done = maui.run("showstart", "-e", "prio", *common)
    harness.check_code(done, 0)
    harness.equal(done.stdout, maui.run("showstart", *common).stdout, "-e prio of a planned job")
    done = maui.run("showstart", "-e", "all", *common)
    harness.check_code(done, 0)
    harness.check_golden(done, "showstart.all.out")
    done = maui.run("showstart", "-e", "rsv", *common)
    harness.check_code(done, 1)
    data = json.loads(maui.run("showstart", "-e", "all", "--json", *common).stdout)
    harness.equal([(row["kind"], bool(row["start"])) for row in data["estimates"]], [("rsv", False), ("prio", True)], "estimates")
    harness.equal(data["source"], "backfill", "source")
    for how, pattern in (("hist", "-e hist: nothing records"), ("x", "-e x: all, rsv, prio or hist")):
        done = maui.run("showstart", "-e", how, *common)
        harness.check_code(done, 2)
        harness.check_errors(done, pattern)
    harness.check_errors(maui.run("showstart", "-e", "prio", *common[:-1], "4@1:00:00"), "only jobs that wait are planned")


def test_checknode_v_has_more(maui):
    with fake.FakeService(_munge, fake.good(nd.one())) as service:
        done = maui.run("checknode", "-v", "node01", "--host=127.0.0.1", f"--port={service.port}",
                        f"--munge-socket={_munge.socket}", f"--slurm-user={fake.os.getuid()}")
    harness.check_code(done, 0)
    harness.check_golden(done, "checknode.verbose.out")
