# SPDX-License-Identifier: GPL-2.0-or-later
"""An engine that is none: answers requests on a port as a test wants, rightly or wrongly."""

import contextlib
import json
import os
import socket
import threading
import time


@contextlib.contextmanager
def closed_port():
    """A port on which nobody listens. It stays bound meanwhile: other tests take what is free."""
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        yield closed.getsockname()[1]


class FakeService:
    """answer(service, request) gives the bytes to send; reader is the uid that requests are for, ours if None."""

    def __init__(self, munge, answer, reader=None):
        self.munge = munge
        self.answer = answer
        self.reader = reader
        self.requests = []
        self.challenges = []  # given, and not yet repeated
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.stopping = threading.Event()

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stopping.set()
        socket.create_connection(("127.0.0.1", self.port)).close()
        self.thread.join()
        self.listener.close()

    def _serve(self):
        while not self.stopping.is_set():
            connection, _ = self.listener.accept()
            with connection:
                if not self.stopping.is_set():
                    self._answer(connection)

    def _answer(self, connection):
        line = b""
        while not line.endswith(b"\n"):
            part = connection.recv(65536)
            if not part:
                return
            line += part
        request = json.loads(self.munge.decode(line.decode(), self.reader))
        answer = self._challenge if request["command"] == "challenge" else self.answer
        if answer is self.answer:
            self.requests.append(request)
        try:
            for part in answer(self, request):
                connection.sendall(part)
        except (BrokenPipeError, ConnectionResetError):
            pass  # the client has enough

    @staticmethod
    def _challenge(service, request):
        service.challenges.append(os.urandom(16).hex())
        return service.envelope(request, data={"challenge": service.challenges[-1], "seconds": 10})

    def prove(self, nonce, *options):
        return self.munge.encode(nonce, "-u", str(os.getuid()), *options)

    def envelope(self, request, **members):
        answer = {"schema": "maui.answer/1", "status": "ok", "proof": self.prove(request["nonce"]),
                  "time": 1700003600}
        answer.update(members)
        return [json.dumps(answer).encode() + b"\n"]


def good(data):
    """The answer of a healthy engine."""
    return lambda service, request: service.envelope(request, data=data)


def error(text):
    return lambda service, request: service.envelope(request, status="error", error=text)


def raw(*parts):
    return lambda service, request: list(parts)


def slow(seconds):
    def answer(service, request):
        service.stopping.wait(seconds)
        return service.envelope(request, data={})
    return answer


def drip(seconds):
    """Bytes that keep coming, but never end."""
    def answer(service, _):
        end = time.monotonic() + seconds
        while time.monotonic() < end and not service.stopping.is_set():
            yield b" "
            time.sleep(0.05)
    return answer
