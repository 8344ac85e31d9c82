# SPDX-License-Identifier: GPL-2.0-or-later
"""What tests, their clusters and builds have of the environment of whoever started them.

A program gets only what is named here. So no profile, locale, proxy, umask, limit or variable of
Slurm or Python decides how a test ends. testsuite/run, the scenarios and the private cluster start
programs with these variables.
"""

from __future__ import annotations

import os
import pwd
import resource
import signal
from collections.abc import Iterable
from pathlib import Path

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
# MAUI_TEST_PATH stands before PATH, for tools that lie elsewhere.
_MORE_PATH = "MAUI_TEST_PATH"

# MAUI_TEST_SEED, SOAK_OPERATIONS and so on: whoever sets these means the tests.
_PREFIXES = ("MAUI_", "SERVICE_FUZZ_", "SOAK_", "TORTURE_")
# The command's own service, and the cluster of a daemon that started this process.
_NOT = ("MAUI_SERVER", "MAUI_CLUSTER_DIR")
_NAMES = ("ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS", "MALLOC_PERTURB_")
# A private cluster is also for people and single tests: their terminal, time zone, home and libraries.
CLUSTER = ("HOME", "LD_AUDIT", "LD_PRELOAD", "TERM", "TMPDIR", "TZ")
# Where ccache has what was compiled before: its variables, and its default below HOME.
_BUILD_PREFIX = "CCACHE_"
# Most files know no Slurm: what one build directory has compiled serves the next one, too.
_SHARED_CACHE = {"CCACHE_NOHASHDIR": "1"}
# Only npm and the packages' tests ask the network. Others see these under another name.
_NETWORK = frozenset(
    ("http_proxy", "https_proxy", "no_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS")
)
_NETWORK_PREFIX = "MAUI_TEST_NETWORK_"

_ROOT = str(Path(__file__).resolve().parents[1])
_OPEN_FILES = 4096
_STACK = 8 << 20
_SIGNALS = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGPIPE)

_CALLERS = dict(os.environ)  # as it was before adopt()


def variables(more: Iterable[str] = ()) -> dict[str, str]:
    """For a program of a test; more: names of what this one has of its caller, too."""
    given = dict(os.environ)
    result = {
        name: value
        for name, value in given.items()
        if (name.startswith(_PREFIXES) and name not in _NOT) or name in _NAMES or name in more
    }
    result |= {
        _NETWORK_PREFIX + name: given[name]
        for name in given
        if name in _NETWORK or name.lower() in _NETWORK
    }
    try:
        user = pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:  # a container's
        user = str(os.geteuid())
    return result | {
        "PATH": os.pathsep.join(filter(None, (given.get(_MORE_PATH), PATH))),
        "LC_ALL": "C.UTF-8",
        "USER": user,
        "LOGNAME": user,
        # A start of testsuite/cluster would compile it anew; nothing is written beside sources.
        "PYTHONPYCACHEPREFIX": os.path.join(_ROOT, "build", "testsuite-pycache"),
        # git reads a clone of another user's only if it is told to, as root's ~/.gitconfig may.
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "safe.directory",
        "GIT_CONFIG_VALUE_0": _ROOT,
    }


def for_builds() -> dict[str, str]:
    """What a build has besides: the caller's ccache."""
    found = _SHARED_CACHE | {name: _CALLERS[name] for name in _CALLERS if name.startswith(_BUILD_PREFIX)}
    if "HOME" in _CALLERS:
        found["HOME"] = _CALLERS["HOME"]
    return found


def network() -> dict[str, str]:
    """What a program has besides that asks the network: the caller's proxies and certificates."""
    return {
        name.removeprefix(_NETWORK_PREFIX): value
        for name, value in os.environ.items()
        if name.startswith(_NETWORK_PREFIX)
    }


def adopt(more: Iterable[str] = ()) -> None:
    """For this process and all that it starts: these variables, and a new login's umask, limits
    and signals."""
    wanted = variables(more)
    os.environ.clear()
    os.environ.update(wanted)
    reset_process()


def reset_process() -> None:
    os.umask(0o022)
    _limit(resource.RLIMIT_NOFILE, _OPEN_FILES)
    _limit(resource.RLIMIT_STACK, _STACK)
    _limit(resource.RLIMIT_CORE, 0)
    for kind in (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_DATA, resource.RLIMIT_FSIZE):
        _limit(kind, resource.RLIM_INFINITY)
    for number in _SIGNALS:
        if signal.getsignal(number) is signal.SIG_IGN and number != signal.SIGPIPE:
            default = signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL
            signal.signal(number, default)  # as nohup, or a shell's `&`, has left it
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)


def _limit(kind: int, soft: int) -> None:
    """The soft limit, as far as the hard one allows."""
    hard = resource.getrlimit(kind)[1]
    if hard != resource.RLIM_INFINITY and (soft == resource.RLIM_INFINITY or soft > hard):
        soft = hard
    resource.setrlimit(kind, (soft, hard))
