# SPDX-License-Identifier: GPL-2.0-or-later
"""maui replay: traces are read, scheduled anew, and told of."""

import csv
import gzip
import json
import lzma
import pathlib
import re
import tempfile
import xml.etree.ElementTree as xml

import cli_harness as harness

SMALL = harness.FIXTURES / "replay/small.swf"
KTH = harness.HERE.parents[2] / "shared/traces/kth-sp2-1996-first-14000.swf"


def _replay(maui, *arguments):
    done = maui.run("replay", *arguments, cwd=SMALL.parent)
    harness.check_code(done, 0)
    return done


def _json(maui, *arguments):
    return json.loads(_replay(maui, "--json", *arguments).stdout)


def _with(text, name="trace.swf"):
    directory = tempfile.TemporaryDirectory()
    path = pathlib.Path(directory.name) / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return directory, path


def test_schedulers_are_compared(maui):
    done = _replay(maui, "--scheduler=fcfs", "--scheduler=easy", "--scheduler=sjbf", "small.swf")
    harness.check_errors(done, None)
    harness.check_golden(done, "replay.presets.out")


def test_as_json_it_is_the_same(maui):
    done = _replay(maui, "--json", "--scheduler=fcfs", "--scheduler=easy", "small.swf")
    harness.check_golden(done, "replay.presets.json")


def test_files_are_compared_and_the_first_with_the_record(maui):
    done = _replay(maui, "--config=today.cfg", "--config=tomorrow.cfg", "small.swf")
    harness.check_errors(done, None)
    harness.check_golden(done, "replay.files.out")


def test_files_are_compared_as_json(maui):
    done = _replay(maui, "--json", "--config=today.cfg", "--config=tomorrow.cfg", "--scheduler=easy", "small.swf")
    harness.check_golden(done, "replay.files.json")


def test_a_file_is_replayed_the_same_each_time(maui):
    once, again = (_replay(maui, "--json", "--config=tomorrow.cfg", "small.swf").stdout for _ in range(2))
    harness.equal(once, again, "the report")


STOCK = ("--slurm-conf=stock.conf", "--associations=stock.associations", "--qos=stock.qos")


def test_slurms_own_policy_is_compared_with_the_record_and_its_import(maui):
    done = _replay(maui, "--scheduler=multifactor", "--config=stock.cfg", *STOCK, "stock.txt")
    harness.check_golden(done, "replay.stock.out")


def test_slurms_own_policy_as_json(maui):
    data = _json(maui, "--scheduler=multifactor", *STOCK, "stock.txt")
    stock, = data["schedules"]
    harness.equal(stock["name"], "multifactor", "the name")
    harness.equal(stock["policy"]["unassociated"], 0, "all users have an association")
    assert stock["policy"]["held_back"] > 0, "limits hold"
    rules = {(row["rule"], row["holder_type"], row["holder"]) for row in stock["held"]}
    assert ("GrpTRES cpu", "account", "b") in rules and ("MaxJobsPU", "qos", "high") in rules, rules
    assert "MaxSubmitPU=5 of QOS high" in data["not_included"], data["not_included"]
    without = _json(maui, "--scheduler=multifactor", "--slurm-conf=stock.conf", "stock.txt")
    harness.equal(without["schedules"][0]["policy"]["unassociated"], without["jobs"], "jobs without an association")
    harness.equal(without["schedules"][0]["policy"]["held_back"], 0, "jobs that limits hold")
    for file in ("--associations=FILE", "--qos=FILE"):
        assert any(file in what for what in without["not_included"]), without["not_included"]


def test_priorities_are_written(maui):
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "priorities"
        _replay(maui, "--scheduler=multifactor", *STOCK, f"--priorities={path}", "stock.txt")
        with path.open() as file:
            rows = [(int(row["time"]), int(row["job"]), int(row["priority"])) for row in csv.DictReader(file)]
        _replay(maui, "--config=stock.cfg", *STOCK, f"--priorities={path}", "stock.txt")
        assert path.read_text().startswith("time,job,priority\n"), "a maui.cfg's, too"
    harness.equal([time for time, _, _ in rows], sorted(time for time, _, _ in rows), "the order")
    # The first job of bin: 10000 of fairshare, 2000 of its QOS, and its part of 500 for its size.
    harness.equal(len({job for _, job, _ in rows}), 80, "jobs")
    assert all(priority >= 1 for _, _, priority in rows), "priorities"


def test_fstreeweight_counts_the_shares_of_associations(maui):
    base = (SMALL.parent / "today.cfg").read_text()
    directory, path = _with(base + "FSWEIGHT 1\nFSTREEWEIGHT 100000\n", "tree.cfg")
    with directory:
        without = _json(maui, f"--config={path}", "--slurm-conf=stock.conf", "stock.txt")
        counted = _json(maui, f"--config={path}", *STOCK, "stock.txt")
    missing = "FSTREEWEIGHT: a replay has no shares and no usage of Slurm's, so it adds 0 to each priority"
    assert missing in without["not_included"] and missing not in counted["not_included"], counted["not_included"]
    assert "FSTREEWEIGHT: associations begin without usage" in counted["not_included"], counted["not_included"]
    assert without["schedules"][0]["wait"] != counted["schedules"][0]["wait"], "the shares matter"


def test_slurms_own_policy_that_cannot_be_is_refused(maui):
    base = (SMALL.parent / "stock.conf").read_text()
    for text, options, says in (
        (None, ("--scheduler=multifactor",), "need --slurm-conf"),
        (None, ("--associations=stock.associations",), "need --slurm-conf"),
        (None, ("--qos=stock.qos",), "need --slurm-conf"),
        (None, ("--priorities=x",), "--priorities are of --config or --scheduler=multifactor"),
        (None, ("--scheduler=multifactor", "--slurm-conf=stock.conf", "--associations=nothing"), "nothing: cannot be read"),
        (None, ("--scheduler=multifactor", "--slurm-conf=stock.conf", "--associations=stock.qos"), "stock.qos:1:1: a line begins with"),
        (None, ("--scheduler=multifactor", "--slurm-conf=stock.conf", "--qos=stock.txt"), "stock.txt:1:1: this is not what"),
        (None, ("--scheduler=multifactor", "--slurm-conf=stock.conf", "--sweep=FSWEIGHT=1,2"), "--sweep wants one --config"),
        ("PriorityType=priority/basic\n", (), ":14:14: PriorityType=priority/basic"),
        ("PriorityDecayHalfLife=0\n", (), ":14:23: 0 needs a PriorityUsageResetPeriod"),
        ("PriorityCalcPeriod=0\n", (), ":14:20: this is at least one minute"),
        ("PriorityUsageResetPeriod=HOURLY\n", (), ":14:26: this is NONE, NOW, DAILY"),
        ("PartitionName=x Nodes=n1 TRESBillingWeights=cpu\n", (), ":14:45: this is not TRES=WEIGHT"),
    ):
        directory, path = _with(base + (text or ""), "slurm.conf")
        with directory:
            if text:
                options = ("--scheduler=multifactor", f"--slurm-conf={path}")
            done = maui.run("replay", *options, "stock.txt", cwd=SMALL.parent)
        harness.check_refused(done, re.escape(says))


SWEEP = ("--config=tomorrow.cfg", "--sweep=FSWEIGHT=0,10,1000", "--sweep=QUEUETIMEWEIGHT=1,50")


def test_a_sweep_ranks_all_combinations(maui):
    done = _replay(maui, *SWEEP, "small.swf")
    harness.check_errors(done, None)
    harness.check_golden(done, "replay.sweep.out")
    harness.check_golden(_replay(maui, "--json", *SWEEP, "--rank-by=utilisation", "small.swf"), "replay.sweep.json")


def test_the_share_tree_is_said_to_be_missing_where_it_has_a_weight(maui):
    base = (SMALL.parent / "tomorrow.cfg").read_text()
    missing = "FSTREEWEIGHT: a replay has no shares and no usage of Slurm's, so it adds 0 to each priority"
    for lines, options, said in (("", (), False), ("FSWEIGHT 1\nFSTREEWEIGHT 9\n", (), True),
                                 ("FSWEIGHT 0\nFSTREEWEIGHT 9\n", (), False),
                                 ("FSWEIGHT 1\nFSTREEWEIGHT[1] 9\n", (), True),
                                 ("", ("--sweep=FSTREEWEIGHT=0,9",), True), ("", ("--sweep=FSTREEWEIGHT[1]=0,9",), True),
                                 ("FSWEIGHT 0\nFSTREEWEIGHT 9\n", ("--sweep=FSWEIGHT=0,9",), True),
                                 ("", ("--sweep=FSWEIGHT=0,9",), False)):
        directory, path = _with(base + lines, "tree.cfg")
        with directory:
            data = _json(maui, f"--config={path}", *options, "small.swf")
            done = _replay(maui, f"--config={path}", *options, "small.swf")
        harness.equal(missing in data["not_included"], said, (lines, options, data["not_included"]))
        harness.equal(b"FSTREEWEIGHT: a replay" in done.stdout, said, options)


def test_each_run_of_a_sweep_is_that_of_its_file(maui):
    """The best first, by the figure that was asked for."""
    runs = _json(maui, *SWEEP, "--rank-by=wait", "small.swf")["runs"]
    waits = [run["wait"]["mean"] for run in runs]
    harness.equal(waits, sorted(waits), "the order")
    harness.equal(sorted(tuple(run["settings"].values()) for run in runs),
                  sorted((a, b) for a in ("0", "10", "1000") for b in ("1", "50")), "the combinations")
    base = (SMALL.parent / "tomorrow.cfg").read_text()
    for run in runs:
        lines = "".join(f"{key} {value}\n" for key, value in run["settings"].items())
        directory, path = _with(base + lines, "one.cfg")
        with directory:
            alone = _json(maui, f"--config={path}", "small.swf")["schedules"][0]
        for figure in ("wait", "bounded_slowdown", "flow", "utilisation", "never", "backfilled"):
            harness.equal(run[figure], alone[figure], f"{run['settings']} {figure}")


def test_sweeps_that_cannot_be_are_refused(maui):
    for options, says in (
        (("--sweep=FSWEIGHT",), "PARAMETER=VALUE,VALUE,..."),
        (("--sweep=FSWEIGT=1,2",), "no parameter FSWEIGT"),
        (("--sweep=FSWEIGHT=1,,2",), "a value is empty"),
        (("--sweep=FSWEIGHT=1", "--sweep=fsweight=2"), "fsweight a second time"),
        (("--sweep=FSWEIGHT=1,x",), "FSWEIGHT"),
        (("--sweep=FSWEIGHT=" + ",".join(map(str, range(200))), "--sweep=RESWEIGHT=" + ",".join(map(str, range(51)))),
         "10200 combinations, more than 10000"),
        (("--sweep=FSWEIGHT=1", "--scheduler=easy"), "--sweep wants one --config"),
        (("--sweep=FSWEIGHT=1", "--jobs=x"), "--sweep wants one --config"),
        (("--sweep=FSWEIGHT=1", "--html=x"), "--sweep wants one --config"),
        (("--rank-by=wait",), "--rank-by is of --sweep"),
        (("--sweep=FSWEIGHT=1", "--rank-by=luck"), "--rank-by=luck: there are wait wait-median .* never"),
    ):
        harness.check_refused(
            maui.run("replay", "--config=tomorrow.cfg", *options, "small.swf", cwd=SMALL.parent), says)


JITTER = ("--jitter=8", "--jitter-span=60", "--config=today.cfg", "--config=tomorrow.cfg", "small.swf")


def test_shaken_runs_are_the_same_for_the_same_seed(maui):
    once, again, other = (_json(maui, *seed, *JITTER)["jitter"] for seed in ((), ("--seed=1",), ("--seed=2",)))
    harness.equal(once, again, "two times seed 1")
    if other["schedules"] == once["schedules"]:
        raise harness.Failure("another seed makes no difference")
    harness.equal((once["runs"], once["span"], once["seed"]), (8, 60, 1), "the runs")
    for schedule in once["schedules"]:
        for name, figure in schedule.items():
            if not figure["low"] - 1e-9 <= figure["mean"] <= figure["high"] + 1e-9:
                raise harness.Failure(f"{name}: {figure}")
    harness.equal({figure["better"] for figure in once["schedules"][0].values()}, {0}, "better than itself")
    if not once["schedules"][0]["wait"]["low"] < once["schedules"][0]["wait"]["high"]:
        raise harness.Failure("shaking makes no difference")
    harness.equal(_json(maui, *JITTER[2:])["jitter"], None, "without --jitter")


def test_intervals_are_in_the_table_and_on_the_page(maui):
    harness.check_golden(_replay(maui, *JITTER), "replay.jitter.out")
    data, (tree, _) = _json(maui, *JITTER)["jitter"], _page(maui, *JITTER)
    rows = tree.findall(".//section[@id='jitter']//tbody/tr")
    wait = data["schedules"][1]["wait"]
    harness.equal([cell.text for cell in rows[1].findall("td")][2:],
                  [*(harness.duration(wait[of]) for of in ("mean", "low", "high")), str(wait["better"])],
                  "the wait under the second file")


def test_progress_is_told_if_it_is_asked_for(maui):
    for options, what in ((JITTER, "--jitter"), ((*SWEEP, "small.swf"), "--sweep"), (("--config=today.cfg", "small.swf"), "today.cfg")):
        harness.check_errors(_replay(maui, *options), None)
        said = _replay(maui, "--progress", *options).stderr.decode()
        lines = [line for line in said.splitlines() if re.fullmatch(rf"{what}: \d+ %, \d+ s to go", line)]
        if not lines:
            raise harness.Failure(f"no progress of {what} in {said}")


def test_shaking_that_cannot_be_is_refused(maui):
    for option, says in (("--jitter=0", "runs are a number from 1 to 10000"), ("--jitter-span=x", "seconds are a number from 1"),
                         ("--seed=-1", "a seed is a number from 1")):
        harness.check_refused(maui.run("replay", option, SMALL), says)
    harness.check_refused(maui.run("replay", "--config=tomorrow.cfg", "--sweep=FSWEIGHT=1", "--jitter=2", "small.swf", cwd=SMALL.parent),
                          "--sweep wants one --config")
    for options in (("--nodes=4x16", "small.swf"), ("--sinfo=sinfo.txt", "sacct.txt"), ("../queue.json",),
                    ("--processors=1000", "../queue.json")):
        harness.check_refused(maui.run("replay", "--config=today.cfg", "--jitter=2", *options, cwd=SMALL.parent),
                              "--jitter is of a pool of processors")


def test_scheduler_parameters_count(maui):
    usual = _json(maui, "--config=today.cfg", "small.swf")
    other = _json(maui, "--config=today.cfg", "--scheduler-parameters=bf_interval=10800", "small.swf")
    if not other["schedules"][0]["wait"]["mean"] > usual["schedules"][0]["wait"]["mean"]:
        raise harness.Failure("backfill every three hours is as good as twice a minute")
    done = _replay(maui, "--config=today.cfg", "--scheduler-parameters=bf_continue", "small.swf")
    harness.check_errors(done, "NOTE: +SchedulerParameters: bf_continue has no effect on a replay")


def test_files_with_errors_are_refused(maui):
    directory, path = _with("USERCFG[a] MAXJOB=x\n", "bad.cfg")
    with directory:
        done = maui.run("replay", f"--config={path}", SMALL)
        harness.check_refused(done, "bad.cfg has 1 error: `maui check ")
    done = maui.run("replay", "--config=/nonexistent.cfg", SMALL)
    harness.check_code(done, 2)
    harness.check_errors(done, "/nonexistent.cfg")


def test_easy_is_the_default(maui):
    data = _json(maui, "small.swf")
    harness.equal([each["name"] for each in data["schedules"]], ["easy"], "the schedules")
    harness.equal(data["perfect_estimates"], False, "the estimates")


def _compressed():
    """The trace by each that is read; Python has no zstd."""
    text = SMALL.read_bytes()
    return {"gz": gzip.compress(text), "xz": lzma.compress(text), "zst": SMALL.with_name("small.swf.zst").read_bytes()}


def test_a_compressed_trace_is_the_same(maui):
    """And what is in two pieces, as `cat` of two such files."""
    plain = _json(maui, "small.swf")["schedules"]
    head, tail = SMALL.read_bytes()[:4000], SMALL.read_bytes()[4000:]
    pieces = [("gz", gzip.compress(head) + gzip.compress(tail)), ("xz", lzma.compress(head) + lzma.compress(tail))]
    for end, data in [*_compressed().items(), *pieces]:
        directory, path = _with(data, f"small.swf.{end}")
        with directory:
            harness.equal(_json(maui, path)["schedules"], plain, f"the schedules of {end}")


def test_a_compressed_trace_that_is_cut_or_damaged_is_an_error(maui):
    for end, data in _compressed().items():
        for text, says in ((data[:-200], "ends in the middle of what was compressed"),
                           (data[:60] + bytes(200) + data[260:], ""), (data + b"and more behind it", "")):
            directory, path = _with(text, f"small.swf.{end}")
            with directory:
                harness.check_refused(maui.run("replay", path), f"small.swf.{end}: cannot be decompressed: {says}")


def test_bad_lines_have_a_place_and_cost_themselves(maui):
    directory, path = _with(SMALL.read_text() + "1 2 3\n" + "1 2 x" + " 1" * 15 + "\n")
    with directory:
        done = _replay(maui, "--json", path)
    harness.check_errors(done, r"trace.swf:125:6: 3 fields where the format has 18")
    harness.check_errors(done, r"trace.swf:126:5: field 3 is not a number")
    data = json.loads(done.stdout)
    harness.equal((data["jobs"], data["lacking"]["bad_lines"]), (120, 2), "jobs and bad lines")


def test_many_bad_lines_do_not_fill_the_screen(maui):
    directory, path = _with(SMALL.read_text() + "1 2 3\n" * 500)
    with directory:
        done = _replay(maui, path)
    harness.equal(len(done.stderr.splitlines()), 21, "lines of standard error")
    harness.check_errors(done, "more such lines follow")


def test_the_machine_may_be_another(maui):
    data = _json(maui, "--processors=4", "small.swf")
    harness.equal(data["processors"], 4, "processors")
    if not 0 < data["jobs"] < 120 or data["jobs"] + data["lacking"]["too_large"] != 120:
        raise harness.Failure(f"{data['jobs']} jobs, {data['lacking']}")


def test_a_trace_that_does_not_say_how_large_the_machine_is_needs_the_option(maui):
    text = "".join(line for line in SMALL.read_text().splitlines(True) if "MaxProcs" not in line)
    directory, path = _with(text)
    with directory:
        done = maui.run("replay", path)
        harness.check_code(done, 2)
        harness.check_errors(done, "does not say how many processors there are: --processors=N")
        data = _json(maui, "--processors=16", path)
    harness.equal(data["schedules"], _json(maui, "small.swf")["schedules"], "the schedules")


NODES = "3x4:8000,fat=4:16000+nvme"


def test_on_nodes_there_is_memory(maui):
    done = _replay(maui, f"--nodes={NODES}", "--config=today.cfg", "sacct.txt")
    harness.check_golden(done, "replay.nodes.out")
    data = _json(maui, f"--nodes={NODES}", "--config=today.cfg", "sacct.txt")
    harness.equal((data["nodes"], data["processors"]), (4, 16), "the machine")
    less = _json(maui, "--nodes=4x4:2000", "--config=today.cfg", "sacct.txt")
    if less["jobs"] + less["lacking"]["no_nodes"] != data["jobs"] + data["lacking"]["no_nodes"] or less["jobs"] >= data["jobs"]:
        raise harness.Failure(f"{less['jobs']} jobs on nodes of 2000 MB, {less['lacking']}")


def test_what_sinfo_prints_is_a_machine(maui):
    listed = _json(maui, "--sinfo=sinfo.txt", "--config=today.cfg", "sacct.txt")
    given = _json(maui, f"--nodes={NODES}", "--config=today.cfg", "sacct.txt")
    harness.equal(listed["schedules"], given["schedules"], "the schedules")
    harness.equal((listed["nodes"], listed["processors"]), (4, 16), "the machine")
    directory, path = _with("NODELIST|CPUS|PARTITION\nn1|x|batch\nn2|16|other\n", "sinfo.txt")
    with directory:
        done = maui.run("replay", "--json", f"--sinfo={path}", "--config=today.cfg", "sacct.txt", cwd=SMALL.parent)
    harness.check_refused(done, "sinfo.txt:2:4: this is not a number")
    directory, path = _with("NODELIST|CPUS|PARTITION\nn2|16|other\n", "sinfo.txt")
    with directory:
        data = _json(maui, f"--sinfo={path}", "--config=today.cfg", "sacct.txt")
    harness.equal((data["nodes"], data["lacking"]["no_partition"]), (1, 4), "nodes, and jobs of a partition that is not there")


def test_gres_of_slurm_conf_are_those_of_slurmctld(maui):
    """More units than 65,536, sizes, what no job takes, names in lower case as accounting has them, and many types."""
    many = ",".join(f"gpu:t{i}:1" for i in range(60))
    head = "JobID|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|User|Group|Account|QOS|Partition|AllocCPUS|ReqMem|ReqTRES|Constraints\n"
    row = "{}|1000|1000|1000|1600|600|60|u|g|a|q|p|1|0|cpu=1,node=1,gres/{}|\n"
    for gres, asked, waits in (
            ("localtmp:200000", ["localtmp=200000"], 0), ("localtmp:200000", 2 * ["localtmp=150000"], 600),
            ("scratch:500G", ["scratch=536870912000"], 0), ("scratch:500G", 2 * ["scratch=322122547200"], 600),
            ("scratch:500G", ["scratch=536870912001"], None),
            ("VramPerGpu:no_consume:32G", 2 * ["vrampergpu=21474836480"], 0),
            ("bandwidth:lustre:no_consume:4G", 2 * ["bandwidth:lustre=4294967296"], 0),
            (many, ["gpu:t59=1", "gpu:t27=1"], 0), (many, 2 * ["gpu:t59=1"], 600),
            (f"{many},fs:no_consume:2", 2 * ["fs=2"], 0)):
        conf, conf_path = _with(f"NodeName=n CPUs=8 Gres=gpu:a100:4,{gres}\nPartitionName=p Nodes=ALL Default=YES\n", "slurm.conf")
        rows, rows_path = _with(head + "".join(row.format(i + 1, one) for i, one in enumerate(asked)), "sacct.txt")
        with conf, rows:
            done = maui.run("replay", "--json", f"--slurm-conf={conf_path}", "--config=today.cfg", str(rows_path), cwd=SMALL.parent)
        if waits is None:
            harness.equal(done.returncode, 2, gres)
            continue
        harness.equal(done.returncode, 0, (gres, harness.text_of(done)))
        harness.equal(json.loads(done.stdout)["schedules"][-1]["wait"]["max"], waits, (gres, asked))


def _starts(maui, rows, *arguments, name="jobs.psv"):
    """When each job begins under a maui.cfg, by its id, and what the command says."""
    directory, path = _with(rows, name)
    with directory:
        jobs, conf = path.parent / "jobs.csv", path.parent / "m.cfg"
        conf.write_text("QUEUETIMEWEIGHT 1\n")
        done = _replay(maui, f"--config={conf}", f"--jobs={jobs}", *arguments, str(path))
        with open(jobs, encoding="utf-8") as file:
            starts = {row["job_id"]: int(row["starting_time"]) - 1700000000 for row in csv.DictReader(file)}
    return starts, done


SHAPES = "JobID|Submit|Start|End|ElapsedRaw|TimelimitRaw|User|Partition|AllocCPUS|ReqTRES|Constraints|NNodes\n"


def test_a_job_of_one_node_is_not_split(maui):
    """By sacct's NNodes and PBS's exec_host; ReqTRES node= is the least."""
    row = "{}|{}|{}|{}|3600|60|a|p|{}|cpu={},{}node=1|{}|{}\n"
    first, last = (1700000000, 1700000000, 1700003600), (1700000010, 1700003600, 1700007200)
    gpus = SHAPES + row.format(1, *first, 2, 2, "gres/gpu=2,", "one", 1)
    gpus += row.format(2, *first, 2, 2, "gres/gpu=2,", "two", 1) + row.format(3, *last, 4, 4, "gres/gpu=4,", "", "{}")
    cores = SHAPES + row.format(1, *first, 12, 12, "", "", 1)
    cores += row.format(2, *first, 12, 12, "", "", 1) + row.format(3, *last, 8, 8, "", "", "{}")
    gpu_nodes = "--nodes=a1=16+one+gres/gpu:a100=4,a2=16+two+gres/gpu:a100=4"
    for rows, nodes in ((gpus, gpu_nodes), (cores, "--nodes=2x16")):
        for had, begins in (("1", 3600), ("2", 10), ("", 10)):
            starts, _ = _starts(maui, rows.format(had), nodes)
            harness.equal(starts, {"1": 0, "2": 0, "3": begins}, f"starts on {nodes}, job 3 had {had or '?'} nodes")
    log = "11/14/2023 22:13:20;E;{0}.srv;user=u qtime={1} start={1} end={2} exec_host={3} "
    log += "Resource_List.walltime=1:00:00\n"
    for hosts, begins in (("a/0*8", 3600), ("a/0*4+b/0*4", 10)):
        text = "".join(log.format(job, 1700000000 + wait, 1700003600 + wait, where)
                       for job, wait, where in ((1, 0, "a/0*12"), (2, 0, "b/0*12"), (3, 10, hosts)))
        starts, _ = _starts(maui, text, "--nodes=2x16", name="log")
        harness.equal(starts, {"1": 0, "2": 0, "3": begins}, f"starts of PBS's {hosts}")


def test_a_partition_bounds_the_nodes_of_a_job(maui):
    """Eight nodes with a processor free each: MaxNodes=2 waits for two. Beyond a bound a job is left out."""
    rows = SHAPES.replace("|NNodes", "") + "".join(
        f"{job}|1700000000|1700000000|1700003600|3600|60|a|q|3|cpu=3,node=1|f{job}\n" for job in range(1, 9))
    rows += "9|1700000010|1700003600|1700007200|3600|60|c|p|8|cpu=8,node=1|\n"
    conf = "".join(f"NodeName=n{node} CPUs=4 Feature=f{node}\n" for node in range(1, 9))
    conf += "PartitionName=q Nodes=n[1-8] Default=YES\n"
    for bounds, begins in (("", 10), ("MaxNodes=8", 10), ("MaxNodes=2", 3600), ("MaxNodes=1", None)):
        directory, path = _with(f"{conf}PartitionName=p Nodes=n[1-8] {bounds}\n", "slurm.conf")
        with directory:
            starts, done = _starts(maui, rows, f"--slurm-conf={path}")
        harness.equal(starts.get("9"), begins, f"when job 9 begins with {bounds}")
        harness.equal("1 jobs that the machine's nodes cannot hold" in harness.text_of(done), begins is None, bounds)
    one = SHAPES + "1|1700000000|1700000000|1700003600|3600|60|a|p|4|cpu=4,node=1||{}\n"
    one += "2|1700000000|1700000000|1700003600|3600|60|a|q|4|cpu=4,node=1||4\n"
    more = "1 jobs that ask for, or had, more than their partition's MaxNodes"
    fewer = "1 jobs that had fewer nodes than their partition's MinNodes"
    for bounds, had, why, says in (("MaxNodes=2", 3, "beyond_max_nodes", f"{more}, left out"),
                                   ("MinNodes=2", 1, "below_min_nodes", f"{fewer}, left out"),
                                   ("MinNodes=2 MaxNodes=3", 3, None, "not included")):
        conf_directory, conf_path = _with(f"{conf}PartitionName=p Nodes=n[1-8] {bounds}\n", "slurm.conf")
        directory, path = _with(one.format(had), "jobs.psv")
        with conf_directory, directory:
            arguments = (f"--slurm-conf={conf_path}", "--config=today.cfg", str(path))
            page = path.parent / "page.html"
            told, data = _replay(maui, f"--html={page}", *arguments), _json(maui, *arguments)
            for text in (told.stdout.decode(), page.read_text()):
                harness.equal(says in text.replace("&#39;", "'"), True, f"{says}: {text[:2000]}")
        left_out = data["lacking"].get(why)
        harness.equal((data["jobs"], left_out), (1, 1) if why else (2, None), f"jobs with {bounds}")


def test_components_of_heterogeneous_jobs_are_left_out(maui):
    rows = "JobID|Submit|Start|End|ElapsedRaw|TimelimitRaw|User|Partition|AllocCPUS\n"
    rows += "1|1700000000|1700000000|1700001000|1000|60|a|p|3\n"
    rows += "2+0|1700000000|1700001000|1700002000|1000|60|b|p|1\n2+1|1700000000|1700001000|1700002000|1000|60|b|p|3\n"
    says = "2 jobs that are components of heterogeneous jobs, whose components begin together: not included, left out"
    starts, done = _starts(maui, rows, "--processors=4")
    harness.equal(starts, {"1": 0}, "starts")
    directory, path = _with(rows, "jobs.psv")
    with directory:
        page = path.parent / "page.html"
        data = json.loads(_replay(maui, "--json", f"--html={page}", "--processors=4", str(path)).stdout)
        for text in (done.stdout.decode(), page.read_text()):
            harness.equal(says in text, True, text[:2000])
    harness.equal((data["jobs"], data["lacking"]["heterogeneous"]), (1, 2), "jobs, and those left out")


def test_components_that_cannot_be_told_from_jobs_are_not_included(maui):
    """JobIDRaw of 2+1 is 3."""
    head = "Submit|Start|End|ElapsedRaw|TimelimitRaw|User|Partition|AllocCPUS\n"
    row = "1700000000|1700001000|1700002000|1000|60|b|p|"
    says = "heterogeneous jobs: without the column JobID their components are jobs of their own, which need not begin together"
    for names, ids, told in (("JobIDRaw", ("2", "3"), True), ("JobID", ("2+0", "2+1"), False), ("JobIDRaw|JobID", ("2|2+0", "3|2+1"), False)):
        rows = f"{names}|{head}{ids[0]}|{row}1\n{ids[1]}|{row}3\n" + ("9|9|" if "|" in names else "9|") + row + "2\n"
        directory, path = _with(rows, "jobs.psv")
        with directory:
            page = path.parent / "page.html"
            data = json.loads(_replay(maui, "--json", f"--html={page}", "--processors=4", str(path)).stdout)
            text = page.read_text()
        harness.equal((says in data["not_included"], says in text), (told, told), f"{names}: what is said")
        harness.equal((data["jobs"], data["lacking"]["heterogeneous"]), (3, 0) if told else (1, 2), f"{names}: jobs, and those left out")


def test_runs_of_a_requeued_job_have_their_own_ids(maui):
    rows = "JobID|Submit|Start|End|ElapsedRaw|TimelimitRaw|User|Partition|AllocCPUS\n"
    rows += "".join(f"{job}|1700000000|{start}|{start + 60}|60|60|a|p|2\n" for job in ("7", "8_1") for start in (1700000000, 1700000100))
    harness.equal(_starts(maui, rows, "--processors=8")[0], {"7": 0, "7#2": 0, "8_1": 0, "8_1#2": 0}, "starts")


def test_slurm_conf_is_a_machine(maui):
    """The same as sinfo prints, and what its partitions and parameters say beside that."""
    listed = _json(maui, "--sinfo=sinfo.txt", "--config=today.cfg", "sacct.txt")
    done = _replay(maui, "--json", "--slurm-conf=slurm.conf", "--config=today.cfg", "sacct.txt")
    harness.check_errors(done, r"NOTE: +slurm\.conf: no effect on a replay have Weight, PriorityTier \(2 times\), bf_continue\n")
    harness.equal(json.loads(done.stdout)["schedules"], listed["schedules"], "the schedules")
    text = (SMALL.parent / "slurm.conf").read_text()
    for change, options, says in (
        (("bf_interval=30", "bf_interval=10800"), (), True),
        (("bf_interval=30", "bf_interval=10800"), ("--scheduler-parameters=bf_interval=30",), False),  # an option wins
    ):
        directory, path = _with(text.replace(*change).replace("include ", f"include {SMALL.parent}/"), "slurm.conf")
        with directory:
            arguments = [f"--slurm-conf={path}", "--config=today.cfg", "small.swf"]
            slow = _json(maui, *arguments[:1], *options, *arguments[1:])
            if options:
                harness.equal(_json(maui, *options, *arguments)["schedules"], slow["schedules"], "in another order")
        usual = _json(maui, "--slurm-conf=slurm.conf", "--config=today.cfg", "small.swf")
        harness.equal(slow["schedules"] != usual["schedules"], says, f"whether {options} differs")


def test_partitions_of_slurm_conf_limit_jobs(maui):
    text = (SMALL.parent / "slurm.conf").read_text().replace("include ", f"include {SMALL.parent}/")
    # MaxTime=30 is less than DefaultTime: as in slurmctld a job without a limit gets MaxTime, and is let in.
    for change, why, left_out in ((("MaxTime=7-0", "MaxTime=30"), "beyond_max_time", 2),
                                  (("Nodes=ALL", "Nodes=ALL State=DOWN"), "partition_closed", 4),
                                  (("MaxTime=7-0", "MaxTime=UNLIMITED"), "beyond_max_time", 0)):
        directory, path = _with(text.replace(*change), "slurm.conf")
        with directory:
            done = maui.run("replay", "--json", f"--slurm-conf={path}", "--config=today.cfg", "sacct.txt", cwd=SMALL.parent)
        if left_out == 4:
            harness.check_refused(done, "4 jobs of a partition whose State lets none in, left out\n.*there is no job that could be replayed")
        else:
            harness.equal(json.loads(done.stdout)["lacking"][why], left_out, f"jobs that are left out with {change[1]}")
    directory, path = _with(text + "DownNodes=fat\n", "slurm.conf")
    with directory:
        arguments = ("--config=today.cfg", "--json", "small.swf")
        without, usual = (_json(maui, f"--slurm-conf={conf}", *arguments) for conf in (path, "slurm.conf"))
    if not without["schedules"][0]["never"] > usual["schedules"][0]["never"]:
        raise harness.Failure("a node that is down holds jobs")
    harness.equal([any("outages" in each for each in data["not_included"]) for data in (without, usual)], [True, True], "outages")


def test_a_slurm_conf_with_errors_is_refused(maui):
    directory, path = _with("NodeName=n CPUs=x\nNodeName=m \\\n CPUs=70000\ninclude other.conf\n", "slurm.conf")
    with directory:
        done = maui.run("replay", f"--slurm-conf={path}", "--config=today.cfg", "small.swf", cwd=SMALL.parent)
        for says in (r"slurm\.conf:1:17: a whole number from 0", r"slurm\.conf:3:7: a whole number from 0", r"other\.conf: cannot be read: No such file",
                     r"slurm\.conf:4:9: this cannot be included"):
            harness.check_refused(done, says)


def test_what_slurmctld_corrects_is_noted_with_its_place(maui):
    directory, path = _with("SchedulerParameters=bf_window=0\nNodeName=n CPUs=0\nNodeName=m CPUs=0x10 RealMemory=2K\n", "slurm.conf")
    with directory:
        done = _replay(maui, f"--slurm-conf={path}", "--config=today.cfg", "small.swf")
    harness.check_errors(done, r"NOTE: +\S+slurm\.conf:2:17: 0 counts as 1\nNOTE: +\S+slurm\.conf:1:21: bf_window=0 is not from 1 to 43200: slurmctld takes 1440")


def test_outages_are_kept_from_jobs(maui):
    without = _json(maui, "--sinfo=sinfo.txt", "--config=today.cfg", "sacct.txt")
    done = _json(maui, "--sinfo=sinfo.txt", "--outages=events.txt", "--config=today.cfg", "sacct.txt")
    if not done["schedules"][0]["wait"]["mean"] > without["schedules"][0]["wait"]["mean"]:
        raise harness.Failure("nobody waits for a node that is down")
    told = [any("outages" in each for each in data["not_included"]) for data in (without, done)]
    harness.equal(told, [True, False], "whether outages are said not to be included")
    other = _replay(maui, "--nodes=a=16", "--outages=events.txt", "--config=today.cfg", "sacct.txt")
    harness.check_errors(other, "NOTE: +events.txt has no outage of these nodes")


ASLEEP = [f"n{node}|1767225500|1767261600|" for node in (1, 2, 3)]


def test_power_saving_is_no_outage(maui):
    jobs = "".join(f"{job}|{1767225600 + job}|Unknown|Unknown|3600|60|u{job % 3}|g|a|q|p|8|0|cpu=8,node=1|\n" for job in range(8))
    header = "JobID|Submit|Start|End|ElapsedRaw|TimelimitRaw|User|Group|Account|QOS|Partition|AllocCPUS|ReqMem|ReqTRES|Constraints\n"
    conf = "NodeName=n[1-4] CPUs=8\nPartitionName=p Nodes=ALL Default=YES\nResumeTimeout=600\nSuspendTimeout=100\n"
    nodes, timed = "--nodes=4x8", "--slurm-conf={top}/slurm.conf"
    at_once = "3 events are of nodes that could be used, as in power saving: no outages"
    # Events begin 100 s before the jobs. Six of eight jobs wait until three nodes are there: 600 - 100 s, or 700 - 100 s.
    for machine, state, wait, note in (
        (nodes, "IDLE+CLOUD+POWERED_DOWN", 0, at_once), (nodes, "IDLE~", 0, at_once), (nodes, "IDLE#", 0, at_once),
        (nodes, "IDLE%", 0, at_once), (nodes, "MIX@", 0, at_once),
        (nodes, "DOWN*", 10000, None), (nodes, "DOWN~", 10000, None), (nodes, "DRAIN~", 10000, None), (nodes, "MAINT", 10000, None),
        (nodes, "BOOT^", 10000, None), (nodes, "", 10000, None),
        (timed, "IDLE~", 375, "3 events are of nodes that power up or down: outages of at most ResumeTimeout, 600 s, and SuspendTimeout, 100 s"),
        (timed, "IDLE+POWERING_DOWN", 450, "at most ResumeTimeout"), (timed, "IDLE", 0, at_once), (timed, "DOWN", 10000, None),
    ):
        with tempfile.TemporaryDirectory() as top:
            for name, text in (("jobs.txt", header + jobs), ("slurm.conf", conf),
                               ("events.txt", "NodeName|TimeStart|TimeEnd|State\n" + "".join(f"{row}{state}\n" for row in ASLEEP))):
                (pathlib.Path(top) / name).write_text(text)
            options = (machine.format(top=top), "--config=today.cfg", f"{top}/jobs.txt")
            usual = _json(maui, *options)["schedules"][0]["wait"]["mean"]
            done = _replay(maui, "--json", f"--outages={top}/events.txt", *options)
        harness.check_errors(done, note)
        more = json.loads(done.stdout)["schedules"][0]["wait"]["mean"] - usual
        harness.equal(more >= 10000 if wait == 10000 else wait - 5 <= more <= wait, True, f"{more} s more of {state} on {machine}")


RESERVED = (f"--nodes={NODES}", "--outages=maintenance.txt", "--config=reserved.cfg", "--config=released.cfg", "small.swf")


def test_what_became_of_reserved_processors_is_told(maui):
    done = _replay(maui, *RESERVED)
    harness.check_errors(done, None)
    harness.check_golden(done, "replay.reserved.out")
    schedules = _json(maui, *RESERVED)["schedules"]
    harness.equal([[one["name"] for one in side["reservations"]] for side in schedules],
                  [["morning", "update", "courses"], ["morning", "update"]], "reservations")
    for one in (one for side in schedules for one in side["reservations"]):
        harness.equal(one["reserved"], one["used"] + one["taken"] + one["away"] + one["idle"], f"the parts of {one['name']}")
        harness.equal(sum(user["used"] for user in one["users"]) > 0, one["jobs"] > 0, f"whether anybody used {one['name']}")
    first, second = (side["reservations"] for side in schedules)
    for change, before, after in zip(schedules[1]["against_first"]["reservations"], first, [*second, dict.fromkeys(first[2], 0)], strict=True):
        for part in ("reserved", "used", "idle", "kept"):
            harness.equal(change[part], after[part] - before[part], f"the change of {before['name']}, {part}")
    # Two nodes of four processors from 4 to 10 h, and n3 in maintenance for 10,000 s.
    harness.equal((first[0]["reserved"], first[1]["reserved"], first[1]["idle"]), (2 * 4 * 6 * 3600, 4 * 10000, 4 * 10000), "reserved")


def test_reservations_are_on_the_page(maui):
    (tree, _), schedules = _page(maui, *RESERVED), _json(maui, *RESERVED)["schedules"]
    tables = tree.findall(".//section[@id='reserved']//table")
    rows = [[float(cell.get("value")) for cell in row.iter("data")] for row in tables[0].iter("tr")]
    morning = [side["reservations"][0] for side in schedules]
    for row, one in zip(rows[1:3], morning, strict=True):
        shares = [one["used"] / one["reserved"] * 100, one["idle"] / one["reserved"] * 100]
        users = [user["used"] / one["used"] * 100 for user in one["users"][:3]]
        expected = [one["reserved"], *shares, one["kept"], one["jobs"], *users]
        harness.equal([round(value, 3) for value in row], [round(value, 3) for value in expected], "a row of the picture")
    numbers = [float(cell.get("value")) for cell in list(tables[1].iter("tr"))[1].iter("data")]
    harness.equal(numbers[:5], [morning[0][part] for part in ("used", "taken", "away")]
                  + [morning[0]["idle"] - morning[0]["kept"], morning[0]["kept"]], "the numbers behind it")
    for options, views in ((RESERVED[:1] + ("--config=today.cfg", "small.swf"), 1), (("--config=today.cfg", "small.swf"), 0)):
        tree, _ = _page(maui, *options)
        harness.equal(len(tree.findall(".//section[@id='reserved']")), views, f"views with {options}")
    harness.equal([side["reservations"] for side in _json(maui, "--config=reserved.cfg", "--scheduler=easy", "small.swf")["schedules"]],
                  [None, None], "on a pool")


QUEUE = harness.FIXTURES / "queue.json"


def test_a_queue_is_a_state_to_begin_with(maui):
    done = _replay(maui, "--config=today.cfg", "../queue.json")
    harness.check_errors(done, None)
    harness.check_golden(done, "replay.queue.out")
    queue = json.loads(QUEUE.read_text())
    data = _json(maui, "--config=today.cfg", "../queue.json")
    harness.equal(data["nodes"], len(queue["nodes"]), "nodes")
    pool = _json(maui, "--config=today.cfg", "--processors=1000", "../queue.json")
    harness.equal(pool["schedules"][0]["never"], 0, "jobs that never begin")
    for job in queue["jobs"]:
        job["time_limit"] = 10
    directory, path = _with(json.dumps(queue), "queue.json")
    with directory:
        short = _json(maui, "--config=today.cfg", path)
    if not short["schedules"][0]["wait"]["mean"] < data["schedules"][0]["wait"]["mean"]:
        raise harness.Failure("nobody waits for those that run")


def test_nodes_of_a_queue_that_start_nothing_are_away(maui):
    usable = (("IDLE", ["RESERVED"]), ("IDLE", ["PLANNED"]), ("MIXED", ["REBOOT_REQUESTED"]), ("IDLE", ["POWERED_DOWN", "CLOUD"]),
              ("IDLE", ["NOT_RESPONDING", "POWERING_UP"]), ("IDLE", ["POWERING_DOWN"]), ("DOWN", ["REBOOT_ISSUED", "NOT_RESPONDING"]))
    for state, flags in (("DOWN", []), ("UNKNOWN", []), ("MIXED", ["DRAIN"]), ("IDLE", ["INVALID_REG"]), ("DOWN", ["POWERED_DOWN"]),
                         ("IDLE", ["MAINT"]), ("IDLE", ["NOT_RESPONDING"]), ("IDLE", ["FAIL"]), ("IDLE", ["DRAIN", "POWERED_DOWN"]), *usable):
        queue = json.loads(QUEUE.read_text())
        for node in queue["nodes"]:
            node.update(state=state, flags=flags)
        directory, path = _with(json.dumps(queue), "queue.json")
        with directory:
            data = _json(maui, "--config=today.cfg", path)
        schedule = data["schedules"][0]
        waiting = schedule["jobs"] + schedule["never"]
        harness.equal(schedule["jobs"], waiting if (state, flags) in usable else 0, f"jobs that begin on {state} {flags}")


ARRAY = {"job": 1, "state": "PENDING", "priority": 1, "procs": 1, "submit": 1000, "array_tasks": "0-99999"}


def test_what_is_no_queue_to_begin_with_is_refused(maui):
    for options, text, says in (
        ((), None, "a queue to begin with wants --config"),
        (("--config=today.cfg", "--anonymise"), None, "a queue to begin with wants --config"),
        (("--config=today.cfg",), '{"schema": "maui.queue/2"}', "is not what `maui queue` prints"),
        (("--config=today.cfg",), "{", "is not what `maui queue` prints"),
        (("--config=today.cfg",), QUEUE.read_text().replace('"time"', '"tame"', 1), "does not say of when it is"),
        (("--config=today.cfg",), json.dumps({**json.loads(QUEUE.read_text()), "jobs": [ARRAY] * 101}),
         "more than 10000000 jobs, each task of an array counted"),
    ):
        directory, path = _with(text if text is not None else QUEUE.read_text(), "queue.json")
        with directory:
            done = maui.run("replay", *options, path, cwd=SMALL.parent)
            harness.check_code(done, 2)
            harness.check_errors(done, says)


def test_nodes_of_one_processor_without_memory_are_enough_for_all(maui):
    data = _json(maui, "--nodes=16x1", "--config=today.cfg", "small.swf")
    harness.equal((data["jobs"], data["schedules"][0]["never"]), (120, 0), "jobs")


def test_nodes_that_cannot_be_are_refused(maui):
    for options, says in (
        (("--nodes=4",), r"--nodes: 4: COUNTxCPUS\[:MEMORY\] or NAMES=CPUS"),
        (("--nodes=4x4+gpu:4",), "--nodes: 4x4.gpu:4: COUNTxCPUS"),
        (("--nodes=4x4", "--nodes=4x4"), "one machine"),
        (("--nodes=4x4", "--sinfo=sinfo.txt"), "one machine"),
        (("--slurm-conf=slurm.conf", "--sinfo=sinfo.txt"), "one machine"),
        (("--slurm-conf=/nonexistent",), "/nonexistent: cannot be read"),
        (("--sinfo=/nonexistent",), "/nonexistent: cannot be read"),
        (("--sinfo=sacct.txt",), "sacct.txt:1:.*: there is no column NODELIST"),
        (("--sinfo=sinfo.txt", "--outages=sacct.txt"), "sacct.txt:1:.*: there is no column NodeName"),
        (("--processors=16", "--outages=events.txt"), "--outages are of nodes"),
        (("--nodes=4x4", "--processors=4"), "one of the two"),
        (("--processors=4", "--nodes=4x4"), "one machine"),
        (("--nodes=100000x65536",), "--nodes: more than 16777216 processors"),
    ):
        harness.check_refused(maui.run("replay", "--config=today.cfg", *options, "small.swf", cwd=SMALL.parent), says)


ROWS = """\
JobID|Submit|Start|End|Elapsed|Timelimit|User|Partition|NCPUS
100_1|1700000000|1700000000|1700003600|01:00:00|1-00:00:00|a|p|2
100_2|1700000001|1700003600|1700007200|01:00:00|1-00:00:00|b|p|4
"""
LOG = """\
11/14/2023 22:13:20;Q;7.srv;queue=p
11/14/2023 23:13:20;E;7.srv;user=a queue=p qtime=1700000000 start=1700000000 end=1700003600 exec_host=n1/0-1 Resource_List.walltime=24:00:00
11/14/2023 23:13:20;E;8[3].srv;user=b queue=p qtime=1700000001 start=1700003600 end=1700007200 exec_host=n1/0*4 Resource_List.walltime=24:00:00
"""


def test_histories_of_other_shapes_are_the_same_jobs(maui):
    """Each by its looks and by its name; the figures are those of the same jobs in SWF."""
    shredded = "".join(
        f"{row[0]}|{row[0]}|c|p|q|acct|g|1|{row[6]}|1|{row[1]}|{row[1]}|{row[2]}|{row[3]}|{row[4]}|0:0|COMPLETED|1|"
        f"{row[8]}|{row[8]}|1G|cpu={row[8]}|cpu={row[8]}|{row[5]}|n1|of a|b\n"
        for row in (line.split("|") for line in ROWS.splitlines()[1:]))
    swf = "1 1700000000 0 3600 2 -1 -1 2 86400 -1 1 1 -1 -1 1 -1 -1 -1\n2 1700000001 3599 3600 4 -1 -1 4 86400 -1 1 2 -1 -1 1 -1 -1 -1\n"
    directory, path = _with(swf)
    with directory:
        wanted = _json(maui, "--processors=4", str(path))
    for name, text, options in (("sacct", ROWS, []), ("sacct", "\ufeff" + ROWS.replace("\n", "\r\n"), []),
                                ("sacct", ROWS.replace("|", ";;"), ["--delimiter=;;"]), ("shredder", shredded, []),
                                ("pbs", LOG, [])):
        for form in ([], [f"--trace-format={name}"]):
            directory, path = _with(text, "jobs.txt")
            with directory:
                found = _json(maui, "--processors=4", *options, *form, str(path))
                jobs = path.parent / "jobs.csv"
                _replay(maui, "--processors=4", f"--jobs={jobs}", *options, *form, str(path))
                with open(jobs, encoding="utf-8") as file:
                    ids = sorted(row["job_id"] for row in csv.DictReader(file))
            harness.equal([found["recorded"][key] for key in ("jobs", "wait", "flow")],
                          [wanted["recorded"][key] for key in ("jobs", "wait", "flow")], f"the record of {name} {form}")
            harness.equal([one["wait"] for one in found["schedules"]], [one["wait"] for one in wanted["schedules"]], name)
            harness.equal(ids, ["7", "8[3]"] if name == "pbs" else ["100_1", "100_2"], "ids of jobs")


# Three users' jobs of an hour on the whole machine, by turns; of bob's none may begin under NEVER.
SIX = "JobID|Submit|Start|End|ElapsedRaw|TimelimitRaw|User|AllocCPUS\n" + "".join(
    f"{job}|{1700000000 + job}|{1700000000 + 3600 * job}|{1700003600 + 3600 * job}|3600|60|{'bob' if job % 2 else 'eve'}|4\n" for job in range(6))
NEVER = "QUEUETIMEWEIGHT 1\nUSERCFG[bob] MAXPROC=2\n"


def test_a_file_under_which_jobs_never_begin_is_no_better(maui):
    with tempfile.TemporaryDirectory() as name:
        top = pathlib.Path(name)
        for path, text in (("jobs.psv", SIX), ("today.cfg", "QUEUETIMEWEIGHT 1\n"), ("never.cfg", NEVER)):
            (top / path).write_text(text)
        both = ("--processors=4", f"--config={top}/today.cfg", f"--config={top}/never.cfg", f"{top}/jobs.psv")
        page = top / "page.html"
        done = _replay(maui, f"--html={page}", *both)
        usual, other = _json(maui, *both)["schedules"]
        text = page.read_text()
        first = _json(maui, "--processors=4", f"--config={top}/today.cfg", f"{top}/jobs.psv")
    # eve's jobs 0, 2 and 4 begin at 0, 2 and 4 h under today's file; under the other at 0, 1 and 2 h.
    harness.equal([(one["jobs"], one["apart"], one["never"]) for one in (usual, other)], [(3, 3, 0), (3, 0, 3)], "jobs")
    harness.equal([one["wait"]["mean"] for one in (usual, other)], [7198.0, 3598.0], "mean waits of the same jobs")
    harness.equal(usual["utilisation"], first["schedules"][0]["utilisation"], "use of the machine by all of them")
    told = done.stdout.decode()
    places = [told.index(words) for words in ("never.cfg: 3 jobs never begin", "are of the 3 jobs that begin under all", "wait, mean ")]
    harness.equal(places, sorted(places), "it is said before the figures")
    for words in ("<strong>3 jobs never begin under", "are of the 3 jobs that begin under all", 'class="gone"'):
        harness.equal(words in text, True, f"{words} on the page")


def test_files_that_say_the_same_are_said_to(maui):
    """In another order, with comments and an #INCLUDE; and one more that does not."""
    with tempfile.TemporaryDirectory() as name:
        top = pathlib.Path(name)
        for file, text in (("a.cfg", "FSWEIGHT 10\nQUEUETIMEWEIGHT 1\nUSERCFG[1] MAXJOB=2\n"), ("more.cfg", "USERCFG[1] MAXJOB=2\n"),
                           ("b.cfg", "# as it was\nQUEUETIMEWEIGHT 1\n#INCLUDE more.cfg\nFSWEIGHT 10\n"), ("c.cfg", "FSWEIGHT 10\n")):
            (top / file).write_text(text)
        page = top / "page.html"
        files = [f"--config={top}/{file}.cfg" for file in "acb"]
        done = _replay(maui, f"--html={page}", *files, "small.swf")
        harness.equal([one["same_as"] for one in _json(maui, *files, "small.swf")["schedules"]], [None, None, f"{top}/a.cfg"], "the same")
        for text in (done.stdout.decode(), page.read_text()):
            harness.equal(text.count(" says the same as "), 1, "told")
            harness.equal(f"b.cfg says the same as {top}/a.cfg" in text, True, "told of which")


def test_a_sweep_ranks_last_what_lets_jobs_never_begin(maui):
    with tempfile.TemporaryDirectory() as name:
        top = pathlib.Path(name)
        (top / "jobs.psv").write_text(SIX)
        (top / "m.cfg").write_text("QUEUETIMEWEIGHT 1\nFSINTERVAL 1:00:00:00\nUSERCFG[DEFAULT] FSTARGET=5^\n")
        options = ("--processors=4", f"--config={top}/m.cfg", "--sweep=FSPOLICY=DEDICATEDPS,NONE", f"{top}/jobs.psv")
        for by in ("slowdown", "wait", "utilisation"):
            done = _replay(maui, f"--rank-by={by}", *options)
            runs = _json(maui, f"--rank-by={by}", *options)["runs"]
            harness.equal([run["never"] for run in runs], [0, 6], f"ranks by {by}")
            harness.equal(b"under 1 of them some jobs never begin: these are last" in done.stdout, True, done.stdout)


def test_what_cannot_be_read_is_refused_by_name(maui):
    blanks = "JobID   Submit\n------- ----------\n1       1700000000\n"
    for text, options, pattern in (
            (blanks, [], r"jobs.txt:1:1: names of columns without \| between them: sacct needs -P"),
            (ROWS.replace("|", ";"), [], r"jobs.txt:1:1: names of columns without \| between them"),
            (":".join(["queue"] * 44) + "\n", [], "Grid Engine's accounting file cannot be read"),
            ('"JOB_FINISH" "10.1" 1700000000 1 500 33816578 4\n', [], "LSF's lsb.acct cannot be read"),
            (ROWS, ["--trace-format=excel"], "--trace-format=excel: there are swf, sacct, shredder, pbs, workload and queue"),
            (ROWS, ["--delimiter="], "--delimiter: one or several characters of a line"),
            ("JobID|Submit|Start|End|NCPUS\n1.0|1|1|2|1\n1.batch|1|1|2|1\n", [],
             "2 jobs that are steps, left out\n.*there is no job that could be replayed")):
        directory, path = _with(text, "jobs.txt")
        with directory:
            harness.check_refused(maui.run("replay", "--processors=4", *options, str(path)), pattern)
    directory, path = _with(ROWS, "jobs.txt")
    with directory:
        harness.check_refused(maui.run("replay", str(path)), "--processors=N; 4 were in use at once")
        done = _replay(maui, "--processors=3", str(path))
        harness.check_errors(done, "jobs.txt: 4 processors were in use at once, and the machine has 3")


def test_what_sacct_prints_is_read(maui):
    done = _replay(maui, "--processors=16", "--scheduler=easy", "sacct.txt")
    harness.check_golden(done, "replay.sacct.out")
    harness.check_errors(done, r"sacct.txt:9:\d+: a time is 2026-11-22T05:10:00, epoch seconds or Unknown")


def test_names_of_sacct_are_those_of_the_file(maui):
    directory, path = _with("RMPOLLINTERVAL 30\nUSERCFG[bob] MAXJOB=1\nUSERCFG[nobody] MAXJOB=1\n", "site.cfg")
    with directory:
        data = _json(maui, "--processors=16", f"--config={path}", "sacct.txt")
    harness.equal(data["schedules"][0]["policy"]["held_back"], 1, "jobs held back")
    harness.equal(data["schedules"][0]["policy"]["unknown_names"], 1, "unknown names")


def test_a_column_that_is_needed_is_missed(maui):
    directory, path = _with("JobID|Submit|Start|AllocCPUS\n1|1|2|3\n", "sacct.txt")
    with directory:
        done = maui.run("replay", "--processors=16", path)
    harness.check_refused(done, "sacct.txt:1:29: there is no column End")


def _without_names(data):
    """Without dates, too."""
    return [{name: value for name, value in schedule.items() if name not in ("groups", "timeline")} for schedule in data["schedules"]]


def test_an_anonymous_trace_has_no_names_and_gives_the_same(maui):
    done = _replay(maui, "--processors=16", "--anonymise", "sacct.txt")
    harness.check_golden(done, "replay.anonymous.swf")
    directory, path = _with(done.stdout)
    with directory:
        one, other = (_without_names(_json(maui, *arguments)) for arguments in ((path,), ("--processors=16", "sacct.txt")))
        harness.equal(one, other, "the schedules")
    again = _replay(maui, "--anonymise", "small.swf").stdout
    directory, path = _with(again)
    with directory:
        harness.equal(_replay(maui, "--anonymise", path).stdout, again, "an anonymous trace, made anonymous")


def test_an_anonymous_trace_has_no_gres_by_name(maui):
    header, *rows = (SMALL.parent / "sacct.txt").read_text().splitlines()
    at = header.split("|").index("ReqTRES")
    for name in ("gpu:nvidia_rtx_pro_6000_blackwell_server_edition_4g.96gb", "gpu:1g.10gb+me", "site/gpu:a/b", "q~!$%^&*?<>{}z", 120 * "g"):
        lines = [header]
        for row in rows:
            fields = row.split("|")
            fields[at] += f",gres/{name.partition(':')[0]}=2,gres/{name}=2" if fields[at] else ""
            lines.append("|".join(fields))
        directory, path = _with("\n".join(lines) + "\n", "sacct.txt")
        with directory:
            done = _replay(maui, "--processors=16", "--anonymise", path)
        harness.check_golden(done, "replay.anonymous.swf")  # as without GRES
        if name in harness.text_of(done):
            raise harness.Failure(f"{name} is told")


def _processors(row):
    """As evalys reads an interval set."""
    mine = set()
    for part in row["allocated_resources"].split():
        first, _, last = part.partition("-")
        mine |= set(range(int(first), int(last or first) + 1))
    return mine


def _nobody_gets_what_another_has(rows):
    """Of 16 processors."""
    busy = []
    for row in rows:
        start, end = int(row["starting_time"]), int(row["finish_time"])
        mine = _processors(row)
        harness.equal(len(mine), int(row["requested_number_of_resources"]), "processors")
        if max(mine) > 15 or any(mine & theirs for until, theirs in busy if until > start):
            raise harness.Failure(f"job {row['job_id']} has processors of others")
        busy.append((end, mine))


def test_jobs_are_written_in_the_columns_of_batsim(maui):
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "jobs.csv"
        data = _json(maui, f"--jobs={path}", "--config=today.cfg", "--scheduler=fcfs", "small.swf")
        with open(path, encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
    harness.equal(len(rows), 120, "rows")
    waits = [int(row["waiting_time"]) for row in rows]
    harness.equal(round(sum(waits) / 120, 6), round(data["schedules"][0]["wait"]["mean"], 6), "the mean wait")
    _nobody_gets_what_another_has(rows)


def test_on_nodes_these_processors_are_those_of_its_nodes(maui):
    """Node by node: n1 has 0 to 3, fat 12 to 15, which alone has the GPUs and 10 GB."""
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "jobs.csv"
        _replay(maui, f"--jobs={path}", "--nodes=3x4:8000,fat=4:16000+nvme", "--config=today.cfg", "small.swf")
        with open(path, encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
    _nobody_gets_what_another_has(rows)
    trace = ";MaxProcs: 8\n" + "".join(f"{number} {number} 0 100 2 -1 -1 2 100 -1 1 1 1 -1 1 1 -1 -1\n" for number in (1, 2, 3))
    swf, path = _with(trace)
    with swf, tempfile.TemporaryDirectory() as directory:
        out = pathlib.Path(directory) / "jobs.csv"
        cfg = pathlib.Path(directory) / "maui.cfg"
        cfg.write_text("RMPOLLINTERVAL 1\nNODEALLOCATIONPOLICY LASTAVAILABLE\n")
        _replay(maui, f"--jobs={out}", "--nodes=1x2,1x4", f"--config={cfg}", path)
        with open(out, encoding="utf-8", newline="") as file:
            harness.equal([row["allocated_resources"] for row in csv.DictReader(file)], ["2-3", "4-5", "0-1"], "processors")


FS = "# Fairshare Data File (Duration: 86400 Seconds) Starting: x\n"


def test_fairshare_begins_with_usage(maui):
    begin = 1700000098  # of small.swf, in the window that begins at 1699920000
    config = "RMPOLLINTERVAL 30\nFSPOLICY DEDICATEDPS\nFSINTERVAL 24:00:00\nFSDEPTH 4\nFSWEIGHT 100\nFSUSERWEIGHT 100\nUSERCFG[DEFAULT] FSTARGET=25\n"
    with tempfile.TemporaryDirectory() as directory:
        top = pathlib.Path(directory)
        (top / "maui.cfg").write_text(config)
        (top / "stats").mkdir()
        (top / "stats/other").write_text("")
        arguments = ("--json", f"--config={top}/maui.cfg", "small.swf")
        without = _json(maui, *arguments)["schedules"][0]
        harness.equal(without["policy"]["usage_windows"], 0, "windows")
        (top / "stats/FS.1699833600").write_text(FS + "User 1 9000000\nTOTAL 9000000\n")
        (top / "stats/FS.1699920000").write_text(FS + f"# Counted until: {begin}\nUser 4 1000\nTOTAL 1000\n# End: 2\n")
        (top / "stats/FS.1700006400").write_text(FS + "User 1 1e9\nTOTAL 1e9\n")
        of_one = _json(maui, f"--fairshare={top}/stats", *arguments)["schedules"][0]
        (top / "stats/FS.1699833600").write_text(FS + "User 4 9000000\nTOTAL 9000000\n")
        given = _json(maui, f"--fairshare={top}/stats", *arguments)["schedules"][0]
        harness.equal(given["policy"]["usage_windows"], 2, "windows")
        by_user = [{group["name"]: group["wait"]["mean"] for group in each["groups"]["user"]} for each in (of_one, given)]
        if not (by_user[0]["1"] > by_user[1]["1"] and by_user[1]["4"] > by_user[0]["4"]):
            raise harness.Failure(f"who has used much waits as briefly as who has not: {by_user}")
        counted = {holder["name"]: holder["counted"][0] for holder in given["shares"]["holders"]}
        if not counted["4"] > 90:
            raise harness.Failure(f"after the first window {counted}")
        text = _replay(maui, f"--fairshare={top}/stats", *arguments[1:]).stdout
        if b"; fairshare begins with usage of 2 windows" not in text:
            raise harness.Failure(f"the report says nothing of it: {text}")
        for name, content, says in (("FS.1699833600", "damaged\n", r"stats/FS\.1699833600: "),
                                    (None, None, "no file of usage is of a window before the first job")):
            if name:
                (top / "stats" / name).write_text(content)
            else:
                for file in ("FS.1699833600", "FS.1699920000"):
                    (top / "stats" / file).unlink()
            harness.check_refused(maui.run("replay", f"--fairshare={top}/stats", *arguments, cwd=SMALL.parent), says)
        undated = re.sub(r";.*UnixStartTime.*\n", "", SMALL.read_text())
        (top / "undated.swf").write_text(undated)
        harness.check_refused(maui.run("replay", f"--fairshare={top}/stats", f"--config={top}/maui.cfg", top / "undated.swf"), "has no dates")
        harness.check_refused(maui.run("replay", f"--fairshare={top}", *arguments, cwd=SMALL.parent), "has no FS files")
        harness.check_refused(maui.run("replay", "--fairshare=/nonexistent", *arguments, cwd=SMALL.parent), "cannot be read")


def _page(maui, *arguments):
    """The document's tree, and its text: it is well-formed XML, too, whatever is in it."""
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "report.html"
        harness.check_errors(_replay(maui, f"--html={path}", *arguments), None)
        text = path.read_text(encoding="utf-8")
    return xml.fromstring(text.removeprefix("<!DOCTYPE html>\n")), text


def test_a_page_is_whole_and_loads_nothing(maui):
    """Every view has its link, every picture its numbers, and nothing comes from elsewhere."""
    tree, text = _page(maui, "--config=today.cfg", "--config=tomorrow.cfg", "--scheduler=easy", "small.swf")
    for pattern in (r"(?i)<script", r"url\(", r"@import", r"https?:", r"\bsrc=", r"<link", r"\son[a-z]+="):
        if re.search(pattern, text):
            raise harness.Failure(f"{pattern} is in the page")
    ids = [element.get("id") for element in tree.iter() if element.get("id")]
    harness.equal(len(ids), len(set(ids)), "ids")
    harness.equal([link.get("href")[1:] for link in tree.find(".//nav").iter("a")],
                  ["figures", "changes", "time", "waits", "shares", "held", "backfilled", "bounds"], "views")
    for view in tree.iter("section"):
        if next(view.iter("svg"), None) is not None and next(view.iter("table"), None) is None:
            raise harness.Failure(f"{view.get('id')} has a picture and no table")


def test_numbers_of_a_page_are_those_of_the_report(maui):
    arguments = ("--config=today.cfg", "--config=tomorrow.cfg", "small.swf")
    data, (tree, _) = _json(maui, *arguments), _page(maui, *arguments)
    held = [hold for schedule in data["schedules"] for hold in schedule["held"]]
    shown = [[float(cell.get("value")) for cell in row.iter("data")] for row in tree.findall(".//section[@id='held']//tbody/tr")]
    harness.equal([(row[0], row[2]) for row in shown], [(hold["seconds"], hold["jobs"]) for hold in held], "who was held")
    tables = {table.find("caption").text: [row.find("th").text for row in table.findall("tbody/tr")]
              for table in tree.findall(".//section[@id='changes']//table")}
    change = data["schedules"][1]["against_first"]
    harness.equal(tables["Those that gain most"], [str(each["job"]) for each in change["gains"]], "who gains")
    harness.equal(tables["Those that lose most"], [str(each["job"]) for each in change["losses"]], "who loses")
    first, second = ({one["name"]: one["jobs"] * one["wait"]["mean"] for one in schedule["groups"]["user"]} for schedule in data["schedules"])
    later = sorted((round(second[user] - first[user]), user) for user in first)
    harness.equal(tables.get("Users that gain most in all", []), [user for seconds, user in later if seconds < 0], "users who gain")
    harness.equal(tables["Users that lose most in all"], [user for seconds, user in reversed(later) if seconds > 0], "users who lose")


def test_names_can_only_be_shown(maui):
    text = (SMALL.parent / "sacct.txt").read_text().replace("bob", "<script>alert('x')</script>&\"")
    directory, path = _with(text, "<b>.txt")
    with directory, tempfile.TemporaryDirectory() as out:
        page = pathlib.Path(out) / "page.html"
        harness.check_code(maui.run("replay", "--processors=16", f"--html={page}", path), 0)
        text = page.read_text(encoding="utf-8")
    if "<script" in text or "<b>.txt" in text or "&lt;script&gt;" not in text:
        raise harness.Failure("a name has become markup, or is not there")


def test_who_was_held_and_who_gains_adds_up(maui):
    """Each job's time is no longer than its wait; counts are of all jobs."""
    data = _json(maui, "--config=today.cfg", "--config=tomorrow.cfg", "small.swf")
    for schedule in data["schedules"]:
        waits = schedule["wait"]["mean"] * schedule["jobs"]
        held = sum(hold["seconds"] for hold in schedule["held"])
        if not 0 < held <= waits:
            raise harness.Failure(f"held for {held} s, waited for {waits} s")
        for groups in schedule["groups"].values():
            if groups:
                harness.equal(sum(group["jobs"] + group["apart"] + group["never"] for group in groups), data["jobs"], "jobs of all groups")
    change = data["schedules"][1]["against_first"]
    harness.equal(change["earlier"] + change["same"] + change["later"], data["jobs"], "jobs that begin under both")
    for each in change["gains"]:
        if not each["wait"] < each["first_wait"]:
            raise harness.Failure(f"{each} gains nothing")
    differences = [each["wait"] - each["first_wait"] for each in change["losses"]]
    harness.equal(differences, sorted(differences, reverse=True), "the order of losses")


def test_what_runs_already_is_use_and_nobody_who_waits(maui):
    arguments = ("--config=today.cfg", "--config=tomorrow.cfg", "../queue.json")
    data, queue = _json(maui, *arguments), json.loads(QUEUE.read_text())
    for schedule in data["schedules"]:
        timeline = schedule["timeline"]
        harness.equal(timeline["begin"], queue["time"], "where it begins")
        if not timeline["used"][0] > 0:
            raise harness.Failure("nothing runs in the beginning")
        for groups in schedule["groups"].values():
            if groups:
                harness.equal(sum(group["jobs"] + group["apart"] + group["never"] for group in groups), schedule["jobs"] + schedule["apart"] + schedule["never"], "jobs of all groups")
    first, change = data["schedules"][0], data["schedules"][1]["against_first"]
    harness.equal(sum(change[name] for name in ("earlier", "same", "later", "only_first")), first["jobs"], "jobs that begin under the first")
    tree, _ = _page(maui, *arguments)
    harness.equal(tree.find(".//section[@id='jitter']"), None, "shaken arrivals")
    on_nodes, _ = _page(maui, "--nodes=4x4", "--config=today.cfg", "--config=tomorrow.cfg", "small.swf")
    harness.equal(len(on_nodes.findall(".//section[@id='waits']")), 1, "waits on nodes")


def test_a_page_that_cannot_be_written_is_an_error(maui):
    harness.check_refused(maui.run("replay", "--html=/nonexistent/page.html", SMALL), "No such file")


def test_a_file_of_jobs_that_cannot_be_written_is_an_error(maui):
    for path, pattern in (("/nonexistent/jobs.csv", "No such file"), ("/dev/full", "cannot be written")):
        done = maui.run("replay", f"--jobs={path}", SMALL)
        harness.check_refused(done, pattern)


def test_wrong_usage_is_told(maui):
    for arguments, pattern in ((("--scheduler=best", SMALL), "there are easy, fcfs, multifactor and sjbf"),
                               (("--scheduler-parameters=bf_window=0", SMALL), "bf_window=0: a number from 1 to 43200"),
                               (("--processors=0", SMALL), "processors are a number from 1"),
                               ((), "which trace"), ((SMALL, SMALL), "one trace at a time"),
                               (["--scheduler=easy"] * 9 + [SMALL], "at most 8 schedules"),
                               (("/nonexistent",), "/nonexistent: cannot be read: No such file"),
                               (("/",), "/: cannot be read: Is a directory"),
                               (("/dev/null", "--processors=4"), "there is no job that could be replayed")):
        done = maui.run("replay", *arguments)
        harness.check_refused(done, pattern)


def test_a_real_trace_is_replayed_to_the_digit(maui):
    """The first 14,000 jobs of KTH-SP2, if they are there; the whole trace gives the published figures."""
    if not KTH.exists():
        return
    data = _json(maui, "--scheduler=easy", KTH)
    harness.equal(data["jobs"], 13996, "jobs")
    harness.equal(round(data["schedules"][0]["bounded_slowdown"]["mean"], 4), 122.5858, "the mean bounded slowdown")
