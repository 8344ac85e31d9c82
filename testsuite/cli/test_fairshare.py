# SPDX-License-Identifier: GPL-2.0-or-later
"""maui diagnose -f: the original's table from the engine's data, whatever that data is."""

import copy
import json

import cli_harness as harness
import fairshare_data as fd
import fake_service as fake

_munge = harness.munge


def _ask(maui, answer, *arguments, **keywords):
    with fake.FakeService(_munge, answer) as service:
        done = maui.run("diagnose", "-f", f"--port={service.port}", "--host=127.0.0.1",
                        f"--munge-socket={_munge.socket}", f"--slurm-user={fake.os.getuid()}", *arguments,
                        **keywords)
        return done, service.requests


def test_prints_the_table_of_the_original(maui):
    done, requests = _ask(maui, fake.good(fd.data(maui)))
    harness.check_code(done, 0)
    harness.check_golden(done, "diagnose-f.out")
    harness.check_errors(done, r"^NOTE:     hard caps \(% and \^\) hold no job back: slurmctld has not loaded the select plugin of Slurm-Maui\n$")
    harness.equal(requests[0]["command"], "diagnose-fairshare", "command")
    harness.equal(requests[0]["arguments"], {}, "arguments")


def test_caps_that_are_enforced_or_that_nothing_is_said_of_need_no_note(maui):
    for change in ({"enforced": True}, {"enforced": None}, {"enforced": "no"}):
        harness.check_errors(_ask(maui, fake.good(fd.data(maui) | change))[0], None)


def test_jobs_that_a_hard_cap_stands_against_are_listed(maui):
    row = {"job": 17, "type": "user", "name": "bob", "mode": "cap-percent", "cap": 25.0, "usage": 30.5, "request": 1.25,
           "until": fd.COUNTED}
    blocked = [row, "odd", row | {"job": 18, "mode": "cap-ps", "name": "e\x1b[2J", "until": 0}]
    done, _ = _ask(maui, fake.good(fd.data(maui) | {"enforced": True, "blocked": blocked}))
    harness.check_code(done, 0)
    text = """
CAPPED JOBS
-------------
17             user bob: cap 25.00%, used 30.50, asks for 1.25; free from 2023-11-16T13:00:00
18             user e?[2J: cap 25.00 proc-seconds, used 30.50, asks for 1.25; free from never
"""
    harness.equal(done.stdout.decode()[-len(text):], text, "the end of the table")


def test_verbose_adds_rows_and_until_when_usage_is_counted(maui):
    done, _ = _ask(maui, fake.good(fd.data(maui)), "-v")
    harness.check_code(done, 0)
    harness.check_golden(done, "diagnose-f.verbose.out")
    done, _ = _ask(maui, fake.good(fd.data(maui) | {"counted": None}), "-v")
    if b"\nCounted until: not known\n" not in done.stdout:
        raise harness.Failure(harness.text_of(done))


def test_a_type_can_be_asked_for(maui):
    for word, name in (("user", "user"), ("group", "group"), ("acct", "account"), ("account", "account"),
                       ("class", "class"), ("QOS", "qos")):
        _, requests = _ask(maui, fake.good(fd.data(maui)), word)
        harness.equal(requests[0]["arguments"], {"type": name}, f"arguments for {word}")


def test_a_user_can_be_asked_for(maui):
    for options in (["-u", "bob"], ["--user=bob", "user"]):
        done, requests = _ask(maui, fake.good(fd.data(maui)), "--json", *options)
        harness.equal(requests[0]["arguments"], {"type": "user"}, "arguments")
        harness.equal([row["name"] for row in json.loads(done.stdout)["credentials"]["user"]], ["bob"], "users")
    done, _ = _ask(maui, fake.good(fd.data(maui)), "-u", "nosuch")
    harness.check_refused(done, "^ERROR:    there is no user nosuch\n$")
    done, _ = _ask(maui, fake.good(fd.data(maui)), "-u", "daemon")
    harness.check_code(done, 0)
    harness.check_errors(done, "NOTE:     user daemon has neither used anything nor a target, or is not yours to see")


def test_digits_are_a_name_where_somebody_has_it(maui):
    """Otherwise they are the uid."""
    bob = next(row for row in fd.data(maui)["credentials"]["user"] if row["name"] == "bob")
    named, numbered = bob | {"name": "1001"}, bob | {"name": "1001", "unnamed": True}
    for rows, wanted in (([named, numbered], [None]), ([numbered], [True])):
        data = fd.data(maui)
        data["credentials"]["user"] = rows
        done, _ = _ask(maui, fake.good(data), "--json", "-u", "1001")
        harness.equal([row.get("unnamed") for row in json.loads(done.stdout)["credentials"]["user"]], wanted, f"{wanted}")


def test_json_is_the_data_of_the_engine_unchanged_behind_its_schema(maui):
    data = fd.data(maui) | {"later": [1, 2.50, None]}
    done, _ = _ask(maui, fake.good(data), "--json")
    harness.check_code(done, 0)
    found = json.loads(done.stdout)
    harness.equal(next(iter(found)), "schema", "the first member")
    harness.equal(found.pop("schema"), "maui.diagnose-fairshare/1", "schema")
    harness.equal(found, data, "data")


def test_no_policy_is_said_in_one_note(maui):
    data = fd.data(maui) | {"policy": "[NONE]", "windows": [], "credentials": {}, "directory": None, "counted": None}
    done, _ = _ask(maui, fake.good(data))
    harness.check_code(done, 0)
    harness.check_quiet(done)
    harness.check_errors(done, "^NOTE:     FSPOLICY is not set: [^\n]*\n$")
    harness.check_code(_ask(maui, fake.good(data), "--json")[0], 0)


def test_what_the_engine_refuses_is_exit_code_5(maui):
    done, _ = _ask(maui, fake.error("there is no command diagnose-fairshare"))
    harness.check_code(done, 5)
    harness.check_errors(done, "ERROR:    there is no command diagnose-fairshare")


def test_data_of_another_kind_is_refused(maui):
    for change in ({"policy": "LATERPOLICY"}, {"policy": None}, {"credentials": []}):
        done, _ = _ask(maui, fake.good(fd.data(maui) | change))
        harness.check_code(done, 4)
        harness.check_quiet(done)


def _with_row(data, **members):
    data = copy.deepcopy(data)
    data["credentials"]["user"][1].update(members)
    return data


def test_odd_data_is_no_crash(maui):
    whole = fd.data(maui)
    odd = [whole | {"depth": depth} for depth in (-1, 0, 1, 32, 33, 2**62, 1e300, "7", None)]
    odd += [whole | {"interval": interval} for interval in (-1, 0, 2**62, -2**63, "x")]
    odd += [whole | {"decay": decay} for decay in (-1, 2, 1e308, float("nan"), float("inf"), None)]
    odd += [whole | {"windows": windows}
            for windows in ({}, [None, 1, "x", []], [{"usage": -1}, {"usage": 1e308}, {"usage": "x"}], [{}] * 100)]
    odd += [whole | {"counted": 2**62, "directory": 7}, whole | {"usage": -1e308}]
    odd += [whole | {"credentials": {"user": rows, "group": {}, "qos": 7}}
            for rows in ([None, 1, "x", [], {}], [{"name": None, "windows": {}}], [{"name": "a", "windows": [{}] * 99}])]
    odd += [_with_row(whole, name="n" * 10000), _with_row(whole, target=1e308, percent=-1e308),
            _with_row(whole, mark="xyz", windows=[1e308] * 40), _with_row(whole, mark=7, target="ten"),
            _with_row(whole, usage=float("nan"), windows=["x", None, {}, -1])]
    for data in odd:
        done, _ = _ask(maui, fake.good(data), "-v")
        if done.returncode not in (0, 4):
            raise harness.Failure(f"exit code {done.returncode} for {str(data)[:300]}: {harness.text_of(done)}")


def test_names_cannot_command_the_terminal(maui):
    data = _with_row(fd.data(maui), name="b\x1b]0;x\x07\nFORGED") | {"directory": "\x1b[2J"}
    done, _ = _ask(maui, fake.good(data), "-v")
    harness.check_code(done, 0)
    if b"\x1b" in done.stdout or b"\x07" in done.stdout or b"\nFORGED" in done.stdout:
        raise harness.Failure("control characters in the output")


def test_wrong_options_are_explained(maui):
    for arguments, pattern in ((["-f", "node"], "node is not one of user, group"), (["-f", "user", "qos"], "at a time"),
                               (["-f", "-p"], "one at a time"), (["-f", "-u", "bob", "group"], "--user does not go with the groups"),
                               (["-p", "-t", "x", "-f"], "one at a time"), (["-f", "--user"], "requires")):
        done = maui.run("diagnose", *arguments)
        harness.check_refused(done, pattern)


def test_no_engine_is_exit_code_3(maui):
    done = maui.run("diagnose", "-f", "--host=127.0.0.1", "--port=1", f"--munge-socket={_munge.socket}",
                    "--slurm-user=root")
    harness.check_code(done, 3)
    harness.check_quiet(done)
