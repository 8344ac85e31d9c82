# SPDX-License-Identifier: GPL-2.0-or-later
"""maui showconfig: the policy with its origins, from a file and from the engine."""

import json
import os
import pathlib
import tempfile

import cli_harness as harness
import fake_service as fake

_munge = harness.munge


def _values(maui, path):
    data = json.loads(maui.run("showconfig", "--json", path).stdout)
    return [(value["section"], value["name"], value["parameter"], value["index"], value["value"])
            for value in data["values"]]


def test_a_file_is_shown_with_the_origin_of_each_value(maui):
    done = maui.run("showconfig", "full.cfg")
    harness.check_code(done, 0)
    harness.check_golden(done, "showconfig.full.out")
    harness.check_errors(done, None)


def test_verbose_shows_the_zeros_too(maui):
    done = maui.run("showconfig", "-v", "full.cfg")
    harness.check_code(done, 0)
    for line in (b"FSWEIGHT                        0                         # default", b"QUEUETIMECAP  "):
        if line not in done.stdout:
            raise harness.Failure(f"{line} is missing")


def test_the_text_is_a_maui_cfg_again(maui):
    with tempfile.TemporaryDirectory() as directory:
        for options in ([], ["-v"]):
            path = pathlib.Path(directory) / "again.cfg"
            path.write_bytes(maui.run("showconfig", *options, "full.cfg").stdout)
            first, second = _values(maui, "full.cfg"), _values(maui, path)
            harness.equal(second, first, "values of the second reading")


def test_origins_are_exact(maui):
    data = json.loads(maui.run("showconfig", "--json", "full.cfg").stdout)
    harness.equal(list(data), ["schema", "path", "values"], "members")
    found = {(value["section"], value["name"], value["parameter"], value["index"]): value for value in data["values"]}
    for key, value, file, line in (
            ((None, None, "SERVERPORT", None), "4242", "full.cfg", 2),
            ((None, None, "CREDWEIGHT", "debug"), "100", "full.cfg", 6),
            ((None, None, "QUEUETIMEWEIGHT", None), "7", "more.cfg", 1),
            (("USERCFG", "ann", "PRIORITY", None), "8", "more.cfg", 2),
            (("SYSCFG", None, "MAXPROC", None), "100", "full.cfg", 11),
            (("CLASSCFG", "batch", "MAXJOB[USER:bob]", None), "3", "full.cfg", 15),
            (("CLASSCFG", "batch", "MAXJOB[USER]", None), "5", "full.cfg", 15)):
        harness.equal(found[key]["value"], value, f"value of {key}")
        harness.equal(os.path.basename(found[key]["origin"]["file"]), file, f"file of {key}")
        harness.equal(found[key]["origin"]["line"], line, f"line of {key}")
    harness.equal(found[(None, None, "SERVERHOST", None)]["origin"], None, "origin of a default")
    harness.equal(found[("SRCFG", "night", "USERLIST", None)]["value"], "bob,joe-,ann", "a list that adds up")


def test_what_a_partition_does_not_set_is_not_its_own(maui):
    own = [value for value in _values(maui, "full.cfg") if value[3]]
    harness.equal(own, [(None, None, "CREDWEIGHT", "debug", "100")], "values of partitions")


def test_a_file_with_errors_is_shown_and_said_to_be_bad(maui):
    done = maui.run("showconfig", "errors.cfg")
    harness.check_code(done, 2)
    harness.check_errors(done, "errors.cfg has 3 errors and would be refused: `maui check errors.cfg`")


def test_a_file_that_cannot_be_read(maui):
    done = maui.run("showconfig", "/nonexistent/maui.cfg")
    harness.check_refused(done, "ERROR:    /nonexistent/maui.cfg: .*No such file")


def _ask(maui, answer, *arguments):
    with fake.FakeService(_munge, answer) as service:
        return maui.run("showconfig", f"--port={service.port}", "--host=127.0.0.1", f"--munge-socket={_munge.socket}",
                        f"--slurm-user={os.getuid()}", *arguments)


def test_the_policy_of_the_engine_looks_the_same(maui):
    data = json.loads(maui.run("showconfig", "--json", "full.cfg").stdout)
    del data["schema"]
    done = _ask(maui, fake.good(data))
    harness.check_code(done, 0)
    harness.check_golden(done, "showconfig.full.out")
    again = json.loads(_ask(maui, fake.good(data), "--json").stdout)
    harness.equal(again, {"schema": "maui.showconfig/1"} | data, "data")


def test_values_of_the_engine_cannot_forge_lines(maui):
    value = {"parameter": "FS\nADMIN1 mallory", "index": "a]\nb", "section": None, "name": None,
             "value": "1\n#\x1b[2J", "origin": {"file": "a\nb", "line": 1, "column": 1}}
    attribute = value | {"section": "USERCFG", "name": "x\ny"}
    done = _ask(maui, fake.good({"path": "x\ny", "values": [value, attribute]}))
    harness.check_code(done, 0)
    if b"\nADMIN1" in done.stdout or b"\nb" in done.stdout or b"\ny" in done.stdout or b"\x1b" in done.stdout:
        raise harness.Failure(done.stdout.decode())


def test_parameters_of_a_later_engine_are_shown(maui):
    value = {"parameter": "LATERWEIGHT", "index": None, "section": None, "name": None, "value": "1", "origin": None}
    done = _ask(maui, fake.good({"path": "x", "values": [value]}))
    if b"LATERWEIGHT  " not in done.stdout:
        raise harness.Failure(done.stdout.decode())


def test_data_without_values_is_refused(maui):
    done = _ask(maui, fake.good({"path": "x"}))
    harness.check_code(done, 4)
    harness.check_errors(done, "no values")
