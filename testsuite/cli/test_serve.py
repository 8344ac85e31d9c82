# SPDX-License-Identifier: GPL-2.0-or-later
"""maui serve: whom it answers, what it shows him, how little it asks, and how it ends."""

import contextlib
import ctypes
import http.client
import json
import os
import pathlib
import pwd
import re
import select
import signal
import socket
import threading
import time

import cli_harness as harness
import fake_service as fake
import page_data as pd
import pytest
import whatif_data
from serving import WAIT, Server

_munge = harness.munge


@pytest.fixture(scope="module", autouse=True)
def _libmicrohttpd(maui):
    if b"MHD_start_daemon" not in pathlib.Path(maui.program).read_bytes():
        pytest.skip("this build has no GNU libmicrohttpd")
_libc = ctypes.CDLL(None)
CONNECTIONS = 32
OTHERS = 8  # of these, for other users
NOBODY = pwd.getpwnam("nobody").pw_uid


def _server(maui, *arguments, **members):
    return Server(_munge, maui, *arguments, **members)


def _text(element):
    return " ".join("".join(element.itertext()).split())


def _rows(tree, caption):
    for table in tree.iter("table"):
        if _text(table.find("caption")) == caption:
            return [[_text(cell) for cell in row] for row in table.find("tbody")]
    return []


def _questions_of_a_page(server):
    server.ask()
    return len(server.service.requests)


def _refused(answer, status, what):
    """Nothing of the page gets out, and no token."""
    harness.equal((answer[0], answer[2]), (status, b""), what)


def test_the_page_is_that_of_maui_page_with_its_files_beside_it(maui):
    with _server(maui, "--user=bob") as server:
        status, headers, body = server.ask()
        harness.equal((status, headers["Content-Type"]), (200, "text/html; charset=utf-8"), "the answer")
        page = maui.run("page", "--user=bob", f"--port={server.service.port}", f"--queue-file={_munge.directory}/serve.json",
                        "--host=127.0.0.1", f"--munge-socket={_munge.socket}", f"--slurm-user={os.getuid()}")
        main = re.compile(rb"(?s)<main.*</main>")
        harness.equal(main.search(body)[0], main.search(page.stdout)[0], "what is between <main> and </main>")
        for folder, name, kind in (("html", "page.css", "text/css; charset=utf-8"), ("page", "page.js", "text/javascript; charset=utf-8")):
            status, headers, content = server.ask(server.path + name)
            harness.equal((status, headers["Content-Type"]), (200, kind), name)
            harness.equal(content, (harness.HERE.parents[1] / "contribs/maui" / folder / name).read_bytes(), name)


def test_the_numbers_are_those_of_the_commands_json(maui):
    with _server(maui, "--user=bob") as server:
        done = maui.run("diagnose", "-f", "--json", f"--port={server.service.port}", "--host=127.0.0.1",
                        f"--munge-socket={_munge.socket}", f"--slurm-user={os.getuid()}")
        users = sorted(json.loads(done.stdout)["credentials"]["user"], key=lambda row: -row["usage"])
        found = [row[2] for row in _rows(server.tree(), "Users")]
        harness.equal(found, [f"{row['percent']:.1f} %" for row in users], "shares")


def test_no_script_or_style_stands_in_the_page(maui):
    with _server(maui, "--user=bob") as server:
        _, headers, body = server.ask()
        text = body.decode()
        for pattern in (r"<style", r"\sstyle=", r"<script(?! src=\"page\.js\" defer=\"defer\"></script>)", r"\son[a-z]+=", r"https?:"):
            if found := re.search(pattern, text):
                raise harness.Failure(f"{pattern} is in the page: {found}")
        if "&lt;script&gt;" not in text:
            raise harness.Failure("the job with a tag as its name is not there")
        policy = headers["Content-Security-Policy"]
        if not policy.startswith("default-src 'self';") or "unsafe" in policy:
            raise harness.Failure(policy)
        harness.equal((headers["Referrer-Policy"], headers["Cache-Control"], headers["X-Content-Type-Options"]),
                      ("no-referrer", "no-store", "nosniff"), "headers")


def test_without_the_token_nothing_is_told(maui):
    with _server(maui, "--every=3600") as server:
        one = _questions_of_a_page(server)
        wrong = server.token[:-1] + ("0" if server.token[-1] != "0" else "1")
        for path in ("/", "/favicon.ico", f"/{wrong}/", f"/{wrong}/page.css", f"/{server.token[:-1]}/", f"/{server.token.upper()}x/", "/" + "0" * 5000,
                     f"//{server.token}/"):
            _refused(server.ask(path), 403, path)
        _refused(server.ask(f"/{wrong}/", "POST", b"x"), 403, "POST with another token")
        with _server(maui) as other:
            _refused(server.ask(other.path), 403, "another server's token")
        harness.equal(len(server.service.requests), one, "questions to the engine")


def test_another_host_or_origin_gets_nothing(maui):
    """Names that lead here (DNS rebinding), and pages of others that ask."""
    with _server(maui) as server:
        port = server.port
        for host in ("evil.example", f"evil.example:{port}", f"127.0.0.1.evil.example:{port}", f"localhost.evil:{port}", "", "127.0.0.1:",
                     "127.0.0.1:80x", "127.0.0.2", "127.0.0.1@evil.example", "[::1].evil"):
            _refused(server.ask(Host=host), 403, f"Host {host}")
        for host in (f"127.0.0.1:{port}", "localhost:8443", "localhost", f"[::1]:{port}", f"LOCALHOST:{port}"):
            harness.equal(server.ask(server.path + "page.css", Host=host)[0], 200, f"Host {host}")  # ssh -L may have another port
        for origin in ("http://evil.example", "null", f"https://127.0.0.1:{port}", "http://127.0.0.1:1", f"http://127.0.0.1:{port}/"):
            _refused(server.ask(Origin=origin), 403, f"Origin {origin}")
        harness.equal(server.ask(server.path + "page.css", Origin=f"http://127.0.0.1:{port}")[0], 200, "our own origin")
        answer = server.send(f"GET {server.path} HTTP/1.0\r\n\r\n".encode())
        if not answer.startswith((b"HTTP/1.0 403", b"HTTP/1.1 403")):
            raise harness.Failure(f"without Host: {answer[:100]}")


def test_only_get_and_head_are_answered(maui):
    with _server(maui, "--every=3600") as server:
        one = _questions_of_a_page(server)
        for method in ("POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "BREW"):
            status, headers, body = server.ask(method=method, body=b"x=1" if method in ("POST", "PUT") else None)
            harness.equal((status, headers["Allow"], body), (405, "GET, HEAD", b""), method)
        harness.equal(len(server.service.requests), one, "questions to the engine")
        get, head = server.ask(), server.ask(method="HEAD")
        harness.equal((head[0], head[2], head[1]["Content-Length"]), (200, b"", get[1]["Content-Length"]), "HEAD")


def test_a_path_leads_nowhere_else(maui):
    with _server(maui) as server:
        for path in ("../../etc/passwd", "..%2f..%2fetc/passwd", "%2e%2e/", "../page.css", "page.css/", "page.css%00", "x/page.css", "./", "PAGE.CSS",
                     "page.html", "/page.css"):
            status, _, body = server.ask(server.path + path)
            if path == "page.css%00":  # ends there, for libmicrohttpd
                continue
            harness.equal((status, body), (404, b""), path)
        status, headers, _ = server.ask(server.path[:-1])
        harness.equal((status, headers["Location"]), (301, server.path), "without its slash")


def test_long_requests_are_cut_off(maui):
    with _server(maui) as server:
        for request in (f"GET {server.path}?q={'x' * 100000} HTTP/1.1\r\nHost: localhost\r\n\r\n",
                        f"GET {server.path} HTTP/1.1\r\nHost: localhost\r\nX: {'x' * 100000}\r\n\r\n",
                        "x" * 100000 + "\r\n\r\n"):
            try:
                answer = server.send(request.encode())
            except (BrokenPipeError, ConnectionResetError):
                continue
            if re.match(rb"HTTP/1\.\d 2", answer):
                raise harness.Failure(answer[:200].decode())
        harness.equal(server.ask(server.path + "?q=" + "x" * 64)[0], 400, "a search that is too long")
        harness.equal(server.ask()[0], 200, "a request after these")


def test_more_connections_than_the_bound_wait_outside(maui):
    with _server(maui) as server:
        with contextlib.ExitStack() as stack:
            idle = [stack.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=WAIT)) for _ in range(CONNECTIONS)]
            late = stack.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=1))
            request = f"GET {server.path}page.css HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
            for connection in idle:  # each is one of ours, and is kept
                connection.sendall(request[: len(request) // 2])
            late.sendall(request)
            try:
                raise harness.Failure(f"one connection more is answered: {late.recv(100)}")
            except TimeoutError:
                pass
            idle[0].close()
            late.settimeout(WAIT)
            harness.equal(late.recv(12), b"HTTP/1.1 200", "when another one has gone")
        harness.equal(server.ask()[0], 200, "a request after these")


def _connect_as(stack, uid, family, port):
    """The kernel keeps who has made a socket. This is of the thread alone: another one answers the server meanwhile."""
    _libc.setfsuid(uid)
    try:
        one = stack.enter_context(socket.socket(family))
    finally:
        _libc.setfsuid(0)
    one.settimeout(WAIT)
    one.connect(("127.0.0.1" if family == socket.AF_INET else "::ffff:127.0.0.1", port))
    return one


def _wait_for_closed(connections, count):
    """Those that are left, when the server has closed so many."""
    closed, end = set(), time.monotonic() + WAIT
    while len(closed) < count and time.monotonic() < end:
        for one in select.select([one for one in connections if one not in closed], [], [], 1)[0]:
            with contextlib.suppress(ConnectionResetError):
                harness.equal(one.recv(1), b"", "what a connection gets that is refused")
            closed.add(one)
    return [one for one in connections if one not in closed]


def test_others_of_this_host_leave_room_for_the_owner(maui):
    """Over IPv4, and over IPv6's addresses that mean the same. The token stands for its user, whoever has it."""
    if os.getuid() != 0:  # who cannot be somebody else
        return
    with _server(maui, "--every=3600") as server, contextlib.ExitStack() as stack:
        others = [_connect_as(stack, NOBODY, family, server.port) for family in (socket.AF_INET, socket.AF_INET6) * OTHERS]
        left = _wait_for_closed(others, OTHERS)
        harness.equal(len(left), OTHERS, "connections of another user that are kept")
        for _ in range(CONNECTIONS - OTHERS - 1):
            _connect_as(stack, 0, socket.AF_INET6, server.port)
        harness.equal(server.ask()[0], 200, "the owner's last connection")
        late = _connect_as(stack, NOBODY, socket.AF_INET, server.port)
        harness.equal(_wait_for_closed([late], 1), [], "one more of the other")
        left[0].sendall(f"GET {server.path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        harness.equal(left[0].recv(12), b"HTTP/1.1 200", "what the other gets who has the token")
        while left[0].recv(65536):
            pass
        again = _connect_as(stack, NOBODY, socket.AF_INET, server.port)
        again.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        harness.equal(again.recv(12), b"HTTP/1.1 403", "a connection in the place of that one")


def test_many_who_ask_cost_one_look(maui):
    """Of a thousand requests the engine gets what one page asks, once for each --every."""
    with _server(maui, "--every=3600") as server:
        one = _questions_of_a_page(server)
        statuses, errors = [], []

        def look():
            try:
                with contextlib.closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=WAIT)) as connection:
                    for _ in range(125):
                        connection.request("GET", server.path)
                        answer = connection.getresponse()
                        answer.read()
                        statuses.append(answer.status)
            except OSError as error:
                errors.append(error)
        tabs = [threading.Thread(target=look) for _ in range(8)]
        for tab in tabs:
            tab.start()
        for tab in tabs:
            tab.join()
        harness.equal((len(statuses), set(statuses), errors), (1000, {200}, []), "answers")
        for search in ("alice", "night", "", "n1", "alice"):
            server.tree(q=search)
        harness.equal(len(server.service.requests), one, "questions to the engine")


def test_two_tabs_get_one_page_and_a_new_one_when_it_is_old(maui):
    moment = [0]

    def answer(service, request):
        if request["command"] == "status":
            moment[0] += 1
        return pd.answer(pd.engine(status=pd.status(mode="shadow" if moment[0] > 1 else "primary")))(service, request)
    with _server(maui, "--every=1", answer=answer) as server:
        first, second = server.ask(), server.ask()
        if moment[0] == 1:  # both within the second
            harness.equal(first[1]["ETag"], second[1]["ETag"], "one page")
            status, _, body = server.ask(If_None_Match=first[1]["ETag"])
            if moment[0] == 1:
                harness.equal((status, body), (304, b""), "what the tab has already")
        end = time.monotonic() + WAIT
        while b"Shadow mode" not in server.ask(If_None_Match=first[1]["ETag"])[2]:
            if time.monotonic() > end:
                raise harness.Failure("the page stays as it was")


def test_a_page_that_took_longer_than_it_is_fresh_is_given_to_who_waited(maui):
    """On a busy machine each would be too old when it is there, and nobody would ever get one."""
    with _server(maui, "--every=1") as server, contextlib.closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=WAIT)) as waiting:
        one = _questions_of_a_page(server)
        time.sleep(1.5)  # the page gets older than --every
        waiting.request("GET", server.path)
        end = time.monotonic() + WAIT
        stopped = False
        while len(server.service.requests) < 2 * one and time.monotonic() < end:
            if len(server.service.requests) > one and not stopped:
                server.process.send_signal(signal.SIGSTOP)
                stopped = True
            time.sleep(0.01)
        time.sleep(1.5)  # this one, too
        server.process.send_signal(signal.SIGCONT)
        harness.equal((stopped, waiting.getresponse().status, len(server.service.requests)), (True, 200, 2 * one), "the answer, and questions for it")


def test_the_first_page_is_there_before_anybody_asks(maui):
    """To open the address takes longer than to make the page: it is shown at once, and once."""
    with _server(maui, "--every=3600") as server:
        one = _questions_of_a_page(server)
    with _server(maui, "--every=1") as server:
        end = time.monotonic() + WAIT
        while len(server.service.requests) < one and time.monotonic() < end:
            time.sleep(0.01)
        time.sleep(1.5)  # the page gets older than --every
        harness.equal((server.ask()[0], len(server.service.requests)), (200, one), "the first, and questions for it")
        harness.equal((server.ask()[0], len(server.service.requests)), (200, 2 * one), "the second, and questions for both")


def test_a_search_leaves_the_rows_that_have_it(maui):
    with _server(maui, "--user=bob", "--every=3600") as server:
        tree = server.tree(q="ALICE")
        harness.equal([row[0] for row in _rows(tree, "Users")], ["alice"], "shares")
        harness.equal([row[0] for row in _rows(tree, "Limits")], ["user alice"], "limits")
        if "No waiting job is found." not in _text(tree):
            raise harness.Failure(_text(tree.find(".//section[@id='jobs']")))
        rows = _rows(server.tree(q="relax"), "Waiting jobs, the highest priority first")
        harness.equal([(row[0][:2], row[3]) for row in rows], [("19", "3")], "jobs, with their ranks")
        harness.equal([row[0] for row in _rows(server.tree(q="night"), "Reservations")], [f"night.{20231114 + day}" for day in range(4)], "reservations")
        harness.equal([(row[0], row[1]) for row in _rows(server.tree(q="drain"), "Nodes that were found")], [("n5", "IDLE, DRAIN")], "nodes")
        harness.equal(_rows(server.tree(), "Nodes that were found"), [], "nodes without a search")
        evil = '"><script>alert(1)</script>'
        tree = server.tree(q=evil)
        harness.equal(tree.find(".//input").get("value"), evil, "what was searched for")
        harness.equal([script.get("src") for script in tree.iter("script")], ["page.js"], "scripts")


def test_an_administrator_searches_all_jobs(maui):
    with _server(maui, "--all", "--every=3600") as server:
        for text, found in (("alice", ["18"]), ("BlockMax", ["17"]), ("JobHeld", ["20"]), ("relax", ["19"]), ("7 in use", ["17"])):
            rows = _rows(server.tree(q=text), "All waiting jobs, the highest priority first")
            harness.equal([row[0].split()[0] for row in rows], found, text)


def test_another_maui_cfg_is_read_again_each_time(maui):
    path = pathlib.Path(_munge.directory, "next.cfg")
    path.write_text("QUEUETIMEWEIGHT x\n", encoding="utf-8")
    with _server(maui, "--every=1", f"--what-if={path}", answer=pd.answer(pd.engine(whatif=whatif_data.sample()))) as server:
        if f"Not shown: {path}:1:" not in _text(server.tree()):
            raise harness.Failure(_text(server.tree()))
        path.write_text("QUEUETIMEWEIGHT 7\n", encoding="utf-8")
        end = time.monotonic() + WAIT
        while not (rows := _rows(server.tree(q="30_"), "Ranks and priorities")):
            if time.monotonic() > end:
                raise harness.Failure("the file is not read again")
        harness.equal([row[0] for row in rows], ["30_[1-9]"], "movers that were searched for")


def test_a_replays_report_is_read_again_each_time(maui):
    path = pathlib.Path(_munge.directory, "replay.json")
    report = {"schema": "maui.replay/1", "trace": "old.swf", "schedules": [{"name": "today.cfg", "wait": {"mean": 5}}]}
    path.write_text(json.dumps(report), encoding="utf-8")
    with _server(maui, "--every=1", f"--replay={path}") as server:
        harness.equal(server.tree().find(".//section[@id='whatif']/h3").text, "Replay of old.swf", "the report")
        path.write_text(json.dumps(report | {"trace": "new.swf"}), encoding="utf-8")
        end = time.monotonic() + WAIT
        while server.tree().find(".//section[@id='whatif']/h3").text != "Replay of new.swf":
            if time.monotonic() > end:
                raise harness.Failure("the file is not read again")


def test_it_ends_when_nobody_asks(maui):
    with _server(maui, "--idle=1") as server:
        harness.equal(server.ask()[0], 200, "the status")
        code, said = server.wait()
        harness.equal(code, 0, "the exit status")
        if "nobody has asked for 1 seconds" not in said:
            raise harness.Failure(said)


def test_signals_end_it_and_nothing_is_left(maui):
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        with _server(maui, answer=fake.slow(WAIT)) as server:
            with contextlib.closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=WAIT)) as waiting:
                waiting.request("GET", server.path)  # which waits for the engine
                children = pathlib.Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children")
                builder = children.read_text(encoding="utf-8").split()
                server.process.send_signal(number)
                harness.equal((server.wait()[0], len(builder)), (0, 1), f"exit status and children at {number.name}")
                if pathlib.Path(f"/proc/{builder[0]}").exists():
                    raise harness.Failure("the process that makes the pages is still there")
                with contextlib.suppress(OSError, http.client.HTTPException):
                    raise harness.Failure(f"an answer: {waiting.getresponse().status}")


def test_an_engine_that_is_silent_keeps_nobody_from_being_answered(maui):
    with _server(maui, "--timeout=60", answer=fake.slow(WAIT)) as server:
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=WAIT)) as waiting:
            waiting.request("GET", server.path)
            harness.equal(server.ask(server.path + "page.css")[0], 200, "another request meanwhile")
            _refused(server.ask("/"), 403, "one without the token")


def test_if_pages_cannot_be_made_it_says_so_and_ends(maui):
    with _server(maui) as server:
        children = pathlib.Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text(encoding="utf-8").split()
        os.kill(int(children[0]), signal.SIGKILL)
        code, said = server.wait()
        harness.equal(code, 2, "the exit status")
        if "the process that makes the pages has ended" not in said:
            raise harness.Failure(said)


def test_its_socket_is_of_this_host_alone(maui):
    with _server(maui) as server:
        listening = [line.split() for line in pathlib.Path("/proc/net/tcp").read_text(encoding="utf-8").splitlines()[1:]]
        harness.equal([line[1] for line in listening if line[3] == "0A" and int(line[1].split(":")[1], 16) == server.port],
                      [f"0100007F:{server.port:04X}"], "where it listens")
        done = maui.run("serve", f"--listen={server.port}", f"--queue-file={_munge.directory}/serve.json")
        harness.check_code(done, 2)
        harness.check_errors(done, f"cannot listen on 127.0.0.1, port {server.port}")


def test_wrong_use_is_explained(maui):
    for arguments, pattern in ((["now"], "unexpected argument now"), (["--json"], "serve is HTML"), (["--every=0"], "seconds are a number"),
                               (["--idle=x"], "seconds are a number"), (["--listen=70000"], "ports are a number"),
                               (["-u", "nosuch"], "there is no user nosuch")):
        harness.check_refused(maui.run("serve", *arguments), pattern)
