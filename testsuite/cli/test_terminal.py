# SPDX-License-Identifier: GPL-2.0-or-later
"""On a terminal: lines fit its width, and colour marks what matters. A pipe gets the text as it is."""

import errno
import fcntl
import os
import pty
import re
import struct
import subprocess
import termios

import cli_harness as harness

COLOUR = re.compile(r"\033\[\d+m")
FILE = "terminal.cfg"  # of the fixtures


def _run(maui, width, *arguments, **environment):
    """What the command prints on a terminal of so many columns, as text."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    env = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TERM": "xterm", "SLURM_CONF": "/nonexistent/slurm.conf"} | environment
    with subprocess.Popen([maui.program, *arguments], stdout=slave, stderr=subprocess.DEVNULL, cwd=harness.FIXTURES, env=env) as process:
        os.close(slave)
        text = b""
        while True:
            try:
                piece = os.read(master, 65536)
            except OSError as problem:
                if problem.errno != errno.EIO:  # Linux's end of a terminal
                    raise
                break
            if not piece:
                break
            text += piece
    os.close(master)
    return text.decode().replace("\r\n", "\n")


def _lines(text):
    return COLOUR.sub("", text).splitlines()


def _piped(maui, *arguments):
    return maui.run(*arguments).stdout.decode()


def test_rows_of_tables_are_cut(maui):
    wide = [line for line in _piped(maui, "showconfig", FILE).splitlines() if "  " in line]
    narrow = [line for line in _lines(_run(maui, 60, "showconfig", FILE)) if "  " in line]
    if max(map(len, wide)) <= 60:
        raise harness.Failure("the fixture has no line that is too wide")
    harness.equal(narrow, [line if len(line) <= 60 else line[:59] + ">" for line in wide], "the lines")


def test_sentences_go_on_in_the_next_line(maui):
    narrow = _lines(_run(maui, 50, "check", "--offline", FILE))
    if max(map(len, narrow)) > 50:
        raise harness.Failure(f"too wide: {narrow}")
    whole = maui.run("check", "--offline", FILE)
    harness.equal(" ".join(narrow).split(), whole.stdout.decode().split(), "the words")


def test_a_wide_terminal_changes_nothing(maui):
    harness.equal(_lines(_run(maui, 500, "showconfig", FILE)), _piped(maui, "showconfig", FILE).splitlines(), "the lines")


def test_wide_is_for_who_scrolls(maui):
    harness.equal(_lines(_run(maui, 40, "showconfig", "--wide", FILE)), _piped(maui, "showconfig", FILE).splitlines(),
                  "the lines")


def test_columns_of_the_environment_count(maui):
    lines = _lines(_run(maui, 500, "showconfig", FILE, COLUMNS="44"))
    harness.equal(max(len(line) for line in lines if "  " in line), 44, "the width")


def test_json_is_never_cut(maui):
    harness.equal(_run(maui, 40, "showconfig", "--json", FILE), _piped(maui, "showconfig", "--json", FILE), "JSON")


def test_errors_are_red_on_a_terminal_that_has_colours(maui):
    if "\033[31merror:\033[0m" not in _run(maui, 200, "check", "--offline", FILE):
        raise harness.Failure("no red")
    for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}, {"TERM": ""}):
        if "\033" in _run(maui, 200, "check", "--offline", FILE, **environment):
            raise harness.Failure(f"colour, with {environment}")
    if "\033" in _piped(maui, "check", "--offline", FILE):
        raise harness.Failure("colour in a pipe")


def test_what_does_not_end_in_a_line_is_printed(maui):
    harness.equal(_lines(_run(maui, 60, "--version")), _piped(maui, "--version").splitlines(), "the version")
