# SPDX-License-Identifier: GPL-2.0-or-later
"""Reservations' part of make_cases.py: chapter 7.1.5, and D-RSV-1 to D-RSV-27. For the
documented reading; cases named "original-..." have the original's."""
import datetime
import re
import zoneinfo

AFFINITIES = {"+": 2, "=": 3, "-": 4}
NAMES = {"USER": ["bob", "joe", "ann"], "GROUP": ["staff", "phys"], "ACCT": ["acme", "beta"],
         "QOS": ["hi", "low"], "CLASS": ["batch", "inter"]}
LISTS = {"USER": "USERLIST", "GROUP": "GROUPLIST", "ACCT": "ACCOUNTLIST", "QOS": "QOSLIST",
         "CLASS": "CLASSLIST", "DURATION": "TIMELIMIT", "PROC": "PROCLIMIT",
         "JFEATURE": "JOBATTRLIST", "TASK": "TASKLIMIT"}
NUMBERS = ["DURATION", "PROC", "TASK"]
DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]


def seconds(text):
    total = 0
    for unit, field in zip([1, 60, 3600, 86400], reversed(text.split(":"))):
        total += unit * int(field)
    return total


def parse(kind, text):
    found = re.fullmatch(r"([<>=]*)([!^*]*)(.+?)([+=*!^-]?)", text)
    comparison, before, name, after = found.groups()
    marks = before + after
    value = 0
    if kind in NUMBERS:
        comparison = comparison or "<="
        value = seconds(name) if kind == "DURATION" else int(name)
    else:
        comparison = "%="
    return {"type": kind, "cmp": comparison, "name": name, "value": value,
            "aff": AFFINITIES.get(after, 2), "deny": int("!" in marks), "req": int("*" in marks),
            "xor": int("^" in marks)}


def named(item, credentials):
    def one(kind, value):
        if kind != item["type"]:
            return False
        if item["cmp"] == "%=":
            return value == item["name"]
        return {"<=": int(value) <= item["value"], ">=": int(value) >= item["value"],
                "<": int(value) < item["value"], ">": int(value) > item["value"]}[item["cmp"]]
    return any(one(kind, value) for kind, value in credentials)


def mark(item):
    return {number: sign for sign, number in AFFINITIES.items()}[item["aff"]]


def evaluate(items, credentials, original):
    """granted, affinity, and whether no item refused. given: limits whose affinity is written."""
    strong = weak = "none"
    plain = False
    for item in items:
        yes = named(item, credentials)
        if yes and item["deny"]:
            return 0, strong if strong != "none" else weak, 0
        met = yes and not item["xor"]
        if met and not original and item["type"] in NUMBERS and not item.get("given"):
            weak = mark(item)
        elif met:
            strong = mark(item)
        plain |= met and not item["req"]
        if item["req"] and not met and (original or not item["deny"]):
            return 0, strong if strong != "none" else weak, 0
    affinity = strong if strong != "none" else weak
    needed = False
    for item in items:
        if original and item["name"] == "":
            break
        needed |= not (item["deny"] or item["req"] or item["xor"])
    if original:
        if needed and not plain:
            return 0, affinity, 0
        any_met = any(named(item, credentials) and not item["xor"] for item in items)
        return int(any_met or any(item["deny"] for item in items)), affinity, 1
    opened = any(item["deny"] and not item["req"] for item in items)
    granted = plain or opened or (not needed and any(item["req"] for item in items))
    return int(granted), affinity, int(granted or not needed)


def random_lists(rng, few=False):
    lists = []
    for kind in NAMES:
        if rng.random() < (.3 if few else .45):
            chosen = rng.sample(NAMES[kind], rng.randrange(1, len(NAMES[kind]) + 1))
            items = [rng.choice(["", "", "", "!", "*", "^"]) + name +
                     rng.choice(["", "", "+", "=", "-", "*", "!", "^"]) for name in chosen]
            lists.append((kind, items))
    if rng.random() < .4:
        lists.append(("DURATION", [rng.choice(["", "*", "<", ">="]) +
                                   rng.choice(["1:00:00", "3600", "00:30:00"]) +
                                   rng.choice(["", "", "*", "-"])]))
    if rng.random() < .3:
        lists.append(("PROC", [rng.choice(["", ">", "<="]) + rng.choice(["4", "8"])]))
    return lists


def parsed(lists):
    items = []
    for kind, texts in lists:
        for text in texts:
            item = parse(kind, text)
            item["given"] = text[-1] in "+=-"
            items.append(item)
    return items


def shown(items):
    return [{key: item[key] for key in ["aff", "cmp", "deny", "name", "req", "type", "value", "xor"]}
            for item in items]


def random_credentials(rng):
    credentials = [("JOB", "j1")]
    credentials += [(kind, rng.choice(names)) for kind, names in NAMES.items()
                    if kind in ["USER", "GROUP"] or rng.random() < .7]
    return credentials + [("DURATION", rng.choice(["600", "1800", "3600", "3601"])),
                          ("PROC", rng.choice(["1", "4", "16"]))]


def acl_cases(rng):
    fixed = [[("QOS", ["hi", "low-"]), ("ACCT", ["!acme"]), ("DURATION", ["1:00:00*"])],
             [("ACCT", ["!*acme"])], [("USER", ["^bob"])], [],
             [("USER", ["bob-"]), ("DURATION", ["2:00:00"])],
             [("USER", ["bob-"]), ("DURATION", ["2:00:00="])]]
    for number in range(180):
        original = number % 2 == 1
        lists = fixed[number // 6 % len(fixed)] if number < 6 * len(fixed) else random_lists(rng)
        items, credentials = parsed(lists), random_credentials(rng)
        granted, affinity, rc = evaluate(items, credentials, original)
        delimiter = rng.choice([",", "|"])
        yield {"id": f"{'original' if original else 'acl'}-{number}",
               "acl": [f"{kind}:{delimiter.join(texts)}" for kind, texts in lists],
               "creds": [f"{kind}:{value}" for kind, value in credentials],
               "expect": {"affinity": affinity, "inclusive": granted, "rc": rc,
                          "parsed": shown(items)}}


IMPLICIT = {"type": "RES", "cmp": "%=", "name": "test.0", "value": 0, "aff": 3, "deny": 0, "req": 0,
            "xor": 0}


def access_lists(rng, original):
    """Attributes, and the items that they make."""
    lists = random_lists(rng, few=True)
    lists = [(kind, texts) for kind, texts in lists if kind != "DURATION"]
    attributes = [f"{LISTS[kind]}={rng.choice(',|:').join(texts)}" for kind, texts in lists]
    items = parsed(lists)
    if rng.random() < .4:
        required = rng.random() < .5
        attributes.append("TIMELIMIT=1:00:00" + "*" * required)
        items.append(parse("DURATION", "1:00:00" + "*" * required))
    if rng.random() < .3:
        limit = next((item for item in items if item["type"] == "DURATION"), None)
        attributes.append("MAXTIME=00:30:00*")
        new = parse("DURATION", "00:30:00*")
        if limit is None:
            items.append(dict(new, name="") if original else new)
        elif original:
            limit.update(value=1800, req=1)
        else:
            limit.update(new)
    if rng.random() < .3:
        attributes.append("JOBATTRLIST=PREEMPTEE")
        items.append(parse("JFEATURE", "PREEMPTEE"))
    return attributes, items


def access_job(rng, original):
    job = {"name": "j1", "tasks": rng.choice([1, 4, 16]), "wc": rng.choice([600, 3600, 7200])}
    for member, kind in [("user", "USER"), ("group", "GROUP"), ("account", "ACCT"),
                         ("qos", "QOS"), ("class", "CLASS")]:
        if member in ["user", "group"] or rng.random() < .7:
            job[member] = rng.choice(NAMES[kind])
    if rng.random() < .2:
        job["resname"] = rng.choice(["test.0.0", "test.0.0", "other.0.0", "test"])
    if rng.random() < .1:
        job["ralist"] = rng.choice(["[ALL]", "test.0.0", "zzz"])
    if rng.random() < .2:
        job["jattr"] = "PREEMPTEE"
    return job


def access_answer(job, items, by_name, overlap, original):
    if job.get("ralist") in ["[ALL]", "test.0.0"]:
        return 1, "+"
    asks = job.get("resname")
    mine = asks == "test.0.0" or (asks == "test" and not original)
    if (by_name or asks) and not mine:
        return 0, "none"
    credentials = [(kind, job[member]) for member, kind in
                   [("user", "USER"), ("group", "GROUP"), ("account", "ACCT"), ("qos", "QOS"),
                    ("class", "CLASS"), ("jattr", "JFEATURE")] if member in job]
    credentials += [("DURATION", str(min(overlap, job["wc"]))), ("PROC", str(job["tasks"]))]
    return evaluate(items, credentials, original)[:2]


def access_cases(rng):
    for number in range(160):
        original = number % 2 == 1
        attributes, items = access_lists(rng, original)
        by_name = rng.random() < .2
        job, overlap = access_job(rng, original), rng.choice([600, 1800, 3600, 3601])
        if original:
            items.append(IMPLICIT)
        granted, affinity = access_answer(job, items, by_name, overlap, original)
        attributes += ["FLAGS=BYNAME"] * by_name
        racl = shown(items if original else items + [IMPLICIT])
        yield {"id": f"{'original' if original else 'rsv'}-{number}", "rc": 0, "job": job,
               "cfg": [" ".join(["SRCFG[test] TASKCOUNT=1"] + attributes)], "overlap": overlap,
               "expect": {"affinity": affinity, "granted": granted, "rname": "test.0.0",
                          "racl": racl}}


def srcfg(name, **given):
    answer = {"acl": [], "days": 255, "depth": 2, "disk": 0, "end": 0, "flags": "DEDICATEDRESOURCE",
              "hostexp": "", "mem": 0, "name": name, "par": "", "period": 1, "prio": 0, "procs": -1,
              "start": 0, "swap": 0, "tc": 0, "tpn": 0, "wend": 0, "wstart": 0}
    return dict(answer, **given)


def parse_cases(rng):
    def case(lines, **given):
        return {"cfg": lines, "expect": srcfg("x", **given), "rc": 0}

    yield case(["SRCFG[x] TASKCOUNT=2 TPN=3 PRIORITY=9 DEPTH=5"], tc=2, tpn=3, prio=9, depth=5)
    yield case(["SRCFG[x] TASKCOUNT=1 ACCESS=SHARED"], tc=1, flags="")
    yield case(["SRCFG[x] TASKCOUNT=1"], tc=1, flags="")
    yield case(["SRCFG[x] ACCESS=DEDICATED FLAGS=FORCE"], flags="DEDICATEDRESOURCE,FORCE")
    yield case(["SRCFG[x] ACCESS=DEDICATED FLAGS=FORCE"], flags="FORCE")
    yield case(["SRCFG[x] FLAGS=BYNAME:SINGLEUSE|FORCE"],
               flags="SINGLEUSE,BYNAME,DEDICATEDRESOURCE,FORCE")
    yield case(["SRCFG[x] FLAGS=BYNAME:SINGLEUSE"], flags="")
    yield case(["SRFLAGS[x] SPACEFLEX"], flags="SPACEFLEX,DEDICATEDRESOURCE")
    yield case(["SRFLAGS[x] SPACEFLEX"], flags="")
    for text, period, original in [("DAY", 1, 1), ("WEEK", 2, 2), ("INFINITY", 3, 3), ("week", 2, 1),
                                   ("INFINITE", 3, 1)]:
        yield case([f"SRCFG[x] PERIOD={text}"], period=period)
        yield case([f"SRCFG[x] PERIOD={text}"], period=original)
    for text, days, original in [("Mon,Tue", 6, 6), ("SUN|SAT", 65, 65), ("mon,tue", 6, 0),
                                 ("ALL", 255, 255), ("Wednesday", 8, 8)]:
        yield case([f"SRCFG[x] DAYS={text}"], days=days)
        yield case([f"SRCFG[x] DAYS={text}"], days=original)
    yield case(["SRCFG[x] RESOURCES=PROCS:4;MEM:1GB+DISK=7,SWAP:9"], procs=4, mem=1024, disk=7,
               swap=9)
    yield case(["SRCFG[x] RESOURCES=MEM:512"], procs=0, mem=512)
    yield case(["SRCFG[x] RESOURCES=PROCS:ALL"])
    yield case(["SRCFG[x] HOSTLIST=n[1-3,5],login,^x.*$ PARTITION=p"],
               hostexp="n[1-3,5] login ^x.*$", par="p")
    yield case(["SRCFG[x] HOSTLIST=a", "SRCFG[x] HOSTLIST=b"], hostexp="b")
    yield case(["SRCFG[x] PERIOD=WEEK STARTTIME=1:08:00:00 ENDTIME=5:17:00:00 WSTARTTIME=60"],
               period=2, start=115200, end=493200, wstart=60)
    user = [parse("USER", text) for text in ["bob", "joe-"]]
    yield case(["SRCFG[x] USERLIST=bob joe-"], acl=shown(user))
    yield case(["SRCFG[x] USERLIST=bob joe-"], acl=shown(user[:1]))
    yield case(["SRCFG[x] USERLIST=bob", "SRCFG[x] USERLIST=joe-"], acl=shown(user))
    for operator in ["<", ">=", "<="]:
        limit = parse("PROC", operator + "4")
        yield case([f"SRCFG[x] PROCLIMIT{operator}4"], acl=shown([limit]))
        yield case([f"SRCFG[x] PROCLIMIT{operator}4"], acl=shown([dict(limit, cmp="<=")]))
    yield case(["SRCFG[x] TASKLIMIT=8*"], acl=shown([parse("TASK", "8*")]))
    yield case(["SRMAXTIME[x] 600"], acl=shown([parse("DURATION", "600*")]))
    yield case(["SRMAXTIME[x] 600"], acl=shown([dict(parse("DURATION", "600*"), name="")]))


class Clock:
    """Local time of one zone, by Python's own tables."""

    def __init__(self, zone):
        self.zone = zoneinfo.ZoneInfo(zone)

    def offset(self, when):
        return int(datetime.datetime.fromtimestamp(when, self.zone).utcoffset().total_seconds())

    def shown(self, when):
        return when + self.offset(when)

    def first(self, local):
        """The first instant at which clocks show that, or the end of the gap that it is in."""
        for candidate in sorted({local - self.offset(local - 86400),
                                 local - self.offset(local + 86400)}):
            if self.shown(candidate) == local:
                return candidate
        low, high = local - 86400, local + 86400
        while high - low > 1:
            middle = (low + high) // 2
            if self.shown(middle) < local:
                low = middle
            else:
                high = middle
        return high


def week_day(day):
    return (day + 4) % 7


def bounds(case, day_seconds, weekday, original):
    """Start and end in seconds of the period; None: not needed."""
    now = day_seconds + weekday * 86400
    if case["period"] == 2:
        start, end = case["wstart"], case["wend"]
        if not original:
            start, end = case["start"] or start, case["end"] or end
        return (start, end or 604800) if not original or now <= (end or 604800) else None
    start, end = case["start"], case["end"] or 86400
    if not case["end"] and case["wend"] and case["wend"] // 86400 == weekday:
        end = case["wend"] % 86400
    if not case["days"] >> weekday & 1 or (case["wend"] and case["wend"] < now):
        return None
    return (start, end) if not original or day_seconds <= end else None


def original_window(case, clock, now, index):
    start = now - clock.shown(now) % 86400
    if case["period"] == 2:
        start += (7 * index - week_day(clock.shown(now) // 86400)) * 86400
    else:
        start += index * 86400
    start += {23: 3600, 1: -3600}.get(clock.shown(start) // 3600 % 24, 0)
    seen = clock.shown(max(start, now) if index == 0 else start)
    found = bounds(case, seen % 86400, week_day(seen // 86400), True)
    if not found:
        return None
    first, last = found
    if index == 0:
        first = max(first, seen % 86400 + (week_day(seen // 86400) * 86400
                                           if case["period"] == 2 else 0))
    return start + first, last - first


def documented_window(case, clock, now, index):
    today, seen = divmod(clock.shown(now), 86400)
    day = today + index
    if case["period"] == 2:
        day = today - week_day(today) + 7 * index
    found = bounds(case, seen if index == 0 else 0,
                   week_day(today if case["period"] == 2 and index == 0 else day), False)
    if not found:
        return None
    first, last = (clock.first(day * 86400 + offset) for offset in found)
    if index == 0 and now > last:
        return None
    if index == 0:
        first = max(first, now)
    return first, last - first


def window(case, clock, zone, now, index, original):
    answer = {"d": index, "now": now, "sr": "test", "tz": zone, "needed": 0}
    if case["period"] == 3:
        found = (0, 2140000000) if index == 0 else None
    else:
        found = (original_window if original else documented_window)(case, clock, now, index)
    if found:
        begins = max(found[0], now)
        ends = min(begins + found[1], 2139999999)
        answer.update(needed=1, start=found[0], duration=found[1], rsvstart=begins, rsvend=ends,
                      created=int(ends > begins))
    return answer


# Midnights before days on which clocks change, and a plain one.
MOMENTS = {"Europe/Berlin": [1711753200, 1729893600], "America/New_York": [1710046800, 1730520000],
           "Australia/Lord_Howe": [1712408400, 1728135000], "Asia/Kolkata": [1700000000],
           "America/Sao_Paulo": [1541214000, 1518832800], "UTC": [1700000000],
           "Africa/Cairo": [1714082400]}


def window_attributes(rng):
    def time(limit):
        value = rng.randrange(0, limit, 1800)
        return f"{value // 3600}:{value // 60 % 60:02}:00"

    period = rng.choice(["DAY", "DAY", "WEEK", "WEEK", "INFINITY"])
    given = {"PERIOD": period, "STARTTIME": time(43200), "ENDTIME": time(86400)}
    if period == "WEEK":
        given.update(STARTTIME=f"{rng.randrange(3)}:02:30:00",
                     ENDTIME=f"{rng.randrange(3, 7)}:01:30:00", WSTARTTIME="1:08:00:00",
                     WENDTIME="5:17:00:00")
    if period == "DAY" and rng.random() < .2:
        given["WENDTIME"] = "5:17:00:00"
    if rng.random() < .4:
        given["DAYS"] = rng.choice(["Mon,Tue,Wed,Thu,Fri", "Sat|Sun", "ALL"])
    return {key: value for key, value in given.items() if key == "PERIOD" or rng.random() < .7}


def window_cases(rng):
    for number in range(56):
        zone = rng.choice(list(MOMENTS))
        original = number % 2 == 1 and zone != "America/Sao_Paulo" and zone != "Africa/Cairo"
        given = window_attributes(rng)
        days = sum(1 << place for place, day in enumerate(DAYS) if day in given.get("DAYS", ""))
        case = srcfg("test", tc=1, period={"DAY": 1, "WEEK": 2, "INFINITY": 3}[given["PERIOD"]],
                     days=days or 255, flags="" if original else "DEDICATEDRESOURCE",
                     **{member: seconds(given.get(key, "0")) for member, key in
                        [("start", "STARTTIME"), ("end", "ENDTIME"), ("wstart", "WSTARTTIME"),
                         ("wend", "WENDTIME")]})
        windows = []
        for _ in range(3):
            now = rng.choice(MOMENTS[zone]) + rng.choice([0, 1, 3600, 7200, 9000, 30000, 93600])
            windows += [window(case, Clock(zone), zone, now, index, original)
                        for index in [0, 1, 2]]
        attributes = " ".join(f"{key}={value}" for key, value in given.items())
        yield {"id": f"{'original' if original else 'sr'}-{number}", "tz": zone, "rc": 0,
               "cfg": ["SRCFG[test] TASKCOUNT=1 " + attributes], "parsed": case,
               "windows": windows}


def documented_cases():
    def entry(area, expect, **given):
        return {"area": area, "expect": expect, "input": given, "derived_from": "the chapter"}

    yield entry("sr_acl", "granted +", account="other", qos="low", overlap=3600)
    yield entry("sr_acl", "granted -", account="other", qos="special", overlap=1)
    yield entry("sr_acl", "denied", account="projectY", qos="low", overlap=3600)
    yield entry("sr_acl", "denied", account="other", qos="special", overlap=3601)
    yield entry("sr_week", {"start": 1699862400, "end": 1700240400}, now=1699833600)


# --- instances ------------------------------------------------------------------------------------

START = 1700049600  # Wednesday 2023-11-15, 12:00 UTC
UTC = "UTC"


def node(name, procs, mem, features):
    return {"name": name, "procs": procs, "mem": mem, "features": features, "disk": 10000,
            "swap": 16384}


def random_nodes(rng):
    return [node(f"n{place}", rng.choice([2, 4, 8]), rng.choice([1024, 2048, 8192]),
                 rng.choice(["fast", "big", "fast,big"])) for place in range(rng.randrange(2, 6))]


def random_reservation(rng, place):
    given = {"name": f"s{place}", "period": rng.choice([1, 1, 2, 3]), "depth": rng.choice([1, 2, 5]),
             "tc": rng.choice([0, 1, 2, 3, 8]), "procs": rng.choice([-1, 1, 2]),
             "mem": rng.choice([0, 512, 1024]), "tpn": rng.choice([0, 0, 2]),
             "hosts": rng.choice([None, None, ["n0", "n1"], ["n[01]$"], ["n"]]),
             "feature": rng.choice([None, None, "fast"]), "prio": rng.choice([0, 7]),
             "access": rng.choice([None, "SHARED", "DEDICATED"]),
             "flags": rng.choice(["", "", "SPACEFLEX", "FORCE"]), "days": 255, "start": 0,
             "end": 0, "wstart": 0, "wend": 0}
    if not given["tc"] and not given["hosts"]:
        given["hosts"] = ["n1"]
    if given["period"] == 1 and rng.random() < .5:
        given.update(start=8 * 3600, end=17 * 3600)
    if given["period"] == 1 and rng.random() < .3:
        given["days"] = 1 + 64
    if given["period"] == 2:
        given.update(wstart=115200, wend=493200)
    return given


def reservation_line(given):
    words = [f"SRCFG[{given['name']}]", "PERIOD=" + ["DAY", "WEEK", "INFINITY"][given["period"] - 1],
             f"DEPTH={given['depth']}", f"PRIORITY={given['prio']}"]
    words += [f"TASKCOUNT={given['tc']}"] if given["tc"] else []
    words += [f"TPN={given['tpn']}"] if given["tpn"] else []
    words += ["HOSTLIST=" + ",".join(given["hosts"])] if given["hosts"] else []
    words += ["NODEFEATURES=" + given["feature"]] if given["feature"] else []
    words += [f"RESOURCES=PROCS:{given['procs']};MEM:{given['mem']}"]
    words += ["STARTTIME=8:00:00 ENDTIME=17:00:00"] if given["start"] else []
    words += ["WSTARTTIME=1:08:00:00 WENDTIME=5:17:00:00"] if given["wstart"] else []
    words += ["DAYS=Sat,Sun"] if given["days"] != 255 else []
    words += ["ACCESS=" + given["access"]] if given["access"] else []
    words += ["FLAGS=" + given["flags"]] if given["flags"] else []
    return " ".join(words)


def fits(given, one):
    tasks = 1 if given["procs"] < 0 else one["procs"] // given["procs"]
    if given["mem"]:
        tasks = min(tasks, one["mem"] // given["mem"])
    return tasks


def original_place(given, nodes):
    """All nodes of a list; else by class of memory, then the last ones, until there are enough."""
    able = []
    for place, one in enumerate(nodes):
        tasks = min(fits(given, one), given["tc"] or 1000)
        tasks -= tasks % (given["tpn"] or 1)
        listed = not given["hosts"] or any(re.search(host, one["name"]) for host in given["hosts"])
        if listed and tasks and (given["feature"] or "") in one["features"]:
            able.append((place, tasks))
    if given["tc"] and not given["hosts"]:
        able.sort(key=lambda pair: (max(nodes[pair[0]]["mem"] - 1, 0).bit_length(), -pair[0]))
        chosen = []
        while able and sum(tasks for _, tasks in chosen) < given["tc"]:
            chosen.append(able.pop(0))
        able = chosen
    return dict(sorted(able))


def original_flags(given):
    flags = ["STANDINGRES", given["flags"] if given["flags"] == "SPACEFLEX" else "",
             "DEDICATEDRESOURCE" if given["access"] == "DEDICATED" and not given["flags"] else "",
             given["flags"] if given["flags"] == "FORCE" else ""]
    return ",".join(flag for flag in flags if flag)


def original_instances(given, nodes, moments):
    def made(now, index):
        found = (0, 2140000000) if given["period"] == 3 else original_window(given, clock, now,
                                                                             index)
        if not found or (given["period"] == 3 and index):
            return None
        begins = max(now, found[0])
        ends = min(begins + found[1], 2139999999)
        return (begins, ends) if ends > begins and placed else None

    clock, placed = Clock(UTC), original_place(given, nodes)
    slots = [made(moments[0], index) for index in range(given["depth"])]
    names = [f"{given['name']}.{index}.0" for index in range(given["depth"])]
    states = [dict(zip(names, slots))]
    if slots[0] is None or slots[0][1] <= moments[1]:
        slots = slots[1:] + [made(moments[1], given["depth"] - 1)]
        names = [f"{given['name']}.{index}" for index in range(given["depth"])]
        names[-1] += ".0"
    states.append(dict(zip(names, slots)))
    whole = sum(tasks * (nodes[place]["procs"] if given["procs"] < 0 else given["procs"])
                for place, tasks in placed.items())
    return [[{"name": name, "start": slot[0], "end": slot[1], "prio": given["prio"],
              "flags": original_flags(given), "nodes": len(placed), "tasks": len(placed),
              "procs": whole, "alloc": [[nodes[place]["name"], 1] for place in placed]}
             for name, slot in state.items() if slot] for state in states]


def reserved(name, start, end, alloc, procs, flags="DEDICATEDRESOURCE"):
    return {"name": name, "start": start, "end": end, "prio": 0, "alloc": alloc, "procs": procs,
            "flags": "STANDINGRES" + ("," + flags if flags else ""), "nodes": len(alloc),
            "tasks": sum(tasks for _, tasks in alloc)}


def instance_case(name, lines, nodes, steps):
    return {"id": name, "tz": UTC, "rc": 0, "cfg": lines, "nodes": nodes,
            "steps": [["srupdate", steps[0][0]], ["srupdate_nextday", steps[1][0]]],
            "expect": [{"now": now, "rsv": instances} for now, instances in steps]}


def documented_instances():
    midnight, day, ever = START - 43200, 86400, 2139999999
    nodes = [node("n0", 4, 4096, "fast"), node("n1", 4, 4096, "slow"), node("n2", 8, 8192, "fast")]
    tomorrow = midnight + day + 5
    yield instance_case("roll", ["SRCFG[s0] TASKCOUNT=1 HOSTLIST=n0"], nodes, [
        (START, [reserved("s0.20231115", START, midnight + day, [["n0", 1]], 4),
                 reserved("s0.20231116", midnight + day, midnight + 2 * day, [["n0", 1]], 4)]),
        (tomorrow, [reserved("s0.20231116", midnight + day, midnight + 2 * day, [["n0", 1]], 4),
                    reserved("s0.20231117", midnight + 2 * day, midnight + 3 * day, [["n0", 1]],
                             4)])])

    def lasting(name, lines, *answers):
        both = [reserved(*answer[:1], START, ever, *answer[1:]) for answer in answers]
        return instance_case(name, [line + " PERIOD=INFINITY" for line in lines], nodes,
                             [(START, both), (tomorrow, both)])

    yield lasting("trim", ["SRCFG[s0] TASKCOUNT=5 RESOURCES=PROCS:2"],
                  ("s0.inf", [["n1", 1], ["n2", 4]], 10))
    yield lasting("beyond", ["SRCFG[s0] HOSTLIST=n0 TASKCOUNT=2"],
                  ("s0.inf", [["n0", 1], ["n2", 1]], 12))
    yield lasting("fewer", ["SRCFG[s0] HOSTLIST=n0,n1 TASKCOUNT=1"], ("s0.inf", [["n1", 1]], 4))
    yield lasting("side-by-side", ["SRCFG[s0] TASKCOUNT=3 RESOURCES=PROCS:2",
                                   "SRCFG[s1] TASKCOUNT=3 RESOURCES=PROCS:2"],
                  ("s0.inf", [["n2", 3]], 6), ("s1.inf", [["n1", 2], ["n2", 1]], 6))
    yield lasting("partial", ["SRCFG[s0] TASKCOUNT=2", "SRCFG[s1] TASKCOUNT=2"],
                  ("s0.inf", [["n1", 1], ["n2", 1]], 12), ("s1.inf", [["n0", 1]], 4))
    yield lasting("stacked", ["SRCFG[s0] TASKCOUNT=2", "SRCFG[s1] TASKCOUNT=2 ACCESS=SHARED"],
                  ("s0.inf", [["n1", 1], ["n2", 1]], 12),
                  ("s1.inf", [["n0", 1], ["n2", 1]], 12, ""))
    yield lasting("exactly", ["SRCFG[s0] HOSTLIST=n0", "SRCFG[s1] HOSTLIST=n0 RESOURCES=PROCS:2"],
                  ("s0.inf", [["n0", 1]], 4), ("s1.inf", [["n0", 2]], 4))
    yield lasting("features", ["SRCFG[s0] NODEFEATURES=fast TASKCOUNT=3"],
                  ("s0.inf", [["n0", 1], ["n2", 1]], 12))
    yield lasting("per-node", ["SRCFG[s0] TASKCOUNT=3 TPN=3 RESOURCES=PROCS:2"],
                  ("s0.inf", [["n2", 3]], 6))


def instance_cases(rng):
    yield from documented_instances()
    for number in range(60):
        moments = [START + rng.randrange(-40000, 40000), START + 43200 + 60]
        nodes = random_nodes(rng)
        given = [random_reservation(rng, place) for place in range(rng.choice([1, 2, 3]))]
        answers = [original_instances(one, nodes, moments) for one in given]
        yield instance_case(f"original-{number}", [reservation_line(one) for one in given], nodes,
                            [(moments[step], sum((answer[step] for answer in answers), []))
                             for step in [0, 1]])
