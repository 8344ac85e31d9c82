# SPDX-License-Identifier: GPL-2.0-or-later
"""A user listens on the service's port while slurmctld is down, and sends later what he has received."""

from __future__ import annotations

import contextlib
import json
import os
import pwd
import re
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from collections.abc import Iterator
from pathlib import Path

from harness import USERS, Cluster

TIMEOUT = 20.0

# Prints each line that it receives, and answers nonsense.
LISTENER = """
import os, socket, sys
os.setgroups([])
os.setgid(int(sys.argv[2]))
os.setuid(int(sys.argv[3]))
listener = socket.socket()
listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
listener.bind(("127.0.0.1", int(sys.argv[1])))
listener.listen()
print("listens", flush=True)
while True:
    peer, _ = listener.accept()
    print(peer.makefile().readline().strip(), flush=True)
    peer.sendall(b'{"schema": "maui.answer/1", "status": "ok", "data": {}}\\n')
    peer.close()
"""


class ServiceCaptureTest(unittest.TestCase):
    cluster: Cluster

    @classmethod
    def setUpClass(cls) -> None:
        cls.cluster = cls.enterClassContext(Cluster(nodes=1, maui_cfg="RMPOLLINTERVAL 2\n"))
        cls.port = cls.cluster.maui_port
        cls.munge = str(cls.cluster.dir / "run" / "munge.sock")

    @contextlib.contextmanager
    def attacker(self) -> Iterator[subprocess.Popen[str]]:
        """Somebody who has nothing to say, on the port where the engine would listen."""
        user = pwd.getpwnam(USERS[0])
        words = [sys.executable, "-c", LISTENER, str(self.port), str(user.pw_gid), str(user.pw_uid)]
        with subprocess.Popen(words, text=True, stdout=subprocess.PIPE) as process:
            try:
                assert process.stdout is not None
                self.assertEqual(process.stdout.readline(), "listens\n")
                yield process
            finally:
                process.kill()

    def captured(self, *commands: list[str]) -> list[str]:
        """What the attacker receives of these commands while slurmctld is down. The engine listens again afterwards."""
        lines = []
        place = ["--host=127.0.0.1", f"--port={self.port}", f"--munge-socket={self.munge}"]
        self.cluster.stop()
        with self.attacker() as attacker:
            for command in commands:
                done = self.cluster.run(["maui", *command, *place], check=False)
                self.assertEqual(done.returncode, 4, done.stderr)
                assert attacker.stdout is not None
                lines.append(attacker.stdout.readline())
                self.assertTrue(lines[-1].startswith("MUNGE:"), lines)
        made = time.time()
        # munge counts whole seconds: what is younger may have been made after the start.
        self.cluster.wait_for(lambda: time.time() > made + 3, "the requests to be older than the listener")
        self.cluster.start()
        self.cluster.wait_for(self.listens, "the engine to listen")
        return lines

    def listens(self) -> bool:
        with socket.socket() as peer:
            return peer.connect_ex(("127.0.0.1", self.port)) == 0

    def send(self, line: str) -> dict:
        with socket.create_connection(("127.0.0.1", self.port), timeout=TIMEOUT) as peer:
            peer.sendall(line.encode())
            answer = peer.makefile().readline()
        return json.loads(answer)

    def credential(self, command: str, *options: str, **more: object) -> str:
        """A request of root's own making."""
        body = json.dumps({"schema": "maui.request/1", "command": command, "nonce": "17", **more})
        return self.cluster.run(["munge", "-S", self.munge, *options], stdin=body).stdout

    def refused(self, answer: dict) -> str:
        self.assertEqual(answer["status"], "error", answer)
        self.assertNotIn("data", answer)
        return answer["error"]

    def challenge(self) -> str:
        return self.send(self.credential("challenge"))["data"]["challenge"]

    def is_disabled(self) -> bool:
        return self.cluster.maui("status", "--json")["disabled"]

    def test_a_captured_request_is_refused(self) -> None:
        for line in self.captured(["disable"], ["diagnose", "-p"]):
            self.assertIn("before the engine began to listen", self.refused(self.send(line)))
        self.assertFalse(self.is_disabled())

    def test_a_change_needs_a_challenge_that_has_not_been_used(self) -> None:
        challenge = self.challenge()
        self.assertIn("repeats no challenge", self.refused(self.send(self.credential("disable"))))
        self.assertEqual(self.send(self.credential("enable", challenge=challenge))["status"], "ok")
        self.assertIn("has been used", self.refused(self.send(self.credential("disable", challenge=challenge))))
        self.assertFalse(self.is_disabled())

    def test_an_old_request_is_refused_whatever_lifetime_it_has(self) -> None:
        line = self.credential("status", "--ttl=3600")
        made = time.time()
        # Nobody may look at it meanwhile: munged would call it replayed.
        self.cluster.wait_for(lambda: time.time() > made + 32, "the request to be old", 60)
        self.assertIn("more than 30 seconds ago", self.refused(self.send(line)))

    def set_parameters(self, extra: str) -> None:
        path = self.cluster.dir / "etc" / "slurm.conf"
        text = re.sub(r"(?m)^(PriorityParameters=)(?:maui_socket=[^,]*,)?", rf"\g<1>{extra}", path.read_text(encoding="utf-8"))
        path.write_text(text, encoding="utf-8")

    def test_nobody_else_can_listen_where_the_socket_is(self) -> None:
        with tempfile.TemporaryDirectory(prefix="maui-socket.") as name:
            path = Path(name) / "maui.sock"
            os.chmod(name, 0o755)
            self.set_parameters(f"maui_socket={path},")
            self.addCleanup(self.cluster.restart)
            self.addCleanup(self.set_parameters, "")
            self.cluster.reconfigure()
            self.cluster.wait_for(path.exists, "the socket")
            self.assertFalse(self.listens())
            service = self.cluster.maui("status", "--json", user=USERS[0])["service"]
            self.assertEqual(service, {"address": "", "port": 0, "socket": str(path)})
            self.assertEqual(self.cluster.run(["maui", "enable"]).returncode, 0)
            # A killed slurmctld leaves its socket, and the next one listens all the same.
            self.cluster.stop(kill=True)
            done = self.cluster.run(["maui", "status", f"--host={path}", f"--munge-socket={self.munge}"], check=False)
            self.assertEqual(done.returncode, 3, done.stderr)
            self.cluster.start()
            self.cluster.wait_for(lambda: self.cluster.run(["maui", "status"], check=False).returncode == 0, "an answer")
            # A directory that others can write is good for neither of the two.
            os.chmod(name, 0o777)
            done = self.cluster.run(["maui", "status"], check=False)
            self.assertEqual((done.returncode, "can be written by group or others" in done.stderr), (4, True), done.stderr)
            position = self.cluster.log_position()
            self.cluster.restart()
            said = f"cannot listen on {path}: {name} can be written by group or others"
            self.cluster.wait_for(lambda: self.cluster.log_contains(said, position), "the error")
