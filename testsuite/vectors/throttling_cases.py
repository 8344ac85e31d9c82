# SPDX-License-Identifier: GPL-2.0-or-later
"""Throttling's part of make_cases.py: jobs under limits, from chapter 6.2 and D-LIM-1 to
D-LIM-8. Written for the documented reading; cases named "original-..." have the original's."""

TYPES = ["user", "group", "account", "class", "qos"]
SECTIONS = {"user": "USERCFG", "group": "GROUPCFG", "account": "ACCOUNTCFG", "class": "CLASSCFG",
            "qos": "QOSCFG"}
METRICS = ["JOB", "PROC", "NODE", "PS", "PE", "WC", "MEM"]
VALUES = {"JOB": [1, 2, 3], "PROC": [4, 8], "NODE": [1, 2, 4], "PS": [14400, 57600],
          "PE": [4, 8], "WC": [3600, 7200], "MEM": [2048, 4096]}
NAMES = {"user": ["bob", "joe", "ann"], "group": ["staff", "phys"], "account": ["acme", "beta", None],
         "class": ["batch", "inter"], "qos": ["hi", "low", None]}
SYSTEM = {"SYSTEMMAXPROCPERJOB": ("PROC", 4), "SYSTEMMAXPROCSECONDPERJOB": ("PS", 20000),
          "SYSTEMMAXJOBWALLTIME": ("WC", 3600)}
NOW = 1700000000


class World:
    """One case, in one of the two readings."""

    def __init__(self, limits, system, policy, jobs, original):
        self.limits, self.system, self.policy = limits, system, policy
        self.jobs, self.original = jobs, original
        self.active, self.idle = [], []
        self.since = {job["name"]: job["submit"] for job in jobs}

    def amount(self, job, metric):
        wall = job["wc"] - (NOW - job["start"] if "start" in job else 0)
        tasks, memory = job["tasks"], job["tasks"] * job["mem"]
        return {"JOB": 1, "PROC": tasks, "NODE": job["nodes"], "PS": tasks * wall,
                "PE": int(max(tasks / 64, memory / 131072) * 64), "WC": wall,
                "MEM": memory}[metric]

    def find(self, kind, name, attribute):
        value = self.limits.get((kind, name, attribute))
        return (name, kind, value) if value and value[1] else None

    def value(self, found, level):
        name, kind, (soft, hard) = found
        if self.original and name == "DEFAULT" and kind in ["user", "group", "account"]:
            hard = max(soft, hard)
        if level == "HARD":
            return hard
        return soft if self.original else min(soft, hard)

    def exceeds(self, job, mode, level, metric, limit, used, whose):
        request = self.amount(job, metric)
        if limit <= 0 or request + used <= limit:
            return ""
        return (f"job {job['name']} violates {mode} {level} MAX{metric} limit of {limit} "
                f"for {whose} (R: {request}, U: {used})\n")

    def has_idle_record(self, kind, name):
        if kind == "user" or not self.original:
            return True
        return any(own == (kind, name) and (key.startswith("MAXI") or
                                            own == ("qos", "DEFAULT") and key.startswith("OMAXI"))
                   for *own, key in self.limits for own in [tuple(own)])

    def holder(self, job, kind, mode, level, metric):
        name = job.get(kind, "DEFAULT" if kind == "qos" else None)
        if not name or (mode == "idle" and not self.has_idle_record(kind, name)):
            return ""
        attribute = ("MAXI" if mode == "idle" else "MAX") + metric
        found = (self.find("qos", job.get("qos", "DEFAULT"), "O" + attribute) or
                 self.find(kind, name, attribute))
        if not found and not (kind == "class" and self.original):
            found = self.find(kind, "DEFAULT", attribute)
        if not found:
            return ""
        used = sum(self.amount(one, metric)
                   for one in (self.idle if mode == "idle" else self.active)
                   if one.get(kind, "DEFAULT" if kind == "qos" else None) == name)
        hard = mode == "idle" and not self.original
        label = "acct" if kind == "account" else kind
        return self.exceeds(job, mode, level, metric, self.value(found, "HARD" if hard else level),
                            used, f"{label} {name} ")

    def pair(self, job, level, metric):
        found = (self.find("class", job["class"], f"MAX{metric}[USER]") or
                 self.find("class", job["class"], f"MAX{metric}PERUSER"))
        if not found:
            return ""
        found = self.find("qos", job.get("qos", "DEFAULT"), "OMAX" + metric) or found
        used = sum(self.amount(one, metric) for one in self.active
                   if one["class"] == job["class"] and one["user"] == job["user"])
        user = "user" if self.original else job["user"]
        return self.exceeds(job, "active", level, metric, self.value(found, level), used,
                            f"class {job['class']} {user}")

    def over(self, job, level, mode):
        if mode == "system":
            messages = (self.exceeds(job, mode, level, *self.system[name], 0, "par ALL ")
                        for name in SYSTEM if name in self.system)
        else:
            messages = (self.holder(job, kind, mode, level, metric) for kind in TYPES
                        for metric in METRICS[:6 if self.original else 7])
        for message in messages:
            if message:
                return message
        if mode == "active":
            for metric in METRICS[:3]:
                message = self.pair(job, level, metric)
                if message:
                    return message
        return ""

    def any(self, job, level):
        return any(self.over(job, level, mode) for mode in ["active", "idle", "system"])

    def priority(self, job):
        return max(1, (NOW - self.since[job["name"]]) // 60)

    def sorted(self):
        return sorted(self.jobs, key=lambda job: -self.priority(job))

    def answer(self):
        ordered, hard, soft = self.sorted(), [], []
        self.active = [] if self.original else [job for job in self.jobs if "start" in job]
        for job in ordered:
            if "start" in job:
                self.active += [job] if self.original else []
            elif job.get("hold"):
                if self.policy == "FULLPOLICY":
                    self.since[job["name"]] = NOW
            elif self.any(job, "HARD"):
                if self.policy != "ALWAYS":
                    self.since[job["name"]] = NOW
            else:
                self.idle.append(job)
                hard.append(job["name"])
        self.idle = []
        for job in self.sorted() if self.original else ordered:
            if "start" not in job and not job.get("hold") and not self.any(job, "SOFT"):
                self.idle.append(job)
                soft.append(job["name"])
        checks = []
        for job in self.jobs:
            if "start" not in job:
                hmsg, smsg = self.over(job, "HARD", "active"), self.over(job, "SOFT", "active")
                ymsg = self.over(job, "HARD", "system")
                checks.append({"job": job["name"], "prio": self.priority(job), "hmsg": hmsg,
                               "smsg": smsg, "ymsg": ymsg, "hard": int(not hmsg),
                               "soft": int(not smsg), "sys": int(not ymsg)})
        return {"checks": checks, "hardq": hard, "softq": soft}


def random_limits(rng, original):
    limits = {}
    for _ in range(rng.choice([1, 2, 4])):
        kind = rng.choice(TYPES)
        name = rng.choice([one for one in NAMES[kind] if one] + ["DEFAULT", "DEFAULT"])
        for metric in rng.sample(METRICS, 2):
            prefix = rng.choice(["MAX", "MAX", "MAXI"] + ["OMAX", "OMAXI"] * (kind == "qos"))
            if kind == "class" and name != "DEFAULT" and metric in METRICS[:3] and rng.random() < .5:
                # The original knows no others; named entries are the unit tests' part.
                attribute = f"MAX{metric}" + rng.choice(
                    ["PERUSER"] + ["[USER]"] * (metric != "NODE"))
            else:
                attribute = prefix + metric
            soft, hard = rng.choice(VALUES[metric]), rng.choice(VALUES[metric])
            # What constrains less than the hard limit is for those with the original's reading.
            limits[kind, name, attribute] = (soft if original else min(soft, hard), hard)
    return limits


def random_job(rng, number):
    job = {"name": f"j{number}", "tasks": rng.choice([1, 2, 4]), "nodes": rng.choice([0, 1, 2]),
           "mem": rng.choice([0, 0, 2048]), "wc": rng.choice([600, 3600, 7200]),
           "submit": NOW - rng.randrange(300, 3000) // 60 * 60 - number}
    for kind in TYPES:
        name = rng.choice(NAMES[kind])
        if name:
            job[kind] = name
    if rng.random() < .4:
        job.update(state="Running", start=NOW - rng.choice([0, 60, 500]))
    elif rng.random() < .1:
        job["hold"] = 1
    return job


def limit_cases(rng):
    for number in range(90):
        original = number % 3 != 0
        limits = random_limits(rng, original)
        system = {name: value for name, value in SYSTEM.items() if rng.random() < .1}
        policy = rng.choice(["ALWAYS", "QUEUEPOLICY", "FULLPOLICY"])
        jobs = [random_job(rng, place) for place in range(rng.randrange(4, 12))]
        lines = [f"{SECTIONS[kind]}[{name}] {attribute}={soft},{hard}"
                 for (kind, name, attribute), (soft, hard) in limits.items()]
        lines += [f"{name} {'1:00:00' if name.endswith('WALLTIME') else value}"
                  for name, (_, value) in system.items()]
        name = f"original-{number}" if original else f"limits-{number}"
        yield {"id": name, "cfg": ["QUEUETIMEWEIGHT 1", "JOBPRIOACCRUALPOLICY " + policy] + lines,
               "jobs": jobs, "nodes": "8 x (8 procs,16384 MB)", "now": NOW, "rc": 0,
               "expect": World(limits, system, policy, jobs, original).answer()}
