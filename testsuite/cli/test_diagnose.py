# SPDX-License-Identifier: GPL-2.0-or-later
"""maui diagnose -p: the original's table, what is ours in it, and its options."""

import json

import cli_harness as harness
import fake_service as fake
import priority_data as pd

_munge = harness.munge


def _ask(maui, answer, *arguments, **keywords):
    with fake.FakeService(_munge, answer) as service:
        done = maui.run("diagnose", "-p", f"--port={service.port}", "--host=127.0.0.1",
                        f"--munge-socket={_munge.socket}", f"--slurm-user={fake.os.getuid()}", *arguments,
                        **keywords)
        return done, service.requests


def _table(maui, data, golden, *arguments, errors=None):
    done, requests = _ask(maui, fake.good(data), *arguments)
    harness.check_code(done, 0)
    harness.check_golden(done, golden)
    harness.check_errors(done, errors)
    return requests


def test_prints_the_table_of_the_original_to_the_character(maui):
    _table(maui, pd.first_sample(), "diagnose-p.1.out")


def test_marks_system_priorities_and_keeps_the_order_of_the_engine(maui):
    _table(maui, pd.second_sample(), "diagnose-p.2.out")


def test_asks_for_nothing_in_particular_by_default(maui):
    _, requests = _ask(maui, fake.good(pd.first_sample()))
    harness.equal(requests[0]["schema"], "maui.request/1", "schema")
    harness.equal(requests[0]["command"], "diagnose-priority", "command")
    harness.equal(requests[0]["arguments"], {}, "arguments")
    harness.equal(len(requests[0]["nonce"]), 32, "length of the nonce")


def test_two_requests_have_two_nonces(maui):
    first = _ask(maui, fake.good(pd.first_sample()))[1][0]["nonce"]
    second = _ask(maui, fake.good(pd.first_sample()))[1][0]["nonce"]
    if first == second:
        raise harness.Failure("the nonce is the same twice")


def test_passes_on_partition_user_and_jobs(maui):
    _, requests = _ask(maui, fake.good(pd.first_sample()), "-t", "batch", "-u", "bob", "7", "20_3")
    harness.equal(requests[0]["arguments"], {"partition": "batch", "user": "bob", "jobs": [7, 20]}, "arguments")


def test_shows_targets_as_shares_and_all_labels(maui):
    """Targ repeats the component's share, as in the original, which has no FSTREE."""
    weights = dict.fromkeys([sub for _, subs in pd.COMPONENTS.values() for sub in subs], 1)
    weights.update(dict.fromkeys(pd.COMPONENTS, 1), USAGE=0, FSTREE=0)
    factors = dict.fromkeys(weights, 1.5) | {"TARGETQUEUETIME": 100000000, "WALLTIME": 86400}
    _table(maui, pd.data(weights, [pd.job(17, weights, factors)]), "diagnose-p.labels.out")


def test_shows_the_share_tree_where_it_has_a_weight(maui):
    weights = {"SERV": 1, "QUEUETIME": 1, "FS": 1, "FSTREE": 1000}
    _table(maui, pd.data(weights, [pd.job(17, weights, {"QUEUETIME": 250, "FSTREE": 0.25}),
                                   pd.job(18, weights, {"FSTREE": 1})]), "diagnose-p.tree.out")


def test_leaves_out_what_weighs_nothing(maui):
    weights = {"SERV": 1, "QUEUETIME": 1, "CRED": 1, "FS": 0, "FSUSER": 5}
    _table(maui, pd.data(weights, [pd.job(17, weights, {"QUEUETIME": 3.25})]), "diagnose-p.few.out")


def test_shows_a_column_that_only_a_qos_gives_weight(maui):
    weights = {"SERV": 1}
    own = weights | {"QUEUETIME": 5}
    jobs = [pd.job(17, own, {"QUEUETIME": 3}), pd.job(18, weights, {"QUEUETIME": 3})]
    _table(maui, pd.data(weights, jobs, qos_weights=("QUEUETIME",)), "diagnose-p.qos.out")


def test_shows_a_column_that_only_a_partition_gives_weight(maui):
    own = {"RES": 2, "PROC": 3}
    jobs = [pd.job(17, own, {"PROC": 4}, partition="big"), pd.job(17, {}, {"PROC": 4})]
    _table(maui, pd.data({}, jobs), "diagnose-p.partition.out")


def test_shows_an_empty_queue(maui):
    _table(maui, pd.data(pd.SAMPLE_WEIGHTS, []), "diagnose-p.empty.out")


def test_shows_a_policy_without_weights(maui):
    _table(maui, pd.data({}, [pd.job(17, {}, {})], partition="batch"), "diagnose-p.neutral.out", "-t", "batch")


def test_marks_jobs_that_do_not_wait_with_the_priority_of_maui(maui):
    weights = pd.SAMPLE_WEIGHTS
    jobs = [
        pd.job(17, weights, {}, state="direct", priority=5000, components={}),
        pd.job(18, weights, {"PROC": 2}, state="held", priority=0),
        pd.job(19, weights, {"USER": -900}, state="rejected", priority=0, rejected=True),
    ]
    _table(maui, pd.data(weights, jobs), "diagnose-p.states.out")


def test_names_arrays_as_squeue_does(maui):
    weights = pd.SAMPLE_WEIGHTS
    jobs = [pd.job(30, weights, {"PROC": 3}, array="28_3"),
            pd.job(28, weights, {"PROC": 2}, array="28_[4-9,20-30:5]")]
    _table(maui, pd.data(weights, jobs), "diagnose-p.array.out")


def test_one_task_of_an_array_can_be_asked_for(maui):
    weights = pd.SAMPLE_WEIGHTS
    jobs = [pd.job(30, weights, {"PROC": 3}, array="28_3"),
            pd.job(28, weights, {"PROC": 2}, array="28_[4-9,20-30:5%2]"),
            pd.job(31, weights, {"PROC": 2}, array="281_3")]
    for task, rows in (("28_3", [30]), ("28_4", [28]), ("28_25", [28]), ("28_26", []), ("28", [30, 28]), ("30", [30])):
        done, _ = _ask(maui, fake.good(pd.data(weights, jobs)), "--json", task)
        harness.equal([row["job"] for row in json.loads(done.stdout)["jobs"]], rows, f"jobs of {task}")


def test_verbose_adds_a_table_of_what_slurm_knows(maui):
    data = pd.second_sample()
    data["jobs"][0].update(account="physics", qos="low", nice=-100, site=5, base=1 << 30)
    _table(maui, data, "diagnose-p.verbose.out", "-v")


def test_says_that_jobs_were_left_out(maui):
    _table(maui, pd.data(pd.SAMPLE_WEIGHTS, [], omitted=1234), "diagnose-p.empty.out", errors="NOTE: +1234 more jobs")


def test_jobs_that_do_not_wait_are_named(maui):
    done, _ = _ask(maui, fake.good(pd.first_sample()), "7", "99", "8_1")
    harness.check_code(done, 0)
    harness.check_errors(done, "^NOTE:     job 99 does not wait, or is not yours to see\nNOTE:     job 8_1 does not wait")


def test_json_is_the_data_of_the_engine_unchanged_behind_its_schema(maui):
    data = pd.first_sample() | {"later": {"added": [1, 2.50, None, "a/b"]}}
    done, _ = _ask(maui, fake.good(data), "--json")
    harness.check_code(done, 0)
    found = json.loads(done.stdout)
    harness.equal(next(iter(found)), "schema", "the first member")
    harness.equal(found.pop("schema"), "maui.diagnose-priority/1", "schema")
    harness.equal(found, data, "data")
    harness.equal(done.stdout.count(b"\n"), 1, "number of lines")


def test_format_json_is_the_same(maui):
    done, _ = _ask(maui, fake.good(pd.first_sample()), "--format=json")
    harness.equal(json.loads(done.stdout)["schema"], "maui.diagnose-priority/1", "schema")


def test_names_cannot_command_the_terminal(maui):
    data = pd.data({}, [pd.job(17, {}, {}, array="17_\x1b[2J", user="b\x1b]0;x\x07")], partition="\x1b[31m")
    done, _ = _ask(maui, fake.good(data), "-v")
    harness.check_code(done, 0)
    if b"\x1b" in done.stdout or b"\x07" in done.stdout:
        raise harness.Failure("control characters in the output")


def test_odd_data_is_no_crash(maui):
    whole = pd.first_sample()
    odd = [{}, {"jobs": [], "components": {}}, {"jobs": {}, "components": []},
           {"jobs": [None, 1, "x", [], {}], "components": [None, 1, {}, {"name": 3, "subcomponents": [None, {}]}]},
           whole | {"jobs": [{"job": "x", "components": [1]}, {"job": 2**62, "sum": 1e308, "components": {"CRED": 7}}]},
           whole | {"partition": 7, "omitted": "many"}]
    for data in odd:
        done, _ = _ask(maui, fake.good(data), "-v")
        if done.returncode not in (0, 4):
            raise harness.Failure(f"exit code {done.returncode} for {data}: {harness.text_of(done)}")


def test_invoked_as_diagnose_or_mdiag_it_is_the_command(maui):
    for name in ("diagnose", "/opt/maui/bin/mdiag"):
        with fake.FakeService(_munge, fake.good(pd.first_sample())) as service:
            done = maui.run("-p", f"--port={service.port}", "--host=localhost", f"--munge-socket={_munge.socket}",
                            f"--slurm-user={fake.os.getuid()}", argv0=name)
        harness.check_code(done, 0)
        harness.check_golden(done, "diagnose-p.1.out")


def test_other_questions_are_not_there_yet(maui):
    for letter in "mRSx":
        done = maui.run("diagnose", f"-{letter}")
        harness.check_code(done, 2)
        harness.check_errors(done, f"diagnose -{letter} .* is not available yet; this release has -p, -f, -j, -n, -q, -r")
        harness.check_quiet(done)


def test_wrong_options_are_explained(maui):
    for arguments, pattern in ((["-p", "seventeen"], "seventeen is not a job ID"), (["-p", "17_"], "17_ is not a job ID"),
                               (["-p", "17_x"], "is not a job ID"), (["-p", "99999999999"], "is not a job ID"),
                               ([], "diagnose what"), (["-p", "-z"], "invalid option"), (["-p", "-t"], "requires")):
        done = maui.run("diagnose", *arguments)
        harness.check_code(done, 2)
        harness.check_errors(done, pattern)
        harness.check_errors(done, "maui diagnose --help")
