# SPDX-License-Identifier: GPL-2.0-or-later
"""Maui's priorities in a real slurmctld: what squeue, sprio and maui show, and which job starts."""

from __future__ import annotations


from harness import USERS, ClusterTest, check_sums
from priority_model import FIRST, PARTITIONS, PRIORITIES, SECOND, WAITING

POLICY = "RMPOLLINTERVAL 2\n" + PRIORITIES


class PriorityTest(ClusterTest):
    """One cluster with one node of four CPUs, filled by one job, so that the others wait."""

    CLUSTER = dict(nodes=1, cpus=4, maui_cfg=POLICY, slurm_conf=PARTITIONS)

    def setUp(self) -> None:
        self.cluster.write_maui_cfg(POLICY)
        self.reconfigure()
        self.blocker = self.cluster.sbatch("-n4", "-t60")
        self.cluster.wait_for_state(self.blocker, "RUNNING")

    def tearDown(self) -> None:
        self.cluster.cancel_all()

    def reconfigure(self) -> None:
        """Reconfigure, and wait until the engine has taken or refused maui.cfg."""
        self.cluster.install(refused=None)

    def priority(self, job: int) -> int:
        return int(self.cluster.job(job)["Priority"])

    def wait_for_priority(self, job: int, wanted: int) -> None:
        self.cluster.wait_for(
            lambda: self.priority(job) == wanted, f"priority {wanted} of job {job}", timeout=20
        )

    def test_a_job_has_its_maui_priority_when_sbatch_returns(self) -> None:
        job = self.cluster.sbatch("-n2", "-t10", user=FIRST)
        self.assertEqual(self.priority(job), 5000 + 100 + 2 * 10)

    def test_the_order_of_start_follows_the_priorities_of_the_users(self) -> None:
        low = self.cluster.sbatch("-n4", "-t10", wrap="true", user=SECOND)
        high = self.cluster.sbatch("-n4", "-t10", wrap="true", user=FIRST)
        self.cluster.scancel(self.blocker)
        for job in (low, high):
            self.cluster.wait_for_state(job, "COMPLETED")
        self.assertLessEqual(
            self.cluster.job(high)["EndTime"], self.cluster.job(low)["StartTime"]
        )

    def test_equal_priorities_start_in_the_order_of_submission(self) -> None:
        jobs = [self.cluster.sbatch("-n4", "-t10", wrap="true", user=FIRST) for _ in range(3)]
        self.cluster.scancel(self.blocker)
        for job in jobs:
            self.cluster.wait_for_state(job, "COMPLETED")
        starts = [self.cluster.job(job)["StartTime"] for job in jobs]
        self.assertEqual(starts, sorted(starts))

    def test_an_update_of_the_priority_holds_at_once_and_stays(self) -> None:
        job = self.cluster.sbatch("-n1", "-t10", user=SECOND)
        self.cluster.run(["scontrol", "update", f"job={job}", "priority=77777"])
        self.assertEqual(self.priority(job), 77777)
        self.cluster.wait_for_iterations(2)
        self.assertEqual(self.priority(job), 77777)
        row = next(row for row in self.cluster.sprio() if row["id"] == str(job))
        self.assertEqual(row["priority"], 77777)
        self.cluster.run(["scontrol", "hold", str(job)])
        self.cluster.run(["scontrol", "release", str(job)])
        self.assertEqual(self.priority(job), 1000 + 100 + 10)

    def test_an_update_of_nice_counts_at_once(self) -> None:
        job = self.cluster.sbatch("-n1", "-t10", "--nice=100", user=SECOND)
        self.assertEqual(self.priority(job), 1110 - 100)
        self.cluster.run(["scontrol", "update", f"job={job}", "nice=-300"])
        self.assertEqual(self.priority(job), 1110 + 300)
        self.cluster.run(["scontrol", "update", f"job={job}", "nice=100000"])
        self.assertEqual(self.priority(job), 1)  # 0 would mean held
        self.assertEqual(check_sums(self, self.cluster), 1)

    def test_the_site_factor_is_added_and_shown_in_its_column(self) -> None:
        job = self.cluster.sbatch("-n1", "-t10", user=SECOND)
        self.cluster.run(["scontrol", "update", f"job={job}", "sitefactor=500"])
        self.assertEqual(self.priority(job), 1110 + 500)
        self.cluster.wait_for_iterations(2)
        self.assertEqual(self.priority(job), 1110 + 500)
        row = next(row for row in self.cluster.sprio() if row["id"] == str(job))
        self.assertEqual((row["site"], row["priority"]), (500, 1610))

    def test_an_update_of_the_partition_counts_at_once(self) -> None:
        job = self.cluster.sbatch("-n1", "-t10", user=SECOND)
        self.cluster.change(job, "partition=urgent")
        self.assertEqual(self.priority(job), 1000 + 900 + 10)

    def test_a_job_in_three_partitions_has_a_priority_in_each(self) -> None:
        job = self.cluster.sbatch("-n1", "-t10", "--partition=long,batch,urgent", user=SECOND)
        expected = {"long": 1030, "batch": 1110, "urgent": 1910}
        rows = {r["partition_name"]: r for r in self.cluster.sprio() if r["id"] == str(job)}
        self.assertEqual({name: row["priority"] for name, row in rows.items()}, expected)
        self.assertEqual({name: row["partition"] for name, row in rows.items()},
                         {"long": 20, "batch": 100, "urgent": 900})
        self.cluster.wait_for_iterations(2)
        check_sums(self, self.cluster)
        answer = self.cluster.maui("diagnose", "-p", "--json")
        told = {r["partition"]: r["priority"] for r in answer["jobs"] if r["job"] == job}
        self.assertEqual(told, expected)

    def test_a_held_job_keeps_priority_0_and_gets_its_own_when_released(self) -> None:
        job = self.cluster.sbatch("-n1", "-t10", "--hold", user=FIRST)
        self.cluster.wait_for_iterations(2)
        self.assertEqual(self.priority(job), 0)
        self.assertNotIn(str(job), [row["id"] for row in self.cluster.sprio()])
        self.cluster.run(["scontrol", "release", str(job)])
        self.assertEqual(self.priority(job), 5110)

    def test_a_changed_weight_takes_effect_on_reconfigure(self) -> None:
        job = self.cluster.sbatch("-n2", "-t10", user=FIRST)
        self.cluster.write_maui_cfg(POLICY.replace("PROCWEIGHT       10", "PROCWEIGHT 200"))
        self.cluster.reconfigure()
        self.wait_for_priority(job, 5000 + 100 + 2 * 200)

    def test_a_broken_file_changes_nothing_and_is_named_with_line_and_column(self) -> None:
        job = self.cluster.sbatch("-n2", "-t10", user=FIRST)
        position = self.cluster.log_position()
        self.cluster.write_maui_cfg("PROCWEIGHT 300\nUSERWEIGHT 1e999\n")
        self.reconfigure()
        self.assertTrue(
            self.cluster.log_contains(f"{self.cluster.maui_cfg}:2:12: error:", position),
            self.cluster.log_text(position),
        )
        self.cluster.wait_for_iterations(2)
        self.assertEqual(self.priority(job), 5120)
        other = self.cluster.sbatch("-n1", "-t10", user=FIRST)
        self.assertEqual(self.priority(other), 5110)

    def test_a_restart_keeps_the_priorities_and_finds_the_last_good_copy(self) -> None:
        jobs = [self.cluster.sbatch("-n1", "-t10", user=user) for user in USERS]
        for kill in (False, True):
            self.cluster.restart(kill=kill)
            self.wait_for_priority(jobs[0], 5110)
            self.wait_for_priority(jobs[1], 1110)
        self.cluster.write_maui_cfg("NONSENSE[\n")
        position = self.cluster.log_position()
        self.cluster.restart()
        self.assertTrue(self.cluster.log_contains("the last good copy is in force", position))
        self.assertEqual(self.cluster.maui("status", "--json")["policy"]["source"],
                         "last-good-copy")
        self.wait_for_priority(jobs[0], 5110)
        job = self.cluster.sbatch("-n2", "-t10", user=SECOND)
        self.assertEqual(self.priority(job), 1120)

    def test_sprio_adds_up_to_squeue_for_every_kind_of_job(self) -> None:
        run = self.cluster.sbatch
        run("-n3", "-t10", user=FIRST)
        run("-n1", "-t10", "--nice=-50")  # root may
        run("-n1", "-t10", "--nice=20000", user=SECOND)
        run("-n1", "-t10", "--array=1-20", user=SECOND)
        run("-n1", "-t10", "--partition=batch,urgent", user=FIRST)
        run("-n1", "-t10", "--begin=now+1hour", user=FIRST)
        run("-n1", "-t10", f"--dependency=afterok:{self.blocker}", user=FIRST)
        run("-n1", "-t10", "--mem=100", user=FIRST)
        self.assertGreaterEqual(check_sums(self, self.cluster), 8)
        self.cluster.wait_for_iterations(2)
        self.assertGreaterEqual(check_sums(self, self.cluster), 8)

    def test_caps_fractions_and_large_terms_add_up_to_the_unit(self) -> None:
        self.cluster.write_maui_cfg(
            POLICY + "QUEUETIMEWEIGHT 7\nXFACTORWEIGHT 333\nCREDCAP 700\nMEMWEIGHT 3\n"
            "TARGWEIGHT 1\nTARGETQUEUETIMEWEIGHT 1000000\nQOSCFG[DEFAULT] QTTARGET=1\n"
        )
        self.reconfigure()
        jobs = [self.cluster.sbatch("-n1", f"-t{minutes}", user=FIRST) for minutes in (1, 3, 7)]
        self.cluster.wait_for_iterations(3)
        self.assertEqual(check_sums(self, self.cluster), 3)
        for job in jobs:  # 1e6 * 1e8 is far beyond Maui's greatest priority
            self.wait_for_priority(job, 1000000000)
        self.assertEqual(check_sums(self, self.cluster), 3)

    def test_queue_time_grows_with_the_iterations(self) -> None:
        self.cluster.write_maui_cfg(POLICY + "QUEUETIMEWEIGHT 60\n")  # one a second
        self.reconfigure()
        job = self.cluster.sbatch("-n1", "-t10", user=FIRST)
        first = self.priority(job)
        self.cluster.wait_for(lambda: self.priority(job) >= first + 4, "four seconds' worth")

    def test_a_hold_costs_the_queue_time_under_fullpolicy_only(self) -> None:
        for policy, kept in (("QUEUEPOLICY", True), ("FULLPOLICY", False)):
            with self.subTest(policy):
                self.cluster.write_maui_cfg(WAITING + f"JOBPRIOACCRUALPOLICY {policy}\n")
                self.reconfigure()
                job = self.cluster.sbatch("-n1", "-t10", user=FIRST)
                self.cluster.wait_for(lambda: self.priority(job) >= 500, "five seconds of waiting")
                self.cluster.run(["scontrol", "hold", str(job)])
                self.cluster.wait_for_iterations(2)
                self.cluster.run(["scontrol", "release", str(job)])
                if kept:
                    self.assertGreaterEqual(self.priority(job), 500)
                else:
                    self.assertLess(self.priority(job), 500)

    def test_a_partition_may_have_weights_of_its_own(self) -> None:
        self.cluster.write_maui_cfg(POLICY + "PROCWEIGHT[urgent] 70\nCREDWEIGHT[urgent] 2\n")
        self.reconfigure()
        job = self.cluster.sbatch("-n2", "-t10", "--partition=batch,urgent", user=SECOND)
        rows = {r["partition_name"]: r["priority"] for r in self.cluster.sprio()}
        self.assertEqual(rows, {"batch": 1000 + 100 + 2 * 10, "urgent": 2 * 1900 + 2 * 70})
        self.assertEqual(check_sums(self, self.cluster), 1)
        answer = self.cluster.maui("diagnose", "-p", "-t", "urgent", "--json")
        self.assertEqual([row["job"] for row in answer["jobs"]], [job])

    def test_negative_priorities_keep_their_order_on_a_base(self) -> None:
        self.cluster.write_maui_cfg(
            POLICY.replace("PRIORITY=1000", "PRIORITY=-3000") + "ENABLENEGJOBPRIORITY TRUE\n"
        )
        self.reconfigure()
        high = self.cluster.sbatch("-n1", "-t10", user=FIRST)
        low = self.cluster.sbatch("-n1", "-t10", user=SECOND)
        self.assertEqual(self.priority(high), 2**30 + 5110)
        self.assertEqual(self.priority(low), 2**30 - 3000 + 110)
        self.assertEqual(check_sums(self, self.cluster), 2)

    def test_without_a_base_negative_priorities_are_raised_to_1(self) -> None:
        self.cluster.write_maui_cfg(POLICY.replace("PRIORITY=1000", "PRIORITY=-3000"))
        self.reconfigure()
        job = self.cluster.sbatch("-n1", "-t10", user=SECOND)
        self.assertEqual(self.priority(job), 1)
        self.assertEqual(check_sums(self, self.cluster), 1)

    def test_a_rejected_job_waits_says_why_and_goes_on_when_it_is_positive_again(self) -> None:
        rejecting = (
            POLICY.replace("PRIORITY=1000", "PRIORITY=-3000")
            + "ENABLENEGJOBPRIORITY TRUE\nREJECTNEGPRIOJOBS TRUE\n"
        )
        self.cluster.write_maui_cfg(rejecting)
        self.reconfigure()
        job = self.cluster.sbatch("-n1", "-t10", user=SECOND)
        held = self.cluster.sbatch("-n1", "-t10", user=FIRST)
        self.cluster.run(["scontrol", "hold", str(held)])
        self.assertEqual(self.priority(job), 0)
        reason = next(r["reason"] for r in self.cluster.squeue() if r["id"] == str(job))
        self.assertIn("negative priority -2890", reason.replace("_", " "))
        self.cluster.restart()
        self.cluster.wait_for_iterations(1)
        self.assertEqual(self.priority(job), 0)
        self.cluster.run(["scontrol", "release", str(job)])
        self.cluster.wait_for_iterations(2)
        self.assertEqual(self.priority(job), 0)
        self.cluster.write_maui_cfg(POLICY)
        self.reconfigure()
        self.wait_for_priority(job, 1110)
        self.assertEqual(self.priority(held), 0)  # an administrator's hold is not ours to undo

    def test_maui_shows_squeues_numbers_and_every_term(self) -> None:
        first = self.cluster.sbatch("-n2", "-t10", "--nice=5", user=FIRST)
        second = self.cluster.sbatch("-n3", "-t10", user=SECOND)
        answer = self.cluster.maui("diagnose", "-p", "--json", user=SECOND)
        jobs = {row["job"]: row for row in answer["jobs"]}
        for job in (first, second):
            self.assertEqual(jobs[job]["priority"], self.priority(job))
        self.assertEqual(jobs[first]["maui_priority"], 5120)
        self.assertEqual(jobs[first]["nice"], 5)
        terms = jobs[second]["components"]
        self.assertEqual(terms["CRED"]["subcomponents"]["USER"], {"weight": 1, "factor": 1000})
        self.assertEqual(terms["RES"]["subcomponents"]["PROC"], {"weight": 10, "factor": 3})
        total = sum(term["weight"] * term["value"] for term in terms.values())
        self.assertEqual(total, jobs[second]["sum"])
        text = self.cluster.run(["maui", "diagnose", "-p"]).stdout
        lines = [line.split() for line in text.splitlines()]
        self.assertIn([str(first), "5120"], [line[:2] for line in lines])

    def test_the_arithmetic_of_each_job_ends_in_squeues_number(self) -> None:
        """As an ordinary user and as root, for every kind of job."""
        run = self.cluster.sbatch
        jobs = [
            run("-n3", "-t10", user=FIRST),
            run("-n1", "-t10", "--nice=-50"),
            run("-n1", "-t10", "--nice=20000", user=SECOND),
            run("-n1", "-t10", "--hold", user=SECOND),
            run("-n1", "-t10", "--mem=100", "--begin=now+1hour", user=FIRST),
            run("-n1", "-t10", "--partition=batch,urgent", user=FIRST),
        ]
        for user in (FIRST, None):
            for job in jobs:
                with self.subTest(user=user, job=job):
                    self.check_arithmetic(job, user)

    def check_arithmetic(self, job: int, user: str | None) -> None:
        """The last line of each sum is the priority in that partition, at one moment."""

        def agrees() -> bool:
            before = self.priority(job)
            text = self.cluster.run(["maui", "priority", str(job)], user=user).stdout
            last = [int(line.split()[-1]) for line in text.splitlines() if "squeue's" in line]
            return before in last and before == self.priority(job)

        self.cluster.wait_for(agrees, f"the sum of job {job} to be squeue's number")

    def test_privatedata_hides_the_jobs_of_others(self) -> None:
        overlay = self.cluster.dir / "etc" / "slurm.conf"
        before = overlay.read_text()
        mine = self.cluster.sbatch("-n1", "-t10", user=FIRST)
        other = self.cluster.sbatch("-n1", "-t10", user=SECOND)
        try:
            overlay.write_text(before + "PrivateData=jobs\n")
            self.reconfigure()
            told = {r["job"] for r in self.cluster.maui("diagnose", "-p", "--json",
                                                        user=FIRST)["jobs"]}
            self.assertEqual(told, {mine})
            rows = self.cluster.run(["sprio", "-h", "-o", "%i"], user=FIRST).stdout.split()
            self.assertEqual(rows, [str(mine)])
            told = {r["job"] for r in self.cluster.maui("diagnose", "-p", "--json")["jobs"]}
            self.assertEqual(told, {mine, other})
        finally:
            overlay.write_text(before)
