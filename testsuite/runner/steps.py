# SPDX-License-Identifier: GPL-2.0-or-later
"""The steps of a run, as tasks."""

from __future__ import annotations

import json
import math
import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import surroundings

from . import release
from .release import UNPROVEN, WERROR, Release
from .task import Task

STEPS = ("style", "tidy", "unit", "sanitize", "scenario")
CHECKS = ("symbols", "prepare", "places")  # the unit tests of a build for another release
SMOKE = "smoke"  # the scenario that a run has on every release of Slurm
NOT_ON = ("scenario releases", "scenario runner")  # of all releases, or of none
LONG_SUITES = ("long-scenario", "long-soak")  # what only `testsuite/run long` does
CORES = os.cpu_count() or 1
PYTEST = (sys.executable, "-m", "pytest")
# What takes its turn is begun within so many seconds of a run: on two cores CI ends one after 90 minutes.
TURN_SECONDS = 50 * 60
SLOW_TIMEOUT = 20  # times a unit test's own: it bounds a hang, and the machine is busy with more

# scenario -> how its size is set, its size here, and that of `testsuite/run long`
SIZES = {
    "scenario torture": ("TORTURE_JOBS", "2000", "6000"),
    "scenario storm": ("MAUI_STORM_SECONDS", "120", "600"),
    "scenario import_show": ("MAUI_SHOW_SECONDS", "20", "600"),
    "soak": ("SOAK_OPERATIONS", "1500", "6000"),
}

# The whole engine's tests, on a stand-in for slurmctld: their suite, and what builds them.
ENGINE = "mock-slurmctld"
ENGINE_TARGET = "engine-tests"
LIVE_TARGET = "live"  # what scenarios need
ALL_TARGETS = ""  # benchmarks and fuzzers' corpora, too: each must compile on each release
NAME_SERVICE = ("name_service", "names")  # scenarios with one of their own

# With this version of both the tree is clean. Another one formats otherwise and warns of more.
CLANG = "14"

# Tests of the sources and of the runner, which need no build.
_STYLE = tuple(f"testsuite/{name}.py" for name in ("test_style", "arrows", "circles", "guards", "naming", "test_passes", "test_schedule", "test_pytest"))
_TIDY = "testsuite/runner/tidy.py"


@dataclass(frozen=True)
class Plan:
    """What is wanted, and how large."""

    steps: tuple[str, ...]
    long: bool = False
    turn: Release | None = None  # all scenarios on this one, too, as far as there is time

    def tasks(self) -> list[Task]:
        """Those that can begin; more follow from them."""
        releases = release.chosen("all") if "scenario" in self.steps else []
        last = self._after(len(releases) + 1)
        tasks = [_build("build", "build", [UNPROVEN], 100, lambda: self._built() + last())]
        if {"sanitize", "scenario"} & set(self.steps):
            options = ["--native-file", "slurm-build/developer.ini", UNPROVEN]
            tasks.append(_build("build with sanitizers", "build-asan", options, 90, self._sanitized))
        if "scenario" in self.steps:
            latest = math.inf if self.long else TURN_SECONDS
            tasks += [
                on(
                    one,
                    self._names(one),
                    self.long,
                    last,
                    latest,
                    engine=self.long or one == releases[-1],
                    targets=ALL_TARGETS,
                )
                for one in releases
            ]
        if "style" in self.steps:
            tasks.append(Task("style", "style", [*PYTEST, *_STYLE], counted=True))
        return tasks

    def _names(self, one: Release) -> Sequence[str]:
        """Of the scenarios on another release; none means all."""
        return () if self.long or one == self.turn else (SMOKE,)

    def _after(self, builds: int) -> Callable[[], list[Task]]:
        """To be called after each of so many builds: the last of them gives what needs them all."""

        def built() -> list[Task]:
            nonlocal builds
            builds -= 1
            wanted = self.long and "scenario" in self.steps and not builds
            return self._scenarios("scenarios", "build", "long-scenario") if wanted else []

        return built

    def _built(self) -> list[Task]:
        tasks = []
        if "tidy" in self.steps and not other_version("clang-tidy"):
            whole = "--whole" if self.long else ""
            tasks.append(_check("clang-tidy", f"python3 {_TIDY} {whole}", CORES))
        if "unit" in self.steps:
            tasks += units("unit tests", "build")
        if "scenario" in self.steps:
            tasks += self._scenarios("scenarios", "build", "scenario")
        return tasks

    def _sanitized(self) -> list[Task]:
        tasks = []
        if "sanitize" in self.steps:
            tasks += units("unit tests with ASan and UBSan", "build-asan")
        if "scenario" in self.steps:
            suites = ("soak", "long-soak") if self.long else ("soak",)
            tasks += self._scenarios("soak with ASan and UBSan", "build-asan", *suites)
        return tasks

    def _scenarios(self, step: str, directory: str, *suites: str) -> list[Task]:
        return [scenario(step, test, directory, self.long) for test in tests_of(directory, *suites)]

    def left_out(self) -> list[str]:
        """What these steps have not looked at, a line each; after the run."""
        if not os.path.exists("build/build.ninja"):
            return ["left out: everything that needs the build, which could not be set up"]
        lines = []
        if "tidy" in self.steps and (version := other_version("clang-tidy")):
            lines.append(f"left out: clang-tidy, which is {version} here, and {CLANG} for this tree")
        if "scenario" in self.steps and not self.long:
            lines += _left_to_others(self.turn)
        return lines


def on(
    one: Release,
    names: Sequence[str],
    long: bool = False,
    then: Callable[[], list[Task]] = list,
    latest: float = math.inf,
    engine: bool = False,
    targets: str = LIVE_TARGET,
) -> Task:
    """The build for another release of Slurm, then its CHECKS, with `engine` the engine's tests, and
    scenarios: all without names, those but SMOKE by `latest`; and what `then` gives."""
    directory = f"{release.BUILDS}/{one.version}"

    def scenarios() -> list[Task]:
        step = _step_of(one)
        found = [
            scenario(step, test, directory, long)
            for test in chosen(names, directory)
            if test["name"] not in NOT_ON
        ]
        return [
            *(
                task if task.name == SMOKE else replace(task, latest=latest, scale=task.scale - 1)
                for task in found
            ),
            *(task for task in units(step, directory) if task.name in CHECKS),
            *(units(step, directory, ENGINE) if engine else ()),
            *then(),
        ]

    return _build_on(one, scenarios, targets)


def _step_of(one: Release) -> str:
    return f"Slurm {one.version}"


def is_scenario_on(one: Release, task: Task) -> bool:
    """Not one of the CHECKS there."""
    return task.step == _step_of(one) and task.name not in CHECKS


def _build_on(one: Release, then: Callable[[], list[Task]], targets: str) -> Task:
    """Without optimization: it takes half the time, and what is compiled with it are the same lines."""
    options = ["-Dbuildtype=debug", *one.options]
    directory = f"{release.BUILDS}/{one.version}"
    return _build(f"build for Slurm {one.version}", directory, options, 50, then, targets)


def _build(
    name: str,
    directory: str,
    options: Sequence[str],
    scale: int,
    then: Callable[[], list[Task]],
    targets: str = ALL_TARGETS,
) -> Task:
    """Builds go before what works beside them: the rest needs them."""
    build = f"exec meson compile -C {directory} -j {CORES} {targets}"
    return Task(
        name,
        name,
        ["bash", "-c", f"{set_up(directory, options)}; {build}"],
        surroundings.for_builds() | _linker(directory),
        cores=CORES,
        scale=scale,
        then=then,
    )


def _linker(directory: str) -> Mapping[str, str]:
    """`build` is linked as a user's is; the others' hundreds of programs by one that is twice as fast."""
    return {"CC_LD": "gold"} if directory != "build" and shutil.which("ld.gold") else {}


def set_up(directory: str, options: Sequence[str]) -> str:
    """In the shell: a build directory with tests and -Werror, which that of a user may lack."""
    # The directory may be there, for what the run leaves.
    made = f"[ -e {directory}/build.ninja ] || meson setup {directory} {' '.join(options)} {WERROR} || exit"
    # Configured again, meson makes its files anew; so only if need be.
    options_file = f"{directory}/meson-info/intro-buildoptions.json"
    has_all = (
        f"{{ [ -e {directory}/testsuite ] && "
        f"""grep -q '"name": "werror", "value": true' {options_file}; }}"""
    )
    return f"{made}; {has_all} || meson configure {directory} -Dtests=true {WERROR} || exit"


def scenario(
    step: str, test: Mapping[str, Any], directory: str = "build", long: bool = False
) -> Task:
    name = str(test["name"])
    environment = _environment(test)
    if name in SIZES:
        variable, here, there = SIZES[name]
        environment.setdefault(variable, os.environ.get(variable, there if long else here))
    return Task(
        step,
        name.removeprefix("scenario "),
        test["cmd"],
        environment,
        _directory(test, directory),
        timeout=float(test["timeout"]) * (8 if long else 2),
        waits=True,
        counted=True,
        scale=int(test["priority"]),
    )


def _environment(test: Mapping[str, Any]) -> dict[str, str]:
    # As meson does: what malloc() gives is not zero, which many count on without knowing it.
    return {"MALLOC_PERTURB_": str(random.randint(1, 255))} | dict(test["env"])


def _directory(test: Mapping[str, Any], build: str) -> str:
    """Where meson runs it: the names of its files may be relative to that."""
    return str(test["workdir"] or build)


def other_version(tool: str) -> str | None:
    """Of one of clang's, unless it is the tree's."""
    done = subprocess.run([tool, "--version"], stdout=subprocess.PIPE, text=True, check=True)
    found = re.search(r"version ((\d+)[.\d]*)", done.stdout)
    assert found, done.stdout
    return None if found[2] == CLANG else found[1]


def _left_to_others(turn: Release | None) -> list[str]:
    """What only other steps, and `long`, do."""
    only = [str(test["name"]) for test in tests_of("build", *LONG_SUITES)]
    sizes = (f"{name} with {there} instead of {here}" for name, (_, here, there) in SIZES.items())
    analyzer = "clang's analyzer to its full depth on files that have not changed since the first run"
    others = " ".join(one.version for one in release.chosen("all") if one != turn)
    long = "left to `testsuite/run long`: " + ", ".join((*only, *sizes, analyzer))
    lines = ["left to `testsuite/run packages`: the packages, and their life in a fresh Debian"]
    if others:
        return [*lines, f"{long}, all scenarios but {SMOKE} with Slurm {others}"]
    return [*lines, long, "left out: other releases of Slurm, for slurm-build/prepare --list knows none"]


def tests_of(directory: str, *suites: str) -> list[dict[str, Any]]:
    """What meson knows of the tests; with no suites, all that need no cluster."""
    done = subprocess.run(
        ["meson", "introspect", "--tests", directory], stdout=subprocess.PIPE, check=True
    )
    found = []
    for test in json.loads(done.stdout):
        mine = _suites(test)
        if mine & set(suites) if suites else not mine & {"scenario", "soak", *LONG_SUITES}:
            found.append(test)
    return found


def chosen(names: Sequence[str], build: str = "build") -> list[dict[str, Any]]:
    """The scenarios of these names; without any, all but those of `testsuite/run long`."""
    if not names:
        return tests_of(build, "scenario")
    tests = tests_of(build, "scenario", "long-scenario")
    by_name = {str(test["name"]).removeprefix("scenario "): test for test in tests}
    if unknown := [name for name in names if name not in by_name]:
        sys.exit(f"testsuite/run: no scenario '{unknown[0]}'; there are: {' '.join(by_name)}")
    return [by_name[name] for name in names]


def _suites(test: Mapping[str, Any]) -> set[str]:
    return {name.rpartition(":")[2] for name in test["suite"]}


def units(step: str, directory: str, *suites: str) -> list[Task]:
    return [
        Task(
            step,
            str(test["name"]),
            test["cmd"],
            _environment(test),
            _directory(test, directory),
            timeout=float(test["timeout"]) * SLOW_TIMEOUT,
            waits="waits" in _suites(test),
            counted=True,
            scale=10 + int(test["priority"]),
        )
        for test in tests_of(directory, *suites)
    ]


def faults(releases: Sequence[Release]) -> list[Task]:
    """Every call of a life of the engine that may fail, with every error; the unit step tries some. And
    name services that do not answer. On what is prepared without releases."""
    targets = f"{LIVE_TARGET} {ENGINE_TARGET}"
    if not releases:
        return [_build("build", "build", [UNPROVEN], 100, partial(_all_faults, "faults", "build"), targets)]
    return [
        _build_on(one, partial(_all_faults, _step_of(one), f"{release.BUILDS}/{one.version}"), targets)
        for one in releases
    ]


def _all_faults(step: str, directory: str) -> list[Task]:
    calls = [task for task in units(step, directory, ENGINE) if task.name == "engine_faults"]
    return [
        *(scenario(step, test, directory) for test in chosen(NAME_SERVICE, directory)),
        *(replace(task, environment={**task.environment, "FAULTS": "all"}) for task in calls),
    ]


def _check(name: str, command: str, cores: int = 1) -> Task:
    return Task(name, name, ["bash", "-c", f"set -o pipefail; {command}"], cores=cores)
