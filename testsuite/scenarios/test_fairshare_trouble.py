# SPDX-License-Identifier: GPL-2.0-or-later
"""Fairshare when something goes wrong: kills, another maui.cfg, damaged files, a backup in charge, a
directory that cannot be written. Nothing is lost, and nothing is counted twice.

There is no slurmdbd: the truth is what Slurm's own records say.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from collections.abc import Callable
from pathlib import Path

import jobcomp
from harness import USERS, Cluster
from test_fairshare import POLICY, Files, directory, stamp, used_by_records, wait_for_files

FIRST, SECOND = USERS


class ReliabilityTest(unittest.TestCase):
    """Without slurmdbd: what Slurm's own records say."""

    def test_fifty_kills_lose_and_double_nothing(self) -> None:
        dice = random.Random(50)
        with Cluster(nodes=2, cpus=8, maui_cfg=POLICY, jobcomp=True) as cluster:
            jobs = [cluster.sbatch("-n4", "-t30", user=USERS[i % 2]) for i in range(2)]
            for kill in range(50):
                if kill % 5 == 0:
                    wrap = f"sleep {dice.randint(2, 20)}"
                    jobs.append(cluster.sbatch("-n1", "-t5", user=dice.choice(USERS), wrap=wrap))
                    cluster.wait_for_state(jobs[-1], "RUNNING", "COMPLETING", "COMPLETED")
                    cluster.wait_until_saved(jobs[0])
                time.sleep(dice.random() * 2)  # a random moment
                cluster.restart(kill=True)
                with self.subTest(kill=kill):
                    self._check_files(cluster)
                    if kill % 10 == 9:
                        self._check_total(cluster, jobs)

    def _check_files(self, cluster: Cluster) -> None:
        done = cluster.run(["maui", "fs", "verify", str(directory(cluster))], check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def _check_total(self, cluster: Cluster, jobs: list[int]) -> None:
        files = wait_for_files(cluster, time.time())
        truth = used_by_records(cluster, jobs, files.counted)
        # A kill may cost slurmctld the end of a job, which runs on in its records and ends once more,
        # later. jobcomp's file has each of its ends.
        ends = jobcomp.ends(cluster.jobcomp_text())
        twice = 0.0
        for job, seconds in ends.items():
            record = cluster.job(int(job))
            runs = record["JobState"] == "RUNNING"
            last = files.counted if runs else min(files.counted, stamp(record["EndTime"]))
            twice += max(0.0, last - seconds[0])
        self.assertLessEqual(files.total, truth)
        self.assertGreaterEqual(files.total, truth - twice, ends)

    def test_settings_change_while_jobs_run(self) -> None:
        with Cluster(nodes=1, cpus=4, maui_cfg=POLICY) as cluster:
            job = cluster.sbatch("-n2", "-t30", user=FIRST)
            cluster.wait_for_state(job, "RUNNING")
            for change in (
                {"FSDECAY            0.9": "FSDECAY 0.5"},
                {"FSDEPTH            24": "FSDEPTH 3"},
                {"FSDEPTH            24": "FSDEPTH 24"},
            ):
                self._reconfigure(cluster, change)
                files = wait_for_files(cluster, time.time())
                truth = used_by_records(cluster, [job], files.counted)
                self.assertEqual(files.total, truth, change)
            report = cluster.maui("diagnose", "-f", "--json")
            self.assertEqual((report["depth"], report["decay"]), (24, 0.9))
            # Windows of 30 seconds begin where those of 60 did, too, and have the same names.
            self._other_interval(cluster, job, 30)
            self._reconfigure(cluster, {})
            self._other_interval(cluster, job, 7)

    def _reconfigure(self, cluster: Cluster, change: dict[str, str]) -> None:
        text = POLICY
        for old, new in change.items():
            text = text.replace(old, new)
        cluster.install(text)

    def _other_interval(self, cluster: Cluster, job: int, interval: int) -> None:
        """Old windows are left alone; the new ones count from here on, also if slurmctld is killed."""
        before = cluster.maui("diagnose", "-f", "--json")["counted"]
        warning = f"FSINTERVAL is now {interval} seconds, and was 60"
        if cluster.reconfigures_by_restart():  # a new slurmctld has never heard of another
            warning = f"24 windows of {interval} seconds"
        self._reconfigure(cluster, {"FSINTERVAL         60": f"FSINTERVAL {interval}"})
        cluster.wait_for(lambda: cluster.log_contains(warning), warning)
        since = cluster.wait_for(lambda: self._counted_by(cluster, interval), "the new windows")
        old = {path.name: path.read_bytes() for path in directory(cluster).glob("FS.*[0-9]")}
        cluster.restart(kill=True)
        report = cluster.wait_for(
            lambda: (answer := cluster.maui("diagnose", "-f", "--json"))["usage"] > 0 and answer,
            "usage in the new windows",
        )
        used = sum(window["usage"] for window in report["windows"])
        most = 2 * (report["counted"] - before)
        if cluster.reconfigures_by_restart():  # it counts what Slurm still knows of
            most = used_by_records(cluster, [job], report["counted"])
        self.assertLessEqual(used, most)
        self.assertGreaterEqual(used, 2 * (report["counted"] - since))
        for name, text in old.items():
            if int(name[3:]) % interval:
                path = directory(cluster) / name
                self.assertEqual(len(path.read_bytes().splitlines()), len(text.splitlines()), name)
        self.assertEqual(cluster.job(job)["JobState"], "RUNNING")

    def _counted_by(self, cluster: Cluster, interval: int) -> int | None:
        """Until when windows of that length have been counted."""
        report = cluster.maui("diagnose", "-f", "--json")
        return report["counted"] if report["interval"] == interval else None

    def test_files_that_somebody_removes_are_written_again(self) -> None:
        """All of them: usage, and what setres has made, which nobody else remembers."""
        policy = f"{POLICY}SRCFG[keep] HOSTLIST=n2 PERIOD=INFINITY USERLIST={FIRST}\n"
        with Cluster(nodes=2, cpus=4, maui_cfg=policy) as cluster:
            state = cluster.dir / "state" / "maui"
            kept = ("maui.cfg.last-good", "names", "reservations", "setres")
            job = cluster.sbatch("-n2", "-t30", user=FIRST)
            cluster.wait_for_state(job, "RUNNING")
            cluster.run(["maui", "setres", "-n", "maint", "-d", "2:00:00", "-u", FIRST, "n1"])
            cluster.wait_until_saved(job)
            wait_for_files(cluster, time.time() + 3)
            cluster.wait_for(lambda: all((state / name).exists() for name in kept), "the files")
            before = {name: (state / name).read_bytes() for name in kept}
            shutil.rmtree(state)
            wait_for_files(cluster, time.time())
            cluster.wait_for(
                lambda: cluster.log_contains("written again from memory"), "the log to say so"
            )
            for name, content in before.items():
                cluster.wait_for(
                    lambda name=name, content=content: (state / name).exists()
                    and (state / name).read_bytes() == content,
                    f"{name} to be as before",
                )
                self.assertTrue(cluster.log_contains(f"{state / name} is gone"), name)
            removed = cluster.maui("status", "--json")["removed_files"]
            paths = {one["path"] for one in removed}
            self.assertLessEqual({str(state / name) for name in kept}, paths)
            rows = cluster.run(["maui", "doctor"], check=False).stdout
            self.assertIn(f"{state / 'setres'} was removed while slurmctld ran: gone at", rows)
            cluster.restart(kill=True)
            files = wait_for_files(cluster, time.time())
            truth = used_by_records(cluster, [job], files.counted)
            self.assertEqual(files.total, truth)
            self.assertIn("ReservationName=maint.0", cluster.run(["scontrol", "show", "res"]).stdout)
            self.assertEqual((state / "setres").read_bytes(), before["setres"])
            self.assertEqual(cluster.maui("status", "--json")["removed_files"], [])

    def test_a_damaged_file_is_set_aside(self) -> None:
        with Cluster(nodes=1, cpus=4, maui_cfg=POLICY) as cluster:
            job = cluster.sbatch("-n2", "-t30", user=FIRST)
            cluster.wait_for_state(job, "RUNNING")
            cluster.wait_until_saved(job)
            files = wait_for_files(cluster, time.time() + 3)
            window = directory(cluster) / f"FS.{max(files.windows)}"
            cluster.stop(kill=True)
            whole = window.read_bytes()
            window.write_bytes(whole[: len(whole) // 2])
            cluster.start()
            files = wait_for_files(cluster, time.time())
            damaged = window.with_name(window.name + ".damaged")
            self.assertEqual(damaged.read_bytes(), whole[: len(whole) // 2])
            self.assertEqual(cluster.log.read_text().count(f"{window} cannot be used"), 1)
            # The job still runs, so that all of its usage is known again.
            self.assertEqual(files.total, used_by_records(cluster, [job], files.counted))

    def test_what_cannot_be_read_for_a_while_is_whole_after_that(self) -> None:
        """Links that lead to themselves, and a directory: root cannot read these either. Windows so long
        that none is too old by the time it can be read again."""
        policy = POLICY.replace("FSINTERVAL         60", "FSINTERVAL 864000")
        policy += f"SRCFG[keep] HOSTLIST=n2 PERIOD=INFINITY USERLIST={FIRST}\n"
        with Cluster(nodes=2, cpus=4, maui_cfg=policy) as cluster:
            jobs = [cluster.sbatch("-n1", "-t5", "-wn1", wrap="sleep 3", user=SECOND)]
            jobs.append(cluster.sbatch("-n2", "-t30", "-wn1", user=SECOND))
            cluster.wait_for_state(jobs[0], "COMPLETED")
            cluster.wait_for_state(jobs[1], "RUNNING")
            cluster.wait_for(lambda: "keep.inf" in self._reservations(cluster), "the reservation")
            cluster.wait_until_saved(jobs[1])
            wait_for_files(cluster, time.time())
            cluster.stop()
            state = cluster.dir / "state" / "maui"
            files = [*sorted(directory(cluster).glob("FS.*")), state / "reservations"]
            away = self.enterContext(tempfile.TemporaryDirectory(dir=cluster.dir))
            for path in files:
                path.rename(Path(away, path.name))
            for path in files[:-1]:
                path.symlink_to(path.name)
            files[-1].mkdir()
            cluster.start()
            self._all_unread(cluster, files)
            cluster.reconfigure()
            self._all_unread(cluster, files)
            files[-1].rmdir()
            for path in files:
                Path(away, path.name).replace(path)
            cluster.wait_for(lambda: not self._unread(cluster), "all files to be read")
            found = wait_for_files(cluster, time.time())
            self.assertEqual(found.total, used_by_records(cluster, jobs, found.counted))
            cluster.restart()
            found = wait_for_files(cluster, time.time())
            self.assertEqual(found.total, used_by_records(cluster, jobs, found.counted))
            self.assertEqual(self._reservations(cluster).count("ReservationName="), 1)
            self.assertEqual(list(state.rglob("*.damaged")), [])

    def _reservations(self, cluster: Cluster) -> str:
        return cluster.run(["scontrol", "show", "reservation"], check=False).stdout

    def _unread(self, cluster: Cluster) -> list[str]:
        return [one["path"] for one in cluster.maui("status", "--json")["unread_files"]]

    def _all_unread(self, cluster: Cluster, files: list[Path]) -> None:
        wanted = sorted(map(str, files))
        cluster.wait_for(lambda: sorted(self._unread(cluster)) == wanted, "all to be unread")
        cluster.wait_for_iterations(2)
        self.assertEqual(sorted(self._unread(cluster)), wanted)
        self.assertIn("keep.inf", self._reservations(cluster))
        self.assertTrue(all(path.is_symlink() for path in files[:-1]) and files[-1].is_dir())

    def test_a_backup_goes_on_counting(self) -> None:
        with Cluster(nodes=1, cpus=4, maui_cfg=POLICY, backup=True) as cluster:
            job = cluster.sbatch("-n2", "-t30", user=FIRST)
            cluster.wait_for_state(job, "RUNNING")
            with self.subTest("take over and give back"):
                cluster.run(["scontrol", "takeover"])
                self._counts_on(cluster, "backup", job)
                cluster.start()
                self._counts_on(cluster, "slurmctld", job)
            cluster.restart("backup")  # it cannot be in charge twice: maui-slurm(8)
            with self.subTest("the primary hangs for a while"):
                self._hang(cluster)
                self._counts_on(cluster, "slurmctld", job)

    def _hang(self, cluster: Cluster) -> None:
        """Commands ask the primary first and wait for it, so that only the files tell."""
        log = cluster.dir / "log" / "backup.log"
        position = log.stat().st_size
        os.kill(cluster.pid(), signal.SIGSTOP)
        try:
            cluster.wait_for(
                lambda: b"Running as primary controller" in log.read_bytes()[position:],
                "the backup to take over",
                timeout=90,
            )
            wait_for_files(cluster, time.time() + 3)
        finally:
            position = log.stat().st_size
            os.kill(cluster.pid(), signal.SIGCONT)
        # Until then its files count. A write that the primary was stopped in has put an older file in
        # place of one of these, and the primary's next one mends that.
        cluster.wait_for(
            lambda: b"slurmctld running in background mode" in log.read_bytes()[position:],
            "the backup to give control back",
            timeout=90,
        )

    def _counts_on(self, cluster: Cluster, name: str, job: int) -> None:
        cluster.wait_for(
            lambda: cluster.in_charge() == name, f"{name} to be in charge", timeout=90
        )
        files = wait_for_files(cluster, time.time())
        self.assertEqual(files.total, used_by_records(cluster, [job], files.counted))


class TroubleTest(unittest.TestCase):
    """A STATDIR that is not as it should be stops nothing, and loses nothing once it is mended."""

    def _run(self, cluster: Cluster, statdir: Path, mend: Callable[[], None]) -> None:
        job = cluster.sbatch("-n2", "-t30", user=FIRST)
        cluster.wait_for_state(job, "RUNNING")
        cluster.wait_for(
            lambda: "a restart would forget usage" in cluster.log.read_text(), "the error"
        )
        cluster.wait_for_iterations(9)
        self.assertEqual(
            cluster.log.read_text().count("a restart would forget usage"), 1, "said once"
        )
        self.assertEqual(cluster.job(job)["JobState"], "RUNNING")
        mend()
        when = time.time()
        files = cluster.wait_for(
            lambda: (files := Files(statdir)).counted >= when and files, "files that are whole"
        )
        self.assertEqual(files.total, used_by_records(cluster, [job], files.counted))

    def _cluster(self, statdir: str) -> Cluster:
        return Cluster(nodes=1, cpus=4, maui_cfg=f"{POLICY}STATDIR {statdir}\n")

    def _counted(self, cluster: Cluster, where: Path, jobs: list[int], before: float = 0) -> None:
        """From now on all that jobs have used is in that directory's files, once, beside what was there before."""
        when = time.time()
        files = cluster.wait_for(
            lambda: (files := Files(where)).counted >= when and files, f"files in {where}", 90
        )
        self.assertEqual(files.total, before + used_by_records(cluster, jobs, files.counted))

    def _stands_in(self, statdir: Path, mend: Callable[[], None]) -> None:
        with self._cluster(str(statdir)) as cluster:
            job = cluster.sbatch("-n2", "-t30", user=FIRST)
            cluster.wait_for_state(job, "RUNNING")
            own = directory(cluster)
            self._counted(cluster, own, [job])
            said = f"STATDIR {statdir} is not a usable directory: {own} stands in"
            self.assertEqual(cluster.log.read_text().count(said), 1, "said once")
            status = cluster.maui("status", "--json")["statdir"]
            self.assertEqual(status, {"directory": str(own), "missing": str(statdir)})
            self.assertIn(f"STATDIR {statdir} is no", cluster.run(["maui", "status"]).stdout)
            checks = json.loads(
                cluster.run(["maui", "doctor", "--json"], check=False).stdout
            )["checks"]
            states = [row["state"] for row in checks if row["check"] == "STATDIR"]
            self.assertEqual(states, ["wrong", "wrong"], "maui.cfg's, and the engine's")
            mend()
            self._counted(cluster, statdir, [job])
            status = cluster.maui("status", "--json")["statdir"]
            self.assertEqual(status, {"directory": str(statdir), "missing": None})

    def test_a_directory_that_is_missing(self) -> None:
        home = self.enterContext(tempfile.TemporaryDirectory())
        missing = Path(home, "missing")
        self._stands_in(missing / "stats", missing.mkdir)

    def test_a_file_in_place_of_the_directory(self) -> None:
        home = self.enterContext(tempfile.TemporaryDirectory())
        statdir = Path(home, "stats")
        statdir.write_text("no directory\n", encoding="utf-8")
        self._stands_in(statdir, statdir.unlink)

    def _point(self, link: Path, target: Path) -> None:
        fresh = link.with_name("fresh")
        fresh.symlink_to(target)
        fresh.replace(link)

    def test_a_directory_that_goes_and_comes_back(self) -> None:
        home = self.enterContext(tempfile.TemporaryDirectory())
        real, link, nowhere = Path(home, "real"), Path(home, "link"), Path(home, "nowhere")
        real.mkdir()
        link.symlink_to(real)
        with self._cluster(str(link)) as cluster:
            own = directory(cluster)
            jobs = [cluster.sbatch("-n2", "-t30", user=FIRST)]
            cluster.wait_for_state(jobs[0], "RUNNING")
            self._counted(cluster, link, jobs)
            self._point(link, nowhere)
            cluster.wait_for(lambda: cluster.log_contains(f"{own} stands in"), "the error")
            cluster.run(["scancel", str(jobs[0])])
            jobs.append(cluster.sbatch("-n1", "-t30", user=SECOND))
            cluster.wait_for_state(jobs[1], "RUNNING")
            self._counted(cluster, own, jobs)
            cluster.restart()
            self._counted(cluster, own, jobs)
            self._point(link, real)
            self._counted(cluster, link, jobs)
            cluster.wait_for(lambda: not (own / "stands-in-for").exists(), "the end of it")
            # Once more; it comes back while there is no engine.
            position = cluster.log_position()
            self._point(link, nowhere)
            cluster.wait_for(
                lambda: cluster.log_contains(f"{own} stands in", position), "the error"
            )
            cluster.run(["scancel", str(jobs[1])])
            self._counted(cluster, own, jobs)
            cluster.stop()
            self._point(link, real)
            cluster.start()
            self._counted(cluster, link, jobs)
            cluster.restart()
            self._counted(cluster, link, jobs)

    def test_a_directory_with_a_history_that_comes_late(self) -> None:
        home = self.enterContext(tempfile.TemporaryDirectory())
        real, link, nowhere = Path(home, "real"), Path(home, "link"), Path(home, "nowhere")
        real.mkdir()
        window = int(time.time()) // 60 * 60 - 120
        (real / f"FS.{window}").write_text(
            f"# Fairshare Data File (Duration: 60 Seconds) Starting: {time.ctime(window)}\n"
            f"# Counted until: {window + 30}\nUser {FIRST} 1000.000\nTOTAL 1000.000\n# End: 2\n",
            encoding="utf-8",
        )
        link.symlink_to(nowhere)
        with self._cluster(str(link)) as cluster:
            jobs = [cluster.sbatch("-n2", "-t30", user=FIRST)]
            cluster.wait_for_state(jobs[0], "RUNNING")
            self._counted(cluster, directory(cluster), jobs)
            self._point(link, real)
            self._counted(cluster, link, jobs, before=1000)
            cluster.restart()
            self._counted(cluster, link, jobs, before=1000)

    def _mounted(self, options: str) -> str:
        """A directory of its own, which is a file system of its own in memory."""
        home = self.enterContext(tempfile.TemporaryDirectory())
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", options, "tmpfs", home], capture_output=True
        )
        if done.returncode:
            self.skipTest(f"no file system may be mounted here: {done.stderr.decode().strip()}")
        self.addCleanup(subprocess.run, ["umount", "-l", home], check=True)
        return home

    def _remount(self, home: str, options: str) -> None:
        subprocess.run(
            ["mount", "-o", f"remount,{options}", home], check=True, capture_output=True
        )

    def test_a_directory_that_is_full(self) -> None:
        # A page of memory is all there is: for the directory's first files, not for all.
        home = self._mounted("size=8k")
        with self._cluster(f"{home}/stats") as cluster:
            self._run(cluster, Path(home, "stats"), lambda: self._remount(home, "size=1m"))

    def test_a_directory_that_is_read_only(self) -> None:
        home = self._mounted("size=1m")
        statdir = Path(home, "stats")
        statdir.mkdir()
        self._remount(home, "ro")
        with self._cluster(str(statdir)) as cluster:
            self._run(cluster, statdir, lambda: self._remount(home, "rw"))

    def test_a_symbolic_link_to_the_directory(self) -> None:
        home = self.enterContext(tempfile.TemporaryDirectory())
        real, link = Path(home, "real"), Path(home, "link")
        real.mkdir()
        link.symlink_to(real)
        with self._cluster(str(link)) as cluster:
            job = cluster.sbatch("-n2", "-t30", user=FIRST)
            cluster.wait_for_state(job, "RUNNING")
            when = time.time() + 2
            files = cluster.wait_for(
                lambda: (files := Files(real)).counted >= when and files, "files"
            )
            self.assertEqual(files.total, used_by_records(cluster, [job], files.counted))
            self.assertTrue(link.is_symlink())
