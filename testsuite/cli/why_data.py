# SPDX-License-Identifier: GPL-2.0-or-later
"""A queue of maui.queue/1, and answers of the engine to it: what `maui why` is made of."""

import json
import pathlib

import fake_service as fake
import node_data as nd

NOW = 1700003600  # Tue Nov 14 23:13:20 2023
HOUR = 3600


def job(number, user="bob", **members):
    """A job that waits for a processor in partition batch."""
    return {
        "id": str(number), "job": number, "array_job": None, "array_task": None, "array_tasks": None, "name": "sim",
        "user": user, "group": "staff", "account": "physics", "qos": "normal", "partition": "batch",
        "state": "PENDING", "flags": [], "reason": "Resources", "description": None, "priority": 100, "nice": 0,
        "submit": NOW - 600, "eligible": NOW - 600, "start": None, "end": None, "time_limit": HOUR,
        "procs": 1, "tasks": 1, "nodes": 1, "max_nodes": None, "procs_per_task": 1, "tasks_per_node": None,
        "memory": None, "memory_per": None, "disk": None, "features": None, "licenses": None, "dependency": None,
        "reservation": None, "required_nodes": None, "excluded_nodes": None, "scheduled_nodes": None,
        "node_list": None, "allocated": [], "exclusive": False,
    } | members


def running(number, user, node, procs=4, **members):
    return job(number, user, **({
        "state": "RUNNING", "reason": "None", "start": NOW - 600, "end": NOW + number * 60, "procs": procs,
        "node_list": node, "allocated": [{"node": node, "procs": procs}]} | members))


def node(name, used=0, **members):
    return {
        "name": name, "state": "ALLOCATED" if used == 4 else "MIXED" if used else "IDLE", "flags": [], "procs": 4,
        "allocated_procs": used, "memory": 2000, "allocated_memory": 0, "disk": 0, "features": [], "reason": None,
        "partitions": ["batch", "long"],
    } | members


def partition(name, **members):
    return {
        "name": name, "state": "UP", "default": name == "batch", "nodes": "n[1-8]", "node_count": 8, "procs": 32,
        "max_time": None, "default_time": None, "max_nodes": None, "min_nodes": None, "tier": 1,
        "allow_accounts": None, "allow_groups": None, "allow_qos": None, "deny_accounts": None, "deny_qos": None,
    } | members


def reservation(name, nodes, **members):
    return {
        "name": name, "start": NOW - HOUR, "end": NOW + 10 * HOUR, "nodes": nodes, "node_count": 1, "procs": 4,
        "users": "root", "accounts": None, "flags": 0, "max_start_delay": None, "cores": [],
    } | members


def nodes():
    """A node for each obstacle: n1 is free, n2 has one processor left."""
    return [
        node("n1"), node("n2", 3), node("n3", 4, features=["fast"]), node("n4", 4, features=["fast"]),
        node("n5", flags=["DRAIN"]), node("n6", state="DOWN"), node("n7"), node("n8", procs=2, features=["fast"]),
    ]


RUNNING = [running(11, "bob", "n2", 3), running(12, "alice", "n3"), running(13, "bob", "n4")]


def queue(*jobs, **members):
    return {
        "schema": "maui.queue/1", "time": NOW, "cluster": "c1", "jobs": [*RUNNING, *jobs], "nodes": nodes(),
        "partitions": [partition("batch"), partition("long", tier=2), partition("closed", state="DOWN", nodes=None)],
        "reservations": [],
    } | members


def blocked(kind, text, **members):
    return {
        "job": 17, "array": None, "user": "bob", "group": "staff", "account": None, "qos": "normal",
        "partitions": ["batch"], "kind": kind, "level": None, "text": text, "message": text, "limit": None,
        "begin": None} | members


def limit(**members):
    return {"name": "MAXPROC", "mode": "active", "metric": "procs", "type": "user", "holder": "bob", "second_type": None, "second": None,
            "limit": 7, "usage": 7, "request": 1} | members


def admission(*rows, **members):
    return {"job": 17, "array": None, "user": "bob", "account": None, "partition": "batch", "state": "pending",
            "walltime": HOUR, "start": NOW, "pass": "engine", "asks": None, "select": True,
            "reservations": list(rows)} | members


def entry(name, on, **members):
    return {"name": name, "start": NOW - HOUR, "end": NOW + 10 * HOUR, "nodes": on, "open": True, "meets": True,
            "admitted": False, "asked": False, "affinity": None, "text": "no list names the job"} | members


def order(*names, **members):
    """explain-nodes: nodes that NODECFG leaves to the job."""
    return nd.order(nodes=[nd.ranked(name, rank) for rank, name in enumerate(names, 1)], **members)


def engine(**data):
    """The answers of an engine, by command."""
    return {
        "diagnose-blocked": {"level": "soft", "partition": "ALL", "jobs": [], "omitted": 0},
        "diagnose-fairshare": {"policy": "DEDICATEDPS", "blocked": []},
        "explain-reservations": admission(),
        "explain-nodes": order("n1", "n2", "n3", "n4", "n7", "n8"),
    } | {name.replace("_", "-"): value for name, value in data.items()}


def blocks(kind, text, **members):
    return engine(diagnose_blocked={"level": "soft", "partition": "ALL", "jobs": [blocked(kind, text, **members)],
                                    "omitted": 0})


def ask(munge, maui, queue_, answers, *arguments):
    """What `maui why` says, and its requests. answers: by command, a text is a refusal; None: nobody listens."""
    path = pathlib.Path(munge.directory, "queue.json")
    path.write_text(json.dumps(queue_), encoding="utf-8")
    common = [f"--queue-file={path}", "--host=127.0.0.1", f"--munge-socket={munge.socket}", f"--slurm-user={fake.os.getuid()}"]
    if answers is None:
        return maui.run("why", "--port=1", *common, *arguments), []

    def answer(service, request):
        data = answers[request["command"]]
        if isinstance(data, str):
            return service.envelope(request, status="error", error=data)
        return service.envelope(request, data=data)

    with fake.FakeService(munge, answer) as service:
        return maui.run("why", f"--port={service.port}", *common, *arguments), service.requests
