# SPDX-License-Identifier: GPL-2.0-or-later
"""Requests of all kinds, changed at random, over the service's own socket while jobs come and go: slurmctld lives, and answers the
next one that is right. What testsuite/fuzz/fuzz_requests.c cannot reach: credentials, and slurmctld's own records.

    SERVICE_FUZZ_REQUESTS=N   how many (default 1000)
    SERVICE_FUZZ_SEED=N       other choices; 0: any

With plugins built with sanitizers every report fails the test.
"""

from __future__ import annotations

import copy
import json
import os
import random
import socket
import unittest
from collections import Counter
from pathlib import Path
from typing import Any

from harness import USERS, Cluster

REQUESTS = int(os.environ.get("SERVICE_FUZZ_REQUESTS", "1000"))
SEED = int(os.environ.get("SERVICE_FUZZ_SEED", "14")) or random.SystemRandom().randrange(1, 10**6)
CORPUS = Path(__file__).parents[1] / "fuzz" / "corpus" / "requests"
TIMEOUT = 60.0
LOOK = 25  # requests between two looks, with jobs that come and go
CROWD = 40  # jobs

POLICY = """\
RMPOLLINTERVAL 5
ADMIN1 bin
RESCTLPOLICY ANY
FSPOLICY DEDICATEDPS
FSUSERWEIGHT 1
USERCFG[DEFAULT] MAXJOB=3 FSTARGET=20
SRCFG[night] HOSTLIST=n1 USERLIST=bin PERIOD=DAY STARTTIME=00:00:00 ENDTIME=01:00:00
"""
# What is often at an edge, or somebody's name.
VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 4, 2**31, 2**32 - 2, 2**32, 2**63 - 1, -(2**63), 0.5, -1e308, "", "0", "1", "n1",
    "n[1-2]", "^n.*$", "(", "batch", "night", "night.0", "SYSTEM.0", USERS[0], "root", "ALL", "user", "hard", "ä",
    "x" * 3000, "a\x01b\n", "%s%n", [], {}, [None], ["n1", "n1"], [1, 2, 3], {"list": "USERLIST", "value": "bin"},
)


class ServiceFuzzTest(unittest.TestCase):
    cluster: Cluster

    @classmethod
    def setUpClass(cls) -> None:
        cls.cluster = cls.enterClassContext(Cluster(nodes=2, maui_cfg=POLICY))
        cls.munge = str(cls.cluster.dir / "run" / "munge.sock")
        cls.seeds = _seeds()

    def setUp(self) -> None:
        self.dice = random.Random(SEED)
        self.counts: Counter[str] = Counter()

    def test_whatever_is_asked_slurmctld_lives_and_answers_what_is_right(self) -> None:
        pid = self.cluster.pid()
        try:
            for number in range(REQUESTS):
                self.send(self.line())
                if number % LOOK == 0:
                    self.look()
            self.cluster.maui("enable", "--json")
            self.cluster.cancel_all()
            self.look()
        except BaseException as error:
            error.add_note(f"SERVICE_FUZZ_SEED={SEED}")
            for path in self.reports():
                error.add_note(path.read_text(encoding="utf-8", errors="replace"))
            raise
        finally:
            print(f"service_fuzz: SERVICE_FUZZ_SEED={SEED}: {dict(sorted(self.counts.items()))}")
        self.assertEqual(self.cluster.pid(), pid, "slurmctld is another one")
        self.assertEqual(self.reports(), [])

    def reports(self) -> list[Path]:
        return list(self.cluster.dir.glob("log/sanitizer.*"))

    # --- what goes on meanwhile

    def look(self) -> None:
        """A right request is answered; users go on as they do."""
        self.assertEqual(self.cluster.maui("status", "--json")["mode"], "primary")
        jobs = self.cluster.squeue()
        if len(jobs) > CROWD:
            self.cluster.cancel_all()
        self.cluster.sbatch(
            f"-n{self.dice.randint(1, 4)}",
            wrap=self.dice.choice(("true", "sleep 3", "sleep 1000")),
            user=self.dice.choice(USERS),
        )

    # --- requests

    def line(self) -> bytes:
        """What is sent: mostly a right credential of a request that may be anything."""
        user = self.dice.choice((None, None, "bin", *USERS))
        credential = self.credential(self.payload(user), user)
        kind = self.dice.randrange(20)
        if kind == 0:
            return self.damaged(credential) + b"\n"
        if kind == 1:
            return credential[: self.dice.randrange(len(credential) + 1)]
        return credential + b"\n"

    def credential(self, text: str, user: str | None) -> bytes:
        done = self.cluster.run(["munge", "-S", self.munge, "-s", text], user=user, check=False)
        return done.stdout.strip().encode()

    def payload(self, user: str | None) -> str:
        request = copy.deepcopy(self.dice.choice(self.seeds))
        if self.dice.randrange(4) and isinstance(request, dict):
            request["challenge"] = self.challenge(user)
        for _ in range(self.dice.randrange(4)):
            self.change(request)
        text = json.dumps(request)
        if self.dice.randrange(8) == 0:
            text = self.damaged(text.encode()).decode("utf-8", "replace").replace("\0", "0")
        return text

    def damaged(self, text: bytes) -> bytes:
        changed = bytearray(text)
        for _ in range(self.dice.randrange(1, 5)):
            if changed:
                changed[self.dice.randrange(len(changed))] = self.dice.randrange(256)
        return bytes(changed)

    def change(self, request: Any) -> None:
        """A member or an item anywhere in it: another value, gone, or one more."""
        places = list(_places(request))
        holder, key = self.dice.choice(places)
        kind = self.dice.randrange(4)
        if kind == 0 and holder is not request:
            del holder[key]
        elif kind == 1 and isinstance(holder, list):
            holder.append(self.dice.choice(VALUES))
        elif kind == 1:
            holder[self.dice.choice(("job", "jobs", "name", "names", "user", "type", "hosts", "text", "last"))] = (
                self.dice.choice(VALUES)
            )
        else:
            holder[key] = copy.deepcopy(self.dice.choice(VALUES))

    def challenge(self, user: str | None) -> str:
        text = json.dumps({"schema": "maui.request/1", "command": "challenge"})
        found = self.send(self.credential(text, user) + b"\n")
        return found["data"]["challenge"] if found else ""

    def send(self, line: bytes) -> dict[str, Any]:
        """The answer is JSON, or the service hangs up: {}."""
        with socket.create_connection(("127.0.0.1", self.cluster.maui_port), timeout=TIMEOUT) as peer:
            answer = b""
            try:
                peer.sendall(line)
                peer.shutdown(socket.SHUT_WR)
                while chunk := peer.recv(65536):
                    answer += chunk
            except (ConnectionResetError, BrokenPipeError):
                pass
        if not answer:
            self.counts["hung up"] += 1
            return {}
        found = json.loads(answer)
        self.assertEqual(found["schema"], "maui.answer/1")
        self.assertIn(found["status"], ("ok", "error"))
        self.counts[found["status"]] += 1
        return found


def _seeds() -> list[Any]:
    """The fuzzer's inputs that are JSON at all. The first byte says to it who asks."""
    found = []
    for path in sorted(CORPUS.iterdir()):
        try:
            request = json.loads(path.read_bytes()[1:].decode("utf-8"))
        except ValueError:
            continue
        if isinstance(request, dict) and request:
            found.append(request)
    assert len(found) > 20, f"{CORPUS} has {len(found)} requests"
    return found


def _places(value: Any) -> Any:
    keys = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from _places(value[key])
