# SPDX-License-Identifier: GPL-2.0-or-later
"""maui replay --as-array and --merge: a sweep in pieces, which gives what the sweep gives."""

import contextlib
import json
import pathlib
import re
import shutil
import subprocess
import tempfile

import cli_harness as harness

REPLAY = harness.FIXTURES / "replay"
SWEEP = ("--config=tomorrow.cfg", "--sweep=FSWEIGHT=0,10,1000", "--sweep=QUEUETIMEWEIGHT=1,50")
DIRECTORY = "it's $HOME \"here\""  # each of these a shell would take for its own


def _run(maui, *arguments, cwd=REPLAY, code=0):
    done = maui.run("replay", *arguments, cwd=cwd)
    harness.check_code(done, code)
    return done


@contextlib.contextmanager
def _results(maui, *options, elements=None):
    """A directory with the files of a trace, where an array has run; and its script."""
    with tempfile.TemporaryDirectory() as top:
        here = pathlib.Path(top) / DIRECTORY
        shutil.copytree(REPLAY, here)
        arguments = (*SWEEP, f"--as-array={DIRECTORY}", *options, "small.swf")
        script = _run(maui, *arguments, cwd=here).stdout.decode()
        for element in range(_last(script) + 1) if elements is None else elements:
            _element(script, element, here)
        yield here, script


def _last(script):
    return int(re.search(r"^#SBATCH --array=0-(\d+)$", script, re.M)[1])


def _element(script, element, here, code=0):
    """As slurmd does, in a directory that is another."""
    done = subprocess.run(["sh", "-s"], input=script.encode(), cwd="/", capture_output=True, timeout=60, check=False,
                          env={"PATH": "/usr/bin:/bin", "SLURM_ARRAY_TASK_ID": str(element), "HOME": str(here)})
    harness.equal(done.returncode, code, f"the status of element {element}, which said {harness.text_of(done)}")
    return done


def test_results_put_together_are_the_sweep(maui):
    """To the byte, whether an element has one combination or several, in the table and as JSON."""
    for options, elements in (((), 6), (("--array-size=4",), 4), (("--array-size=1",), 1), (("--rank-by=utilisation",), 6)):
        with _results(maui, *options) as (here, script):
            harness.equal(_last(script) + 1, elements, "elements")
            harness.equal(sorted(path.name for path in (here / DIRECTORY).iterdir()),
                          [f"{number:05}.json" for number in range(6)], "results")
            ranked = tuple(option for option in options if option.startswith("--rank-by"))
            for form in ((), ("--json",)):
                sweep = _run(maui, *form, *SWEEP, *ranked, "small.swf")
                merged = _run(maui, *form, f"--merge={DIRECTORY}", cwd=here)
                harness.check_errors(merged, None)
                harness.equal(merged.stdout, sweep.stdout, "what is put together")
            other = _run(maui, f"--merge={DIRECTORY}", "--rank-by=wait-max", cwd=here).stdout
            harness.equal(other, _run(maui, *SWEEP, "--rank-by=wait-max", "small.swf").stdout, "by another figure")


def test_on_nodes_and_of_other_traces_it_is_the_same(maui):
    arguments = ("--config=today.cfg", "--sweep=QUEUETIMEWEIGHT=0,1", "--sinfo=sinfo.txt", "--outages=events.txt", "sacct.txt")
    queue = ("--config=today.cfg", "--sweep=QUEUETIMEWEIGHT=0,1", "../queue.json")
    conf = ("--config=today.cfg", "--sweep=QUEUETIMEWEIGHT=0,1", "--slurm-conf=slurm.conf", "sacct.txt")
    for each, more in ((arguments, []), (queue, []), (conf, ["nodes.small.conf"])):
        with tempfile.TemporaryDirectory() as top:
            script = _run(maui, f"--as-array={top}/results", *each).stdout.decode()
            for element in range(2):
                _element(script, element, top)
            harness.equal(_run(maui, f"--merge={top}/results").stdout, _run(maui, *each).stdout, "what is put together")
            files = json.loads((pathlib.Path(top) / "results/00000.json").read_text())["sweep"]["files"]
            harness.equal(sorted(file["path"] for file in files), sorted([option.rpartition("=")[2] for option in each if "sweep" not in option] + more),
                          "the files that were read")


def test_what_is_missing_is_named_and_the_rest_ranked(maui):
    with _results(maui, "--array-size=4", elements=(0, 1, 3)) as (here, script):
        (here / DIRECTORY / "00005.json").write_text((here / DIRECTORY / "00005.json").read_text()[:-100])
        done = _run(maui, "--json", f"--merge={DIRECTORY}", cwd=here, code=2)
        harness.check_errors(done, re.escape(f"{DIRECTORY}/00005.json is left out: this is not JSON"))
        harness.check_errors(done, "2 of 6 combinations are missing: sbatch --array=1-2, with the same script")
        whole = json.loads(_run(maui, "--json", *SWEEP, "small.swf").stdout)
        settings = [run["settings"] for run in whole["runs"]]
        there = [{"FSWEIGHT": a, "QUEUETIMEWEIGHT": b} for a, b in (("0", "1"), ("0", "50"), ("10", "50"), ("1000", "1"))]
        harness.equal([run["settings"] for run in json.loads(done.stdout)["runs"]], [each for each in settings if each in there], "the ranks")
        for element in (1, 2):
            _element(script, element, here)
        harness.equal(_run(maui, "--json", f"--merge={DIRECTORY}", cwd=here).stdout,
                      _run(maui, "--json", *SWEEP, "small.swf").stdout, "after these have run again")


def _change(path, change):
    data = json.loads(path.read_text())
    change(data)
    path.write_text(json.dumps(data, separators=(",", ":")))


def test_results_of_another_sweep_are_left_out(maui):
    def other_version(data):
        data["sweep"]["version"] = "0.0.1"

    def other_command(data):
        data["sweep"]["command"].append("--perfect-estimates")

    def other_file(data):
        data["sweep"]["files"][1]["crc32"] ^= 1

    for change, says in ((other_version, r"it was made by version 0\.0\.1, others by \d"), (other_command, "it was made by another command"),
                         (other_file, r"small\.swf was another file then")):
        with _results(maui) as (here, _):
            _change(here / DIRECTORY / "00000.json", change)
            done = _run(maui, f"--merge={DIRECTORY}", cwd=here, code=2)
            harness.check_errors(done, rf"00000\.json is left out: it is of another sweep: {says}")
            harness.check_errors(done, r"1 of 6 combinations are missing: sbatch --array=0,")
            harness.equal(len(re.findall(rb"^ +[1-5]  ", done.stdout, re.M)), 5, "rows")


def test_a_file_that_changes_between_elements_is_told(maui):
    with _results(maui, elements=(0, 1, 2, 3)) as (here, script):
        with open(here / "tomorrow.cfg", "a", encoding="utf-8") as file:
            file.write("# another comment\n")
        for element in (4, 5):
            _element(script, element, here)
        done = _run(maui, f"--merge={DIRECTORY}", cwd=here, code=2)
        harness.equal(len(re.findall(rb"of another sweep: tomorrow.cfg was another file then", done.stderr)), 2, "results that are left out")


def test_a_combination_counts_once(maui):
    with _results(maui) as (here, _):
        shutil.copy(here / DIRECTORY / "00002.json", here / DIRECTORY / "copy.json")
        (here / DIRECTORY / "00000.json.x1y2z3").write_text("{")  # what a killed element may leave
        done = _run(maui, f"--merge={DIRECTORY}", cwd=here, code=2)
        harness.check_errors(done, r"copy\.json is left out: combination 2 a second time\n$")
        harness.equal(done.stdout, _run(maui, *SWEEP, "small.swf").stdout, "the report")


def test_what_is_no_result_is_left_out(maui):
    def change(*path, value):
        def inner(data):
            for name in path[:-1]:
                data = data[name]
            if value is None:
                del data[path[-1]]
            else:
                data[path[-1]] = value
        return inner

    for changed, says in (
        (change("schema", value="maui.replay-sweep-run/2"), "no result of a sweep's combination"),
        (change("head", value=None), "a part of the result is missing"),
        (change("run", value=[]), "a part of the result is missing"),
        (change("run", "flow", value=None), "a figure is missing"),
        (change("run", "flow", value="1"), "a figure is missing"),
        (change("run", "jobs", value=-1), "a figure is missing"),
        (change("run", "wait", "p95", value=1e999), "a figure is missing"),
        (change("number", value=6), "its sweep has no combination 6"),
        (change("sweep", "parameters", value=[]), "its parameters are none of a sweep"),
        (change("sweep", "parameters", value=["FSWEIGT=1"]), "its parameters are none of a sweep"),
        (change("sweep", "elements", value=7), "its parameters are none of a sweep"),
        (change("sweep", "rank_by", value="luck"), "its parameters are none of a sweep"),
    ):
        with _results(maui) as (here, _):
            _change(here / DIRECTORY / "00003.json", changed)
            done = _run(maui, f"--merge={DIRECTORY}", cwd=here, code=2)
            harness.check_errors(done, rf"00003\.json is left out: .*{says}")
            harness.check_errors(done, "1 of 6 combinations are missing: sbatch --array=3,")


def test_a_text_cannot_steer_the_terminal(maui):
    with _results(maui) as (here, _):
        for path in (here / DIRECTORY).iterdir():
            _change(path, lambda data: (data["head"].update(trace="\x1b[31m", config="\x1b", not_included=["\x1b", None]),
                                        data["sweep"]["parameters"].__setitem__(0, "GRESWEIGHT[\x1b]=1,\x1b,3")))
        done = _run(maui, f"--merge={DIRECTORY}", cwd=here)
        harness.equal(b"\x1b" in done.stdout + done.stderr, False, "whether there is an escape")


def test_the_script_is_one_for_sbatch(maui):
    with _results(maui, elements=()) as (here, script):
        lines = script.splitlines()
        harness.equal(lines[0], "#!/bin/sh", "the first line")
        harness.equal([line for line in lines if line.startswith("#SBATCH")],
                      ["#SBATCH --job-name=maui-replay", "#SBATCH --array=0-5", "#SBATCH --ntasks=1", "#SBATCH --cpus-per-task=1"], "the options")
        first = next(number for number, line in enumerate(lines) if not line.startswith("#"))
        harness.equal(any(line.startswith("#SBATCH") for line in lines[first:]), False, "options after the first command")
        harness.equal((here / DIRECTORY).exists(), False, "whether anything has run")
    script = _run(maui, *SWEEP, "--slurm-conf=slurm.conf", "--as-array=x", "small.swf").stdout.decode()
    harness.equal(_last(script), 2, "the last element, by MaxArraySize of slurm.conf")
    values = ",".join(map(str, range(2500)))
    script = _run(maui, "--config=today.cfg", f"--sweep=FSWEIGHT={values}", "--as-array=x", "small.swf").stdout.decode()
    harness.equal(_last(script), 1000, "the last element, of 2,500 combinations")
    harness.check_errors(_run(maui, "--config=today.cfg", f"--sweep=FSWEIGHT={values}", "--as-array=x", "small.swf"), None)


def test_an_element_that_cannot_write_fails(maui):
    with _results(maui, elements=()) as (here, script):
        (here / DIRECTORY).write_text("")
        done = _element(script, 0, here, code=1)
        harness.check_errors(done, "mkdir")
        harness.check_refused(maui.run("replay", *SWEEP, "--as-array=/nonexistent", "--element=0/6", "small.swf", cwd=here), "/nonexistent")


def test_what_cannot_be_is_refused(maui):
    for arguments, says in (
        (("--as-array=x", "--config=today.cfg", "small.swf"), "--as-array, --array-size and --element are of --sweep"),
        ((*SWEEP, "--array-size=3", "small.swf"), "--array-size and --element are of --as-array"),
        ((*SWEEP, "--element=0/6", "small.swf"), "--array-size and --element are of --as-array"),
        ((*SWEEP, "--as-array=x", "--array-size=0", "small.swf"), "elements are a number from 1"),
        ((*SWEEP, "--as-array=x", "--element=6/6", "small.swf"), "I/N, where I is less than N"),
        ((*SWEEP, "--as-array=x", "--element=1/6x", "small.swf"), "I/N, where I is less than N"),
        ((*SWEEP, "--as-array=x", "--element=6/7", "small.swf"), "7 elements for 6 combinations"),
        ((*SWEEP, "--as-array=x", "--sweep=RESWEIGHT=x", "small.swf"), "RESWEIGHT"),
        ((*SWEEP, "--as-array=x", "/nonexistent"), "/nonexistent"),
        ((*SWEEP, "--as-array=x", "--sinfo=-", "small.swf"), "-:1:1: there is no node"),
        (("--merge=x", "small.swf"), "--merge needs nothing else"),
        (("--merge=x", "--config=today.cfg"), "--merge needs nothing else"),
        (("--merge=x", *SWEEP), "--merge needs nothing else"),
        (("--merge=/nonexistent",), "/nonexistent cannot be read: No such file"),
        (("--merge=.",), "\\. has no results of a sweep"),
    ):
        harness.check_refused(maui.run("replay", *arguments, cwd=REPLAY), says)


def test_standard_input_is_nothing_for_an_array(maui):
    done = subprocess.run([maui.program, "replay", *SWEEP, "--as-array=x", "-"], cwd=REPLAY, capture_output=True, timeout=60, check=False,
                          input=(REPLAY / "small.swf").read_bytes())
    harness.check_refused(done, "the elements of an array cannot read this standard input")
