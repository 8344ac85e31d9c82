# SPDX-License-Identifier: GPL-2.0-or-later
"""The loopback address, the host name that goes with it, and free ports.

Slurm's daemons listen on every interface unless CommunicationParameters has NoInAddrAny and
NoCtldInAddrAny; then they listen on what gethostname() resolves to. On many machines that is
127.0.0.1; where it is not, the cluster's processes get a UTS namespace of their own in which the
host has another name. No name service has to know that: a number is a name for itself. It is not
"localhost", for which every slurmctld reads its own host's name: a backup took both for the same.

A backup controller uses the port of the primary one, so it needs another address, and a host name
that resolves to it, in the same way.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import random
import socket
from collections.abc import Iterator
from typing import NamedTuple

from .problem import Problem

ADDRESS = "127.0.0.1"
PRIVATE_NAME = "0x7f000001"  # without a dot: Slurm cuts host names there
_BACKUP_ADDRESS = "127.0.0.2"
_BACKUP_NAME = "0x7f000002"
_CLONE_NEWUTS = 0x04000000

# Below the kernel's usual range for outgoing connections, which starts at 32768: such a
# connection might take a daemon's port while it restarts.
_FIRST_PORT, _LAST_PORT = 10240, 32000


class Identity(NamedTuple):
    """As what host the cluster's processes see themselves."""

    hostname: str
    address: str
    private: bool  # in a UTS namespace of their own

    def enter(self) -> None:
        """Become this host, in the calling process; for use between fork and exec."""
        if self.private:
            _enter_uts_namespace(self.hostname)

    @contextlib.contextmanager
    def inside(self) -> Iterator[None]:
        """What the calling thread starts in between is on this host; other threads are not."""
        if not self.private:
            yield
            return
        with open("/proc/thread-self/ns/uts", "rb") as outside:
            _enter_uts_namespace(self.hostname)
            try:
                yield
            finally:
                _call("setns", outside.fileno(), _CLONE_NEWUTS)


def _enter_uts_namespace(hostname: str) -> None:
    _call("unshare", _CLONE_NEWUTS)
    socket.sethostname(hostname)


def _call(name: str, *arguments: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if getattr(libc, name)(*arguments) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}(CLONE_NEWUTS): {os.strerror(number)}")


def _resolve(hostname: str) -> str | None:
    try:
        return str(socket.getaddrinfo(hostname, None, socket.AF_INET)[0][4][0])
    except OSError:
        return None


def _may_unshare(hostname: str) -> bool:
    child = os.fork()
    if child == 0:
        try:
            _enter_uts_namespace(hostname)
        except OSError:
            os._exit(1)
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0


def identity() -> Identity:
    hostname = socket.gethostname()
    address = _resolve(hostname)
    if address == ADDRESS:
        return Identity(hostname.split(".")[0], ADDRESS, private=False)
    if _resolve(PRIVATE_NAME) != ADDRESS:
        why = f"'{PRIVATE_NAME}' not to {ADDRESS}"
    elif not _may_unshare(PRIVATE_NAME):
        why = "a namespace with another name is not permitted here"
    else:
        return Identity(PRIVATE_NAME, ADDRESS, private=True)
    raise Problem(
        f"the host name '{hostname}' resolves to {address or 'nothing'}, and {why}, so Slurm cannot be "
        f"kept to {ADDRESS}.\n"
        f"Put this line first in /etc/hosts: {ADDRESS} {hostname} localhost"
    )


def backup_identity() -> Identity:
    """As what host the backup controller sees itself."""
    if _resolve(_BACKUP_NAME) != _BACKUP_ADDRESS:
        raise Problem(f"'{_BACKUP_NAME}' does not resolve to {_BACKUP_ADDRESS} here")
    if not _may_unshare(_BACKUP_NAME):
        raise Problem(
            "a namespace with another host name is not permitted here, and a backup controller "
            "needs one"
        )
    return Identity(_BACKUP_NAME, _BACKUP_ADDRESS, private=True)


class PortClaims:
    """Free ports of the loopback address, held until the daemons have them.

    A claim is a bound socket that does not listen. Whoever else probes the port fails to bind it;
    a daemon, which sets SO_REUSEADDR as our socket does, may bind it and listen on it. So two
    `up` at the same time never choose the same port, and nothing has to be cleaned up.
    """

    def __init__(self) -> None:
        self._held: list[socket.socket] = []

    def claim(self, *more_addresses: str) -> int:
        """A port of the loopback address, free at these other addresses, too."""
        # A random start keeps clusters apart also where one port is free for a moment, as it is
        # while a daemon restarts.
        ports = random.SystemRandom().sample(range(_FIRST_PORT, _LAST_PORT), 2000)
        for port in ports:
            holders = [_hold(address, port) for address in (ADDRESS, *more_addresses)]
            self._held += (holder for holder in holders if holder is not None)
            if None not in holders:
                return port
        raise Problem(f"found no free port on {ADDRESS} between {_FIRST_PORT} and {_LAST_PORT}")

    def release(self) -> None:
        for holder in self._held:
            holder.close()
        self._held.clear()


def _hold(address: str, port: int) -> socket.socket | None:
    holder = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        holder.bind((address, port))  # without SO_REUSEADDR: fails if anybody is there
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    except OSError:
        holder.close()
        return None
    return holder


@contextlib.contextmanager
def port_claims() -> Iterator[PortClaims]:
    claims = PortClaims()
    try:
        yield claims
    finally:
        claims.release()
