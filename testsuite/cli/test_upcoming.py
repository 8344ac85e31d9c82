# SPDX-License-Identifier: GPL-2.0-or-later
"""maui upcoming: what is in the time, in which order, how sure it is, and what is left out."""

import json
import pathlib
import tempfile

import cli_harness as harness
import why_data as wd

NOW = wd.NOW


def _run(maui, queue, *words):
    with tempfile.TemporaryDirectory(prefix="maui-cli.") as directory:
        path = pathlib.Path(directory, "queue.json")
        path.write_text(json.dumps(queue), encoding="utf-8")
        return maui.run("upcoming", f"--queue-file={path}", *words)


def _json(maui, queue, *words):
    done = _run(maui, queue, "--json", *words)
    harness.check_code(done, 0)
    return json.loads(done.stdout)


def _rows(found):
    return [(row["time"] - NOW, row["kind"], row["job"]["id"] if "job" in row else row["reservation"]["name"]) for row in found["events"]]


def _queue():
    plan = {"scheduled_nodes": "n[1-2]", "last_evaluated": NOW - 60}
    return wd.queue(
        wd.job(17, start=NOW + 1800, procs=8, **plan), wd.job(18, "alice", start=NOW + 2400), wd.job(19, start=NOW + 7200, **plan),
        wd.job(20, start=NOW - 5, **plan), wd.job(21), wd.job(22, priority=0, reason="JobHeldUser", start=NOW + 60),
        wd.job(23, reason="BeginTime", eligible=NOW + 3600), wd.job(24, reason="BeginTime", eligible=NOW + 3601),
        wd.job(25, reason="BlockMaxError", start=NOW + 3), wd.job(26, reason="Dependency", start=NOW + 3),
        reservations=[wd.reservation("later", "n1", start=NOW + 1800), wd.reservation("now", "n[1-4]", end=NOW + 1800),
                      wd.reservation("bare", None, start=NOW + 1, end=None), wd.reservation("past", "n1", end=NOW - 1)])


def test_all_kinds_are_in_order(maui):
    done = _run(maui, _queue())
    harness.check_code(done, 0)
    harness.check_golden(done, "upcoming.out")
    found = _json(maui, _queue())
    harness.equal(_rows(found), [
        (0, "job-start", "20"), (1, "reservation-start", "bare"), (1800, "reservation-end", "now"), (1800, "reservation-start", "later"),
        (1800, "job-start", "17"), (2400, "job-start", "18"), (3600, "job-eligible", "23")], "events")
    harness.equal((found["until"], found["later"], found["unplanned"], found["blocked"]), (NOW + 3600, 2, 1, 3), "what is left out")


def test_a_plan_is_told_from_a_guess(maui):
    jobs = {row["job"]["id"]: row["job"] for row in _json(maui, _queue())["events"] if row["kind"] == "job-start"}
    harness.equal({name: (job["source"], job["last_evaluated"]) for name, job in jobs.items()},
                  {"20": ("backfill", NOW - 60), "17": ("backfill", NOW - 60), "18": ("guess", None)}, "sources")


def test_the_time_bounds_it(maui):
    for time, last in (("0:29:59", 1), ("0:30:00", 1800), ("2:00:00", 7200), ("INFINITY", 36000)):
        harness.equal(_rows(_json(maui, _queue(), time))[-1][0], last, time)
    done = _run(maui, wd.queue(), "60")
    harness.equal(done.stdout.decode().splitlines()[2], "nothing is known to start, begin or end by then", "an empty hour")
    if not _run(maui, _queue(), "INFINITY").stdout.startswith(b"upcoming, as far as it is known\n"):
        raise harness.Failure("INFINITY has an end")
    harness.check_errors(_run(maui, _queue(), "5:00"), "5:00 is read as minutes and seconds")


def test_wrong_usage_is_explained(maui):
    for words, pattern in ((["x"], "x is not a time"), (["0"], "0 is not a time"), (["1:00:00x"], "not a time"), (["1", "2"], "one time at most")):
        harness.check_refused(_run(maui, _queue(), *words), pattern)


def test_odd_data_is_no_crash(maui):
    changes = list(harness.odd(_queue()))
    for changed in changes[::max(1, len(changes) // 60)]:
        done = _run(maui, changed, "INFINITY")
        if done.returncode not in (0, 2):
            raise harness.Failure(f"exit code {done.returncode} for {changed}: {harness.text_of(done)}")
