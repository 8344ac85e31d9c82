/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The calls of select plugins, by release. Of select_api.h, which has the headers that they need.
 *
 * CALL(type, name, member, parameters, arguments): the symbol is select_p_<name>, and
 * slurm_select_ops_t has it as <member>.
 */
#ifndef MAUI_COMPAT_SELECT_CALLS_H
#define MAUI_COMPAT_SELECT_CALLS_H

/* Up to 24.11 jobs, steps and nodes carry data of the select plugin. */
#if !COMPAT_FROM(25, 5)
#define COMPAT_SELECT_DATA(CALL)                                                                   \
	CALL(int, state_save, state_save, (char *directory), (directory))                          \
	CALL(int, state_restore, state_restore, (char *directory), (directory))                    \
	CALL(int, job_init, job_init, (compat_list_t jobs), (jobs))                                \
	CALL(bitstr_t *, step_pick_nodes, step_pick_nodes,                                         \
	     (job_record_t * job, select_jobinfo_t * info, uint32_t count, bitstr_t * *nodes),     \
	     (job, info, count, nodes))                                                            \
	CALL(int, step_start, step_start, (step_record_t * step), (step))                          \
	CALL(int, select_nodeinfo_pack, nodeinfo_pack,                                             \
	     (select_nodeinfo_t * info, buf_t * buffer, uint16_t protocol),                        \
	     (info, buffer, protocol))                                                             \
	CALL(int, select_nodeinfo_unpack, nodeinfo_unpack,                                         \
	     (select_nodeinfo_t * *info, buf_t * buffer, uint16_t protocol),                       \
	     (info, buffer, protocol))                                                             \
	CALL(select_nodeinfo_t *, select_nodeinfo_alloc, nodeinfo_alloc, (void), ())               \
	CALL(int, select_nodeinfo_free, nodeinfo_free, (select_nodeinfo_t * info), (info))         \
	CALL(int, select_nodeinfo_get, nodeinfo_get,                                               \
	     (select_nodeinfo_t * info, enum select_nodedata_type type, enum node_states state,    \
	      void *data),                                                                         \
	     (info, type, state, data))                                                            \
	CALL(select_jobinfo_t *, select_jobinfo_alloc, jobinfo_alloc, (void), ())                  \
	CALL(int, select_jobinfo_free, jobinfo_free, (select_jobinfo_t * info), (info))            \
	CALL(int, select_jobinfo_set, jobinfo_set,                                                 \
	     (select_jobinfo_t * info, enum select_jobdata_type type, void *data),                 \
	     (info, type, data))                                                                   \
	CALL(int, select_jobinfo_get, jobinfo_get,                                                 \
	     (select_jobinfo_t * info, enum select_jobdata_type type, void *data),                 \
	     (info, type, data))                                                                   \
	CALL(select_jobinfo_t *, select_jobinfo_copy, jobinfo_copy, (select_jobinfo_t * info),     \
	     (info))                                                                               \
	CALL(int, select_jobinfo_pack, jobinfo_pack,                                               \
	     (select_jobinfo_t * info, buf_t * buffer, uint16_t protocol),                         \
	     (info, buffer, protocol))                                                             \
	CALL(int, select_jobinfo_unpack, jobinfo_unpack,                                           \
	     (select_jobinfo_t * *info, buf_t * buffer, uint16_t protocol),                        \
	     (info, buffer, protocol))                                                             \
	CALL(int, get_info_from_plugin, get_info_from_plugin,                                      \
	     (enum select_plugindata_info type, job_record_t * job, void *data),                   \
	     (type, job, data))
#else
#define COMPAT_SELECT_DATA(CALL)
#endif

#if COMPAT_FROM(26, 5)
#define COMPAT_SELECT_OF_RELEASE(CALL)                                                             \
	CALL(void, job_mem_reduce, job_mem_reduce, (job_record_t * job), (job))
#elif !COMPAT_FROM(23, 11)
#define COMPAT_SELECT_OF_RELEASE(CALL)                                                             \
	CALL(int, job_signal, job_signal, (job_record_t * job, int signal), (job, signal))         \
	CALL(char *, select_jobinfo_sprint, jobinfo_sprint,                                        \
	     (select_jobinfo_t * info, char *buffer, size_t size, int mode),                       \
	     (info, buffer, size, mode))                                                           \
	CALL(char *, select_jobinfo_xstrdup, jobinfo_xstrdup, (select_jobinfo_t * info, int mode), \
	     (info, mode))                                                                         \
	CALL(int, update_node_config, update_node_config, (int node), (node))
#else
#define COMPAT_SELECT_OF_RELEASE(CALL)
#endif

/* These are passed on as they are: */
#define COMPAT_SELECT_FORWARDED(CALL)                                                              \
	COMPAT_SELECT_DATA(CALL)                                                                   \
	COMPAT_SELECT_OF_RELEASE(CALL)                                                             \
	CALL(int, job_begin, job_begin, (job_record_t * job), (job))                               \
	CALL(int, job_ready, job_ready, (job_record_t * job), (job))                               \
	CALL(int, select_nodeinfo_set_all, nodeinfo_set_all, (void), ())

/* Up to 24.11 the end of a step is reported; up to 22.05 the cores of a reservation are asked
 * for. */
#define COMPAT_SELECT_TELLS_STEPS  (!COMPAT_FROM(25, 5))
#define COMPAT_SELECT_PLACES_CORES (!COMPAT_FROM(23, 11))

#if COMPAT_SELECT_TELLS_STEPS
#define COMPAT_SELECT_HOOKED_STEP(CALL)                                                            \
	CALL(int, step_finish, step_finish, (step_record_t * step, bool killing), (step, killing))
#else
#define COMPAT_SELECT_HOOKED_STEP(CALL)
#endif

#if COMPAT_SELECT_PLACES_CORES
#define COMPAT_SELECT_HOOKED_RESV(CALL)                                                            \
	CALL(bitstr_t *, resv_test, resv_test,                                                     \
	     (resv_desc_msg_t * request, uint32_t count, bitstr_t * nodes, bitstr_t * *cores),     \
	     (request, count, nodes, cores))
#else
#define COMPAT_SELECT_HOOKED_RESV(CALL)
#endif

/* The plugin does something of its own at these, and passes them on, too: */
#define COMPAT_SELECT_HOOKED(CALL)                                                                 \
	COMPAT_SELECT_HOOKED_STEP(CALL)                                                            \
	COMPAT_SELECT_HOOKED_RESV(CALL)                                                            \
	CALL(int, node_init, node_init, (void), ())                                                \
	CALL(int, reconfigure, reconfigure, (void), ())                                            \
	CALL(int, job_test, job_test, COMPAT_JOB_TEST_PARAMETERS, COMPAT_JOB_TEST_ARGUMENTS)       \
	CALL(int, job_expand, job_expand, (job_record_t * from, job_record_t * to), (from, to))    \
	CALL(int, job_resized, job_resized, (job_record_t * job, node_record_t * node),            \
	     (job, node))                                                                          \
	CALL(int, job_fini, job_fini, (job_record_t * job), (job))                                 \
	CALL(int, job_suspend, job_suspend, (job_record_t * job, bool indefinitely),               \
	     (job, indefinitely))                                                                  \
	CALL(int, job_resume, job_resume, (job_record_t * job, bool indefinitely),                 \
	     (job, indefinitely))                                                                  \
	CALL(int, select_nodeinfo_set, nodeinfo_set, (job_record_t * job), (job))

#endif
