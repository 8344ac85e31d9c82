# SPDX-License-Identifier: GPL-2.0-or-later
"""The command line of testsuite/cluster."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Sequence
from types import FrameType

import surroundings

from . import execution, lifecycle
from .problem import Problem

_DESCRIPTION = """\
A private Slurm on loopback: munged, slurmctld and a slurmd for each node, as installed from the
distribution or anywhere else, with the plugins of this project from the build directory
(environment variable MAUI_BUILD, default: build/ of this source tree). Everything lies below one
directory, any number of clusters can run side by side, and `down` leaves nothing behind.
"""

_UP = """\
Start a cluster and return when every node is idle. The exit status tells; after a failure the
logs stay in DIR until `down`. DIR must be new or empty.

Without --stock: PriorityType=priority/maui, and our select/cons_tres before Slurm's. The maui.cfg
is FILE itself and no copy, so edit it and run `scontrol reconfigure`.
"""

_UP_MORE = """\
--backup: the second slurmctld, called 'backup' here, has the same StateSaveLocation and a host name
and address of its own (0x7f000002, 127.0.0.2), logs to DIR/log/backup.log, and takes over after
SlurmctldTimeout=5 seconds, or at once with `scontrol takeover`. Commands find the one in charge.

A build with sanitizers (slurm-build/developer.ini) needs nothing more: their libraries are
preloaded into slurmctld and the backup. A finding ends the daemon; reports are in
DIR/log/sanitizer.PID. ASAN_OPTIONS and UBSAN_OPTIONS of the caller are appended to the cluster's,
such as detect_leaks=1, which is off. Of the commands only sshare may load the plugin: run it with
the same LD_PRELOAD then, or use another build.

--slurm-conf FILE changes the generated slurm.conf (in DIR/etc/slurm.conf):
  Key=VALUE            replaces the generated value, or adds one; keys are compared without case.
                       PriorityParameters adds to the generated ones, except with --stock
  NodeName=, PartitionName=
                       for a generated name (nodes n1, n2, ...; partition batch): each parameter in
                       the line replaces the generated one or adds to it; a new name adds a node or
                       partition. NodeName may be an expression such as n[1-4]. Any of CPUs,
                       Boards, Sockets, SocketsPerBoard, CoresPerSocket, ThreadsPerCore replaces
                       them all. A new node gets the values of the generated ones, and a slurmd,
                       unless its State is FUTURE or CLOUD. With Default=YES in another partition,
                       batch is not default.
  SlurmctldHost=, NodeSet=, FrontendName=
                       the same name replaces the line, a new one adds it
  DownNodes=           always adds
  Include FILE         is copied as it stands
"""


class _Ended(BaseException):
    """SIGTERM or SIGHUP arrived: unwind, so that a half-started cluster is cleaned up."""


def _end(number: int, _frame: FrameType | None) -> None:
    raise _Ended(number)


def _positive(text: str) -> int:
    value = int(text) if text.isdecimal() else 0
    if not 0 < value <= 1_000_000:
        raise argparse.ArgumentTypeError(f"'{text}' is no positive number")
    return value


def _nodes(text: str) -> int:
    value = _positive(text)
    if value > 1000:
        raise argparse.ArgumentTypeError("more than 1000 nodes are not supported")
    return value


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="testsuite/cluster",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def add(
        name: str, summary: str, description: str = "", more: str = ""
    ) -> argparse.ArgumentParser:
        command = commands.add_parser(
            name,
            help=summary,
            description=description or summary,
            epilog=more,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        command.add_argument("--dir", required=True, metavar="DIR", help="the cluster's directory")
        return command

    def add_timeout(command: argparse.ArgumentParser) -> None:
        command.add_argument(
            "--timeout",
            type=_positive,
            default=120,
            metavar="SECONDS",
            help="for each thing that is waited for (default: %(default)s)",
        )

    up = add("up", "start a cluster", _UP, _UP_MORE)
    up.add_argument("--nodes", type=_nodes, default=2, metavar="N", help="default: %(default)s")
    up.add_argument(
        "--cpus", type=_positive, default=4, metavar="C", help="of each node; default: %(default)s"
    )
    up.add_argument(
        "--memory",
        type=_positive,
        default=4000,
        metavar="MB",
        help="of each node; default: %(default)s",
    )
    up.add_argument(
        "--maui-cfg", metavar="FILE", help="default: a minimal one; not used with --stock"
    )
    up.add_argument("--slurm-conf", metavar="FILE", help="lines that replace or add, see below")
    up.add_argument("--gres-conf", metavar="FILE", help="gres.conf, for GRES that need one")
    up.add_argument(
        "--with-slurmdbd",
        action="store_true",
        help="with accounting: slurmdbd and a MariaDB server",
    )
    up.add_argument(
        "--release",
        metavar="PREFIX",
        help="a Slurm that is installed below PREFIX; without --stock the build has to be for it "
        "(default: what the build is for; with --stock and no build the distribution's)",
    )
    up.add_argument(
        "--stock",
        action="store_true",
        help="priority/multifactor and no plugin of ours, to compare",
    )
    up.add_argument(
        "--stock-select",
        action="store_true",
        help="our other plugins, but Slurm's own select/cons_tres",
    )
    up.add_argument(
        "--plugin-dir",
        action="append",
        default=[],
        metavar="DIR",
        help="stands before all others in PluginDir; may be repeated",
    )
    up.add_argument(
        "--backup",
        action="store_true",
        help="with a second slurmctld, which takes over when the first does not answer",
    )
    up.add_argument(
        "--clock",
        metavar="TIME",
        help="with a clock of its own, for daemons, commands and jobs; see `clock`",
    )
    up.add_argument(
        "--stepped",
        action="store_true",
        help="with --clock: waits are by this clock, too, so that it can be stopped and stepped from one "
        "wait's end to the next (testsuite/bench/bench-trace-jobs)",
    )
    up.add_argument(
        "--time-zone", default="", metavar="ZONE", help="such as Europe/Berlin; default: the caller's"
    )
    add_timeout(up)

    execute = add(
        "exec",
        "run a command in a cluster",
        "Run CMD with SLURM_CONF and PATH for the cluster, in DIR/work (open to all users).\n"
        "The exit status is CMD's; 127 if there is no such command, 126 if it cannot be run.",
    )
    execute.add_argument(
        "--as", dest="user", metavar="USER", help="name or uid; default: the caller"
    )
    execute.add_argument("cmd", nargs="+", metavar="CMD", help="after --")

    clock = add(
        "clock",
        "set the clock of a cluster, and print what it shows",
        "Set the clock of a cluster that was started with --clock, for all its processes at once, and\n"
        "print what it shows. It goes at the speed of the real one. Waits that are under way last as\n"
        "long as they would have.",
    )
    clock.add_argument(
        "time",
        nargs="?",
        metavar="TIME",
        help="YYYY-MM-DDTHH:MM:SS in its time zone, @EPOCH, or SECONDS from what it shows: +3600 "
        "or, after --, -3600; default: as it is",
    )

    def add_daemon(command: argparse.ArgumentParser) -> None:
        command.add_argument(
            "daemon",
            nargs="?",
            default="slurmctld",
            help="slurmctld, slurmdbd, mariadbd, backup (the slurmctld of `up --backup`), or slurmd.NODE; "
            "default: %(default)s",
        )

    def add_kill(command: argparse.ArgumentParser) -> None:
        command.add_argument(
            "--kill", action="store_true", help="with SIGKILL instead of SIGTERM"
        )

    restart = add(
        "restart",
        "end one of these daemons, start it again, and return when it answers",
    )
    add_daemon(restart)
    add_kill(restart)
    add_timeout(restart)

    stop = add("stop", "end one of these daemons, and return when it has ended")
    add_daemon(stop)
    add_kill(stop)

    start = add(
        "start",
        "start one of these daemons again",
        "Start a daemon that was stopped or ended by itself, and return when it answers. The\n"
        "first slurmctld takes control back from a backup that is in charge.",
    )
    add_daemon(start)
    start.add_argument(
        "--booted", action="store_true", help="a slurmd tells slurmctld that its node has booted"
    )
    add_timeout(start)

    upgrade = add(
        "upgrade",
        "go on with another release of Slurm, in place",
        "End all daemons of Slurm, and start those of another release on what these have left. Jobs\n"
        "go on running. slurm.conf stays, but for PluginDir and the name of our select plugin.\n"
        "Returns when slurmctld answers and all nodes have registered.",
    )
    upgrade.add_argument(
        "--release",
        required=True,
        metavar="PREFIX",
        help="the Slurm that is installed below PREFIX; without --stock the build has to be for it",
    )
    upgrade.add_argument(
        "--stock", action="store_true", help="and no plugin of ours, as after `up --stock`"
    )
    add_timeout(upgrade)

    add(
        "down",
        "end a cluster and remove its directory",
        "End exactly the processes that the cluster started, its jobs included, and remove DIR.\n"
        "Works after a failed `up` and after daemons were killed; no cluster in DIR is no error.",
    )
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    surroundings.adopt(surroundings.CLUSTER)
    try:
        if options.command == "exec":
            return execution.become(options.dir, options.user, options.cmd)
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, _end)
        if options.command == "up":
            lifecycle.up(
                lifecycle.UpOptions(
                    directory=options.dir,
                    release=options.release,
                    nodes=options.nodes,
                    cpus=options.cpus,
                    memory=options.memory,
                    maui_cfg=options.maui_cfg,
                    slurm_conf=options.slurm_conf,
                    gres_conf=options.gres_conf,
                    with_slurmdbd=options.with_slurmdbd,
                    backup=options.backup,
                    stock=options.stock,
                    stock_select=options.stock_select,
                    plugin_dirs=options.plugin_dir,
                    clock=options.clock,
                    stepped=options.stepped,
                    time_zone=options.time_zone,
                    timeout=options.timeout,
                )
            )
        elif options.command == "clock":
            lifecycle.set_clock(options.dir, options.time)
        elif options.command == "restart":
            lifecycle.restart(options.dir, options.daemon, options.kill, options.timeout)
        elif options.command == "stop":
            lifecycle.stop(options.dir, options.daemon, options.kill)
        elif options.command == "start":
            lifecycle.start(options.dir, options.daemon, options.timeout, options.booted)
        elif options.command == "upgrade":
            lifecycle.upgrade(options.dir, options.release, options.stock, options.timeout)
        else:
            lifecycle.down(options.dir)
    except Problem as problem:
        print(f"cluster: {options.command}: {problem}", file=sys.stderr)
        return 1
    except OSError as error:  # a full disk, a missing permission: the text names the file
        print(f"cluster: {options.command}: {error}", file=sys.stderr)
        return 1
    except _Ended as ended:
        return 128 + int(ended.args[0])
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    return 0
