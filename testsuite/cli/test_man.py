# SPDX-License-Identifier: GPL-2.0-or-later
"""The manual pages. They have no roff errors and leave nothing out."""

import json
import re
import subprocess

import cli_harness as harness

SOURCES = harness.HERE.parents[1] / "contribs/man"
PAGES = {name: SOURCES / name for name in ("maui.1", "maui-security.7", "maui-slurm.8")}
PAGES["maui.cfg.5"] = harness.BUILD / "contribs/man/maui.cfg.5"


def _text(name):
    with open(PAGES[name], encoding="utf-8") as page:
        return page.read()


def test_pages_have_no_errors_of_roff(maui):
    """With tables, whose narrow columns cannot be filled."""
    roff = ["groff", "-man", "-t", "-Tutf8", "-rLL=90n", "-z", "-ww", "-Wbreak"]
    for page in PAGES.values():
        done = subprocess.run([*roff, page], capture_output=True, check=False)
        if done.returncode or done.stderr:
            raise harness.Failure(f"{page}: {done.stderr.decode()}")


def test_pages_are_clean_for_mandoc(maui):
    for page in PAGES.values():
        done = subprocess.run(["mandoc", "-Tlint", "-Wall", page], capture_output=True, check=False)
        if done.stdout or done.stderr:
            raise harness.Failure(f"{page}: {harness.text_of(done)}")


def test_every_key_is_in_maui_cfg_5(maui):
    text = _text("maui.cfg.5")
    for key in json.loads(maui.run("keys", "--json").stdout)["keys"]:
        if not re.search(rf"^\.BR? {re.escape(key['name'])}( |$)", text, re.MULTILINE):
            raise harness.Failure(f"{key['name']} is missing")


def test_the_template_is_filled(maui):
    if re.search("^@", _text("maui.cfg.5"), re.MULTILINE):
        raise harness.Failure("a directive is left")


def test_every_command_and_option_is_in_maui_1(maui):
    text = _text("maui.1").replace("\\-", "-")
    commands = re.search(r"Commands:\n(.*?)\n\n", maui.run("--help").stdout.decode(), re.DOTALL)[1]
    for name in re.findall(r"^  (\S+)", commands, re.MULTILINE):
        if f".SS maui {name}" not in text:
            raise harness.Failure(f"{name} is missing")
        for option in re.findall(r"--[a-z-]+", maui.run(name, "--help").stdout.decode()):
            if option not in text:
                raise harness.Failure(f"{option} of {name} is missing")


def test_every_link_is_in_maui_1(maui):
    meson = (harness.HERE.parents[1] / "contribs/maui/meson.build").read_text()
    links = re.findall(r"'([a-z]+)'", re.search(r"original_names = \[(.*?)\]", meson, re.DOTALL)[1])
    listed = re.search(r"Called by the name of(.*?)they are links to", _text("maui.1"), re.DOTALL)[1]
    found = re.findall(r"^\.B?RB?B? \(? ?([a-z]+) [,;]", listed, re.MULTILINE)
    harness.equal(sorted(found), sorted(links), "the links that maui(1) lists")
