#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A name service that does not answer has not said no (D-CFG-19): what commands then say of users."""

import contextlib
import errno
import os
import pathlib
import sys
import tempfile

import harness

library = None

WINDOW = "# FairShare usage file (Duration: 43200 seconds)\nUser root 10\nUser no_such_user 5\nGroup no_such_group 15\nTOTAL 15\n"


@contextlib.contextmanager
def _names(says):
    """The environment in which the command's name service does this (testsuite/names)."""
    with tempfile.TemporaryDirectory() as directory:
        pathlib.Path(directory, "says").write_text(f"of maui maui\n{says}")
        yield {"LD_PRELOAD": library, "MAUI_TEST_NAMES": directory,
               "ASAN_OPTIONS": f"{os.environ.get('ASAN_OPTIONS', '')}:verify_asan_link_order=0"}


def _say(maui, text, *arguments):
    with _names(text) as environment:
        return maui.run(*arguments, env=environment)


DOWN = [f"tryagain {errno.EAGAIN}\n"] + [
    f"unavail {number}\n" for number in (errno.ECONNREFUSED, errno.EIO, errno.EMFILE, errno.ENOMEM, errno.ERANGE)]
NO = ["notfound\n"] + [f"unavail {number}\n" for number in (0, errno.ENOENT, errno.ESRCH, errno.EBADF, errno.EPERM)]


def fs_verify_calls_nobody_unknown(maui):
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


def a_user_who_is_asked_for_may_be_there(maui):
    for command in (["showbf", "-g", "root", "-u", "no_such_user"], ["page", "-u", "no_such_user"]):
        for text in NO:
            done = _say(maui, text, *command, "--host=127.0.0.1", "--port=1")
            harness.check_errors(done, "there is no user no_such_user")
        for text in DOWN:
            done = _say(maui, text, *command, "--host=127.0.0.1", "--port=1")
            harness.equal(b"there is no user" in done.stderr, False, f"{command}, {text}: {harness.text_of(done)}")


def showbf_cannot_tell_without_the_users_group(maui):
    for text in DOWN:
        done = _say(maui, text, "showbf", "-u", "root")
        harness.check_refused(done, "^ERROR:    the name service does not answer for user root: give a group, too \\(-g\\)\n$")


def slurm_user_may_be_a_number(maui):
    for text in DOWN:
        done = _say(maui, text, "status", "--slurm-user=no_such_user", "--host=127.0.0.1", "--port=1")
        harness.check_errors(done, "--slurm-user=no_such_user: the name service does not answer; give the user's number")
    for text in NO:
        done = _say(maui, text, "status", "--slurm-user=no_such_user", "--host=127.0.0.1", "--port=1")
        harness.check_errors(done, "--slurm-user=no_such_user: there is no such user")


if __name__ == "__main__":
    library = str(pathlib.Path(sys.argv.pop(2)).resolve())
    harness.main(harness.cases_of(sys.modules[__name__]))
