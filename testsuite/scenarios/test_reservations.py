# SPDX-License-Identifier: GPL-2.0-or-later
"""Standing reservations: chapter 7.1.5's examples, scaled down, with real jobs of real users."""

from __future__ import annotations

import time

from harness import Cluster
from reservation_model import (
    FAST,
    FLAGS,
    OPEN,
    PARTITIONS,
    SLURM_CONF,
    ReservationTest,
    epoch,
    install,
    nodes_of,
    show_reservations,
    today,
    wait_for_instances,
    window,
)

WHOLE = ("-N1", "--exclusive")


class Examples(ReservationTest):
    """Four nodes of four CPUs; n4 is never reserved."""

    CLUSTER = dict(nodes=4, maui_cfg=FAST, slurm_conf=SLURM_CONF + PARTITIONS)

    def test_an_instance_is_a_reservation_of_slurm(self) -> None:
        self.configure("SRCFG[debug] HOSTLIST=n1,n2 PERIOD=INFINITY USERLIST=daemon\n",
                       debug="n[1-2]")
        one = show_reservations(self.cluster)["debug.inf"]
        self.assertEqual(one["Users"], "root")
        self.assertEqual(one["MaxStartDelay"], OPEN)
        self.assertLessEqual(FLAGS & set(one["Flags"].split(",")), FLAGS)
        self.assertIn("SPEC_NODES", one["Flags"])
        self.assertEqual(one["State"], "ACTIVE")

    def test_insiders_get_in_and_outsiders_do_not(self) -> None:
        """By user, by group and by class; access lists are OR'd."""
        self.configure(
            "SRCFG[debug] HOSTLIST=n1,n2,n3 PERIOD=INFINITY USERLIST=daemon GROUPLIST=sys\n"
            "SRCFG[debug] CLASSLIST=interactive\n",
            debug="n[1-3]",
        )
        outsider = self.submit("-w", "n1", user="bin")
        self.waits(outsider)
        self.assertEqual(self.lands("-w", "n1"), {"n1"})
        self.assertEqual(self.lands("-w", "n2", user="sys"), {"n2"})
        self.assertEqual(self.lands("-w", "n3", "-pinteractive", user="bin"), {"n3"})
        # The group is the job's own, whoever its user is.
        done = self.cluster.run(
            "setpriv --reuid=man --regid=sys --clear-groups "
            "sbatch --parsable -t60 -w n2 --wrap 'sleep 1000'"
        )
        self.cluster.wait_for_state(int(done.stdout), "RUNNING")
        self.assertEqual(self.cluster.job(outsider)["JobState"], "PENDING")

    def test_one_job_uses_reserved_and_free_nodes(self) -> None:
        self.configure("SRCFG[debug] HOSTLIST=n1,n2 PERIOD=INFINITY USERLIST=daemon\n",
                       debug="n[1-2]")
        wide = self.submit("-N3", "--exclusive", user="bin")
        self.waits(wide)
        self.assertEqual(len(self.lands("-N4", "--exclusive")), 4)

    def test_stacked_reservations_must_all_admit(self) -> None:
        """Example 3: n1 and n2 are in both."""
        self.configure(
            "SRCFG[interactive] HOSTLIST=n1,n2 PERIOD=INFINITY CLASSLIST=interactive\n"
            "SRCFG[debug] HOSTLIST=n1,n2,n3 PERIOD=INFINITY USERLIST=daemon GROUPLIST=sys\n",
            interactive="n[1-2]",
            debug="n[1-3]",
        )
        one = self.submit("-w", "n1")
        other = self.submit("-w", "n1", "-pinteractive", user="bin")
        self.waits(one, other)
        self.assertEqual(self.lands("-w", "n1", "-pinteractive"), {"n1"})
        self.assertEqual(self.lands("-w", "n2", "-pinteractive", user="sys"), {"n2"})
        self.assertEqual(self.lands("-w", "n3"), {"n3"})

    def test_required_and_excluded(self) -> None:
        """Example 4: TIMELIMIT* and one of the others; who is listed with ! is out."""
        self.configure(
            "SRCFG[special] HOSTLIST=n1,n2,n3 PERIOD=INFINITY TIMELIMIT=1:00:00*\n"
            "SRCFG[special] USERLIST=daemon,bin,!sys CLASSLIST=interactive\n",
            special="n[1-3]",
        )
        long = self.submit("-t61", "-w", "n1")
        listed = self.submit("-t60", "-w", "n1", "-pinteractive", user="sys")
        self.waits(long, listed)
        self.assertEqual(self.lands("-t60", "-w", "n1"), {"n1"})
        # whoever is not listed satisfies the list
        self.assertEqual(self.lands("-t60", "-w", "n2", user="man"), {"n2"})

    def test_time_limit_is_what_both_have_in_common(self) -> None:
        """A long job gets in where only a part of it meets the reservation; at its end, too."""
        now = time.time()
        self.configure(
            f"SRCFG[today] HOSTLIST=n1 TIMELIMIT=0:15:00 {window(now - 600, now + 600)}\n"
            f"SRCFG[later] HOSTLIST=n2 TIMELIMIT=0:30:00 {window(now + 3600, now + 7200)}\n",
            _today="n1",
            _later="n2",
        )
        # ten minutes are left of it
        self.assertEqual(self.lands("-t600", "-w", "n1"), {"n1"})
        # 60 minutes and 20 of the window: 80 minutes may, 120 may not
        long = self.submit("-t120", "-w", "n2")
        self.waits(long)
        self.assertEqual(self.lands("-t80", "-w", "n2"), {"n2"})

    def test_what_backfill_gives_a_job_with_a_least_time_counts(self) -> None:
        """--time-min: from 25.05 on it has up to its limit once it runs; before, its least."""
        self.configure("SRCFG[brief] HOSTLIST=n1 PERIOD=INFINITY TIMELIMIT=0:20:00\n", brief="n1")
        # Behind this one the main scheduler, which tries them with their limit, comes to nobody.
        self.lands("-t600", "-w", "n4")
        self.cluster.sbatch("-N4", "--exclusive", "-pinteractive", "-t10", "--nice=-1000")
        options = ("-pinteractive", "-w", "n1", "--time-min=5")
        long = self.submit("-t30", *options)
        short = self.submit("-t20", *options)
        # Backfill comes to it after the long one.
        self.cluster.wait_for_state(short, "RUNNING")
        if self.cluster.backfill_prolongs():
            self.assertEqual(self.cluster.job(long)["JobState"], "PENDING")
            limits = {short: "00:20:00"}
        else:
            self.cluster.wait_for_state(long, "RUNNING")
            limits = {long: "00:05:00", short: "00:05:00"}
        for job, limit in limits.items():
            self.cluster.wait_for(
                lambda job=job, limit=limit: self.cluster.job(job)["TimeLimit"] == limit,
                f"job {job} to have {limit}",
            )

    def test_the_qos_that_maui_cfg_gives(self) -> None:
        """Without slurmdbd jobs have QDEF's."""
        self.configure(
            "USERCFG[daemon] QDEF=high\n"
            "SRCFG[qos] HOSTLIST=n1 PERIOD=INFINITY QOSLIST=high\n"
            "SRCFG[not] HOSTLIST=n2 PERIOD=INFINITY QOSLIST=!high\n",
            qos="n1", **{"not": "n2"},
        )
        self.assertEqual(self.lands("-w", "n1"), {"n1"})
        self.assertEqual(self.lands("-w", "n2", user="bin"), {"n2"})
        self.waits(self.submit("-w", "n2"), self.submit("-w", "n1", user="bin"))

    def test_affinity(self) -> None:
        """Positive and neutral: reserved nodes before free ones; negative: last."""
        self.configure(
            "SRCFG[mixed] HOSTLIST=n2,n3 PERIOD=INFINITY USERLIST=daemon,bin-,sys=\n",
            mixed="n[2-3]",
        )
        for user, first in (("daemon", ["n2", "n3", "n1", "n4"]), ("bin", ["n1", "n4", "n2", "n3"]),
                            ("sys", ["n2", "n3", "n1", "n4"])):
            with self.subTest(user=user):
                self.assertEqual([self.lands(*WHOLE, user=user) for _ in first],
                                 [{node} for node in first])
                self.cluster.cancel_all()

    def test_negative_affinity_where_others_wait_on_free_nodes(self) -> None:
        self.configure("SRCFG[mixed] HOSTLIST=n1 PERIOD=INFINITY USERLIST=daemon-\n", mixed="n1")
        self.assertNotIn("n1", self.lands("-N3", "--exclusive"))
        self.assertEqual(self.lands(*WHOLE), {"n1"})

    def test_a_window_that_comes(self) -> None:
        """Outsiders do not run into it, on either scheduler's word; short ones start."""
        start = time.time() + 300
        self.configure(
            f"SRCFG[soon] HOSTLIST=n1,n2,n3 USERLIST=sys {window(start, start + 3600)}\n",
            _soon="n[1-3]",
        )
        one = show_reservations(self.cluster)[f"soon.{today()}"]
        self.assertEqual(epoch(one["StartTime"]), int(start))
        self.assertEqual(epoch(one["EndTime"]), int(start) + 3600)
        self.assertEqual(one["State"], "INACTIVE")
        long = self.submit("-t10", "-w", "n1", user="bin")
        wide = self.submit("-t10", "-N4", "--exclusive", user="bin")
        self.waits(long, wide)
        self.assertEqual(self.lands("-t2", "-w", "n2", "-n1", user="bin"), {"n2"})
        self.assertEqual(self.lands("-t10", "-w", "n3", "-n1", user="sys"), {"n3"})
        # Backfill plans it for the time after the window.
        self.cluster.scancel(wide)
        planned = self.cluster.wait_for(
            lambda: self.cluster.job(long)["StartTime"].replace("Unknown", ""), "a plan"
        )
        self.assertGreaterEqual(epoch(planned), int(start) + 3600)

    def test_a_job_without_a_time_limit_meets_every_window(self) -> None:
        start = time.time() + 7200
        self.configure(
            f"SRCFG[soon] HOSTLIST=n1,n2,n3 USERLIST=sys {window(start, start + 600)}\n"
            # so that it has our pass, and only our select plugin keeps it out
            "SRCFG[debug] HOSTLIST=n4 PERIOD=INFINITY USERLIST=bin\n",
            _soon="n[1-3]", debug="n4",
        )
        job = self.submit("-t0", "-w", "n1", user="bin")
        self.waits(job, but=("-w", "n3"))
        short = self.submit("-t60", "-w", "n1", user="bin")
        self.cluster.wait_for_state(short, "RUNNING")

    def test_an_insider_of_one_is_planned_after_the_other(self) -> None:
        """With a pass Slurm's own plan knows no reservations: ours does."""
        now = time.time()
        self.configure(
            f"SRCFG[now] HOSTLIST=n1 USERLIST=sys {window(now - 60, now + 900)}\n"
            "SRCFG[debug] HOSTLIST=n4 PERIOD=INFINITY USERLIST=bin\n",
            _now="n1", debug="n4",
        )
        job = self.submit("-t10", "-w", "n1", user="bin")
        planned = self.cluster.wait_for(
            lambda: self.cluster.job(job)["StartTime"].replace("Unknown", ""), "a plan", 30
        )
        end = epoch(show_reservations(self.cluster)[f"now.{today()}"]["EndTime"])
        self.assertGreaterEqual(epoch(planned), end)
        self.assertLess(epoch(planned), end + 120)

    def test_an_instance_begins_and_ends(self) -> None:
        """It ends while an insider's job runs, which runs on; then the node is everybody's."""
        now = time.time()
        end = int(now) + 80  # by then a slow machine, too, has seen that the outsider waits
        self.configure(
            f"SRCFG[brief] HOSTLIST=n1 USERLIST=daemon {window(now - 60, end)}\n", _brief="n1"
        )
        job = self.submit("-t60", "-n1", "-w", "n1")
        outsider = self.submit("-t60", "-n1", "-w", "n1", user="bin")
        self.cluster.wait_for_state(job, "RUNNING")
        self.waits(outsider)
        self.cluster.wait_for_state(outsider, "RUNNING", timeout=120)
        self.assertGreaterEqual(epoch(self.cluster.job(outsider)["StartTime"]), end)
        self.assertEqual(self.cluster.job(job)["JobState"], "RUNNING")
        wait_for_instances(self.cluster, {}, timeout=90)

    def test_changes_of_pending_jobs_are_judged_anew(self) -> None:
        self.configure(
            "SRCFG[debug] HOSTLIST=n1,n2,n3 PERIOD=INFINITY CLASSLIST=interactive\n"
            "SRCFG[debug] TIMELIMIT=0:10:00\n",
            debug="n[1-3]",
        )
        full = self.submit("-w", "n4", "--exclusive", user="sys")
        self.cluster.wait_for_state(full, "RUNNING")
        probe = ("-w", "n3", "-pinteractive")
        job = self.submit("-w", "n1", user="bin")
        self.waits(job, but=probe)
        self.cluster.change(job, "partition=interactive", user="bin")
        self.cluster.wait_for_state(job, "RUNNING")
        job = self.submit("-w", "n2", user="bin")
        self.waits(job, but=probe)
        self.cluster.run(f"scontrol update job={job} timelimit=10", user="bin")
        self.cluster.wait_for_state(job, "RUNNING")
        # and those that lose it: held until they have
        for change, options in (("partition=batch", "-pinteractive"), ("timelimit=11", "-t10")):
            with self.subTest(change=change):
                job = self.submit("-w", "n3", "-H", options, user="bin")
                self.cluster.change(job, change, user="bin")
                self.cluster.run(f"scontrol release {job}", user="bin")
                self.waits(job, but=probe)

    def test_of_several_partitions_each_is_tried(self) -> None:
        self.configure(
            "SRCFG[debug] HOSTLIST=n1,n2,n3 PERIOD=INFINITY CLASSLIST=interactive\n",
            debug="n[1-3]",
        )
        job = self.submit("-w", "n1", "-pbatch,interactive", user="bin")
        self.cluster.wait_for_state(job, "RUNNING")
        self.assertEqual(self.cluster.job(job)["Partition"], "interactive")
        job = self.submit("-w", "n1", "-pbatch,few", user="bin")
        self.waits(job)

    def test_bind_nobody(self) -> None:
        """No access list: nobody. FLAGS=BYNAME: nobody who does not ask for it."""
        self.configure(
            "SRCFG[none] HOSTLIST=n1 PERIOD=INFINITY\n"
            "SRCFG[named] HOSTLIST=n2 PERIOD=INFINITY USERLIST=daemon FLAGS=BYNAME\n",
            none="n1", named="n2",
        )
        self.waits(self.submit("-w", "n1"), self.submit("-w", "n2"))

    def test_host_lists(self) -> None:
        for text, nodes in (
            ("HOSTLIST=n1,n3", "n[1,3]"),
            ("HOSTLIST=n[2-3]", "n[2-3]"),
            ("HOSTLIST=^n[13]$,n4", "n[1,3-4]"),
            ("HOSTLIST=N.*2", "n2"),
            ("HOSTLIST=ALL", "n[1-4]"),
            ("HOSTLIST=ALL PARTITION=few", "n[1-2]"),
            ("HOSTLIST=n1,n9", "n1"),
        ):
            with self.subTest(text=text):
                self.configure(f"SRCFG[hosts] {text} PERIOD=INFINITY USERLIST=bin\n", hosts=nodes)

    def test_unknown_names_are_told_and_the_rest_serves(self) -> None:
        """In the log, whenever maui.cfg was read, and by maui check."""
        lines = (
            "SRCFG[odd] HOSTLIST=n1,n9,n[3-6],4 PERIOD=INFINITY USERLIST=nosuch,daemon",
            "SRCFG[odd] CLASSLIST=nosuch,interactive GROUPLIST=nosuch",
            "SRCFG[lost] TASKCOUNT=1 PERIOD=INFINITY USERLIST=daemon NODEFEATURES=nosuch",
            "SRCFG[away] TASKCOUNT=1 PERIOD=INFINITY USERLIST=daemon PARTITION=nosuch",
        )
        told = (
            "3:12: warning: SRCFG[odd]: HOSTLIST: no node is n9",
            "3:12: warning: SRCFG[odd]: HOSTLIST: 2 names of n[3-6] are not nodes",
            "3:12: warning: SRCFG[odd]: HOSTLIST: 4 is not a node, but matches part of the names of 1",
            "4:12: warning: SRCFG[odd]: CLASSLIST: there is no partition nosuch",
            "5:57: warning: SRCFG[lost]: NODEFEATURES: no node has the feature nosuch",
            "6:57: warning: SRCFG[away]: PARTITION: there is no partition nosuch",
        )
        after = self.cluster.log_position()
        self.configure("\n".join(lines) + "\n", odd="n[1,3-4]")
        self.cluster.wait_for(lambda: told[-1] in self.cluster.log_text(after), "the last one")
        self.assertEqual(self.lands("-w", "n1"), {"n1"})
        log = self.cluster.log_text(after)
        done = self.cluster.run(["maui", "check"], check=False)
        self.assertEqual(done.returncode, 1, done.stderr)
        for text in told:
            self.assertEqual(log.count(text), 1, text)
            self.assertIn(text, done.stdout)
        for what in ("user", "group"):
            self.assertIn(f"there is no {what} 'nosuch' on this machine", log)
            self.assertIn(f"there is no {what} nosuch on this machine", done.stdout)

    def test_whatever_is_there(self) -> None:
        """A fixed one takes nodes that are busy and drained; who runs there runs on."""
        job = self.submit("-w", "n1", user="bin")
        self.cluster.wait_for_state(job, "RUNNING")
        self.cluster.run("scontrol update nodename=n2 state=drain reason=test")
        self.addCleanup(self.cluster.run, "scontrol update nodename=n2 state=resume")
        self.configure("SRCFG[fixed] HOSTLIST=n[1-2] PERIOD=INFINITY USERLIST=daemon\n",
                       fixed="n[1-2]")
        self.assertEqual(self.cluster.job(job)["JobState"], "RUNNING")
        self.waits(self.submit("-n1", "-w", "n1", user="bin"))

    def test_floating(self) -> None:
        """TASKCOUNT: idle nodes; one that is drained is replaced, and what is missing is added."""
        job = self.submit("-w", "n1", "--exclusive", user="bin")
        self.cluster.wait_for_state(job, "RUNNING")
        self.configure("SRCFG[float] TASKCOUNT=2 PERIOD=INFINITY USERLIST=daemon\n")

        def nodes() -> set[str]:
            one = show_reservations(self.cluster).get("float.inf")
            return nodes_of(one) if one else set()

        first = self.cluster.wait_for(lambda: len(nodes()) == 2 and nodes(), "two nodes")
        self.assertNotIn("n1", first)
        (spare,) = {"n2", "n3", "n4"} - first
        gone, stays = sorted(first)
        self.cluster.run(f"scontrol update nodename={gone} state=drain reason=test")
        self.addCleanup(self.cluster.run, f"scontrol update nodename={gone} state=resume",
                        check=False)
        self.cluster.wait_for(lambda: nodes() == {spare, stays}, f"{spare} instead of {gone}")
        self.cluster.run(f"scontrol update nodename={spare} state=drain reason=test")
        self.addCleanup(self.cluster.run, f"scontrol update nodename={spare} state=resume",
                        check=False)
        self.cluster.wait_for(lambda: nodes() == {stays}, f"{stays} alone")
        self.assertIn("1 of 2 tasks", self.cluster.log_text())
        self.cluster.run(f"scontrol update nodename={gone} state=resume")
        self.cluster.wait_for(lambda: nodes() == {stays, gone}, f"{gone} again")
        # What comes back later does not move it.
        self.cluster.run(f"scontrol update nodename={spare} state=resume")
        self.assertEqual(self.lands("-w", gone), {gone})
        self.assertEqual(nodes(), {stays, gone})

    def test_a_floating_one_takes_nodes_by_the_policy(self) -> None:
        """D-RSV-15; what is placed stays where it is when the policy is another."""
        one = "SRCFG[{}] TASKCOUNT={} PERIOD=INFINITY USERLIST=daemon {}\n"
        ranks = "NODECFG[n2] PRIORITY=5 SPEED=1\nNODECFG[n3] PRIORITY=9 SPEED=2\n"
        for policy, tasks, more, nodes in (
            ("FIRSTAVAILABLE", 2, "", "n[1-2]"),
            ("LASTAVAILABLE", 2, "", "n[3-4]"),
            ("PRIORITY", 2, "", "n[2-3]"),
            ("FASTEST", 1, "", "n3"),
            ("MINRESOURCE", 1, "RESOURCES=PROCS:2", "n4"),
            ("LASTAVAILABLE", 1, "PARTITION=few", "n2"),
            ("CONTIGUOUS", 2, "HOSTLIST=n[1,3-4]", "n[1,3]"),
            ("LOCAL", 1, "", "n4"),
        ):
            with self.subTest(policy=policy, more=more):
                self.configure(f"NODEALLOCATIONPOLICY {policy}\n{ranks}"
                               + one.format("float", tasks, more), float=nodes)
                install(self.cluster, FAST)
                wait_for_instances(self.cluster, {})
        self.configure(one.format("first", 1, ""), first="n1")
        self.configure("NODEALLOCATIONPOLICY PRIORITY\n" + ranks + one.format("first", 1, "")
                       + one.format("second", 1, ""), first="n1", second="n3")

    def test_fewer_tasks_than_wanted_until_jobs_end(self) -> None:
        jobs = [self.submit("-w", node, "--exclusive", user="bin") for node in ("n1", "n2", "n3")]
        for job in jobs:
            self.cluster.wait_for_state(job, "RUNNING")
        self.configure("SRCFG[float] TASKCOUNT=2 PERIOD=INFINITY USERLIST=daemon\n", float="n4")
        self.cluster.scancel(jobs[1])
        wait_for_instances(self.cluster, {"float.inf": "n[2,4]"})

    def test_a_line_that_goes(self) -> None:
        """Its instance goes at once; one in use when its job has ended, and nobody gets in."""
        self.configure(
            "SRCFG[used] HOSTLIST=n1 PERIOD=INFINITY USERLIST=daemon\n"
            "SRCFG[idle] HOSTLIST=n2 PERIOD=INFINITY USERLIST=daemon\n",
            used="n1", idle="n2",
        )
        job = self.submit("-w", "n1", "-n1")
        self.cluster.wait_for_state(job, "RUNNING")
        install(self.cluster, FAST)
        wait_for_instances(self.cluster, {"used.inf": "n1"})
        more = self.submit("-w", "n1", "-n1")
        self.waits(more)
        self.cluster.scancel(job)
        wait_for_instances(self.cluster, {}, timeout=90)
        self.cluster.wait_for_state(more, "RUNNING")

    def test_single_use(self) -> None:
        """It goes when the first job that used it has ended, and is not made again."""
        self.configure(
            "SRCFG[once] HOSTLIST=n1 PERIOD=INFINITY USERLIST=daemon FLAGS=SINGLEUSE\n", once="n1"
        )
        # An outsider elsewhere does not use it up.
        self.assertEqual(self.lands("-n1", "-w", "n4", user="bin"), {"n4"})
        job = self.submit("-w", "n1", "-n1", wrap="sleep 8")
        self.cluster.wait_for_state(job, "RUNNING")
        outsider = self.submit("-w", "n1", "-n1", user="bin")
        self.waits(outsider)
        self.cluster.wait_for_state(job, "COMPLETED")
        wait_for_instances(self.cluster, {}, timeout=90)
        self.cluster.wait_for_state(outsider, "RUNNING")
        self.cluster.reconfigure()
        self.cluster.restart()
        self.assertEqual(self.lands("-n1", "-w", "n4", user="man"), {"n4"})
        self.assertEqual(show_reservations(self.cluster), {})

    def test_single_use_of_a_short_job(self) -> None:
        """However short it was: the use counts."""
        self.configure(
            "SRCFG[once] HOSTLIST=n1 PERIOD=INFINITY USERLIST=daemon FLAGS=SINGLEUSE\n", once="n1"
        )
        job = self.submit("-w", "n1", "-n1", wrap="true")
        self.cluster.wait_for_state(job, "COMPLETED")
        wait_for_instances(self.cluster, {}, timeout=90)


ACCOUNTING = """\
sacctmgr -i add qos high,low
sacctmgr -i add account jupiter,saturn,pluto
sacctmgr -i add user daemon,bin,sys,games account=jupiter,saturn,pluto \
    qos=normal,high,low defaultqos=normal defaultaccount=pluto
"""


class WithAccounting(ReservationTest):
    @classmethod
    def setUpClass(cls) -> None:
        cls.cluster = cls.enterClassContext(
            Cluster(
                nodes=4,
                maui_cfg=FAST,
                slurm_conf=f"{SLURM_CONF}AccountingStorageEnforce=associations,qos\n{PARTITIONS}",
                slurmdbd=True,
            )
        )
        cls.cluster.run(ACCOUNTING)

    def test_accounts_and_qos(self) -> None:
        """Example 5's list, and QOS with a NOT of accounts."""
        self.configure(
            "SRCFG[shared] HOSTLIST=n1,n2 PERIOD=INFINITY ACCOUNTLIST=jupiter,saturn-\n"
            "SRCFG[qos] HOSTLIST=n3 PERIOD=INFINITY QOSLIST=high ACCOUNTLIST=!saturn\n",
            shared="n[1-2]", qos="n3",
        )
        blocked = [
            self.submit("-w", "n1", "-qhigh"),
            self.submit("-w", "n3", "-qhigh", "-Asaturn"),
        ]
        self.waits(*blocked)
        # Slurm's main scheduler keeps a node that a waiting job names from those behind it.
        self.cluster.scancel(*blocked)
        self.assertEqual(self.lands(*WHOLE, "-Ajupiter", "-xn3"), {"n1"})
        self.assertEqual(self.lands(*WHOLE, "-Asaturn"), {"n4"})
        self.assertEqual(self.lands(*WHOLE, "-Asaturn"), {"n2"})
        self.assertEqual(self.lands(*WHOLE, "-qhigh"), {"n3"})

    def test_a_qos_that_is_new(self) -> None:
        """Its name is looked up in an iteration: until then it must not pass for one not listed."""
        install(
            self.cluster,
            "RMPOLLINTERVAL 3600\n"
            "SRCFG[qos] HOSTLIST=n1 PERIOD=INFINITY QOSLIST=!fresh\n",
        )
        wait_for_instances(self.cluster, {"qos.inf": "n1"})
        self.assertEqual(self.lands("-w", "n1", "-n1"), {"n1"})
        self.cluster.run(
            "sacctmgr -i add qos fresh; sacctmgr -i modify user daemon set qos+=fresh"
        )
        self.addCleanup(self.delete_qos, "fresh")
        self.waits(self.submit("-w", "n1", "-n1", "-qfresh"))

    def delete_qos(self, name: str) -> None:
        """slurmdbd refuses it until it knows that the jobs with it have ended."""
        self.cluster.cancel_all()
        delete = ["sacctmgr", "-i", "delete", "qos", name]
        self.cluster.wait_for(
            lambda: not self.cluster.run(delete, check=False).returncode, f"{name} to be deleted"
        )

    def test_changes_of_pending_jobs_are_judged_anew(self) -> None:
        self.configure(
            "SRCFG[shared] HOSTLIST=n1 PERIOD=INFINITY ACCOUNTLIST=jupiter\n"
            "SRCFG[qos] HOSTLIST=n2 PERIOD=INFINITY QOSLIST=high\n",
            shared="n1", qos="n2",
        )
        for node, change, options in (("n1", "account=jupiter", ()), ("n2", "qos=high", ())):
            job = self.submit("-w", node, "-n1", *options)
            self.waits(job)
            self.cluster.run(f"scontrol update job={job} {change}", user="daemon")
            self.cluster.wait_for_state(job, "RUNNING")
        for node, change, options in (
            ("n1", "account=pluto", ("-Ajupiter",)),
            ("n2", "qos=low", ("-qhigh",)),
        ):
            job = self.submit("-w", node, "-n1", "-H", *options)
            self.cluster.run(f"scontrol update job={job} {change}", user="daemon")
            self.cluster.run(f"scontrol release {job}", user="daemon")
            self.waits(job)


class JobAttributes(ReservationTest):
    """JOBATTRLIST: of the QOS (QFLAGS), or of the comment."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.cluster = cls.enterClassContext(
            Cluster(
                nodes=4,
                maui_cfg=FAST,
                slurm_conf=f"{SLURM_CONF}AccountingStorageEnforce=associations,qos\n{PARTITIONS}",
                slurmdbd=True,
            )
        )
        cls.cluster.run(ACCOUNTING)

    def setUp(self) -> None:
        super().setUp()
        self.configure(
            "QOSCFG[low] QFLAGS=PREEMPTEE\n"
            "SRCFG[may] HOSTLIST=n1,n2 PERIOD=INFINITY JOBATTRLIST=PREEMPTEE\n"
            "SRCFG[not] HOSTLIST=n3 PERIOD=INFINITY JOBATTRLIST=!PREEMPTEE\n",
            may="n[1-2]", **{"not": "n3"},
        )

    def explain(self, job: int, name: str) -> dict[str, object]:
        answer = self.cluster.maui("res", "explain", str(job), "--json")
        return next(one for one in answer["reservations"] if one["name"] == name)

    def test_who_has_them(self) -> None:
        self.assertEqual(self.lands("-w", "n1", "-n1", "-qlow"), {"n1"})
        self.assertEqual(
            self.lands("-w", "n2", "-n1", "--comment=mine x=FLAGS:PREEMPTEE", user="bin"), {"n2"}
        )
        self.assertEqual(self.lands("-w", "n3", "-n1"), {"n3"})
        self.waits(
            self.submit("-w", "n1", "-n1", "-qhigh"),
            self.submit("-w", "n1", "-n1", "--comment=PREEMPTEE"),
            self.submit("-w", "n3", "-n1", "-qlow"),
            self.submit("-w", "n3", "-n1", "--comment=x=FLAGS:PREEMPTEE", user="bin"),
        )

    def test_changes_are_judged_anew(self) -> None:
        for change in ("qos=low", "comment=x=FLAGS:PREEMPTEE"):
            with self.subTest(change=change):
                job = self.submit("-w", "n1", "-n1")
                self.waits(job)
                self.assertEqual(self.explain(job, "may.inf")["text"], "no list names the job")
                self.assertFalse(self.explain(job, "may.inf")["admitted"])
                self.cluster.run(f"scontrol update job={job} {change}", user="daemon")
                self.cluster.wait_for_state(job, "RUNNING")
                entry = self.explain(job, "may.inf")
                self.assertEqual(entry["text"], "JFEATURE==PREEMPTEE+ gives access")
                self.assertEqual(
                    self.explain(job, "not.inf")["text"], "JFEATURE==PREEMPTEE+! denies access"
                )
        for change, options in (("qos=high", "-qlow"), ("comment=", "--comment=x=FLAGS:PREEMPTEE")):
            with self.subTest(change=change):
                job = self.submit("-w", "n2", "-n1", "-H", options)
                self.cluster.run(f"scontrol update job={job} {change}", user="daemon")
                self.cluster.run(f"scontrol release {job}", user="daemon")
                self.waits(job)
