/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one `struct engine`, and checks of its state: primary, standby, shadow or
 * disabled.
 */
#include "plugins/compat/base.h"

#include "plugins/engine/runtime/runtime.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "common/util/memory.h"

struct engine engine = {
	.wake = PTHREAD_COND_INITIALIZER,
	.idle = PTHREAD_COND_INITIALIZER,
	.retry = INFINITY,
	.iteration_seconds = -1,
};

static atomic_bool shadow; /* set before the engine begins */

bool engine_is_primary(void)
{
	bool primary;

	engine_lock();
	primary = engine.mode == ENGINE_PRIMARY && !compat_shuts_down();
	engine_unlock();
	return primary;
}

bool engine_may_look(void)
{
	bool may;

	engine_lock();
	may = engine.mode != ENGINE_STANDBY && !compat_shuts_down();
	engine_unlock();
	return may;
}

static void set_awaited(bool awaited)
{
	engine_lock();
	engine.awaited = awaited;
	engine_unlock();
}

void engine_await(void)
{
	set_awaited(xstrcmp(slurm_conf.priority_type, SITE_OUR_PRIORITY) == 0);
}

void engine_await_no_more(void)
{
	set_awaited(false);
}

ENGINE_LOCKED bool engine_in_charge(void)
{
	return engine.mode == ENGINE_PRIMARY;
}

/* The engine's thread needs no mutex for this. */
LOCK_NOT_FOLLOWED bool engine_is_disabled(void)
{
	return engine.disabled;
}

char *engine_state_directory(void)
{
	return maui_strdup(engine.site.state_directory);
}

void engine_want_refresh(void)
{
	engine.refresh_wanted = true;
	pthread_cond_signal(&engine.wake);
}

bool engine_is_shadow(void)
{
	return atomic_load_explicit(&shadow, memory_order_relaxed);
}

const char *engine_in_force(void)
{
	return engine_is_shadow() ? "judged in shadow mode, without effect in Slurm" : "in force";
}

void engine_become_shadow(void)
{
	atomic_store(&shadow, true);
}

bool shadow_refuses(const char *what)
{
	static atomic_bool told;

	if (!engine_is_shadow())
		return false;
	if (!atomic_exchange(&told, true))
		error("maui: shadow mode: refused %s; this is a bug in Slurm-Maui", what);
	return true;
}
