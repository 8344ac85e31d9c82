/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The engine's answers to the `maui` command: contribs/doc/service.md. One thread for the sockets,
 * which never block, a thread for each kind of answer, and bounds on everything a peer controls.
 */
#ifndef MAUI_ENGINE_SERVICE_H
#define MAUI_ENGINE_SERVICE_H

/* Listens where slurm.conf says now (service_place.h), or stops listening on standby. No lock
 * held. */
void service_configure(void);

#endif
