#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""test_browser.py MAUI AXE [PICTURES]: `maui serve` in a browser: what is read, drawn, followed and found.

AXE is axe.min.js of axe-core. With PICTURES each view is drawn into that directory, light and dark, wide and narrow."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
import harness  # noqa: E402
import page_data as pd  # noqa: E402
import whatif_data  # noqa: E402
from serving import Server  # noqa: E402
from webdriver import Browser  # noqa: E402

AXE = pathlib.Path(sys.argv[2]).read_text(encoding="utf-8")
PICTURES = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
VIEWS = ("jobs", "shares", "limits", "reservations", "machine", "whatif")
WIDTHS = {"wide": 1280, "narrow": 390}
del sys.argv[2:4]
_munge = _browser = None

TABLE = """
  const clean = (node) => node.textContent.replace(/\\s+/g, ' ').trim();
  const table = [...document.querySelectorAll('table')].find((one) => clean(one.caption) === arguments[0]);
  return [...table.tBodies[0].rows].map((row) => [...row.cells].map((cell) =>
    [clean(cell), [...cell.querySelectorAll('data')].map((one) => Number(one.value))]));
"""


def _server(maui, *arguments, **members):
    path = pathlib.Path(_munge.directory, "new.cfg")
    path.write_text("QUEUETIMEWEIGHT 7\n", encoding="utf-8")
    answer = members.pop("answer", pd.answer(pd.engine(whatif=_moves())))
    return Server(_munge, maui, "--user=bob", f"--what-if={path}", *arguments, answer=answer, **members)


def _moves():
    """A queue that turns around its middle."""
    jobs = [whatif_data.mover(100 + rank, (1 + rank, 1 + (5 * rank) % 12), (5000 - 7 * rank, 100 * rank), "FS", 40.0 - 9 * rank, user=user)
            for rank, user in enumerate(("alice", "bob", "carol", "dave") * 3)]
    return whatif_data.sample() | {"movers": jobs}


def _json(maui, server, *words):
    done = maui.run(*words, "--json", f"--port={server.service.port}", f"--queue-file={_munge.directory}/serve.json", "--host=127.0.0.1",
                    f"--munge-socket={_munge.socket}", f"--slurm-user={os.getuid()}")
    return json.loads(done.stdout)


def the_numbers_that_are_shown_are_those_of_the_commands_json(maui):
    with _server(maui, "--every=3600") as server:
        _browser.open(server.address)
        shares = sorted(_json(maui, server, "diagnose", "-f")["credentials"]["user"], key=lambda row: -row["usage"])
        harness.equal([row[2][1] for row in _browser.run(TABLE, "Users")], [[round(row["percent"], 4)] for row in shares], "shares")
        jobs = {str(job["job"]): job["priority"] for job in _json(maui, server, "diagnose", "-p")["jobs"] if job["user"] == "bob"}
        harness.equal({row[0][0]: row[-1][1][0] for row in _browser.run(TABLE, "Components of the priorities")}, jobs, "priorities")
        rows = _json(maui, server, "diagnose", "-r")["reservations"]
        harness.equal([(row[0][0], row[5][1]) for row in _browser.run(TABLE, "Reservations")],
                      [(row["name"], [row["procs"]]) for row in rows], "reservations")
        limits = [limit["usage"] for row in _json(maui, server, "diagnose", "-g")["credentials"] for limit in row["limits"]]
        shown = [row[4][1][0] for row in _browser.run(TABLE, "Limits that count your jobs") if row[0][0].startswith("group staff")]
        harness.equal(sorted(shown), sorted(limits), "usage of the group's limits")
        windows = _json(maui, server, "showbf", "-u", "bob", "-g", "nogroup")["windows"]
        harness.equal([row[2][1] for row in _browser.run(TABLE, "What could start now")], [[one["procs"]] for one in windows], "holes")


def a_job_named_like_a_tag_is_a_name(maui):
    with _server(maui, "--every=3600") as server:
        for query in ("", "?q=%22%3E%3Cscript%3Ewindow.caught%3D1%3C%2Fscript%3E%3Cimg%20src%3Dx%3E"):
            _browser.open(server.address + query)
            if not query:
                name = _browser.run("return document.querySelector('#jobs tbody th').lastChild.textContent")
                harness.equal(name, pd.EVIL.replace("\x1b", "?"), "the name of job 17")
            harness.equal(_browser.run("return [document.scripts.length, document.images.length, typeof window.caught]"),
                          [1, 0, "undefined"], "scripts, images, and what has been run")


def nothing_is_asked_of_others(maui):
    with _server(maui, "--every=3600") as server:
        _browser.open(server.address)
        asked = _browser.run("return performance.getEntriesByType('resource').map((one) => one.name)")
        own = f"http://127.0.0.1:{server.port}/favicon.ico"  # the browser's, not the page's
        strange = [name for name in asked if not name.startswith(server.address) and name != own]
        harness.equal((strange, len(asked) >= 2), ([], True), f"what was loaded: {asked}")
        drawn = _browser.run("return getComputedStyle(document.querySelector('section')).borderTopStyle")
        harness.equal(drawn, "solid", "whether page.css counts under the policy of the page")


def axe_finds_nothing_serious(maui):
    with _server(maui, "--every=3600") as server:
        for dark in (False, True):
            for width in WIDTHS.values():
                _browser.look(width, dark)
                _browser.open(server.address)
                _browser.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
                _browser.run(AXE + ";window.axe = axe;")
                found = _browser.run("return axe.run().then((all) => all.violations)")
                words = [f"{one['impact']} {one['id']}: {one['nodes'][0]['html'][:200]}" for one in found]
                harness.equal(words, [], f"what axe finds, {width} wide, dark: {dark}")
        _browser.look()


def the_page_does_not_scroll_sideways_on_a_phone(maui):
    with _server(maui, "--every=3600") as server:
        _browser.look(WIDTHS["narrow"])
        _browser.open(server.address)
        harness.equal(_browser.run("return document.documentElement.scrollWidth"), WIDTHS["narrow"], "the width")
        _browser.look()


def it_follows_without_being_loaded_again(maui):
    told = {"data": pd.engine(whatif=_moves())}
    with _server(maui, "--every=1", answer=lambda service, request: pd.answer(told["data"])(service, request)) as server:
        _browser.open(server.address)
        _browser.run("window.same = true; document.querySelector('#jobs details').open = true; document.querySelector('#jobs summary').focus()")
        told["data"] = pd.engine(status=pd.status(mode="shadow"), diagnose_fairshare="this is not yours to see", whatif=_moves())
        _browser.wait_for("return document.querySelector('#state').textContent.includes('Shadow mode')")
        _browser.wait_for("return document.querySelector('#shares').textContent.includes('this is not yours to see')")
        harness.equal(_browser.run("return [window.same, document.querySelector('#jobs details').open, document.activeElement.tagName]"),
                      [True, True, "SUMMARY"], "the document, what was opened, and what has the focus")
        server.process.terminate()
        _browser.wait_for("return document.querySelector('#state').textContent.includes('maui serve has ended')")


def rows_are_found_by_the_form_and_by_keyboard(maui):
    with _server(maui, "--every=3600") as server:
        _browser.open(server.address)
        _browser.run("const field = document.querySelector('#q'); field.value = 'alice'; field.form.requestSubmit()")
        _browser.wait_for("return location.search === '?q=alice' && document.readyState === 'complete'")
        harness.equal([row[0][0] for row in _browser.run(TABLE, "Users")], ["alice"], "shares")
        harness.equal(_browser.run("return document.querySelector('#q').value"), "alice", "the field")


def without_script_the_page_loads_itself(maui):
    with _server(maui, "--every=3600") as server:
        _browser.look(script=False)
        _browser.open(server.address)
        _browser.look()
        harness.equal(_browser.run("return document.querySelector('noscript meta')?.content"), "3600", "the seconds")


def it_can_be_printed(maui):
    with _server(maui, "--every=3600") as server:
        _browser.open(server.address)
        paper = _browser.paper()
        if not paper.startswith(b"%PDF") or len(paper) < 20000:
            raise harness.Failure(f"{len(paper)} bytes")
        if PICTURES:
            (PICTURES / "page.pdf").write_bytes(paper)
        if shutil.which("pdftotext"):
            text = subprocess.run(["pdftotext", "-layout", "-", "-"], input=paper, capture_output=True, check=True).stdout.decode()
            for words in ("Your share in words", "night.20231114", "MAXPROC[CLASS:batch]", "What could start now"):
                if words not in text:
                    raise harness.Failure(f"{words} is not on paper")


def every_view_is_drawn(maui):
    """Looked at by people, with PICTURES; in any case nothing of a view is outside of its frame."""
    with _server(maui, "--every=3600") as server:
        for name, width in WIDTHS.items():
            for dark in (False, True):
                _browser.look(width, dark)
                _browser.open(server.address)
                for view in VIEWS:
                    inside = _browser.run("const view = document.getElementById(arguments[0]); return view.scrollWidth <= view.clientWidth + 1", view)
                    harness.equal(inside, True, f"whether {view} fits, {name}")
                    if PICTURES:
                        (PICTURES / f"{view}-{name}-{'dark' if dark else 'light'}.png").write_bytes(_browser.picture(f"#{view}"))
                if PICTURES:
                    (PICTURES / f"page-{name}-{'dark' if dark else 'light'}.png").write_bytes(_browser.picture())
        _browser.look()


if __name__ == "__main__":
    if not Browser.is_here() or not harness.Munge.is_here():
        print("left out: no chromium, chromedriver or munge here")
        sys.exit(harness.SKIPPED)
    if PICTURES:
        PICTURES.mkdir(parents=True, exist_ok=True)
    with harness.Munge() as _munge, Browser() as _browser:
        harness.main(harness.cases_of(sys.modules[__name__]))
