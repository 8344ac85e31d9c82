# SPDX-License-Identifier: GPL-2.0-or-later
"""What the command changes in Slurm, setspri's site factor and schedctl's reconfigure, and how it finds the engine by
slurm.conf: beside a Slurm that is none, and with a fake engine."""

import json
import os

import cli_harness as harness
import fake_service as fake
import fake_slurm as fs

pytestmark = fs.ITS_SLURM

_munge = harness.munge
ABSOLUTE = 1_000_000_000 + 1  # what stands above the site factors that are added


def _setspri(maui, *arguments, **records):
    with fs.Slurm(**records) as slurm:
        return slurm.run(maui, "setspri", *arguments), slurm.changes()


def test_a_relative_priority_is_the_site_factor(maui):
    for number in ("-5", "0", "1000000000"):
        done, changes = _setspri(maui, "-r", number, "17", "18_3")
        harness.check_code(done, 0)
        harness.check_errors(done, None)
        harness.equal(done.stdout, b"\njob system priority adjusted\n", "what is said")
        harness.equal(changes, [f"update 17 site_factor {number}", f"update 18_3 site_factor {number}"], number)


def test_jobs_are_named_as_for_scontrol(maui):
    """slurmctld takes the tasks without their brackets."""
    done, changes = _setspri(maui, "-r", "5", "17,18_3", "17_[1-9:2,20],21+1", "22_[4-9%2]")
    harness.check_code(done, 0)
    harness.equal([change.split()[1] for change in changes], ["17", "18_3", "17_1-9:2,20", "21+1", "22_4-9"], "the jobs")
    for wrong in ("17_", "17_[", "17_[3", "17_[]", "17_3-5", "17_[3]x", "17,", "17_[5-3]", "x", "0", "-17_[1", "17+", "17+1_2", "4294967296"):
        done, changes = _setspri(maui, "5", "17", "--", wrong)
        harness.check_code(done, 2)
        harness.check_errors(done, r"is not a job ID: 17, 17_3, 17_\[1-9:2,20\] or 18\+1|which priority")
        harness.equal(changes, [], wrong)


def test_an_absolute_priority_stands_above_all_that_are_added(maui):
    low, high = ([int(change.split()[-1]) for change in _setspri(maui, number, "17")[1]] for number in ("1", "1000"))
    harness.equal((high[0] - low[0], low[0] > ABSOLUTE), (999, True), "site factors")
    harness.equal(_setspri(maui, "0", "17")[1], ["update 17 site_factor 0"], "none")


def test_what_slurm_refuses_is_told_of_each_job(maui):
    """Invalid job id of the request; of an array, the first group of its tasks that could not be changed."""
    for records, words in (({"errors": {"update": 2017}}, "Invalid job id specified"),
                           ({"update": [0, 2002, 2017]}, "Access/permission denied")):
        done, _ = _setspri(maui, "5", "17", **records)
        harness.check_code(done, 5)
        harness.check_quiet(done)
        harness.check_errors(done, f"^ERROR:    cannot set system priority of job 17: {words}")
        found = json.loads(_setspri(maui, "-r", "5", "17", "--json", **records)[0].stdout)
        harness.equal(found, {"schema": "maui.setspri/1", "relative": True, "priority": 5,
                              "jobs": [{"job": "17", "adjusted": False, "text": words}]}, records)


def test_an_array_that_is_changed_whole_is_changed(maui):
    done, _ = _setspri(maui, "5", "17", "--json", update=[0, 0])
    harness.check_code(done, 0)
    harness.equal(json.loads(done.stdout)["jobs"], [{"job": "17", "adjusted": True, "text": None}], "jobs")


def test_a_thousand_jobs_are_enough(maui):
    done, changes = _setspri(maui, "5", *range(1, 1002))
    harness.check_code(done, 2)
    harness.check_errors(done, "at most 1000 jobs at a time")
    harness.equal(changes, [], "changes")


def test_a_slurm_that_hangs_has_perhaps_changed_something(maui):
    with fs.Slurm() as slurm:
        done = slurm.run(maui, "setspri", "5", "17", env={"MAUI_TEST_SLURM": "/nonexistent"})
    harness.check_code(done, 3)
    harness.check_quiet(done)
    harness.check_errors(done, "^ERROR:    cannot ask Slurm for its answer")


# ---- schedctl -R ----


def _status(*policies):
    """An engine whose status is another each time; the last one stays."""
    left = list(policies)

    def answer(service, request):
        harness.equal(request["command"], "status", "the request")
        data = left.pop(0) if len(left) > 1 else left[0]
        if isinstance(data, str):
            return service.envelope(request, status="error", error=data)
        return service.envelope(request, data=data)
    return answer


def _reading(readings, **policy):
    return {"started": 5, "policy": {"readings": readings, "reading": False} | policy}


def _schedctl(maui, answer, *arguments, env=None, **records):
    with fake.FakeService(_munge, answer) as service:
        conf = {"PriorityParameters": f"maui_port={service.port},maui_address=127.0.0.1",
                "AuthInfo": f"socket={_munge.socket}", "SlurmUser": _user()}
        with fs.Slurm(conf=conf, **records) as slurm:
            done = slurm.run(maui, "schedctl", "-R", *arguments, env=env)
            return done, slurm.changes()


def _user():
    return os.environ.get("USER", "root") if os.getuid() else "root"


def test_schedctl_waits_until_maui_cfg_is_read(maui):
    """A reading that was under way has begun before; a slurmctld that has started anew has read it."""
    for answers in ((_reading(3), _reading(3), _reading(4)),
                    (_reading(3, reading=True), _reading(4), _reading(5)),
                    (_reading(3), _reading(1) | {"started": 6}), (_reading(3), _reading(0) | {"pid": 7}),
                    (_reading(3), "not now", _reading(4))):
        done, changes = _schedctl(maui, _status(*answers))
        harness.check_code(done, 0)
        harness.equal((done.stdout, changes), (b"slurmctld has read slurm.conf and maui.cfg again\n", ["reconfigure"]), answers)
    done, _ = _schedctl(maui, _status(_reading(3), _reading(4)), "--json")
    harness.equal(json.loads(done.stdout), {"schema": "maui.schedctl/1", "reconfigured": True}, "JSON")


def test_schedctl_tells_of_a_file_that_is_not_taken(maui):
    trouble = {"path": "/m.cfg", "time": 9, "errors": 1, "lines": ["/m.cfg:1:1: error: odd"]}
    for policy, words in (({"refused": trouble}, "^ERROR:    /m.cfg was refused, and what was in force stays: .*odd"),
                          ({"left_out": trouble}, "^ERROR:    /m.cfg is only partly in force: .*odd")):
        done, _ = _schedctl(maui, _status(_reading(3), _reading(4, **policy)))
        harness.check_code(done, 5)
        harness.check_quiet(done)
        harness.check_errors(done, words)


def test_schedctl_tells_of_names_that_nobody_knows(maui):
    unknown = {"path": "/m.cfg", "time": 9, "errors": 2, "lines": ["/m.cfg:1:1: odd", "/m.cfg:2:1: odder"]}
    for told, words in ((unknown, "2 unknown names or words have no effect, the first: /m.cfg:1:1: odd"),
                        (unknown | {"errors": 1, "lines": []}, "1 unknown name or word has no effect")):
        done, _ = _schedctl(maui, _status(_reading(3), _reading(4, unknown=told)))
        harness.check_code(done, 0)
        harness.equal(done.stdout, b"slurmctld has read slurm.conf and maui.cfg again\n", "output")
        harness.equal(done.stderr.decode(), f"NOTE:     /m.cfg: {words}\n", "notes")


def test_schedctl_does_not_wait_for_ever(maui):
    done, changes = _schedctl(maui, _status(_reading(3)), "--timeout=1", env={"MAUI_TEST_SLOWER": "5"})
    harness.check_code(done, 3)
    harness.check_quiet(done)
    harness.check_errors(done, "whether maui.cfg is in force is not known: the engine has not read it within 1 seconds")
    harness.equal(changes, ["reconfigure"], "changes")


def test_schedctl_tells_when_nothing_is_known_of_the_engine(maui):
    with fs.Slurm() as slurm:
        done = slurm.run(maui, "schedctl", "-R", "--host=127.0.0.1", "--port=1")
        harness.equal(slurm.changes(), ["reconfigure"], "changes")
    harness.check_errors(done, "slurmctld reads its configuration again; whether maui.cfg is in force is not known: ")
    harness.check_quiet(done)


def test_schedctl_tells_what_slurm_refuses(maui):
    done, _ = _schedctl(maui, _status(_reading(3)), errors={"reconfigure": 2002})
    harness.check_code(done, 5)
    harness.check_errors(done, "cannot make slurmctld read its configuration: Access/permission denied")


# ---- where the engine is ----


def test_the_port_is_slurm_conf_s_or_maui_cfg_s(maui):
    for parameters, policy in (("maui_port={port}", ""), ("maui_cfg={{directory}}/maui.cfg", "SERVERPORT {port}\n")):
        with fake.FakeService(_munge, fake.good({"version": "1", "mode": "active"})) as service:
            conf = {"PriorityParameters": parameters.format(port=service.port), "AuthInfo": f"socket={_munge.socket}",
                    "SlurmUser": _user()}
            with fs.Slurm(conf=conf, policy=policy.format(port=service.port)) as slurm:
                done = slurm.run(maui, "status", "--json")
                by_file = slurm.run(maui, "status", "--json", f"--configfile={slurm.path('maui.cfg')}")
        harness.check_code(done, 0)
        harness.equal(json.loads(done.stdout)["version"], "1", parameters)
        harness.check_code(by_file, 0 if policy else 3)


def _import(maui, answer, *arguments):
    """slurmctld is down, and slurm.conf is read here; what the engine's directory has got by it."""
    with fake.FakeService(_munge, answer) as service:
        port = service.port if answer else 1
        conf = {"PriorityParameters": f"maui_cfg={harness.FIXTURES}/fs.cfg,maui_port={port}",
                "AuthInfo": f"socket={_munge.socket}", "SlurmUser": _user()}
        with fs.Slurm(conf=conf, errors={"conf": 1900}) as slurm:
            slurm.path("state").mkdir()
            done = slurm.run(maui, "fs", "import", "stats", *arguments)
            return done, sorted(path.name for path in slurm.path("state", "maui").rglob("FS.*"))


def test_fs_import_fills_the_directory_of_the_engine_that_does_not_run(maui):
    done, files = _import(maui, None)
    harness.check_code(done, 0)
    harness.equal(files, sorted(path.name for path in (harness.FIXTURES / "stats").glob("FS.*")), "files")
    done, files = _import(maui, None, "--dry-run")
    harness.check_code(done, 0)
    harness.equal(files, [], "files of a dry run")


def test_fs_import_keeps_off_an_engine_that_runs(maui):
    """It would overwrite what is imported; or it cannot be told whether it runs."""
    for answer, words in ((fake.good({}), "the engine runs .127.0.0.1:[0-9]+. and would overwrite"),
                          (fake.error("not now"), "whether the engine runs is not certain: stop slurmctld first")):
        done, files = _import(maui, answer)
        harness.check_code(done, 2)
        harness.check_errors(done, words)
        harness.equal(files, [], "files")
