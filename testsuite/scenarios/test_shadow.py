# SPDX-License-Identifier: GPL-2.0-or-later
"""Shadow mode: Slurm does what it does without the engine, and the engine tells what it would do."""

from __future__ import annotations

import json
import random
import re
import unittest
from typing import Any

from harness import USERS, Cluster, gpu_devices, replace_file

FIRST, SECOND = USERS
JOBS = 500
CPUS = 64
BASE = 2**30  # of ENABLENEGJOBPRIORITY

# Of all that could touch a job or a node something: limits, a cap, holds, reservations, QOS, node order, a trigger.
POLICY = """
RMPOLLINTERVAL    1
CREDWEIGHT        1
USERWEIGHT        1
RESWEIGHT         1
PROCWEIGHT        10
QUEUETIMEWEIGHT   0
ENABLENEGJOBPRIORITY TRUE
REJECTNEGPRIOJOBS TRUE
FSPOLICY          DEDICATEDPS
FSINTERVAL        1:00:00
NODEALLOCATIONPOLICY MINRESOURCE
USERCFG[daemon]   PRIORITY=100 MAXJOB=1 MAXIJOB=3
USERCFG[bin]      PRIORITY=9000 FSTARGET=20
USERCFG[root]     PRIORITY=-9000
SRCFG[night]      PERIOD=INFINITY USERLIST=daemon HOSTLIST=n1
"""

# Priorities that nothing moves: a constant part, less --nice.
SLURM_CONF = """
PriorityType=priority/multifactor
PriorityParameters=maui_mode=shadow
PriorityCalcPeriod=1
PriorityWeightAge=0
PriorityWeightAssoc=0
PriorityWeightFairshare=0
PriorityWeightJobSize=100000
PriorityWeightPartition=0
PriorityWeightQOS=0
"""

STARTED = re.compile(r"(?:Allocate|Started) JobId=(\d+)")


class _Shadow(unittest.TestCase):
    cluster: Cluster

    def mode(self) -> str | None:
        done = self.cluster.run(["maui", "status", "--json"], check=False)
        return re.search(r'"mode":"(\w+)"', done.stdout)[1] if done.returncode == 0 else None

    def wait_for_mode(self, mode: str | None) -> None:
        self.cluster.wait_for(lambda: self.mode() == mode, f"the engine's mode to be {mode}")

    def records(self) -> dict[str, tuple[str, ...]]:
        """What Slurm has of each job, as far as a priority, limit or reservation could change it."""
        done = self.cluster.run(
            ["squeue", "--noheader", "--all", "--states=PENDING",
             "-O", "JobID:|,PriorityLong:|,Nice:|,Comment:|,Reservation:|,ReqNodes:|,QOS:|,TimeLimit:|"]
        )
        return {line.split("|")[0]: tuple(line.split("|")[1:]) for line in done.stdout.splitlines()}

    def doctor(self) -> list[dict[str, str]]:
        done = self.cluster.run(["maui", "doctor", "--json"], check=False)
        rows: list[dict[str, str]] = json.loads(done.stdout)["checks"]
        return rows

    def check_untouched(self) -> None:
        """There is nothing of the engine's in Slurm or on disk, and nothing was even asked for."""
        self.assertIn("No reservations", self.cluster.run(["scontrol", "show", "reservation"]).stdout)
        self.assertFalse((self.cluster.dir / "state" / "maui").exists())
        self.assertEqual(re.findall(r".*error: maui:.*", self.cluster.log_text()), [])


class ShadowTest(_Shadow):
    """One node with Slurm's own priority and select plugins, filled by one job, so that the others wait."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.cluster = cls.enterClassContext(
            Cluster(nodes=1, cpus=CPUS, memory=60000, maui_cfg=POLICY, slurm_conf=SLURM_CONF,
                    stock_select=True)
        )

    def setUp(self) -> None:
        self.cluster.write_maui_cfg(POLICY)
        self.wait_for_mode("shadow")
        self.reconfigure()
        self.blocker = self.fill()

    def fill(self, user: str | None = None) -> int:
        blocker = self.cluster.sbatch(f"-n{CPUS}", "-t60", user=user)
        self.cluster.wait_for_state(blocker, "RUNNING")
        return blocker

    def tearDown(self) -> None:
        self.cluster.cancel_all()

    def submit_many(self) -> None:
        """JOBS jobs of two users by turns, with priorities of their own in an order of their own."""
        nice = list(range(JOBS))
        random.Random(8).shuffle(nice)
        lists = {user: nice[i::2] for i, user in enumerate(USERS)}
        for user, numbers in lists.items():
            words = " ".join(map(str, numbers))
            self.cluster.run(
                f"echo {words} | xargs -n1 -P4 sh -c "
                "'sbatch -Q -n1 -t5 -o /dev/null --nice=$0 --wrap true >&2 || exit 255'",
                user=user,
            )

    def have_all_run(self) -> bool:
        """Slurm holds a job that a busy slurmd could not launch: it has had its turn, and has another."""
        held = self.cluster.run("squeue --noheader --all --states=PENDING --format='%i %r'").stdout
        for job in re.findall(r"(\d+) launch failed requeued held", held):
            self.cluster.run(["scontrol", "release", job])
        return not self.cluster.squeue()

    def check_snapshot(self) -> None:
        """Maui's priorities and verdicts, while the records have Slurm's."""
        diff = self.cluster.maui("diff", "--json")
        self.assertEqual(diff["schema"], "maui.diff/1")
        jobs = diff["jobs"]
        self.assertEqual(len(jobs), JOBS)
        for job in jobs:
            own = 9000 if job["user"] == SECOND else 100
            self.assertEqual(job["maui"]["priority"], BASE + own + 10 - self.nice_of(job), job)
            self.assertEqual(job["blocked"], job["user"] == FIRST, job)
        slurms = sorted(jobs, key=lambda job: (-job["slurm"]["priority"], job["job"]))
        self.assertEqual([job["slurm"]["rank"] for job in slurms], list(range(1, JOBS + 1)))

    def nice_of(self, job: dict[str, Any]) -> int:
        return int(self.queued[str(job["job"])][1])

    def test_500_jobs_start_in_the_order_of_stock_slurm(self) -> None:
        self.cluster.scancel(self.blocker)
        self.blocker = self.fill(FIRST)  # who may run one job at a time
        self.submit_many()
        self.queued = self.records()
        self.assertEqual(len(self.queued), JOBS)
        self.cluster.wait_for_iterations(3)
        self.check_snapshot()
        self.assertEqual(self.records(), self.queued)
        wanted = sorted(self.queued, key=lambda job: (-int(self.queued[job][0]), int(job)))
        position = self.cluster.log_position()
        self.cluster.scancel(self.blocker)
        self.cluster.wait_for(self.have_all_run, "all jobs to have run", timeout=300)
        started = STARTED.findall(self.cluster.log_text(position))
        self.assertEqual(list(dict.fromkeys(started)), wanted)
        self.check_untouched()

    def reconfigure(self) -> None:
        self.cluster.install()

    def test_what_would_be_is_told_to_everybody_and_nothing_is_done(self) -> None:
        first = [self.cluster.sbatch("-n1", "-t5", user=FIRST) for _ in range(5)]
        second = self.cluster.sbatch("-n1", "-t5", user=SECOND)
        rejected = self.cluster.sbatch("-n1", "-t5")
        held = self.cluster.sbatch("-n1", "-t5", "--hold", user=SECOND)
        before = self.records()
        self.cluster.wait_for_iterations(3)
        diff = self.cluster.maui("diff", "--json", user=SECOND)
        found = {job["job"]: job for job in diff["jobs"]}
        self.assertEqual(found[second]["maui"]["rank"], 1)
        self.assertEqual(found[second]["change"], 5)
        self.assertEqual(found[rejected]["reason"]["kind"], "negative-priority")
        self.assertTrue(found[rejected]["blocked"])
        self.assertFalse(found[held]["blocked"])
        self.assertEqual(found[held]["slurm"]["reason"], "JobHeldUser")
        self.assertEqual([found[job]["blocked"] for job in first], [False] * 3 + [True] * 2)
        self.assertEqual([row["name"] for row in diff["reservations"]], ["night.inf"])
        self.assertEqual(diff["reservations"][0]["nodes"], "n1")
        self.assertIn("bin", [share["name"] for share in diff["shares"]])
        for words in (["diff", "-v"], ["diagnose", "-p"], ["diagnose", "-q"], ["diagnose", "-f"],
                      ["diagnose", "-r"], ["showres"], ["priority", str(second)]):
            self.assertTrue(self.cluster.run(["maui", *words]).stdout, words)
        text = self.cluster.run(["maui", "priority", str(second)]).stdout
        self.assertRegex(text, rf"squeue's priority today +{before[str(second)][0]}\n")
        for words in (["setres", "n1"], ["releaseres", "night.inf"]):
            done = self.cluster.run(["maui", *words], check=False)
            self.assertEqual(done.returncode, 5, done)
            self.assertIn("shadow mode", done.stderr)
        # To Slurm there is no such reservation, and the name does not go into the comment.
        done = self.cluster.run(
            ["sbatch", "--reservation=night.inf", "--wrap", "true"], user=FIRST, check=False
        )
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(self.records(), before)
        self.check_untouched()
        self.cluster.sbatch("--hold", "--comment=x=GRES:nobody", user=FIRST)  # not refused: it is only words

    def test_limits_act_in_the_snapshot_alone(self) -> None:
        """Two of a user's jobs at a time, where MAXJOB is 1, on nodes that are another's under SRCFG."""
        jobs = [self.cluster.sbatch("-n1", "-t5", user=user) for user in (FIRST, FIRST, SECOND)]
        self.cluster.scancel(self.blocker)
        for job in jobs:
            self.cluster.wait_for_state(job, "RUNNING")
        waiting = self.cluster.sbatch(f"-n{CPUS}", "-t5", user=FIRST)
        self.cluster.wait_for_iterations(2)
        blocked = self.cluster.maui("diagnose", "-q", "--json")["jobs"]
        self.assertEqual([row["job"] for row in blocked], [waiting])
        self.assertEqual(blocked[0]["limit"]["usage"], 2)
        # None where the main scheduler looks at nobody, as in 23.11 without slurmdbd.
        self.assertIn(self.cluster.job(waiting)["Reason"], ("Resources", "None"))
        self.check_untouched()

    def test_a_restart_and_a_reconfigure_are_noticed(self) -> None:
        job = self.cluster.sbatch("-n1", "-t5", user=SECOND)
        before = self.records()
        self.cluster.write_maui_cfg(POLICY.replace("PRIORITY=9000", "PRIORITY=7000"))
        self.reconfigure()
        self.assertEqual(self.maui_priority(job), BASE + 7010)
        self.cluster.restart()
        self.wait_for_mode("shadow")
        self.assertEqual(self.maui_priority(job), BASE + 7010)
        self.assertEqual(self.records(), before)
        self.check_untouched()

    def test_doctor_and_schedctl_know_shadow_mode(self) -> None:
        rows = self.doctor()
        self.assertEqual([row for row in rows if row["state"] not in ("ok", "unseen")], [])
        texts = {row["check"]: row["text"] for row in rows}
        self.assertIn("shadow mode", texts["PriorityType"])
        self.assertRegex(texts["engine"], r"Slurm-Maui .*, shadow$")
        done = self.cluster.run(["maui", "schedctl", "-R"])
        self.assertIn("has read", done.stdout)
        self.check_untouched()

    def maui_priority(self, job: int) -> int:
        rows = self.cluster.maui("priority", "--json", str(job))["jobs"]
        return int(rows[0]["priority"])

    def test_without_the_parameter_a_reconfigure_ends_it(self) -> None:
        conf = self.cluster.dir / "etc" / "slurm.conf"
        text = conf.read_text(encoding="utf-8")
        self.addCleanup(self.cluster.restart)  # to come back it takes the plugin's init
        self.addCleanup(replace_file, conf, text)
        replace_file(conf, text.replace(",maui_mode=shadow", ""))
        self.cluster.reconfigure()
        self.wait_for_mode(None)
        self.assertEqual(self.cluster.job(self.blocker)["JobState"], "RUNNING")


class BesideOurSelectTest(_Shadow):
    """With the directory of our select plugin in PluginDir, which a shadow leaves to Slurm."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.cluster = cls.enterClassContext(
            Cluster(nodes=2, maui_cfg=POLICY, slurm_conf=SLURM_CONF)
        )

    def test_the_select_plugin_is_left_to_slurm(self) -> None:
        self.wait_for_mode("shadow")
        jobs = [self.cluster.sbatch("-n1", "-t5", user=user) for user in (FIRST, FIRST, SECOND)]
        for job in jobs:
            self.cluster.wait_for_state(job, "RUNNING")
            self.assertEqual(self.cluster.job(job)["NodeList"], "n1")  # LASTAVAILABLE would be n2
        self.cluster.wait_for_iterations(2)
        self.cluster.cancel_all()
        self.check_untouched()


class GresTest(_Shadow):
    """GPUs count in the shadow, too: two of four are in use, and there is no idle processor."""

    @classmethod
    def setUpClass(cls) -> None:
        devices = cls.enterClassContext(gpu_devices())
        cls.cluster = cls.enterClassContext(
            Cluster(
                nodes=1, cpus=CPUS, memory=60000, stock_select=True,
                maui_cfg="RMPOLLINTERVAL 1\nQUEUETIMEWEIGHT 0\nRESWEIGHT 1\nGRESWEIGHT[gpu] 100\n"
                "USERCFG[DEFAULT] MAXGRES[gpu]=2\n",
                slurm_conf=SLURM_CONF + "GresTypes=gpu\nNodeName=n1 Gres=gpu:4\n",
                gres_conf=f"NodeName=n1 Name=gpu File={devices}/gpu[0-3]\n",
            )
        )

    def test_diff_counts_gpus(self) -> None:
        self.wait_for_mode("shadow")
        running = self.cluster.sbatch(f"-n{CPUS}", "-t60", "--gres=gpu:2", user=FIRST)
        self.cluster.wait_for_state(running, "RUNNING")
        over, one, two = (
            self.cluster.sbatch("-n1", "-t5", f"--gpus={gpus}", user=user)
            for gpus, user in ((1, FIRST), (1, SECOND), (2, SECOND))
        )
        self.cluster.wait_for_iterations(3)
        diff = self.cluster.maui("diff", "--json")
        found = {job["job"]: job for job in diff["jobs"]}
        self.assertEqual([found[job]["maui"]["priority"] for job in (over, one, two)], [100, 100, 200])
        self.assertEqual([found[job]["blocked"] for job in (over, one, two)], [True, False, False])
        text = f"MAXGRES[gpu] limit of 2 for user {FIRST} (2 in use, 1 asked for)"
        self.assertEqual(found[over]["reason"]["text"], text)
        self.assertEqual([found[job]["maui"]["rank"] for job in (two, one)], [1, 2])
        self.assertIn(text, self.cluster.run(["maui", "diff"]).stdout)
        self.check_untouched()


class ContradictionTest(_Shadow):
    """priority/maui and shadow mode: Slurm has asked for Maui's priorities, and gets them."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.cluster = cls.enterClassContext(
            Cluster(nodes=1, maui_cfg=POLICY, slurm_conf="PriorityParameters=maui_mode=shadow\n")
        )

    def test_the_real_mode_holds_and_says_so(self) -> None:
        self.wait_for_mode("primary")
        errors = re.findall(r"error: maui: PriorityParameters: maui_mode=shadow.*", self.cluster.log_text())
        self.assertEqual(len(errors), 1, errors)
        job = self.cluster.sbatch("-n1", "-t5", user=SECOND)
        self.assertEqual(self.cluster.job(job)["Priority"], str(BASE + 9010))
        done = self.cluster.run(["maui", "diff"], check=False)
        self.assertEqual(done.returncode, 2, done)
        self.assertIn("nothing to compare", done.stderr)
        rows = [row for row in self.doctor() if row["check"] == "PriorityParameters"]
        self.assertEqual([row["state"] for row in rows], ["warn"])
        self.assertIn("maui_mode=shadow has no effect with priority/maui", rows[0]["text"])
