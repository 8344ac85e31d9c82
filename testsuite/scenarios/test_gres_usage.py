# SPDX-License-Identifier: GPL-2.0-or-later
"""GPUs as a part of the machine (PEGRES), and as what fairshare counts (FSPOLICY DEDICATEDGRES)."""

from __future__ import annotations

import contextlib
import re
import time

from gres_case import GresCase
from test_fairshare import Files, directory, seconds_of, stamp, wait_for_files

# As many windows as a test can last.
INTERVAL = 60
WINDOWS = f"RMPOLLINTERVAL 1\nCHECKPOINTINTERVAL 5\nFSINTERVAL {INTERVAL}\nFSDEPTH 24\nFSWEIGHT 1\n"
GPU_SECONDS = WINDOWS + "FSPOLICY DEDICATEDGRES[gpu]\n"
NAME = "DEDICATEDGRES[gpu]"


class Equivalents(GresCase):
    """The machine has 64 processors, 64,000 MB and 16 GPUs, 8 of each type: a GPU is 4 processors."""

    def test_the_largest_share_counts_in_the_priority(self) -> None:
        weights = "RMPOLLINTERVAL 1\nQUEUETIMEWEIGHT 0\nRESWEIGHT 1\nPEWEIGHT 10\n"
        self.cluster.cancel_all()
        self.cluster.install(weights + "PEGRES[gpu] TRUE\n")
        jobs = {
            self.submit("--begin=now+1hour", *options): pe
            for options, pe in (
                ((), 1), (("--gpus=1",), 4), (("--gpus=h100:2",), 8), (("--gres=tape:2",), 1),
                (("-n12", "--gpus=2"), 12), (("-N2", "-n2", "--gpus-per-node=4"), 32),
            )
        }  # fmt: skip
        for job, pe in jobs.items():
            self.assertEqual(int(self.cluster.job(job)["Priority"]), 10 * pe, job)
            self.assertIn(f"PE:  {pe:.2f}  ", self.cluster.run(["maui", "checkjob", str(job)]).stdout)
        self.cluster.wait_for_iterations(2)
        for job, pe in jobs.items():
            self.assertEqual(int(self.cluster.job(job)["Priority"]), 10 * pe, job)
        self.cluster.install(weights + "PEGRES[gpu:h100] TRUE\n")
        typed = [job for job, pe in jobs.items() if pe == 8]
        self.cluster.wait_for(
            lambda: [int(self.cluster.job(job)["Priority"]) for job in typed] == [160],
            "two of eight h100 to be a quarter of the machine",
        )
        self.cluster.install(weights)
        self.cluster.wait_for(
            lambda: [int(self.cluster.job(job)["Priority"]) for job in typed] == [10],
            "processors and memory to count alone",
        )

    def test_maxpe_holds_gpus(self) -> None:
        self.configure("PEGRES[gpu] TRUE\nUSERCFG[daemon] MAXPE=20\n")
        self.expect(
            (("--gpus=4",), ""),
            (("--gpus=2",), "MAXPE limit of 20 for user daemon (16 in use, 8 asked for)"),
            (("--gpus=1",), ""),
            ((), "MAXPE limit of 20 for user daemon (20 in use, 1 asked for)"),
        )
        self.expect((("--gpus=8", "-N2", "-n2"), ""), user="bin")


class Fairshare(GresCase):
    def run_for(self, seconds: int, *options: str, user: str) -> float:
        """How long it has run, by Slurm's record."""
        job = self.cluster.sbatch(
            "-n1", "-t10", "--mem=10", *options, user=user, wrap=f"sleep {seconds}"
        )
        self.cluster.wait_for_state(job, "COMPLETED")
        record = self.cluster.job(job)
        self.ended = max(self.ended, stamp(record["EndTime"]))
        return seconds_of(record["RunTime"])

    def files(self) -> Files:
        return wait_for_files(self.cluster, self.ended)

    def metric_in_files(self) -> str | None:
        """What the file of the present window counts; it is written last. Files of windows before all
        that count stay as they are."""
        present = max(directory(self.cluster).glob("FS.*[0-9]"), default=None)
        if not present or int(present.suffix[1:]) + INTERVAL <= time.time():
            return None
        with contextlib.suppress(FileNotFoundError):  # put by just now
            text = present.read_text(encoding="utf-8")
            return next(iter(re.findall(r"^# Metric: (.*)$", text, re.M)), None)
        return None

    def wait_for_metric(self, name: str) -> None:
        self.cluster.wait_for(lambda: self.metric_in_files() == name, f"files that count {name}")

    def setUp(self) -> None:
        """GPU-seconds are counted, and the files have all that earlier tests have used."""
        self.cluster.cancel_all()
        self.ended = time.time()
        self.cluster.install(GPU_SECONDS)
        self.wait_for_metric(NAME)

    def test_gpu_seconds_are_what_is_counted(self) -> None:
        """Whatever was asked for, what a job was given counts, for as long as it had it."""
        before = self.files()
        expected = {
            "daemon": 3 * self.run_for(4, "--gpus=3", user="daemon")
            + self.run_for(3, "--gres=gpu:h100:1", user="daemon"),
            "bin": 2 * self.run_for(3, "-N2", "-n2", "--gpus-per-node=1", user="bin"),
        }
        self.run_for(3, "-n8", user="bin")
        self.run_for(3, "--gres=tape:2", user="sys")
        after = self.files()
        for user, used in (expected | {"sys": 0}).items():
            self.assertEqual(after.of("User", user) - before.of("User", user), used, user)
        self.assertEqual(after.total - before.total, sum(expected.values()))
        told = self.cluster.run(["maui", "diagnose", "-f"]).stdout
        self.assertIn(f"FS Policy: {NAME}", told)

    def test_a_suspended_and_a_requeued_job(self) -> None:
        before = self.files().of("User", "daemon")
        job = self.submit("--gpus=2", "--requeue")
        self.cluster.wait_for_state(job, "RUNNING")
        self.cluster.run(["scontrol", "suspend", str(job)])
        self.cluster.wait_for_iterations(3)
        self.cluster.run(["scontrol", "resume", str(job)])
        self.cluster.wait_for_iterations(2)
        first = seconds_of(self.cluster.job(job)["RunTime"])
        self.cluster.run(["scontrol", "requeuehold", str(job)])
        self.cluster.wait_for(
            lambda: self.cluster.job(job)["Reason"] == "job_requeued_in_held_state", "the requeue"
        )
        self.ended = time.time()
        used = self.files().of("User", "daemon") - before
        # scontrol shows the run time a moment before the requeue ends it.
        self.assertIn(used, (2 * first, 2 * (first + 1), 2 * (first + 2)))

    def test_another_metric_is_told_and_never_mixed(self) -> None:
        self.run_for(3, "--gpus=2", user="daemon")
        gpu_seconds = self.files().of("User", "daemon")
        self.assertGreater(gpu_seconds, 0)
        here = self.cluster.log_position()
        self.cluster.install(WINDOWS + "FSPOLICY DEDICATEDPS\n")
        self.wait_for_metric("DEDICATEDPS")
        # Said once the files are there.
        told = f"FSPOLICY is now DEDICATEDPS, and was {NAME}"
        if self.cluster.reconfigures_by_restart():  # a new slurmctld knows of the old one by its files
            told = f"counts {NAME}, and FSPOLICY is DEDICATEDPS"
        self.cluster.wait_for(lambda: self.cluster.log_contains(told, after=here), told)
        kept = sorted(directory(self.cluster).glob("FS.*.DEDICATEDGRES*"))
        self.assertTrue(kept)
        self.assertTrue(self.cluster.log_contains(f"{kept[0].name}", after=here))
        before = self.files().of("User", "daemon")
        if not self.cluster.reconfigures_by_restart():  # else it has what Slurm still knows of
            self.assertEqual(before, 0)
        seconds = self.run_for(3, "-n5", "--gpus=2", user="daemon")
        self.assertEqual(self.files().of("User", "daemon"), before + 5 * seconds)
        # A restart finds the metric that it left, and the first one comes back as it was.
        self.cluster.restart()
        self.assertEqual(self.files().of("User", "daemon"), before + 5 * seconds)
        self.cluster.stop()
        self.cluster.write_maui_cfg(GPU_SECONDS)
        self.cluster.start()
        self.wait_for_metric(NAME)
        self.ended = time.time()
        # What ran meanwhile, and Slurm still knows of, had GPUs, too.
        self.assertEqual(self.files().of("User", "daemon"), gpu_seconds + 2 * seconds)

    def test_a_hard_cap_is_of_gpu_seconds(self) -> None:
        self.cluster.install(GPU_SECONDS + "USERCFG[bin] FSTARGET=2000^\n")
        over = "FSTARGET cap of 2000 GRES-seconds for user bin (0 used, 2400 asked for, below: never)"
        used = self.files().of("User", "bin")
        self.expect(
            (("--gpus=4",), over.replace("(0", f"({used:.0f}")), ((), ""), (("--gpus=3",), ""), user="bin"
        )
