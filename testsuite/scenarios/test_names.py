# SPDX-License-Identifier: GPL-2.0-or-later
"""A name service that is down, and one that learns names later: no limit is exceeded, nobody is let
in who must not be, and nobody who was known is shut out."""

from __future__ import annotations

import pwd

from names_case import AGAIN, NOT_SAID, NamesCase
from test_fairshare import Files, directory, stamp, wait_for_files


class NamesTest(NamesCase):
    def test_limits_and_lists_stay_while_it_is_down(self) -> None:
        self.start(
            "USERCFG[daemon] MAXJOB=1\nGROUPCFG[sys] MAXPROC=2\nSRCFG[keep] PERIOD=INFINITY HOSTLIST=n2 USERLIST=games,!bin\n"
        )
        bin_job = self.submit("bin")  # known by his job
        self.settle_as(bin_job, 1, "")
        self.say(AGAIN)
        self.cluster.reconfigure()
        self.cluster.wait_for(lambda: self.unanswered() == 4, "the outage to be noticed", 60)
        self.settle_as(self.submit("daemon", 3), 1, "MAXJOB limit of 1 for user daemon")
        self.settle_as(self.submit("sys", 3), 2, "MAXPROC limit of 2 for group sys")
        self.cluster.cancel_all()
        self.cluster.restart()
        self.cluster.wait_for(lambda: self.unanswered() == 4, "the outage to be noticed", 60)
        self.settle_as(self.submit("daemon", 3), 1, "MAXJOB limit of 1 for user daemon")
        self.settle_as(self.submit("bin"), 1, "")
        self.say("")
        self.cluster.wait_for(lambda: self.unanswered() == 0, "the outage to be over", 120)
        self.settle_as(self.submit("daemon", 1), 0, "MAXJOB limit of 1 for user daemon")

    def test_who_could_be_a_name_never_known_waits(self) -> None:
        self.say(AGAIN)
        self.start("USERCFG[daemon] MAXJOB=1\n")
        jobs = self.submit("daemon", 2) + self.submit("bin")
        self.settle_as(jobs, 0, NOT_SAID)
        self.say("")
        self.settle_as(jobs, 2, "MAXJOB limit of 1 for user daemon")
        self.assertEqual(self.settle(jobs[2:]), [""])

    def test_who_is_made_later_is_limited_from_the_first_job(self) -> None:
        self.edit("passwd", r"^daemon:.*\n", "")
        self.edit("group", r"^sys:.*\n", "")
        self.start("USERCFG[daemon] MAXJOB=1\nGROUPCFG[sys] MAXPROC=2\n")
        self.cluster.wait_for(
            lambda: "there is no user 'daemon' on this machine" in self.cluster.log_text(),
            "the names to be asked for", 60,
        )
        (self.names / "passwd").unlink()
        (self.names / "group").unlink()
        jobs = self.submit("daemon", 3)
        self.settle_as(jobs, 1, "MAXJOB limit of 1 for user daemon")
        more = self.submit("sys", 3)
        self.settle_as(more, 2, "MAXPROC limit of 2 for group sys")
        started = [
            row for row in self.cluster.squeue() if row["state"] == "RUNNING" and int(row["id"]) in jobs
        ]
        self.assertEqual(len(started), 1)

    def test_who_is_made_later_gets_into_the_reservations_of_his_name(self) -> None:
        self.edit("passwd", r"^daemon:.*\n", "")
        self.edit("group", r"^sys:.*\n", "")
        self.start(
            "SRCFG[own] PERIOD=INFINITY HOSTLIST=n1 USERLIST=daemon\n"
            "SRCFG[group] PERIOD=INFINITY HOSTLIST=n2 GROUPLIST=sys\n"
            "USERCFG[daemon] MAXJOB=2\n"
        )
        self.cluster.wait_for(
            lambda: "there is no user 'daemon' on this machine" in self.cluster.log_text(),
            "the names to be asked for", 60,
        )
        (self.names / "passwd").unlink()
        (self.names / "group").unlink()
        for user, node in (("daemon", "n1"), ("sys", "n2")):
            other = self.cluster.sbatch("-w", node, user="bin")
            job = self.cluster.sbatch("-w", node, user=user)
            self.cluster.wait_for_state(job, "RUNNING")
            self.assertEqual(self.cluster.job(other)["JobState"], "PENDING", node)
        limits = self.cluster.maui("diagnose", "-u", "daemon", "--json")["credentials"][0]["limits"]
        self.assertEqual([(limit["name"], limit["usage"]) for limit in limits], [("MAXJOB", 1)])
        self.assertIn("daemon+", self.cluster.run(["maui", "diagnose", "-r"]).stdout)

    def test_who_is_made_anew_has_the_limits_of_his_name(self) -> None:
        """Two users have each other's uid now."""
        old = {name: pwd.getpwnam(name).pw_uid for name in ("daemon", "sync")}
        self.start("USERCFG[daemon] MAXJOB=1\n")
        self.settle_as(self.submit("daemon", 2), 1, "MAXJOB limit of 1 for user daemon")
        self.cluster.cancel_all()
        self.edit(
            "passwd", r"^(daemon|sync):x:\d+:",
            lambda found: f"{found[1]}:x:{old['sync' if found[1] == 'daemon' else 'daemon']}:",
        )
        self.cluster.install()
        # Commands become the uid that the machine has for a name.
        self.settle_as(self.submit("sync", 2), 1, "MAXJOB limit of 1 for user daemon")
        self.settle_as(self.submit("daemon", 2), 2, "")

    def test_groups_of_many_members(self) -> None:
        members = ",".join(f"member{number}" for number in range(100000))  # more than 1 MB
        self.edit("group", r"^sys:x:(\d+):.*", rf"huge:x:7777:{members}\nsys:x:\1:{members}")
        self.start("GROUPCFG[sys] MAXPROC=2\n")
        self.settle_as(self.submit("sys", 3), 2, "MAXPROC limit of 2 for group sys")
        self.assertEqual(self.unanswered(), 0)

    def test_digits_are_a_name_and_a_number(self) -> None:
        """games' uid loses its name, and daemon gets it as his."""
        digits = str(pwd.getpwnam("games").pw_uid)
        self.say("notfound\n")  # games is never known by name
        self.start(
            "RMPOLLINTERVAL 1\nFSPOLICY DEDICATEDPS\nFSINTERVAL 24:00:00\nFSDEPTH 2\nFSDECAY 1\nCHECKPOINTINTERVAL 5\n"
        )
        self.use("games")
        self.cluster.wait_for(lambda: self.shares(digits).get(True), "usage of a uid without a name")
        self.edit(
            "passwd", r"^(daemon|games):(.*\n)",
            lambda found: f"{digits}:{found[2]}" if found[1] == "daemon" else "",
        )
        self.say("")
        self.use("daemon")
        self.cluster.wait_for(
            lambda: len(self.shares(digits)) == 2, "the user named like the number", 120
        )
        before = self.shares(digits)
        self.cluster.restart()
        self.assertEqual(self.shares(digits), before)
        files = Files(directory(self.cluster))
        self.assertEqual(files.of("User", digits), before[True])
        self.assertEqual(files.of("User", f'"{digits}"'), before[False])

    def use(self, user: str) -> None:
        """Whole seconds of a processor, which are over."""
        job = self.cluster.sbatch(user=user, wrap="sleep 2")
        self.cluster.wait_for_state(job, "COMPLETED")
        wait_for_files(self.cluster, stamp(self.cluster.job(job)["EndTime"]))

    def shares(self, name: str) -> dict[bool, float]:
        """Usage of the rows of users of this name, by whether it is only a number."""
        rows = self.cluster.maui("diagnose", "-f", "--json")["credentials"]["user"]
        return {row.get("unnamed", False): row["usage"] for row in rows if row["name"] == name}
