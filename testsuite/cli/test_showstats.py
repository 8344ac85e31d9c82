# SPDX-License-Identifier: GPL-2.0-or-later
"""maui showstats: the original's columns, of what the queue and the windows of fairshare know, and ------ for the rest."""

import json
import pathlib

import cli_harness as harness
import fairshare_data as fd
import fake_service as fake
import queue_data as qd

_munge = harness.munge
STARTED = 1699999760  # four minutes before the queue's time

# A capture, with ------ for what nobody keeps here.
USERS = """\
statistics initialized Sun Nov 12 22:13:20

         |------ Active ------|--------------------------------- Completed -----------------------------------|
user      Jobs Procs ProcHours Jobs    %    PHReq    %    PHDed    %   FSTgt  AvgXF  MaxXF  AvgQH  Effic  WCAcc
alice        0     0      0.00 ---- ------ ------ ------    0.9  86.67 20.00 ------ ------ ------ ------ ------
bob          6    17     11.97 ---- ------ ------ ------    0.1  13.33 30.00 ------ ------ ------ ------ ------
carol        1     2      1.83 ---- ------ ------ ------ ------ ------ ----- ------ ------ ------ ------ ------
eve          1     4      0.11 ---- ------ ------ ------ ------ ------ ----- ------ ------ ------ ------ ------


"""


def _fairshare(**members):
    rows = [{"name": name, "usage": usage, "percent": 0, "target": target, "mode": None, "mark": "", "off_target": False,
             "windows": [usage - 24, 24] if usage else [0, 0]} for name, usage, target in (("alice", 3120, 20), ("bob", 480, 30), ("DEFAULT", 0, 5))]
    return {"policy": "DEDICATEDPS", "ratio": False, "interval": 86400, "depth": 3, "decay": 0.5, "usage": 3600,
            "windows": [{"start": 1699913600, "weight": 1, "usage": 3552}, {"start": 1699827200, "weight": 0.5, "usage": 48},
                        {"start": 1699740800, "weight": 0.25, "usage": 0}],
            "credentials": {"user": rows, "group": [], "account": [], "qos": [], "class": []}, "blocked": []} | members


def _ask(maui, *words, fairshare=None, engine=True, queue=None):
    answers = {"diagnose-blocked": {"level": "soft", "partition": "ALL", "jobs": [], "omitted": 0},
               "diagnose-fairshare": fairshare or _fairshare(), "status": {"started": STARTED}}
    path = pathlib.Path(_munge.directory, "queue.json")
    path.write_text(json.dumps(queue or qd.fixture()), encoding="utf-8")

    def answer(service, request):
        data = answers[request["command"]]
        if isinstance(data, str):
            return service.envelope(request, status="error", error=data)
        return service.envelope(request, data=data)

    with fake.FakeService(_munge, answer) as service:
        return maui.run("showstats", *words, f"--queue-file={path}", "--host=127.0.0.1",
                        f"--port={service.port if engine else 1}", f"--munge-socket={_munge.socket}",
                        f"--slurm-user={fake.os.getuid()}")


def test_users_have_the_columns_of_the_original(maui):
    done = _ask(maui, "-u")
    harness.check_code(done, 0)
    harness.check_errors(done, None)
    harness.equal(done.stdout.decode(), USERS, "showstats -u")
    one = _ask(maui, "-u", "bob").stdout.decode().splitlines()
    harness.equal(one[4:5] + one[5:6], [USERS.splitlines()[5], ""], "showstats -u bob")


def test_a_user_and_a_uid_of_the_same_digits_are_two_lines(maui):
    """Bob is called 1001; carol's uid, 1001, has no name."""
    queue = qd.fixture()
    for job in queue["jobs"]:
        if job["user"] in ("bob", "carol"):
            job["uid"] = 1001 if job["user"] == "carol" else 5001
            job["user"] = "1001"
    for rows, expected in (
            ([("1001", {}), ("1001", {"unnamed": True})], [("1001", None, 6, 1.0), ("1001", True, 1, 2.0)]),
            ([("1001", {})], [("1001", None, 6, 1.0), ("1001", True, 1, None)]),
            ([("1001", {"unnamed": True})], [("1001", None, 6, None), ("1001", True, 1, 1.0)])):
        data = _fairshare()
        data["credentials"]["user"] = [{"name": name, "target": None, "windows": [3600 * number]} | more for number, (name, more) in enumerate(rows, 1)]
        found = json.loads(_ask(maui, "-u", "--json", fairshare=data, queue=queue).stdout)["rows"]
        harness.equal([(row["name"], row.get("unnamed"), row["jobs"], row["dedicated_prochours"]) for row in found if row["name"] == "1001"],
                      expected, str(rows))
        text = _ask(maui, "-u", fairshare=data, queue=queue).stdout.decode()
        harness.equal([line.split()[0] for line in text.splitlines() if "1001" in line], ['"1001"', "1001"], "names")
        found = json.loads(_ask(maui, "-u", "1001", "--json", fairshare=data, queue=queue).stdout)["rows"]
        harness.equal([row.get("unnamed") for row in found], [None], "showstats -u 1001: the user has the name")
        text = _ask(maui, "-u", "1001", fairshare=data, queue=queue).stdout.decode()
        harness.equal([line.split()[0] for line in text.splitlines() if "1001" in line], ['"1001"'], "showstats -u 1001")


def test_digits_that_nobody_has_as_a_name_are_a_uid(maui):
    data = _fairshare()
    data["credentials"]["user"] = [{"name": "1001", "target": None, "windows": [3600], "unnamed": True}]
    found = json.loads(_ask(maui, "-u", "1001", "--json", fairshare=data).stdout)["rows"]
    harness.equal([(row["name"], row.get("unnamed")) for row in found], [("1001", True)], "showstats -u 1001")


def test_a_user_whose_name_is_his_uid_is_one_line(maui):
    queue = qd.fixture()
    for job in queue["jobs"]:
        if job["user"] == "bob":
            job |= {"uid": 1001, "user": "1001"}
    data = _fairshare()
    data["credentials"]["user"] = [{"name": "1001", "target": None, "windows": [3600]}]
    found = json.loads(_ask(maui, "-u", "--json", fairshare=data, queue=queue).stdout)["rows"]
    harness.equal([(row["jobs"], row["dedicated_prochours"]) for row in found if row["name"] == "1001"], [(6, 1.0)], "1001")


def test_every_type_and_the_machine_have_a_table(maui):
    for words, golden in (([], "showstats.out"), (["-s"], "showstats.out"), (["-g"], "showstats-g.out"), (["-a"], "showstats-a.out"),
                          (["-c"], "showstats-c.out"), (["-q", "-v"], "showstats-q.out"), (["--json", "-u"], "showstats.json.out")):
        done = _ask(maui, *words, fairshare=fd.data(maui))
        harness.check_code(done, 0)
        harness.check_golden(done, golden)


def test_what_is_not_known_is_not_made_up(maui):
    for members, pattern in (({"fairshare": {"policy": "[NONE]"}}, "FSPOLICY is not set"), ({"fairshare": "for operators"}, "NOTE: .*for operators"),
                             ({"engine": False}, "this is from Slurm alone")):
        done = _ask(maui, "--json", "-u", **members)
        harness.check_code(done, 0)
        harness.check_errors(done, pattern)
        data = json.loads(done.stdout)
        harness.equal((data["dedicated_prochours"], data["since"]), (None, None), "what is counted")
        harness.equal({row["name"]: row["percent"] for row in data["rows"]}, {"bob": None, "carol": None, "eve": None}, "percent")


def test_odd_answers_are_no_crash(maui):
    for data in ({"policy": 7}, {"policy": "DEDICATEDPS"}, _fairshare(windows={}, credentials=[]),
                 _fairshare(windows=[None, 1, "x", {"usage": 1e308}], credentials={"user": [None, {}, {"name": "x", "windows": [None, "y", 1e300]}]})):
        for words in ([], ["-u"], ["--json", "-u"]):
            harness.check_code(_ask(maui, *words, fairshare=data), 0)


def test_wrong_usage_is_explained(maui):
    for words, pattern in ((["-u", "-g"], "-u or -g, one at a time"), (["x"], "unexpected argument x"), (["-u", "a", "b"], "unexpected argument b"),
                           (["-n"], "maui diagnose -n -v"), (["-u", "nosuch"], "there is no user nosuch"), (["-f"], "invalid option")):
        done = _ask(maui, *words)
        harness.check_refused(done, pattern)
    harness.check_errors(_ask(maui, "-u", "root"), "NOTE:     user root has no active job and has used nothing")
