# SPDX-License-Identifier: GPL-2.0-or-later
"""Bad maui.cfg files and odd jobs: a clear message each, and slurmctld goes on."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

from harness import REFUSED, USERS, ClusterTest, replace_file

POLICY = "RMPOLLINTERVAL 2\nQUEUETIMEWEIGHT 0\nRESWEIGHT 1\nPROCWEIGHT 10\n"
PROC_PRIORITY = 10  # of a job with one CPU under POLICY
UNKNOWN_UID = 54321


def text(content: str | bytes) -> Callable[[Path], None]:
    data = content.encode() if isinstance(content, str) else content
    return lambda path: path.write_bytes(data) and None


def sparse(size: int) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        with open(path, "wb") as file:
            file.truncate(size)

    return make


def loop_of_links(path: Path) -> None:
    path.symlink_to(path)


def loop_of_includes(path: Path) -> None:
    other = path.with_name("other.cfg")
    path.write_text(f"{POLICY}#INCLUDE {other}\n")
    other.write_text(f"#INCLUDE {path}\n")


# What is wrong, how to make it, and what the log must say.
CASES: list[tuple[str, Callable[[Path], None], str]] = [
    ("missing", lambda path: None, "No such file"),
    ("a directory", lambda path: path.mkdir(), "directory"),
    ("unreadable", loop_of_links, "symbolic links"),
    ("100 MB", sparse(100 * 1024 * 1024), "more than the limit"),
    ("binary", text(bytes(range(1, 256)) * 64), ":1:"),
    ("with NUL bytes", text(b"PROCWEIGHT 1\0\0\0\nUSERWEIGHT 2\n"), ":1:13: error:"),
    ("a loop of includes", loop_of_includes, "other.cfg:1:"),
    ("a weight beyond 64 bits", text("PROCWEIGHT 99999999999999999999\n"), ":1:12: error:"),
    ("NaN", text("PROCWEIGHT nan\n"), ":1:12: error:"),
    ("1e999", text("USERWEIGHT 1\nPROCWEIGHT 1e999\n"), ":2:12: error:"),
]


# Two errors, in lines 5 and 6, and what is right beside them.
PARTIAL = POLICY + f"FSPOLICY NOSUCH\nUSERCFG[{USERS[0]}] MAXPROC=x PRIORITY=7\nUSERCFG[DEFAULT] MAXJOB=1\n"
# Commands that show what the engine thinks.
SHOWING = [
    ["showconfig"], ["showres"], ["checknode", "n1"], ["showq"],
    *(["diagnose", option] for option in ("-p", "-q", "-u", "-n", "-r")),
]


def remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


class BadInputTest(ClusterTest):
    CLUSTER = dict(
        nodes=1,
        maui_cfg=POLICY,
        slurm_conf="PartitionName=doomed Nodes=ALL MaxTime=UNLIMITED State=UP\n",
    )

    def setUp(self) -> None:
        self.reconfigure_with(text(POLICY))
        self.blocker = self.cluster.sbatch("-n4", "-t60")
        self.cluster.wait_for_state(self.blocker, "RUNNING")

    def tearDown(self) -> None:
        self.cluster.cancel_all()

    def reconfigure_with(self, make: Callable[[Path], None]) -> str:
        """Put another maui.cfg in place and reconfigure; returns what the log says of it."""
        remove(self.cluster.maui_cfg)
        make(self.cluster.maui_cfg)
        return self.cluster.install(refused=None)

    def submit(self, *options: str) -> int:
        job = self.cluster.sbatch("-n1", "-t10", *options, user=USERS[0])
        return int(self.cluster.job(job)["Priority"])

    def test_a_bad_file_on_reconfigure_is_named_and_the_policy_stays(self) -> None:
        for what, make, expected in CASES:
            with self.subTest(what):
                log = self.reconfigure_with(make)
                self.assertIn(expected, log)
                self.assertIn(str(self.cluster.maui_cfg), log)
                self.assertTrue(any(words in log for words in REFUSED), log)
                self.assertEqual(self.submit(), PROC_PRIORITY)

    def test_a_bad_file_at_start_never_stops_slurmctld(self) -> None:
        for what, make, expected in CASES:
            with self.subTest(what):
                remove(self.cluster.maui_cfg)
                make(self.cluster.maui_cfg)
                position = self.cluster.log_position()
                self.cluster.restart()
                log = self.cluster.log_text(position)
                self.assertIn(expected, log)
                self.assertEqual(log.count("the last good copy is in force"), 1)
                self.assertEqual(self.submit(), PROC_PRIORITY)

    def test_without_any_good_copy_the_neutral_policy_holds_and_says_so(self) -> None:
        self.cluster.stop()
        for copy in (self.cluster.dir / "state").rglob("maui.cfg.last-good"):
            copy.unlink()
        self.cluster.maui_cfg.unlink()
        position = self.cluster.log_position()
        self.cluster.start()
        self.assertTrue(self.cluster.log_contains("there is no good copy", position))
        self.assertEqual(self.cluster.maui("status", "--json")["policy"]["source"], "neutral")
        self.assertEqual(self.submit(), 1)  # queue time alone, and none of that yet

    def notes(self, *command: str, user: str | None = None) -> str:
        """What a command says on standard error."""
        return self.cluster.run(["maui", *command], user=user).stderr

    def checks(self, name: str) -> list[dict]:
        done = self.cluster.run(["maui", "doctor", "--json"], check=False)
        return [row for row in json.loads(done.stdout)["checks"] if row["check"] == name]

    def series(self) -> dict[str, str]:
        lines = self.cluster.run(["maui", "metrics"]).stdout.splitlines()
        return dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))

    def test_a_refused_file_is_told_of_wherever_the_engine_is_asked(self) -> None:
        path = self.cluster.maui_cfg
        first = f"{path}:5:10: FSPOLICY: 'NOSUCH'"
        text(PARTIAL)(path)
        done = self.cluster.run(["maui", "schedctl", "-R"], check=False)
        self.assertEqual(done.returncode, 5, done.stderr)
        self.assertIn(first, done.stderr)
        self.assertEqual(done.stdout, "")
        policy = self.cluster.maui("status", "--json")["policy"]
        # A new process does not have the file's policy; the copy is of the same.
        restarted = self.cluster.reconfigures_by_restart()
        source = "last-good-copy" if restarted else "file"
        self.assertEqual((policy["source"], policy["left_out"]), (source, None))
        self.assertEqual((policy["refused"]["path"], policy["refused"]["errors"]), (str(path), 2))
        self.assertRegex(policy["refused"]["lines"][1], rf"^{path}:6:\d+: MAXPROC: 'x'")
        self.assertIn(first, self.cluster.run(["maui", "status"]).stdout)
        for command in SHOWING:
            with self.subTest(command):
                self.assertRegex(self.notes(*command), rf"(?m)^NOTE: .*{path} was refused at .*{first}")
        wrong = [row["text"] for row in self.checks("policy") if row["state"] == "wrong"]
        self.assertTrue(wrong and first in wrong[0], wrong)
        self.assertIn("a restart uses the last good copy", self.checks("maui.cfg")[0]["text"])
        series = self.series()
        self.assertEqual(series['maui_policy_source{source="file"}'], "0")
        former = source if restarted else "former-file"
        self.assertEqual(series[f'maui_policy_source{{source="{former}"}}'], "1")
        self.assertEqual(series["maui_policy_refused"], "1")
        # Lines of maui.cfg are for those who may see it.
        note = self.notes("showres", user=USERS[0])
        self.assertIn("was refused", note)
        self.assertNotIn("NOSUCH", note)
        self.assertEqual(self.submit(), PROC_PRIORITY)

        remove(path)
        done = self.cluster.run(["maui", "schedctl", "-R"], check=False)
        self.assertEqual(done.returncode, 5)
        self.assertIn("No such file", done.stderr)

        text(POLICY)(path)
        self.cluster.run(["maui", "schedctl", "-R"])
        self.assertIsNone(self.cluster.maui("status", "--json")["policy"]["refused"])
        self.assertEqual(self.notes("showres"), "")
        self.assertEqual(self.series()['maui_policy_source{source="file"}'], "1")

    def start_without_good_copy(self, make: Callable[[Path], None]) -> str:
        self.cluster.stop()
        for copy in (self.cluster.dir / "state").rglob("maui.cfg.last-good"):
            copy.unlink()
        remove(self.cluster.maui_cfg)
        make(self.cluster.maui_cfg)
        position = self.cluster.log_position()
        self.cluster.start()
        return self.cluster.log_text(position)

    def test_without_a_good_copy_the_lines_that_are_right_hold(self) -> None:
        path = self.cluster.maui_cfg
        self.cluster.cancel_all()
        log = self.start_without_good_copy(text(PARTIAL))
        first = f"{path}:5:10: FSPOLICY: 'NOSUCH'"
        self.assertIn(first.replace(": FSPOLICY", ": error: FSPOLICY"), log)
        self.assertIn("2 errors and there is no good copy: what they name is left out", log)
        policy = self.cluster.maui("status", "--json")["policy"]
        self.assertEqual((policy["source"], policy["refused"]), ("partial", None))
        self.assertEqual((policy["left_out"]["errors"], len(policy["left_out"]["lines"])), (2, 2))
        self.assertIn(first, self.cluster.run(["maui", "status"]).stdout)
        for command in SHOWING:
            with self.subTest(command):
                notes = self.notes(*command)
                self.assertRegex(notes, rf"(?m)^NOTE: .*{path} has 2 errors")
                self.assertIn(first, notes)
        wrong = [row["text"] for row in self.checks("policy") if row["state"] == "wrong"]
        self.assertTrue(wrong and first in wrong[0], wrong)
        self.assertIn("there is no good copy", self.checks("maui.cfg")[0]["text"])
        self.assertEqual(self.series()['maui_policy_source{source="partial"}'], "1")
        self.assertEqual(self.series()["maui_policy_left_out_errors"], "2")

        values = self.cluster.maui("showconfig", "--json")["values"]
        own = [one["parameter"] for one in values if one["name"] == USERS[0]]
        self.assertEqual(own, ["PRIORITY"], "nothing of the wrong attribute, and all of the right one")
        jobs = [self.cluster.sbatch("-n1", "-t10", user=USERS[0]) for _ in range(2)]
        self.cluster.wait_for_state(jobs[0], "RUNNING")
        self.cluster.wait_for(
            lambda: "MAXJOB limit of 1" in self.cluster.run(["maui", "diagnose", "-q"]).stdout,
            "the second job to be blocked",
        )
        self.assertEqual(self.cluster.job(jobs[1])["JobState"], "PENDING")
        copies = list((self.cluster.dir / "state").rglob("maui.cfg.last-good"))
        self.assertEqual(copies, [], "a part is no good copy")

        # What is in force stays until there is a file without errors, or a new process.
        log = self.reconfigure_with(text(PARTIAL.replace("MAXJOB=1", "MAXJOB=2")))
        policy = self.cluster.maui("status", "--json")["policy"]
        self.assertEqual(policy["source"], "partial")
        if self.cluster.reconfigures_by_restart():
            self.assertEqual((policy["refused"], policy["left_out"]["errors"]), (None, 2))
            self.cluster.wait_for_state(jobs[1], "RUNNING")
        else:
            self.assertIn("the policy that was in force stays", log)
            self.assertEqual(policy["refused"]["errors"], 2)
            self.assertEqual(self.cluster.job(jobs[1])["JobState"], "PENDING")
        self.reconfigure_with(text(POLICY))
        policy = self.cluster.maui("status", "--json")["policy"]
        self.assertEqual((policy["source"], policy["refused"], policy["left_out"]), ("file", None, None))

    def test_what_is_right_is_taken_where_nothing_was_in_force(self) -> None:
        self.cluster.cancel_all()
        log = self.start_without_good_copy(lambda path: None)
        self.assertIn("there is no good copy", log)
        status = self.cluster.maui("status", "--json")["policy"]
        self.assertEqual((status["source"], status["refused"]["errors"]), ("neutral", 0))
        self.assertIn(f"neutral, as {self.cluster.maui_cfg} cannot be used",
                      self.cluster.run(["maui", "status"]).stdout)
        self.reconfigure_with(text(PARTIAL))
        status = self.cluster.maui("status", "--json")["policy"]
        self.assertEqual((status["source"], status["refused"]), ("partial", None))

    def test_an_empty_file_is_the_built_in_defaults(self) -> None:
        log = self.reconfigure_with(text(""))
        self.assertNotIn("error: maui:", log)
        self.assertEqual(self.submit(), 1)

    def test_a_warning_does_not_keep_a_policy_out(self) -> None:
        log = self.reconfigure_with(text(POLICY.replace("PROCWEIGHT 10", "PROCWEIGT 7\nPROCWEIGHT 20")))
        self.assertIn(":4:1: warning:", log)
        self.assertIn("PROCWEIGHT", log.split(":4:1: warning:")[1].splitlines()[0])
        self.assertEqual(self.submit(), 20)

    def test_a_job_without_time_limit_account_and_qos_gets_a_priority(self) -> None:
        self.reconfigure_with(text(POLICY + "XFACTORWEIGHT 1000\nWALLTIMEWEIGHT 1\nPSWEIGHT 1\n"))
        job = self.cluster.sbatch("-n1", user=USERS[0])
        self.assertEqual(self.cluster.job(job)["TimeLimit"], "UNLIMITED")
        # 2,140,000,000 seconds each beat Maui's greatest priority.
        self.assertEqual(self.cluster.job(job)["Priority"], "1000000000")

    def test_a_job_of_a_user_whom_the_machine_does_not_know_has_the_default_priority(self) -> None:
        self.reconfigure_with(
            text(POLICY + f"USERWEIGHT 1\nUSERCFG[DEFAULT] PRIORITY=40\nUSERCFG[{USERS[0]}] PRIORITY=7\n")
        )
        done = self.cluster.run(
            ["setpriv", f"--reuid={UNKNOWN_UID}", f"--regid={UNKNOWN_UID}", "--clear-groups",
             "sbatch", "--parsable", "-D", "/", "-n1", "-t10", "--wrap", "true"],
            check=False,
        )
        if done.returncode == 0:
            self.assertEqual(self.cluster.job(int(done.stdout))["Priority"], "50")
            users = {row["user"] for row in self.cluster.maui("diagnose", "-p", "--json")["jobs"]}
            self.assertIn(str(UNKNOWN_UID), users)
        else:  # Slurm itself may refuse such a user; then it must be Slurm who says so
            self.assertIn("Invalid user id", done.stderr)
        self.assertEqual(self.submit(), 17)

    def test_users_of_maui_cfg_whom_the_machine_does_not_know_are_named(self) -> None:
        log = self.reconfigure_with(text(POLICY + "USERWEIGHT 1\nUSERCFG[nosuchuser] PRIORITY=7\n"))
        self.assertIn("there is no user 'nosuchuser'", log)
        position = self.cluster.log_position()
        self.cluster.restart()
        self.cluster.wait_for(
            lambda: self.cluster.log_contains("there is no user 'nosuchuser'", position),
            "the name to be said at start, too",
        )
        self.assertEqual(self.submit(), PROC_PRIORITY)

    def test_very_many_unknown_users_are_counted_and_not_all_named(self) -> None:
        lines = "".join(f"USERCFG[nosuch{number}] PRIORITY=7\n" for number in range(120))
        position = self.cluster.log_position()
        self.reconfigure_with(text(POLICY + "USERWEIGHT 1\n" + lines))
        # At the start of a process its thread looks them up, after the policy is in force.
        last = "for 70 more names in maui.cfg there is no user on this machine"
        self.cluster.wait_for(lambda: self.cluster.log_contains(last, position), "the count")
        self.assertEqual(self.cluster.log_text(position).count("there is no user 'nosuch"), 50)

    def test_a_partition_that_is_deleted_while_jobs_wait_in_it_harms_nobody(self) -> None:
        inside = self.cluster.sbatch("-n1", "-t10", "--partition=doomed", user=USERS[0])
        both = self.cluster.sbatch("-n1", "-t10", "--partition=doomed,batch", user=USERS[0])
        configuration = self.cluster.dir / "etc" / "slurm.conf"
        before = configuration.read_text()
        try:
            replace_file(
                configuration,
                "".join(
                    line for line in before.splitlines(keepends=True)
                    if not line.startswith("PartitionName=doomed")
                )
            )
            self.reconfigure_with(text(POLICY))
            self.assertNotEqual(self.cluster.job(inside)["JobState"], "RUNNING")
            self.assertEqual(self.submit(), PROC_PRIORITY)
            self.cluster.maui("diagnose", "-p", "--json")
            self.cluster.run(["sprio", "-l"])
            self.cluster.restart()
            self.assertEqual(self.submit(), PROC_PRIORITY)
            self.cluster.run(["scancel", str(both)], check=False)
        finally:
            replace_file(configuration, before)
            self.cluster.restart()
