# SPDX-License-Identifier: GPL-2.0-or-later
"""maui keys: the key table as text and JSON. Names change with the table, so little of it is golden."""

import json

import cli_harness as harness

MEMBERS = ["name", "aliases", "parameter", "sections", "indexed", "dimensions", "gres", "cumulative", "kind", "default", "min",
           "max", "keywords", "area", "in_force", "chapter", "summary", "missing"]


def _keys(maui, *names):
    done = maui.run("keys", "--json", *names)
    harness.check_code(done, 0)
    data = json.loads(done.stdout)
    harness.equal(data["schema"], "maui.keys/1", "schema")
    return data["keys"]


def test_every_key_has_all_members(maui):
    keys = _keys(maui)
    if len(keys) < 200:
        raise harness.Failure(f"only {len(keys)} keys")
    for key in keys:
        harness.equal(list(key), MEMBERS, f"members of {key['name']}")
        if not (key["name"] and key["kind"] and key["area"] and key["summary"]):
            raise harness.Failure(f"{key['name']} has empty members")
        if not key["parameter"] and not key["sections"]:
            raise harness.Failure(f"{key['name']} stands nowhere")


def test_every_key_is_printed(maui):
    text = maui.run("keys").stdout.decode()
    for key in _keys(maui):
        if f"\n{key['name']}" not in text:
            raise harness.Failure(f"{key['name']} is missing")


def test_a_key_is_found_by_name_and_alias_in_any_case(maui):
    for name in ("SERVWEIGHT", "servweight", "SERVICEWEIGHT"):
        harness.equal([key["name"] for key in _keys(maui, name)], ["SERVWEIGHT"], f"keys of {name}")


def test_a_key_is_printed_with_its_values(maui):
    done = maui.run("keys", "JOBPRIOACCRUALPOLICY")
    harness.check_code(done, 0)
    harness.check_golden(done, "keys.accrual.out")


def test_a_parameter_and_an_attribute_may_share_a_name(maui):
    found = _keys(maui, "CLASSWEIGHT")
    harness.equal([key["parameter"] for key in found], [True, False], "kinds of CLASSWEIGHT")


def test_an_unknown_key_is_an_error(maui):
    done = maui.run("keys", "QUEUETIMEWIGHT")
    harness.check_refused(done, "there is no parameter or attribute QUEUETIMEWIGHT .did you mean QUEUETIMEWEIGHT")


def test_a_section_stands_for_all_that_it_may_have(maui):
    keys = {key["name"] for key in _keys(maui) if "NODECFG" in key["sections"]}
    harness.equal({key["name"] for key in _keys(maui, "nodecfg")}, keys, "keys of NODECFG")
    text = maui.run("keys", "NODECFG").stdout.decode()
    harness.equal([line for line in text.splitlines() if line.startswith("#")], ["# attributes: NODECFG"], "headings")


def test_an_attribute_of_several_sections_is_printed_once_with_all_of_them(maui):
    sections = {name: _keys(maui, name)[0]["sections"] for name in ("MAXJOB", "FSTARGET", "MAXLOAD")}
    if len(sections["MAXJOB"]) < 2:
        raise harness.Failure(f"MAXJOB stands in {sections['MAXJOB']} alone")
    for words in (["MAXJOB"], ["maxjob", "FSTARGET"], ["MAXLOAD"], ["QUEUETIMEWEIGHT", "MAXJOB"]):
        text = maui.run("keys", *words).stdout.decode()
        for name in (word.upper() for word in words):
            harness.equal(sum(line.startswith(name) for line in text.splitlines()), 1, f"lines of {name} in keys {words}")
            if name in sections and f"# attributes: {' '.join(sections[name])}\n" not in text:
                raise harness.Failure(text)
    text = maui.run("keys", "NODECFG", "FSTARGET").stdout.decode()
    harness.equal(sum(line.startswith("FSTARGET") for line in text.splitlines()), 1, "lines beside a section's")
