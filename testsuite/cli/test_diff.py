# SPDX-License-Identifier: GPL-2.0-or-later
"""maui diff: what would be another under the maui.cfg of an engine in shadow mode."""

import json

import cli_harness as harness
import fake_service as fake
import priority_data as pd

_munge = harness.munge
WEIGHTS = pd.SAMPLE_WEIGHTS
NOW = 1700003600


def _job(number, slurm, maui, **members):
    return pd.job(number, WEIGHTS, {}, slurm_priority=slurm, priority=maui, maui_priority=maui,
                  **({"slurm_reason": "Priority"} | members))


def _refusal(number, kind, text, level=None):
    return {"job": number, "array": None, "user": "bob", "kind": kind, "level": level, "text": text}


JOBS = [
    _job(1, 900, 100, slurm_reason="Resources"),
    _job(2, 800, 950, user="alice"),
    _job(3, 700, 500, user="alice"),
    _job(4, 600, 400, partition="long"),  # in two partitions: a row each
    _job(4, 650, 40),
    _job(5, 500, 2000, slurm_reason="AssocGrpCpuLimit"),
    _job(6, 400, 300, user="eve", array="6_[1-9]"),
    _job(7, 0, 0, state="held", slurm_reason="JobHeldUser"),
    _job(8, 300, 5000, user="eve"),  # over a soft limit: behind all others
    _job(9, 200, 0, state="rejected"),
]
BLOCKED = [
    _refusal(6, "limit", "MAXJOB limit of 1 for user eve (1 in use)", "hard"),
    _refusal(7, "user-hold", "held by its user"),
    _refusal(8, "limit", "MAXPROC limit of 4 for user eve (4 in use)", "soft"),
    _refusal(9, "negative-priority", "held for its negative priority: REJECTNEGPRIOJOBS"),
    _refusal(99, "limit", "has come since"),
]
RESERVATIONS = [
    {"name": "night.20231115", "ours": True, "standing": "night", "there": False, "would": True, "start": NOW + 3600,
     "end": NOW + 7200, "nodes": "n[1-2]", "node_count": 2, "procs": 8, "text": "2 of 2 tasks", "problem": None},
    {"name": "big.inf", "ours": True, "standing": "big", "there": False, "would": False, "start": NOW, "end": None,
     "nodes": None, "node_count": 0, "procs": 0, "text": "0 of 9 tasks; too few nodes", "problem": None},
    {"name": "maint", "ours": False, "standing": None, "there": True, "start": NOW, "end": None, "nodes": "n1"},
]
SHARES = {"user": [{"name": "bob", "percent": 75.5, "target": 20, "mode": "ceiling", "mark": "-", "off_target": True},
                   {"name": "eve", "percent": 24.5, "target": None, "mode": None, "mark": "", "off_target": False}],
          "group": [], "account": [], "qos": [],
          "class": [{"name": "batch", "percent": 100, "target": 98, "mode": "target", "mark": "", "off_target": False}]}


def _data(jobs=JOBS, blocked=BLOCKED, reservations=RESERVATIONS, shares=SHARES, shadow=True, omitted=0):
    return {"diagnose-priority": pd.data(WEIGHTS, jobs, omitted=omitted) | {"shadow": shadow},
            "diagnose-blocked": {"level": "soft", "partition": "ALL", "jobs": blocked, "omitted": 0},
            "diagnose-reservations": {"known": True, "select": True, "reservations": reservations, "standing": []},
            "diagnose-fairshare": {"policy": "DEDICATEDPS", "credentials": shares}}


def _run(maui, data, *arguments, refused=()):
    def answer(service, request):
        if request["command"] in refused:
            return service.envelope(request, status="error", error="PrivateData")
        return service.envelope(request, data=data[request["command"]], time=NOW)
    with fake.FakeService(_munge, answer) as service:
        done = maui.run("diff", f"--port={service.port}", "--host=127.0.0.1", f"--munge-socket={_munge.socket}",
                        f"--slurm-user={fake.os.getuid()}", *arguments)
        return done, service.requests


def test_what_moves_most_comes_first(maui):
    done, requests = _run(maui, _data())
    harness.check_code(done, 0)
    harness.check_golden(done, "diff.out")
    harness.check_errors(done, None)
    harness.equal([request["command"] for request in requests], list(_data()), "requests")


def test_a_limit_of_gpus_blocks_a_job(maui):
    text = "MAXGRES[gpu] limit of 2 for user eve (2 in use, 1 asked for)"
    done, _ = _run(maui, _data(blocked=[_refusal(6, "limit", text, "hard")]))
    lines = harness.text_of(done).split("Jobs that Maui would block\n")[1].splitlines()
    harness.equal([line for line in lines if line.startswith("6_")], [f"{'6_[1-9]':16} {'eve':12} {'batch':10} {6:5}  {text}"], "job 6")
    data, _ = _run(maui, _data(blocked=[_refusal(6, "limit", text, "hard")]), "--json")
    found = {job["job"]: job for job in json.loads(data.stdout)["jobs"]}
    harness.equal(found[6]["reason"]["text"], text, "why")


def test_verbose_shows_all(maui):
    done, _ = _run(maui, _data(), "-v")
    harness.check_golden(done, "diff.verbose.out")


def test_nothing_to_tell(maui):
    empty = {name: [] for name in SHARES}
    done, _ = _run(maui, _data([_job(1, 5, 5)], [], [], empty))
    harness.check_golden(done, "diff.same.out")


def test_long_tables_are_cut(maui):
    count = 30
    jobs = [_job(i, 1000 - i, i + 1) for i in range(1, count + 1)]
    done, _ = _run(maui, _data(jobs, [_refusal(50, "limit", "none of these")], omitted=7))
    harness.check_errors(done, "7 more jobs wait")
    lines = done.stdout.decode().split("\n\n")[2].splitlines()
    harness.equal(len(lines), 22, "lines of the order")
    harness.equal(lines[-1], "(10 more: -v)", "the last line")
    harness.equal(lines[1].split()[0], "30", "the job that moves most")


def test_json_has_no_correlation_of_equal_jobs(maui):
    done, _ = _run(maui, _data([_job(1, 5, 6), _job(2, 5, 7)], []), "--json")
    harness.equal(json.loads(done.stdout)["alike"], {"jobs": 2, "pairs": 1, "other_order": 0, "equal_first": 1,
                                                     "equal_second": 0, "tau_b": None}, "alike")


def test_json_has_ranks_and_reasons(maui):
    done, _ = _run(maui, _data(), "--json")
    harness.check_code(done, 0)
    found = json.loads(done.stdout)
    harness.equal(found["schema"], "maui.diff/1", "schema")
    harness.equal(found["counts"], {"jobs": 9, "moved": 3, "blocked": 2, "held": 1}, "counts")
    harness.equal(found["alike"], {"jobs": 6, "pairs": 15, "other_order": 7, "equal_first": 0, "equal_second": 0,
                                   "tau_b": 1 / 15}, "alike")
    ranks = {job["job"]: (job["slurm"]["rank"], job["maui"]["rank"], job["change"]) for job in found["jobs"]}
    harness.equal(ranks, {1: (1, 5, -4), 2: (2, 2, 0), 3: (3, 3, 0), 4: (4, 4, 0), 5: (5, 1, 4), 6: (6, None, None),
                          7: (None, None, None), 8: (7, 6, 1), 9: (8, None, None)}, "ranks")
    by_id = {job["job"]: job for job in found["jobs"]}
    harness.equal(by_id[5]["slurm"], {"priority": 500, "rank": 5, "reason": "AssocGrpCpuLimit"}, "Slurm's side of job 5")
    harness.equal(by_id[4]["maui"], {"priority": 400, "rank": 4}, "Maui's side of job 4")
    harness.equal(by_id[6]["reason"]["kind"], "limit", "why job 6 is blocked")
    harness.equal([job["job"] for job in found["jobs"] if job["blocked"]], [6, 9], "blocked jobs")
    harness.equal([row["name"] for row in found["reservations"]], ["night.20231115", "big.inf"], "reservations")
    harness.equal([row["target"] for row in found["shares"]], [20, None, 98], "targets")


def test_outside_shadow_mode_there_is_nothing_to_compare(maui):
    for arguments in ([], ["--json"]):
        done, requests = _run(maui, _data(shadow=False), *arguments)
        harness.check_refused(done, "not in shadow mode.*nothing to compare")
        harness.equal(len(requests), 1, "requests")


def test_hidden_reservations_hide_nothing_else(maui):
    done, _ = _run(maui, _data(), "--json", refused=("diagnose-reservations",))
    harness.check_code(done, 0)
    harness.equal(json.loads(done.stdout)["reservations"], None, "reservations")


def test_odd_data_is_no_crash(maui):
    for odd in (None, [], {}, 7, "x"):
        data = _data(jobs=[odd, _job(3, -5, 2**62)], blocked=[odd, _refusal(3, "limit", "text", "hard")],
                     reservations=[odd], shares={"user": [odd], "class": odd})
        for arguments in (["-v"], ["--json"]):
            done, _ = _run(maui, data, *arguments)
            harness.check_code(done, 0)
        for command in data:
            done, _ = _run(maui, data | {command: {"shadow": True, "jobs": odd}}, "-v")
            if done.returncode not in (0, 4):
                raise harness.Failure(f"{command} {odd}: {done.returncode} {harness.text_of(done)}")


def test_names_cannot_command_the_terminal(maui):
    evil = "\x1b[31mx"
    done, _ = _run(maui, _data(jobs=[_job(3, 5, 5, user=evil, partition=evil, slurm_reason=evil, array=evil)],
                               blocked=[_refusal(3, "limit", evil, "hard")]), "-v")
    if b"\x1b" in done.stdout:
        raise harness.Failure("control characters on the terminal")


def test_wrong_usage_is_explained(maui):
    done = maui.run("diff", "17")
    harness.check_code(done, 2)
    harness.check_errors(done, "unexpected argument 17")
