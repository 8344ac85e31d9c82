#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The select plugin: it leaves to Slurm what fits, tells it the order, and can be taken away.

The order is that of testsuite/select_engine, which stands in for the engine, so that the mechanism
is tested and not a policy.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
import tempfile
import unittest
from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

from harness import USERS, Cluster, replace_file  # noqa: E402

BUILD = Path(os.environ.get("MAUI_BUILD") or Path(__file__).resolve().parents[2] / "build")
# From Slurm 25.05 on it has a name of its own.
PLUGIN, NAME = next(
    (path, name)
    for name in ("cons_tres_maui", "cons_tres")
    if (path := BUILD / "plugins" / "select" / f"select_{name}.so").exists() or name == "cons_tres"
)
ENGINE = BUILD / "testsuite" / "select_engine" / "libslurm_maui.so"

SOON = timedelta(minutes=10)
# Which set of nodes was tried is in the log.
SHOW = "DebugFlags=SelectType\n"
FROM_FEW = re.compile(r"Maui: JobId=(\d+) on the first (\d+) of (\d+) ranks: (.*)")


def ended(text: str) -> re.Pattern[str]:
    return re.compile(rf"test engine: {text}")


class SelectTest(unittest.TestCase):
    """A directory with the plugin and an engine for tests, to stand first in PluginDir."""

    def setUp(self) -> None:
        self.plugins = Path(tempfile.mkdtemp(prefix="maui-select-"))
        self.addCleanup(shutil.rmtree, self.plugins)
        self.plugins.chmod(0o755)
        shutil.copy(PLUGIN, self.plugins)
        shutil.copy(ENGINE, self.plugins)
        self.order("none")

    def order(self, text: str) -> None:
        fresh = self.plugins / "order.new"
        fresh.write_text(text + "\n", encoding="utf-8")
        fresh.replace(self.plugins / "order")

    def cluster(self, nodes: int = 4, slurm_conf: str = "", memory: int = 4000) -> Cluster:
        return Cluster(
            nodes=nodes,
            memory=memory,
            stock=True,
            plugin_dirs=[self.plugins],
            slurm_conf=f"{SHOW}SelectType=select/{NAME}\n{slurm_conf}",
        )

    def nodes_of(self, cluster: Cluster, *options: str, user: str | None = None) -> str:
        """Where a job runs; it goes on."""
        job = cluster.sbatch(*options, user=user)
        cluster.wait_for_state(job, "RUNNING")
        return cluster.job(job)["NodeList"]

    def planned_nodes(self, cluster: Cluster, *options: str) -> str:
        """Where `sbatch --test-only` says that a job would run."""
        done = cluster.run(["sbatch", "--test-only", *options, "--wrap", "true"])
        match = re.search(r"on nodes (\S+)", done.stderr)
        assert match is not None, done.stderr
        return match[1]


class TheOrderIsTheEngines(SelectTest):
    def test_nodes_are_taken_in_the_order_of_their_ranks(self) -> None:
        self.order("reverse")
        with self.cluster() as cluster:
            self.assertEqual(self.nodes_of(cluster, "-N1", "-c4"), "n4")
            self.assertEqual(self.nodes_of(cluster, "-N2"), "n[2-3]")
            self.assertEqual(self.nodes_of(cluster, "-n1"), "n3")
            cluster.cancel_all()
            self.assertEqual(self.nodes_of(cluster, "-N2", "--exclude=n4"), "n[2-3]")
            cluster.cancel_all()
            self.assertEqual(self.nodes_of(cluster, "-N2", "--nodelist=n1"), "n[1,4]")
            self.assertTrue(cluster.log_contains("test engine: reverse for JobId="))

    def test_equal_ranks_are_slurms_to_choose_from(self) -> None:
        self.order("halves")
        conf = "NodeName=n2 Weight=1\nNodeName=n[1,3,4] Weight=9\n"
        with self.cluster(slurm_conf=conf) as cluster:
            # Of n2 and n4 the smaller one that holds it; then both of them before n1 and n3.
            self.assertEqual(self.nodes_of(cluster, "-n4", "-N1"), "n2")
            self.assertEqual(self.nodes_of(cluster, "-N2", "--exclusive"), "n[1,4]")

    def test_without_a_ranking_everything_is_as_it_was(self) -> None:
        with self.cluster(slurm_conf="NodeName=n1 Weight=9\n") as cluster:
            self.assertEqual(self.nodes_of(cluster, "-N1", "-c4"), "n2")
            self.assertEqual(self.planned_nodes(cluster, "-N1", "-c4"), "n3")

    def test_no_weight_is_left_behind(self) -> None:
        with self.cluster() as cluster:
            self.order("reverse")
            self.assertEqual(self.planned_nodes(cluster, "-N2"), "n[3-4]")
            self.order("none")
            self.assertEqual(self.planned_nodes(cluster, "-N2"), "n[1-2]")
            self.order("reverse")
            self.assertEqual(self.nodes_of(cluster, "-N1", "-c4"), "n4")
            self.order("none")
            self.assertEqual(self.planned_nodes(cluster, "-N2"), "n[1-2]")

    def test_ranks_that_are_not_allowed_do_no_harm(self) -> None:
        self.order("broken")
        with self.cluster() as cluster:
            self.nodes_of(cluster, "-N2", "--exclusive")
            self.nodes_of(cluster, "-N2", "--exclusive")
            self.assertEqual(cluster.node("n4")["State"], "ALLOCATED")

    def test_backfill_takes_the_order_too(self) -> None:
        self.order("reverse")
        with self.cluster() as cluster:
            self.assertEqual(self.nodes_of(cluster, "-N1", "--exclusive", "-t60"), "n4")
            big = cluster.sbatch("-N4", "--exclusive", "-t60")
            cluster.wait_for(lambda: cluster.job(big)["Reason"] == "Resources", "the reason")
            # Nothing but backfill starts a job behind it.
            self.assertEqual(self.nodes_of(cluster, "-N1", "--exclusive", "-t1"), "n3")

    def test_a_start_to_be_planned_is_told_from_one_now(self) -> None:
        self.order("reverse")
        with self.cluster() as cluster:
            self.nodes_of(cluster, "-N4", "--exclusive", "-t10")
            after = cluster.log_position()
            self.assertEqual(self.planned_nodes(cluster, "-N2"), "n[3-4]")
            asked = re.findall(r"test engine: reverse for \S+, 4 nodes.*", cluster.log_text(after))
            self.assertTrue(asked)
            self.assertFalse([line for line in asked if line.endswith("now")])

    def test_preemption_takes_the_order_too(self) -> None:
        self.order("reverse")
        conf = (
            "PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE\n"
            "PartitionName=batch PriorityTier=1\n"
            "PartitionName=high Nodes=ALL PriorityTier=9 PreemptMode=OFF\n"
        )
        with self.cluster(slurm_conf=conf) as cluster:
            for _ in range(4):
                self.nodes_of(cluster, "-N1", "--exclusive", "--requeue")
            self.assertEqual(self.nodes_of(cluster, "-N1", "--exclusive", "-phigh"), "n4")
            states = sorted(row["state"] for row in cluster.squeue())
            self.assertEqual(states.count("RUNNING"), 4)


class TheBestFewNodesAreTriedFirst(SelectTest):
    def tried(self, cluster: Cluster, after: int) -> list[tuple[str, ...]]:
        return FROM_FEW.findall(cluster.log_text(after))

    def test_a_small_job_on_many_nodes_gets_the_first_of_them(self) -> None:
        self.order("reverse")
        with self.cluster(nodes=16) as cluster:
            after = cluster.log_position()
            self.assertEqual(self.nodes_of(cluster, "-N1", "--exclusive"), "n16")
            # One, a quarter more, and four to spare.
            self.assertEqual(self.tried(cluster, after)[0][1:], ("5", "16", "No error"))
            after = cluster.log_position()
            self.assertEqual(self.nodes_of(cluster, "-N1", "-c4", "-w", "n2"), "n2")
            self.assertEqual(self.nodes_of(cluster, "-N3", "-c4", "-w", "n3"), "n[3,14-15]")
            self.assertIn("No error", self.tried(cluster, after)[-1])
            # A busy node is none of the few.
            self.assertEqual(self.nodes_of(cluster, "-N2", "-c4"), "n[12-13]")

    def test_the_few_have_enough_memory(self) -> None:
        self.order("reverse")
        conf = "NodeName=n[9-16] RealMemory=100\nDefMemPerCPU=10\n"
        with self.cluster(nodes=16, slurm_conf=conf) as cluster:
            # The first have CPUs, but the memory is held.
            for _ in range(4):
                self.nodes_of(cluster, "-N2", "-n2", "--mem=90")
            after = cluster.log_position()
            self.assertEqual(self.nodes_of(cluster, "-N1", "-n1", "--mem=80"), "n8")
            self.assertEqual(self.tried(cluster, after)[0][3], "No error")

    def test_all_nodes_are_tried_where_the_few_do_not_do(self) -> None:
        self.order("reverse")
        conf = "GresTypes=token\nNodeName=n[1-16] Gres=token:1\n"
        with self.cluster(nodes=16, slurm_conf=conf) as cluster:
            # The first have CPUs, but no token.
            self.nodes_of(cluster, "-N10", "-n10", "--gres=token:1")
            after = cluster.log_position()
            self.assertEqual(self.nodes_of(cluster, "-N3", "-n3", "--gres=token:1"), "n[4-6]")
            failed = [line for line in self.tried(cluster, after) if line[3] != "No error"]
            self.assertTrue(failed)


class WhatCannotStart(SelectTest):
    """A start that cannot succeed is refused without cons_tres; what becomes possible starts."""

    def refused(self, cluster: Cluster, job: int, after: int = 0) -> bool:
        return cluster.log_contains(f"Maui: JobId={job} has no room", after)

    def waits(self, cluster: Cluster, *options: str, reason: str = "Resources") -> int:
        job = cluster.sbatch(*options)
        cluster.wait_for(lambda: cluster.job(job)["Reason"] == reason, f"job {job} to wait")
        return job

    def test_too_few_cpus_nodes_or_memory(self) -> None:
        with self.cluster(nodes=3, slurm_conf="DefMemPerCPU=10\n") as cluster:
            self.nodes_of(cluster, "-N2", "-n2", "-c3")
            self.nodes_of(cluster, "-w", "n3", "-n1", "--mem=3900")
            for options in (
                ("-N3", "-n3", "-c2"),  # nodes with two CPUs
                ("-n8",),  # CPUs on all
                ("-N1", "-n4"),  # CPUs on one
                ("-N3", "-n3", "--mem=200"),
            ):
                job = self.waits(cluster, *options)
                self.assertTrue(self.refused(cluster, job), options)
                cluster.run(["scancel", str(job)])
            self.assertEqual(self.nodes_of(cluster, "-N3", "-n3"), "n[1-3]")

    def test_it_starts_when_another_has_ended_or_is_suspended(self) -> None:
        with self.cluster(nodes=1, slurm_conf="DefMemPerCPU=10\n") as cluster:
            first = cluster.sbatch("-N1", "-n4")
            cluster.wait_for_state(first, "RUNNING")
            second = self.waits(cluster, "-N1", "-n4")
            self.assertTrue(self.refused(cluster, second))
            cluster.run(["scontrol", "suspend", str(first)])
            cluster.wait_for_state(second, "RUNNING")
            cluster.run(["scancel", str(second)])
            cluster.run(["scontrol", "resume", str(first)])
            third = cluster.sbatch("-N1", "-n4")
            cluster.run(["scancel", str(first)])
            cluster.wait_for_state(third, "RUNNING")

    def test_a_resumed_job_beside_another_proves_nothing(self) -> None:
        with self.cluster(nodes=2, slurm_conf="DefMemPerCPU=10\n") as cluster:
            first = cluster.sbatch("-N1", "-w", "n1", "-n4")
            cluster.wait_for_state(first, "RUNNING")
            cluster.run(["scontrol", "suspend", str(first)])
            self.assertEqual(self.nodes_of(cluster, "-w", "n1", "-n2"), "n1")
            cluster.run(["scontrol", "resume", str(first)])
            after = cluster.log_position()
            job = self.waits(cluster, "-N1", "-w", "n1", "-n4")
            self.assertFalse(self.refused(cluster, job, after))

    def test_who_may_share_or_wants_a_license_is_left_to_slurm(self) -> None:
        conf = "DefMemPerCPU=10\nLicenses=seat:1\nPartitionName=shared Nodes=ALL OverSubscribe=YES:2\n"
        with self.cluster(nodes=1, slurm_conf=conf) as cluster:
            self.nodes_of(cluster, "-N1", "-n4", "-L", "seat:1")
            job = self.waits(cluster, "-N1", "-n4", "-L", "seat:1", reason="Licenses")
            self.assertFalse(self.refused(cluster, job))
            cluster.cancel_all()
            self.nodes_of(cluster, "-N1", "-n4", "-s", "-pshared")
            self.assertEqual(self.nodes_of(cluster, "-N1", "-n4", "-s", "-pshared"), "n1")


class WhatSlurmDecidesItself(SelectTest):
    def test_its_own_rules_of_choice_stand(self) -> None:
        self.order("reverse")
        conf = "PartitionName=spread Nodes=ALL LLN=YES\n"
        with self.cluster(slurm_conf=conf) as cluster:
            after = cluster.log_position()
            self.assertEqual(self.nodes_of(cluster, "-N2", "--contiguous", "-c4"), "n[1-2]")
            self.nodes_of(cluster, "-N1", "-pspread")
            self.nodes_of(cluster, "-n2", "-c1", "--spread-job")
            self.assertNotIn("test engine: reverse", cluster.log_text(after))

    def test_serial_jobs_at_the_end_stay_there(self) -> None:
        """Where Slurm puts them: n4, but in 26.05, whose pack_serial_at_end has no effect, n1."""
        self.order("halves")
        conf = "SchedulerParameters=batch_sched_delay=0,sched_interval=2,pack_serial_at_end\n"
        with Cluster(nodes=4, stock=True, slurm_conf=conf) as cluster:
            its_own = self.nodes_of(cluster, "-n1")
        with self.cluster(slurm_conf=conf) as cluster:
            self.assertEqual(self.nodes_of(cluster, "-n1"), its_own)
            self.assertFalse(cluster.log_contains("test engine: halves"))
            self.assertEqual(self.nodes_of(cluster, "-N2", "-c3"), "n[2,4]")


class WhatTheEngineIsTold(SelectTest):
    def test_ends_of_runs_and_steps_and_changes_of_nodes(self) -> None:
        conf = "JobAcctGatherType=jobacct_gather/linux\nJobAcctGatherFrequency=1\n"
        with self.cluster(slurm_conf=conf) as cluster:
            self.assertTrue(cluster.log_contains("test engine: nodes_changed"))
            job = cluster.sbatch("-N2", wrap="srun true", user=USERS[0])
            cluster.wait_for_state(job, "COMPLETED")
            run = ended(rf"run_ended JobId={job}, 2 nodes")
            self.assertEqual(len(run.findall(cluster.log_text())), 1)
            if NAME == "cons_tres":  # later Slurm tells its select plugin nothing of steps
                steps = ended(rf"step_ended JobId={job} StepId=(\w+), measured")
                cluster.wait_for(
                    lambda: sorted(steps.findall(cluster.log_text())) == ["0", "batch"], "its steps"
                )
            after = cluster.log_position()
            cluster.reconfigure()
            cluster.wait_for(
                lambda: cluster.log_contains("test engine: nodes_changed", after), "the change"
            )

    def test_a_requeued_job_has_ended_a_run(self) -> None:
        with self.cluster() as cluster:
            job = cluster.sbatch("--requeue", user=USERS[0])
            cluster.wait_for_state(job, "RUNNING")
            cluster.run(["scontrol", "requeue", str(job)])
            run = ended(rf"run_ended JobId={job}, 1 nodes")
            self.assertEqual(len(run.findall(cluster.log_text())), 1)

    def test_more_nodes_after_a_change_of_slurm_conf(self) -> None:
        self.order("reverse")
        with self.cluster(slurm_conf="PartitionName=batch Nodes=n[1-3]\n") as cluster:
            self.assertEqual(self.nodes_of(cluster, "-N1", "-c4"), "n3")
            change(cluster, "Nodes=n[1-3]", "Nodes=n[1-4]")
            cluster.reconfigure()
            self.assertEqual(self.nodes_of(cluster, "-N1", "-c4"), "n4")
            change(cluster, r"NodeName=n4 [^\n]*\n", "")
            change(cluster, r"Nodes=n\[1-4\]", "Nodes=n[1-3]")
            cluster.restart()
            self.assertEqual(self.nodes_of(cluster, "-N1", "-c4"), "n2")


def change(cluster: Cluster, old: str, new: str) -> None:
    """Replace a regular expression in slurm.conf, where it must be."""
    file = cluster.dir / "etc" / "slurm.conf"
    text, count = re.subn(old if "\\" in old else re.escape(old), new, file.read_text())
    assert count, f"no '{old}' in slurm.conf"
    replace_file(file, text)


class ItCanBeTakenAway(SelectTest):
    def resources(self, cluster: Cluster, job: int) -> tuple[str, str]:
        record = cluster.job(job)
        return record["NodeList"], record.get("AllocTRES") or record["TRES"]  # before 23.11

    @unittest.skipIf(NAME == "cons_tres", "it has no name of its own here")
    def test_its_earlier_name_still_loads_it(self) -> None:
        with Cluster(nodes=1, slurm_conf="SelectType=select/maui\n") as cluster:
            self.assertTrue(cluster.maui("status", "--json")["select"])
            self.assertNotIn("SelectType", cluster.run("maui doctor | grep -v ^ok", check=False).stdout)

    def test_with_jobs_running_and_put_back(self) -> None:
        with Cluster(nodes=4) as cluster:
            ours, theirs = "SelectType=select/cons_tres_maui", "SelectType=select/cons_tres"
            if NAME == "cons_tres":
                directory = re.search(r"PluginDir=([^:]*/maui):", self.conf(cluster))
                assert directory is not None
                ours, theirs = f"PluginDir={directory[1]}:", "PluginDir="
            self.assertTrue(cluster.log_contains(f"select/{NAME} of Maui: the work is done by"))
            jobs = [self.job_until(cluster, "away", user) for user in USERS]
            waiting = cluster.sbatch("-N4", "--exclusive", wrap="true")

            after = cluster.log_position()
            change(cluster, ours, theirs)
            cluster.restart()
            self.assertFalse(cluster.log_contains(f"select/{NAME} of Maui", after))
            self.assert_running(cluster, jobs)
            jobs.append(self.job_until(cluster, "away", USERS[0]))
            (cluster.dir / "work" / "away").touch()
            for job in (*jobs, waiting):
                cluster.wait_for_state(job, "COMPLETED")

            stays = self.job_until(cluster, "back", USERS[1])
            resources = self.resources(cluster, stays)
            after = cluster.log_position()
            change(cluster, theirs, ours)
            cluster.restart()
            self.assertTrue(cluster.log_contains(f"select/{NAME} of Maui: the work is", after))
            self.assert_running(cluster, [stays])
            self.assertEqual(self.resources(cluster, stays), resources)
            # Also before the other ends: a step that is asked for just after a restart waits long.
            new = self.job_until(cluster, "back", USERS[0])
            (cluster.dir / "work" / "back").touch()
            for job in (stays, new):
                cluster.wait_for_state(job, "COMPLETED")

    def test_an_empty_directory_in_front_is_enough_for_clients_and_nodes(self) -> None:
        with Cluster(nodes=2, stock=True, plugin_dirs=[self.empty()]) as cluster:
            self.use_everything(cluster)

    def test_clients_and_nodes_without_it_work_with_a_controller_that_has_it(self) -> None:
        empty = self.empty()
        with self.cluster(nodes=2) as cluster:
            # From now on for whoever starts: slurmstepd and the commands.
            change(cluster, f"PluginDir={self.plugins}:", f"PluginDir={empty}:")
            self.use_everything(cluster)
            self.assertTrue(cluster.log_contains("test engine: none for JobId="))

    def test_a_program_with_libslurm_alone_works(self) -> None:
        """Slurm's commands have libslurmfull, which gives plugins more."""
        program = BUILD / "testsuite" / "bench" / "bench-submit-jobs"
        with self.cluster(nodes=1) as cluster:
            cluster.run([str(program), "1", "1", "0:0:any"])
            self.assertEqual(len(cluster.squeue("--states=all")), 1)

    def test_clients_log_nothing_of_it(self) -> None:
        with self.cluster(nodes=1) as cluster:
            for command in ("sinfo", "squeue", "scontrol show nodes", "sbatch --wrap true"):
                done = cluster.run(command)
                self.assertNotIn("Maui", done.stdout + done.stderr)
            log = cluster.dir / "log" / "slurmd.n1.log"
            self.assertNotIn("error: select", log.read_text())

    def test_without_the_engine_one_line_says_so_and_jobs_run(self) -> None:
        (self.plugins / ENGINE.name).unlink()
        with self.cluster(nodes=2) as cluster:
            self.use_everything(cluster)
            cluster.reconfigure()
            self.use_everything(cluster)
            lines = [line for line in cluster.log_text().splitlines() if "of Maui" in line]
            errors = [line for line in lines if "error:" in line]
            processes = 2 if cluster.reconfigures_by_restart() else 1
            self.assertEqual(len(errors), processes, errors)
            self.assertIn("no libslurm_maui.so in PluginDir=", errors[0])
            self.assertIn("nodes are Slurm's own choice", errors[0])

    def test_an_engine_that_does_not_load_does_no_harm(self) -> None:
        (self.plugins / ENGINE.name).write_text("no library")
        with self.cluster(nodes=1) as cluster:
            self.use_everything(cluster)
            self.assertTrue(cluster.log_contains("nodes are Slurm's own choice"))

    def test_the_engine_is_the_one_of_priority_maui(self) -> None:
        """A foreign one in front would take its name, and slurmctld would not start."""
        with Cluster(nodes=1, plugin_dirs=[self.plugins]) as cluster:
            maps = Path(f"/proc/{cluster.pid()}/maps").read_text(encoding="utf-8")
            engines = set(re.findall(r"\S*/libslurm_maui\.so", maps))
            self.assertEqual(len(engines), 1, engines)
            self.assertTrue(engines.pop().startswith(str(cluster.dir / "stage")))
            self.use_everything(cluster)

    def empty(self) -> Path:
        directory = Path(tempfile.mkdtemp(prefix="maui-empty-"))
        self.addCleanup(shutil.rmtree, directory)
        directory.chmod(0o755)
        return directory

    def conf(self, cluster: Cluster) -> str:
        return (cluster.dir / "etc" / "slurm.conf").read_text(encoding="utf-8")

    def job_until(self, cluster: Cluster, file: str, user: str) -> int:
        """A job in the middle of its work, which it ends when a file is there."""
        script = (
            f"srun true; echo >$SLURM_JOB_ID; until [ -e {file} ]; do sleep 0.2; done; srun true"
        )
        job = cluster.sbatch("-n2", wrap=script, user=user)
        begun = cluster.dir / "work" / str(job)
        cluster.wait_for(begun.exists, f"job {job} to be in the middle of its work")
        return job

    def assert_running(self, cluster: Cluster, jobs: Iterable[int]) -> None:
        for job in jobs:
            self.assertEqual(cluster.job(job)["JobState"], "RUNNING")

    def use_everything(self, cluster: Cluster) -> None:
        for command in ("sinfo", "squeue", "scontrol show nodes", "srun -n1 true"):
            cluster.run(command)
        job = cluster.sbatch(wrap="srun -n1 true", user=USERS[0])
        cluster.wait_for_state(job, "COMPLETED")


# Ten nodes of differing CPUs, memory, features, weights and GRES. Jobs are tried in the order of
# their submission, and one that waits holds up no other (what bf_min_prio_reserve does).
MIXED = """\
GresTypes=tape
SchedulerParameters=batch_sched_delay=0,sched_interval=1,max_sched_time=30,bf_interval=3600,\\
bf_min_prio_reserve=2000000000
PriorityWeightAge=0
PriorityWeightJobSize=0
PriorityWeightPartition=0
NodeName=n[1-3] CPUs=2 RealMemory=2000 Feature=slow,old Weight=10
NodeName=n[4-5] CPUs=4 RealMemory=4000 Feature=slow Weight=5
NodeName=n[6-7] CPUs=4 RealMemory=8000 Feature=fast Gres=tape:2 Weight=5
NodeName=n8 CPUs=8 RealMemory=3000 Feature=fast,old Gres=tape:1 Weight=20
NodeName=n9 CPUs=8 RealMemory=16000 Feature=fast,big Weight=1
NodeName=n10 CPUs=16 RealMemory=16000 Feature=fast,big Gres=tape:4 Weight=30
DefMemPerCPU=100
"""
MIXED_NODES = 10
WAVES, WAVE = 25, 20


def random_options(random: Random) -> list[str]:
    """A submission of any kind."""
    options = []
    size = random.choice(("nodes", "nodes", "tasks", "tasks", "range", "per-node"))
    if size == "nodes":
        options.append(f"-N{random.randint(1, 4)}")
    elif size == "range":
        least = random.randint(1, 3)
        options.append(f"-N{least}-{least + random.randint(1, 3)}")
    elif size == "per-node":
        options += [f"-N{random.randint(1, 3)}", f"--ntasks-per-node={random.randint(1, 4)}"]
    if size in ("tasks", "range") or random.random() < 0.3:
        options.append(f"-n{random.randint(4, 12)}")
    if random.random() < 0.3:
        options.append(f"-c{random.choice((1, 2, 3, 4, 8))}")
    memory = random.random()
    if memory < 0.2:
        options.append(f"--mem={random.choice((500, 1500, 3000, 7000, 12000))}")
    elif memory < 0.3:
        options.append(f"--mem-per-cpu={random.choice((50, 400, 900))}")
    if random.random() < 0.3:
        options.append(
            f"-C{random.choice(('slow', 'fast', 'old', 'fast&big', 'slow|big', '[slow|fast]'))}"
        )
    if random.random() < 0.15:
        options.append("--exclusive")
    if random.random() < 0.2:
        options.append(f"--gres=tape:{random.randint(1, 2)}")
    if random.random() < 0.1:
        options.append(f"--exclude=n{random.randint(1, 10)}")
    if random.random() < 0.05:
        options.append(f"--nodelist=n{random.randint(1, 10)}")
    if random.random() < 0.1:
        options.append(f"--array=1-{random.randint(2, 4)}")
    return options


class WhatFitsIsSlurms(SelectTest):
    SEED = 20221208

    def submissions(self) -> list[list[str]]:
        random = Random(self.SEED)
        return [random_options(random) for _ in range(WAVES * WAVE)]

    def test_of_500_submissions_the_same_start_as_with_slurms_plugin(self) -> None:
        """On the same nodes, too, as there is no ranking."""
        submissions = self.submissions()
        with Cluster(nodes=MIXED_NODES, stock=True, slurm_conf=MIXED) as cluster:
            if not cluster.main_scheduler_starts_jobs():
                self.skipTest("it is passes of the main scheduler that are compared")
            stock = self.starts(cluster, submissions)
        with self.cluster(nodes=MIXED_NODES, slurm_conf=MIXED) as cluster:
            ours = self.starts(cluster, submissions)
        refused = sum(job == "refused" for wave in stock for job in wave.values())
        running = sum("on " in job for wave in stock for job in wave.values())
        for number, (one, other) in enumerate(zip(stock, ours, strict=True)):
            differ = {
                name: (one.get(name), other.get(name))
                for name in one | other
                if one.get(name) != other.get(name)
            }
            self.assertEqual(differ, {}, f"wave {number}, seed {self.SEED}: {submissions}")
        print(f"{len(submissions)} submissions: {running} started, {refused} refused", flush=True)
        self.assertGreater(running, WAVES * WAVE // 3)

    def starts(self, cluster: Cluster, submissions: list[list[str]]) -> list[dict[str, str]]:
        """Wave by wave: what has become of each job and array task, by name.

        All jobs of a wave are there before their partition is open, and all its nodes are idle: one
        pass of the scheduler tries them.
        """
        return [
            self.wave(cluster, submissions[at : at + WAVE])
            for at in range(0, len(submissions), WAVE)
        ]

    def wave(self, cluster: Cluster, submissions: list[list[str]]) -> dict[str, str]:
        cluster.run("scontrol update PartitionName=batch State=down")
        script = [
            f"sbatch -Q -Jj{number} -t10 {' '.join(map(shlex.quote, options))} "
            f"--wrap 'sleep 1000' || echo refused j{number}"
            for number, options in enumerate(submissions)
        ]
        refused = re.findall(r"refused (\S+)", cluster.run("\n".join(script)).stdout)
        cluster.run("scontrol update PartitionName=batch State=up")
        cluster.wait_for(lambda: self.settled(cluster), "each job to be tried")
        # A pass can end early on a slow machine, and a reason be older: two whole ones after that.
        after = cluster.log_position()
        cluster.wait_for(
            lambda: cluster.log_text(after).count("scheduler for full queue") > 2, "more passes"
        )
        result = cluster.wait_for(lambda: self.settled(cluster), "each job to be tried again")
        result |= dict.fromkeys(refused, "refused")
        cluster.cancel_all()
        cluster.wait_for(
            lambda: set(cluster.run("sinfo -hN -pbatch -o %T").stdout.split()) == {"idle"},
            "the nodes to be idle",
        )
        return result

    def settled(self, cluster: Cluster) -> dict[str, str] | None:
        result = {}
        for row in cluster.squeue():
            # The tasks of an array in their order: their numbers differ between the clusters.
            name = f"{row['name']}_{row['id'].partition('_')[2]}"
            if row["state"] == "RUNNING":
                result[name] = f"on {row['nodes']}"
            elif row["reason"] in ("None", "PartitionDown"):
                return None  # as it was before the partition was open
            else:
                result[name] = row["reason"]
        return result

    def test_what_starts_now_starts_now_in_any_order(self) -> None:
        """The same nodes are busy with both, and the order is the reverse."""
        submissions = [
            [option for option in options if not option.startswith("--array")]
            for options in self.submissions()
        ]
        self.order("reverse")
        conf = MIXED.replace("bf_interval=3600", "bf_interval=1")  # in 23.11 nothing else starts jobs
        with Cluster(nodes=MIXED_NODES, stock=True, slurm_conf=conf) as cluster:
            self.fill(cluster)
            stock = self.plans(cluster, submissions)
        with self.cluster(nodes=MIXED_NODES, slurm_conf=conf) as cluster:
            self.fill(cluster)
            ours = self.plans(cluster, submissions)
        when = ("now", "later", "never")
        more = 0
        for options, one, other in zip(submissions, stock, ours, strict=True):
            # cons_tres is a heuristic: in another order it finds a place now and then where it did
            # not before. The reverse must not be.
            better = when.index(one[0]) - when.index(other[0])
            self.assertGreaterEqual(better, 0, f"{options}: {one} and {other}")
            more += better > 0
        moved = sum(one[1] != other[1] for one, other in zip(stock, ours, strict=True))
        now = sum(one[0] == "now" for one in stock)
        print(
            f"{len(stock)} tests: {now} could start now, {moved} on other nodes, {more} start with "
            "ours only",
            flush=True,
        )
        self.assertGreater(now, len(stock) // 4)
        self.assertGreater(moved, now // 3)

    def fill(self, cluster: Cluster) -> None:
        for options in ("-wn1 -n1", "-wn4 -n3", "-wn6 -n1 --gres=tape:1", "-wn9 -n5 --mem=9000"):
            self.nodes_of(cluster, "-t60", *options.split())

    def plans(self, cluster: Cluster, submissions: list[list[str]]) -> list[tuple[str, str]]:
        """What `sbatch --test-only` says to each: now, later or never; and the nodes."""
        script = []
        for options in submissions:
            words = " ".join(f"'{option}'" for option in options)
            script.append(f"sbatch --test-only -t10 {words} --wrap true 2>&1 | tail -n1")
        lines = cluster.run("\n".join([*script, "date +%FT%T"])).stdout.splitlines()
        end = lines.pop()
        result = []
        for line in lines:
            match = re.search(r"to start at (\S+) (?:a )?using .* on nodes (\S+)", line)
            if match is None:
                result.append(("never", line))
            else:
                # 25.05 on plans a little ahead; what is busy is so for an hour.
                early = datetime.fromisoformat(match[1]) < datetime.fromisoformat(end) + SOON
                result.append(("now" if early else "later", match[2]))
        return result
