# SPDX-License-Identifier: GPL-2.0-or-later
"""What commands say of users by their name service: one that does not answer has not said no (D-CFG-19), and digits may be
a name (D-FS-15)."""

import contextlib
import errno
import json
import os
import pathlib
import tempfile

import cli_harness as harness

LIBRARY = harness.BUILD / "testsuite/names/libnss_maui_test.so.2"

WINDOW = "# FairShare usage file (Duration: 43200 seconds)\nUser root 10\nUser no_such_user 5\nGroup no_such_group 15\nTOTAL 15\n"


@contextlib.contextmanager
def _names(says, **databases):
    """The environment in which the command's name service does this (testsuite/names)."""
    with tempfile.TemporaryDirectory() as directory:
        pathlib.Path(directory, "says").write_text(f"of maui maui\n{says}")
        for name, text in databases.items():
            pathlib.Path(directory, name).write_text(text)
        yield {"LD_PRELOAD": str(LIBRARY), "MAUI_TEST_NAMES": directory,
               "ASAN_OPTIONS": f"{os.environ.get('ASAN_OPTIONS', '')}:verify_asan_link_order=0"}


def _say(maui, text, *arguments):
    with _names(text) as environment:
        return maui.run(*arguments, env=environment)


DOWN = [f"tryagain {errno.EAGAIN}\n"] + [
    f"unavail {number}\n" for number in (errno.ECONNREFUSED, errno.EIO, errno.EMFILE, errno.ENOMEM, errno.ERANGE)]
NO = ["notfound\n"] + [f"unavail {number}\n" for number in (0, errno.ENOENT, errno.ESRCH, errno.EBADF, errno.EPERM)]


def test_fs_verify_calls_nobody_unknown(maui):
    with tempfile.TemporaryDirectory() as directory:
        (pathlib.Path(directory) / "FS.1700136000").write_text(WINDOW)
        for text in DOWN:
            done = _say(maui, text, "fs", "verify", "-v", directory)
            harness.check_code(done, 1)
            harness.check_errors(done, r"the name service does not answer for 2 of 2 users: they may be known\n(.|\n)*for 1 of 1 groups")
            harness.equal(b"there is no" in done.stderr, False, f"{text}: somebody is unknown")
        for text in NO:
            done = _say(maui, text, "fs", "verify", "-v", directory)
            harness.check_errors(done, "there is no user no_such_user on this machine")
            harness.equal(b"does not answer" in done.stderr, False, f"{text}: it has answered")


def test_a_user_who_is_asked_for_may_be_there(maui):
    for command in (["showbf", "-g", "root", "-u", "no_such_user"], ["page", "-u", "no_such_user"]):
        for text in NO:
            done = _say(maui, text, *command, "--host=127.0.0.1", "--port=1")
            harness.check_errors(done, "there is no user no_such_user")
        for text in DOWN:
            done = _say(maui, text, *command, "--host=127.0.0.1", "--port=1")
            harness.equal(b"there is no user" in done.stderr, False, f"{command}, {text}: {harness.text_of(done)}")


def test_showbf_cannot_tell_without_the_users_group(maui):
    for text in DOWN:
        done = _say(maui, text, "showbf", "-u", "root")
        harness.check_refused(done, "^ERROR:    the name service does not answer for user root: give a group, too \\(-g\\)\n$")


def test_showbf_asks_for_a_user_once(maui):
    for options in (("-u", "root"), ("-u", "root", "-g", "root"), ("-u", "0"), ()):
        with _names("", asked="") as environment:
            maui.run("showbf", *options, "--host=127.0.0.1", "--port=1", env=environment)
            asked = pathlib.Path(environment["MAUI_TEST_NAMES"], "asked").read_text().split()
        harness.equal([word for word in asked if word.startswith("getpw")], ["getpwnam_r" if options else "getpwuid_r"],
                      f"look-ups of showbf {options}")


def test_slurm_user_may_be_a_number(maui):
    for text in DOWN:
        done = _say(maui, text, "status", "--slurm-user=no_such_user", "--host=127.0.0.1", "--port=1")
        harness.check_errors(done, "--slurm-user=no_such_user: the name service does not answer; give the user's number")
    for text in NO:
        done = _say(maui, text, "status", "--slurm-user=no_such_user", "--host=127.0.0.1", "--port=1")
        harness.check_errors(done, "--slurm-user=no_such_user: there is no such user")


# The user 1001 has another uid, and uid 1001 no name; 1002 is a name and its number; 1003 is nobody's name.
DIGITS = {"passwd": "root:x:0:0::/:/bin/sh\n1001:x:5001:0::/:/bin/sh\n1002:x:1002:0::/:/bin/sh\n",
          "group": "root:x:0:\n601:x:6001:\n"}
CONFIG = "FSPOLICY DEDICATEDPS\nFSINTERVAL 12:00:00\nFSDEPTH 7\nUSERCFG[1001] FSTARGET=40\nUSERCFG[1003] FSTARGET=30\nUSERCFG[DEFAULT] FSTARGET=10\n"
MANUAL = "# Fairshare Data File (Duration: 43200 Seconds) Starting: Thu Nov 16 12:00:00\n"
ORIGINAL = "# FS Data File (Duration: 43200 seconds)  Starting: Thu Nov 16 12:00:00\n"
BOTH = 'User "1001" 5.000\nUser 1001 7.000\nUser 1003 1.000\nGroup "601" 2.000\nGroup 601 3.000\nAccount 1001 4.000\nTOTAL 13.000\n'
AT = "--at=1700140000"


@contextlib.contextmanager
def _window(text):
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory)
        (path / "cfg").write_text(CONFIG)
        (path / "from").mkdir()
        (path / "from/FS.1700136000").write_text(text)
        yield path


def _import(maui, path, *options, says=""):
    with _names(says, **DIGITS) as environment:
        done = maui.run("fs", "import", f"--configfile={path}/cfg", "--to", path / "to", "--host=127.0.0.1", "--port=1",
                        *options, env=environment)
    text = (path / "to/FS.1700136000").read_text()
    return done, text[text.index("User"):text.index("# End")]


def test_fs_import_keeps_a_number_and_a_name_apart(maui):
    with _window(MANUAL + BOTH) as path:
        done, text = _import(maui, path, path / "from")
        harness.check_code(done, 0)
        harness.equal(text, BOTH, "the file")


def test_fs_import_takes_digits_of_maui_for_a_name_if_it_is_one(maui):
    usage = "user 1001 5\nuser 1002 2\nuser 1003 1\nuser bob 1\ngroup 601 2\ngroup 602 3\nacct 1001 4\nsched 9\n"
    with _window(ORIGINAL + usage) as path:
        done, text = _import(maui, path, path / "from")
        harness.check_code(done, 0)
        harness.equal(text, 'User "1001" 5.000\nUser 1002 2.000\nUser 1003 1.000\nUser bob 1.000\nGroup "601" 2.000\n'
                      "Group 602 3.000\nAccount 1001 4.000\nTOTAL 9.000\n", "the file")
        done, text = _import(maui, path, path / "from", "--force", says=DOWN[0])
        harness.check_code(done, 1)
        harness.check_errors(done, "the name service does not answer for 5 names of digits: they are taken as numbers")
        harness.equal(text.splitlines()[0], "User 1001 5.000", "the file")


def test_fs_import_takes_digits_of_sacct_for_a_name_if_it_is_one(maui):
    with _window("") as path:
        (path / "list").write_text(
            "JobID|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|User|Group|Account|QOS|Partition|AllocCPUS|ReqTRES\n"
            "1|1700136000|1700136000|1700136100|1700136110|10|60|1001|602|||batch|1|cpu=1\n")
        done, text = _import(maui, path, "--sacct", path / "list")
        harness.check_code(done, 0)
        harness.equal(text.splitlines()[:2], ['User "1001" 10.000', "Group 602 10.000"], "the file")


def test_fs_show_has_a_row_for_a_number_and_one_for_the_name(maui):
    with _window(MANUAL + BOTH) as path, _names("", **DIGITS) as environment:
        show = ("fs", "show", f"--configfile={path}/cfg", AT, path / "from")
        rows = json.loads(maui.run(*show, "--json", env=environment).stdout)["credentials"]["user"]
        harness.equal([(row["name"], row.get("unnamed"), row["usage"], row["target"]) for row in rows],
                      [("1001", None, 5, 40), ("1001", True, 7, 10), ("1003", True, 1, 30), ("DEFAULT", None, 0, 10)], "users")
        table = maui.run(*show, env=environment).stdout.decode()
        harness.equal([line.split()[0] for line in table.splitlines() if "100" in line.split(" ")[0]],
                      ['"1001"', "1001*", "1003*", "1001"], "rows")


def test_fs_verify_knows_numbers_and_names_apart(maui):
    with _window(MANUAL + 'User "1001" 1\nUser "0104" 1\nUser 1002 1\nUser 1004 1\nTOTAL 4\n') as path:
        with _names("", **DIGITS) as environment:
            done = maui.run("fs", "verify", "-v", path / "from", env=environment)
        harness.check_errors(done, 'there is no user "0104" on this machine')
        harness.check_errors(done, "there is no user 1004 on this machine")
        harness.equal(done.stderr.count(b"there is no"), 2, harness.text_of(done))
