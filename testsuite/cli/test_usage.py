# SPDX-License-Identifier: GPL-2.0-or-later
"""Options, help, and the names that the command is called by."""

import re
import subprocess

import cli_harness as harness


def _commands(maui):
    listed = re.search(r"Commands:\n(.*?)\n\n", maui.run("--help").stdout.decode(), re.DOTALL)[1]
    return re.findall(r"^  (\S+)", listed, re.MULTILINE)


def test_help_is_printed(maui):
    for arguments in (["--help"], ["-h"], ["help"]):
        done = maui.run(*arguments)
        harness.check_code(done, 0)
        harness.check_golden(done, "help.out")
        harness.check_errors(done, None)


def test_every_command_has_help(maui):
    for name in _commands(maui):
        for arguments in ([name, "--help"], ["help", name]):
            done = maui.run(*arguments)
            harness.check_code(done, 0)
            harness.check_golden(done, f"help.{name}.out")
        if name.encode() not in maui.run("--help").stdout:
            raise harness.Failure(f"{name} is missing in the help")


def test_every_command_of_the_sources_is_listed_by_its_name(maui):
    """What command_table.c has forgotten is compiled all the same."""
    texts = [path.read_text(encoding="utf-8") for path in (harness.HERE.parents[1] / "contribs/maui").glob("*/*.c")]
    names = [name for text in texts for name in re.findall(r'^const struct command \w+ = \{\n\t\.name = "(.*)",$', text, re.MULTILINE)]
    harness.equal(_commands(maui), sorted(names), "the commands")


def test_version_and_about_are_told(maui):
    for arguments in (["--version"], ["check", "--version"], ["--about"]):
        done = maui.run(*arguments)
        harness.check_code(done, 0)
        if not done.stdout.startswith(b"maui (Slurm-Maui) "):
            raise harness.Failure(done.stdout.decode())


def test_no_command_is_wrong_usage(maui):
    done = maui.run()
    harness.check_refused(done, r"ERROR:    which command\?\n`maui --help` shows")


def test_an_unknown_command_is_wrong_usage(maui):
    done = maui.run("frobnicate")
    harness.check_code(done, 2)
    harness.check_errors(done, "there is no command frobnicate")


def test_an_unknown_option_is_wrong_usage(maui):
    for arguments in (["--frob"], ["check", "--frob"], ["keys", "-q"], ["status", "-x"], ["showconfig", "--json=x"]):
        done = maui.run(*arguments)
        harness.check_refused(done, "--help` shows how it is used")


def test_values_of_options_are_checked(maui):
    for option, pattern in (("--port=0", "a port is a number"), ("--port=65536", "a port is a number"),
                            ("--port=12x", "a port is a number"), ("--port=-1", "a port is a number"),
                            ("--port=", "a port is a number"), ("--timeout=0", "seconds are a number"),
                            ("--timeout=1e9", "seconds are"), ("--format=xml", "there are text and json"),
                            ("--host=", "this is not a host"), ("--host=" + "h" * 300, "this is not a host"),
                            ("--slurm-user=no_such_user", "there is no such user"),
                            ("--slurm-user=", "there is no such user"), ("--slurm-user=-1", "there is no such user")):
        done = maui.run("status", option)
        harness.check_code(done, 2)
        harness.check_errors(done, pattern)


def test_too_many_arguments_are_wrong_usage(maui):
    for arguments, pattern in ((["check", "a", "b"], "one file at a time"), (["showconfig", "a", "b"], "one file"),
                               (["status", "now"], "unexpected argument now")):
        done = maui.run(*arguments)
        harness.check_code(done, 2)
        harness.check_errors(done, pattern)


def test_options_of_the_original_are_accepted_with_a_word(maui):
    done = maui.run("--keyfile=x", "--loglevel=3", "check", "--offline", "clean.cfg")
    harness.check_code(done, 0)
    harness.check_errors(done, "--keyfile has no effect(.|\n)*--loglevel has no effect")


def test_links_are_commands(maui):
    done = maui.run("full.cfg", argv0="/usr/local/maui/bin/showconfig")
    harness.check_code(done, 0)
    harness.check_golden(done, "showconfig.full.out")


def test_an_unknown_name_is_the_program_itself(maui):
    done = maui.run("--help", argv0="maui-22.05")
    harness.check_code(done, 0)
    harness.check_golden(done, "help.out")


def test_a_full_disk_is_told(maui):
    with open("/dev/full", "wb") as full:
        done = subprocess.run([maui.program, "keys"], stdout=full, stderr=subprocess.PIPE, check=False)
    harness.equal(done.returncode, 2, "exit code")
    harness.check_errors(done, "cannot write the output: No space left")
