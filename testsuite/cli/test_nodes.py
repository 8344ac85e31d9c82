# SPDX-License-Identifier: GPL-2.0-or-later
"""maui diagnose -n, checknode and explain-nodes: their texts, and whatever the engine says, no crash."""

import json

import cli_harness as harness
import fake_service as fake
import node_data as nd

_munge = harness.munge

# Of the original, without the classes and networks, of which Slurm has others.
CAPTURE = """\
Name                    State  Procs     Memory         Disk          Swap      Speed  Opsys   Arch Par   Load Res \
Classes                        Network                        Features              \n
node01                   Busy   0:4     1536:2048    10000:10000    4096:4096    1.00  linux    x86 DEF   4.00 002
node05                   Busy   0:4     1536:2048    10000:10000    4096:4096    1.00  linux    x86 DEF   4.00 001
node06                Running   1:4     1664:2048    10000:10000    4096:4096    1.00  linux    x86 DEF   3.00 003
-----                     ---   2:32   12544:16384   80000:80000   32768:32768 \n
Total Nodes: 8  (Active: 8  Idle: 0  Down: 0)
"""
COMMANDS = {
    "diagnose-nodes": (["diagnose", "-n"], nd.sample),
    "check-node": (["checknode", "node01"], nd.one),
    "explain-nodes": (["explain-nodes", "17"], nd.order),
}


def _ask(maui, answer, *arguments, **keywords):
    with fake.FakeService(_munge, answer) as service:
        done = maui.run(*arguments, f"--port={service.port}", "--host=127.0.0.1", f"--munge-socket={_munge.socket}",
                        f"--slurm-user={fake.os.getuid()}", **keywords)
        return done, service.requests


def _golden(maui, data, golden, *arguments, errors=None):
    done, requests = _ask(maui, fake.good(data), *arguments)
    harness.check_code(done, 0)
    harness.check_golden(done, golden)
    harness.check_errors(done, errors)
    return requests


def _lines(done, text):
    for line in text.splitlines():
        if f"\n{line}" not in "\n" + done.stdout.decode():
            raise harness.Failure(f"the output lacks {line!r}:\n{done.stdout.decode()}")


def test_nodes_are_in_the_columns_of_the_original(maui):
    done, requests = _ask(maui, fake.good(nd.sample()), "diagnose", "-n")
    harness.check_code(done, 0)
    _lines(done, CAPTURE)
    harness.check_golden(done, "diagnose-n.out")
    harness.equal(requests[0]["command"], "diagnose-nodes", "command")
    harness.equal(requests[0]["arguments"], {}, "arguments")


def test_verbose_adds_what_slurm_and_nodecfg_say_and_anomalies_are_warned_of(maui):
    data = nd.nodes(
        nd.one(slurm_state="MIXED+PLANNED"),
        nd.node("down", used=0, state="Down", slurm_state="DOWN+NOT_RESPONDING", reason="Not responding", jobs=0),
        nd.node("lost", used=0, classes=[], features=[], opsys=None, arch=None, jobs=0),
        nd.node("a-name-longer-than-its-column", opsys="Linux 6.1.0", classes=["batch", "long"], priority=-7.5))
    _golden(maui, data, "diagnose-n.verbose.out", "diagnose", "-n", "-v")


def test_a_partition_can_be_asked_for(maui):
    for option in ("-tbatch", "--partition=batch"):
        _, requests = _ask(maui, fake.good(nd.sample()), "diagnose", "-n", option)
        harness.equal(requests[0]["arguments"], {"partition": "batch"}, "arguments")
    done, _ = _ask(maui, fake.good(nd.sample() | {"omitted": 7}), "diagnose", "-n")
    harness.check_errors(done, "NOTE: +7 more nodes are not shown")


def test_a_node_is_shown_as_in_the_original(maui):
    requests = _golden(maui, nd.one(), "checknode.out", "checknode", "node01")
    harness.equal(requests[0]["command"], "check-node", "command")
    harness.equal(requests[0]["arguments"], {"node": "node01"}, "arguments")
    done, _ = _ask(maui, fake.good(nd.one()), "checknode", "node01")
    _lines(done, """\
Configured Resources: PROCS: 4  MEM: 2048M  SWAP: 4096M  DISK: 10000M
Dedicated  Resources: PROCS: 4  MEM: 512M
Opsys:         linux  Arch:         x86
Speed:      1.00  Load:       4.000
Features:   [fast][big]
  User 'inf.0'  -00:02:00 ->   INFINITY (  INFINITY)
  Job '19'(x4)  -00:02:00 -> 00:58:00 (1:00:00)""")


def test_a_node_without_anything_is_shown(maui):
    data = nd.one(state="Drained", slurm_state="IDLE+DRAIN", reason="disk\x1b is full", free_memory=None, jobs=0,
                  classes=[], features=[], opsys=None, arch=None, procspeed=0.0, limits=[], job_list=[],
                  reservation_list=[], hidden_jobs=3, formula="5", **nd.priority([], 5.0))
    _golden(maui, data, "checknode.idle.out", "checknode", "node01",
            errors="NOTE: +3 more jobs are here that are not yours to see")


def test_checknode_shows_the_access_list_of_ours_and_no_user_of_slurms(maui):
    rows = [nd.ours(), nd.ours(name="shut.inf", open=False, acl=[], end=2139999999), nd.ours(name="more.0", acl_omitted=7),
            {"name": "r1", "users": "root", "accounts": "physics", "start": 1700003480, "end": 1700007080, "ours": False}]
    _golden(maui, nd.one(reservation_list=rows), "checknode.access.out", "checknode", "node01")


def test_gres_are_shown_where_a_node_has_some(maui):
    """More than all is never available."""
    _golden(maui, nd.one(gres=nd.GPUS), "checknode.gres.out", "checknode", "node01")
    data = nd.nodes(nd.node("node01"), nd.node("node02", gres=nd.GPUS))
    _golden(maui, data, "diagnose-n.gres.out", "diagnose", "-n")


def test_invoked_as_checknode_it_is_the_command(maui):
    done, _ = _ask(maui, fake.good(nd.one()), "node01", argv0="checknode")
    harness.check_golden(done, "checknode.out")


def test_the_order_of_nodes_is_a_table(maui):
    requests = _golden(maui, nd.order(), "explain-nodes.out", "explain-nodes", "17")
    harness.equal(requests[0]["command"], "explain-nodes", "command")
    harness.equal(requests[0]["arguments"], {"job": 17, "limit": 20}, "arguments")


def test_an_order_tells_all_that_is_out_of_the_ordinary(maui):
    data = nd.order(array="17_3", state="running", policy_asked="LOCAL", policy="LASTAVAILABLE", policy_by_job=True,
                    constraint="fast|tape", constraint_counts=False, omitted=980,
                    left_out={"down": 2, "excluded": 0, "features": 0, "limits": 1})
    data["nodes"][0] |= {"allocated": True}
    data["nodes"][1] |= {"required": True} | nd.priority([], -5.0)
    _golden(maui, data, "explain-nodes.all.out", "explain-nodes", "17_3")


def test_what_decides_is_shown_for_each_policy(maui):
    for policy, words in (("FASTEST", "speed 2.00 2400 MHz"), ("MAXBALANCE", "speed 1.00"), ("CPULOAD", "idle 3.00"),
                          ("MINRESOURCE", "2048M 4 procs 10000M disk"), ("LASTAVAILABLE", "until 11-15T01:00:00")):
        done, _ = _ask(maui, fake.good(nd.order(policy_asked=policy, policy=policy)), "explain-nodes", "17")
        if f" {words} ".encode() not in done.stdout:
            raise harness.Failure(f"{policy}: {done.stdout.decode()}")
    done, _ = _ask(maui, fake.good(nd.order(nodes=[])), "explain-nodes", "17")
    if b"no node of its partition" not in done.stdout:
        raise harness.Failure(done.stdout.decode())


def test_jobs_and_limits_are_passed_on(maui):
    for options, expected in ((["17_3"], {"job": 17, "task": 3, "limit": 20}),
                              (["--limit=5", "17"], {"job": 17, "limit": 5}), (["--json", "17"], {"job": 17}),
                              (["--json", "-l", "7", "17"], {"job": 17, "limit": 7})):
        _, requests = _ask(maui, fake.good(nd.order()), "explain-nodes", *options)
        harness.equal(requests[0]["arguments"], expected, f"arguments for {options}")


def test_json_is_the_data_of_the_engine_unchanged_behind_its_schema(maui):
    for name, (words, make) in COMMANDS.items():
        data = make() | {"later": [1, 2.50, None]}
        done, _ = _ask(maui, fake.good(data), *words, "--json")
        harness.check_code(done, 0)
        found = json.loads(done.stdout)
        harness.equal(next(iter(found)), "schema", "the first member")
        harness.equal(found.pop("schema"), f"maui.{name}/1", "schema")
        harness.equal(found, data, "data")


def test_what_the_engine_refuses_is_exit_code_5(maui):
    for words, _ in COMMANDS.values():
        done, _ = _ask(maui, fake.error("Slurm has no such thing"), *words)
        harness.check_code(done, 5)
        harness.check_quiet(done)
        harness.check_errors(done, "ERROR:    Slurm has no such thing")


def test_wrong_usage_is_explained(maui):
    for words, pattern in ((["checknode"], "which node"), (["checknode", "a", "b"], "one node at a time"),
                           (["checknode", "-x"], "invalid option"), (["explain-nodes"], "which job"),
                           (["explain-nodes", "1", "2"], "one job at a time"), (["explain-nodes", "x"], "x is not a job ID"),
                           (["explain-nodes", "--limit=0", "1"], "--limit=0: nodes are"),
                           (["explain-nodes", "--limit=1x", "1"], "--limit=1x: nodes are"),
                           (["diagnose", "-n", "node01"], "takes no node01: checknode"),
                           (["diagnose", "-n", "-p"], "one at a time"), (["diagnose", "-n", "--user=x"], "--user goes")):
        done = maui.run(*words)
        harness.check_refused(done, pattern)


def test_names_cannot_command_the_terminal(maui):
    for words, make in COMMANDS.values():
        for options in ([], ["-v"] if words[0] == "diagnose" else []):
            done, _ = _ask(maui, fake.good(harness.evil(make())), *words, *options)
            harness.check_code(done, 0)
            if b"\x1b" in done.stdout or b"\x07" in done.stdout:
                raise harness.Failure("control characters in the output")


def test_odd_data_is_no_crash(maui):
    """Of each command some hundreds, sampled: each is a run of the program."""
    for words, make in COMMANDS.values():
        data = make()
        if "nodes" in data:
            data["nodes"] = data["nodes"][:1]
        changes = list(harness.odd(data))
        for changed in changes[::max(1, len(changes) // 60)]:
            done, _ = _ask(maui, fake.good(changed), *words, *(["-v"] if words[0] == "diagnose" else []))
            if done.returncode not in (0, 4):
                raise harness.Failure(f"exit code {done.returncode} for {changed}: {harness.text_of(done)}")
