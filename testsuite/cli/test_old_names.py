# SPDX-License-Identifier: GPL-2.0-or-later
"""Commands of Maui's and Moab's that are Slurm's or ours: some run it, the others say which it is, and do nothing."""

import json
import pathlib
import re
import tempfile

import cli_harness as harness

MESON = harness.HERE.parents[1] / "contribs/maui/meson.build"


def _run(maui, name, *words, code=0):
    """The command by its link's name, and what it has called: words of each call."""
    with tempfile.TemporaryDirectory(prefix="maui-cli.") as directory:
        path = pathlib.Path(directory)
        for stub in ("scancel", "scontrol"):
            (path / stub).write_text(f'#!/bin/sh\n{{ printf %s {stub}; printf " [%s]" "$@"; echo; }} >>{path}/calls\n'
                                     f'[ {code} = 0 ] || echo "{stub}: error: Access denied" >&2\nexit {code}\n')
            (path / stub).chmod(0o755)
        done = maui.run(*words, argv0=f"/usr/local/maui/bin/{name}", env={"PATH": f"{directory}:/usr/bin:/bin"})
        calls = path / "calls"
        return done, calls.read_text().splitlines() if calls.exists() else []


def test_what_is_one_call_of_slurms_is_made(maui):
    adjusted = "\njob holds adjusted\n"
    for words, call, answer in (
            (["canceljob", "17"], "scancel [17]", "\njob '17' cancelled\n"),
            (["canceljob", "17", "18_[1-3]"], "scancel [17] [18_[1-3]]", "\njob '17' cancelled\n\njob '18_[1-3]' cancelled\n"),
            (["sethold", "17"], "scontrol [hold] [17]", adjusted),
            (["sethold", "-b", "17", "18_2"], "scontrol [hold] [17] [18_2]", adjusted),
            (["sethold", "-s", "17"], "scontrol [hold] [17]", adjusted), (["sethold", "-a", "17"], "scontrol [hold] [17]", adjusted),
            (["sethold", "-u", "17+1"], "scontrol [uhold] [17+1]", adjusted),
            (["releasehold", "17"], "scontrol [release] [17]", adjusted),
            (["releasehold", "-a", "17", "18"], "scontrol [release] [17] [18]", adjusted)):
        done, calls = _run(maui, *words)
        harness.check_code(done, 0)
        harness.equal(calls, [call], f"the calls of {words}")
        harness.equal(done.stdout.decode(), answer, f"the answer of {words}")
        harness.check_errors(done, None)
    done, _ = _run(maui, "sethold", "--json", "17")
    harness.equal(json.loads(done.stdout), {"schema": "maui.job-call/1", "call": ["scontrol", "hold", "17"]}, "JSON")


def test_what_slurm_refuses_is_refused(maui):
    for name, call in (("canceljob", "scancel [17]"), ("sethold", "scontrol [hold] [17]")):
        done, calls = _run(maui, name, "17", code=1)
        harness.check_code(done, 5)
        harness.check_quiet(done)
        harness.equal(calls, [call], "calls")
        harness.check_errors(done, "^s[a-z]*: error: Access denied\n$")
    done = maui.run("17", argv0="canceljob", env={"PATH": "/nonexistent"})
    harness.check_code(done, 3)
    harness.check_errors(done, "^ERROR:    cannot run scancel: No such file or directory\n$")


def test_what_is_no_job_gets_nowhere(maui):
    for name in ("canceljob", "sethold", "releasehold"):
        for words, pattern in (([], "which job"), (["x"], "x is not a job ID"), (["17", "--", "--user=bob"], "--user=bob is not a job ID"),
                               (["1;reboot"], "is not a job ID"), (["--user=bob"], "unrecognized option"), (["Name=x"], "is not a job ID")):
            done, calls = _run(maui, name, *words)
            harness.check_code(done, 2)
            harness.check_errors(done, pattern)
            harness.equal(calls, [], "calls")
    harness.check_errors(_run(maui, "sethold", "-u", "-s", "17")[0], "one at a time")


def test_no_kind_of_hold_is_released_for_another(maui):
    """scontrol release takes whatever hold there is."""
    for option, word in (("-u", "user"), ("-s", "system"), ("-b", "batch")):
        done, calls = _run(maui, "releasehold", option, "17", "18")
        harness.check_code(done, 2)
        harness.equal(calls, [], "calls")
        harness.check_errors(done, f"^ERROR:    nothing was done: `scontrol release 17 18` .* the {word}'s or another\n$")


def test_others_say_what_is_in_their_place_with_the_words_of_the_call(maui):
    for words, remedy in (
            (["runjob", "17"], "`scontrol top 17`"), (["runjob", "-c", "17", "18"], "`scontrol top 17,18`"), (["runjob"], "`scontrol top JOB`"),
            (["setqos", "high", "17"], "`scontrol update JobId=17 QOS=high`"), (["setqos", "high", "17", "18"], "JobId=17,18 QOS=high`"),
            (["setqos"], "`scontrol update JobId=JOB QOS=QOS`"),
            (["mjobctl", "-c", "17", "18"], "`scancel 17 18`"), (["mjobctl", "-c17"], "`scancel 17`"),
            (["mjobctl", "-h", "17"], "`scontrol hold 17`"), (["mjobctl", "-u", "17"], "`scontrol release 17`"),
            (["mjobctl", "-m", "17", "TimeLimit=60"], "`scontrol update JobId=17 TimeLimit=60`"),
            (["mjobctl", "-N", "USR1", "17"], "`scancel --signal=USR1 17`"), (["mjobctl", "-p", "500", "17"], "`maui setspri 500 17`"),
            (["mjobctl", "-q", "diag", "17"], "`maui checkjob -v 17`"), (["mjobctl", "-x", "17"], "`maui setspri 1000 17`"),
            (["mjobctl", "-Z"], "scancel, scontrol hold"), (["mjobctl"], "scancel, scontrol hold"),
            (["mrsvctl", "-c", "-h", "n1"], "`maui setres"), (["mrsvctl", "-r", "a.0", "b.1"], "`maui releaseres a.0 b.1`"),
            (["mrsvctl", "-q", "night"], "`maui diagnose -r night`"), (["mshow", "-a"], "`maui showbf "),
            (["changeparam", "RMPOLLINTERVAL", "30"], "`RMPOLLINTERVAL 30` into maui.cfg"), (["showgrid", "AVGXFACTOR"], "nobody keeps AVGXFACTOR"),
            (["profiler"], "sreport"), (["resetstats"], "`sdiag --reset`")):
        done, calls = _run(maui, *words)
        harness.check_code(done, 2)
        harness.check_quiet(done)
        harness.equal(calls, [], "calls")
        text = done.stderr.decode()
        if not text.startswith(f"ERROR:    {words[0]} is another command here, and nothing was done: ") or remedy not in text:
            raise harness.Failure(f"{words}: {text}")
        if re.search(r"[{}|]", text):
            raise harness.Failure(f"{words} leaves something open: {text}")
        harness.equal(maui.run(*words).stderr.decode(), text, f"maui {words}")


def test_control_characters_of_a_call_stay_away_from_the_terminal(maui):
    done, _ = _run(maui, "runjob", "\x1b[2J", *["x" * 999] * 9)
    harness.check_code(done, 2)
    if b"\x1b" in done.stderr:
        raise harness.Failure(repr(done.stderr))


def test_every_link_that_is_installed_is_a_command_with_help(maui):
    names = re.findall(r"'([a-z]+)'", re.search(r"original_names = \[(.*?)\]", MESON.read_text(), re.DOTALL)[1])
    if len(names) < 20:
        raise harness.Failure(f"only {names}")
    for name in names:
        done = maui.run("--help", argv0=name)
        harness.check_code(done, 0)
        found = re.match(r"usage: maui (\S+)", done.stdout.decode())[1]
        harness.equal(found, {"mdiag": "diagnose"}.get(name, name), "the command")
