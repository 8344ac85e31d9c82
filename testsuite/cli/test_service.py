# SPDX-License-Identifier: GPL-2.0-or-later
"""The command and the engine's service: what it finds, what it believes, and what it says when it does not."""

import json
import os
import socket
import subprocess
import threading
import time

import cli_harness as harness
import fake_service as fake

STATUS = {
    "version": "0.1.0", "slurm_version": "22.05.8", "mode": "primary", "started": 1700000000,
    "iteration": 60, "last_iteration": 1700003590, "iteration_interval": 60, "jobs": 1234,
    "policy": {"path": "/etc/slurm/maui.cfg", "loaded": 1700000001, "source": "file"},
}

_munge = harness.munge


def _ask(maui, answer, *arguments, uid=None, **keywords):
    with fake.FakeService(_munge, answer, uid) as service:
        user = os.getuid() if uid is None else uid
        done = maui.run("status", f"--port={service.port}", "--host=127.0.0.1", f"--munge-socket={_munge.socket}",
                        f"--slurm-user={user}", *arguments, **keywords)
    return done


def _refused(maui, answer, code, pattern, **keywords):
    done = _ask(maui, answer, **keywords)
    harness.check_code(done, code)
    harness.check_quiet(done)
    harness.check_errors(done, pattern)


# --- status in words ---


def test_status_is_told_in_words(maui):
    done = _ask(maui, fake.good(STATUS))
    harness.check_code(done, 0)
    harness.check_golden(done, "status.out")
    harness.check_errors(done, None)


def test_status_of_a_shadow(maui):
    done = _ask(maui, fake.good(STATUS | {"mode": "shadow", "shadow": True}))
    harness.check_golden(done, "status.shadow.out")
    harness.check_errors(done, None)


def test_status_on_standby_with_a_last_good_copy(maui):
    data = STATUS | {"mode": "standby", "iteration": 0, "last_iteration": 0,
                     "policy": STATUS["policy"] | {"source": "last-good-copy"}}
    harness.check_golden(_ask(maui, fake.good(data)), "status.standby.out")


def test_status_says_what_is_off(maui):
    for change, words in (({"disabled": True}, ", disabled: priorities alone are Maui's (`maui enable`)\n"),
                          ({"select": False}, "\nnodes       Slurm's own choice: slurmctld has not loaded the select plugin"),
                          ({"mode": "new"}, ", mode new\n")):
        done = _ask(maui, fake.good(STATUS | change))
        harness.check_code(done, 0)
        harness.equal(words in done.stdout.decode(), True, f"{words!r} in {harness.text_of(done)}")


REFUSED = {"path": "/etc/slurm/maui.cfg", "time": 1700003000, "errors": 3,
           "lines": ["/etc/slurm/maui.cfg:3:12: PROCWEIGHT: 'x' is not a valid number", "/etc/slurm/b.cfg:7:1: MAXJOB\x1b[2J has no value"]}
UNREADABLE = REFUSED | {"errors": 0, "lines": ["/etc/slurm/maui.cfg: No such file or directory"]}


def _policy(**members):
    return STATUS | {"policy": STATUS["policy"] | members}


def test_status_with_a_neutral_policy(maui):
    harness.check_golden(_ask(maui, fake.good(_policy(source="neutral", path="(built-in defaults)", refused=UNREADABLE))),
                         "status.neutral.out")


def test_status_with_a_newer_file_that_was_refused(maui):
    harness.check_golden(_ask(maui, fake.good(_policy(refused=REFUSED))), "status.refused.out")


def test_status_with_a_policy_in_part(maui):
    harness.check_golden(_ask(maui, fake.good(_policy(source="partial", left_out=REFUSED))), "status.partial.out")


UNKNOWN = {"path": "/etc/slurm/maui.cfg", "time": 1700003000, "errors": 22,
           "lines": ["/etc/slurm/maui.cfg:3:1: there is no parameter FSUSERWIEGHT; the line is ignored: the nearest is FSUSERWEIGHT"]}


def test_status_with_names_that_nobody_knows(maui):
    before = _ask(maui, fake.good(STATUS)).stdout.decode()
    for unknown, end in ((UNKNOWN, "22 unknown names or words of the file\n            " + UNKNOWN["lines"][0]
                          + "\n            ... and 21 more\n"),
                         (UNKNOWN | {"errors": 1, "lines": []}, "1 unknown name or word of the file\n")):
        text = _ask(maui, fake.good(_policy(unknown=unknown))).stdout.decode()
        harness.equal(text.replace("no effect   " + end, ""), before, "what is not about them")
        harness.equal(len(text) - len(before), len("no effect   " + end), "what is added")


def test_status_with_a_statdir_that_is_not_there(maui):
    statdir = {"directory": "/var/spool/slurmctld/maui/stats", "missing": "/mnt/maui/stats"}
    harness.check_golden(_ask(maui, fake.good(STATUS | {"statdir": statdir})), "status.statdir.out")
    for statdir in (None, {"directory": None, "missing": None}, {"directory": "/mnt/maui/stats", "missing": None}):
        harness.check_golden(_ask(maui, fake.good(STATUS | {"statdir": statdir})), "status.out")


def test_status_with_files_of_a_later_version(maui):
    kept = [{"path": f"/var/spool/slurmctld/maui/{name}", "why": "a later Slurm-Maui wrote it: it has version 2 of its format, and this one reads 1"}
            for name in ("setres", "stats/FS.1700092800")]
    harness.check_golden(_ask(maui, fake.good(STATUS | {"kept_files": kept})), "status.kept.out")
    harness.check_golden(_ask(maui, fake.good(STATUS | {"kept_files": []})), "status.out")


def test_status_with_files_that_cannot_be_read_now(maui):
    path = "/var/spool/slurmctld/maui/reservations"
    unread = [{"path": path, "why": f"{path}: cannot be read: Too many open files"}]
    harness.check_golden(_ask(maui, fake.good(STATUS | {"unread_files": unread})), "status.unread.out")
    harness.check_golden(_ask(maui, fake.good(STATUS | {"unread_files": []})), "status.out")


def test_status_with_files_that_cannot_be_written(maui):
    path = "/var/spool/slurmctld/maui/setres"
    unwritten = [{"path": path, "why": f"cannot write {path}.new: No space left on device"}]
    harness.check_golden(_ask(maui, fake.good(STATUS | {"unwritten_files": unwritten})), "status.unwritten.out")
    harness.check_golden(_ask(maui, fake.good(STATUS | {"unwritten_files": []})), "status.out")


def _notes(maui, *arguments, **trouble):
    """What showres says on standard error of an answer with that trouble."""
    return _notes_of(maui, {"policy_trouble": {"source": "file", "refused": None, "left_out": None} | trouble}, *arguments)


def _notes_of(maui, more, *arguments):
    data = {"known": True, "reservations": []} | more
    with fake.FakeService(_munge, fake.good(data)) as service:
        done = maui.run("showres", f"--port={service.port}", "--host=127.0.0.1", f"--munge-socket={_munge.socket}",
                        f"--slurm-user={os.getuid()}", *arguments, env={"TZ": "UTC"})
    harness.check_code(done, 0)
    return done.stderr.decode().splitlines()


def test_every_command_notes_that_a_newer_file_was_refused(maui):
    before = "NOTE:     /etc/slurm/maui.cfg was refused at 2023-11-14T23:03:20, and this is what was in force before or stands in for it: "
    for refused, end in ((REFUSED, "3 errors, the first: /etc/slurm/maui.cfg:3:12: PROCWEIGHT: 'x' is not a valid number"),
                         (REFUSED | {"errors": 1}, "1 error: /etc/slurm/maui.cfg:3:12: PROCWEIGHT: 'x' is not a valid number"),
                         (REFUSED | {"lines": []}, "3 errors"),
                         (UNREADABLE, "/etc/slurm/maui.cfg: No such file or directory"),
                         (UNREADABLE | {"lines": []}, "it cannot be read")):
        harness.equal(_notes(maui, refused=refused), [before + end], "the notes")
    harness.equal(_notes(maui, "--json", refused=REFUSED), [], "notes beside JSON")


def test_every_command_notes_names_without_an_answer(maui):
    note = "NOTE:     the name service does not answer for 2 users and groups of this answer: each has its last name known, or its number"
    harness.equal(_notes_of(maui, {"names_unanswered": 2}), [note], "the notes")
    harness.equal(_notes_of(maui, {"names_unanswered": 2}, "--json"), [], "notes beside JSON")
    harness.equal(_notes_of(maui, {}), [], "notes without a reason")


def test_every_command_notes_what_is_left_out(maui):
    head = "NOTE:     /etc/slurm/maui.cfg has 3 errors, and is in force without what they are about"
    harness.equal(_notes(maui, source="partial", left_out=REFUSED),
                  [head + ":", "NOTE:       /etc/slurm/maui.cfg:3:12: PROCWEIGHT: 'x' is not a valid number",
                   "NOTE:       /etc/slurm/b.cfg:7:1: MAXJOB?[2J has no value", "NOTE:       ... and 1 more: `maui check` lists them"],
                  "the notes")
    harness.equal(_notes(maui, source="partial", left_out=REFUSED | {"lines": []}), [head], "the notes without lines")


def test_status_as_json_is_unchanged(maui):
    found = json.loads(_ask(maui, fake.good(STATUS), "--json").stdout)
    harness.equal(found, {"schema": "maui.status/1"} | STATUS, "data")


def test_an_empty_status_is_no_crash(maui):
    harness.check_code(_ask(maui, fake.good({})), 0)


# --- where the engine is ---


def test_the_environment_names_the_engine(maui):
    with fake.FakeService(_munge, fake.good(STATUS)) as service:
        done = maui.run("status", f"--munge-socket={_munge.socket}", f"--slurm-user={os.getuid()}",
                        env={"MAUI_SERVER": f"127.0.0.1:{service.port}"})
    harness.check_code(done, 0)


def test_options_go_before_the_environment(maui):
    done = _ask(maui, fake.good(STATUS), env={"MAUI_SERVER": "nowhere.invalid:1"})
    harness.check_code(done, 0)


def test_brackets_hold_addresses_with_colons(maui):
    with fake.closed_port() as port:
        done = maui.run("status", f"--munge-socket={_munge.socket}", env={"MAUI_SERVER": f"[::1]:{port}"})
    harness.check_code(done, 3)
    harness.check_errors(done, "does not answer on ::1:")


def test_a_wrong_environment_is_explained(maui):
    for text in ("host:", ":42559", "host:99999", "host:12x", "[::1", "[::1]42559", "[]:1", "h" * 300):
        done = maui.run("status", f"--munge-socket={_munge.socket}", env={"MAUI_SERVER": text})
        harness.check_code(done, 2)
        harness.check_errors(done, "MAUI_SERVER=.* is neither HOST:PORT nor the path of a socket")


def test_a_configfile_names_the_port_and_not_the_host(maui):
    with fake.FakeService(_munge, fake.good(STATUS)) as service:
        path = _munge.directory / "maui.cfg"
        path.write_text(f"SERVERHOST nowhere.invalid\nSERVERPORT {service.port}\n")
        done = maui.run("status", f"--munge-socket={_munge.socket}", f"--slurm-user={os.getuid()}",
                        f"--configfile={path}")
    harness.check_code(done, 0)


def test_a_configfile_that_is_not_there_is_an_error(maui):
    done = maui.run("status", "--configfile=/nonexistent/maui.cfg")
    harness.check_code(done, 2)
    harness.check_errors(done, "/nonexistent/maui.cfg")


def test_without_slurm_and_options_there_is_no_engine(maui):
    done = maui.run("status")
    harness.check_code(done, 3)
    harness.check_errors(done, "cannot find the engine: cannot read SLURM_CONF .*--host and --port")


def test_a_host_that_nobody_knows(maui):
    done = maui.run("status", "--host=nowhere.invalid", "--port=1", f"--munge-socket={_munge.socket}")
    harness.check_code(done, 3)
    harness.check_errors(done, "cannot find the engine's host nowhere.invalid")


# --- no answer ---


def test_nobody_listens(maui):
    with fake.closed_port() as port:
        done = maui.run("status", "--host=127.0.0.1", f"--port={port}", f"--munge-socket={_munge.socket}")
    harness.check_code(done, 3)
    harness.check_errors(done, r"does not answer on 127.0.0.1:\d+: is priority/maui running in slurmctld\?")


def test_a_slow_engine_is_not_waited_for(maui):
    start = time.monotonic()
    done = _ask(maui, fake.slow(300), "--timeout=1")
    harness.check_code(done, 3)
    harness.check_errors(done, r"did not answer within 1 second")
    if time.monotonic() - start > 250:
        raise harness.Failure("it was waited for")


def test_an_engine_that_never_ends_is_not_waited_for(maui):
    done = _ask(maui, fake.drip(30), "--timeout=1")
    harness.check_code(done, 3)
    harness.check_errors(done, "did not answer within 1 second")


def test_a_listener_that_hangs_up(maui):
    _refused(maui, fake.raw(), 4, "hung up after 0 bytes")


def test_an_answer_cut_short(maui):
    _refused(maui, fake.raw(b'{"schema": "maui.answer/1", "stat'), 4, "hung up after 33 bytes, in the middle")


def test_munged_that_is_not_there(maui):
    done = maui.run("status", "--host=127.0.0.1", "--port=1", "--munge-socket=/nonexistent/munge.sock")
    harness.check_code(done, 2)
    harness.check_errors(done, "munge gives no credential: .*is munged running here")


# --- answers that are none ---


def test_junk_is_refused(maui):
    for junk in (b"\n", b"junk\n", b"null\n", b"[]\n", b"{}\n", b"220 smtp.example.com ESMTP\r\n", b"\xff\xfe\x00\n",
                 b'{"schema": "maui.answer/1"', b'{"schema": 1}\n', b"{" * 100 + b"\n", b"[" * 100000 + b"\n",
                 b'{"schema": "maui.answer/1"} tail\n', b'{"schema": "maui.answer/1"}\x00{}\n'):
        done = _ask(maui, fake.raw(junk))
        harness.check_code(done, 4)
        harness.check_quiet(done)
        harness.check_errors(done, "refused|hung up")


def test_another_schema_is_refused(maui):
    _refused(maui, lambda s, r: s.envelope(r, schema="maui.answer/2"), 4, "answers in maui.answer/2")


def test_an_unknown_status_is_refused(maui):
    _refused(maui, lambda s, r: s.envelope(r, status="maybe", data={}), 4, "does not speak like Maui's engine")


def test_an_answer_without_data_is_refused(maui):
    _refused(maui, lambda s, r: s.envelope(r), 4, "does not speak like Maui's engine")
    _refused(maui, lambda s, r: s.envelope(r, data=[1]), 4, "does not speak like Maui's engine")


def test_an_answer_in_pieces_is_whole(maui):
    def answer(service, request):
        whole = b"".join(service.envelope(request, data=STATUS))
        for i in range(0, len(whole), 100):
            yield whole[i:i + 100]
            time.sleep(0.001)
    harness.check_code(_ask(maui, answer), 0)


def test_a_long_answer_is_read(maui):
    data = STATUS | {"filler": ["x" * 1000] * 5000}
    found = json.loads(_ask(maui, fake.good(data), "--json").stdout)
    harness.equal(len(found["filler"]), 5000, "length")


def test_an_answer_without_an_end_is_refused(maui):
    """Memory is for 256 MB of it, whoever listens there."""
    sent = 0

    def answer(service, _):
        nonlocal sent
        while not service.stopping.is_set():
            yield b" " * (1 << 20)
            sent += 1
    _refused(maui, answer, 4, "the answer is longer than 256 MB: refused")
    if not 256 <= sent < 320:  # beside it, what the sockets hold
        raise harness.Failure(f"{sent} MB were read")


# --- answers that prove nothing ---


def test_an_answer_without_proof_is_refused(maui):
    _refused(maui, lambda s, r: s.envelope(r, data=STATUS, proof=None), 4, "proves nothing: refused")


def test_an_error_without_proof_is_told_but_not_believed(maui):
    _refused(maui, lambda s, r: s.envelope(r, status="error", error="who\x1b[2J are you?", proof=None), 4,
             r"proves nothing: refused. It says: who\?\[2J are you\?")


def test_a_proof_that_is_no_credential_is_refused(maui):
    _refused(maui, lambda s, r: s.envelope(r, data=STATUS, proof="MUNGE:AAAA:"), 4, "proof .* is not valid")


def test_a_proof_for_another_request_is_refused(maui):
    for nonce in ("", "0" * 32, "0" * 31, "0" * 33):
        _refused(maui, lambda s, r, n=nonce: s.envelope(r, data=STATUS, proof=s.prove(n)), 4,
                 "for another request: refused")


def test_a_proof_that_was_used_is_refused(maui):
    def answer(service, request):
        proof = service.prove(request["nonce"])
        service.munge.decode(proof)
        return service.envelope(request, data=STATUS, proof=proof)
    _refused(maui, answer, 4, "not valid: .*[Rr]eplayed")


def test_a_proof_of_another_munge_is_refused(maui):
    with harness.Munge() as other:
        _refused(maui, lambda s, r: s.envelope(r, data=STATUS, proof=other.encode(r["nonce"])), 4, "not valid")


def test_a_proof_of_another_user_is_refused(maui):
    if os.getuid() != 0:
        return  # only root can be somebody else
    answer = lambda s, r: s.envelope(r, data=STATUS, proof=s.prove(r["nonce"], "-U", "1"))
    _refused(maui, answer, 4, "comes from user 1, who is neither root nor SlurmUser: refused", uid=2)
    harness.check_code(_ask(maui, answer, uid=1), 0)


def test_without_slurm_user_only_root_is_believed(maui):
    with fake.FakeService(_munge, lambda s, r: s.envelope(r, data=STATUS, proof=(
            s.prove(r["nonce"], "-U", "1") if os.getuid() == 0 else s.prove(r["nonce"])))) as service:
        done = maui.run("status", f"--port={service.port}", "--host=127.0.0.1", f"--munge-socket={_munge.socket}")
    harness.check_code(done, 4)
    harness.check_errors(done, "--slurm-user names that user")


def test_the_request_is_for_the_engine_only(maui):
    """Where SlurmUser is known nobody else can read the request."""
    if os.getuid() != 0:
        return
    with socket.create_server(("127.0.0.1", 0)) as listener:
        seen = []

        def serve():
            connection, _ = listener.accept()
            with connection:
                seen.append(connection.makefile().readline())
        thread = threading.Thread(target=serve)
        thread.start()
        maui.run("status", f"--port={listener.getsockname()[1]}", "--host=127.0.0.1",
                 f"--munge-socket={_munge.socket}", "--slurm-user=daemon")
        thread.join()
    done = subprocess.run(["unmunge", "-S", _munge.socket], input=seen[0].encode(), capture_output=True, check=False)
    if done.returncode == 0:
        raise harness.Failure("root could read a request that is for daemon")


# --- the engine says no ---


def test_a_refusal_is_told(maui):
    _refused(maui, fake.error("only for administrators"), 5, "ERROR:    only for administrators")
    _refused(maui, fake.error(""), 5, "without a reason")
