# SPDX-License-Identifier: GPL-2.0-or-later
"""maui check beside a Slurm that is none: what slurm.conf contradicts, and names that Slurm does not know. Beside a real
one it is testsuite/scenarios/test_check.py's."""

import json

import cli_harness as harness
import fake_slurm as fs

pytestmark = fs.ITS_SLURM

MACHINE = {
    "nodes": [{"name": f"n{i}", "cpus": 4, "real_memory": 1000, "features": "fast,big"} for i in (1, 2)],
    "partitions": [{"name": "batch", "max_time": 60}, {"name": "long", "max_time": fs.INFINITE}],
}
QUIET = {"SchedulerParameters": "bf_min_prio_reserve=2", "PriorityWeightAge": "1"}
UNCHECKED = "not checked: whether Slurm has"


def _check(maui, policy, conf=None, **records):
    """The warnings, as (line, text), and the notes."""
    with fs.Slurm(conf=conf, policy=policy, **(MACHINE | records)) as slurm:
        done = slurm.run(maui, "check", "--json", str(slurm.path("maui.cfg")))
        default = slurm.run(maui, "check", "--json")
    harness.equal(default.stdout, done.stdout, "the file that slurm.conf names")
    found = json.loads(done.stdout)
    harness.check_code(done, 2 if found["errors"] else 1 if found["problems"] else 0)
    return [(one["line"], one["text"]) for one in found["problems"]], found["notes"]


def _expect(found, line, text):
    if not any(at == line and text in each for at, each in found):
        raise harness.Failure(f"nothing in line {line} says {text!r}: {found}")


def _warns(maui, cases):
    """(policy, slurm.conf, records, what line 1 says; None: nothing at all)"""
    for policy, conf, records, text in cases:
        found, _ = _check(maui, policy, QUIET | conf, **records)
        if text:
            _expect(found, 1, text)
        else:
            harness.equal(found, [], (policy, conf))


def test_names_of_the_machine_are_slurms(maui):
    no_nodes = "Slurm does not have 2 of the 3 nodes, the first is m2: NodeName=... in slurm.conf"
    _warns(maui, (
        ("CLASSCFG[gone] MAXJOB=1", {}, {}, "CLASSCFG[gone]: Slurm has no partition gone; the line affects no job"),
        ("CLASSCFG[batch] MAXJOB=1", {}, {}, None),
        ("CLASSCFG[DEFAULT] MAXJOB=1", {}, {}, None),
        ("QUEUETIMEWEIGHT[nowhere] 2", {}, {}, "QUEUETIMEWEIGHT[nowhere]: Slurm has no partition nowhere"),
        ("NODECFG[m9] SPEED=2", {}, {}, "NODECFG[m9]: Slurm has no node m9; the line has no effect"),
        ("NODECFG[DEFAULT] SPEED=2", {"PluginDir": None}, {}, "PluginDir="),
        ("NODECFG[m[1-3]] SPEED=2", {}, {"nodes": [{"name": "m1", "cpus": 1}]}, no_nodes)))


def test_gres_are_those_of_nodes_types_and_licenses(maui):
    conf = QUIET | {"GresTypes": "gpu,tape", "Licenses": "matlab:2"}
    nodes = {"nodes": [{"name": "n1", "cpus": 4, "gres": "gpu:a100:4,gpu:1g.5gb:7,fs:no_consume:4G,bw:lustre:no_consume:4G"}]}
    missing = "MAXGRES[{0}]: Slurm has no GRES {0}: GresTypes and Gres=... of the nodes, or Licenses, in slurm.conf"
    unchecked = "MAXGRES[{0}]: not checked: whether Slurm has a GRES {0} "
    remote = "(remote licenses are slurmdbd's)"
    for name, records, code, text in (
            *((name, {}, 0, None) for name in ("gpu", "gpu:a100", "gpu:1g.5gb", "tape", "license:matlab", "fs", "bw", "bw:lustre")),
            *((name, {}, 2, missing) for name in ("gpux", "gpu:h100", "GPU", "license:matlap", "fs:no_consume")),
            ("license:x@db", {}, 1, unchecked + remote),
            ("gpu", {"errors": {"nodes": 2002}}, 1, unchecked + "(cannot ask Slurm for its configuration, nodes and partitions: ")):
        with fs.Slurm(conf=conf, policy=f"USERCFG[root] MAXGRES[{name}]=2\n", **(MACHINE | nodes | records)) as slurm:
            done = slurm.run(maui, "check", "--json")
        found = [one["text"] for one in json.loads(done.stdout)["problems"]]
        harness.check_code(done, code)
        harness.equal([one.startswith(text.format(name)) for one in found] if text else found, [True] if text else [], (name, found))


def test_limits_are_measured_by_the_machine(maui):
    none = "has no effect: nothing can reach"
    _warns(maui, (
        ("USERCFG[root] MAXPROC=9", {}, {}, f"USERCFG[root]: MAXPROC {none} 9 processors, as Slurm has 8"),
        ("USERCFG[root] MAXPROC=8", {}, {}, None),
        ("SYSCFG MAXNODE=3", {}, {}, f"SYSCFG: MAXNODE {none} 3 nodes, as Slurm has 2"),
        ("SYSTEMMAXPROCPERJOB 9", {}, {}, f"SYSTEMMAXPROCPERJOB {none} 9 processors"),
        ("CLASSCFG[batch] MAX.WCLIMIT=2:00:00", {}, {}, "with EnforcePartLimits=NO what is longer waits forever"),
        ("CLASSCFG[batch] MAX.WCLIMIT=2:00:00", {"EnforcePartLimits": "ALL"}, {}, "EnforcePartLimits=ALL sbatch refuses"),
        ("CLASSCFG[batch] MAX.WCLIMIT=2:00:00", {"EnforcePartLimits": "ANY"}, {}, "EnforcePartLimits=ANY sbatch refuses"),
        ("CLASSCFG[batch] MAX.WCLIMIT=1:00:00", {}, {}, None),
        ("CLASSCFG[long] MAX.WCLIMIT=99:00:00:00", {}, {}, None)))


def test_the_share_tree_needs_associations(maui):
    tree = "FSTREEWEIGHT 1000\nFSWEIGHT 1\n"
    nothing = ("FSTREEWEIGHT has no effect: AccountingStorageType in slurm.conf is not "
               "accounting_storage/slurmdbd, so Slurm has no associations")
    database = {"AccountingStorageType": "accounting_storage/slurmdbd"}
    for policy, conf, problems, noted in (
            (tree, {}, [(1, nothing)], True),
            (tree.replace("FSTREEWEIGHT", "FSTREEWEIGHT[batch]"), {}, [(1, nothing)], True),
            (tree, database, [], True),
            (tree, database | {"AccountingStorageEnforce": "associations"}, [], False),
            ("QUEUETIMEWEIGHT 1\nFSTREEWEIGHT 0\n", {}, [], False)):
        found, notes = _check(maui, policy, QUIET | conf)
        harness.equal(found, problems, (policy, conf))
        harness.equal(any(note.startswith("FSTREEWEIGHT counts 0 for jobs without an association") for note in notes),
                      noted, (policy, conf, notes))


def test_a_limit_needs_a_scheduler_that_passes_jobs(maui):
    few = "bf_min_prio_reserve=2,"
    limit = "USERCFG[root] MAXJOB=1"
    builtin = {"SchedulerType": "sched/builtin"}
    _warns(maui, (
        (limit, {}, {}, None),
        (limit, {"SchedulerParameters": None}, {}, "MAXJOB: SchedulerParameters in slurm.conf lacks bf_min_prio_reserve=2"),
        (limit, {"SchedulerParameters": few + "default_queue_depth=5"}, {"pending": 7},
         "default_queue_depth=5 in slurm.conf is low: a pass looks at only that many jobs, including those over a limit "
         "(7 jobs wait now); write default_queue_depth=200 or more"),
        (limit, {"SchedulerParameters": few + "BF_MAX_JOB_TEST=10"}, {}, "bf_max_job_test=10 in slurm.conf is low"),
        (limit, {}, {"pending": 101}, "default_queue_depth=100 in slurm.conf is low"),
        (limit, {}, {"pending": 101, "errors": {"statistics": 2002}}, None),
        (limit, builtin, {}, "MAXJOB: SchedulerType=sched/builtin in slurm.conf: nothing passes the first job"),
        ("BACKFILLPOLICY FIRSTFIT", builtin, {}, "BACKFILLPOLICY: SchedulerType=sched/builtin"),
        ("USERCFG[root] FSTARGET=10%", {"SchedulerParameters": None}, {}, "lacks bf_min_prio_reserve=2"),
        # As slurmctld takes them: out of range is the default, and a bound of 2^32 none.
        (limit, {"SchedulerParameters": "bf_min_prio_reserve=4294967296"}, {}, "lacks bf_min_prio_reserve=2"),
        (limit, {"SchedulerParameters": "bf_min_prio_reserve=99999999999"}, {}, None),
        (limit, {"SchedulerParameters": few + "bf_max_job_test=0,default_queue_depth=-1"}, {}, None),
        (limit, {"SchedulerParameters": few + "bf_max_job_test=2000000"}, {"pending": 501},
         "bf_max_job_test=500 in slurm.conf is low"),
        (limit, {"SchedulerParameters": few + "bf_interval=-1"}, {},
         "MAXJOB: SchedulerParameters=bf_interval=-1 in slurm.conf turns backfill off: nothing passes the first job"),
        (limit, {"SchedulerParameters": few + "bf_interval=-2"}, {}, None),
        ("USERCFG[root] FSTARGET=10\nFSPOLICY DEDICATEDPS\nFSWEIGHT 1\nFSUSERWEIGHT 1", {"SchedulerParameters": None}, {}, None)))


def test_node_policies_need_our_select_plugin_first(maui):
    line = "NODEALLOCATIONPOLICY PRIORITY"
    conf = {"PluginDir": f"{{directory}}/ours:{fs.PLUGINS}"}
    for content, text in ((b"... libslurm_maui.so ...", None), (b"stock", "select_cons_tres.so first, which is not"),
                          (None, "select_cons_tres.so first, which is not")):
        with fs.Slurm(conf=QUIET | conf, policy=line, **MACHINE) as slurm:
            slurm.path("ours").mkdir()
            if content:
                slurm.path("ours", "select_cons_tres.so").write_bytes(content)
            done = slurm.run(maui, "check", "--json", str(slurm.path("maui.cfg")))
            found = [one["text"] for one in json.loads(done.stdout)["problems"]]
        harness.equal([text in one for one in found] if text else found, [True] if text else [], content)
    _warns(maui, (
        (line, {"SelectType": "select/linear", "SelectTypeParameters": "CR_Memory"}, {},
         "NODEALLOCATIONPOLICY: SelectType=select/linear in slurm.conf: nodes are chosen by Slurm alone"),
        (line, {"SelectTypeParameters": "CR_Core,CR_LLN"}, {}, "SelectTypeParameters in slurm.conf has CR_LLN"),
        ("SRCFG[x] HOSTLIST=n1 USERLIST=root", {"SelectType": "select/linear", "SelectTypeParameters": "CR_Memory"}, {},
         "SelectType=select/linear")))


def test_from_25_05_on_the_select_plugin_has_a_name_of_its_own(maui):
    """Nothing of Slurm's comes before it in PluginDir."""
    line = "NODEALLOCATIONPOLICY PRIORITY"
    own, shadow = {"SelectType": "select/cons_tres_maui"}, {"SelectType": "select/cons_tres"}
    before = {"SelectType": "select/maui"}  # its earlier name
    alone = "in slurm.conf: nodes are chosen by Slurm alone, and reservations admit nobody by their lists; write SelectType="
    _warns(maui, (
        *((line, conf, _runs(version), None) for conf in (own, before)
          for version in ("25.05.0-0rc1", "25.05.8", "25.11.7", "26.05.3")),
        *((line, shadow, _runs(version), f"SelectType=select/cons_tres {alone}select/cons_tres_maui")
          for version in ("25.05.0-0rc1", "25.05.8", "25.11.7", "26.05.3")),
        *((line, conf, _runs(version), f"SelectType={conf['SelectType']} {alone}select/cons_tres")
          for conf in (own, before) for version in ("22.05.8", "23.11.11", "24.11.5"))))


def test_a_slurm_of_no_known_release_is_not_judged(maui):
    for conf in ("select/cons_tres_maui", "select/cons_tres", "select/linear"):
        found, notes = _check(maui, "NODEALLOCATIONPOLICY PRIORITY", QUIET | {"SelectType": conf}, **_runs("?"))
        harness.equal(found, [], conf)
        if f"not checked: SelectType={conf} in slurm.conf (slurmctld does not say which release it is)" not in notes:
            raise harness.Failure(f"no note of it: {notes}")


def _runs(version):
    return {"running": {"version": version}}


def test_a_plugin_directory_of_another_host_is_not_judged(maui):
    """slurmctld's PluginDir may not be here."""
    _, notes = _check(maui, "NODEACCESSPOLICY SHARED", running={"version": "24.11.5", "plugindir": "/nonexistent/slurm"})
    if not any("(this host has no select_cons_tres.so there)" in note for note in notes):
        raise harness.Failure(f"no note of it: {notes}")


def test_what_reservations_take_is_told(maui):
    """^n[0-13] is an expression: 0 to 1, or 3."""
    lines = ["SRCFG[trap] HOSTLIST=^n[0-13] USERLIST=root", "SRCFG[both] HOSTLIST=n TASKCOUNT=1 USERLIST=root",
             "SRCFG[none] HOSTLIST=m1 TASKCOUNT=1 USERLIST=root", "SRCFG[any] TASKCOUNT=1 USERLIST=root",
             "SRCFG[odd] TASKCOUNT=1 NODEFEATURES=slow PARTITION=gone USERLIST=root",
             "SRCFG[less] HOSTLIST=ALL EXCLUDEHOSTLIST=n2 USERLIST=root",
             "SRCFG[nil] HOSTLIST=n1 EXCLUDEHOSTLIST=n USERLIST=root",
             "SRCFG[not] TASKCOUNT=1 EXCLUDEHOSTLIST=n7 USERLIST=root"]
    found, notes = _check(maui, "\n".join(lines))
    harness.equal([note for note in notes if note.startswith("SRCFG[")], [
        "SRCFG[trap]: HOSTLIST takes 1 node: n1", "SRCFG[both]: HOSTLIST takes 2 nodes: n[1-2]",
        "SRCFG[none]: HOSTLIST takes no node",
        "SRCFG[less]: HOSTLIST without EXCLUDEHOSTLIST takes 1 node: n1",
        "SRCFG[less]: EXCLUDEHOSTLIST leaves out 1 node: n2",
        "SRCFG[nil]: HOSTLIST without EXCLUDEHOSTLIST takes no node",
        "SRCFG[nil]: EXCLUDEHOSTLIST leaves out 2 nodes: n[1-2]",
        "SRCFG[not]: EXCLUDEHOSTLIST leaves out no node"], "notes")
    _expect(found, 8, "EXCLUDEHOSTLIST: no node is n7")
    _expect(found, 5, "slow")


NAMES = """\
ACCOUNTCFG[physics] MAXJOB=5
ACCOUNTCFG[alchemy] MAXJOB=5
QOSCFG[normal] MAXJOB=5
QOSCFG[gold] MAXJOB=5
SYSCFG QLIST=normal,silver&
USERCFG[root] QDEF=bronze
GROUPCFG[root] QLIST=DEFAULT,&normal QDEF=normal
"""
DATABASE = {"AccountingStorageType": "accounting_storage/slurmdbd", "AccountingStorageEnforce": "associations,qos"} | QUIET
ENFORCED = {"accounts": ["physics", None], "qos": ["normal"]}


def test_accounts_and_qos_are_those_of_slurmdbd(maui):
    found, notes = _check(maui, NAMES, DATABASE, **ENFORCED)
    harness.equal([line for line, _ in found], [2, 4, 5, 6], found)
    _expect(found, 2, "ACCOUNTCFG[alchemy]: Slurm has no account alchemy; the line affects no job: sacctmgr add account")
    _expect(found, 4, "QOSCFG[gold]: Slurm has no QOS gold")
    _expect(found, 5, "SYSCFG: QLIST: Slurm has no QOS silver: sacctmgr add qos silver")
    _expect(found, 6, "USERCFG[root]: QDEF: Slurm has no QOS bronze")
    harness.equal([note for note in notes if note.startswith("not checked")], [], "notes")


def test_what_slurmdbd_does_not_tell_is_not_judged(maui):
    for conf, records, reason in (
            ({"AccountingStorageType": None}, {}, "without slurmdbd it has none"),
            ({}, {"errors": {"slurmdbd": 7000}}, "cannot ask Slurm for its accounts and QOS"),
            ({}, {"accounts": ["physics"], "errors": {"qos": 7000}}, "cannot ask Slurm for its accounts and QOS")):
        found, notes = _check(maui, NAMES, DATABASE | conf, **records)
        harness.equal([text for _, text in found if "Slurm has no" in text], [], "findings")
        if not any(note.startswith(f"{UNCHECKED} the accounts, QOS that the file names ({reason}") for note in notes):
            raise harness.Failure(f"no note of {reason}: {notes}")


def test_a_slurm_that_refuses_leaves_all_names_unchecked(maui):
    """partitions and nodes, too; the rest of the file is judged."""
    policy = "CLASSCFG[gone] MAXJOB=1\nNODECFG[m9] SPEED=1\nQUEUETIMEWEIGHT[x] 1\nUSERCFG[no_such_user] MAXJOB=1\n"
    for errors in ({"nodes": 2002}, {"partitions": 2002}):
        found, notes = _check(maui, policy, QUIET, errors=errors)
        harness.equal([line for line, _ in found], [4], found)
        if f"{UNCHECKED} the partitions, nodes that the file names" not in notes:
            raise harness.Failure(f"no note of it: {notes}")


def test_what_must_be_enforced_is_named(maui):
    found, _ = _check(maui, "ACCOUNTCFG[a] MAXJOB=1\nQOSCFG[q] MAXJOB=1\n", QUIET)
    _expect(found, 1, "AccountingStorageEnforce in slurm.conf lacks associations, so users may give their jobs any account")
    _expect(found, 2, "AccountingStorageEnforce in slurm.conf lacks qos, so users may give their jobs any QOS")


def test_owners_need_a_slurm_that_preempts(maui):
    owner = "SRCFG[own] HOSTLIST=n1 USERLIST=root FLAGS=OWNERPREEMPT"
    preempts = {"PreemptType": "preempt/maui"}
    _warns(maui, (
        (owner, {}, {}, "SRCFG[own]: "),
        (owner, preempts | {"PreemptMode": "GANG,SUSPEND"}, {}, "SRCFG[own]: ")))
    found, _ = _check(maui, owner, QUIET | preempts | {"PreemptMode": "REQUEUE"})
    harness.equal([text for _, text in found if "SRCFG[own]: " in text and "preempt" in text.lower()], [], "with preempt/maui")


def test_reservations_of_different_owners_that_can_meet_are_named(maui):
    """Whichever comes first in the file, and not where or when they cannot."""
    conf = QUIET | {"PreemptType": "preempt/maui", "PreemptMode": "REQUEUE"}
    takes = "SRCFG[{}] USERLIST=root OWNER=USER:{} FLAGS=OWNERPREEMPT PERIOD={} {}\n"
    has = "SRCFG[{}] USERLIST=root OWNER=USER:{} PERIOD={} {}\n"
    morning, noon = "STARTTIME=8:00:00 ENDTIME=9:00:00", "STARTTIME=9:00:00 ENDTIME=10:00:00"
    both, late = "STARTTIME=8:30:00 ENDTIME=11:00:00", "STARTTIME=23:00:00 ENDTIME=33:00:00"
    for first, second, place in (
            (takes.format("a", "root", "INFINITY", "HOSTLIST=n1"), has.format("b", "daemon", "INFINITY", "HOSTLIST=n[1-2]"), "n1"),
            (has.format("a", "root", "INFINITY", "HOSTLIST=n1"), takes.format("b", "daemon", "INFINITY", "HOSTLIST=n[1-2]"), "n1"),
            (has.format("a", "root", "INFINITY", "HOSTLIST=n1"), has.format("b", "daemon", "INFINITY", "HOSTLIST=n[1-2]"), None),
            (takes.format("a", "root", "INFINITY", "HOSTLIST=n1"), takes.format("b", "root", "INFINITY", "HOSTLIST=n1"), None),
            (takes.format("a", "root", "INFINITY", "HOSTLIST=n1"), takes.format("b", "daemon", "INFINITY", "HOSTLIST=n2"), None),
            (takes.format("a", "root", "INFINITY", "HOSTLIST=n1"), takes.format("b", "daemon", "INFINITY", "TASKCOUNT=1 ACCESS=SHARED"), "some node"),
            (takes.format("a", "root", "DAY", f"HOSTLIST=n1 {morning}"), takes.format("b", "daemon", "DAY", f"HOSTLIST=n1 {noon}"), None),
            (takes.format("a", "root", "DAY", f"HOSTLIST=n1 {morning}"), takes.format("b", "daemon", "DAY", f"HOSTLIST=n1 {both}"), "n1"),
            (takes.format("a", "root", "DAY", f"HOSTLIST=n1 {morning}"), takes.format("b", "daemon", "DAY", f"HOSTLIST=n1 {late}"), "n1"),
            (takes.format("a", "root", "DAY", "HOSTLIST=n1 DAYS=MON"), takes.format("b", "daemon", "DAY", "HOSTLIST=n1 DAYS=SAT,SUN"), None),
            (takes.format("a", "root", "DAY", "HOSTLIST=n1 DAYS=MON,SAT"), takes.format("b", "daemon", "WEEK", "HOSTLIST=n1"), "n1")):
        found, _ = _check(maui, first + second, conf)
        words = [text for _, text in found if "can meet" in text]
        wanted = f"SRCFG[a] and SRCFG[b] can meet on {place}: their owners do not take it back from each other"
        harness.equal(words, [wanted] if place else [], first + second)


def test_names_that_nobody_knows_are_errors_where_slurm_conf_says_so(maui):
    text = "QUEUETIMEWEIGHT 1\nFSUSERWIEGHT 10\nUSERCFG[root] MAXJOBS=8\n"
    for word, errors in (("error", 1), ("ERROR", 1), ("warning", 0)):
        found, _ = _check(maui, text, QUIET | {"PriorityParameters": f"maui_unknown={word}"})
        harness.equal(len([one for _, one in found if "slurmctld refuses the file" in one]), errors, (word, found))
    found, _ = _check(maui, "QUEUETIMEWEIGHT 1\nSIMTIME 1\n", QUIET | {"PriorityParameters": "maui_unknown=error"})
    harness.equal([one for _, one in found if "refuses" in one], [], "a name that is known")


def test_what_slurm_conf_hides_is_noted(maui):
    for conf, text in (
            ({"PriorityType": "priority/multifactor"}, "Slurm runs with PriorityType=priority/multifactor: policies of"),
            ({"PriorityWeightAge": "1", "PriorityWeightQOS": "1"},
             "plain sprio hides ASSOC, FAIRSHARE, JOBSIZE, PARTITION: their PriorityWeight"),
            ({"JobAcctGatherType": "jobacct_gather/none"}, "FSPOLICY UTILIZEDPS counts what jobs hold: with JobAcctGatherType"),
            ({"JobAcctGatherType": "jobacct_gather/linux", "SlurmctldParameters": "enable_configless,enable_stepmgr"},
             "FSPOLICY UTILIZEDPS counts what jobs hold: with SlurmctldParameters=enable_stepmgr")):
        _, notes = _check(maui, "FSPOLICY UTILIZEDPS\n", conf)
        if not any(note.startswith(text) for note in notes):
            raise harness.Failure(f"no {text!r} in {notes}")
