# SPDX-License-Identifier: GPL-2.0-or-later
"""maui page: its numbers are those of the other commands, and names can do nothing but be shown."""

import json
import os
import pathlib
import pwd
import re
import subprocess
import xml.etree.ElementTree as xml

import cli_harness as harness
import fake_service as fake
import page_data as pd
import whatif_data
import why_data as wd

_munge = harness.munge
NOBODY = pwd.getpwnam("nobody").pw_uid
TAGS = {
    "html", "head", "meta", "title", "style", "body", "header", "nav", "main", "aside", "footer", "section", "div", "p", "a", "h1", "h2",
    "h3", "ul", "li", "span", "strong", "b", "code", "data", "time", "details", "summary", "blockquote", "table", "caption", "thead",
    "tbody", "br", "tr", "th", "td", "svg", "rect", "path", "line", "g", "text", "title",
}


def _run(maui, queue, answer, command, *arguments):
    """answer None: nobody listens."""
    path = pathlib.Path(_munge.directory, "queue.json")
    path.write_text(json.dumps(queue), encoding="utf-8")
    path.chmod(0o644)
    common = [f"--queue-file={path}", "--host=127.0.0.1", f"--munge-socket={_munge.socket}",
              f"--slurm-user={os.getuid()}"]
    if answer is None:
        with fake.closed_port() as port:
            return maui.run(command, f"--port={port}", *common, *arguments), []
    with fake.FakeService(_munge, answer) as service:
        return maui.run(command, f"--port={service.port}", *common, *arguments), service.requests


def _page(maui, *arguments, queue=None, data=None):
    """The document's tree: it is well-formed XML, too, whatever is in it."""
    done, _ = _run(maui, queue or pd.queue(), pd.answer(data or pd.engine()), "page", *arguments)
    harness.check_code(done, 0)
    harness.check_errors(done, None)
    return xml.fromstring(done.stdout.decode().removeprefix("<!DOCTYPE html>\n"))


def _view(tree, name):
    return tree.find(f".//section[@id='{name}']")


def _text(element):
    return " ".join("".join(element.itertext()).split())


def _table(view, caption):
    """Its rows as cells, each the text and the numbers in it."""
    for table in view.iter("table"):
        if _text(table.find("caption")) == caption:
            return [[(_text(cell), [float(number.get("value")) for number in cell.iter("data")]) for cell in row]
                    for row in table.find("tbody")]
    raise harness.Failure(f"there is no table {caption}")


def test_a_page_is_as_it_was_looked_at(maui):
    done, requests = _run(maui, pd.queue(), pd.answer(pd.engine()), "page", "--user=bob")
    harness.check_code(done, 0)
    harness.check_errors(done, None)
    done.stdout = re.sub(rb"(?s)<style>.*</style>", b"<style/>", done.stdout)
    harness.check_golden(done, "page.out")
    harness.equal([request["arguments"].get("last") for request in requests if request["command"].startswith("diagnose-c")],
                  [True] * 5, "whether the last iteration is enough")


def test_nothing_is_loaded_from_elsewhere_and_nothing_is_run(maui):
    text = _run(maui, pd.queue(), pd.answer(pd.engine()), "page", "--user=bob")[0].stdout.decode()
    for pattern in (r"(?i)<script", r"url\(", r"@import", r"https?:", r"\bsrc=", r"<link", r"\son[a-z]+="):
        if re.search(pattern, text):
            raise harness.Failure(f"{pattern} is in the page")


def test_every_tag_is_of_the_sources_and_every_link_has_its_place(maui):
    tree = _page(maui, "--user=bob")
    strange = {element.tag for element in tree.iter()} - TAGS
    harness.equal(strange, set(), "tags")
    ids = [element.get("id") for element in tree.iter() if element.get("id")]
    harness.equal(len(ids), len(set(ids)), "ids")
    for link in tree.iter("a"):
        if link.get("href")[1:] not in ids:
            raise harness.Failure(f"{link.get('href')} leads nowhere")


def _luminance(color):
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def _contrast(one, other):
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_an_administrators_page_has_all_jobs(maui):
    queue = pd.queue()
    jobs = [wd.job(100 + i, f"u{i % 30}", reason="Dependency", priority=1) for i in range(250)]
    queue["jobs"] += [*jobs, wd.running(500, "alice", "n3", procs=3), wd.running(501, pd.EVIL, "n4", procs=5)]
    tree = _page(maui, "--all", queue=queue)
    view = _view(tree, "queue")
    harness.equal(", all users, as " in _text(tree.find(".//header")), True, "whose page it is")
    waiting, active = _table(view, "All waiting jobs, the highest priority first"), _table(view, "All jobs that hold nodes")
    harness.equal([row[0][0].split()[0] for row in waiting[:3]], ["18", "17", "19"], "waiting jobs")
    harness.equal((len(waiting), waiting[-1][0][0]), (201, "54 more: maui showq has them all"), "rows, and the rest")
    held = [job for job in queue["jobs"] if job["state"] == "RUNNING"]
    harness.equal(sorted(row[0][0].split()[0] for row in active), sorted(job["id"] for job in held), "jobs that hold nodes")
    users = {row[0][0]: [cell[1][0] for cell in row[1:]] for row in _table(view, "Jobs by user") if len(row) > 1}
    mine = [job for job in held if job["user"] == "alice"]
    harness.equal(users["alice"][:3], [len(mine), sum(job["procs"] for job in mine), 1], "alice")
    harness.equal(len(users), 20, "users with a row")
    reasons = {row[0][0]: row[1][1][0] for row in _table(view, "Waiting jobs by Slurm's reason")}
    harness.equal((reasons["Dependency"], sum(reasons.values())), (250, 254), "reasons")
    harness.equal(_view(_page(maui, "--user=bob"), "queue"), None, "the view, on the page of one user")


def test_who_has_no_jobs_is_told_of_the_page_with_all(maui):
    for user, told in (("nobody", True), ("root", True)):
        harness.equal("maui page --all" in _text(_view(_page(maui, f"--user={user}"), "jobs")), told, user)
    harness.equal("maui page --all" in _text(_view(_page(maui, "--user=bob"), "jobs")), False, "bob")


def test_colors_can_be_told_apart(maui):
    """WCAG's AA, light and dark: 4.5 for text, 3 for what is drawn."""
    style = re.search(r"(?s)<style>(.*)</style>", _run(maui, pd.queue(), None, "page")[0].stdout.decode())[1]
    roots = re.findall(r":root \{(.*?)\}", style, re.DOTALL)[:2]
    for root in roots:
        colors = dict(re.findall(r"--(\w+): (#\w{6})", root))
        grounds = [colors[name] for name in ("ground", "card", "faint", "mine", "notice")]
        for name in ("text", "soft", "link"):
            for ground in grounds:
                if _contrast(colors[name], ground) < 4.5:
                    raise harness.Failure(f"{name} {colors[name]} on {ground}")
        for name in ("use", "warn", "bad", "mark", *(f"c{number}" for number in range(8))):
            if _contrast(colors[name], colors["card"]) < (4.5 if name[0] == "c" else 3):
                raise harness.Failure(f"{name} {colors[name]} on {colors['card']}")  # labels in blocks have the card's color
    harness.equal(len(roots), 2, "palettes")


def test_jobs_are_those_of_diagnose_and_why(maui):
    view = _view(_page(maui, "--user=bob"), "jobs")
    rows = _table(view, "Waiting jobs, the highest priority first")
    harness.equal([(row[0][0].split()[0][:2], row[2][1], row[3][0]) for row in rows],
                  [("17", [281], "2"), ("19", [1], "3"), ("20", [0], "held")], "jobs, priorities and ranks")
    terms = {row[0][0]: [cell[1][0] for cell in row[1:]] for row in _table(view, "Components of the priorities")}
    done, _ = _run(maui, pd.queue(), pd.answer(pd.engine()), "diagnose", "-p", "--json")
    for job in json.loads(done.stdout)["jobs"]:
        parts = [round(part["weight"] * part["value"], 4) for part in job["components"].values()]
        if job["user"] == "bob":
            harness.equal(terms.pop(str(job["job"])), [*parts, round(job["sum"], 4), job["priority"]], f"terms of job {job['job']}")
    harness.equal(terms, {}, "other jobs")
    for row in rows:
        done, _ = _run(maui, pd.queue(), pd.answer(pd.engine()), "why", "--json", row[0][0][:2])
        for finding in json.loads(done.stdout)["findings"][:1]:
            if not row[5][0].startswith(" ".join(finding["text"].split())):
                raise harness.Failure(f"{row[5][0]} is not {finding['text']}")


def test_anybodys_jobs_have_their_users_and_ones_own_are_counted(maui):
    many = [pd.wd.job(1000 + number, "zoe", priority=5000 - number) for number in range(100)]
    tree = _page(maui, "--user=zoe", queue=pd.queue(jobs=many))
    if "100 waiting, 0 running." not in _text(_view(tree, "jobs")):
        raise harness.Failure(_text(_view(tree, "jobs")))
    rows = _table(_view(tree, "jobs"), "Waiting jobs, the highest priority first")
    harness.equal((len(rows), rows[29][3][0], rows[30][0][0]), (31, "30", "70 more, of lower priority"), "the last rows")
    if os.getuid() == 0:
        done, _ = _run(maui, pd.queue(), None, "page", "--public")
        tree = xml.fromstring(done.stdout.decode().removeprefix("<!DOCTYPE html>\n"))
        rows = _table(_view(tree, "jobs"), "Waiting jobs, the highest priority first")
        harness.equal(rows[0][0][0], "18alice: sim", "the first of all jobs")


def test_shares_are_those_of_diagnose(maui):
    done, _ = _run(maui, pd.queue(), pd.answer(pd.engine()), "diagnose", "-f", "--json")
    shares = json.loads(done.stdout)
    view = _view(_page(maui, "--user=bob"), "shares")
    for kind, caption in (("user", "Users"), ("group", "Groups")):
        rows = _table(view, caption)
        expected = sorted(shares["credentials"][kind], key=lambda row: -row["usage"])
        harness.equal([row[0][0].removesuffix(" you") for row in rows],
                      [row["name"].replace("\x1b", "?") for row in expected], caption)
        for row, wanted in zip(rows, expected):
            harness.equal(row[2][1], [round(wanted["percent"], 4)], f"the share of {wanted['name']}")
            harness.equal(row[3][1], [wanted["target"]] if wanted["target"] else [], f"the target of {wanted['name']}")
            harness.equal(row[5][1], [float(round(wanted["usage"]))], f"the usage of {wanted['name']}")
    bars = [sum(float(rect.get("width")[:-1]) for rect in bar.iter("rect") if rect.get("class") == "use")
            for bar in view.iter("svg") if bar.get("class") == "bar"]
    for bar, row in zip(bars, sorted(shares["credentials"]["user"], key=lambda row: -row["usage"])):
        if abs(bar - 2 * row["percent"]) > 0.1:  # the scale ends at 50 %
            raise harness.Failure(f"the bar of {row['name']} is {bar} wide")


def test_ones_own_share_is_put_in_words(maui):
    for user, sentence in (
            ("bob", "Your target is at most 20.0 %. What fairshare gives your jobs, before its weights, is 20.0 − 35.7, but never above 0: −15.67."),
            ("alice", "Your target is 30.0 %. What fairshare gives your jobs, before its weights, is 30.0 − 46.3: −16.31."),
            ("carol", "is 25.0 − 13.2, but never below 0: 11.80."),
            ("dave", "Your target is a cap: jobs that would go above it wait."),
            ("erin", "Your target is a cap: jobs that would go above it wait.")):
        text = _text(_view(_page(maui, f"--user={user}"), "shares"))
        if sentence not in text.replace("\xa0", " "):
            raise harness.Failure(f"{user}: {text}")
    if "Your share" in _text(_page(maui, "--user=nosuch")):
        raise harness.Failure("a share of somebody without one")


def test_limits_are_those_of_diagnose(maui):
    view = _view(_page(maui, "--user=bob"), "limits")
    rows = _table(view, "Limits that count your jobs") + _table(view, "Other limits")
    found = {(row[0][0], row[1][0].split()[0]): [cell[1] for cell in row[4:8]] for row in rows}
    expected = {("the system", "MAXJOB"): [[3], [], [100], [97]]}
    for kind in ("user", "group", "account", "class", "qos"):
        done, _ = _run(maui, pd.queue(), pd.answer(pd.engine()), "diagnose", f"-{'Q' if kind == 'qos' else kind[0]}", "--json")
        for row in json.loads(done.stdout)["credentials"]:
            for limit in row["limits"]:
                if limit["usage"] is None or limit["hard"] < 0 or limit["overridden"]:
                    continue
                whose = f"{kind} {row['name']}".replace("\x1b", "?")
                if limit["second"]:
                    whose += f" in {limit['second_type']} {limit['second']}"
                soft = [limit["soft"]] if limit["soft"] and limit["soft"] < limit["hard"] else []
                expected[whose, limit["name"]] = [[limit["usage"]], soft, [limit["hard"]], [limit["left"]]]
    harness.equal(found, expected, "the limits")
    users = {row[0][0]: row[8][0] for row in rows if row[1][0].startswith("MAXPROC") and row[0][0].startswith("group staff in")}
    harness.equal({key: value.replace("\xa0", " ") for key, value in users.items()},
                  {"group staff in class batch": "bob 7, alice 4"}, "who uses it up")


def test_limits_of_a_user_and_a_uid_of_the_same_digits_are_two_rows(maui):
    """Alice and the user 1001 run jobs; so does uid 1001, which has no name."""
    pair = {"metric": "procs", "second_type": "user", "second": "1001"}
    kinds = {kind: pd.ld.credentials(kind) for kind in ("group", "account", "qos")}
    kinds["user"] = pd.ld.credentials("user", *[pd.ld.row("1001", limits=[pd.ld.limit("MAXPROC", 9, 3, metric="procs")], **more)
                                                for more in ({}, {"unnamed": True})])
    kinds["class"] = pd.ld.credentials("class", pd.ld.row("batch", limits=[
        pd.ld.limit("MAXPROC[USER:1001]", 8, 3, **pair), pd.ld.limit("MAXPROC[USER:1001]", 8, 4, second_unnamed=True, **pair)]))
    queue = pd.queue(jobs=[pd.wd.running(31, "1001", "n1", 3, uid=70), pd.wd.running(32, "1001", "n2", 4, uid=1001),
                           pd.wd.running(33, "alice", "n3", 2)])
    view = _view(_page(maui, "--user=alice", queue=queue, data=pd.engine(diagnose_credentials=kinds.get)), "limits")
    found = {row[0][0]: row[8][0].replace("\xa0", " ") for title in ("Limits that count your jobs", "Other limits")
             for row in _table(view, title) if "1001" in row[0][0]}
    harness.equal(found, {"user 1001": "1001 3", "user 1001 (without a name)": "1001 4", "class batch in user 1001": "1001 3",
                          "class batch in user 1001 (without a name)": "1001 4"}, "who uses it up")


def test_limits_of_gres_name_who_holds_them_and_a_newer_engines_are_counted(maui):
    """GRES-seconds are shown in hours; a metric that this command does not know has no unit and is no crash."""
    rows = [pd.ld.limit("MAXGRES[gpu]", 4, 3, metric="gres") | {"gres": "gpu"},
            pd.ld.limit("MAXGS[gpu]", 40 * pd.HOUR, 20 * pd.HOUR, metric="gresseconds") | {"gres": "gpu"},
            pd.ld.limit("MAXMOON", 9, 2, metric="moons")]
    kinds = {kind: pd.ld.credentials(kind) for kind in ("user", "account", "class", "qos")}
    kinds["group"] = pd.ld.credentials("group", pd.ld.row("staff", limits=rows))
    queue = pd.queue(jobs=[
        pd.wd.running(31, "alice", "n1", gres="gres:gpu:a100:2", end=pd.NOW + 2 * pd.HOUR),
        pd.wd.running(32, "bob", "n2", gres="gres:gpu:1", end=pd.NOW + pd.HOUR),
        pd.wd.running(33, "carol", "n3")])
    view = _view(_page(maui, "--user=bob", queue=queue, data=pd.engine(diagnose_credentials=kinds.get)), "limits")
    found = {row[1][0].split()[0]: (row[1][0].split()[1:], row[4][0], row[8][0]) for row in _table(view, "Limits that count your jobs")}
    found = {name: [text.replace("\xa0", " ") if isinstance(text, str) else text for text in row] for name, row in found.items()}
    harness.equal(found, {"MAXGRES[gpu]": [["gpu"], "3", "alice 2, bob 1"],
                          "MAXGS[gpu]": [["gpu-hours"], "20.0 h", "alice 4.0 h, bob 1.0 h"],
                          "MAXMOON": [[], "2", ""]}, "limits")


def test_reservations_are_those_of_diagnose(maui):
    done, _ = _run(maui, pd.queue(), pd.answer(pd.engine()), "diagnose", "-r", "--json")
    told = json.loads(done.stdout)
    view = _view(_page(maui, "--user=bob"), "reservations")
    rows = _table(view, "Reservations")
    harness.equal([(row[0][0], row[4][0], row[5][1], row[6][1]) for row in rows],
                  [(one["name"], one["nodes"] or "", [one["procs"]], [] if one.get("used_procs") is None else [one["used_procs"]])
                   for one in told["reservations"]], "reservations")
    harness.equal([row[8][0] for row in rows],
                  ["yes"] * 4 + ["no", "no", "only who asks for it by name", "no"], "whether bob gets in")
    harness.equal(rows[4][7][0], f"CLASS==fast+, USER=={pd.EVIL}+, DURATION<=1:00:00+*".replace("\x1b", "?"), "whom it admits")
    harness.equal(rows[6][9][0], told["reservations"][6]["text"], "what the roll says")
    harness.equal([row[0][0] for row in _table(view, "The next 7 days")], ["n1 … n2 (2)", "n3", "n4", "n5 … n7 (3)", "n8"], "rows")
    blocks = {caption.text: [(_text(block), float(block.get("x")[:-1]), float(block.get("width")[:-1]))
                             for row in table.find("tbody") for block in row.findall(".//svg/svg")]
              for table in view.iter("table") if (caption := table.find("caption")) is not None}
    maint = told["reservations"][7]
    start, length = maint["start"] - pd.NOW, maint["end"] - maint["start"]
    for title, seconds in (("The next 24 hours", pd.DAY), ("The next 7 days", 7 * pd.DAY), ("The next 28 days", 28 * pd.DAY)):
        name, left, width = blocks[title][-1]
        if name != "maint" or abs(left - 100 * start / seconds) > 0.01 or abs(width - 100 * length / seconds) > 0.01:
            raise harness.Failure(f"{title}: {name} at {left}, {width} wide")


def test_reservations_are_slurms_where_the_engine_does_not_tell(maui):
    queue = pd.queue(reservations=[pd.wd.reservation("maint", "n[1-2]", users="root,bob")])
    tree = _page(maui, "--user=bob", queue=queue, data=pd.engine(diagnose_reservations="not yours"))
    rows = _table(_view(tree, "reservations"), "Reservations")
    harness.equal([(row[0][0], row[1][0], row[8][0]) for row in rows], [("maint", "Slurm", "yes, by its name")], "reservations")
    if "it does not show them: not yours" not in _text(_view(tree, "reservations")):
        raise harness.Failure(_text(_view(tree, "reservations")))
    if "There is no reservation." not in _text(_page(maui, data=pd.engine(diagnose_reservations=pd.rd.show()))):
        raise harness.Failure("no reservation is not said")


def test_nodes_are_those_of_diagnose_and_holes_those_of_showbf(maui):
    view = _view(_page(maui, "--user=bob"), "machine")
    harness.equal([[cell[1] or cell[0] for cell in row] for row in _table(view, "Nodes by state")],
                  [["free", [3], [10], [0]], ["partly in use", [1], [4], [3]], ["in use", [2], [8], [8]], ["drained", [1], [4], [0]],
                   ["down", [1], [4], [0]]], "states")
    done, _ = _run(maui, pd.queue(), pd.answer(pd.engine()), "diagnose", "-t", "--json")
    batch = json.loads(done.stdout)["partitions"][0]
    harness.equal([cell[1] for cell in _table(view, "Nodes by partition")[0]],
                  [[], [batch["nodes"]["configured"]], [batch["procs"]["configured"]], [batch["procs"]["dedicated"]]], "partition batch")
    harness.equal([[row[0][0], *row[3][1]] for row in _table(view, "Nodes by user")],
                  [["bob", 7], ["alice", 4], ["nobody that you see", 0]], "users")
    done, _ = _run(maui, pd.queue(), pd.answer(pd.engine()), "showbf", "-u", "bob", "-g", "nogroup", "--json")
    windows = json.loads(done.stdout)["windows"]
    harness.equal([[row[0][1], row[2][1], row[3][1]] for row in _table(view, "What could start now")],
                  [[[] if one["seconds"] is None else [one["seconds"]], [one["procs"]], [one["nodes"]]] for one in windows], "holes")
    if len(windows) < 2:
        raise harness.Failure("a hole alone shows no order")


def test_a_large_machine_has_a_map_of_runs(maui):
    nodes = [pd.wd.node(f"n{number}", number // 1000 % 5) for number in range(10000)]
    done, _ = _run(maui, pd.queue(nodes=nodes), pd.answer(pd.engine()), "page", "--user=bob")
    tree = xml.fromstring(done.stdout.decode().removeprefix("<!DOCTYPE html>\n"))
    picture = next(svg for svg in tree.iter("svg") if svg.get("class") == "map")
    drawn = sum((int(rect.get("width")) + 2) // 16 for rect in picture.iter("rect"))
    harness.equal((drawn, len(done.stdout) < 300000), (10000, True), "nodes drawn, and whether the page is small")


def test_on_a_large_machine_fewer_jobs_are_explained(maui):
    for others, nodes, explained in ((100, 6, 12), (99992, 6, 12), (100, 5999, 5), (100, 15000, 3)):
        jobs = [pd.wd.job(number, "zoe", priority=200000 - number, reason="JobHeldUser") for number in range(1, 14)]
        jobs += [{"user": "yan", "state": "RUNNING"}] * (others - 13)
        queue = pd.queue(jobs=jobs, nodes=[{"name": f"n{at}"} for at in range(nodes)])
        rows = _table(_view(_page(maui, "--user=zoe", queue=queue), "jobs"), "Waiting jobs, the highest priority first")
        harness.equal(sum("What would free it" in row[5][0] for row in rows), explained, f"explained jobs of {others} and {nodes} nodes")


def test_gres_of_nodes_are_summed_and_those_of_jobs_beside_them(maui):
    nodes = [pd.wd.node("n1", gres="gpu:a100:4(S:0,2),tape:1"), pd.wd.node("n2", gres="gpu:a100:4,gpu:h100:2(S:0-1)"), pd.wd.node("n3", gres="gpu,mps:4K"),
             pd.wd.node("n4", gres="x:7x,:,(,gpu:")]
    jobs = [pd.wd.running(1, "bob", "n1", gres="gpu:a100:3,tape:1"), pd.wd.job(2, gres="gpu:a100:9")]
    rows = _table(_view(_page(maui, queue=pd.queue(nodes=nodes, jobs=jobs)), "machine"), "GRES")
    harness.equal([(row[0][0], [cell[1][0] for cell in row[2:]]) for row in rows],
                  [("gpu:a100", [8, 3, 2]), ("tape", [1, 1, 1]), ("gpu:h100", [2, 0, 1]), ("gpu", [1, 0, 1]), ("mps", [4096, 0, 1]),
                   ("x:7x", [1, 0, 1])], "units, those held, and nodes")
    harness.equal([rect.get("width") for rect in _view(_page(maui, queue=pd.queue(nodes=nodes, jobs=jobs)), "machine").iter("rect")
                   if rect.get("class") == "use" and rect.get("width", "").endswith("%")][:3], ["37.50%", "100.00%", "0.00%"], "bars")


def test_gres_of_long_names_are_told_apart(maui):
    """As NVML names types; one is the beginning of the other."""
    card = "gpu:nvidia_rtx_pro_6000_blackwell_server_edition"
    names = (card, f"{card}_4g.96gb", "gpu:1g.10gb+me", "gpu:1g.10gb", "site/gpu:a/b", "q~!$%^&*?<>{}z")
    nodes = [pd.wd.node("n1", gres=",".join(f"{name}:{count}" for count, name in enumerate(names, 2)))]
    jobs = [pd.wd.running(1, "bob", "n1", gres=f"{names[1]}:2,{names[2]}:1,{names[5]}:2")]
    rows = _table(_view(_page(maui, queue=pd.queue(nodes=nodes, jobs=jobs)), "machine"), "GRES")
    harness.equal([(row[0][0], [cell[1][0] for cell in row[2:4]]) for row in rows],
                  [(names[0], [2, 0]), (names[1], [3, 2]), (names[2], [4, 1]), (names[3], [5, 0]), (names[4], [6, 0]), (names[5], [7, 2])], "units and those held")


def test_usage_has_the_unit_of_its_policy(maui):
    for policy, unit in (("DEDICATEDPS", "processor-hours"), ("UTILIZEDPS", "processor-hours"), ("DEDICATEDPES", "PE-hours"),
                         ("DEDICATEDGRES[gpu:a100]", "gpu:a100-hours"), ("DEDICATEDGRES[", "processor-hours")):
        text = _text(_view(_page(maui, "--user=bob", data=pd.engine(diagnose_fairshare=pd.shares() | {"policy": policy})), "shares"))
        for sentence in (f"Usage is counted in {unit}, in 7 windows", f"Usage, {unit}", f"You, {unit}"):
            if sentence not in text:
                raise harness.Failure(f"{policy}: {sentence} is not in: {text}")


def test_a_scale_says_where_it_ends(maui):
    for used, end in ((0.07, "0.08"), (0.2, "0.20"), (0.31, "0.40"), (2.2, "2.50"), (30, "30"), (100, "100")):
        row = pd.share("bob", [used]) | {"percent": used}
        view = _view(_page(maui, data=pd.engine(diagnose_fairshare=pd.shares() | {"credentials": {"user": [row]}})), "shares")
        axis = next(span for span in view.iter("span") if span.get("class") == "axis")
        harness.equal([_text(one).replace("\xa0", " ") for one in axis], ["0 %", f"{end} %"], f"the scale for {used} %")


def test_reservations_have_colors_of_their_own_while_there_are_any(maui):
    rows = [pd.rd.row(f"r{number}", f"r{number}", pd.NOW, pd.NOW + 3600, "n1", 1, 4) for number in range(9)]
    rows.append(pd.rd.row("r3.later", "r3", pd.NOW + 7200, pd.NOW + 9000, "n1", 1, 4))
    view = _view(_page(maui, data=pd.engine(diagnose_reservations=pd.rd.show(*rows))), "reservations")
    colors = [svg.find("rect").get("class") for svg in view.iter("svg") if "swatch" in svg.get("class", "")]
    harness.equal((len(colors), len(set(colors[:8])), colors[9]), (10, 8, colors[3]), f"colors: {colors}")


def test_the_longest_lists_are_cut_and_their_rest_is_said(maui):
    many = pd.shares()
    many["credentials"]["user"] = [pd.share(f"u{i}", [1000 - i]) | {"percent": 0.1} for i in range(1000)]
    full = pd.ld.credentials("user", *[pd.ld.row(f"u{i}", limits=[pd.ld.limit("MAXJOB", 1000, i)]) for i in range(1000)])
    empty = {kind: pd.ld.credentials(kind) for kind in ("group", "account", "class", "qos")}
    tree = _page(maui, "--user=u700", data=pd.engine(diagnose_fairshare=many, diagnose_credentials=(empty | {"user": full}).get))
    rows = _table(_view(tree, "shares"), "Users")
    harness.equal([row[0][0] for row in rows[24:]], ["u24", "u700 you", "974 more"], "the last shares")
    harness.equal(rows[-1][2][1], [97.4], "the share of the others")
    rows = _table(_view(tree, "limits"), "Other limits")
    harness.equal((rows[0][0][0], rows[39][0][0], rows[40][0][0].replace("\xa0", " ")),
                  ("user u999", "user u960", "959 more, none fuller than 96 %"), "limits")
    harness.equal([row[0][0] for row in _table(_view(tree, "limits"), "Limits that count your jobs")], ["user u700"], "own limits")


def test_what_is_refused_says_so_in_its_place(maui):
    tree = _page(maui, "--user=bob", data=pd.engine(diagnose_fairshare="this is not yours to see",
                                                    diagnose_credentials=lambda kind: "no <b>"))
    for name, text in (("shares", "Not shown: this is not yours to see."), ("limits", "Not shown: no <b>.")):
        if text not in _text(_view(tree, name)):
            raise harness.Failure(f"{name}: {_text(_view(tree, name))}")


def test_what_is_odd_about_the_engine_is_said_first(maui):
    for members, text in (({"mode": "shadow"}, "Shadow mode"), ({"select": False}, "has not loaded the select plugin"),
                          ({"policy": {"refused": {"errors": 1}}}, "A newer maui.cfg was refused"),
                          ({"policy": {"refused": None, "left_out": {"errors": 1}}}, "has errors")):
        tree = _page(maui, data=pd.engine(status=pd.status(**members)))
        if text not in _text(tree.find("body/header")):
            raise harness.Failure(f"{members}: {_text(tree.find('body/header'))}")


def test_without_engine_or_slurm_there_is_still_a_page(maui):
    done, _ = _run(maui, pd.queue(), None, "page")
    harness.check_code(done, 0)
    if b"The engine could not be asked: " not in done.stdout:
        raise harness.Failure(done.stdout.decode())
    done = maui.run("page", "--port=1", "--host=127.0.0.1", f"--munge-socket={_munge.socket}", "--slurm-user=root", "--timeout=1")
    harness.check_code(done, 0)
    if b"Slurm could not be asked: " not in done.stdout:
        raise harness.Failure(done.stdout.decode())


def test_anybodys_page_is_asked_for_by_nobody(maui):
    """Root becomes nobody: only he can read these proofs."""
    def answer(service, request):
        return pd.answer(pd.engine())(_ForNobody(service), request)
    done, requests = _run(maui, pd.queue(), answer, "page", "--public")
    if os.getuid() not in (0, NOBODY):
        harness.check_code(done, 2)
        harness.check_errors(done, "only root, or that user, can")
        return
    harness.check_code(done, 0)
    if b"as anybody may see it" not in done.stdout or b"badge" in done.stdout.split(b"</style>")[1] or not requests:
        raise harness.Failure(done.stdout.decode())
    if b"could not be asked" in done.stdout:
        raise harness.Failure(done.stdout.decode())


class _ForNobody:
    def __init__(self, service):
        self.service = service

    def envelope(self, request, **members):
        return self.service.envelope(request, proof=_munge.encode(request["nonce"], "-u", str(NOBODY)), **members)


def test_what_the_page_quotes_is_in_the_manual(maui):
    page = harness.HERE.parents[1] / "contribs/man/maui.1"
    # In one piece, as the foot of a page may fall into a sentence; and words may be hyphenated.
    options = ["-man", "-Tascii", "-P-c", "-P-b", "-P-u", "-rcR=1"]
    done = subprocess.run(["groff", *options, page], capture_output=True, check=True)
    manual = re.sub(r"[-\s]", "", done.stdout.decode())
    for quote in _page(maui).iter("blockquote"):
        for sentence in re.split(r"(?<=\.) ", _text(quote)):
            if re.sub(r"[-\s]", "", sentence) not in manual:
                raise harness.Failure(f"maui(1) does not say: {sentence}")


def test_odd_data_is_no_crash(maui):
    whole = pd.engine()
    for name in whole:
        for odd in ({}, {"credentials": []}, {"credentials": {"user": [None, 1, "x", {}]}}, {"credentials": [None, {}, {"limits": 7}]},
                    {"reservations": [None, 1, {}, {"name": None, "nodes": "n[", "ours": True, "open": True, "standing": "a", "start": -1, "end": 2**62}],
                     "standing": [None, {"name": "a", "acl": [None, 7], "flags": [None]}], "jobs": [None, {"job": 17, "components": []}]},
                    {"windows": [None] * 100, "credentials": {"user": [{"windows": [1e308] * 99, "usage": float("nan")}]}}):
            _page(maui, data=whole | {name: lambda kind, odd=odd: odd})


def test_another_maui_cfg_is_beside_todays(maui):
    """The request is that of maui whatif, and so are the numbers; a line leads from each rank to the other."""
    path = pathlib.Path(_munge.directory, "new.cfg")
    path.write_text("QUEUETIMEWEIGHT 7\n", encoding="utf-8")
    sample = whatif_data.sample()
    sample["movers"][1]["user"] = pd.EVIL
    done, requests = _run(maui, pd.queue(), pd.answer(pd.engine(whatif=sample)), "page", "--user=bob", f"--what-if={path}")
    harness.equal([(request["arguments"]["text"].rstrip("\n"), request["arguments"]["limit"]) for request in requests if request["command"] == "whatif"],
                  [("QUEUETIMEWEIGHT 7", 40)], "the request")
    view = _view(xml.fromstring(done.stdout.decode().removeprefix("<!DOCTYPE html>\n")), "whatif")
    rows = _table(view, "Ranks and priorities")
    harness.equal([(row[0][0], *(cell[1] for cell in row[2:])) for row in rows],
                  [("30_[1-9]", [1], [900], [99999], [12], [-99987.25]), ("31", [7], [8], [5], [5], []),
                   ("17", [4200], [1], [477], [1073742301], [1234.5])], "movers by today's rank")
    lines = [(line.get("class"), line.get("y1"), line.get("y2")) for line in view.iter("line") if line.get("x1") == "35%"]
    harness.equal(lines, [("down", "10", "50"), ("down", "30", "30"), ("up", "50", "10")], "lines")
    harness.equal([_text(text) for text in view.iter("text") if text.get("x") == "66%"],
                  ["1: 17 bob", "8: 31 bob", f"900: 30_[1-9] {pd.EVIL}".replace("\x1b", "?")], "the right column")
    harness.equal([_table(view, title)[0][0][0] for title in ("Newly blocked", "Freed, blocked today", "Blocked for another reason")],
                  ["40", "41", "42_7"], "blocked jobs")
    if "of 4 312 jobs, 24 change rank, 4 000 priority" not in _text(view).replace("\u202f", " "):
        raise harness.Failure(_text(view))
    path.write_text("QUEUETIMEWEIGHT x\n", encoding="utf-8")
    view = _view(_page(maui, f"--what-if={path}", data=pd.engine(whatif=sample)), "whatif")
    if f"Not shown: {path}:1:" not in _text(view):
        raise harness.Failure(_text(view))
    path.write_text("QUEUETIMEWEIGHT 7\n", encoding="utf-8")
    view = _view(_page(maui, f"--what-if={path}", data=pd.engine(whatif="only administrators may")), "whatif")
    if "Not shown: only administrators may." not in _text(view):
        raise harness.Failure(_text(view))
    if _view(_page(maui), "whatif") is not None:
        raise harness.Failure("a view that nobody asked for")


def _replayed(maui, **changes):
    """The path of a report of two files and a scheduler, and what is in it."""
    done = maui.run("replay", "--json", "--jitter=4", "--config=today.cfg", "--config=tomorrow.cfg", "--scheduler=easy", "small.swf",
                    cwd=harness.FIXTURES / "replay")
    report = json.loads(done.stdout) | changes
    path = pathlib.Path(_munge.directory, "replay.json")
    path.write_text(json.dumps(report), encoding="utf-8")
    return path, report


# As in maui.replay/1, in the order of the report's figures.
FIGURES = [*((part, of) for part in ("wait", "bounded_slowdown") for of in ("mean", "median", "p95", "max")),
           ("flow",), ("utilisation",), ("makespan",)]


def _figure(schedule, path):
    for member in path:
        schedule = schedule[member]
    return schedule * (100 if path == ("utilisation",) else 1)


def test_a_replays_report_is_beside_the_queue(maui):
    """Its figures are the report's, and so are the differences from the first file, and who gains."""
    path, report = _replayed(maui)
    view = _view(_page(maui, f"--replay={path}"), "whatif")
    table = next(table for table in view.iter("table") if _text(table.find("caption")) == "Figures")
    bodies = table.findall("tbody")
    harness.equal([len(body) for body in bodies], [4] * 11 + [3] * 2, "rows of each figure: what was recorded has no backfill")
    for body, member in zip(bodies, FIGURES):
        schedules = [report["recorded"], *report["schedules"]]
        harness.equal([float(row.findall("td")[2].find("data").get("value")) for row in body.findall("tr")[-4:]],
                      [round(_figure(schedule, member), 4) for schedule in schedules], str(member))
        first, second = (_figure(schedule, member) for schedule in report["schedules"][:2])
        harness.equal(float(body.findall("tr")[2].findall("td")[3].find("data").get("value")), round(second - first, 4), f"difference of {member}")
    jitter = report["jitter"]["schedules"][1]["wait"]
    low, high = (harness.duration(jitter[end]) for end in ("low", "high"))
    harness.equal(_text(bodies[0].findall("tr")[2].findall("td")[4]), f"{low} to {high}, better in {jitter['better']} of 4", "the interval")
    against = report["schedules"][1]["against_first"]
    for counted in (f"{against['earlier']} jobs begin earlier", f"{against['same']} at the same time", f"{against['later']} later"):
        if counted not in _text(view):
            raise harness.Failure(f"{counted} is not in {_text(view)}")
    rows = _table(view, "Those that gain most")
    harness.equal([(row[0][0], row[1][0], *(cell[1][0] for cell in row[5:])) for row in rows][: len(against["gains"])],
                  [(str(one["job"]), one["user"], one["first_wait"], one["wait"]) for one in against["gains"]], "who gains")
    harness.equal([_text(item) for item in view.iter("li")], [" ".join(one.split()) for one in report["not_included"]], "what is not included")
    if _view(_page(maui), "whatif") is not None:
        raise harness.Failure("a view that nobody asked for")


def test_both_whatifs_are_on_one_page(maui):
    """The queue under another file, and a replay."""
    path = pathlib.Path(_munge.directory, "both.cfg")
    path.write_text("QUEUETIMEWEIGHT 7\n", encoding="utf-8")
    view = _view(_page(maui, f"--what-if={path}", f"--replay={_replayed(maui)[0]}", data=pd.engine(whatif=whatif_data.sample())), "whatif")
    harness.equal((len(_table(view, "Ranks and priorities")), view.find("h3").text), (3, "Replay of small.swf"), "the view")


def test_a_strange_report_is_only_shown_or_refused(maui):
    """A report is whatever somebody has put into a file: names are names, and what is no report is said to be none."""
    path, report = _replayed(maui)
    report["trace"] = report["schedules"][0]["name"] = report["not_included"][0] = pd.EVIL
    report["schedules"][1]["against_first"]["gains"] = [{"job": 1, "user": pd.EVIL, "first_wait": 2**53, "wait": -1}, None, 7]
    path.write_text(json.dumps(report), encoding="utf-8")
    view = _view(_page(maui, f"--replay={path}"), "whatif")
    shown = " ".join(pd.EVIL.replace("\x1b", "?").split())
    harness.equal(view.find("h3").text, f"Replay of {shown}", "the title")
    harness.equal([row[1][0] for row in _table(view, "Those that gain most")][0], shown, "a user")
    for odd in ({"schedules": [{}] * 20}, {"schedules": [{"wait": 1, "against_first": {"mean": 1e308, "earlier": -5}}] * 2, "nodes": "x"},
                {"recorded": [], "jitter": {"schedules": [7]}, "not_included": [None]}):
        _page(maui, f"--replay={_replayed(maui, **odd)[0]}")
    for text in ("", "{", "[]", '{"schema": "maui.replay/2", "schedules": [{}]}', '{"schema": "maui.replay/1", "schedules": []}',
                 '{"schema": "maui.replay/1", "schedules": [null]}', "<html><script>1</script></html>"):
        path.write_text(text, encoding="utf-8")
        harness.equal(_text(_view(_page(maui, f"--replay={path}"), "whatif").find("p[@class='missing']")),
                      f"Not shown: {path} is not what `maui replay --json` prints.", text)
    path.unlink()
    if f"Not shown: {path}: cannot be read: No such file" not in (said := _text(_view(_page(maui, f"--replay={path}"), "whatif"))):
        raise harness.Failure(said)


def test_a_file_is_replaced_whole(maui):
    """Who reads the path has the old page or the new one; what cannot be written leaves it as it was."""
    directory = pathlib.Path(_munge.directory, "web")
    directory.mkdir()
    path = directory / "maui.html"
    path.write_text("old", encoding="utf-8")
    with open(path, encoding="utf-8") as reader:
        done, _ = _run(maui, pd.queue(), pd.answer(pd.engine()), "page", "--user=bob", f"--output={path}")
        harness.check_code(done, 0)
        harness.check_quiet(done)
        harness.equal(reader.read(), "old", "what a reader goes on reading")
    page = _run(maui, pd.queue(), pd.answer(pd.engine()), "page", "--user=bob")[0].stdout
    harness.equal((path.read_bytes(), path.stat().st_mode & 0o777), (page, 0o644), "the file")
    harness.equal(os.listdir(directory), ["maui.html"], "files")
    done, _ = _run(maui, pd.queue(), None, "page", f"--output={directory}/none/maui.html")
    harness.check_code(done, 2)
    harness.check_errors(done, "cannot write beside")


def test_wrong_use_is_explained(maui):
    for arguments, pattern in ((["now"], "unexpected argument now"), (["--json"], "page is HTML"),
                               (["--public", "--user=bob"], "for anybody, or for one"), (["--all", "--user=bob"], "for an administrator"),
                               (["--all", "--public"], "for an administrator"),
                               (["--public", "--what-if=x"], "--what-if: that is for administrators"),
                               (["--public", "--replay=x"], "--replay: that is for administrators"), (["-u", "nosuch"], "there is no user nosuch")):
        harness.check_refused(maui.run("page", *arguments), pattern)
