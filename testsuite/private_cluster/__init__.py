# SPDX-License-Identifier: GPL-2.0-or-later
"""A private Slurm cluster on loopback, below one directory.

cli        the command line: up, exec, clock, restart, stop, start, down
lifecycle  what these commands do, in order
daemons    how each daemon is started
clock      the clock of a cluster that has one of its own
accounting the optional database and slurmdbd
slurmconf  the generated slurm.conf and what --slurm-conf changes in it
layout     where a cluster's files lie, and the record it keeps of itself
network    the loopback address, the host name, free ports
processes  which processes belong to a cluster, and how to end them
"""
