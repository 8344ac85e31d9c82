# SPDX-License-Identifier: GPL-2.0-or-later
"""maui why: each kind of reason, from a saved queue and a fake engine, as text and as the same in JSON."""

import json

import cli_harness as harness
import why_data as wd

_munge = harness.munge


def _ask(maui, queue, answers, *arguments):
    return wd.ask(_munge, maui, queue, answers, *arguments)


def _parts(found):
    return [(finding["part"], finding["kind"]) for finding in found["findings"]]


def _json(maui, queue, answers, name="17"):
    done, _ = _ask(maui, queue, answers, "--json", name)
    harness.check_code(done, 0)
    found = json.loads(done.stdout)
    harness.equal(found["schema"], "maui.why/1", "schema")
    return found


def _golden(maui, golden, queue, answers, kind, name="17", errors=None):
    """The text, and that JSON has the same sentences and the kind of the first cause."""
    done, _ = _ask(maui, queue, answers, name)
    harness.check_code(done, 0)
    harness.check_golden(done, f"why.{golden}.out")
    harness.check_errors(done, errors)
    found = _json(maui, queue, answers, name)
    text = done.stdout.decode()
    harness.equal(found["summary"], text.splitlines()[0], "the first line")
    for finding in found["findings"]:
        if f"\n  {finding['text']}\n" not in text:
            raise harness.Failure(f"the text lacks {finding['text']!r}:\n{text}")
    if kind:
        first = found["findings"][0]
        harness.equal((first["part"], first["kind"]), ("cause", kind), "the first finding")
        harness.equal(found["summary"], f"job {found['id']} waits: {first['text']}", "the summary")
    return found


def test_a_limit_names_who_uses_it(maui):
    found = _golden(maui, "limit", wd.queue(wd.job(17)), wd.blocks(
        "limit", "MAXPROC limit of 7 for user bob (7 in use, 1 asked for)", level="hard", limit=wd.limit()), "limit")
    users = found["findings"][1]["facts"]
    harness.equal([(row["id"], row["amount"]) for row in users["jobs"]], [("13", 4), ("11", 3)], "users of the limit")


def test_a_soft_limit_lets_it_have_what_others_leave(maui):
    _golden(maui, "soft", wd.queue(wd.job(17)), wd.blocks(
        "limit", "soft MAXJOB limit of 1 for user bob (2 in use)", level="soft",
        limit=wd.limit(name="MAXJOB", metric="jobs", limit=1, usage=2)), "limit")


def test_a_job_larger_than_its_limit_can_never_start_under_it(maui):
    """The end of other jobs is no remedy."""
    for golden, text, level, members, kept in (
            ("larger", "MAXPROC limit of 2 for user bob (0 in use, 3 asked for)", "hard", {"limit": 2, "usage": 0, "request": 3}, 1),
            ("larger-soft", "soft MAXPROC limit of 2 for user bob (7 in use, 3 asked for)", "soft", {"limit": 2, "request": 3}, 2),
            ("larger-idle", "MAXIPROC limit of 2 for user bob (0 eligible, 3 asked for)", "hard",
             {"name": "MAXIPROC", "mode": "idle", "limit": 2, "usage": 0, "request": 3}, 1)):
        found = _golden(maui, golden, wd.queue(wd.job(17)), wd.blocks("limit", text, level=level, limit=wd.limit(**members)), "limit")
        harness.equal(found["findings"][0]["facts"]["never"], True, "never")
        harness.equal([kind for part, kind in _parts(found) if part == "frees"][-1], "limit", "the remedy")
        harness.equal(sum(part == "frees" for part, _ in _parts(found)), kept, "remedies")
    for metric, unit in (("procseconds", "2 processor-seconds"), ("seconds", "2 seconds"), ("nodes", "2 nodes"),
                         ("pe", "2 processor equivalents"), ("procs", "2 processors"), ("jobs", "2, or"), ("memory", "2 MB"),
                         ("of another release", "2, or"), (None, "2, or")):
        found = _json(maui, wd.queue(wd.job(17)), wd.blocks("limit", "x", level="hard", limit=wd.limit(
            name="MAXPROC", metric=metric, limit=2, request=3)))
        text = next(row["text"] for row in found["findings"] if row["part"] == "frees")
        if f"at most {unit}" not in text:
            raise harness.Failure(f"{metric}: {text}")
    found = _json(maui, wd.queue(wd.job(17)), wd.blocks("limit", "x", level="hard", limit=wd.limit(limit=3, usage=1, request=3)))
    harness.equal(found["findings"][0]["facts"]["never"], False, "never of a job as large as its limit")


def test_limits_of_one_job_and_of_idle_jobs_have_other_remedies(maui):
    _golden(maui, "system", wd.queue(wd.job(17)), wd.blocks(
        "limit", "SYSTEMMAXPROCPERJOB limit of 1 for the system (2 asked for)", level="hard",
        limit=wd.limit(name="SYSTEMMAXPROCPERJOB", mode="system", type="system", holder=None, limit=1, request=2)), "limit")
    _golden(maui, "idle", wd.queue(wd.job(17), wd.job(16), wd.job(18, "alice")), wd.blocks(
        "limit", "MAXIJOB limit of 1 for user bob (1 eligible)", level="hard",
        limit=wd.limit(name="MAXIJOB", mode="idle", metric="jobs", usage=1)), "limit")


def test_users_of_a_limit_that_are_hidden_are_named_so(maui):
    found = _golden(maui, "hidden", wd.queue(wd.job(17), jobs=[wd.job(17, reason="Priority")]), wd.blocks(
        "limit", "MAXPROC limit of 20 for group staff (18 in use, 4 asked for)", level="hard",
        limit=wd.limit(type="group", holder="staff", usage=18)), "limit")
    harness.equal(("unseen", "limit-users") in _parts(found), True, "hidden users")


def test_every_metric_and_pair_of_limits_is_counted(maui):
    """What it is follows from the metric alone, whatever the limit is called."""
    for metric, members, expected in (
            ("jobs", {}, 2), ("nodes", {}, 2), ("procseconds", {}, 3 * 660 + 4 * 780), ("seconds", {}, 660 + 780),
            ("pe", {}, 7), ("memory", {}, 0), ("procs", {"name": "OMAXPROC"}, 7), ("of another release", {}, 0),
            ("procs", {"type": "class", "holder": "batch", "second_type": "user", "second": "alice"}, 4),
            ("procs", {"type": "system", "holder": None}, 11), ("procs", {"type": "qos", "holder": "DEFAULT"}, 0),
            ("procs", {"type": "account", "holder": "physics"}, 11)):
        found = _json(maui, wd.queue(wd.job(17)), wd.blocks(
            "limit", "x", level="hard", limit=wd.limit(metric=metric, **members)))
        harness.equal(found["findings"][0]["facts"]["metric"], metric, "the metric")
        harness.equal(found["findings"][1]["facts"]["seen"], expected, f"what {metric} {members} counts")


def _digits(*, shown="1001"):
    """A user is called 1001; uid 1001 has no name, or another one by now. Both run a job, both wait."""
    named, numbered = {"uid": 70, "gid": 70, "group": "1001"}, {"uid": 1001, "gid": 1001, "group": shown}
    return wd.queue(jobs=[wd.running(11, "1001", "n2", 3, **named), wd.running(12, shown, "n3", **numbered),
                          wd.job(17, "1001", **named), wd.job(18, shown, **numbered)])


def test_a_limit_of_a_user_does_not_count_jobs_of_the_uid_of_these_digits(maui):
    for kind in ("user", "group"):
        pair = {"type": "class", "holder": "batch", "second_type": kind, "second": "1001"}
        for members, shown, expected in (
                ({"type": kind, "holder": "1001"}, "1001", ["11"]), (pair, "1001", ["11"]),
                ({"type": kind, "holder": "1001", "holder_unnamed": True}, "1001", ["12"]), (pair | {"second_unnamed": True}, "1001", ["12"]),
                ({"type": kind, "holder": "1001"}, "eve", ["11"]), ({"type": kind, "holder": "1001", "holder_unnamed": True}, "eve", ["12"])):
            found = _json(maui, _digits(shown=shown), wd.blocks("limit", "x", level="hard", limit=wd.limit(**members)))
            facts = found["findings"][0]["facts"]
            for member in ("holder_unnamed", "second_unnamed"):
                harness.equal(facts.get(member), members.get(member), f"{member} of {members}")
            harness.equal([row["id"] for row in found["findings"][1]["facts"]["jobs"]], expected, f"{members}, {shown}")


def test_a_user_whose_name_is_his_uid_has_his_jobs(maui):
    jobs = [wd.running(11, "1001", "n2", 3, uid=1001), wd.job(17, "1001", uid=1001)]
    found = _json(maui, wd.queue(jobs=jobs), wd.blocks("limit", "x", level="hard", limit=wd.limit(holder="1001")))
    harness.equal([row["id"] for row in found["findings"][1]["facts"]["jobs"]], ["11"], "users of the limit")


def _with_gres():
    return wd.queue(jobs=[wd.running(11, "bob", "n1", gres="gres:gpu:a100:2,gres:gpu:h100:1,gres:tape:1"),
                          wd.running(12, "alice", "n2", gres="gres:gpu:a100:8"),
                          wd.running(13, "bob", "n3", gres="gpu:a100:1", licenses="matlab:2,ansys"),
                          wd.running(14, "bob", "n4"), wd.job(17, gres="gres:gpu:2")])


def test_a_limit_of_a_gres_names_those_that_have_it(maui):
    found = _golden(maui, "gres", _with_gres(), wd.blocks(
        "limit", "MAXGRES[gpu] limit of 5 for user bob (4 in use, 2 asked for)", level="hard",
        limit=wd.limit(name="MAXGRES[gpu]", metric="gres", gres="gpu", limit=5, usage=4, request=2)), "limit")
    harness.equal([(row["id"], row["amount"]) for row in found["findings"][1]["facts"]["jobs"]], [("11", 3), ("13", 1)],
                  "users of the limit")
    for gres, expected in (("gpu:a100", [("11", 2), ("13", 1)]), ("gpu:h100", [("11", 1)]), ("tape", [("11", 1)]),
                           ("license:matlab", [("13", 2)]), ("license:ansys", [("13", 1)])):
        found = _json(maui, _with_gres(), wd.blocks("limit", "x", level="hard", limit=wd.limit(
            name=f"MAXGRES[{gres}]", metric="gres", gres=gres, limit=5, usage=4, request=2)))
        harness.equal([(row["id"], row["amount"]) for row in found["findings"][1]["facts"]["jobs"]], expected, gres)


def test_a_fairshare_cap_has_its_end(maui):
    cap = {"job": 17, "partition": "batch", "type": "user", "name": "bob", "mode": "cap-ps", "cap": 1000, "usage": 400,
           "request": 900, "until": wd.NOW + 7200}
    answers = wd.blocks("fairshare-cap", "FSTARGET cap of 1000 processor-seconds for user bob (400 used, 900 asked for)")
    answers["diagnose-fairshare"]["blocked"] = [cap]
    found = _golden(maui, "cap", wd.queue(wd.job(17)), answers, "fairshare-cap")
    harness.equal(found["findings"][0]["facts"]["until"], wd.NOW + 7200, "until")
    answers["diagnose-fairshare"]["blocked"] = [cap | {"request": 1200, "until": None}]
    found = _json(maui, wd.queue(wd.job(17)), answers)
    harness.equal([row["text"] for row in found["findings"] if row["part"] in ("frees", "when")],
                  ["a smaller request, or another cap in maui.cfg", "never under this cap: it asks for more than that by itself"],
                  "a request above the cap")
    answers["diagnose-fairshare"]["blocked"] = [cap | {"until": None}]
    found = _json(maui, wd.queue(wd.job(17)), answers)
    harness.equal([row["text"] for row in found["findings"] if row["part"] == "when"], ["never by time alone"], "when")


def test_qlist_and_what_is_not_known_yet(maui):
    _golden(maui, "qos", wd.queue(wd.job(17)), wd.blocks("qos", "QOS hi is not in QLIST of user bob"), "qos")
    _golden(maui, "unknown", wd.queue(wd.job(17)), wd.blocks("unknown", "limits of maui.cfg are being looked up"), "unknown")


def test_holds_say_whose_they_are(maui):
    held = {"priority": 0, "reason": "JobHeldUser"}
    _golden(maui, "user-hold", wd.queue(wd.job(17, **held)), wd.engine(), "user-hold")
    held["reason"] = "JobHeldAdmin"
    _golden(maui, "system-hold", wd.queue(wd.job(17, **held)), wd.engine(), "system-hold")
    held |= {"reason": "JobHoldMaxRequeue", "description": "launch failed requeued held"}
    _golden(maui, "requeue-hold", wd.queue(wd.job(17, **held)), wd.engine(), "system-hold")
    _golden(maui, "negative", wd.queue(wd.job(17, priority=0, reason="JobHeldAdmin")),
            wd.blocks("negative-priority", "x"), "negative-priority")


def test_a_job_that_a_limit_refuses_is_not_held(maui):
    """Its priority is 0 for a moment."""
    text = "MAXJOB limit of 2 for user bob (2 in use)"
    found = _json(maui, wd.queue(wd.job(17, priority=0, reason="BlockMaxError", description=text)), None)
    harness.equal(found["findings"][0]["kind"], "limit", "kind")


def test_dependencies_tell_the_state_of_the_others(maui):
    waits = {"reason": "Dependency", "dependency": "afterok:12(unfulfilled),afterany:99(unfulfilled)"}
    found = _golden(maui, "dependency", wd.queue(wd.job(17, **waits)), wd.engine(), "dependency")
    harness.equal([(row["job"], row["state"], row["end"]) for row in found["findings"][0]["facts"]["jobs"]],
                  [("12", "RUNNING", wd.NOW + 720), ("99", None, None)], "jobs")
    waits = {"reason": "DependencyNeverSatisfied", "dependency": "afterok:14(failed)"}
    ended = wd.job(14, state="FAILED")
    _golden(maui, "never", wd.queue(wd.job(17, **waits), ended), wd.engine(), "dependency")
    tasks = [wd.job(100 + task, id=f"17_{task}", array_job=90, array_task=task,
                    state="FAILED" if task == 4 else "RUNNING" if task == 9 else "COMPLETED") for task in range(20)]
    never = {"reason": "DependencyNeverSatisfied", "dependency": "afterok:90_*(failed)"}
    found = _json(maui, wd.queue(wd.job(17, **never), *tasks), wd.engine())["findings"][0]
    harness.equal(found["text"], "it depends on afterok of 20 tasks of 90: 18 completed, 1 failed (17_4), 1 runs: that will never be", "an array")
    harness.equal(found["facts"]["jobs"][0]["tasks"], {"total": 20, "completed": 18, "failed": 1, "running": 1, "waiting": 0,
                                                       "first_failed": "17_4"}, "its tasks")
    for text, kinds in (("afterok:12_*(unfulfilled)?afterany:13+5(unfulfilled)", ["afterok", "afterany"]),
                        ("singleton(unfulfilled)", ["singleton"]), ("(", [None]), (":", [None]), ("x" * 500, None)):
        found = _json(maui, wd.queue(wd.job(17, reason="Dependency", dependency=text)), wd.engine())
        jobs = found["findings"][0]["facts"]["jobs"]
        if kinds:
            harness.equal([row["type"] for row in jobs], kinds, text)


def test_a_begin_time_is_told(maui):
    _golden(maui, "begin", wd.queue(wd.job(17, reason="BeginTime", eligible=wd.NOW + 600)), wd.engine(), "begin-time")


def test_partitions_that_refuse_are_told(maui):
    for golden, members, part in (
            ("closed", {"partition": "closed"}, {}), ("time-limit", {"reason": "PartitionTimeLimit"}, {"max_time": 600}),
            ("node-limit", {"reason": "PartitionNodeLimit", "nodes": 3}, {"max_nodes": 2}),
            ("accounts", {"reason": "AccountNotAllowed"}, {"allow_accounts": "chemistry,biology"}),
            ("denied", {}, {"deny_accounts": "physics"}), ("part-qos", {}, {"allow_qos": "hi"})):
        queue = wd.queue(wd.job(17, **members))
        queue["partitions"][0] |= part
        _golden(maui, golden, queue, wd.engine(), "partition")


def test_one_of_several_partitions_is_enough(maui):
    queue = wd.queue(wd.job(17, partition="closed,batch", tasks=32, procs=32))
    found = _golden(maui, "two-partitions", queue, wd.engine(), "nodes")
    harness.equal([row["facts"].get("name") for row in found["findings"] if row["part"] == "nodes"][0], "closed", "first")


def test_limits_of_slurm_have_a_sentence_and_their_name(maui):
    _golden(maui, "assoc", wd.queue(wd.job(17, reason="AssocGrpCpuLimit")), wd.engine(), "slurm")
    _golden(maui, "qosmax", wd.queue(wd.job(17, reason="QOSMaxJobsPerUserLimit")), wd.engine(), "slurm")
    for reason, words in (("AssocMaxJobsLimit", "MaxJobs"), ("QOSMinGRES", "less than"), ("QOSGrpNodeLimit", "together"),
                          ("JobArrayTaskLimit", "--array"), ("MaxGRESPerAccount", "account"), ("InvalidQOS", "no longer valid"),
                          ("BadConstraints", "can ever"), ("MaxMemPerLimit", "memory"), ("AssocMaxWallDurationPerJobLimit", "one job")):
        first = _json(maui, wd.queue(wd.job(17, reason=reason)), wd.engine())["findings"][0]
        harness.equal((first["kind"], first["facts"]["reason"]), ("slurm", reason), reason)
        if words not in first["text"] or reason not in first["text"]:
            raise harness.Failure(first["text"])


def test_the_limit_that_a_reason_of_slurms_stands_for_is_named(maui):
    """As sacctmgr calls it, and whose it is; of each part that Slurm composes its reasons of."""
    group, own, qos = "in account physics, or an account above it", "of user bob in account physics", "QOS hi, or its partition's"
    for reason, limit, holder in (
            ("AssocGrpCPUMinutesLimit", "GrpTRESMins (cpu)", group), ("AssocGrpCPURunMinutesLimit", "GrpTRESRunMins (cpu)", group),
            ("AssocGrpCpuLimit", "GrpTRES (cpu)", group), ("AssocGrpMemLimit", "GrpTRES (mem)", group),
            ("AssocGrpGRESMinutes", "GrpTRESMins (gres)", group), ("AssocGrpBBRunMinutes", "GrpTRESRunMins (bb)", group),
            ("AssocGrpUnknown", "GrpTRES (another TRES)", group), ("AssocGrpSubmitJobsLimit", "GrpSubmitJobs", group),
            ("AssocGrpJobsLimit", "GrpJobs", group), ("AssocGrpWallLimit", "GrpWall", group),
            ("AssocMaxJobsLimit", "MaxJobs", own), ("AssocMaxSubmitJobLimit", "MaxSubmitJobs", own),
            ("AssocMaxWallDurationPerJobLimit", "MaxWall", own), ("AssocMaxNodePerJobLimit", "MaxTRESPerJob (node)", own),
            ("AssocMaxCpuMinutesPerJobLimit", "MaxTRESMinsPerJob (cpu)", own), ("AssocMaxLicensePerJob", "MaxTRESPerJob (license)", own),
            ("AssocMaxEnergyPerNode", "MaxTRESPerNode (energy)", own), ("QOSGrpMemoryMinutes", "GrpTRESMins (mem)", qos),
            ("QOSGrpNodeLimit", "GrpTRES (node)", qos), ("QOSMaxJobsPerUserLimit", "MaxJobsPerUser", qos),
            ("QOSMaxSubmitJobPerUserLimit", "MaxSubmitJobsPerUser", qos), ("QOSMaxMemoryPerUser", "MaxTRESPerUser (mem)", qos),
            ("QOSMaxBillingMinutesPerJob", "MaxTRESMinsPerJob (billing)", qos), ("QOSMinCpuNotSatisfied", "MinTRESPerJob (cpu)", qos),
            ("QOSMinGRES", "MinTRESPerJob (gres)", qos), ("MaxJobsPerAccount", "MaxJobsPerAccount", qos),
            ("MaxMemoryPerAccount", "MaxTRESPerAccount (mem)", qos), ("AssociationJobLimit", None, None),
            ("QOSUsageThreshold", None, None), ("QOSNotAllowed", None, None), ("MaxMemPerLimit", None, None)):
        found = _json(maui, wd.queue(wd.job(17, reason=reason, account="physics", qos="hi")), wd.engine())
        rows = [row for row in found["findings"] if (row["part"], row["kind"]) == ("cause", "slurm-limit")]
        harness.equal([row["facts"]["limit"] for row in rows], [limit] if limit else [], reason)
        if limit and holder not in rows[0]["text"]:
            raise harness.Failure(f"{reason}: {rows[0]['text']}")


def test_what_a_partition_refuses_or_hides_is_told(maui):
    for members, part, words in (
            ({}, {"deny_qos": "normal,low"}, "is not for QOS normal (QOSNotAllowed)"),
            ({"partition": "hidden,batch"}, {}, "partition hidden: it is gone, or hidden from you"),
            ({"tasks": 7, "procs": 7, "nodes": 7}, {}, "nodes of partition batch that are down or drained, once they are back")):
        queue = wd.queue(wd.job(17, **members))
        queue["partitions"][0] |= part
        found = _json(maui, queue, wd.engine())["findings"]
        harness.equal(any(words in row["text"] for row in found), True, f"{words} in {[row['text'] for row in found]}")


def test_a_reservation_that_slurm_does_not_let_it_into_is_told(maui):
    """Neither closed nor unknown nor ahead: Slurm's own reason is what is left."""
    own = wd.reservation("special", "n7")
    for reason, told in (("Reservation", True), ("ReservationDeleted", True), ("Resources", False)):
        queue = wd.queue(wd.job(17, reservation="special", reason=reason), reservations=[own])
        texts = [row["text"] for row in _json(maui, queue, wd.engine())["findings"]]
        harness.equal(any("Slurm does not let it in" in text for text in texts), told, f"{reason}: {texts}")


def test_licenses_are_counted_as_far_as_they_are_seen(maui):
    queue = wd.queue(wd.job(17, reason="Licenses", licenses="matlab:2,ansys"), wd.running(14, "alice", "n7", 1, licenses="matlab:3"))
    found = _golden(maui, "license", queue, wd.engine(), "license")
    harness.equal([row["facts"]["seen_in_use"] for row in found["findings"] if row["part"] == "cause"], [3, 0], "in use")


def test_a_reservation_asked_for_has_the_entry_that_fails(maui):
    asks = wd.job(17, reservation="night.inf", reason="Reservation")
    own = wd.reservation("night.inf", "n7")
    answers = wd.engine(explain_reservations=wd.admission(
        wd.entry("night.inf", "n7", text="DURATION<=1:00:00+* is not met"), asks="night.inf"))
    _golden(maui, "asked", wd.queue(asks, reservations=[own]), answers, "reservation")
    later = wd.job(17, reservation="later", reason="Reservation")
    _golden(maui, "asked-later", wd.queue(later, reservations=[wd.reservation("later", "n7", start=wd.NOW + 60)]),
            wd.engine(), "reservation")
    _golden(maui, "asked-gone", wd.queue(later), wd.engine(), "reservation")
    closed = wd.engine(explain_reservations=wd.admission(wd.entry("night.inf", "n7", admitted=True, open=False)))
    _golden(maui, "asked-closed", wd.queue(asks, reservations=[own]), closed, "reservation")


def test_a_reservation_of_ours_is_asked_for_in_the_comment(maui):
    """job_submit/maui has cleared Slurm's member: the engine says which one it is."""
    own = wd.reservation("night.inf", "n[5-6]")
    meant = wd.entry("night.inf", "n[5-6]", admitted=True, asked=True, affinity="positive", text="USER==bob+ gives access")
    answers = wd.engine(explain_reservations=wd.admission(meant, asks="night"))
    found = _json(maui, wd.queue(wd.job(17), reservations=[own]), answers)
    harness.equal(_counts(found), {"down": 2, "outside": 6, "left": 0}, "its nodes are down")
    refused = wd.entry("night.inf", "n[5-6]", asked=True, text="DURATION<=1:00:00+* is not met")
    answers = wd.engine(explain_reservations=wd.admission(refused, asks="night"))
    found = _json(maui, wd.queue(wd.job(17), reservations=[own]), answers)["findings"][0]
    harness.equal(found["text"], "it asks for reservation night.inf: DURATION<=1:00:00+* is not met", "refused")
    answers = wd.engine(explain_reservations=wd.admission(asks="gone"))
    texts = [row["text"] for row in _json(maui, wd.queue(wd.job(17)), answers)["findings"]]
    harness.equal(texts[0], "it asks for reservation gone: there is none of this name, or it is not yours to see", "gone")


def _counts(found, place=0):
    facts = [row["facts"] for row in found["findings"] if (row["part"], row["kind"]) == ("nodes", "nodes")][place]
    return {name: count for name, count in facts["out"].items() if count} | {"left": facts["left"]}


def _left_out(*limited):
    return {"down": 2, "excluded": 0, "features": 0, "limits": len(limited), "limited": ",".join(limited) or None}


def test_the_list_of_nodes_is_asked_for_only_of_a_job_that_runs(maui):
    """It is long on a large machine. Of one that runs it says where its nodes are in it."""
    waits, runs = wd.queue(wd.job(17)), wd.queue()
    for queue, name, limited, expected in ((waits, "17", (), [1]), (waits, "17", ("n1",), [1]), (runs, "12", (), [None])):
        _, requests = _ask(maui, queue, wd.engine(explain_nodes=wd.order("n1", left_out=_left_out(*limited))), name)
        asked = [request["arguments"].get("limit") for request in requests if request["command"] == "explain-nodes"]
        harness.equal(asked, expected, (name, limited))


def test_a_node_that_the_engine_leaves_out_for_another_reason_is_not_kept_by_a_limit(maui):
    """Slurm has just told that it is there, and the engine before that it was not."""
    answers = wd.engine(explain_nodes=wd.order("n1", "n2", left_out=_left_out()))
    found = _json(maui, wd.queue(wd.job(17, nodes=9, tasks=9, procs=9)), answers)
    harness.equal(_counts(found), {"down": 2, "busy": 2, "left": 4}, "nodes")


def test_nodes_that_have_not_registered_yet_are_not_called_down(maui):
    """slurmctld has just started."""
    nodes = [row | {"state": "UNKNOWN", "flags": []} for row in wd.nodes()]
    found = _golden(maui, "unregistered", wd.queue(wd.job(17, reason="Resources"), nodes=nodes), wd.engine(), "nodes")
    harness.equal(_counts(found), {"unregistered": len(nodes), "left": 0}, "nodes")


def test_nodes_are_counted_by_what_excludes_them(maui):
    queue = wd.queue(wd.job(17, tasks=40, procs=40, nodes=5, reason="Resources"),
                     reservations=[wd.reservation("night.inf", "n7"), wd.reservation("foreign", "n1", users="alice")])
    answers = wd.engine(explain_reservations=wd.admission(wd.entry("night.inf", "n7")),
                        explain_nodes=wd.order("n1", left_out=_left_out("n4")))
    found = _golden(maui, "nodes", queue, answers, "nodes")
    harness.equal(_counts(found), {"down": 2, "limits": 1, "reserved": 2, "busy": 1, "left": 2}, "nodes")
    for members, expected in (
            ({"features": "fast"}, {"down": 2, "features": 3, "busy": 2, "left": 1}),
            ({"features": "fast|slow"}, {"down": 2, "features": 3, "busy": 2, "left": 1}),
            ({"features": "fast&slow"}, {"down": 2, "features": 6, "left": 0}),
            ({"features": "[fast*2]"}, {"down": 2, "busy": 2, "left": 4}),
            ({"excluded_nodes": "n[1-3]"}, {"down": 2, "excluded": 3, "busy": 1, "left": 2}),
            ({"required_nodes": "n3"}, {"down": 2, "nodelist": 5, "busy": 1, "left": 0}),
            ({"required_nodes": "n3", "nodes": 2}, {"down": 2, "busy": 2, "left": 4}),
            ({"tasks": 4, "procs": 4, "max_nodes": 1}, {"down": 2, "small": 1, "busy": 3, "left": 2}),
            ({"tasks_per_node": 4, "tasks": 8, "procs": 8, "nodes": 2}, {"down": 2, "small": 1, "busy": 3, "left": 2}),
            ({"procs_per_task": 3, "procs": 3}, {"down": 2, "small": 1, "busy": 3, "left": 2}),
            ({"memory": 3000, "memory_per": "node"}, {"down": 2, "small": 6, "left": 0}),
            ({"memory": 1500, "memory_per": "cpu", "procs_per_task": 2, "procs": 2}, {"down": 2, "small": 6, "left": 0}),
            ({"disk": 10}, {"down": 2, "small": 6, "left": 0}), ({"exclusive": True}, {"down": 2, "busy": 3, "left": 3})):
        harness.equal(_counts(_json(maui, wd.queue(wd.job(17, **members)), wd.engine())), expected, f"nodes for {members}")


def test_reservations_count_while_the_job_would_run(maui):
    for members, reserved in (({}, 1), ({"start": wd.NOW + 600}, 1), ({"start": wd.NOW + 2 * wd.HOUR}, 0),
                              ({"end": wd.NOW - 1}, 0), ({"end": None}, 1),
                              ({"cores": [{"node": "n1", "cores": "0-3"}]}, 1), ({"cores": [{"node": "n1", "cores": "0,2"}]}, 0)):
        queue = wd.queue(wd.job(17), reservations=[wd.reservation("foreign", "n1", **members)])
        harness.equal(_counts(_json(maui, queue, wd.engine())).get("reserved", 0), reserved, f"reserved by {members}")
    ours = [wd.reservation("night.inf", "n1", max_start_delay=86400)]
    for members, data, reserved in (({"admitted": True}, {}, 0), ({"admitted": True, "open": False}, {}, 1),
                                    ({"admitted": True}, {"pass": None}, 1), ({}, {}, 1)):
        answers = wd.engine(explain_reservations=wd.admission(wd.entry("night.inf", "n1", **members), **data))
        found = _json(maui, wd.queue(wd.job(17), reservations=ours), answers)
        harness.equal(_counts(found).get("reserved", 0), reserved, f"reserved for {members} {data}")


def test_a_reservation_without_end_never_ends(maui):
    """In Slurm it has one: the last second that the original knew."""
    busy = {"tasks": 20, "procs": 20, "nodes": 5, "exclusive": True}
    for golden, members in (("endless", {"start": wd.NOW - 60}), ("endless-later", {"start": wd.NOW + 600})):
        rows = [wd.reservation("own.inf", "n[1,3,4,7]", end=2139999999, **members)]
        found = _golden(maui, golden, wd.queue(wd.job(17, **busy), reservations=rows), wd.engine(), "nodes")
        harness.equal([row["facts"]["end"] for row in found["findings"] if (row["part"], row["kind"]) == ("nodes", "reservation")],
                      [None], "end")


def test_what_can_never_start_is_said(maui):
    _golden(maui, "never-nodes", wd.queue(wd.job(17, features="slow")), wd.engine(), "nodes")
    _golden(maui, "features", wd.queue(wd.job(17, features="[fast*2&slow*2]", tasks=99, procs=99)), wd.engine(), "nodes")


def test_jobs_of_higher_priority_are_ahead(maui):
    others = [wd.job(number, priority=200 - number) for number in (21, 22, 23, 24)]
    behind = [wd.job(25, priority=99), wd.job(26, priority=300, reason="JobHeldUser"), wd.job(27, priority=0),
              wd.job(28, priority=300, reason="Dependency"), wd.job(29, priority=300, partition="closed")]
    found = _golden(maui, "ahead", wd.queue(wd.job(17, reason="Priority"), *others, *behind), wd.engine(), "priority")
    ahead = next(row["facts"] for row in found["findings"] if row["part"] == "ahead")
    harness.equal([row["job"] for row in ahead["jobs"]], [21, 22, 23, 24], "ahead")
    tiers = _json(maui, wd.queue(wd.job(17), wd.job(18, priority=1, partition="long")), wd.engine())
    harness.equal(tiers["findings"][0]["facts"]["count"], 1, "of a partition of a higher tier")
    _golden(maui, "ahead-hidden", wd.queue(wd.job(17, reason="Priority")), wd.engine(), "priority")


def test_a_plan_of_slurm_is_told(maui):
    planned = wd.job(17, start=wd.NOW + 900, scheduled_nodes="n[3-4]", nodes=2, exclusive=True, tasks=20, procs=20)
    found = _golden(maui, "plan", wd.queue(planned), wd.engine(), "nodes")
    harness.equal(found["findings"][-1]["facts"], {"time": wd.NOW + 900, "nodes": "n[3-4]"}, "plan")


def test_where_nothing_stands_against_it_the_next_pass_decides(maui):
    _golden(maui, "scheduler", wd.queue(wd.job(17, reason="None")), wd.engine(), "scheduler")


def test_who_holds_nodes_may_be_hidden(maui):
    alone = wd.queue(wd.job(17, tasks=20, procs=20))
    alone["jobs"] = alone["jobs"][-1:]
    found = _golden(maui, "hidden-nodes", alone, wd.engine(), "nodes")
    harness.equal(("unseen", "nodes") in _parts(found), True, "hidden holders")


def test_without_the_engine_slurm_alone_is_told(maui):
    text = "MAXJOB limit of 2 for user bob (2 in use)"
    queue = wd.queue(wd.job(17, reason="JobHoldMaxRequeue", description=text),
                     reservations=[wd.reservation("night.inf", "n1", max_start_delay=86400)])
    found = _golden(maui, "no-engine", queue, None, "limit", errors="(?s)NOTE: .*NOTE:     what follows is from Slurm alone")
    harness.equal(found["engine"], False, "engine")
    done, _ = _ask(maui, queue, None, "17")
    if b"ERROR" in done.stderr:
        raise harness.Failure(done.stderr.decode())


def test_what_the_engine_refuses_is_named(maui):
    refused = "for operators and administrators"
    _golden(maui, "refused", wd.queue(wd.job(17)), wd.engine(explain_reservations=refused, explain_nodes=refused), "scheduler",
            errors="NOTE:     for operators")


def test_a_job_that_runs_says_why_on_these_nodes(maui):
    order = wd.nd.order(state="running", nodes=[wd.nd.ranked("n3", 1, allocated=True, preferred=True),
                                                wd.nd.ranked("n1", 2)])
    answers = wd.engine(explain_nodes=order, explain_reservations=wd.admission(
        wd.entry("night.inf", "n3", admitted=True, affinity="positive", text="USER==alice+ gives access"),
        wd.entry("day.inf", "n1", admitted=True, text="USER==alice+ gives access")))
    found = _golden(maui, "running", wd.queue(), answers, None, name="12")
    harness.equal([kind for part, kind in _parts(found) if part == "place"], ["policy", "node", "reservation"], "why there")
    order |= {"policy": "FASTEST", "policy_asked": "FASTEST", "policy_by_job": True}
    suspended = wd.queue(wd.running(14, "bob", "n7", state="SUSPENDED", end=None, reservation="night"))
    _golden(maui, "suspended", suspended, answers, None, name="14")


def test_a_job_that_has_ended_or_is_unknown_is_said(maui):
    _golden(maui, "ended", wd.queue(wd.job(17, state="COMPLETED", end=wd.NOW - 60)), {}, None)
    done, requests = _ask(maui, wd.queue(), {}, "99")
    harness.check_code(done, 5)
    harness.check_quiet(done)
    harness.check_errors(done, "ERROR:    Slurm has no job 99, has forgotten it, or it is not yours to see")
    harness.equal(requests, [], "requests")


def test_tasks_of_arrays_are_found(maui):
    array = {"array_job": 17, "array_tasks": "3-9", "id": "17_[3-9]"}
    queue = wd.queue(wd.job(17, **array), wd.running(18, "bob", "n7", array_job=17, array_task=2, id="17_2"))
    for name, found in (("17", "17_[3-9]"), ("17_4", "17_[3-9]"), ("17_2", "17_2")):
        harness.equal(_json(maui, queue, wd.engine(), name)["id"], found, name)
    _, requests = _ask(maui, queue, wd.engine(), "17_2")
    harness.equal(requests[0]["arguments"], {"job": 18}, "arguments")


def test_wrong_usage_is_explained(maui):
    for words, pattern in (([], "which job"), (["1", "2"], "one job at a time"), (["x"], "x is not a job ID"), (["-x"], "invalid option")):
        done = maui.run("why", *words)
        harness.check_refused(done, pattern)


def test_names_cannot_command_the_terminal(maui):
    queue = wd.queue(wd.job(17, reason="Priority"), wd.job(18, user="\x1b]0;evil\x07", priority=999))
    done, _ = _ask(maui, queue, {name: harness.evil(data) for name, data in wd.engine().items()}, "17")
    harness.check_code(done, 0)
    if b"\x1b" in done.stdout or b"\x07" in done.stdout:
        raise harness.Failure("control characters in the output")


def test_odd_data_is_no_crash(maui):
    """Queues and answers with a member that is something else: some hundreds, sampled."""
    whole = wd.queue(wd.job(17, features="fast", licenses="a:1", dependency="afterok:12(unfulfilled)",
                            required_nodes="n[1-2]", excluded_nodes="n3"),
                     reservations=[wd.reservation("night.inf", "n1", cores=[{"node": "n1", "cores": "0-1"}])])
    whole["jobs"], whole["nodes"] = [whole["jobs"][0], whole["jobs"][-1]], whole["nodes"][:2]
    answers = wd.blocks("limit", "x", level="hard", limit=wd.limit())
    answers["explain-reservations"] = wd.admission(wd.entry("night.inf", "n1"))
    for name in ("17", "11"):
        changes = list(harness.odd(whole))
        for changed in changes[::max(1, len(changes) // 60)]:
            done, _ = _ask(maui, changed, answers, name)
            if done.returncode not in (0, 2, 5):
                raise harness.Failure(f"exit code {done.returncode} for {changed}: {harness.text_of(done)}")
        for command, data in answers.items():
            changes = list(harness.odd(data))
            for changed in changes[::max(1, len(changes) // 20)]:
                done, _ = _ask(maui, whole, answers | {command: changed}, name)
                if done.returncode != 0:
                    raise harness.Failure(f"exit code {done.returncode} for {changed}: {harness.text_of(done)}")
