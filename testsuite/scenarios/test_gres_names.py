# SPDX-License-Identifier: GPL-2.0-or-later
"""Names and types of GRES of every character that slurmctld and a request take, but '=' (D-GRES-1)."""

from __future__ import annotations


from gres_case import GresCase

ODD = "~!$%^&*?<>{}_-+.@/;|)[`"
NAMES = ("q;z", "q|z", f"q{ODD}z", "q[z]w]", "q'z", 'q"z', "-q", "q" * 60)
TYPES = ("a;b", "a|b", f"a{ODD}b", "]a", "a'b\"c", "1g.10gb+me", "1.2", "a" * 60)
GRES = (*NAMES, *(f"typed:{kind}" for kind in TYPES))


def quoted(text: str) -> str:
    """As a value of a maui.cfg, in which quotes are kept."""
    return '"' + text.replace('"', '"\'"\'"') + '"'


class Names(GresCase):
    """Three of each on each node."""

    slurm_conf = f"""\
SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=3,bf_min_prio_reserve=1
DebugFlags=Priority,Gres
GresTypes={",".join(NAMES)},typed
NodeName=n[1-4] Gres={",".join(f"{name}:3" for name in GRES)}
"""
    gres_conf = "".join(
        line.replace("{", "{{").replace("}", "}}")
        for line in (
            *(f"Name={name} Count=3 Flags=CountOnly\n" for name in NAMES),
            *(f"Name=typed Type={kind} Count=3 Flags=CountOnly\n" for kind in TYPES),
        )
    )

    def test_limits(self) -> None:
        self.configure("".join(f"USERCFG[daemon] MAXGRES[{name}]=2\n" for name in GRES))
        for name in GRES:
            over = f"MAXGRES[{name}] limit of 2 for user daemon (2 in use, 1 asked for)"
            self.expect(((f"--gres={name}:2",), ""), ((f"--gres={name}:1",), over))

    def test_reservations(self) -> None:
        """Each node has three; four of any do not fit."""

        def line(name: str, gres: str) -> str:
            resources = quoted(f"PROCS:1;{gres}")
            return f"SRCFG[{name}] TASKCOUNT=1 RESOURCES={resources} PERIOD=INFINITY USERLIST=bin\n"

        parts = GRES[::4], GRES[1::4], GRES[2::4], GRES[3::4]
        fit = [line(f"fit{'x' * i}", ";".join(f"GRES={name}:3" for name in part)) for i, part in enumerate(parts)]
        large = [line(f"large{'x' * i}", f"GRES={name}:4") for i, name in enumerate(GRES)]
        self.configure("".join(large + fit))
        wanted = {f"fit{'x' * i}.inf" for i in range(len(parts))}

        def made() -> set[str]:
            text = self.cluster.run("scontrol --oneliner show reservations", check=False).stdout
            return {word.partition("=")[2] for word in text.split() if word.startswith("ReservationName=")}

        self.cluster.wait_for(lambda: made() >= wanted, "reservations of three")
        self.assertEqual(made(), wanted)

    def test_weights(self) -> None:
        weights = "".join(f"GRESWEIGHT[{name}] {number}\n" for number, name in enumerate(GRES, 10))
        self.cluster.cancel_all()
        self.cluster.install("RMPOLLINTERVAL 1\nQUEUETIMEWEIGHT 0\nRESWEIGHT 1\n" + weights)
        for number, name in enumerate(GRES, 10):
            job = self.submit(f"--gres={name}:2", "--begin=now+1hour")
            self.cluster.wait_for(lambda: self.cluster.job(job)["Priority"] == str(2 * number), f"{name}: {2 * number}")  # noqa: B023

    def test_commands(self) -> None:
        """Each finds the name in what Slurm or the engine says."""
        self.configure("".join(f"USERCFG[daemon] MAXGRES[{name}]=9\n" for name in GRES))
        self.assertNotIn("GRES", self.cluster.run(["maui", "check"]).stdout)
        job = self.submit("--gres=" + ",".join(f"{name}:2" for name in GRES[::3]), "-wn1")
        self.cluster.wait_for_state(job, "RUNNING")
        for name in GRES:
            with self.subTest(name):
                free = self.cluster.maui("showbf", "-A", f"--gres={name}:3", "--json")
                self.assertEqual(free["windows"][0]["nodes"], 3 if name in GRES[::3] else 4)
