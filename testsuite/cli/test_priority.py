# SPDX-License-Identifier: GPL-2.0-or-later
"""maui priority: the arithmetic of one job's priority, down to squeue's number."""

import json

import cli_harness as harness
import fake_service as fake
import priority_data as pd

_munge = harness.munge
WEIGHTS = pd.SAMPLE_WEIGHTS


def _ask(maui, data, *arguments):
    with fake.FakeService(_munge, fake.good(data)) as service:
        done = maui.run("priority", f"--port={service.port}", "--host=127.0.0.1", f"--munge-socket={_munge.socket}",
                        f"--slurm-user={fake.os.getuid()}", *arguments)
        return done, service.requests


def _one(**members):
    factors = {"USER": 100, "QOS": -10, "FSUSER": -2000 / 30, "QUEUETIME": 3, "XFACTOR": 1.3, "PROC": 16}
    return pd.data(WEIGHTS, [pd.job(8, WEIGHTS, factors, **members)])


def test_the_terms_add_up(maui):
    done, requests = _ask(maui, _one(priority=1, maui_priority=1), "8")
    harness.check_code(done, 0)
    harness.check_golden(done, "priority.out")
    harness.equal([request["arguments"] for request in requests], [{"jobs": [8]}, {"jobs": [8], "partition": "batch"}],
                  "arguments")


def test_the_greatest_and_the_least_number_are_explained(maui):
    for members, words in (({"sum": 2e9, "maui_priority": 10**9, "priority": 10**9}, "(the greatest there is)"),
                           ({"sum": -5.0, "maui_priority": 1, "priority": 1}, "(1 is the least)"),
                           ({"sum": 5.5, "maui_priority": 5, "priority": 5}, "(without the fraction)")):
        done, _ = _ask(maui, _one(**members), "8")
        harness.equal(f"Maui's priority {words}" in done.stdout.decode(), True, f"{words} in {harness.text_of(done)}")


def test_in_shadow_mode_the_number_of_today_is_told_beside_it(maui):
    done, _ = _ask(maui, _one(priority=1, maui_priority=1, slurm_priority=4711) | {"shadow": True}, "8")
    harness.check_golden(done, "priority.shadow.out")
    harness.equal(done.stderr.decode().count("shadow mode"), 1, "notes")


def test_verbose_shows_terms_without_weight(maui):
    done, _ = _ask(maui, _one(priority=1, maui_priority=1), "-v", "8")
    harness.check_golden(done, "priority.v.out")


def test_caps_are_those_of_the_partition(maui):
    data = pd.data(WEIGHTS, [pd.job(8, WEIGHTS, {"QUEUETIME": 1000})])
    for component in data["components"]:
        if component["name"] == "SERV":
            component["cap"] = 500
            component["subcomponents"][0]["cap"] = 1000.5
    data["jobs"][0]["components"]["SERV"]["value"] = 500
    done, _ = _ask(maui, data | {"jobs": [data["jobs"][0] | {"sum": 500.0, "priority": 500, "maui_priority": 500}]}, "8")
    harness.check_golden(done, "priority.caps.out")


def test_the_way_to_the_number_of_squeue_is_told(maui):
    for members, last in (
            ({"maui_priority": 40, "priority": 38, "sum": 40.7, "nice": 12, "site": 10}, "squeue's priority 38"),
            ({"maui_priority": -30, "priority": 2**30 - 30, "sum": -30.2, "base": 2**30}, "squeue's priority 1073741794"),
            ({"maui_priority": 40, "priority": 1, "sum": 40.0, "nice": 1000}, "squeue's priority 1"),
            ({"maui_priority": 40, "priority": 0, "sum": 40.0, "state": "held"},
             "squeue's priority (held: by a user, an administrator, a limit, or Slurm) 0"),
            ({"maui_priority": 40, "priority": 77, "sum": 40.0, "state": "direct"},
             "squeue's priority (set by hand; the rest is what Maui would give) 77"),
            ({"maui_priority": -4, "priority": 0, "sum": -4.0, "state": "rejected"},
             "squeue's priority (held by REJECTNEGPRIOJOBS: it is negative) 0"),
            ({"maui_priority": 40, "priority": 12, "sum": 40.0},
             "squeue's priority (over a soft limit: behind those that are not) 12"),
            ({"maui_priority": 10**9 + 5, "priority": 10**9 + 5, "sum": 2.0, "system_priority": True},
             "squeue's priority 1000000005"),
    ):
        done, _ = _ask(maui, _one(**members), "8")
        harness.check_code(done, 0)
        found = " ".join(done.stdout.decode().strip().splitlines()[-1].split())
        harness.equal(found, last, f"the last line for {members}")
    harness.equal("(a system priority is set)" in done.stdout.decode(), True, "what the number is")


def test_each_partition_has_its_own_sum(maui):
    factors = {"QUEUETIME": 10}
    jobs = [pd.job(8, WEIGHTS, factors, partition="batch"), pd.job(8, WEIGHTS, factors, partition="debug")]
    _, requests = _ask(maui, pd.data(WEIGHTS, jobs), "8")
    harness.equal([request["arguments"].get("partition") for request in requests], [None, "batch", "debug"], "partitions")


def test_one_task_of_an_array_can_be_asked_for(maui):
    jobs = [pd.job(30 + task, WEIGHTS, {"QUEUETIME": task}, array=f"30_{task}") for task in (0, 1)]
    done, _ = _ask(maui, pd.data(WEIGHTS, jobs), "30_1")
    harness.equal(done.stdout.count(b"priority of job"), 1, "jobs")
    harness.equal(b"(30_1)" in done.stdout, True, "the task")


def test_a_job_that_does_not_wait_is_told(maui):
    done, _ = _ask(maui, pd.data(WEIGHTS, []), "8")
    harness.check_code(done, 5)
    harness.check_errors(done, "ERROR:    no such job waits, or it is not yours to see: 8")


def test_json_is_that_of_diagnose(maui):
    done, _ = _ask(maui, _one(), "--json", "8")
    found = json.loads(done.stdout)
    harness.equal(found.pop("schema"), "maui.diagnose-priority/1", "schema")
    harness.equal(found["jobs"][0]["job"], 8, "job")


def test_wrong_usage_is_explained(maui):
    for arguments, pattern in (((), "which job?"), (("1", "2"), "one job at a time"), (("x",), "x is not a job ID")):
        done = maui.run("priority", *arguments)
        harness.check_code(done, 2)
        harness.check_errors(done, pattern)


def test_odd_data_is_no_crash(maui):
    for data in ({}, {"jobs": [], "components": {}}, {"jobs": [None, 3, {}], "components": [None, {}]},
                 {"jobs": [{"job": "x", "components": []}], "components": [{"subcomponents": 1}]}):
        done, _ = _ask(maui, data, "8")
        if done.returncode not in (0, 4, 5):
            raise harness.Failure(f"exit code {done.returncode} for {data}: {harness.text_of(done)}")
