# SPDX-License-Identifier: GPL-2.0-or-later
"""Node allocation's part of make_cases.py: formulas, their values, and the choice of nodes, from
chapter 5.2. Written for the documented reading; cases named "original-..." have the original's."""

COMPONENTS = ["ADISK", "AMEM", "APROCS", "ASWAP", "CDISK", "CMEM", "CPROCS", "CSWAP", "JOBCOUNT",
              "LOAD", "PREF", "PRIORITY", "RESAFFINITY", "SPEED", "USAGE"]
DYNAMIC = ["ADISK", "AMEM", "APROCS", "ASWAP", "JOBCOUNT", "LOAD", "USAGE"]
CODES = {"r": 1, "+": 2, "=": 3, "-": 4, "p": 5, "": 6}
AFFINITY = {1: 1, 2: 1, 3: 0, 4: -1, 5: -1, 6: 0}
PASSES = ["r", "+", "=", "", "-", "p"]
NOW = 1600000000


def parse_cases(rng):
    """Coefficients, several ways of writing each."""
    for component in COMPONENTS:
        yield {"in": component, "coef": {component: 1}}
        yield {"in": f"-3.5*{component}", "coef": {component: -3.5}}
    for text, coef in [("2 LOAD", {"LOAD": 2}), ("2LOAD", {"LOAD": 2}), (".25 * CMEM", {"CMEM": .25}),
                       ("- - -LOAD", {"LOAD": -1}), ("1e3*PREF- 2.5e-1SPEED",
                                                     {"PREF": 1000, "SPEED": -.25}),
                       ("  LOAD  ", {"LOAD": 1}), ("0*LOAD", {}), ("7", {})]:
        yield {"in": text, "coef": coef}
    # The documented reading, then the original's.
    for text, ours, original in [("LOAD+LOAD", 2, 1), ("3*LOAD-LOAD", 2, -1)]:
        yield {"in": text, "coef": {"LOAD": ours}}
        yield {"in": text, "coef": {"LOAD": original}}
    for text, ours in [("LOAD*2", 2), ("2*LOAD*-3", -6), ("LOAD * .5*4", 2)]:
        yield {"in": text, "coef": {"LOAD": ours}}
        yield {"in": text, "coef": {"LOAD": 2 if text[0] == "2" else 1}}
    yield {"in": "LOADS+CMEM", "coef": {"LOAD": 1, "CMEM": 1}}
    yield {"in": "CMEM+load", "coef": {"CMEM": 1}}


def factors(node, query, original):
    own = query["own"]
    speed = min(float(own.get("SPEED", node["speed"])), 100)
    usage = node["satime"] / node["sutime"] if node["sutime"] else 0
    values = {"ADISK": node["adisk"], "AMEM": node["amem"], "ASWAP": node["aswap"],
              "APROCS": node["procs"] - node["dprocs"], "CDISK": node["disk"],
              "CMEM": node["mem"], "CPROCS": node["procs"], "CSWAP": node["swap"],
              "JOBCOUNT": node["jobcount"], "LOAD": node["load"], "PREF": query["pref"],
              "PRIORITY": float(own.get("PRIORITY", 0)),
              "RESAFFINITY": query["aff"] if original else AFFINITY[query["aff"]],
              "SPEED": speed if original else node["procspeed"] or speed,
              "USAGE": usage if original else usage * 100}
    if query["start"] > NOW:
        values.update({name: 0 for name in DYNAMIC})
    return values


def node(rng, name):
    return {"name": name, "procs": rng.choice([4, 32]), "dprocs": rng.choice([0, 3]),
            "mem": rng.choice([100, 2048, 64000, 500000]), "disk": rng.choice([0, 700]),
            "swap": rng.choice([0, 900]), "adisk": rng.randrange(700), "amem": rng.randrange(100),
            "aswap": rng.randrange(900), "load": rng.choice([0, .25, 2.75]),
            "jobcount": rng.randrange(4), "speed": rng.choice([.5, 1.0, 2.25]),
            "procspeed": rng.choice([0, 0, 2600]), "satime": rng.choice([0, 300]),
            "sutime": rng.choice([0, 1200])}


def value_cases(rng):
    def case(name, lines, nodes, queries, values):
        return {"id": name, "cfg": lines, "nodes": nodes, "now": NOW, "rc": 0,
                "aff_codes": {str(code): mark for mark, code in CODES.items()},
                "queries": [{key: query[key] for key in ["aff", "name", "pref", "start"]}
                            for query in queries],
                "expect": [{"node": query["name"], "value": value}
                           for query, value in zip(queries, values)]}

    for number in range(80):
        original = number % 4 == 3
        terms = {name: rng.choice([-10, .5, 1, 3]) for name in rng.sample(COMPONENTS, 4)}
        own = rng.choice([{}, {"PRIORITY": "12"}, {"SPEED": "250", "PRIORITY": "-3"}])
        formula = " ".join(f"{factor:+} * {name}" for name, factor in terms.items())
        nodes = [node(rng, "a1"), node(rng, "a2")]
        for one in nodes:
            if number % 2:
                one["procspeed"] = one["sutime"] = 0
        # The original keeps blanks in the first attribute of a line only.
        lines = [rng.choice(["NODECFG[DEFAULT]", "NODECFG[a1]"]) + f" PRIORITYF='{formula}'"]
        lines += [f"NODECFG[a1] {key}={value}" for key, value in own.items()]
        query = {"name": "a1", "own": own, "aff": rng.randrange(1, 7), "pref": rng.randrange(2),
                 "start": NOW + rng.choice([0, 0, 500])}
        value = factors(nodes[0], query, original)
        yield case(("original-" if original else "value-") + str(number), lines, nodes, [query],
                   [sum(factor * value[name] for name, factor in terms.items())])
    one = dict(node(rng, "b"), load=2, sutime=1200, satime=300, procspeed=2600, speed=2.25)
    query = {"name": "b", "own": {}, "aff": 6, "pref": 1, "start": NOW}
    for name, line, documented, original in [
            ("default", "", 100, 700),
            ("usage", "NODECFG[b] PRIORITYF=USAGE", 25, .25),
            ("speed", "NODECFG[b] PRIORITYF=SPEED", 2600, 2.25),
            ("quotes", "NODECFG[b] PRIORITY=2 PRIORITYF='LOAD + PRIORITY'", 4, 2),
            ("constant", "NODECFG[b] PRIORITYF=LOAD+40", 42, 2)]:
        yield case(name, [line] if line else [], [one], [query], [documented])
        yield case("original-" + name, [line] if line else [], [one], [query], [original])


def usable(tasks, job):
    return 0 if tasks < job["tpn"] else min(tasks, job["tasks"])


def window(nodes, job, have):
    """The speeds that MAXBALANCE takes: least span, then fastest; None if all are not enough."""
    best = None
    speeds = sorted({one["speed"] for one, _ in nodes})
    for low in speeds:
        for high in speeds:
            inside = [tasks for one, tasks in nodes if low <= one["speed"] <= high]
            if have[0] + sum(inside) >= job["tasks"] and have[1] + len(inside) >= job["nodes"]:
                best = min(best or (high - low, -high), (high - low, -high))
    return best


def order(policy, nodes, job, have):
    """The nodes of one affinity, in the order of the policy; pairs of node and tasks."""
    def idle(pair):
        return pair[0]["procs"] - max(pair[0]["dprocs"], pair[0]["load"])

    def memory_class(pair):
        return next(n for n in range(64) if pair[0]["mem"] <= 64 << n)

    if policy == "LASTAVAILABLE":
        return nodes[::-1]
    if policy == "FASTEST":
        return sorted(nodes, key=lambda pair: -pair[0]["speed"])
    if policy == "PRIORITY":
        return sorted(nodes, key=lambda pair: -pair[0]["load"])
    if policy == "MINRESOURCE":
        return sorted(nodes[::-1], key=lambda pair: (memory_class(pair), pair[0]["procs"]))
    if policy == "CPULOAD":
        tiers, left = [], nodes[::-1]
        while left:
            most = max(map(idle, left))
            tiers += [pair for pair in left if idle(pair) >= most - .1]
            left = [pair for pair in left if idle(pair) < most - .1]
        return tiers
    if policy == "MAXBALANCE":
        best = window(nodes, job, have)
        inside = [pair for pair in nodes
                  if not best or -best[1] - best[0] <= pair[0]["speed"] <= -best[1]]
        return sorted(inside, key=lambda pair: -pair[0]["speed"])
    return nodes


def allocate(policy, nodes, marks, job):
    """[name, tasks] of the documented choice; None if there are too few."""
    chosen, have = [], [0, 0]
    for mark in PASSES:
        mine = [(one, usable(tasks, job)) for one, tasks in nodes
                if marks.get(one["name"], "") == mark and usable(tasks, job)]
        for one, tasks in order(policy, mine, job, have):
            if have[0] >= job["tasks"] and have[1] >= job["nodes"]:
                break
            if policy == "MINRESOURCE" and job["tpn"]:
                tasks -= tasks % job["tpn"]
            chosen.append([one["name"], tasks])
            have = [have[0] + tasks, have[1] + 1]
    enough = have[0] >= job["tasks"] and have[1] >= job["nodes"]
    return chosen if enough else None


def alloc_case(name, policy, nodes, marks, job, chosen):
    plain = ["dprocs", "jobcount", "load", "mem", "name", "procs", "procspeed", "speed"]
    return {"id": name, "policy": policy, "now": NOW, "start": NOW, "rc": 0,
            "cfg": ["NODECFG[DEFAULT] PRIORITYF=LOAD"],
            "nodes": [{key: one[key] for key in plain} for one, _ in nodes],
            "feasible": ",".join(f"{one['name']}:{tasks}" for one, tasks in nodes),
            "affinity": [f"{node}:{mark}" for node, mark in marks.items() if mark],
            "job": dict(job, user="alice", group="physics", name="j"),
            "expect": {"rc": int(chosen is not None), "policy": policy, "alloc": chosen or []}}


def alloc_cases(rng):
    policies = ["FIRSTAVAILABLE", "LASTAVAILABLE", "PRIORITY", "CPULOAD", "MINRESOURCE",
                "MAXBALANCE", "FASTEST"]
    for number in range(140):
        policy = policies[number % len(policies)]
        nodes = [(dict(node(rng, f"c{i}"), speed=[1.0, 2.0, 1.5, 3.0][(i + number) % 4]),
                  rng.randrange(1, 9)) for i in range(rng.randrange(2, 9))]
        marks = {one["name"]: rng.choice(["", "", "", "+", "-", "=", "r", "p"]) for one, _ in nodes}
        total = sum(tasks for _, tasks in nodes)
        job = {"tasks": rng.randrange(1, total + 2), "nodes": rng.choice([0, 0, 2]),
               "tpn": rng.choice([0, 0, 1, 2])}
        yield alloc_case(f"{policy.lower()}-{number}", policy, nodes, marks, job,
                         allocate(policy, nodes, marks, job))
    # The original's choice where it differs.
    plain = dict(node(rng, "x"), procs=8, dprocs=0, load=0, mem=1000, speed=1.0, procspeed=0)

    def two(first, second):
        return [(dict(plain, name="d0", **first), 4), (dict(plain, name="d1", **second), 4)]

    job = {"tasks": 4, "nodes": 0, "tpn": 0}
    yield alloc_case("original-first", "FIRSTAVAILABLE", two({}, {}), {"d1": "+"}, job, [["d0", 4]])
    yield alloc_case("original-resource", "MINRESOURCE", two({"procs": 2}, {}), {}, job,
                     [["d1", 4]])
    yield alloc_case("original-memory", "MINRESOURCE", two({"mem": 10000}, {"mem": 90000}), {}, job,
                     [["d1", 4]])
    yield alloc_case("original-balance", "MAXBALANCE",
                     two({"procspeed": 900}, {"procspeed": 1800}), {}, job, [["d0", 4]])
    tiers = alloc_case("original-tiers", "CPULOAD", two({"load": 3}, {}), {}, dict(job, tasks=8),
                       None)
    tiers["expect"]["alloc"] = [["d0", 4]]
    yield tiers
