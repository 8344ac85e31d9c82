# SPDX-License-Identifier: GPL-2.0-or-later
"""maui whatif: the file reaches the engine whole and in one text, and its answer is told."""

import json
import os
import pathlib
import random
import tempfile

import cli_harness as harness
import fake_service as fake
import whatif_data as wd

_munge = harness.munge


def _ask(maui, answer, *arguments, cwd=harness.FIXTURES):
    with fake.FakeService(_munge, answer) as service:
        done = maui.run("whatif", f"--port={service.port}", "--host=127.0.0.1", f"--munge-socket={_munge.socket}",
                        f"--slurm-user={os.getuid()}", *arguments, cwd=cwd)
        return done, service.requests


def _directory(**files):
    directory = tempfile.TemporaryDirectory()
    for name, text in files.items():
        (pathlib.Path(directory.name) / f"{name}.cfg").write_text(text, encoding="utf-8")
    return directory


def test_changes_are_told(maui):
    with _directory(new="CREDWEIGHT 1\n") as name:
        done, requests = _ask(maui, fake.good(wd.sample()), "new.cfg", cwd=name)
    harness.check_code(done, 0)
    harness.check_errors(done, r"NOTE: +21 more lines are left out: --limit=N")
    harness.check_golden(done, "whatif.out")
    harness.equal(requests[0]["command"], "whatif", "command")
    harness.equal(requests[0]["arguments"], {"path": "new.cfg", "text": "CREDWEIGHT 1\n\n\n", "limit": 20}, "arguments")


def test_no_change_is_told(maui):
    with _directory(new="") as name:
        done, _ = _ask(maui, fake.good(wd.nothing()), "new.cfg", cwd=name)
    harness.check_code(done, 0)
    harness.check_errors(done, None)
    harness.check_golden(done, "whatif.nothing.out")


def test_as_json_it_is_the_answer(maui):
    with _directory(new="") as name:
        done, requests = _ask(maui, fake.good(wd.sample()), "--json", "new.cfg", cwd=name)
        harness.check_code(done, 0)
        harness.equal(json.loads(done.stdout), {"schema": "maui.whatif/1", "file": "new.cfg"} | wd.sample(), "data")
        harness.equal(requests[0]["arguments"]["limit"], 20000, "the limit")
        _, requests = _ask(maui, fake.good(wd.sample()), "-n3", "new.cfg", cwd=name)
        harness.equal(requests[0]["arguments"]["limit"], 3, "the limit")


def test_what_is_included_comes_along(maui):
    with _directory(new="FSDEPTH 3\n#INCLUDE more.cfg\nFSDECAY 0.5", more="FSDEPTH 4") as name:
        done, requests = _ask(maui, fake.good(wd.nothing()), "new.cfg", cwd=name)
    harness.check_code(done, 0)
    # As if it stood at the end; the line that includes it is a comment.
    harness.equal(requests[0]["arguments"]["text"], "FSDEPTH 3\n##NCLUDE more.cfg\nFSDECAY 0.5\n\nFSDEPTH 4\n\n", "text")


def test_a_last_line_that_a_backslash_continues_ends_with_its_file(maui):
    with _directory(new="#INCLUDE more.cfg\nFSDEPTH 3 \\", more="FSDECAY 0.5") as name:
        done, requests = _ask(maui, fake.good(wd.nothing()), "new.cfg", cwd=name)
    harness.check_code(done, 0)
    harness.equal(requests[0]["arguments"]["text"], "##NCLUDE more.cfg\nFSDEPTH 3 \\\n\nFSDECAY 0.5\n\n", "text")


def test_a_long_file_is_compressed(maui):
    text = "".join(f"USERCFG[user{i}] PRIORITY={i}\n" for i in range(6000))
    with _directory(new=text) as name:
        done, requests = _ask(maui, fake.good(wd.nothing()), "new.cfg", cwd=name)
    harness.check_code(done, 0)
    harness.equal(requests[0]["arguments"]["text"], text + "\n\n", "text")


def test_a_file_that_is_too_long_all_the_same_is_refused(maui):
    noise = random.Random(1)
    text = "".join(f"# {noise.getrandbits(4000):x}\n" for _ in range(500))
    with _directory(new=text) as name:
        done, requests = _ask(maui, fake.good(wd.nothing()), "new.cfg", cwd=name)
    harness.check_code(done, 2)
    harness.check_errors(done, r"the request is \d+ bytes long and may be 65536")
    harness.equal(requests, [], "requests")


def test_a_file_with_errors_is_not_sent(maui):
    with _directory(new="FSDEPTH 3\nFSDECAY many\n") as name:
        done, requests = _ask(maui, fake.good(wd.nothing()), "new.cfg", cwd=name)
    harness.check_code(done, 2)
    harness.check_errors(done, r"new\.cfg:2:\d+: .*\n.*has errors, and would change nothing")
    harness.check_quiet(done)
    harness.equal(requests, [], "requests")


def test_a_file_that_is_not_there(maui):
    done, _ = _ask(maui, fake.good(wd.nothing()), "/nonexistent/maui.cfg")
    harness.check_code(done, 2)
    harness.check_errors(done, "/nonexistent/maui.cfg: cannot be read: No such file")


def test_the_engine_may_refuse(maui):
    with _directory(new="") as name:
        done, _ = _ask(maui, fake.error("whatif is for root, SlurmUser and ADMIN1..3"), "new.cfg", cwd=name)
    harness.check_code(done, 5)
    harness.check_errors(done, "ADMIN1..3")


def test_texts_command_no_terminal(maui):
    data = wd.sample()
    data["movers"][0]["user"] = data["newly_blocked_jobs"][0]["message"] = data["notes"][0]["text"] = "\x1b[31m"
    with _directory(new="") as name:
        done, _ = _ask(maui, fake.good(data), "new.cfg", cwd=name)
    harness.check_code(done, 0)
    if b"\x1b" in done.stdout:
        raise harness.Failure("an escape gets through")


def test_whatever_the_engine_says_is_no_crash(maui):
    with _directory(new="") as name:
        for key in wd.sample():
            for value in (None, 7, "x", [], [None, {}, []], {}, {"today": []}):
                done, _ = _ask(maui, fake.good(wd.sample() | {key: value}), "new.cfg", cwd=name)
                if done.returncode not in (0, 4):
                    raise harness.Failure(f"exit code {done.returncode} for {key}={value}: {harness.text_of(done)}")


def test_wrong_usage(maui):
    for arguments, pattern in (([], "which file"), (["a", "b"], "one file at a time"),
                               (["-n0", "a"], "from 1 to 20000"), (["--limit=x", "a"], "from 1 to 20000")):
        done = maui.run("whatif", *arguments)
        harness.check_code(done, 2)
        harness.check_errors(done, pattern)
        harness.check_quiet(done)
