# SPDX-License-Identifier: GPL-2.0-or-later
"""`maui disable`: nothing of Maui's is left in Slurm, through restarts, so that it goes on with its own
plugins; `maui enable`: all is as before. And what `maui doctor` says on the way.
"""

from __future__ import annotations

import json
import re
import unittest
from pathlib import Path
from typing import Any

from harness import Cluster, replace_file
from reservation_model import FAST, show_reservations, wait_for_instances

POLICY = (
    FAST
    + """\
ADMIN1 root man
ADMIN2 sys
CREDWEIGHT 1
USERWEIGHT 1
ENABLENEGJOBPRIORITY TRUE
REJECTNEGPRIOJOBS TRUE
USERCFG[games] MAXJOB=1
USERCFG[bin] PRIORITY=-3000
SRCFG[own] PERIOD=INFINITY HOSTLIST=n2 USERLIST=daemon
SRCFG[hall] PERIOD=INFINITY HOSTLIST=n3 USERLIST=daemon FLAGS=BYNAME
"""
)
OURS = {"own.inf": "n2", "hall.inf": "n3", "SYSTEM.0": "n4"}
# Anything that the engine writes into Slurm's records of jobs.
TRACES = re.compile(r"MAXJOB|negative.priority|REJECTNEG|maui", re.IGNORECASE)
WEIGHTS = {
    f"#PriorityWeight{factor}" for factor in ("Age", "Assoc", "Fairshare", "JobSize", "Partition", "QOS")
}
# The site's own values.
BEFORE = {"PriorityType": "priority/multifactor", "PriorityWeightAge": "1000", "SelectType": "select/cons_tres"}
VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)")

Data = dict[str, Any]


class DisableTest(unittest.TestCase):
    cluster: Cluster

    def setUp(self) -> None:
        self.cluster = self.enterContext(Cluster(nodes=4, cpus=4, maui_cfg=POLICY))
        wait_for_instances(self.cluster, {"own.inf": "n2", "hall.inf": "n3"})

    # --- what is there

    @property
    def slurm_conf(self) -> Path:
        return self.cluster.dir / "etc" / "slurm.conf"

    @property
    def state(self) -> Path:
        return self.cluster.dir / "state" / "maui"

    def submit(self, *options: str, user: str) -> int:
        return self.cluster.sbatch("-n1", "-t60", *options, user=user)

    def reason(self, job: int) -> str:
        return self.cluster.job(job).get("Reason", "")

    def doctor(self, user: str | None = None) -> tuple[int, list[Data]]:
        done = self.cluster.run(["maui", "doctor", "--json"], user=user, check=False)
        data = json.loads(done.stdout)
        self.assertEqual(data["schema"], "maui.doctor/1", done.stderr)
        for word in ("ok", "unseen", "warn", "wrong"):
            self.assertEqual(data[word], sum(row["state"] == word for row in data["checks"]))
        return done.returncode, data["checks"]

    def finding(self, rows: list[Data], check: str, state: str, pattern: str) -> Data:
        """The row; what is not ok has a remedy."""
        for row in rows:
            if row["check"] == check and row["state"] == state and re.search(pattern, row["text"]):
                self.assertEqual(state in ("warn", "wrong"), bool(row["remedy"]), row)
                return row
        raise AssertionError(f"no {check} {state} /{pattern}/ in {json.dumps(rows, indent=1)}")

    def fill(self) -> dict[str, int]:
        """Jobs that run with a pass, and such that the engine holds back."""
        jobs = {"inside": self.submit("-w", "n2", user="daemon")}
        jobs["named"] = self.submit("--reservation=hall", user="daemon")
        jobs["first"] = self.submit("-w", "n1", user="games")
        for job in jobs.values():
            self.cluster.wait_for_state(job, "RUNNING")
        jobs["parked"] = self.submit("-w", "n1", user="games")
        jobs["rejected"] = self.submit("-w", "n1", user="bin")
        self.cluster.wait_for(lambda: "MAXJOB" in self.reason(jobs["parked"]), "the limit's reason")
        self.cluster.wait_for(
            lambda: self.cluster.job(jobs["rejected"])["Priority"] == "0", "the rejection"
        )
        name = self.cluster.maui("setres", "--json", "n4")["name"]
        self.assertEqual(name, "SYSTEM.0")
        return jobs

    def assert_clean(self, jobs: dict[str, int]) -> None:
        """Nothing of ours; every job runs."""
        self.assertEqual(show_reservations(self.cluster), {})
        for job in jobs.values():
            self.cluster.wait_for_state(job, "RUNNING")
            # Its files lie in a directory of that name; a name of a reservation in the comment is the user's.
            told = {key: value for key, value in self.cluster.job(job).items() if "/" not in value}
            self.assertNotRegex(" ".join(told.values()), TRACES)

    # --- the tests

    def test_a_removal_and_the_way_back(self) -> None:
        jobs = self.fill()
        self.refuses_who_may_not()
        data = self.disable()
        self.assert_clean(jobs)
        self.stays_disabled(jobs)
        self.before = self.slurm_conf.read_text()
        self.goes_on_with_the_lines_of_before(jobs)
        self.goes_on_without_us(jobs, data["slurm_conf_lines"])
        self.comes_back(jobs)

    def refuses_who_may_not(self) -> None:
        for user in ("daemon", "sys"):
            for command in ("disable", "enable"):
                done = self.cluster.run(["maui", command], user=user, check=False)
                self.assertEqual(done.returncode, 5, done.stdout + done.stderr)
                self.assertIn("ADMIN1", done.stderr)
        self.assertEqual(set(show_reservations(self.cluster)), set(OURS))
        self.assertFalse((self.state / "disabled").exists())

    def disable(self) -> Data:
        data = self.cluster.maui("disable", "--json", user="man")
        self.assertEqual(data["schema"], "maui.disable/1")
        self.assertTrue(data["disabled"] and data["finished"], data)
        for rest in ("blocked_jobs", "rejected_jobs", "passes", "reservation_count"):
            self.assertEqual(data[rest], 0, data)
        return data

    def stays_disabled(self, jobs: dict[str, int]) -> None:
        """Also after kill -9; priorities are Maui's."""
        after = self.cluster.log_position()
        self.cluster.wait_until_saved(jobs["inside"])
        self.cluster.restart(kill=True)
        self.cluster.wait_for(
            lambda: self.cluster.maui("status", "--json")["iteration"] >= 2, "iterations"
        )
        status = self.cluster.maui("status", "--json")
        self.assertTrue(status["disabled"])
        loaded = {one["type"]: one["slurm_version"] for one in status["plugins"]}
        select = "select/cons_tres_maui" if self.cluster.names_our_select() else "select/cons_tres"
        self.assertEqual(set(loaded), {"priority/maui", select, "job_submit/maui", "libslurm_maui"})
        self.assertEqual(set(loaded.values()), {status["slurm_version"]})
        self.assertEqual(self.cluster.log_text(after).count("maui: disabled: only priorities"), 1)
        self.assert_clean(jobs)
        jobs["more"] = self.submit("-w", "n3", user="games")
        self.cluster.wait_for_state(jobs["more"], "RUNNING")
        waiting = self.submit("--begin=now+1hour", user="bin")
        self.cluster.wait_for(
            lambda: -3000 <= int(self.cluster.job(waiting)["Priority"]) - (1 << 30) < -2500,
            "its priority",
        )
        self.cluster.scancel(waiting)
        done = self.cluster.run(["maui", "setres", "n1"], check=False)
        self.assertEqual(done.returncode, 5)
        self.assertIn("maui enable", done.stderr)
        done = self.cluster.run(
            ["sbatch", "--reservation=hall", "--wrap", "true"], user="daemon", check=False
        )
        self.assertNotEqual(done.returncode, 0)
        code, rows = self.doctor()
        self.assertEqual(code, 1)
        self.finding(rows, "state directory", "warn", "/disabled:")
        self.assertEqual(self.finding(rows, "engine", "warn", "disabled")["remedy"], "maui enable")

    def write_before(self) -> None:
        """The slurm.conf of the day before the switch, as install.md has it copied."""
        text = self.slurm_conf.read_text()
        text = re.sub(r"(?m)^(PriorityParameters|JobSubmitPlugins)=.*\n", "", text)
        text = re.sub(r"(?m)^PluginDir=.*:", "PluginDir=", text)
        text = re.sub(r"(?m)^PriorityWeight(Assoc|Fairshare|JobSize|Partition|QOS)=.*\n", "", text)
        for key, value in BEFORE.items():
            text, count = re.subn(rf"(?m)^{key}=.*$", f"{key}={value}", text)
            self.assertEqual(count, 1, key)
        self.slurm_conf.with_name("slurm.conf.before-maui").write_text(text)

    def goes_on_with_the_lines_of_before(self, jobs: dict[str, int]) -> None:
        """What remains after the way back is a system priority: it is counted, and can be removed there."""
        first = self.submit("--begin=now+1hour", user="games")
        self.cluster.run(["maui", "setspri", "7", str(first)])
        self.write_before()
        data = self.disable()
        self.assertEqual(data["slurm_conf_before"], f"{self.slurm_conf}.before-maui")
        self.assertEqual((data["system_priorities"], data["system_priority_jobs"]), (1, [first]))
        self.assertEqual(data["removal"], "ninja -C build uninstall", data)
        self.assertTrue(data["plugin"].endswith("/priority_maui.so"), data)
        self.apply(data["slurm_conf_lines"])
        config = self.cluster.config()
        found = {key: config[key] for key in BEFORE}
        self.assertEqual(found, BEFORE)
        self.assertEqual(config["PriorityWeightQOS"], "0")
        self.assert_clean(jobs)
        self.cluster.run(["scontrol", "update", f"job={first}", "starttime=now+2hours"])
        self.assertGreater(int(self.cluster.job(first)["Priority"]), 2_000_000_000)
        self.cluster.run(["maui", "setspri", "0", str(first)])
        self.cluster.wait_for(
            lambda: int(self.cluster.job(first)["Priority"]) < 1_000_000_000, "Slurm's own priority"
        )
        self.cluster.scancel(first)
        replace_file(self.slurm_conf, self.before)
        self.cluster.restart()

    def apply(self, lines: list[str]) -> None:
        """As an administrator does who has been told these lines."""
        text = self.slurm_conf.read_text()
        for line in lines:
            key = line.partition("=")[0].removeprefix("#")
            text, count = re.subn(rf"(?m)^{key}=.*$", line, text)
            self.assertEqual(count, 1, key)
        replace_file(self.slurm_conf, text)
        self.cluster.restart()

    def goes_on_without_us(self, jobs: dict[str, int], lines: list[str]) -> None:
        """With the lines that disable has printed."""
        select = {"SelectType"} if self.cluster.names_our_select() else set()
        self.assertEqual(
            {line.partition("=")[0] for line in lines},
            {"PriorityType", "#PriorityParameters", "PluginDir", "#JobSubmitPlugins", "SchedulerParameters"}
            | WEIGHTS
            | select,
        )
        self.apply(lines)
        config = self.cluster.config()
        self.assertEqual(config["PriorityType"], "priority/multifactor")
        self.assertEqual(config["SelectType"], "select/cons_tres")
        weights = {key.casefold() for key in WEIGHTS}  # scontrol has them in other cases
        found = {key: value for key, value in config.items() if f"#{key.casefold()}" in weights}
        self.assertEqual((len(found), set(found.values())), (len(WEIGHTS), {"0"}), found)
        self.assertNotIn("bf_min_prio_reserve", config["SchedulerParameters"])
        self.assert_clean(jobs)
        code, rows = self.doctor()
        self.assertEqual(code, 1)
        self.finding(rows, "PriorityType", "warn", "multifactor")

    def comes_back(self, jobs: dict[str, int]) -> None:
        replace_file(self.slurm_conf, self.before)
        self.cluster.restart()
        self.assertTrue(self.cluster.maui("status", "--json")["disabled"])
        self.assertEqual(self.cluster.run(["maui", "enable"]).stdout, "enabled: maui.cfg is in force\n")
        wait_for_instances(self.cluster, OURS)
        self.assertFalse((self.state / "disabled").exists())
        parked = self.submit(user="games")
        self.cluster.wait_for(lambda: "MAXJOB" in self.reason(parked), "the limit's reason")
        for job in jobs.values():
            self.assertEqual(self.cluster.job(job)["JobState"], "RUNNING")
        code, rows = self.doctor()
        self.assertEqual(code, 0, rows)

    def test_doctor_finds_what_is_wrong(self) -> None:
        code, rows = self.doctor()
        found = [(row["check"], row["state"]) for row in rows if row["state"] != "ok"]
        self.assertEqual((code, found), (0, [("slurm.conf", "unseen")]), "there is no slurm.conf.before-maui")
        version = self.finding(rows, "libslurm_maui", "ok", "built for")["text"].split()[-1]
        self.sees_less_as_a_user()
        self.finds_a_damaged_file()
        self.finds_what_slurm_conf_lacks()
        self.finds_another_version(version)
        self.finds_a_missing_directory()
        self.works_without_slurmctld()

    def sees_less_as_a_user(self) -> None:
        code, rows = self.doctor(user="daemon")
        self.assertEqual(code, 0)
        self.finding(rows, "state directory", "unseen", "Permission denied")
        self.finding(rows, "engine", "ok", "primary")

    def finds_a_damaged_file(self) -> None:
        (self.state / "setres").write_text("no such file\n")
        self.cluster.restart()
        code, rows = self.doctor()
        self.assertEqual(code, 1)
        found = self.finding(rows, "state directory", "warn", r"setres\.damaged")
        self.assertIn("rm", found["remedy"])
        (self.state / "setres.damaged").unlink()

    def finds_what_slurm_conf_lacks(self) -> None:
        before = self.slurm_conf.read_text()
        replace_file(self.slurm_conf, re.sub(r"(?m)^JobSubmitPlugins=.*\n", "", before))
        code, rows = self.doctor()
        self.assertEqual(code, 1)
        found = self.finding(rows, "JobSubmitPlugins", "warn", "--reservation=NAME")
        self.assertIn("JobSubmitPlugins=maui", found["remedy"])
        replace_file(self.slurm_conf, before)

    def finds_another_version(self, version: str) -> None:
        """A plugin of the day before the upgrade."""
        numbers = VERSION.search(version)
        assert numbers
        major, minor, micro = (int(number) for number in numbers.groups())
        mine = (major << 16 | minor << 8 | micro).to_bytes(4, "little")
        other = (major << 16 | minor << 8 | micro + 1).to_bytes(4, "little")
        before = self.slurm_conf.read_text()
        directories = re.search(r"(?m)^PluginDir=(.*)$", before)
        assert directories
        source = next(
            path
            for path in (Path(one) / "priority_maui.so" for one in directories[1].split(":"))
            if path.exists()
        )
        old = self.cluster.home / "old"
        old.mkdir()
        content = source.read_bytes()
        self.assertIn(mine, content)
        (old / "priority_maui.so").write_bytes(content.replace(mine, other))
        replace_file(self.slurm_conf, before.replace("PluginDir=", f"PluginDir={old}:"))
        code, rows = self.doctor()
        self.assertEqual(code, 2)
        found = self.finding(rows, "priority/maui", "wrong", "was built for Slurm")
        self.assertIn(f"{major}.{minor:02}.{micro + 1}", found["text"])
        self.assertIn("meson install", found["remedy"])
        replace_file(self.slurm_conf, before)

    def finds_a_missing_directory(self) -> None:
        before = self.slurm_conf.read_text()
        gone = self.cluster.home / "gone"
        replace_file(self.slurm_conf, before.replace("PluginDir=", f"PluginDir={gone}:"))
        code, rows = self.doctor()
        self.assertEqual(code, 2)
        found = self.finding(rows, "PluginDir", "wrong", "does not exist")
        self.assertEqual(found["remedy"], f"mkdir -p {gone}")
        replace_file(self.slurm_conf, before)

    def works_without_slurmctld(self) -> None:
        self.cluster.stop()
        code, rows = self.doctor()
        self.assertEqual(code, 1)
        self.finding(rows, "slurmctld", "warn", "does not answer")
        self.finding(rows, "engine", "unseen", "slurmctld does not answer")
        self.finding(rows, "priority/maui", "ok", "built for Slurm")
        text = self.cluster.run(["maui", "doctor"], check=False)
        self.assertRegex(text.stdout, r"(?m)^warn   slurmctld: does not answer")
        self.assertRegex(text.stdout, r"(?m)^ok     maui\.cfg: ")
