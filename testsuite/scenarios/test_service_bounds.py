# SPDX-License-Identifier: GPL-2.0-or-later
"""What one user does to the engine's service is felt by him alone, and a slow answer delays its like alone."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import re
import resource
import signal
import socket
import time
import unittest
from collections.abc import Iterator
from pathlib import Path

from harness import USERS, Cluster

TIMEOUT = 20.0
PARTITIONS = [f"p{number}" for number in range(100)]

PTRACE_SEIZE, PTRACE_INTERRUPT, PTRACE_DETACH = 0x4206, 0x4207, 17
WALL = 0x40000000  # of waitpid(): threads, too


class ServiceBoundsTest(unittest.TestCase):
    cluster: Cluster

    @classmethod
    def setUpClass(cls) -> None:
        lines = [f"PartitionName={name} Nodes=ALL State=UP\n" for name in PARTITIONS]
        cls.cluster = cls.enterClassContext(
            Cluster(nodes=1, maui_cfg="RMPOLLINTERVAL 2\n", slurm_conf="".join(lines))
        )
        cls.port = cls.cluster.maui_port
        cls.munge = str(cls.cluster.dir / "run" / "munge.sock")

    def lines(self, count: int, command: str, user: str | None = None, **more: str) -> list[bytes]:
        body = json.dumps({"schema": "maui.request/1", "command": command, "nonce": "17"} | more)
        made = f"for i in $(seq {count}); do munge -S {self.munge} -s '{body}'; done"
        return [text.encode() + b"\n" for text in self.cluster.run(made, user=user).stdout.split()]

    def line(self, command: str, user: str | None = None, **more: str) -> bytes:
        return self.lines(1, command, user, **more)[0]

    def connect(self, buffer: int | None = None) -> socket.socket:
        peer = socket.socket()
        if buffer:
            peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        peer.settimeout(TIMEOUT)
        peer.connect(("127.0.0.1", self.port))
        return peer

    def answer(self, peer: socket.socket) -> dict:
        answer = b""
        while chunk := peer.recv(65536):
            answer += chunk
        return json.loads(answer) if answer else {}

    def ask(self, line: bytes) -> dict:
        with self.connect() as peer:
            peer.sendall(line)
            return self.answer(peer)

    def thread(self, name: str) -> Path:
        """A thread of slurmctld, by its name."""
        for task in Path(f"/proc/{self.cluster.pid()}/task").iterdir():
            if (task / "comm").read_text() == f"{name}\n":
                return task
        raise AssertionError(f"slurmctld has no thread {name}")

    def test_one_who_does_not_read_keeps_nobody_out(self) -> None:
        # Each answer has some megabytes, so that it cannot hide in the sockets' buffers.
        names = ",".join(PARTITIONS)
        for _ in range(40):
            self.cluster.sbatch("--hold", "-n1", "-t10", f"--partition={names}")
        self.addCleanup(self.cluster.cancel_all)
        lines = self.lines(70, "diagnose-priority", USERS[0])
        others = [self.line("diagnose-priority", USERS[1]), self.line("diagnose-priority")]
        with contextlib.ExitStack() as stack:
            begun, lazy = [], []
            for line in lines:
                lazy.append(stack.enter_context(self.connect(4096)))
                lazy[-1].sendall(line)
            for peer in lazy:
                begun.append(peer.recv(1000))
            refused = [json.loads(text) for text in begun if b"you have 16 requests under way" in text]
            self.assertEqual(len(refused), len(lines) - 16, [text[:100] for text in begun])
            for one in refused:
                self.assertIn("proof", one)
            for line in others:
                answer = self.ask(line)
                self.assertEqual(answer.get("status"), "ok", str(answer)[:300])
                self.assertEqual(len(answer["data"]["jobs"]), 40 * len(PARTITIONS))

    @contextlib.contextmanager
    def stopped(self, task: Path) -> Iterator[None]:
        """This thread alone does not run."""
        libc = ctypes.CDLL(None, use_errno=True)
        libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
        tid = int(task.name)
        self.cluster.wait_for(lambda: "State:\tS" in (task / "status").read_text(), "the thread to wait for something")
        self.assertEqual(libc.ptrace(PTRACE_SEIZE, tid, None, None), 0, os.strerror(ctypes.get_errno()))
        try:
            self.assertEqual(libc.ptrace(PTRACE_INTERRUPT, tid, None, None), 0)
            os.waitpid(tid, WALL)
            yield
        finally:
            libc.ptrace(PTRACE_DETACH, tid, None, None)

    def test_what_waits_for_the_engine_delays_nothing_else(self) -> None:
        challenge = self.ask(self.line("challenge"))["data"]["challenge"]
        change = self.line("enable", challenge=challenge)
        status = self.lines(10, "status")
        with self.stopped(self.thread("maui")), self.connect() as peer:
            peer.sendall(change)
            for line in status:
                self.assertEqual(self.ask(line)["status"], "ok")
            # It still waits: all these came first.
            peer.setblocking(False)
            with self.assertRaises(BlockingIOError):
                peer.recv(1)
            peer.settimeout(TIMEOUT)
            self.assertIn("the engine is busy: nothing was done", self.answer(peer)["error"])

    def test_time_in_which_slurmctld_did_not_run_is_not_the_peers(self) -> None:
        line = self.line("status")
        with self.connect() as peer:
            peer.sendall(line[:20])
            # It accepts one after the other: when this is answered, it has that one.
            self.assertEqual(self.ask(self.line("status"))["status"], "ok")
            os.kill(self.cluster.pid(), signal.SIGSTOP)
            stopped = time.monotonic()
            try:
                self.cluster.wait_for(lambda: time.monotonic() > stopped + 7, "the deadline to pass")
            finally:
                os.kill(self.cluster.pid(), signal.SIGCONT)
            # It answers others again, so it has looked.
            self.assertEqual(self.ask(self.line("status"))["status"], "ok")
            peer.sendall(line[20:])
            self.assertEqual(self.answer(peer)["status"], "ok")

    def ticks(self, task: Path) -> int:
        fields = (task / "stat").read_text().rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])

    def test_without_descriptors_it_waits_and_says_so_once(self) -> None:
        pid, position = self.cluster.pid(), self.cluster.log_position()
        line = self.line("status")
        task = self.thread("maui-service")
        before = resource.prlimit(pid, resource.RLIMIT_NOFILE)
        # The least that is free is beyond the limit.
        taken = {int(name) for name in os.listdir(f"/proc/{pid}/fd")}
        most = next(number for number in range(len(taken) + 1) if number not in taken)
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (most, before[1]))
        try:
            with self.connect() as peer:
                peer.sendall(line)
                self.cluster.wait_for(
                    lambda: self.cluster.log_contains("the service accepts no connections for now", position), "the error"
                )
                begun, used = time.monotonic(), self.ticks(task)
                self.cluster.wait_for(lambda: time.monotonic() > begun + 4, "some attempts")
                share = (self.ticks(task) - used) / os.sysconf("SC_CLK_TCK") / (time.monotonic() - begun)
                self.assertLess(share, 0.2)
                resource.prlimit(pid, resource.RLIMIT_NOFILE, before)
                self.assertEqual(self.answer(peer)["status"], "ok")
        finally:
            resource.prlimit(pid, resource.RLIMIT_NOFILE, before)
        said = re.findall("the service accepts no connections for now", self.cluster.log_text(position))
        self.assertEqual(len(said), 1)
