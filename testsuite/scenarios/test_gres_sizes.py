# SPDX-License-Identifier: GPL-2.0-or-later
"""Sizes as GRES: counts in bytes, beyond 32 bits, of which Slurm keeps no files."""

from __future__ import annotations


from gres_case import GresCase

GIB = 1 << 30


class Sizes(GresCase):
    """Each node has 500 G of scratch, and local storage with a type."""

    slurm_conf = """\
SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=3,bf_min_prio_reserve=1
DebugFlags=Priority,Gres
GresTypes=scratch,local
NodeName=n[1-4] Gres=scratch:500G,local:nvme:6T
"""
    gres_conf = """\
Name=scratch Count=500G Flags=CountOnly
Name=local Type=nvme Count=6T Flags=CountOnly
"""

    def in_use(self) -> dict[str, int]:
        """By daemon."""
        data = self.cluster.maui("diagnose", "-u", "daemon", "--json")
        limits = data["credentials"][0]["limits"]
        return {limit["name"]: limit["usage"] for limit in limits}

    def test_a_limit_on_bytes(self) -> None:
        over = f"MAXGRES[scratch] limit of {400 * GIB} for user daemon ({{}} in use, {{}} asked for)"
        for limit in (400 * GIB, "400G"):
            self.configure(f"USERCFG[daemon] MAXGRES[scratch]={limit}\n")
            self.expect(
                (("--gres=scratch:300G",), ""),
                (("--gres=scratch:300G",), over.format(300 * GIB, 300 * GIB)),
                (("--gres=scratch:500G",), over.format(300 * GIB, 500 * GIB)),
                (("--gres=scratch:100G",), ""),
                (("--gres=scratch:1",), over.format(400 * GIB, 1)),
            )
            self.assertEqual(self.in_use(), {"MAXGRES[scratch]": 400 * GIB})

    def test_several_nodes_and_a_type(self) -> None:
        self.configure("USERCFG[daemon] MAXGRES[local:nvme]=10T,12T\nSYSCFG MAXGRES[scratch]=1T\n")
        over = f"MAXGRES[local:nvme] limit of {12 << 40} for user daemon ({{}} in use, {{}} asked for)"
        self.expect(
            (("--gres=local:nvme:4T", "-N4", "-n4"), over.format(0, 16 << 40)),
            (("--gres=local:nvme:4T", "-N3", "-n3"), ""),
            (("--gres=local:nvme:1T",), over.format(12 << 40, 1 << 40)),
        )
        text = f"MAXGRES[scratch] limit of {1 << 40} for the system ({900 * GIB} in use, {300 * GIB} asked for)"
        self.expect((("--gres=scratch:300G", "-N3", "-n3"), ""), (("--gres=scratch:300G",), text), user="bin")

    def test_limits_of_nodes(self) -> None:
        self.configure("NODEALLOCATIONPOLICY FIRSTAVAILABLE\nNODECFG[n1] MAXGRES[scratch]=300G\n")
        for node in ("n1", "n2", "n2"):
            job = self.submit("--gres=scratch:200G")
            self.cluster.wait_for_state(job, "RUNNING")
            self.assertEqual(self.cluster.job(job)["NodeList"], node)
        node = self.cluster.maui("checknode", "n2", "--json")
        by_name = {one["name"]: one for one in node["gres"]}
        self.assertEqual(by_name["scratch"], {"name": "scratch", "configured": 500 * GIB, "dedicated": 400 * GIB})
        self.assertEqual(by_name["local:nvme"]["configured"], 6 << 40)

    def test_reserved_by_size(self) -> None:
        """Where there is enough for a task, in bytes."""
        self.configure(
            "SRCFG[none] TASKCOUNT=1 RESOURCES=PROCS:1;GRES=scratch:501G PERIOD=INFINITY USERLIST=bin\n"
            "SRCFG[large] TASKCOUNT=2 RESOURCES=PROCS:1;GRES=scratch:300G PERIOD=INFINITY USERLIST=bin\n"
        )
        self.cluster.wait_for(lambda: "ReservationName=large.inf" in self.reservations(), "large.inf")
        self.assertIn("NodeCnt=2", self.reservations())
        self.assertNotIn("none.inf", self.reservations())

    def reservations(self) -> str:
        return self.cluster.run("scontrol --oneliner show reservations").stdout

    def test_weights(self) -> None:
        """A point for each 16 G."""
        weights = f"RMPOLLINTERVAL 1\nQUEUETIMEWEIGHT 0\nRESWEIGHT 1\nGRESWEIGHT[scratch] {1 / (16 * GIB):.25f}\n"
        self.cluster.cancel_all()
        self.cluster.install(weights)
        job = self.submit("--gres=scratch:324G", "--begin=now+1hour")
        self.cluster.wait_for(lambda: self.cluster.job(job)["Priority"] == "20", "a priority of 20")
