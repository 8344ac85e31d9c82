# SPDX-License-Identifier: GPL-2.0-or-later
"""A fresh Debian in a directory, with Slurm's own packages and nothing of ours, in namespaces of its own."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

SUITE = os.environ.get("MAUI_DEBIAN_SUITE", "bookworm")
_PATIENCE = 120 * float(os.environ.get("MAUI_TEST_PATIENCE", "4"))  # seconds, for any event
_LIBSLURM = {"bookworm": "libslurm38", "trixie": "libslurm42t64"}[SUITE]
_LIBMICROHTTPD = {"bookworm": "libmicrohttpd12", "trixie": "libmicrohttpd12t64"}[SUITE]
_PACKAGES = (
    f"munge,slurmctld,slurmd,slurm-client,slurm-wlm-basic-plugins,{_LIBSLURM},libjson-c5,{_LIBMICROHTTPD},"
    "libmunge2,procps"
)
_NAME = "fresh"
_PRIVATE = ["--mount", "--net", "--pid", "--uts", "--fork"]
_SLURM_CONF = f"""\
ClusterName={_NAME}
SlurmctldHost={_NAME}(127.0.0.1)
SlurmUser=slurm
AuthType=auth/munge
StateSaveLocation=/var/lib/slurm/slurmctld
SlurmdSpoolDir=/var/lib/slurm/slurmd
SlurmctldLogFile=/var/log/slurm/slurmctld.log
SlurmdLogFile=/var/log/slurm/slurmd.log
SlurmctldPidFile=/run/slurmctld.pid
SlurmdPidFile=/run/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
ReturnToService=2
SlurmdParameters=config_overrides
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
NodeName={_NAME} NodeAddr=127.0.0.1 CPUs=4
PartitionName=batch Nodes=ALL Default=YES MaxTime=INFINITE
"""


def mirror() -> str:
    """Where this machine's apt has Debian from."""
    done = subprocess.run(["apt-get", "indextargets", "--format", "$(SITE)"], stdout=subprocess.PIPE, text=True, check=True)
    return next((line for line in done.stdout.splitlines() if "security" not in line), "http://deb.debian.org/debian")


def fresh_root() -> Path:
    """With Slurm's packages. MAUI_DEBIAN_ROOT: a debootstrap of earlier."""
    root = Path(tempfile.mkdtemp(prefix="maui-debian-"))
    root.chmod(0o755)  # users other than root have to get in
    if given := os.environ.get("MAUI_DEBIAN_ROOT"):
        subprocess.run(["cp", "-a", f"{given}/.", root], check=True)
    else:
        subprocess.run(
            ["debootstrap", "--variant=minbase", f"--include={_PACKAGES}", SUITE, root, mirror()],
            stdout=subprocess.DEVNULL, check=True,
        )
    return root


class Debian:
    """Its root directory, which remove() removes; what is run in it; its slurmctld and slurmd."""

    def __init__(self, root: Path | None = None) -> None:
        self.root = root or fresh_root()
        hold = f"mount -t proc proc {self.root}/proc; mount -t sysfs -o ro sys {self.root}/sys; mount --bind /dev {self.root}/dev; hostname {_NAME}; ip link set lo up; ip addr add 10.0.0.1/32 dev lo; echo up; sleep infinity & wait"  # which reaps
        self._unshare = subprocess.Popen(["unshare", "--kill-child", *_PRIVATE, "sh", "-c", hold], stdout=subprocess.PIPE)
        assert self._unshare.stdout and self._unshare.stdout.readline() == b"up\n"
        children = Path(f"/proc/{self._unshare.pid}/task/{self._unshare.pid}/children").read_text().split()
        self._init = children[0]
        self.write("/etc/hosts", f"127.0.0.1 localhost {_NAME}\n")
        self.slurm_conf("")
        # Control groups are the machine's. 24.05 has a word for none; before, v1 does not look at them without a need.
        self.write("/etc/slurm/cgroup.conf", f"CgroupPlugin={'cgroup/v1' if SUITE == 'bookworm' else 'disabled'}\n")
        for directory in ("/var/lib/slurm/slurmctld", "/var/log/slurm", "/run/munge"):
            self.ok(f"mkdir -p {directory}")
        self.ok("chown -R slurm /var/lib/slurm /var/log/slurm; chown munge /run/munge; runuser -u munge -- munged")

    def remove(self) -> None:
        self._unshare.kill()  # and with it all that runs there
        self._unshare.wait()
        if self._unshare.stdout:
            self._unshare.stdout.close()
        shutil.rmtree(self.root)

    # ---- commands and files ----

    def run(self, command: str) -> subprocess.CompletedProcess[str]:
        """By a shell, as root. Its output goes to a file: daemons would keep a pipe open."""
        inside = ["nsenter", "-t", self._init, "--mount", "--net", "--pid", "--uts", "chroot", str(self.root)]
        with tempfile.TemporaryFile("w+", errors="replace") as output:
            code = subprocess.run(
                [*inside, "sh", "-c", command],
                stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, check=False, timeout=_PATIENCE,
                env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C", "DEBIAN_FRONTEND": "noninteractive"},
            ).returncode
            output.seek(0)
            return subprocess.CompletedProcess(command, code, output.read())

    def ok(self, command: str) -> str:
        done = self.run(command)
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{self.log()[-3000:]}"
        return done.stdout

    def wait(self, what: str, condition: Callable[[], object]) -> None:
        end = time.monotonic() + _PATIENCE
        while not condition():
            assert time.monotonic() < end, f"{what}\n{self.log()[-3000:]}"
            time.sleep(0.2)

    def write(self, name: str, text: str) -> None:
        path = self.root / name[1:]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def take(self, *debs: Path) -> str:
        """Copies packages to where apt there finds them; their names as apt wants them."""
        there = self.root / "tmp"
        return " ".join(f"/tmp/{Path(shutil.copy(deb, there)).name}" for deb in debs)

    def repository(self, names: list[str], change: tuple[str, str]) -> None:
        """The only one that apt knows: these installed packages in another version. There are no files behind it."""
        stanzas = []
        for name in names:
            text = self.ok(f"dpkg-query -s {name}").replace(*change)
            text = re.sub(r"(?m)^(Status: .*|Conffiles:\n( .*\n)*)", "", text)
            fields = [line for line in text.splitlines() if line]
            stanzas.append("\n".join([*fields, f"Filename: ./{name}.deb", "Size: 1", f"SHA256: {'0' * 64}", ""]))
        self.write("/repository/Packages", "\n".join(stanzas))
        shutil.rmtree(self.root / "etc/apt/sources.list.d", ignore_errors=True)
        self.write("/etc/apt/sources.list", "deb [trusted=yes] file:/repository ./\n")
        self.ok("apt-get update")

    # ---- Slurm ----

    def slurm_conf(self, lines: str) -> None:
        self.write("/etc/slurm/slurm.conf", _SLURM_CONF + lines)

    def log(self) -> str:
        path = self.root / "var/log/slurm/slurmctld.log"
        return path.read_text(errors="replace") if path.exists() else ""

    def start(self) -> None:
        self.ok("slurmctld")
        self.wait("slurmctld answers", lambda: self.run("scontrol ping | grep -q UP").returncode == 0)
        if self.run("pgrep -x slurmd").returncode:
            self.ok("slurmd")
        self.wait("the node is up", lambda: self.run("sinfo -h -o %t | grep -Eq 'idle|mix|alloc'").returncode == 0)

    def stop(self) -> None:
        self.ok("pkill -x slurmctld || pkill -x slurmctld-wlm || :")
        self.wait("slurmctld has ended", lambda: self.run("pgrep -x 'slurmctld|slurmctld-wlm'").returncode != 0)

    def restart(self) -> None:
        self.stop()
        self.start()

    def submit(self, user: str, options: str = "", command: str = "sleep 3600") -> int:
        done = self.ok(f"cd /tmp && sbatch --parsable --uid={user} -o /dev/null {options} --wrap '{command}'")
        return int(done.splitlines()[-1])

    def jobs(self) -> dict[int, tuple[str, int]]:
        """State and priority of those that wait or run."""
        rows = (line.split("|") for line in self.ok("squeue -h -o '%i|%T|%Q'").splitlines())
        return {int(job): (state, int(priority)) for job, state, priority in rows}
