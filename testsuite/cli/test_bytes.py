# SPDX-License-Identifier: GPL-2.0-or-later
"""Names may be any bytes: strict readers take every answer, and no control character reaches a terminal."""

import json
import os
import pathlib
import tempfile
import unicodedata

import cli_harness as harness
import fake_service as fake
import page_data as pd
import why_data as wd

# Latin-1; C1's CSI in UTF-8 and as a raw byte; an overlong slash, a surrogate, a character that is cut off; ESC, DEL; and
# what is right.
ODD = "caf\udce9 \x9b31m \udc9b31m \udcc0\udcaf \udced\udca0\udc80 \udce2\udc82 \x1b[31m \x7f gr\xfc\xdfe \u65e5"
TEXTS = {"name", "user", "group", "account", "partition", "reason", "description", "comment", "work_dir", "command", "qos",
         "holder", "message", "text", "directory", "error", "features", "licenses", "dependency", "reservation"}


def _odd(value, name=None):
    """The same with odd texts wherever a user, an administrator or a file gives them."""
    if isinstance(value, dict):
        return {key: _odd(member, key) for key, member in value.items()}
    if isinstance(value, list):
        return [_odd(element, name) for element in value]
    return value + ODD if isinstance(value, str) and name in TEXTS else value


def _bytes(value):
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogateescape")


def _controls(text):
    return {char for char in text if unicodedata.category(char) in ("Cc", "Cs") and char not in "\n\t"}


def _check(done, what, is_json):
    """Both streams are UTF-8 without control characters; a JSON is one."""
    for stream in (done.stdout, done.stderr):
        try:
            text = stream.decode()
        except UnicodeDecodeError as problem:
            raise harness.Failure(f"{what}: no UTF-8: {problem}") from problem
        if _controls(text):
            raise harness.Failure(f"{what}: control characters {_controls(text)}: {text!r}")
    if is_json and done.returncode == 0:
        json.loads(done.stdout)


def _engine_answer(data):
    """Raw bytes in the answer of an engine of another release."""
    def tell(service, request):
        told = data.get(request["command"], {})
        if callable(told):
            told = told(request["arguments"].get("type"))
        envelope = {"schema": "maui.answer/1", "status": "ok", "proof": service.prove(request["nonce"]), "time": pd.NOW}
        return [_bytes(envelope | {"data": _odd(told)}) + b"\n"]
    return tell


OFFLINE = (
    "queue", "showq", "showq -v", "showq -b", "showq -r", "showq -i", "checkjob 17", "checkjob -v 18", "checkjob -A 17",
    "diagnose -j", "diagnose -t", "diagnose -n -v", "diagnose -q", "showstart 20", "showbf -A -v", "checknode -v n1",
    "why 17", "why --node=n1", "upcoming INFINITY", "showstats", "metrics", "page")
ONLINE = ("diagnose -a", "diagnose -u -v", "diagnose -Q", "diagnose -f -v", "diagnose -p", "diagnose -p -v", "diagnose -r",
          "priority -v 17", "showstats -a", "showstats -u", "status", "showres", "why 17", "showq", "checkjob 17", "showstart 17",
          "metrics", "page")


def _queue(directory):
    path = pathlib.Path(directory, "queue.json")
    path.write_bytes(_bytes(_odd(pd.queue())))
    return f"--queue-file={path}"


def _takes_json(words):
    return words.split()[0] not in ("metrics", "page")


def _run_both(maui, words, *options):
    _check(maui.run(*words.split(), *options), words, words == "queue")
    if _takes_json(words):
        _check(maui.run(*words.split(), "--json", *options), f"{words} --json", True)


def test_a_saved_queue_may_have_any_bytes(maui):
    with tempfile.TemporaryDirectory() as directory:
        for words in OFFLINE:
            _run_both(maui, words, _queue(directory), "--host=127.0.0.1", "--port=1")


def test_the_engine_s_answers_may_have_any_bytes(maui):
    if not harness.Munge.is_here():
        print("no munge here: the_engine_s_answers_may_have_any_bytes is skipped")
        return
    with tempfile.TemporaryDirectory() as directory, harness.Munge() as munge:
        with fake.FakeService(munge, _engine_answer(pd.engine() | {"diagnose-nodes": {"nodes": []}})) as service:
            for words in ONLINE:
                _run_both(maui, words, _queue(directory), "--host=127.0.0.1", f"--port={service.port}",
                          f"--munge-socket={munge.socket}", f"--slurm-user={os.getuid()}")


def test_what_is_right_stays(maui):
    """A byte that is not UTF-8 is U+FFFD in JSON, control characters are escaped, and '?' stands for both in a table."""
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory, "queue.json")
        path.write_bytes(_bytes(wd.queue(wd.job(17, name="gr\xfc\xdfe\udce9\x9b\x1b", user="\u65e5\udce9"))))
        jobs = json.loads(maui.run("queue", f"--queue-file={path}").stdout)["jobs"]
        found = next(job for job in jobs if job["job"] == 17)
        harness.equal((found["name"], found["user"]), ("gr\xfc\xdfe\ufffd\x9b\x1b", "\u65e5\ufffd"), "the names")
        text = maui.run("showq", f"--queue-file={path}", "--host=127.0.0.1", "--port=1").stdout.decode()
        if "\u65e5?" not in text:
            raise harness.Failure(f"no name in {text}")
