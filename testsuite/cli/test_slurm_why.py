# SPDX-License-Identifier: GPL-2.0-or-later
"""maui why beside a Slurm that is none: what a limit of an association or a QOS allows, and what is used of it. Beside a
real one it is testsuite/scenarios/test_why_limits.py's."""

import json
import os
import pwd

import cli_harness as harness
import fake_slurm as fs

pytestmark = fs.ITS_SLURM

USER = pwd.getpwuid(os.getuid()).pw_name
# Slurm's numbers of its reasons.
QOS_GRP_WALL, QOS_JOBS_PER_USER, QOS_MIN_CPU, GRP_CPU, GRP_CPU_MINS, GRP_JOBS, MAX_JOBS, GRP_GRES, QOS_MEM_PER_USER = (
    47, 53, 56, 57, 58, 60, 65, 99, 130)
OVER_PARTITION = 1 << 7  # OverPartQOS
NONE = None  # a TRES without a limit

# cpu, mem, gres/gpu, gres/tape
ROOT = {"acct": "root", "id": 1}
PHYSICS = {"acct": "physics", "id": 2, "parent_id": 1}
OWN = {"acct": "physics", "user": USER, "id": 3, "parent_id": 2}


def _why(maui, reason, assocs=(), qos=(), partition=None, job=None, **records):
    waits = {"job_id": 17, "name": "j", "partition": "batch", "account": "physics", "qos": "normal", "user_id": os.getuid(),
             "job_state": 0, "state_reason": reason, "num_cpus": 2, "num_nodes": 1, "time_limit": 30,
             "tres_req_str": "cpu=2,mem=1.50G,node=1,gres/gpu=3", "array_task_id": fs.NO_VAL, "het_job_id": fs.NO_VAL,
             "pn_min_memory": 0, "nice": fs.NICE_OFFSET, "max_nodes": fs.NO_VAL, "num_tasks": 2,
             "cpus_per_task": fs.NO_VAL16} | (job or {})
    batch = {"name": "batch", "state_up": 3, "nodes": "n1", "max_time": fs.INFINITE} | (partition or {})
    with fs.Slurm(jobs=[waits], nodes=[{"name": "n1", "cpus": 4}], partitions=[batch],
                  assocs=list(assocs), qos_limits=list(qos), **records) as slurm:
        done = slurm.run(maui, "why", "--json", "17")
    harness.check_code(done, 0)
    return json.loads(done.stdout)["findings"]


def _told(found):
    return [row["text"] for row in found if (row["part"], row["kind"]) == ("cause", "slurm-limit")]


def _unseen(found):
    return [row["text"] for row in found if (row["part"], row["kind"]) == ("unseen", "slurm-limit")]


def _says(found, *texts):
    harness.equal((_told(found), _unseen(found)), (list(texts), []), "what holds it back")


def test_an_account_above_the_jobs_has_the_limit(maui):
    """In seconds at slurmctld, and in minutes as sacctmgr has it."""
    physics = PHYSICS | {"grp_tres_mins_ctld": [1000, NONE, NONE, NONE],
                         "usage": {"usage_tres_raw": [59892.0, 0, 0, 0]}}
    found = _why(maui, GRP_CPU_MINS, [ROOT, physics, OWN])
    _says(found, "account physics may use 1000 CPU minutes (GrpTRESMins=cpu), has used 998.2; this job may need 60")
    facts = next(row["facts"] for row in found if row["kind"] == "slurm-limit")
    harness.equal(facts, {"limit": "GrpTRESMins (cpu)", "holder": "association", "account": "physics", "user": USER,
                          "qos": "normal", "whose": "account physics", "tres": "cpu", "allowed": 1000, "used": 998.2,
                          "needed": 60}, "facts")


def test_of_several_accounts_the_one_that_is_full_is_told(maui):
    root = ROOT | {"grp_jobs": 100, "usage": {"used_jobs": 7}}
    physics = PHYSICS | {"grp_jobs": 5, "usage": {"used_jobs": 5}}
    full = "account physics may run 5 jobs at a time (GrpJobs), runs 5"
    _says(_why(maui, GRP_JOBS, [root, physics, OWN]), full)
    # One has ended since Slurm gave the reason: both are told.
    physics["usage"] = {"used_jobs": 4}
    physics["grp_jobs"] = 6
    _says(_why(maui, GRP_JOBS, [root, physics, OWN]), "account physics may run 6 jobs at a time (GrpJobs), runs 4",
          "account root may run 100 jobs at a time (GrpJobs), runs 7")


def test_a_users_own_limit_is_not_looked_for_above_him(maui):
    own = OWN | {"max_jobs": 1, "usage": {"used_jobs": 1}}
    above = PHYSICS | {"max_jobs": 1, "usage": {"used_jobs": 9}}
    _says(_why(maui, MAX_JOBS, [ROOT, above, own]), f"user {USER} in account physics may run 1 job at a time (MaxJobs), runs 1")


def test_the_association_of_the_jobs_partition_comes_first(maui):
    other = OWN | {"id": 5, "partition": "long", "max_jobs": 7, "usage": {"used_jobs": 7}}
    own = OWN | {"id": 4, "partition": "batch", "max_jobs": 2, "usage": {"used_jobs": 2}}
    _says(_why(maui, MAX_JOBS, [ROOT, PHYSICS, own, OWN | {"max_jobs": 3, "usage": {"used_jobs": 3}}, other]),
          f"user {USER} in account physics may run 2 jobs at a time (MaxJobs), runs 2")


def test_a_resource_without_a_type_is_each_of_them(maui):
    """Slurm's reason says gres, and no more."""
    physics = PHYSICS | {"grp_tres_ctld": [1, 1, 4, 9], "usage": {"grp_used_tres": [5, 5, 2, 0]}}
    _says(_why(maui, GRP_GRES, [ROOT, physics, OWN]),
          "account physics may hold 4 of gres/gpu at a time (GrpTRES=gres/gpu), holds 2; this job needs 3")


def test_a_limit_factor_of_the_qos_counts(maui):
    physics = PHYSICS | {"grp_tres_ctld": [4, NONE, NONE, NONE], "usage": {"grp_used_tres": [8, 0, 0, 0]}}
    _says(_why(maui, GRP_CPU, [ROOT, physics, OWN], [{"name": "normal", "limit_factor": 2.0}]),
          "account physics may hold 8 CPUs at a time (GrpTRES=cpu), holds 8; this job needs 2")


def test_a_users_share_of_a_qos_is_his_own(maui):
    users = [{"uid": os.getuid() + 1, "jobs": 50, "tres": [0, 90000, 0, 0]}, {"uid": os.getuid(), "jobs": 2, "tres": [4, 512, 0, 0]}]
    normal = {"name": "normal", "max_jobs_pu": 2, "max_tres_pu_ctld": [NONE, 2000, NONE, NONE], "usage": {"users": users}}
    _says(_why(maui, QOS_JOBS_PER_USER, qos=[normal]),
          f"user {USER} in QOS normal may run 2 jobs at a time (MaxJobsPerUser), runs 2")
    _says(_why(maui, QOS_MEM_PER_USER, qos=[normal]),
          f"user {USER} in QOS normal may hold 2000 MB of memory at a time (MaxTRESPerUser=mem), holds 512; "
          "this job needs 1536")
    # Nobody of his has begun there.
    _says(_why(maui, QOS_JOBS_PER_USER, qos=[normal | {"max_jobs_pu": 0, "usage": {}}]),
          f"user {USER} in QOS normal may run 0 jobs at a time (MaxJobsPerUser), runs 0")


def test_the_partitions_qos_comes_before_the_jobs(maui):
    """Unless that has OverPartQOS. Where one has no such limit, the other's counts."""
    def qos(name, limit, flags=0):
        return {"name": name, "max_jobs_pu": limit, "flags": flags,
                "usage": {"users": [{"uid": os.getuid(), "jobs": 3, "tres": []}]}}

    text = f"user {USER} in QOS {{}} may run {{}} jobs at a time (MaxJobsPerUser), runs 3"
    of_partition = {"qos_char": "part"}
    for mine, its, flags, expected in ((2, 3, 0, ("part", 3)), (2, 3, OVER_PARTITION, ("normal", 2)),
                                       (2, fs.INFINITE, 0, ("normal", 2)), (fs.INFINITE, 3, OVER_PARTITION, ("part", 3))):
        _says(_why(maui, QOS_JOBS_PER_USER, qos=[qos("normal", mine, flags), qos("part", its)], partition=of_partition),
              text.format(*expected))


def test_limits_without_usage_and_of_wall_time_are_told(maui):
    _says(_why(maui, QOS_MIN_CPU, qos=[{"name": "normal", "min_tres_pj_ctld": [4, NONE, NONE, NONE]}]),
          "QOS normal must hold at least 4 CPUs in a job (MinTRESPerJob=cpu); this job asks for 2")
    _says(_why(maui, QOS_GRP_WALL, qos=[{"name": "normal", "grp_wall": 60, "usage": {"grp_used_wall": 3570.0}}]),
          "QOS normal may use 60 minutes of wall time (GrpWall), has used 59.5; this job may need 30")


def test_what_slurm_does_not_show_is_said(maui):
    """Its reason still names the limit, and the command that shows it to others."""
    hint = "`scontrol show assoc_mgr accounts=physics flags=assoc` has it in parentheses"
    limit = "the limit is GrpTRES (cpu) of the association of user"
    for assocs, errors, problem in (
            ([OWN], {}, "slurmctld hides associations from you (PrivateData)"),
            ([], {}, "slurmctld hides associations from you (PrivateData)"),
            ([ROOT, PHYSICS, OWN], {}, "no such limit is set any more"),
            ([ROOT, PHYSICS, OWN], {"assocs": 2002}, "cannot ask Slurm for its limits and usage: ")):
        found = _why(maui, GRP_CPU, assocs, errors=errors)
        texts = _unseen(found)
        harness.equal([text.startswith(limit) for text in _told(found)], [True], problem)
        if len(texts) != 1 or problem not in texts[0] or not texts[0].endswith(hint):
            raise harness.Failure(f"{problem}: {texts}")


def test_a_limit_of_his_own_needs_nothing_from_above(maui):
    """PrivateData=usage leaves a user his own association."""
    own = OWN | {"max_jobs": 1, "usage": {"used_jobs": 1}}
    _says(_why(maui, MAX_JOBS, [own]), f"user {USER} in account physics may run 1 job at a time (MaxJobs), runs 1")
