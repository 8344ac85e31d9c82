#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The private cluster itself (testsuite/cluster), with stock Slurm and without any plugin of ours.

Needs root and the packages of slurm-build/packages.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from unittest import mock

sys.dont_write_bytecode = True
sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[1])]

from harness import CLUSTER, USERS, Cluster, cluster_command, wait_for  # noqa: E402
from private_cluster import hostlist, slurmconf, stage  # noqa: E402
from private_cluster.network import PRIVATE_NAME, Identity  # noqa: E402
from private_cluster.problem import Problem  # noqa: E402
from thread_time import busy_threads  # noqa: E402


def processes_of(directory: Path) -> dict[int, str]:
    """Processes that have to do with a directory, by signs of all kinds; without this one.

    On purpose not the search that `down` itself uses.
    """
    wanted = os.fsencode(directory) + b"/"
    found = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            signs = (entry / "cmdline").read_bytes() + (entry / "environ").read_bytes() + b"\0"
            links = [entry / "cwd", entry / "exe", *(entry / "fd").iterdir()]
            signs += b"\0".join(os.fsencode(os.readlink(link)) + b"/" for link in links)
        except OSError:  # ended, or a thread of the kernel
            continue
        if wanted in signs:
            found[int(entry.name)] = (entry / "comm").read_text().strip()
    return found


def listening_addresses(pids: set[int]) -> set[str]:
    """The addresses, as /proc/net/tcp writes them, on which these processes listen."""
    inodes = set()
    for pid in pids:
        for descriptor in Path(f"/proc/{pid}/fd").iterdir():
            link = os.readlink(descriptor)
            if link.startswith("socket:["):
                inodes.add(link[len("socket:[") : -1])
    result = set()
    for name in ("tcp", "tcp6"):
        table = Path("/proc/net", name)
        for line in table.read_text().splitlines()[1:] if table.exists() else ():
            fields = line.split()
            if fields[3] == "0A" and fields[9] in inodes:  # 0A: LISTEN
                result.add(fields[1].split(":")[0])
    return result


class RunningCluster(unittest.TestCase):
    def test_jobs_of_two_users_run_and_finish(self) -> None:
        with Cluster(nodes=2, stock=True) as cluster:
            jobs = {user: cluster.sbatch(wrap="id -un", user=user) for user in USERS}
            for user, job in jobs.items():
                cluster.wait_for_state(job, "COMPLETED")
                output = Path(cluster.job(job)["StdOut"])
                self.assertEqual(output.read_text().strip(), user)
                self.assertEqual(output.parent, cluster.dir / "work")

    def test_up_returns_when_every_node_is_idle(self) -> None:
        with Cluster(nodes=5, cpus=3, memory=777, stock=True) as cluster:
            for number in range(1, 6):
                node = cluster.node(f"n{number}")
                self.assertEqual(node["State"], "IDLE")
                self.assertEqual((node["CPUTot"], node["RealMemory"]), ("3", "777"))

    def test_a_parallel_step_runs_on_two_nodes(self) -> None:
        with Cluster(nodes=2, stock=True) as cluster:
            done = cluster.run("srun -N2 sh -c 'echo $SLURMD_NODENAME'", user=USERS[0])
            self.assertEqual(sorted(done.stdout.split()), ["n1", "n2"])

    def test_every_daemon_listens_on_loopback_only(self) -> None:
        with Cluster(nodes=2, stock=True, slurmdbd=True) as cluster:
            daemons = processes_of(cluster.dir)
            for name in ("slurmctld", "slurmd", "slurmdbd", "mariadbd", "munged"):
                self.assertIn(name, daemons.values())
            self.assertEqual(listening_addresses(set(daemons)), {"0100007F"})

    def test_two_clusters_side_by_side_do_not_meet(self) -> None:
        with ThreadPoolExecutor() as pool:
            one, two = Cluster(stock=True), Cluster(stock=True)
            # Both start at the same time.
            list(pool.map(Cluster.__enter__, (one, two)))
            try:
                self.assertNotEqual(one.config()["SlurmctldPort"], two.config()["SlurmctldPort"])
                one.sbatch(user=USERS[0])
                self.assertEqual(len(one.squeue()), 1)
                self.assertEqual(two.squeue(), [])
            finally:
                one.__exit__(None, None, None)
            self.assertEqual(two.squeue(), [])
            two.wait_for_state(two.sbatch(wrap="true"), "COMPLETED")
            two.__exit__(None, None, None)

    def test_slurmctld_killed_and_restarted_keeps_jobs(self) -> None:
        with Cluster(stock=True) as cluster:
            job = cluster.sbatch(user=USERS[0])
            cluster.wait_for_state(job, "RUNNING")
            # In this order: only an orderly end is sure to write the state.
            for kill in (False, True):
                before = set(self.pids(cluster, "slurmctld"))
                cluster.restart(kill=kill)
                self.assertFalse(before & set(self.pids(cluster, "slurmctld")))
                self.assertEqual(cluster.job(job)["JobState"], "RUNNING")

    def test_one_controller_is_stopped_and_the_other_goes_on(self) -> None:
        with Cluster(nodes=1, stock=True, backup=True) as cluster:
            slurmctld, backup = cluster.pid("slurmctld"), cluster.pid("backup")
            cluster.stop("backup", kill=True)
            self.assertEqual(self.pids(cluster, "slurmctld"), [slurmctld])
            cluster.start("backup")
            twice = cluster_command("start", "--dir", cluster.dir, "backup", check=False)
            self.assertEqual(twice.returncode, 1)
            self.assertIn("runs already", twice.stderr)
            self.assertNotEqual(cluster.pid("backup"), backup)
            ping = cluster.run(["scontrol", "ping"]).stdout
            self.assertEqual(ping.count("is UP"), 2, ping)

    def test_sprio_and_squeue_are_parsed(self) -> None:
        with Cluster(nodes=1, stock=True) as cluster:
            running = cluster.sbatch("--exclusive", user=USERS[0])
            cluster.wait_for_state(running, "RUNNING")
            blocked = cluster.sbatch("--exclusive", "--nice=7", user=USERS[0])
            row = cluster.wait_for(
                lambda: [r for r in cluster.sprio() if r["id"] == str(blocked)], "sprio's row"
            )[0]
            self.assertEqual((row["user"], row["nice"]), (USERS[0], 7.0))
            self.assertIn(str(blocked), [line["id"] for line in cluster.squeue()])

    def test_accounting_has_the_cluster_and_root_as_administrator(self) -> None:
        with Cluster(
            stock=True, slurmdbd=True, slurm_conf="AccountingStorageEnforce=associations,qos\n"
        ) as cluster:
            users = cluster.run(["sacctmgr", "-nP", "show", "user", "format=User,Admin"]).stdout
            self.assertIn("root|Administrator", users)
            cluster.run(["sacctmgr", "-i", "add", "account", "physics"])
            cluster.run(["sacctmgr", "-i", "add", "user", USERS[0], "account=physics"])
            job = cluster.sbatch("--account=physics", wrap="true", user=USERS[0])
            cluster.wait_for_state(job, "COMPLETED")
            refused = cluster.run(["sbatch", "--wrap", "true"], user=USERS[1], check=False)
            self.assertIn("Invalid account", refused.stderr)
            cluster.restart("slurmdbd")
            cluster.run(["sacctmgr", "-n", "show", "account"])
            cluster.restart("mariadbd", kill=True)
            accounts = cluster.wait_for(
                lambda: cluster.run(["sacctmgr", "-nP", "show", "account"], check=False).stdout,
                "slurmdbd to find its database again",
            )
            self.assertIn("physics", accounts)

    def pids(self, cluster: Cluster, name: str) -> list[int]:
        return [pid for pid, comm in processes_of(cluster.dir).items() if comm == name]


class ExecInACluster(unittest.TestCase):
    def test_status_user_and_directory_are_the_commands(self) -> None:
        """Of `exec`, and of the harness, which does the same without it."""
        with Cluster(nodes=1, stock=True) as cluster:

            def by_exec(
                command: str | list[str], user: str | None = None, stdin: str = ""
            ) -> subprocess.CompletedProcess[str]:
                words = ["sh", "-c", command] if isinstance(command, str) else command
                as_user = ["--as", user] if user else []
                where = ("exec", "--dir", cluster.dir, *as_user, "--")
                return cluster_command(*where, *words, check=False, stdin=stdin)

            for run in (by_exec, partial(cluster.run, check=False)):
                with self.subTest(run):
                    done = run("id -un; id -G; pwd; echo $HOME; umask; exit 7", user="bin")
                    self.assertEqual(done.returncode, 7)
                    self.assertEqual(
                        done.stdout.split(),
                        ["bin", "2", str(cluster.dir / "work"), "/bin", "0022"],
                    )
                    self.assertEqual(run("id -un", user="1").stdout.strip(), "daemon")
                    self.assertEqual(run(["no-such-command"]).returncode, 127)
                    self.assertEqual(run(["/etc/passwd"]).returncode, 126)
                    self.assertEqual(run("cat", stdin="words").stdout, "words")
                    nobody = run("true", user="no-such-user")
                    self.assertEqual(nobody.returncode, 1)
                    self.assertIn("no user 'no-such-user'", nobody.stderr)

    def test_a_host_name_that_does_not_resolve_is_another_one_in_the_cluster(self) -> None:
        """As Debian's installer writes /etc/hosts a host's own name is not 127.0.0.1 either."""
        elsewhere = "elsewhere.invalid"
        host = Identity(elsewhere, "", private=True)
        with host.inside(), Cluster(nodes=1, stock=True, backup=True) as cluster:
            for done in (
                cluster.run("uname -n"),
                cluster.run("srun -n1 uname -n", user="daemon"),
                cluster_command("exec", "--dir", cluster.dir, "--", "uname", "-n"),
            ):
                self.assertEqual(done.stdout, f"{PRIVATE_NAME}\n")
            self.assertEqual(socket.gethostname(), elsewhere)


class DownLeavesNothing(unittest.TestCase):
    def setUp(self) -> None:
        self.home = Path(tempfile.mkdtemp(prefix="maui-"))
        self.addCleanup(shutil.rmtree, self.home)
        self.home.chmod(0o755)
        self.dir = self.home / "not" / "yet" / "there"
        # A test that fails half way leaves nothing either; `down` twice is no error.
        self.addCleanup(cluster_command, "down", "--dir", self.dir)

    def up(self, *options: str) -> None:
        cluster_command("up", "--stock", "--dir", self.dir, *options)

    def down(self) -> None:
        cluster_command("down", "--dir", self.dir)
        self.assertEqual(processes_of(self.dir), {})
        self.assertEqual(list(self.home.iterdir()), [])

    def start_stubborn_job(self) -> list[int]:
        """A job that ignores SIGTERM and has a process that left its process tree."""
        script = (
            "trap '' TERM; (setsid sleep 1001 & echo $! >orphan); sleep 1002 & "
            "echo $! >child; echo $$ >script; mv script ready; wait"
        )
        as_user = ("exec", "--dir", self.dir, "--as", "daemon", "--")
        cluster_command(*as_user, "sbatch", "--wrap", script)
        work = self.dir / "work"
        wait_for((work / "ready").exists, "the job to run")
        return [int((work / name).read_text()) for name in ("orphan", "child", "ready")]

    def assert_ended(self, pids: list[int]) -> None:
        for pid in pids:
            self.assertFalse(Path(f"/proc/{pid}/exe").exists(), f"process {pid} lives")

    def test_after_an_ordinary_life(self) -> None:
        self.up()
        self.down()
        self.down()

    def test_with_jobs_that_do_not_want_to_end(self) -> None:
        self.up()
        job = self.start_stubborn_job()
        self.down()
        self.assert_ended(job)

    def test_after_slurmctld_was_killed(self) -> None:
        self.up()
        job = self.start_stubborn_job()
        record = json.loads((self.dir / "cluster.json").read_text())
        os.kill(record["daemons"]["slurmctld"]["pid"], signal.SIGKILL)
        self.down()
        self.assert_ended(job)

    def test_after_every_daemon_was_killed_and_the_record_lost(self) -> None:
        self.up()
        job = self.start_stubborn_job()
        record = json.loads((self.dir / "cluster.json").read_text())
        for daemon in record["daemons"].values():
            os.kill(daemon["pid"], signal.SIGKILL)
        (self.dir / "cluster.json").write_text("{")
        cluster_command("down", "--dir", self.dir)
        self.assertEqual(processes_of(self.dir), {})
        self.assertFalse(self.dir.exists())
        self.assert_ended(job)
        shutil.rmtree(self.home / "not")  # which parents were made was in the record

    def test_after_the_directory_was_removed(self) -> None:
        self.up()
        shutil.rmtree(self.home / "not")
        self.down()

    def test_a_process_with_a_reused_pid_is_not_touched(self) -> None:
        self.up()
        with subprocess.Popen(["sleep", "1003"]) as bystander:
            path = self.dir / "cluster.json"
            record = json.loads(path.read_text())
            record["daemons"]["slurmd.n9"] = {"pid": bystander.pid, "start": 1}
            path.write_text(json.dumps(record))
            self.down()
            self.assertIsNone(bystander.poll())
            bystander.kill()

    def test_a_failed_up_leaves_no_process_and_says_why(self) -> None:
        overlay = self.home / "overlay"
        overlay.write_text("NoSuchParameter=1\n")
        done = cluster_command(
            "up", "--stock", "--dir", self.dir, "--slurm-conf", overlay, check=False
        )
        self.assertEqual(done.returncode, 1)
        self.assertIn("NoSuchParameter", done.stderr)
        self.assertEqual(processes_of(self.dir), {})
        overlay.unlink()
        self.down()

    def test_an_interrupted_up_leaves_no_process(self) -> None:
        up = [sys.executable, str(CLUSTER), "up", "--stock", "--nodes=50", f"--dir={self.dir}"]
        with subprocess.Popen(up, stderr=subprocess.DEVNULL) as starting:
            # A look at all processes may take longer than what is left of `up`.
            logs = self.dir / "log"
            wait_for(lambda: len(list(logs.glob("slurmd.*.stderr"))) > 3, "some daemons")
            starting.terminate()
            self.assertEqual(starting.wait(60), 128 + signal.SIGTERM)
        self.assertEqual(processes_of(self.dir), {})
        self.down()

    def test_down_keeps_what_is_not_a_cluster(self) -> None:
        other = self.home / "other"
        other.mkdir()
        (other / "file").touch()
        done = cluster_command("down", "--dir", other, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertTrue((other / "file").exists())


class Installed(unittest.TestCase):
    """One installation of a build serves many clusters, until the build changes."""

    def setUp(self) -> None:
        self.home = Path(tempfile.mkdtemp(prefix="maui-"))
        self.addCleanup(shutil.rmtree, self.home)
        self.product = self.home / "build" / "product.so"
        for name in ("meson-info/intro-installed.json", "meson-private/install.dat", "product.so"):
            (self.home / "build" / name).parent.mkdir(parents=True, exist_ok=True)
            (self.home / "build" / name).touch()
        plan = {str(self.product): "/usr/lib/product.so", "link": "/usr/bin/link"}
        path = self.home / "build" / "meson-info" / "intro-installed.json"
        path.write_text(json.dumps(plan), encoding="utf-8")
        self.copies = 0

    def copied(self) -> str:
        self.copies += 1
        there = self.home / f"copy{self.copies}"

        def install(_build: Path, destination: Path) -> None:
            destination.mkdir()
            shutil.copy(self.product, destination)
            self.installations += 1

        self.installations = 0
        with mock.patch.object(stage, "_install", install):
            stage.copy(self.home / "build", there)
        return (there / "product.so").read_text(encoding="utf-8")

    def test_it_is_made_once_and_anew_after_a_compilation(self) -> None:
        self.assertEqual((self.copied(), self.installations), ("", 1))
        self.assertEqual((self.copied(), self.installations), ("", 0))
        self.product.write_text("new", encoding="utf-8")
        self.assertEqual((self.copied(), self.installations), ("new", 1))
        self.assertEqual((self.home / "copy1" / "product.so").read_text("utf-8"), "")

    def test_one_that_was_interrupted_is_made_again(self) -> None:
        def interrupted(_build: Path, destination: Path) -> None:
            destination.mkdir()
            raise KeyboardInterrupt

        with mock.patch.object(stage, "_install", interrupted), self.assertRaises(KeyboardInterrupt):
            stage.copy(self.home / "build", self.home / "none")
        self.assertEqual((self.copied(), self.installations), ("", 1))


class ThreadsThatSpin(unittest.TestCase):
    def test_only_those_of_that_name_count(self) -> None:
        program = '''
import threading
def spin(name):
    with open(f"/proc/self/task/{threading.get_native_id()}/comm", "w") as comm:
        comm.write(name)
    while True:
        pass
for name in ("agent", "agent", "other"):
    threading.Thread(target=spin, args=(name,)).start()
'''
        with subprocess.Popen([sys.executable, "-c", program]) as process:
            try:
                wait_for(lambda: busy_threads(process.pid, "agent", 0.1) == 2, "two to be busy")
                wait_for(lambda: busy_threads(process.pid, "other", 0.1) == 1, "one to be busy")
                self.assertEqual(busy_threads(process.pid, "agent", 1e6), 0)
            finally:
                process.kill()
        self.assertEqual(busy_threads(process.pid, "agent", 0), 0)


class RefusedArguments(unittest.TestCase):
    def setUp(self) -> None:
        self.home = Path(tempfile.mkdtemp(prefix="maui-"))
        self.addCleanup(shutil.rmtree, self.home)
        self.dir = self.home / "cluster"

    def refused(self, *arguments: str | Path, status: int, text: str) -> None:
        done = cluster_command(*arguments, check=False)
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertIn(text, done.stderr)
        self.assertFalse(self.dir.exists())

    def test_up(self) -> None:
        up = ("up", "--stock", "--dir", self.dir)
        self.refused("up", "--stock", status=2, text="--dir")
        self.refused(*up, "--nodes", "0", status=2, text="positive")
        self.refused(*up, "--nodes", "x", status=2, text="positive")
        self.refused(*up, "--cpus", "-1", status=2, text="positive")
        self.refused(*up, "--memory", "1.5", status=2, text="positive")
        self.refused(*up, "--bogus", status=2, text="--bogus")
        self.refused(*up, "--slurm-conf", "/no/such/file", status=1, text="/no/such/file")
        self.refused(*up, "--maui-cfg", "/no/such/file", status=1, text="/no/such/file")
        self.refused("up", "--stock", "--dir", self.home / "a b", status=1, text="a b")
        self.refused("up", "--stock", "--dir", self.home / ("x" * 90), status=1, text="too long")

    def test_up_where_something_is(self) -> None:
        (self.home / "file").touch()
        self.refused("up", "--stock", "--dir", self.home, status=1, text="not empty")
        self.refused("up", "--stock", "--dir", self.home / "file", status=1, text="cannot make")
        with Cluster(nodes=1, stock=True) as cluster:
            self.refused("up", "--stock", "--dir", cluster.dir, status=1, text="already")
            self.assertEqual(cluster.node("n1")["State"], "IDLE")

    def test_up_without_a_build(self) -> None:
        os.environ["MAUI_BUILD"] = str(self.home / "nowhere")
        self.addCleanup(os.environ.pop, "MAUI_BUILD")
        self.refused("up", "--dir", self.dir, status=1, text="meson setup")

    def test_others_without_a_cluster(self) -> None:
        self.refused("exec", "--dir", self.dir, "--", "true", status=1, text="no cluster")
        self.refused("exec", "--dir", self.dir, status=2, text="CMD")
        self.refused("restart", "--dir", self.dir, status=1, text="no cluster")
        self.refused("sideways", "--dir", self.dir, status=2, text="sideways")


class ChangedSlurmConf(unittest.TestCase):
    def test_values_and_lines_replace_or_add(self) -> None:
        overlay = """
# a comment
priorityweightage=17          # replaces, whatever the case
PriorityFavorSmall=YES
SchedulerParameters=bf_interval=3,\\
bf_continue
NodeName=n[1-2] CPUs=6 RealMemory=900 Feature=fast
NodeName=big Feature=slow
NodeName=later State=FUTURE
NodeSet=quick Feature=fast
PartitionName=batch MaxTime=60
PartitionName=extra Nodes=quick Default=YES
DownNodes=n3 State=DOWN Reason="not today"
"""
        with Cluster(nodes=3, stock=True, slurm_conf=overlay) as cluster:
            config = cluster.config()
            self.assertEqual(config["PriorityWeightAge"], "17")
            self.assertEqual(config["PriorityFavorSmall"].lower(), "yes")
            self.assertEqual(config["SchedulerParameters"], "bf_interval=3,bf_continue")
            for name in ("n1", "n2"):
                node = cluster.node(name)
                self.assertEqual((node["CPUTot"], node["RealMemory"]), ("6", "900"))
                self.assertEqual(node["AvailableFeatures"], "fast")
            self.assertEqual(cluster.node("n3")["CPUTot"], "4")
            self.assertEqual(cluster.node("n3")["State"], "DOWN")
            self.assertEqual(cluster.node("big")["State"], "IDLE")
            self.assertEqual(cluster.partition("batch")["MaxTime"], "01:00:00")
            self.assertEqual(cluster.partition("batch")["Default"], "NO")
            self.assertEqual(cluster.partition("extra")["Default"], "YES")
            self.assertEqual(cluster.partition("extra")["TotalNodes"], "2")
            job = cluster.sbatch("-c6", "--mem=10", wrap="true", user=USERS[0])
            cluster.wait_for_state(job, "COMPLETED")
            self.assertEqual(cluster.job(job)["Partition"], "extra")

    def test_bad_lines_are_named(self) -> None:
        for text, problem in (
            ("A=1\n\nno value here\n", ":3: 'no value here' is not KEY=VALUE"),
            ("NodeName=n[3-1] CPUs=1\n", ":1: the range '3-1'"),
            ("NodeName=n[1-2 CPUs=1\n", ":1: unbalanced"),
            ("SlurmctldDebug+=x\n", ":1: 'SlurmctldDebug+='"),
        ):
            with self.subTest(text), tempfile.NamedTemporaryFile("w", suffix=".conf") as file:
                file.write(text)
                file.flush()
                with self.assertRaises(Problem) as caught:
                    slurmconf.read_overlay(Path(file.name))
                self.assertIn(file.name + problem, str(caught.exception))

    def test_host_lists_are_expanded_as_slurm_does(self) -> None:
        with Cluster(nodes=1, stock=True) as cluster:
            for text in ("n1", "n[1-3]", "n[1-2,7],m", "gpu[08-11]", "a[1-2]b[1-2]", "x,y[3]"):
                done = cluster.run(["scontrol", "show", "hostnames", text])
                self.assertEqual(hostlist.expand(text), done.stdout.split(), text)
