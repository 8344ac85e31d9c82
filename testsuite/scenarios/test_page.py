# SPDX-License-Identifier: GPL-2.0-or-later
"""`maui serve` and `maui page` of a cluster with jobs, limits, shares and reservations, in Chromium: what a
reader sees are the numbers of the commands' JSON, and he can read it however he reads.

A number that time changes lies between what the JSON said before the page was made and what it says after.
MAUI_TEST_PICTURES=DIR draws each view into that directory: light and dark, wide and narrow, and on paper."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import subprocess
import sys
import time
import unittest
import urllib.parse
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import webdriver
from harness import CLUSTER, Cluster, gpu_devices
from webdriver import ENTER, TAB, Browser

DAY = 86400
TRACES = Path(__file__).resolve().parents[1] / "cli" / "fixtures" / "replay"
EVIL = "<script>window.caught=1</script><img src=x>\"'&"
PICTURES = Path(os.environ["MAUI_TEST_PICTURES"]) if "MAUI_TEST_PICTURES" in os.environ else None
VIEWS = {
    "jobs": "My jobs", "shares": "Shares", "limits": "Limits", "reservations": "Reservations",
    "machine": "Machine", "whatif": "What if",
}
WIDTHS = {"wide": 1280, "narrow": 390}
WAITING = "Waiting jobs, the highest priority first"
POLICY = """\
RMPOLLINTERVAL 1
ADMIN1 root
FSPOLICY DEDICATEDPS
FSINTERVAL 24:00:00
FSDEPTH 7
FSDECAY 0.8
CREDWEIGHT 1
USERWEIGHT 1
CLASSWEIGHT 1
FSWEIGHT 2
FSUSERWEIGHT 3
SERVWEIGHT 1
QUEUETIMEWEIGHT 1
RESWEIGHT 1
PROCWEIGHT 2
USERCFG[daemon] PRIORITY=150 FSTARGET=30 MAXJOB=3,5 MAXGRES[gpu]=3
USERCFG[bin] FSTARGET=20- MAXPS=720000
USERCFG[games] FSTARGET=25+
USERCFG[man] FSTARGET=15%
USERCFG[lp] FSTARGET=900000^ MAXIJOB=4
GROUPCFG[daemon] MAXPROC=20,40 FSTARGET=40
CLASSCFG[batch] PRIORITY=50 MAXNODE=7 MAXPROC[USER]=30
CLASSCFG[batch] MAXGRES[gpu,USER]=4
SYSCFG MAXJOB=50
SRCFG[night] HOSTLIST=n[5-6] PERIOD=DAY DEPTH=3 USERLIST=daemon GROUPLIST=games
SRCFG[lab] HOSTLIST=n7 PERIOD=INFINITY USERLIST=games,bin
"""
POLICY += "SRCFG[night] STARTTIME=20:00:00 ENDTIME=24:00:00\n"
OTHER_POLICY = POLICY.replace("FSWEIGHT 2", "FSWEIGHT 0").replace("PROCWEIGHT 2", "PROCWEIGHT 40")
SLURM_CONF = """\
SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=3,bf_min_prio_reserve=1
GresTypes=gpu
NodeName=n[1-4] Gres=gpu:a100:4
PartitionName=batch Nodes=n[1-8] Default=YES
PartitionName=long Nodes=n[3-8]
"""
# Processor-hours of each user, the newest day last.
HISTORY = {
    "daemon": (310, 120, 460, 20, 510, 260, 90), "bin": (90, 480, 210, 330, 0, 410, 160),
    "games": (0, 0, 240, 150, 80, 0, 70), "man": (30, 0, 0, 60, 120, 20, 0), "lp": (0, 70, 0, 0, 90, 0, 30),
}

Row = list[tuple[str, list[float]]]
Numbers = dict[str, list[float]]


def numbers(row: Row) -> list[float]:
    return [number for cell in row[1:] for number in cell[1]]


def numbers_of(rows: list[Row]) -> Numbers:
    return {row[0][0]: numbers(row) for row in rows}


def window(users: dict[str, float]) -> str:
    """A file of the original's statistics: processor-seconds."""
    lines = ["# FS Data File (Duration:  86400 seconds)  Starting: Sun Nov 19 00:51:42", ""]
    lines += [f"{'user':<10} {name:>15} {used:12.3f}" for name, used in users.items() if used]
    lines += [f"{'group':<10} {name:>15} {used:12.3f}" for name, used in users.items() if used]
    return "\n".join([*lines, f"{'sched':<10} {'NONE':>15} {sum(users.values()):12.3f}"]) + "\n"


class Server:
    """maui serve of a user of the cluster, here root on behalf of another."""

    def __init__(self, cluster: Cluster, *options: str, user: str | None = None) -> None:
        as_user = [] if user is None else ["--as", user]
        words = [sys.executable, str(CLUSTER), "exec", "--dir", str(cluster.dir), *as_user, "--"]
        self._words = [*words, "maui", "serve", *options]

    def __enter__(self) -> Server:
        self._process = subprocess.Popen(self._words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self._process.stdout and self._process.stderr
        self.address = self._process.stdout.readline().strip()
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)(/[0-9a-f]{32}/)", self.address)
        if not found:
            self._process.kill()
            raise AssertionError(f"{self.address!r} is no address: {self._process.stderr.read()}")
        self.port, self.path = int(found[1]), found[2]
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        self._process.terminate()
        self._process.communicate()

    def ask(self, path: str, method: str = "GET", **headers: str) -> tuple[int, bytes]:
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)) as connection:
            connection.request(method, path, headers=headers)
            answer = connection.getresponse()
            return answer.status, answer.read()


class PageTest(unittest.TestCase):
    cluster: Cluster
    browser: Browser
    mine: dict[str, int]
    other: Path
    report: Path

    @classmethod
    def setUpClass(cls) -> None:
        cls.browser = cls.enterClassContext(Browser())
        devices = cls.enterClassContext(gpu_devices())
        cls.cluster = cls.enterClassContext(Cluster(
            nodes=8, cpus=8, maui_cfg=POLICY, slurm_conf=SLURM_CONF,
            gres_conf=f"NodeName=n[1-4] Name=gpu Type=a100 File={devices}/gpu[0-3]\n",
        ))
        cls.other = cls.cluster.home / "other.cfg"
        cls.other.write_text(OTHER_POLICY, encoding="utf-8")
        cls.report = cls.cluster.home / "replay.json"
        files = "--config=today.cfg --config=tomorrow.cfg small.swf"
        cls.cluster.run(f"cd {TRACES} && maui replay --json {files} >{cls.report}")
        cls.remember()
        cls.reserve()
        cls.submit()

    @classmethod
    def remember(cls) -> None:
        """Windows of usage, as from a Maui."""
        cls.cluster.stop()
        maui = cls.cluster.home / "statistics"
        maui.mkdir()
        today = int(time.time()) // DAY * DAY
        for age in range(7):
            used = {name: 3600.0 * hours[6 - age] for name, hours in HISTORY.items()}
            (maui / f"FS.{today - age * DAY}").write_text(window(used), encoding="utf-8")
        cls.cluster.run(["maui", "fs", "import", "--force", str(maui)])
        cls.cluster.start()

    @classmethod
    def reserve(cls) -> None:
        for words in (
            ("-s", "+4:00:00", "-d", "6:00:00", "-u", "lp:man", "-n", "course", "n[1-2]"),
            ("-s", "+2:00:00:00", "-d", "1:00:00:00", "-u", "root", "-n", "update", "n[1-8]"),
        ):
            cls.cluster.run(["maui", "setres", *words])
        cls.cluster.run("scontrol create reservation=disks users=root start=now duration=UNLIMITED nodes=n8")
        cls.cluster.wait_for(
            lambda: {"night", "lab", "course"} <= {
                row["standing"].split(".")[0] for row in cls.maui("diagnose", "-r")["reservations"]
                if row["standing"]
            },
            "the reservations",
        )

    @classmethod
    def submit(cls) -> None:
        """What runs, first; then what waits: for a limit, for nodes, for a user."""
        submit = cls.cluster.sbatch
        running = [
            submit("-n8", "-N1", "-t150", "-wn1", "--gres=gpu:2", user="daemon"),
            submit("-n6", "-N1", "-t120", "-wn2", user="daemon"),
            submit("-n8", "-N1", "-t900", "-wn3", user="bin"),
            submit("-n4", "-N1", "-t90", "-wn4", user="games"),
            submit("-n3", "-N1", "-t90", "-wn7", user="games"),
        ]
        for job in running:
            cls.cluster.wait_for_state(job, "RUNNING")
        cls.mine = {
            "evil": submit("-n1", "-t30", "--gres=gpu:2", "-J", EVIL, user="daemon"),
            "wide": submit("-N8", "-t60", "-J", "wide", user="daemon"),
            "later": submit("-n2", "-t30", "-J", "later", "--hold", user="daemon"),
            "long": submit("-n40", "-t30", "-plong", "-J", "sweep", user="daemon"),
        }
        for user in ("bin", "lp", "lp"):
            submit("-N7", "-t60", user=user)
        cls.cluster.wait_for(
            lambda: "MAXGRES" in cls.cluster.job(cls.mine["evil"])["Reason"], "the reasons to be there"
        )

    # --- help

    @classmethod
    def maui(cls, *words: str) -> Any:
        return cls.cluster.maui(*words, "--json")

    def serve(self, *options: str, user: str | None = None) -> Server:
        whose = () if user else ("--user=daemon", f"--what-if={self.other}", f"--replay={self.report}")
        return Server(self.cluster, *whose, *(options or ("--every=3600",)), user=user)

    def setUp(self) -> None:
        self.browser.look()

    def table(self, caption: str) -> list[Row]:
        return self.browser.table(caption)

    def bold(self, part: str) -> list[str]:
        script = "return [...document.querySelectorAll(`${arguments[0]} th b`)].map((one) => one.textContent)"
        return [str(text) for text in self.browser.run(script, part)]

    def waiting(self) -> list[dict[str, Any]]:
        jobs = [job for job in self.maui("queue")["jobs"] if job["state"] == "PENDING"]
        return sorted(jobs, key=lambda job: (-job["priority"], job["job"]))

    @contextlib.contextmanager
    def looked_at(
        self, ask: Callable[[], Numbers], whole: bool = False
    ) -> Iterator[Callable[[Numbers], None]]:
        """Numbers of JSON before a page is made, and a function that compares those of the page with
        them, and with those after. whole: large ones are shown as whole numbers."""
        before = ask()
        with self.serve() as server:
            self.browser.open(server.address)
            yield lambda shown: self._compare(before, shown, ask(), whole)

    def _compare(self, before: Numbers, shown: Numbers, after: Numbers, whole: bool) -> None:
        self.assertTrue(shown)
        counts = [{key: len(row) for key, row in rows.items()} for rows in (before, shown, after)]
        self.assertEqual(counts, [counts[0]] * 3)
        for key, row in shown.items():
            for number, one, other in zip(row, before[key], after[key], strict=True):
                near = 0.5001 if whole and number > 100 else 0.0001  # as they are printed
                low, high = min(one, other) - near, max(one, other) + near
                self.assertTrue(low <= number <= high, (key, one, number, other))

    # --- the numbers

    def test_jobs(self) -> None:
        def ask() -> Numbers:
            rows = [row for row in self.maui("diagnose", "-p")["jobs"] if row["user"] == "daemon"]
            return {
                str(row["job"]): [part["weight"] * part["value"] for part in row["components"].values()]
                + [row["sum"], row["priority"]]
                for row in rows
            }

        with self.looked_at(ask) as compare:
            compare(numbers_of(self.table("Components of the priorities")))
            jobs = self.waiting()
            mine = [job for job in jobs if job["user"] == "daemon"]
            self.assertEqual(self.bold("#jobs tbody"), [job["id"] for job in mine])
            for row, job in zip(self.table(WAITING), mine, strict=True):
                ahead = [
                    other for other in jobs[: jobs.index(job)]
                    if {*other["partition"].split(",")} & {*job["partition"].split(",")}
                ]
                self.assertEqual(row[3][0], str(len(ahead) + 1) if job["priority"] else "held", row)

    def test_why(self) -> None:
        """The same words, of those whose numbers stand still."""
        with self.serve() as server:
            self.browser.open(server.address)
            shown = dict(zip(self.bold("#jobs tbody"), self.table(WAITING), strict=True))
            for name, job in self.mine.items():
                said = self.maui("why", str(job))["findings"]
                cause = next(one["text"] for one in said if one["part"] == "cause")
                text = shown[str(job)][5][0]
                self.assertTrue(text.startswith(" ".join(cause.split())), (name, text, cause))

    def test_shares(self) -> None:
        def ask() -> Numbers:
            told = self.maui("diagnose", "-f")
            found = {
                f"{kind} {row['name']}": [
                    row["percent"], *([row["target"]] if row["target"] else []), row["usage"]
                ]
                for kind in ("user", "group")
                for row in told["credentials"][kind]
            }
            mine = next(row for row in told["credentials"]["user"] if row["name"] == "daemon")
            for age, one in enumerate(told["windows"]):
                found[f"window {age}"] = [mine["windows"][age], one["usage"]]
            return found

        with self.looked_at(ask, whole=True) as compare:
            shown = {}
            for kind, caption in (("user", "Users"), ("group", "Groups")):
                rows = self.table(caption)
                shown |= {f"{kind} {row[0][0].removesuffix(' you')}": numbers(row) for row in rows}
            shown |= {f"window {age}": numbers(row) for age, row in enumerate(self.table("Your windows"))}
            compare(shown)
            words = {
                row[0][0].removesuffix(" you"): re.sub(r" [\d.]+ .*", "", row[3][0])
                for row in self.table("Users")
            }
            self.assertEqual(words, {
                "daemon": "target", "bin": "at most", "games": "at least", "man": "never above",
                "lp": "never above",
            })

    def test_limits(self) -> None:
        def ask() -> Numbers:
            found: Numbers = {}
            for option in "ugacQ":
                told = self.maui("diagnose", f"-{option}")
                rows = [told["system"] | {"name": ""}, *told["credentials"]]
                for row in rows:
                    kind = told["type"] if row["name"] else "system"
                    for limit in row["limits"]:
                        if limit["usage"] is None or limit["hard"] < 0 or limit["overridden"]:
                            continue
                        soft = [limit["soft"]] if limit["soft"] and limit["soft"] < limit["hard"] else []
                        key = f"{kind} {row['name']} {limit['name']} {limit['mode']} {limit['second']}"
                        found[key] = [limit["usage"], *soft, limit["hard"], limit["left"]]
            return found

        with self.looked_at(ask) as compare:
            rows = self.table("Limits that count your jobs") + self.table("Other limits")
            shown = {}
            for row in rows:
                holder = row[0][0].removeprefix("the ").split(" in ")
                mode = "idle" if " waiting " in row[1][0] else "active"
                second = holder[1].split()[1] if len(holder) > 1 else None
                kind, _, name = holder[0].partition(" ")
                key = f"{kind} {name} {row[1][0].split()[0]} {mode} {second}"
                shown[key] = [number for cell in row[4:8] for number in cell[1]]
                self.assertRegex(row[1][0], r" (jobs|processors|nodes|processor-hours|gpu)$", "its unit")
            compare(shown)
            states = {(row[0][0], row[1][0].split()[0]): row[3][0] for row in rows}
            self.assertEqual(states["class batch in user daemon", "MAXGRES[gpu,USER:daemon]"], "free")
            used = {(row[0][0], row[1][0].split()[0]): row[8][0] for row in rows}
            self.assertEqual(used["user daemon", "MAXGRES[gpu]"], "daemon 2")

    def test_reservations(self) -> None:
        def ask() -> Numbers:
            rows = self.maui("diagnose", "-r")["reservations"]
            used = {row["name"]: [] if row.get("used_procs") is None else [row["used_procs"]] for row in rows}
            return {row["name"]: [row["procs"], *used[row["name"]]] for row in rows}

        with self.looked_at(ask) as compare:
            rows = self.table("Reservations")
            compare(numbers_of(rows))
            told = {row["name"]: row for row in self.maui("diagnose", "-r")["reservations"]}
            times = self.browser.run(
                "return [...document.querySelectorAll('#reservations tr')]"
                ".filter((row) => row.querySelector('time'))"
                ".map((row) => [row.cells[0].textContent.trim(), row.querySelector('time').dateTime])"
            )
            self.assertEqual(
                {name: int(datetime.fromisoformat(when).timestamp()) for name, when in times},
                {name: row["start"] for name, row in told.items()},
            )
            you = {re.sub(r"\..*", "", row[0][0]): row[8][0] for row in rows}
            self.assertEqual(
                {name: you[name] for name in ("night", "lab", "course", "disks")},
                {"night": "yes", "lab": "no", "course": "no", "disks": "no"},
            )

    def test_machine(self) -> None:
        def ask() -> Numbers:
            told = self.maui("showbf", "-u", "daemon", "-g", "daemon")["windows"]
            return {
                str(at): [*([one["seconds"]] if one["seconds"] else []), one["procs"], one["nodes"]]
                for at, one in enumerate(told)
            }

        with self.looked_at(ask) as compare:
            rows = self.table("What could start now")
            compare({str(at): row[0][1] + numbers(row) for at, row in enumerate(rows)})
            nodes = self.maui("queue")["nodes"]
            sums = [len(nodes), *(sum(node[name] for node in nodes) for name in ("procs", "allocated_procs"))]
            drawn = (
                "return [...document.querySelectorAll('#machine svg.map')]"
                ".map((map) => map.querySelectorAll('rect').length)"
            )
            self.assertEqual(self.browser.run(drawn), [len(nodes)] * 3)
            for title in ("Nodes by state", "Nodes by partition", "Nodes by user"):
                counted = [numbers(row) for row in self.table(title)]
                self.assertEqual([sum(column) for column in zip(*counted, strict=True)], sums, title)
            gres = [(row[0][0], *numbers(row)) for row in self.table("GRES")]
            self.assertEqual(gres, [("gpu:a100", 16, 2, 4)])
            used = {row[0][0]: row[3][1][0] for row in self.table("Nodes by user")}
            self.assertEqual((used["daemon"], used["bin"], used["games"]), (14, 8, 7))

    def test_another_maui_cfg(self) -> None:
        def ask() -> Numbers:
            pairs = ("rank", "priority")
            return {
                str(row["job"]): [row[pair][side] for pair in pairs for side in ("today", "then")]
                for row in self.maui("whatif", str(self.other))["movers"]
            }

        with self.looked_at(ask) as compare:
            rows = self.table("Ranks and priorities")
            compare({row[0][0]: [number for cell in row[2:6] for number in cell[1]] for row in rows})

    def test_a_replay_is_beside_it(self) -> None:
        """Its figures are those of the report: of what was recorded, and of each schedule."""
        with self.serve() as server:
            self.browser.open(server.address)
            report = json.loads(self.report.read_text(encoding="utf-8"))
            schedules = [report["recorded"], *report["schedules"]]
            shown = self.browser.table("Figures")  # of the first figure, the mean wait
            self.assertEqual([row[-2][1][0] for row in shown],
                             [round(one["wait"]["mean"], 4) for one in schedules])
            gains = report["schedules"][1]["against_first"]["gains"]
            rows = self.browser.table("Those that gain most")
            self.assertEqual([(row[0][0], row[1][0]) for row in rows],
                             [(str(one["job"]), one["user"]) for one in gains])

    # --- names, and who asks

    def test_a_job_named_like_a_tag_is_a_name(self) -> None:
        with self.serve() as server:
            for query in ("", "?" + urllib.parse.urlencode({"q": '">' + EVIL})):
                self.browser.open(server.address + query)
                if not query:
                    names = (
                        "return [...document.querySelectorAll('#jobs tbody th')]"
                        ".map((one) => one.lastChild.textContent)"
                    )
                    self.assertIn(EVIL, self.browser.run(names))
                caught = "return [document.scripts.length, document.images.length, typeof window.caught]"
                self.assertEqual(self.browser.run(caught), [1, 0, "undefined"])

    def test_who_has_no_right_to_ask_gets_nothing(self) -> None:
        """Users' own servers, each as himself: neither sees the other's page."""
        with self.serve(user="daemon") as server, self.serve(user="bin") as other:
            status, page = server.ask(server.path)
            self.assertEqual((status, b"for <strong>daemon</strong>" in page), (200, True))
            for path, method, headers, expected in (
                (other.path, "GET", {}, 403),
                ("/", "GET", {}, 403),
                (server.path, "GET", {"Host": "evil.example"}, 403),
                (server.path, "GET", {"Origin": "http://evil.example"}, 403),
                (server.path, "POST", {}, 405),
                (server.path + "../../etc/passwd", "GET", {}, 404),
                (server.path + "..%2f", "GET", {}, 404),
            ):
                self.assertEqual(server.ask(path, method, **headers), (expected, b""), (path, method, headers))

    def test_nothing_is_loaded_from_elsewhere(self) -> None:
        with self.serve() as server:
            self.browser.open(server.address)
            names = "return performance.getEntriesByType('resource').map((one) => one.name)"
            loaded = self.browser.run(names)
            icon = f"http://127.0.0.1:{server.port}/favicon.ico"  # the browser's wish, not the page's
            strange = [name for name in loaded if not name.startswith(server.address) and name != icon]
            self.assertEqual(strange, [])
            self.assertIn(server.address + "page.css", loaded)
            border = "return getComputedStyle(document.querySelector('section')).borderTopStyle"
            self.assertEqual(self.browser.run(border), "solid", "page.css counts under the page's policy")

    # --- how it is read

    def test_each_view_has_an_address_a_title_and_its_sentence_of_the_manual(self) -> None:
        with self.serve() as server:
            for view, title in VIEWS.items():
                self.browser.open(f"{server.address}#{view}")
                found = self.browser.run(
                    "const view = document.querySelector(':target');"
                    "const link = view.querySelector('.source a');"
                    "return [view.querySelector('h2').textContent, view.getAttribute('aria-labelledby'),"
                    " document.querySelector(link.getAttribute('href')).nextElementSibling.tagName]"
                )
                self.assertEqual(found, [title, f"{view}-title", "BLOCKQUOTE"])

    def test_a_table_is_behind_every_picture(self) -> None:
        """In the same row, beside it, or the next one of the view."""
        with self.serve() as server:
            self.browser.open(server.address)
            bare = """
              const tables = (one) => [...one.closest('section').querySelectorAll('table')];
              const behind = (one) => one.closest('table') || tables(one)
                .some((table) => one.compareDocumentPosition(table) & Node.DOCUMENT_POSITION_FOLLOWING);
              return [...document.querySelectorAll('main svg:not(.swatch):not(svg svg)')]
                .filter((one) => !behind(one)).map((one) => one.outerHTML.slice(0, 100));
            """
            self.assertEqual(self.browser.run(bare), [])
            told = (
                "return [...document.querySelectorAll('main svg')]"
                ".filter((one) => !one.closest('[aria-hidden]')).length"
            )
            self.assertEqual(self.browser.run(told), 0, "pictures that are read aloud beside their tables")

    def test_by_keyboard(self) -> None:
        with self.serve() as server:
            self.browser.open(server.address)
            self.browser.press([TAB, ENTER])
            self.assertEqual(self.browser.run("return location.hash"), "#main")
            seen = (
                "const all = [...document.querySelectorAll('main :is(a, summary, [tabindex])')]"
                ".filter((one) => one.checkVisibility());"
            )
            count = self.browser.run(seen + "return all.length")
            reached = set()
            for _ in range(count + 1):
                self.browser.press([TAB])
                reached.add(self.browser.run(seen + "return all.indexOf(document.activeElement)"))
            self.assertEqual(reached - {-1}, set(range(count)))
            self.browser.run("document.querySelector('#jobs summary').focus()")
            self.browser.press([ENTER])
            self.assertTrue(self.browser.run("return document.querySelector('#jobs details').open"))

    def test_axe_finds_nothing(self) -> None:
        webdriver.need_axe(self)
        with self.serve() as server:
            for width in WIDTHS.values():
                for dark in (False, True):
                    self.browser.look(width, dark)
                    self.browser.open(server.address)
                    self.assertEqual(self.browser.faults(), [], f"{width} wide, dark: {dark}")

    def test_rows_are_found(self) -> None:
        with self.serve() as server:
            self.browser.open(server.address)
            self.browser.run("document.querySelector('#q').focus()")
            self.browser.press([*"games", ENTER])
            loaded = "return location.search === '?q=games' && document.readyState === 'complete'"
            self.browser.wait_for(loaded)
            self.assertEqual([row[0][0] for row in self.table("Users")], ["games"])
            self.assertEqual(self.browser.run("return document.querySelector('#q').value"), "games")

    def test_it_follows_without_being_loaded_again(self) -> None:
        with self.serve("--every=1") as server:
            self.browser.open(server.address)
            self.browser.run(
                "window.same = true; document.querySelector('#jobs details').open = true;"
                "document.querySelector('#jobs summary').focus()"
            )
            job = self.cluster.sbatch("-n1", "-t5", "--hold", "-J", "newcomer", user="daemon")
            self.browser.wait_for("return document.querySelector('#jobs').textContent.includes('newcomer')")
            self.cluster.scancel(job)
            self.browser.wait_for("return !document.querySelector('#jobs').textContent.includes('newcomer')")
            kept = (
                "return [window.same, document.querySelector('#jobs details').open,"
                " document.activeElement.tagName]"
            )
            self.assertEqual(self.browser.run(kept), [True, True, "SUMMARY"])
            server.end()
            ended = "return document.querySelector('#state').textContent.includes('maui serve has ended')"
            self.browser.wait_for(ended)

    def test_without_script_the_page_loads_itself(self) -> None:
        with self.serve() as server:
            self.browser.look(script=False)
            self.browser.open(server.address)
            self.browser.look()
            again = "return document.querySelector('noscript meta')?.content"
            self.assertEqual(self.browser.run(again), "3600")

    def test_on_paper(self) -> None:
        with self.serve() as server:
            self.browser.open(server.address)
            paper = self.browser.paper()
            words = ["pdftotext", "-layout", "-", "-"]
            text = subprocess.run(words, input=paper, capture_output=True, check=True).stdout.decode()
            for part in (
                "Your share in words", "MAXGRES[gpu]", "lab.inf", "What could start now",
                "Ranks and priorities", "Those that gain most",
            ):
                self.assertIn(part, text)
            if PICTURES:
                PICTURES.mkdir(parents=True, exist_ok=True)
                (PICTURES / "page.pdf").write_bytes(paper)

    def test_nothing_is_cut_on_paper(self) -> None:
        with self.serve() as server:
            for dark in (False, True):
                self.browser.look(webdriver.PAPER, dark, paper=True)
                self.browser.open(server.address)
                self.assertEqual(self.browser.cut(), [], f"dark: {dark}")

    def test_every_view_fits(self) -> None:
        with self.serve() as server:
            for name, width in WIDTHS.items():
                for dark in (False, True):
                    self.browser.look(width, dark)
                    self.browser.open(server.address)
                    self.assertEqual(self.browser.run("return document.documentElement.scrollWidth"), width)
                    inside = (
                        "const view = document.getElementById(arguments[0]);"
                        "return view.scrollWidth <= view.clientWidth + 1"
                    )
                    for view in VIEWS:
                        self.assertTrue(self.browser.run(inside, view), (view, name))
                        self.draw(view, f"{name}-{'dark' if dark else 'light'}")

    def draw(self, view: str, how: str) -> None:
        """For people to look at."""
        if PICTURES:
            PICTURES.mkdir(parents=True, exist_ok=True)
            (PICTURES / f"{view}-{how}.png").write_bytes(self.browser.picture(f"#{view}"))
