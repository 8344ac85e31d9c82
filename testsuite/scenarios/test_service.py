# SPDX-License-Identifier: GPL-2.0-or-later
"""The engine's service against peers who mean no good: it refuses, it goes on, and so does slurmctld."""

from __future__ import annotations

import json
import os
import re
import socket
import time
import unittest
from pathlib import Path

from harness import USERS, Cluster

# SERVERHOST as an old file has it: the host of the scheduler that was.
POLICY = "RMPOLLINTERVAL 2\nSERVERHOST nowhere.invalid\nADMIN1 bin\n"
TIMEOUT = 20.0
PARTITIONS = [f"p{number}" for number in range(100)]


class ServiceTest(unittest.TestCase):
    cluster: Cluster

    @classmethod
    def setUpClass(cls) -> None:
        lines = [f"PartitionName={name} Nodes=ALL State=UP\n" for name in PARTITIONS]
        cls.cluster = cls.enterClassContext(
            Cluster(nodes=1, maui_cfg=POLICY, slurm_conf="".join(lines))
        )
        match = re.search(r"maui_port=(\d+)", cls.cluster.config()["PriorityParameters"])
        assert match is not None
        cls.port = int(match[1])

    def tearDown(self) -> None:
        # Whatever a test did: an honest client is served, and slurmctld schedules.
        self.assertEqual(self.cluster.maui("status", "--json")["mode"], "primary")
        job = self.cluster.sbatch("-n1", "-t1", wrap="true", user=USERS[0])
        self.cluster.wait_for_state(job, "COMPLETED")

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=TIMEOUT)

    def credential(self, payload: str, *options: str) -> str:
        """A credential that the private cluster's munged makes for root."""
        done = self.cluster.run(
            ["munge", "-S", str(self.cluster.dir / "run" / "munge.sock"), *options], stdin=payload
        )
        return done.stdout.strip()

    def request(self, line: bytes) -> dict:
        """Send bytes, and read the answer to its end; {} if the service just hangs up."""
        with self.connect() as peer:
            peer.sendall(line)
            answer = b""
            while chunk := peer.recv(65536):
                answer += chunk
        return json.loads(answer) if answer else {}

    def ask(self, command: str = "status", **more: object) -> dict:
        body = {"schema": "maui.request/1", "command": command, "nonce": "0123", **more}
        return self.request(self.credential(json.dumps(body)).encode() + b"\n")

    def assert_refused(self, answer: dict, text: str) -> None:
        self.assertEqual(answer["schema"], "maui.answer/1")
        self.assertEqual(answer["status"], "error")
        self.assertIn(text, answer["error"])
        self.assertNotIn("data", answer)

    def test_a_good_request_is_answered_with_a_proof_that_only_the_asker_reads(self) -> None:
        answer = self.ask()
        self.assertEqual(answer["status"], "ok")
        unmunge = ["unmunge", "-S", str(self.cluster.dir / "run" / "munge.sock")]
        self.assertIn("0123", self.cluster.run(unmunge, stdin=answer["proof"]).stdout)
        other = self.cluster.run(unmunge, stdin=self.ask()["proof"], user=USERS[0], check=False)
        self.assertNotEqual(other.returncode, 0)

    def test_junk_is_refused(self) -> None:
        for junk in (b"\n", b"GET / HTTP/1.1\r\n\r\n", b"\0" * 1000 + b"\n", b"{}\n",
                     os.urandom(5000).replace(b"\n", b"") + b"\n", b"MUNGE:junk:\n"):
            with self.subTest(junk[:20]):
                self.assertEqual(self.request(junk)["status"], "error")

    def test_a_request_without_end_is_cut_off(self) -> None:
        self.assert_refused(self.request(b"x" * 65536), "64 KiB")

    def test_half_a_request_gets_nothing(self) -> None:
        with self.connect() as peer:
            peer.sendall(self.credential("{}")[:40].encode())
            peer.shutdown(socket.SHUT_WR)
            self.assertEqual(peer.recv(100), b"")

    def test_a_client_that_says_nothing_is_hung_up_on(self) -> None:
        with self.connect() as peer:
            self.assertEqual(peer.recv(100), b"")

    def test_a_forged_credential_is_refused(self) -> None:
        good = self.credential('{"schema": "maui.request/1", "command": "status"}')
        middle = len(good) // 2
        forged = good[:middle] + ("A" if good[middle] != "A" else "B") + good[middle + 1:]
        self.assertEqual(self.request(forged.encode() + b"\n")["status"], "error")

    def test_a_replayed_credential_is_refused(self) -> None:
        line = self.credential('{"schema": "maui.request/1", "command": "status"}').encode() + b"\n"
        self.assertEqual(self.request(line)["status"], "ok")
        self.assert_refused(self.request(line), "Replayed")

    def test_an_expired_credential_is_refused(self) -> None:
        line = self.credential('{"schema": "maui.request/1", "command": "status"}', "--ttl=1")
        made = time.time()
        # Nobody may look at it meanwhile: munged would call it replayed.
        self.cluster.wait_for(lambda: time.time() > made + 2, "the credential to expire")
        self.assert_refused(self.request(line.encode() + b"\n"), "Expired")

    def test_requests_that_make_no_sense_are_refused_with_the_reason(self) -> None:
        def signed(body: str) -> dict:
            return self.request(self.credential(body).encode() + b"\n")

        self.assert_refused(signed(""), "not a JSON object")
        self.assert_refused(signed("[1, 2]"), "not a JSON object")
        self.assert_refused(signed("[" * 10000), "not a JSON object")
        self.assert_refused(signed('{"schema": "maui.request/2", "command": "status"}'), "schema")
        self.assert_refused(signed('{"schema": "maui.request/1", "command": 7}'), "no command")
        self.assert_refused(self.ask("rm -rf"), "unknown command")
        self.assert_refused(self.ask("diagnose-priority", arguments=[]), "not a JSON object")
        self.assert_refused(self.ask("diagnose-priority", arguments={"jobs": 7}), "not an array")
        self.assert_refused(self.ask("diagnose-priority", arguments={"jobs": ["x"]}), "not a job ID")
        self.assert_refused(self.ask("diagnose-priority", arguments={"user": "nosuchuser"}),
                            "no such user")
        self.assert_refused(self.ask("diagnose-priority", arguments={"partition": 5}),
                            "no such partition")
        self.assertEqual(
            self.ask("diagnose-priority", arguments={"partition": "batch"})["status"], "ok"
        )

    def test_showconfig_is_for_administrators_and_with_admin3_all_for_everybody(self) -> None:
        refused = self.cluster.run(["maui", "showconfig"], user=USERS[0], check=False)
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("ADMIN1", refused.stderr)
        self.assertIn("RMPOLLINTERVAL", self.cluster.run(["maui", "showconfig"], user="bin").stdout)
        self.cluster.write_maui_cfg(f"{POLICY}ADMIN3 ALL\n")
        self.cluster.run(["maui", "schedctl", "-R"])
        shown = self.cluster.run(["maui", "showconfig"], user=USERS[0]).stdout
        self.assertIn("RMPOLLINTERVAL", shown)
        # To look at the policy, and nothing else.
        for command in (["whatif", str(self.cluster.maui_cfg)], ["disable"]):
            done = self.cluster.run(["maui", *command], user=USERS[0], check=False)
            self.assertEqual(done.returncode, 5, done.stderr)
        self.cluster.write_maui_cfg(POLICY)
        self.cluster.run(["maui", "schedctl", "-R"])
        refused = self.cluster.run(["maui", "showconfig"], user=USERS[0], check=False)
        self.assertEqual(refused.returncode, 5)

    def test_private_data_holds_with_admin3_all(self) -> None:
        self.set_slurm_conf("PluginDir", "PrivateData=jobs\nPluginDir")
        self.cluster.write_maui_cfg(f"{POLICY}ADMIN3 ALL\n")
        self.cluster.run(["maui", "schedctl", "-R"])
        job = self.cluster.sbatch("--hold", "-n1", "-t10", user=USERS[1])
        command = ["diagnose", "-p", "--json"]
        seen = [row["job"] for row in self.cluster.maui(*command)["jobs"]]
        self.assertIn(job, seen)
        seen = [row["job"] for row in self.cluster.maui(*command, user=USERS[0])["jobs"]]
        self.assertEqual(seen, [])
        self.cluster.run(["scancel", str(job)])
        self.set_slurm_conf("PrivateData=jobs\nPluginDir", "PluginDir")
        self.cluster.write_maui_cfg(POLICY)
        self.cluster.run(["maui", "schedctl", "-R"])

    def set_slurm_conf(self, before: str, after: str) -> None:
        path = self.cluster.dir / "etc" / "slurm.conf"
        text = path.read_text(encoding="utf-8")
        self.assertIn(before, text)
        path.write_text(text.replace(before, after, 1), encoding="utf-8")

    def listening(self) -> list[str]:
        """The addresses on which somebody listens at the engine's port."""
        rows = [
            line.split()
            for name in ("tcp", "tcp6")
            for line in Path("/proc/net", name).read_text(encoding="ascii").splitlines()[1:]
        ]
        return [row[1] for row in rows if row[3] == "0A" and row[1].endswith(f":{self.port:04X}")]

    def test_it_listens_on_the_loopback_or_where_slurm_conf_says(self) -> None:
        self.assertEqual(self.listening(), [f"0100007F:{self.port:04X}"])
        service = self.cluster.maui("status", "--json")["service"]
        self.assertEqual(service, {"address": "127.0.0.1", "port": self.port, "socket": None})
        self.set_slurm_conf("maui_port=", "maui_address=127.0.0.2,maui_port=")
        self.cluster.reconfigure()
        self.cluster.wait_for(
            lambda: self.listening() == [f"0200007F:{self.port:04X}"], "the other address"
        )
        service = self.cluster.maui("status", "--json")["service"]
        self.assertEqual(service["address"], "127.0.0.2")
        # An address of nobody's: the log says so, and the commands that ask say where to look.
        self.set_slurm_conf("maui_address=127.0.0.2", "maui_address=192.0.2.1")
        position = self.cluster.log_position()
        self.cluster.reconfigure()
        self.cluster.wait_for(
            lambda: self.cluster.log_contains("cannot listen on 192.0.2.1", position), "the error"
        )
        done = self.cluster.run(["maui", "status", "--timeout=2"], check=False)
        self.assertEqual(done.returncode, 3)
        self.assertIn("192.0.2.1", done.stderr)
        rows = json.loads(self.cluster.run(["maui", "doctor", "--json"], check=False).stdout)["checks"]
        texts = [row["text"] for row in rows if row["check"] == "PriorityParameters"]
        self.assertEqual(texts, ["maui_address=192.0.2.1 is not an address of this host: the engine cannot listen there"])
        self.set_slurm_conf("maui_address=192.0.2.1,", "")
        self.cluster.reconfigure()
        self.cluster.wait_for(
            lambda: self.listening() == [f"0100007F:{self.port:04X}"], "the loopback again"
        )

    def test_a_thousand_silent_connections_keep_nobody_out(self) -> None:
        peers = []
        try:
            for _ in range(1000):
                peers.append(self.connect())
            self.assertEqual(self.ask()["status"], "ok")
        finally:
            for peer in peers:
                peer.close()

    def test_a_client_that_never_reads_keeps_nobody_out_and_is_hung_up_on(self) -> None:
        # An answer of some megabytes, so that it cannot hide in the sockets' buffers.
        names = ",".join(PARTITIONS)
        for _ in range(40):
            self.cluster.sbatch("--hold", "-n1", "-t10", f"--partition={names}")
        body = json.dumps({"schema": "maui.request/1", "command": "diagnose-priority"})
        whole = self.request(self.credential(body).encode() + b"\n")
        self.assertEqual(len(whole["data"]["jobs"]), 40 * len(PARTITIONS))
        before = self.sockets()
        with socket.socket() as lazy:
            lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            lazy.settimeout(TIMEOUT)
            lazy.connect(("127.0.0.1", self.port))
            lazy.sendall(self.credential(body).encode() + b"\n")
            self.cluster.wait_for(lambda: self.sockets() > before, "the connection")
            self.assertEqual(self.ask()["status"], "ok")
            self.cluster.wait_for(lambda: self.sockets() <= before, "the service to hang up", 90)
        self.cluster.cancel_all()

    def sockets(self) -> int:
        """How many sockets slurmctld has open."""
        pid = int((self.cluster.dir / "run" / "slurmctld.pid").read_text())
        links = []
        for entry in os.scandir(f"/proc/{pid}/fd"):
            try:
                links.append(os.readlink(entry.path))
            except OSError:
                continue
        return sum(link.startswith("socket:") for link in links)

    def test_no_file_descriptor_is_left_behind(self) -> None:
        before = self.sockets()
        for _ in range(200):
            self.connect().close()
        self.ask()
        self.cluster.wait_for(lambda: self.sockets() <= before, "the connections to be closed")
