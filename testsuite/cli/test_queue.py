# SPDX-License-Identifier: GPL-2.0-or-later
"""maui queue and --queue-file: what Slurm told, saved and read again."""

import json
import pathlib
import tempfile

import cli_harness as harness

EMPTY = {"schema": "maui.queue/1", "time": 1700000000, "cluster": "c1",
         "jobs": [], "nodes": [], "partitions": [], "reservations": []}


def _read(maui, text, *arguments):
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory, "queue.json")
        if text is not None:
            path.write_text(text, encoding="utf-8")
        return maui.run("queue", f"--queue-file={path}", *arguments)


def test_a_saved_queue_is_printed_again(maui):
    queue = EMPTY | {"jobs": [{"id": "17_[4-9]", "job": 17, "name": "a \"b\" \n"}]}
    done = _read(maui, json.dumps(queue))
    harness.check_code(done, 0)
    harness.equal(json.loads(done.stdout), queue, "the queue")
    harness.check_errors(done, None)


def test_what_is_no_queue_is_an_error(maui):
    for text in ("", "[]", "{", "null", "17", "{}", json.dumps(EMPTY)[:-1],
                 json.dumps(EMPTY | {"schema": "maui.queue/2"}), json.dumps(EMPTY | {"nodes": {}}),
                 json.dumps({k: v for k, v in EMPTY.items() if k != "jobs"}),
                 json.dumps(EMPTY | {"jobs": [17]}), json.dumps(EMPTY | {"jobs": [None]})):
        done = _read(maui, text)
        harness.check_code(done, 2)
        harness.check_errors(done, r"^ERROR: .*queue\.json is not a maui\.queue/1$")
        harness.equal(done.stdout, b"", "standard output")


def test_a_file_that_is_not_there_is_an_error(maui):
    done = _read(maui, None)
    harness.check_code(done, 2)
    harness.check_errors(done, r"^ERROR: .*queue\.json: cannot be read: No such file")


def test_without_slurm_it_says_so(maui):
    done = maui.run("queue", "--timeout=5")
    harness.check_code(done, 3)
    harness.check_errors(done, r"^ERROR: .*/nonexistent/slurm\.conf")


def test_wrong_usage_is_told(maui):
    done = maui.run("queue", "17")
    harness.check_code(done, 2)
    harness.check_errors(done, "takes no argument")
