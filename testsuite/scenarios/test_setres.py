# SPDX-License-Identifier: GPL-2.0-or-later
"""Administrative reservations: `maui setres`, `maui releaseres`, with real jobs; who may make them,
who gets in, and that they outlive whatever happens to slurmctld.
"""

from __future__ import annotations

import json
import time
import unittest
from typing import Any

from harness import Cluster
from reservation_model import (
    FAST,
    OPEN,
    PARTITIONS,
    PREEMPTION,
    SLURM_CONF,
    ReservationTest,
    epoch,
    expand,
    install,
    nodes_of,
    show_reservations,
    today,
    wait_for_instances,
)

ADMINS = "ADMIN1 root man\nADMIN2 sys\nADMIN3 news\n"
FOREVER = 2140000000 - 1

Data = dict[str, Any]


class SetresTest(ReservationTest):
    """Each test begins without jobs and reservations."""

    CLUSTER = dict(
        nodes=4,
        cpus=4,
        maui_cfg=FAST + ADMINS,
        slurm_conf=SLURM_CONF + PREEMPTION + PARTITIONS,
    )

    def setUp(self) -> None:
        self.release_all()
        super().setUp()

    def tearDown(self) -> None:
        self.release_all()
        super().tearDown()

    def configure(self, maui_cfg: str, **instances: str) -> None:
        super().configure(ADMINS + maui_cfg, **instances)

    # --- the commands

    def administrative(self) -> dict[str, Data]:
        rows = self.cluster.maui("showres", "--json")["reservations"]
        return {row["name"]: row for row in rows if row.get("administrative")}

    def setres(self, *words: str, user: str | None = None) -> str:
        """Its name; it is there, in Slurm, too."""
        data = self.cluster.maui("setres", "--json", *words, user=user)
        self.assertEqual(data["schema"], "maui.set-reservation/1")
        name = data["name"]
        there = show_reservations(self.cluster)[name]
        self.assertEqual(nodes_of(there), expand(data["nodes"]))
        self.assertEqual(there["MaxStartDelay"], OPEN)
        self.assertEqual({one["node"] for one in data["by_node"]}, expand(data["nodes"]))
        return name

    def refused(self, *words: str, user: str | None = None) -> str:
        """What is said; nothing is there that was not there before."""
        before = show_reservations(self.cluster)
        done = self.cluster.run(["maui", "setres", *words], user=user, check=False)
        self.assertIn(done.returncode, (2, 5), done.stdout + done.stderr)
        self.assertEqual(show_reservations(self.cluster), before)
        self.assertEqual(set(self.administrative()) - set(before), set())
        return done.stderr

    def releaseres(self, *names: str, user: str | None = None) -> str:
        """Both of its outputs."""
        done = self.cluster.run(["maui", "releaseres", *names], user=user, check=False)
        return done.stdout + done.stderr

    def release_all(self) -> None:
        names = list(self.administrative())
        if names:
            self.releaseres(*names)
        # Of many at once the service does not await the outcome, nor does Slurm answer meanwhile.
        self.cluster.wait_for(self.none_is_left, "them to be released")

    def none_is_left(self) -> bool:
        done = self.cluster.run(["maui", "showres", "--json"], check=False)
        if done.returncode != 0:
            return False
        return not any(row.get("administrative") for row in json.loads(done.stdout)["reservations"])

    def nodes(self, name: str) -> set[str]:
        return nodes_of(show_reservations(self.cluster)[name])

    def state_file(self) -> str:
        return (self.cluster.dir / "state" / "maui" / "setres").read_text()


class WhoGetsIn(SetresTest):
    def test_into_a_system_reservation_nobody(self) -> None:
        """Not root, not who asks for it by name, not who uses Slurm's own interface; but who was there
        before goes on."""
        before = self.submit("-n1", "-w", "n1")
        self.cluster.wait_for_state(before, "RUNNING")
        name = self.setres("n[1-3]")
        self.assertRegex(name, r"^SYSTEM\.\d+$")
        jobs = [
            self.submit("-n1", "-w", "n1"),
            self.submit("-n1", "-w", "n2", user="root"),
            self.submit("-n1", "-w", "n3", f"--reservation={name}"),
            self.submit("-n1", "-w", "n3", f"--reservation={name}", user="root"),
            self.submit("-n1", "-w", "n2", f"--comment=x=ADVRES:{name}", user="man"),
            self.submit("-n1", "-w", "n2", "-t60", "--signal=R:USR1@10", user="bin"),
        ]
        self.waits(*jobs)
        self.assertEqual(self.cluster.job(before)["JobState"], "RUNNING")
        self.releaseres(name)
        for job in jobs[:2]:
            self.cluster.wait_for_state(job, "RUNNING")

    def test_lists_of_all_kinds(self) -> None:
        """Each list lets in whom it names, and nobody else."""
        group = self.cluster.run(["id", "-gn", "bin"]).stdout.strip()
        for words, good, bad in (
            (["-u", "daemon"], {"user": "daemon"}, {"user": "bin"}),
            (["-g", group], {"user": "bin"}, {"user": "daemon"}),
            (["-a", "physics"], {"options": ("--account=physics",)}, {}),
            (["-q", "interactive"], {"options": ("-pinteractive",)}, {"options": ("-pbatch",)}),
            (["-u", "daemon", "-u", "!bin", "-c", "batch"], {"user": "daemon"}, {"user": "bin"}),
        ):
            with self.subTest(words=words):
                name = self.setres(*words, "n1")
                options = ("-n1", "-t1", "-w", "n1")
                outside = self.submit(*options, *bad.get("options", ()), user=bad.get("user", "daemon"))
                inside = self.submit(*options, *good.get("options", ()), user=good.get("user", "daemon"))
                self.cluster.wait_for_state(inside, "RUNNING")
                self.waits(outside)
                self.releaseres(name)
                self.cluster.wait_for_state(outside, "RUNNING")
                self.cluster.cancel_all()

    def test_affinity_and_stacking(self) -> None:
        """A negative mark keeps jobs away as long as there is other room; two reservations of one
        node must both let in."""
        self.setres("-u", "daemon-:bin", "n1")
        self.assertEqual(self.lands("-n1"), {"n2"})
        self.assertEqual(self.lands("-n1", user="bin"), {"n1"})
        self.setres("-u", "bin", "n1")
        self.assertEqual(self.lands("-n1", "-w", "n1", user="bin"), {"n1"})
        self.waits(self.submit("-n1", "-w", "n1"))

    def test_by_name(self) -> None:
        name = self.setres("-x", "BYNAME", "-u", "daemon", "-n", "foo", "n1")
        self.assertRegex(name, r"^foo\.\d+$")
        without = self.submit("-n1", "-w", "n1")
        self.assertEqual(self.lands("-n1", f"--reservation={name}"), {"n1"})
        self.waits(without)

    def test_a_single_use(self) -> None:
        """It goes with the first job, and does not come back."""
        name = self.setres("-x", "SINGLEUSE", "-u", "daemon", "n1")
        job = self.submit("-n1", "-w", "n1", wrap="true")
        self.cluster.wait_for_state(job, "COMPLETED")
        self.cluster.wait_for(lambda: name not in self.administrative(), "it to go")
        self.cluster.wait_for(lambda: name not in self.state_file(), "the file to be without it")
        self.cluster.wait_until_saved(self.submit("-H"))  # or the next job has the same number
        self.cluster.restart(kill=True)
        self.assertEqual(self.lands("-n1", "-w", "n1", user="bin"), {"n1"})
        self.assertEqual(self.administrative(), {})


class WhatItHolds(SetresTest):
    def test_hosts_whatever_is_there(self) -> None:
        """Names, ranges, expressions, ALL, several; of a partition; and at most so many."""
        for i in range(1, 5):
            self.cluster.wait_for_state(self.submit("-n4", "-w", f"n{i}"), "RUNNING")
        for words, nodes in (
            (["n2"], "n2"),
            (["n[1-2]"], "n[1-2]"),
            (["^n(1|3)$"], "n[1,3]"),
            (["n1", "n4"], "n[1,4]"),
            (["ALL"], "n[1-4]"),
            (["-p", "few", "all"], "n[1-2]"),
            (["-t", "3", "ALL"], "n[1-3]"),
        ):
            with self.subTest(words=words):
                self.assertEqual(self.nodes(self.setres(*words)), expand(nodes))

    def test_tasks_of_what_is_free(self) -> None:
        self.cluster.wait_for_state(self.submit("-n1", "-w", "n1"), "RUNNING")
        self.assertEqual(self.nodes(self.setres("-d", "10:00:00", "TASKS==1")), {"n2"})
        self.assertIn("2 of 3 tasks", self.refused("TASKS==3"))
        more = self.setres("-n", "more", "-t", "9", "TASKS>=1")
        self.assertEqual(self.nodes(more), {"n3", "n4"})
        self.assertIn("0 of 1 tasks", self.refused("TASKS==1"))
        self.releaseres(more)
        name = self.setres("-r", "PROCS=1", "-u", "daemon", "TASKS==6")
        there = show_reservations(self.cluster)[name]
        self.assertEqual(there["CoreCnt"], "6")
        text = self.cluster.run(["maui", "diagnose", "-r", name]).stdout
        self.assertIn("Task Resources: PROCS: 1", text)
        self.assertIn("Origin: setres by root", text)
        # Three beside the job on n1, and three of n3: there is one left for everybody.
        self.assertEqual(self.nodes(name), {"n1", "n3"})
        self.assertEqual(self.lands("-n1", "-w", "n3", user="bin"), {"n3"})
        outside = self.submit("-n1", "-w", "n3", user="bin")
        self.waits(outside)
        self.cluster.scancel(outside)  # Slurm keeps the node for who waits before others
        self.assertEqual(self.lands("-n3", "-N1", "-w", "n3"), {"n3"})

    def test_times(self) -> None:
        """Relative times count from a second of the command's: none before it was given, none after its answer."""
        at = int(time.time()) + 7000
        clock, day = "%H:%M:%S", "%H:%M:%S_%m/%d/%y"
        for words, start, end in (
            ([], 0, None),
            (["-d", "2:00:00"], 0, 7200),
            (["-s", "+1:00:00", "-d", "2:00:00"], 3600, 10800),
            (["-s", "+1:00:00", "-e", "+1:30:00"], 3600, 5400),
            (["-e", time.strftime(day, time.localtime(at))], 0, at),
            (["-s", time.strftime(clock, time.localtime(at)), "-e", "OFF"], at, None),
        ):
            with self.subTest(words=words):
                before = int(time.time())
                name = self.setres(*words, "n1")
                after = int(time.time())
                there = show_reservations(self.cluster)[name]
                for key, wanted in (("StartTime", start), ("EndTime", end)):
                    found = epoch(there[key])
                    if wanted is None:
                        self.assertEqual(found, FOREVER, key)
                    elif wanted == at:
                        self.assertEqual(found, at, key)
                    else:
                        self.assertTrue(before + wanted <= found <= after + wanted, f"{key} {found}, asked from {before} to {after}")
        self.assertIn("invalid timeframe", self.refused("-s", "11:00", "-e", "10:00", "n1"))
        self.assertIn("invalid timeframe", self.refused("-e", "0_1/1/2000", "n1"))
        self.assertIn("not both", self.refused("-d", "60", "-e", "+60", "n1"))

    def test_when_its_end_has_come_it_is_gone(self) -> None:
        name = self.setres("-d", "5", "n[1-4]")
        job = self.submit("-n1", "-w", "n1")
        self.cluster.wait_for_state(job, "RUNNING")
        self.cluster.wait_for(lambda: name not in self.administrative(), "it to leave the list")
        self.cluster.wait_for(lambda: name not in self.state_file(), "it to leave the file")
        self.assertNotIn(name, show_reservations(self.cluster))

    def test_what_is_wrong_is_told(self) -> None:
        """The option and the reason; and nothing is half done."""
        for words, pattern in (
            (["-u", "nosuchuser", "n1"], "there is no user 'nosuchuser' on this machine"),
            (["-g", "nosuchgroup", "n1"], "there is no group 'nosuchgroup' on this machine"),
            (["-q", "nosuch", "n1"], "there is no class 'nosuch'"),
            (["-p", "nosuch", "n1"], "Slurm has no partition 'nosuch'"),
            (["nosuchnode"], "no node matches 'nosuchnode'"),
            (["n1", "nosuchnode"], "no node matches 'nosuchnode'"),
            (["-r", "PROCS=x", "n1"], "RESOURCES"),
            (["-r", "MEM=5", "n1"], "a task without processors"),
            (["-x", "NOSUCHFLAG", "n1"], "NOSUCHFLAG"),
            (["-o", "nobody", "n1"], "OWNER"),
            (["-n", "a b", "n1"], "name"),
            (["-n", "a,b", "n1"], "name"),
            (["-u", "daemon #", "n1"], "USERLIST"),
            (["-f", "a|b:c", "n1"], "features"),
            (["-f", "nosuchfeature", "n1"], "1 node without the features"),
            (["n1 USERLIST=bin"], "is not a host expression"),
            (["TASKS==99"], " of 99 tasks"),
        ):
            with self.subTest(words=words):
                self.assertIn(pattern, self.refused(*words))
        self.assertEqual(show_reservations(self.cluster), {})


class Maintenance(SetresTest):
    def flags(self, name: str) -> set[str]:
        return set(show_reservations(self.cluster)[name]["Flags"].split(","))

    def states(self, node: str) -> str:
        return self.cluster.run(["sinfo", "-h", "-N", "-n", node, "-o", "%T"]).stdout.split()[0]

    def shows(self, node: str, state: str) -> None:
        self.cluster.wait_for(lambda: self.states(node) == state, f"{node} to be {state}")

    def test_nodes_are_shown_as_maint(self) -> None:
        """What runs goes on; nobody gets in; it outlives restarts; releaseres gives the nodes back."""
        before = self.submit("-n1", "-w", "n1")
        self.cluster.wait_for_state(before, "RUNNING")
        name = self.setres("--maint", "n[1-2]")
        self.assertIn("MAINT", self.flags(name))
        self.shows("n2", "maint")
        jobs = [self.submit("-n1", "-w", "n2"), self.submit("-n1", "-w", "n2", user="root")]
        self.waits(*jobs)
        self.assertIn("MAINT", self.cluster.run(["maui", "diagnose", "-r", name]).stdout)
        self.cluster.wait_until_saved(before)
        self.cluster.wait_until_saved(jobs[0])
        for kill in (False, True):
            self.cluster.restart(kill=kill)
            self.cluster.wait_for(lambda: name in self.administrative(), "the engine to know it")
            self.shows("n2", "maint")
            self.assertIn("MAINT", self.flags(name))
            self.waits(jobs[0])
        self.assertEqual(self.cluster.job(before)["JobState"], "RUNNING")
        self.cluster.run(["scontrol", "update", f"reservation={name}", "flags-=MAINT"])
        self.cluster.wait_for(lambda: "MAINT" in self.flags(name), "what was changed by hand to be restored")
        self.assertIn("released", self.releaseres(name))
        self.cluster.wait_for_state(jobs[0], "RUNNING")
        self.cluster.wait_for(lambda: "maint" not in self.states("n2"), "n2 to be out of maintenance")

    def test_parts_of_nodes_are_refused(self) -> None:
        self.assertIn("MAINT needs whole nodes", self.refused("--maint", "-r", "PROCS=1", "TASKS==1"))

    def test_whom_a_list_names_gets_in(self) -> None:
        name = self.setres("-M", "-u", "daemon", "n1")
        self.assertIn("MAINT", self.flags(name))
        self.waits(self.submit("-n1", "-w", "n1", user="bin"))
        self.assertEqual(self.lands("-n1", "-w", "n1", user="daemon"), {"n1"})


class WhoMay(SetresTest):
    def test_administrators(self) -> None:
        self.assertIn("only root", self.refused("n1", user="bin"))
        self.assertIn("only root", self.refused("n1", user="news"))
        first, second = self.setres("n1", user="man"), self.setres("n2", user="sys")
        self.assertIn("only root", self.releaseres(first, user="bin"))
        self.assertIn("only root", self.releaseres(first, user="news"))
        self.assertEqual(set(self.administrative()), {first, second})
        self.assertIn(f"released User reservation '{first}'", self.releaseres(first, user="sys"))

    def test_everybody(self) -> None:
        """RESCTLPOLICY ANY: of free resources, for a time, for oneself."""
        self.configure("RESCTLPOLICY ANY\n")
        for words, pattern in (
            (["-d", "600", "n1"], "only administrators may name hosts"),
            (["TASKS==1"], "without an end"),
            (["-d", "600", "-u", "daemon", "TASKS==1"], "for others"),
            (["-d", "600", "-g", "bin", "TASKS==1"], "for others"),
            (["-d", "600", "-x", "FORCE", "TASKS==1"], "FORCE"),
            (["-d", "600", "--maint", "TASKS==1"], "MAINT"),
            (["-d", "600", "-o", "USER:daemon", "TASKS==1"], "owner"),
            (["-d", "600", "-A", "physics", "TASKS==1"], "charged"),
        ):
            with self.subTest(words=words):
                self.assertIn(pattern, self.refused(*words, user="bin"))
        name = self.setres("-d", "600", "TASKS==1", user="bin")
        self.assertRegex(name, r"^bin\.\d+$")
        where = self.nodes(name)
        node = min(where)
        self.assertEqual(self.lands("-n1", "-w", node, user="bin"), where)
        self.waits(self.submit("-n1", "-w", node))
        system = self.setres("n3")
        self.assertIn("not yours", self.releaseres(name, user="daemon"))
        self.assertIn("not yours", self.releaseres(system, user="bin"))
        self.assertEqual(set(self.administrative()), {name, system})
        self.assertIn("released User", self.releaseres(name, user="bin"))


class Released(SetresTest):
    def test_while_a_job_runs_in_it(self) -> None:
        name = self.setres("-u", "daemon", "n1")
        job = self.submit("-n1", "-w", "n1")
        self.cluster.wait_for_state(job, "RUNNING")
        outside = self.submit("-n1", "-w", "n1", user="bin")
        self.waits(outside)
        self.assertEqual(self.releaseres(name), f"released User reservation '{name}'\n")
        self.assertEqual(show_reservations(self.cluster), {})
        self.cluster.wait_for_state(outside, "RUNNING")
        self.assertEqual(self.cluster.job(job)["JobState"], "RUNNING")

    def test_an_instance_of_a_standing_one(self) -> None:
        """It goes for its period, and the next one's is there; also after a restart."""
        cfg = "SRCFG[days] HOSTLIST=n1 DEPTH=2 USERLIST=daemon\n"
        self.configure(cfg)
        first = f"days.{today()}"
        self.cluster.wait_for(lambda: len(show_reservations(self.cluster)) == 2, "both")
        second = next(name for name in show_reservations(self.cluster) if name != first)
        self.assertIn("standing reservation", self.releaseres("days"))
        self.assertEqual(self.releaseres(first), f"released User reservation '{first}'\n")
        self.assertEqual(set(show_reservations(self.cluster)), {second})
        self.cluster.restart(kill=True)
        self.assertEqual(self.lands("-n1", "-w", "n1", "-t1", user="bin"), {"n1"})
        wait_for_instances(self.cluster, {second: "n1"})

    def test_those_of_others_are_not_touched(self) -> None:
        self.cluster.run(
            "scontrol create reservation reservationname=theirs.0 starttime=now duration=60"
            " users=man nodes=n1 flags=ignore_jobs"
        )
        self.addCleanup(self.cluster.run, "scontrol delete reservation=theirs.0", check=False)
        before = show_reservations(self.cluster)
        self.assertIn("not one of Maui's", self.releaseres("theirs.0"))
        self.assertIn("cannot locate reservation 'nosuch.0'", self.releaseres("nosuch.0"))
        self.assertEqual(show_reservations(self.cluster), before)

    def tearDown(self) -> None:
        self.cluster.run("scontrol delete reservation=theirs.0", check=False)
        super().tearDown()


class Names(SetresTest):
    def test_none_is_given_twice(self) -> None:
        """Nor one that somebody else's reservation, or an instance of a standing one, has or could have."""
        self.cluster.run(
            "scontrol create reservation reservationname=mine.4 starttime=now duration=60"
            " users=man nodes=n1 flags=ignore_jobs"
        )
        self.addCleanup(self.cluster.run, "scontrol delete reservation=mine.4", check=False)
        install(
            self.cluster,
            FAST + ADMINS + "SRCFG[maint] HOSTLIST=n2 USERLIST=daemon DEPTH=1\n"
            "SRCFG[other.7] HOSTLIST=n3 PERIOD=INFINITY USERLIST=daemon\n",
        )
        self.cluster.wait_for(lambda: len(show_reservations(self.cluster)) == 3, "all three")
        self.assertIn("maint is a standing reservation", self.refused("-n", "maint", "n1"))
        names = [
            self.setres("-n", "mine", "n1"),
            self.setres("-n", "mine", "n1"),
            self.setres("-n", "other", "n1"),
            self.setres("-u", "daemon", "n1"),
            self.setres("-u", "!bin:daemon", "n1"),
            self.setres("n1"),
            self.setres("n1"),
        ]
        self.assertEqual(
            names, ["mine.5", "mine.6", "other.8", "daemon.0", "bin.0", "SYSTEM.0", "SYSTEM.1"]
        )
        self.assertEqual(set(self.administrative()), set(names))
        # Made after them by somebody else: Slurm's answer is no, and ours stays.
        done = self.cluster.run(
            "scontrol create reservation reservationname=mine.5 starttime=now duration=60"
            " users=man nodes=n4",
            check=False,
        )
        self.assertNotEqual(done.returncode, 0)
        # A standing one of the very name of an administrative one has another one's in Slurm.
        install(
            self.cluster,
            FAST + ADMINS + "SRCFG[daemon.0] HOSTLIST=n2 PERIOD=INFINITY USERLIST=daemon\n",
        )
        self.cluster.wait_for(
            lambda: {"daemon.0", "daemon.0.inf"} <= set(show_reservations(self.cluster)), "both"
        )
        self.releaseres("daemon.0")
        self.assertIn("daemon.0.inf", show_reservations(self.cluster))
        self.run_out()

    def run_out(self) -> None:
        self.cluster.run("scontrol delete reservation=mine.4")


class Disturbed(SetresTest):
    """They are there as they were, and let in whom they did."""

    first: str

    def described(self) -> dict[str, tuple[str, ...]]:
        """As Slurm and the engine have them, once they are open and rolled."""

        def look() -> dict[str, tuple[str, ...]] | None:
            found = show_reservations(self.cluster)
            if {one["MaxStartDelay"] for one in found.values()} - {OPEN}:
                return None
            data = self.cluster.maui("diagnose", "-r", "--json")
            how = {one["name"]: one for one in data["standing"]}
            if set(found) - set(how) or any(row["tasks"] is None for row in data["reservations"]):
                return None
            return {
                name: (
                    one["EndTime"], one["Nodes"], one["CoreCnt"],
                    json.dumps([how[name][key] for key in ("acl", "flags", "made", "made_by")]),
                )
                for name, one in found.items()
            }

        return self.cluster.wait_for(look, "open reservations, or none") or {}

    def make_some(self) -> dict[str, tuple[str, ...]]:
        self.first = self.setres("-u", "daemon:bin-", "-d", "5:00:00", "n1")
        self.setres("-n", "later", "-s", "+3:00:00", "n[1-4]")
        self.setres("-r", "PROCS=1", "-d", "1:00:00", "-u", "daemon", "-x", "BYNAME", "TASKS==2")
        self.setres("-d", "4:00:00", "n3")
        before = self.described()
        self.assertEqual(len(before), 4)
        return before

    def check(self, before: dict[str, tuple[str, ...]], blocked: int) -> None:
        self.cluster.wait_for(lambda: self.described() == before, "them to be as they were")
        self.assertEqual(self.lands("-n1", "-w", "n1", "-t1"), {"n1"})
        self.waits(blocked)

    def test_by_restarts_and_reconfiguration(self) -> None:
        before = self.make_some()
        blocked = self.submit("-n1", "-w", "n3", user="games")
        self.waits(blocked)
        for _ in range(3):
            self.cluster.reconfigure()
        self.check(before, blocked)
        self.cluster.restart()
        self.check(before, blocked)
        self.cluster.wait_until_saved(blocked)
        self.cluster.restart(kill=True)
        self.check(before, blocked)

    def test_by_a_kill_right_after_the_answer(self) -> None:
        self.setres("-n", "sure", "-u", "daemon", "n2")
        self.cluster.restart(kill=True)
        wait_for_instances(self.cluster, {"sure.0": "n2"})
        self.assertEqual(self.lands("-n1", "-w", "n2", "-t1"), {"n2"})
        self.assertIn("released", self.releaseres("sure.0"))
        self.cluster.restart(kill=True)
        wait_for_instances(self.cluster, {})
        self.assertEqual(self.administrative(), {})

    def test_by_a_kill_that_brings_a_released_one_back(self) -> None:
        """Slurm saves late, and has it again: it goes, whoever runs in it."""
        name = self.setres("-u", "daemon", "n2")
        job = self.submit("-n1", "-w", "n2")
        self.cluster.wait_for_state(job, "RUNNING")
        self.cluster.wait_until_saved(job)
        self.cluster.wait_for(
            lambda: name.encode() in self.cluster.saved("resv_state"), "Slurm's state"
        )
        saved = self.cluster.saved("resv_state")
        self.releaseres(name)
        self.cluster.stop(kill=True)
        (self.cluster.dir / "state" / "resv_state").write_bytes(saved)
        self.cluster.start()
        wait_for_instances(self.cluster, {}, timeout=20)
        self.assertEqual(self.cluster.job(job)["JobState"], "RUNNING")

    def test_by_a_damaged_file(self) -> None:
        """Those that Slurm has stay as they are, and nobody gets in, until they are released."""
        self.make_some()
        before = show_reservations(self.cluster)
        state = self.cluster.dir / "state" / "maui" / "setres"
        for content in (b"slurm-maui setres 1\nsetres 0 1", b"\0\xff"):
            with self.subTest(content=content):
                self.cluster.stop()
                position = self.cluster.log_position()
                state.write_bytes(content)
                self.cluster.start()
                self.cluster.wait_for(
                    lambda: {row["name"] for row in self.administrative().values() if row["there"]}
                    == set(before),
                    "them to be known again",
                )
                self.assertTrue(self.cluster.log_contains("setres cannot be used", position))
                found = show_reservations(self.cluster)
                for name, one in before.items():
                    for key in ("EndTime", "Nodes", "CoreCnt"):
                        self.assertEqual(found[name][key], one[key], name)
                self.waits(self.submit("-n1", "-w", "n1"), but=("-w", "n2"))
                self.cluster.cancel_all()
                text = self.cluster.run(["maui", "diagnose", "-r"]).stdout
                self.assertEqual(text.count("how it was made is lost"), 4)
                self.cluster.wait_for(lambda: self.first in self.state_file(), "a new file")
        self.cluster.restart()
        self.waits(self.submit("-n1", "-w", "n1"), but=("-w", "n2"))
        self.assertIn("released", self.releaseres(self.first))

    def test_by_a_disk_that_cannot_be_written(self) -> None:
        """What cannot be kept is not made; what cannot be written as gone stays."""
        name = self.setres("-u", "daemon", "n1")
        state = self.cluster.dir / "state" / "maui" / "setres.new"
        state.mkdir()
        try:
            self.assertIn("cannot write", self.refused("n2"))
            self.assertIn("still there", self.releaseres(name))
            self.assertEqual(set(self.administrative()), {name})
            self.assertEqual(self.lands("-n1", "-w", "n1", "-t1"), {"n1"})
        finally:
            state.rmdir()
        self.assertIn("released", self.releaseres(name))

    def test_a_thousand(self) -> None:
        script = (
            "i=0; while [ $i -lt 1000 ]; do maui setres -n many -u daemon -s +$((3600 + 60 * i))"
            " -d 50 n$((i % 4 + 1)) >/dev/null || exit 1; i=$((i + 1)); done"
        )
        self.cluster.run(script)
        self.assertEqual(len(self.administrative()), 1000)
        self.cluster.restart(kill=True)
        self.cluster.wait_for(
            lambda: len(show_reservations(self.cluster)) == 1000, "all of them", timeout=120
        )
        self.assertEqual(self.lands("-n1", "-w", "n1", "-t1"), {"n1"})
        self.release_all()
        self.assertEqual(show_reservations(self.cluster), {})


class TakenOver(unittest.TestCase):
    """The other controller has them, unchanged; and what it makes the first one has later."""

    def test_by_the_backup_and_back(self) -> None:
        with Cluster(nodes=2, maui_cfg=FAST, slurm_conf=SLURM_CONF, backup=True) as cluster:
            first = cluster.maui("setres", "--json", "-u", "daemon", "n1")["name"]
            job = cluster.sbatch("-n1", "-w", "n1", "-t1", "-H", user="daemon")
            cluster.wait_until_saved(job)
            cluster.stop(kill=True)
            cluster.wait_for(lambda: cluster.in_charge() == "backup", "the backup", timeout=120)
            wait_for_instances(cluster, {first: "n1"})
            cluster.run(["scontrol", "release", str(job)])
            cluster.wait_for_state(job, "RUNNING")
            second = cluster.maui("setres", "--json", "n2")["name"]
            cluster.start()
            cluster.wait_for(lambda: cluster.in_charge() == "slurmctld", "the first", timeout=120)
            wait_for_instances(cluster, {first: "n1", second: "n2"})
            done = cluster.run(["maui", "releaseres", first, second])
            self.assertEqual(done.stdout.count("released User reservation"), 2)
