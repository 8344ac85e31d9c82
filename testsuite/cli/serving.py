# SPDX-License-Identifier: GPL-2.0-or-later
"""`maui serve` beside an engine that is none, for tests that ask it."""

import contextlib
import http.client
import json
import os
import pathlib
import re
import socket
import subprocess
import urllib.parse
import xml.etree.ElementTree as xml

import cli_harness as harness
import fake_service as fake
import page_data as pd

WAIT = 30  # seconds after which something has failed


class Server:
    """maui serve with an engine that answers, or what `answer` makes of it."""

    def __init__(self, munge, maui, *arguments, queue=None, answer=None):
        self.munge = munge
        self.maui = maui
        self.arguments = arguments
        self.service = fake.FakeService(self.munge, answer or pd.answer(pd.engine()))
        self.queue = queue or pd.queue()

    def __enter__(self):
        self.service.__enter__()
        path = pathlib.Path(self.munge.directory, "serve.json")
        path.write_text(json.dumps(self.queue), encoding="utf-8")
        environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC", "SLURM_CONF": "/nonexistent/slurm.conf"}
        environment |= {name: value for name, value in os.environ.items() if name.endswith("SAN_OPTIONS")}
        self.process = subprocess.Popen(
            [self.maui.program, "serve", f"--port={self.service.port}", f"--queue-file={path}", "--host=127.0.0.1",
             f"--munge-socket={self.munge.socket}", f"--slurm-user={os.getuid()}", *self.arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
        self.address = self.process.stdout.readline().decode().strip()
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)(/([0-9a-f]{32})/)", self.address)
        if not found:
            raise harness.Failure(f"{self.address!r} is no address: {self.process.stderr.read().decode()}")
        self.port, self.path, self.token = int(found[1]), found[2], found[3]
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()
        self.service.__exit__()

    def ask(self, path=None, method="GET", body=None, **headers):
        """(status, headers, body)"""
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=WAIT)) as connection:
            connection.request(method, self.path if path is None else path, body=body,
                               headers={name.replace("_", "-"): value for name, value in headers.items()})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()

    def tree(self, **query):
        status, _, body = self.ask(self.path + ("?" + urllib.parse.urlencode(query) if query else ""))
        harness.equal(status, 200, "the status")
        return xml.fromstring(body.decode().removeprefix("<!DOCTYPE html>\n"))

    def send(self, data):
        """As bytes, until the server closes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=WAIT) as connection:
            connection.sendall(data)
            answer = b""
            while part := connection.recv(65536):
                answer += part
            return answer

    def wait(self):
        self.process.wait(timeout=WAIT)
        return self.process.returncode, self.process.stderr.read().decode()
