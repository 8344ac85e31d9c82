# SPDX-License-Identifier: GPL-2.0-or-later
"""Commands in a cluster: this process becomes one (`exec`), or one is run as a child."""

from __future__ import annotations

import os
import pwd
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from . import daemons
from .layout import Layout, Record
from .problem import Problem


def become(directory: str, user: str | None, command: list[str]) -> int:
    """Becomes the command; returns only if that is not possible."""
    record = Record.require(Layout(directory))
    variables = daemons.environment(record)
    try:
        record.identity.enter()
        if user is not None:
            variables |= _become(_entry(user))
        os.chdir(record.layout.work)
    except OSError as error:
        raise Problem(f"cannot enter the cluster in '{record.layout.top}': {error}") from None
    os.umask(0o022)
    try:
        os.execvpe(command[0], command, variables)
    except OSError as error:
        print(f"cluster: cannot run '{command[0]}': {error.strerror}", file=sys.stderr)
        return _status(error)


def run(
    directory: str, user: str | None, command: Sequence[str], stdin: str, timeout: float
) -> subprocess.CompletedProcess[str]:
    """What `exec` does, without the start of a Python, which costs 30 times what squeue does."""
    try:
        record = Record.require(Layout(directory))
        variables = daemons.environment(record)
        credentials: dict[str, Any] = {}
        if user is not None:
            entry = _entry(user)
            credentials = _credentials(entry)
            variables |= _variables(entry)
    except Problem as problem:  # as `exec` says it
        words = f"cluster: exec: {problem}\n"
        return subprocess.CompletedProcess(command, 1, stdout="", stderr=words)
    try:
        with record.identity.inside():
            return subprocess.run(
                command,
                input=stdin,
                capture_output=True,
                text=True,
                timeout=timeout,
                check=False,
                cwd=record.layout.work,
                env=variables,
                umask=0o022,
                **credentials,
            )
    except OSError as error:
        words = f"cluster: cannot run '{command[0]}': {error.strerror}\n"
        return subprocess.CompletedProcess(command, _status(error), stdout="", stderr=words)


def _status(error: OSError) -> int:
    return 127 if isinstance(error, FileNotFoundError) else 126  # as a shell has it


def _entry(user: str) -> pwd.struct_passwd:
    try:
        return pwd.getpwuid(int(user)) if user.isdecimal() else pwd.getpwnam(user)
    except KeyError:
        raise Problem(
            f"there is no user '{user}'; Slurm needs an entry in the password database"
        ) from None


def _credentials(entry: pwd.struct_passwd) -> dict[str, Any]:
    """Arguments that have subprocess.run() become this user."""
    if os.geteuid() == entry.pw_uid:
        return {}
    _require_root(entry.pw_name)
    groups = os.getgrouplist(entry.pw_name, entry.pw_gid)
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": groups}


def _require_root(user: str) -> None:
    if os.geteuid() != 0:
        raise Problem(f"only root may run a command as '{user}'")


def _become(entry: pwd.struct_passwd) -> dict[str, str]:
    """Become this user; returns the environment variables that say so."""
    if os.geteuid() != entry.pw_uid:
        _require_root(entry.pw_name)
        os.setgroups(os.getgrouplist(entry.pw_name, entry.pw_gid))
        os.setgid(entry.pw_gid)
        os.setuid(entry.pw_uid)
    return _variables(entry)


def _variables(entry: pwd.struct_passwd) -> dict[str, str]:
    return {"HOME": entry.pw_dir, "USER": entry.pw_name, "LOGNAME": entry.pw_name}
