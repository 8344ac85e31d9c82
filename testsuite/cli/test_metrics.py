# SPDX-License-Identifier: GPL-2.0-or-later
"""maui metrics: the text is OpenMetrics by its grammar, bounded, and replaces a file at once."""

import json
import re
import os
import pathlib
import stat
import tempfile

import cli_harness as harness
import fake_service as fake
import metrics_data as md
import openmetrics

_munge = harness.munge


def _ask(maui, answer, *arguments):
    with fake.FakeService(_munge, answer) as service:
        done = maui.run("metrics", f"--port={service.port}", "--host=127.0.0.1", f"--munge-socket={_munge.socket}",
                        f"--slurm-user={os.getuid()}", *arguments)
        return done, service.requests


def _families(maui, answer, *arguments):
    done, _ = _ask(maui, answer, *arguments)
    harness.check_code(done, 0)
    harness.check_errors(done, None)
    return openmetrics.parse(done.stdout.decode())


def test_all_families(maui):
    done, requests = _ask(maui, md.engine())
    harness.check_code(done, 0)
    harness.check_errors(done, None)
    harness.check_golden(done, "metrics.out")
    openmetrics.parse(done.stdout.decode())
    # No question asks for an iteration, but that for reservations, which has none.
    for request in requests:
        if request["command"] not in ("status", "diagnose-reservations"):
            harness.equal(request["arguments"].get("last"), True, request["command"])


def test_numbers_are_those_of_the_answers(maui):
    families = _families(maui, md.engine())
    pending = families["maui_pending_jobs"]
    harness.equal({dict(key)["reason"]: value for key, value in pending.samples.items()}, md.COUNTS, "pending")
    harness.equal(families["maui_iteration_age_seconds"].value(), 30, "age")
    harness.equal(families["maui_iterations"].value(), 120, "iterations")
    harness.equal(families["maui_limit_left"].value(name="alice", limit="MAXJOB", level="hard", type="user"), 3, "left")
    harness.equal(families["maui_limit_left"].value(type="system", level="hard"), 30, "the system's, once")
    harness.equal(families["maui_fairshare_usage_ratio"].value(name="alice"), 0.7505, "share")
    harness.equal(families["maui_fairshare_target_ratio"].value(name="carol", mode="floor"), 0.1, "target")
    harness.equal(families["maui_fairshare_cap_procseconds"].value(name="bob"), 1000, "cap")
    # Two instances that are in force are one; what is not in force is none.
    harness.equal(families["maui_reservation_procs"].value(reservation="night"), 20, "reserved")
    harness.equal(families["maui_reservation_used_procs"].value(reservation="night"), 12, "used")
    harness.equal(len(families["maui_reservation_procs"].samples), 3, "reservations")
    missing = {dict(key)["reservation"]: value for key, value in families["maui_reservation_missing_tasks"].samples.items()}
    harness.equal(missing, {"night": 3, "gone": 8, "maint.0": 0}, "tasks without nodes, also of what Slurm does not have")


def test_a_policy_that_is_not_the_file_on_disk_is_no_file(maui):
    """The alert of metrics.md: maui_policy_source{source="file"} == 0."""
    faults = {"path": "/etc/slurm/maui.cfg", "time": 1700000500, "errors": 3, "lines": ["/etc/slurm/maui.cfg:1:1: wrong"]}
    for policy, source, refused, left_out in (
            ({"source": "file"}, "file", 0, 0),
            ({"source": "file", "refused": None, "left_out": None}, "file", 0, 0),
            ({"source": "file", "refused": faults}, "former-file", 1, 0),
            ({"source": "last-good-copy", "refused": faults}, "last-good-copy", 1, 0),
            ({"source": "partial", "left_out": faults}, "partial", 0, 3),
            ({"source": "partial", "left_out": faults, "refused": faults}, "partial", 1, 3),
            ({"source": "neutral", "refused": faults}, "neutral", 1, 0)):
        data = md.answers()
        trouble = {"policy_trouble": policy} if len(policy) > 1 else {}
        data["status"] = md.STATUS | {"policy": md.STATUS["policy"] | policy} | trouble
        data["diagnose-reservations"] = data["diagnose-reservations"] | trouble
        families = _families(maui, md.engine(data))  # and not a word on standard error
        found = {dict(key)["source"]: value for key, value in families["maui_policy_source"].samples.items()}
        harness.equal([name for name, value in found.items() if value], [source], "source")
        harness.equal(families["maui_policy_refused"].value(), refused, "refused")
        harness.equal(families["maui_policy_left_out_errors"].value(), left_out, "left out")


def test_labels_are_escaped(maui):
    names = {dict(key).get("name") for key in _families(maui, md.engine())["maui_limit"].samples}
    if md.NASTY.replace("\x07", "?") not in names:
        raise harness.Failure(f"the name is not as it was: {names}")


def test_limits_of_gres_of_long_names_are_told_apart(maui):
    """As NVML names types; one is the beginning of the other."""
    card = "gpu:nvidia_rtx_pro_6000_blackwell_server_edition"
    names = (card, f"{card}_4g.96gb", "gpu:1g.10gb+me", "gpu:1g.10gb", "site/gpu:a/b", "q~!$%^&*?<>{}z")
    data = md.answers()
    data["user"]["credentials"] = [{"name": "alice", "limits": [
        md.ld.limit(f"MAXGRES[{name}]", 9, number, metric="gres", gres=name) for number, name in enumerate(names)]}]
    families = _families(maui, md.engine(data))
    for number, name in enumerate(names):
        left = families["maui_limit_left"].value(name="alice", limit=f"MAXGRES[{name}]", level="hard", type="user")
        harness.equal(left, 9 - number, name)


def test_limits_of_a_user_and_a_uid_of_the_same_digits_are_two_series(maui):
    data, pair = md.answers(), {"second_type": "user", "second": "1001"}
    data["user"]["credentials"] = [{"name": "1001", "limits": [md.ld.limit("MAXJOB", 9, 1)]},
                                   {"name": "1001", "unnamed": True, "limits": [md.ld.limit("MAXJOB", 9, 2)]}]
    data["class"]["credentials"] = [{"name": "batch", "limits": [md.ld.limit("MAXJOB[USER:1001]", 9, 3, **pair),
                                                                 md.ld.limit("MAXJOB[USER:1001]", 9, 4, second_unnamed=True, **pair)]}]
    families = _families(maui, md.engine(data))
    found = [value for key, value in families["maui_limit_usage"].samples.items() if "1001" in dict(key).values()]
    harness.equal(sorted(found), [1, 2, 3, 4], "usage")
    harness.equal(families["maui_limit_usage"].value(name="1001", unnamed="true"), 2, "the uid's")
    harness.equal(families["maui_limit_usage"].value(second="1001", second_unnamed="true"), 4, "a pair of the uid's")
    harness.equal(families["maui_omitted_rows"].value(of="twins"), 0, "none is taken for another")


def test_what_is_no_utf8_becomes_a_question_mark(maui):
    with fake.FakeService(_munge, lambda service, request: [
            part.replace(b"alice", b"al\xc3(\xed\xa0\x80\xffe") for part in md.engine()(service, request)]) as service:
        done = maui.run("metrics", f"--port={service.port}", "--host=127.0.0.1", f"--munge-socket={_munge.socket}",
                        f"--slurm-user={os.getuid()}")
    harness.check_code(done, 0)
    openmetrics.parse(done.stdout.decode())  # which is strict
    if b'name="al?(????e"' not in done.stdout:
        raise harness.Failure(harness.text_of(done))


def test_names_that_look_alike_are_one_series(maui):
    data = md.answers()
    rows = data["diagnose-fairshare"]["credentials"]["user"]
    rows += [rows[0] | {"name": name, "usage": usage, "mode": "floor"} for name, usage in (("x\x01", 3), ("x\x02", 2))]
    families = _families(maui, md.engine(data))
    harness.equal(families["maui_fairshare_usage_procseconds"].value(name="x?"), 3, "the first one")
    harness.equal(families["maui_omitted_rows"].value(of="twins"), 3, "left out, in three families")


def test_rows_are_bounded_and_the_fullest_come_first(maui):
    families = _families(maui, md.engine(), "--limit=2")
    limits = {(dict(key)["type"], dict(key).get("name"), dict(key)["limit"])
              for key in families["maui_limit_usage"].samples}
    harness.equal(limits, {("user", md.NASTY.replace("\x07", "?"), "MAXJOB"), ("class", "batch", "MAXPROC")}, "limits")
    harness.equal({dict(key)["name"] for key in families["maui_fairshare_usage_ratio"].samples}, {"staff", "alice"},
                  "shares")
    omitted = {dict(key)["of"]: value for key, value in families["maui_omitted_rows"].samples.items()}
    harness.equal(omitted, {"limits": 4, "fairshare": 2, "reservations": 2, "twins": 0}, "omitted")


def test_an_engine_that_is_down_is_a_finding(maui):
    with fake.closed_port() as port:
        done = maui.run("metrics", f"--port={port}", "--host=127.0.0.1", f"--munge-socket={_munge.socket}")
    harness.check_code(done, 0)
    harness.check_errors(done, "does not answer")
    families = openmetrics.parse(done.stdout.decode())
    harness.equal(list(families), ["maui_up"], "families")
    harness.equal(families["maui_up"].value(), 0, "up")


def test_who_is_not_the_engine_is_an_error_and_told(maui):
    done, _ = _ask(maui, fake.raw(b'{"schema": "maui.answer/1", "status": "ok", "data": {}}\n'))
    harness.check_code(done, 4)
    harness.equal(openmetrics.parse(done.stdout.decode())["maui_up"].value(), 0, "up")


def test_a_question_that_is_refused_is_told(maui):
    done, _ = _ask(maui, md.engine(broken=("diagnose-fairshare", "user")))
    harness.check_code(done, 5)
    harness.check_errors(done, "not today")
    families = openmetrics.parse(done.stdout.decode())
    harness.equal(families["maui_scrape_complete"].value(), 0, "complete")
    harness.equal(families["maui_up"].value(), 1, "up")
    harness.equal(families["maui_fairshare_usage_ratio"].samples, {}, "shares")
    harness.equal(families["maui_limit"].value(type="system", level="hard"), 50, "the others' limits")


def test_whatever_the_engine_says_is_no_crash(maui):
    for data in ({}, {"counts": 7, "credentials": [3, {"limits": [None, {"left": "x"}]}], "reservations": [[], 1]},
                 {"counts": {"a b": None}, "credentials": {"user": [1, {"usage": "x"}], "group": 3}, "policy": []}):
        done, _ = _ask(maui, fake.good(data))
        harness.check_code(done, 0)
        openmetrics.parse(done.stdout.decode())


def test_json_has_the_same_families(maui):
    done, _ = _ask(maui, md.engine(), "--json")
    harness.check_code(done, 0)
    found = json.loads(done.stdout)
    harness.equal(found["schema"], "maui.metrics/1", "schema")
    texts = _families(maui, md.engine())
    harness.equal([family["name"] for family in found["families"]], list(texts), "families")
    for family in found["families"]:
        harness.equal(len(family["samples"]), len(texts[family["name"]].samples), family["name"])


def test_a_file_is_replaced_at_once(maui):
    with tempfile.TemporaryDirectory() as name:
        path = pathlib.Path(name) / "maui.prom"
        path.write_text("old\n", encoding="utf-8")
        before = path.stat().st_ino
        with path.open(encoding="utf-8") as reader:  # a scrape that is under way
            done, _ = _ask(maui, md.engine(), f"--output={path}")
            harness.check_code(done, 0)
            harness.check_quiet(done)
            harness.equal(reader.read(), "old\n", "what the reader reads")
        openmetrics.parse(path.read_text(encoding="utf-8"))
        if path.stat().st_ino == before:
            raise harness.Failure("it was written over")
        harness.equal(stat.S_IMODE(path.stat().st_mode), 0o644, "its mode")
        harness.equal(os.listdir(name), ["maui.prom"], "what is left")
        # The engine is down: the file says so.
        with fake.closed_port() as port:
            done = maui.run("metrics", f"--port={port}", "--host=127.0.0.1", "-o", path,
                            f"--munge-socket={_munge.socket}")
        harness.check_code(done, 0)
        harness.equal(openmetrics.parse(path.read_text(encoding="utf-8"))["maui_up"].value(), 0, "up")


def test_a_file_that_cannot_be_is_an_error(maui):
    with tempfile.TemporaryDirectory() as name:
        done, _ = _ask(maui, md.engine(), f"--output={name}/no/maui.prom")
        harness.check_code(done, 2)
        harness.check_errors(done, "cannot write beside")
        directory = pathlib.Path(name) / "directory"
        directory.mkdir()
        done, _ = _ask(maui, md.engine(), f"--output={directory}")
        harness.check_code(done, 2)
        harness.check_errors(done, "cannot write ")
        harness.equal(os.listdir(name), ["directory"], "what is left")


def test_wrong_usage(maui):
    for arguments, pattern in ((["--limit=0"], "from 1 to 10000"), (["--limit=10001"], "from 1 to"),
                               (["x"], "unexpected argument x"), (["--json", "-o", "x"], "not for JSON")):
        done = maui.run("metrics", *arguments)
        harness.check_code(done, 2)
        harness.check_errors(done, pattern)
        harness.check_quiet(done)


def test_every_metric_of_limits_is_in_the_documents():
    root = harness.HERE.parents[1]
    table = (root / "common/policy/limits/limits_metric.c").read_text()
    names = re.findall(r'^\tMETRIC\(\w+, "(\w+)"', table, re.MULTILINE)
    harness.equal(names[:2], ["jobs", "procs"], "the table")
    for document in ("metrics.md", "service.md"):
        text = (root / "contribs/doc" / document).read_text()
        harness.equal([name for name in names if f"`{name}`" not in text], [], f"metrics that are missing in {document}")


def test_what_is_no_file_is_written_to(maui):
    """A device, a FIFO or a link is never replaced."""
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory)
        os.mkfifo(path / "fifo")
        (path / "device").symlink_to("/dev/null")
        (path / "file").write_text("old", encoding="utf-8")
        (path / "link").symlink_to("file")
        (path / "dangling").symlink_to("none")
        (path / "directory").mkdir()
        options = ["metrics", "--host=127.0.0.1", "--port=1", f"--munge-socket={_munge.socket}"]
        with os.fdopen(os.open(path / "fifo", os.O_RDONLY | os.O_NONBLOCK)) as reader:
            done = maui.run(*options, f"--output={path}/fifo")
            harness.equal((done.returncode, reader.read().splitlines()[-1]), (0, "# EOF"), "the FIFO")
        harness.check_code(maui.run(*options, f"--output={path}/device"), 0)
        for name in ("link", "dangling"):
            harness.check_refused(maui.run(*options, f"--output={path}/{name}"), "is a symbolic link.*name the file itself")
        harness.check_refused(maui.run(*options, f"--output={path}/directory"), "Is a directory")
        modes = {one.name: stat.S_IFMT(one.lstat().st_mode) for one in path.iterdir()}
        harness.equal(modes, {"fifo": stat.S_IFIFO, "device": stat.S_IFLNK, "file": stat.S_IFREG, "link": stat.S_IFLNK,
                              "dangling": stat.S_IFLNK, "directory": stat.S_IFDIR}, "what is there")
        harness.equal((path / "file").read_text(encoding="utf-8"), "old", "the file behind the link")
