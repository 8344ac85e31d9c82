/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gcov writes what was run at exit() alone. The command asks Slurm in a child that ends by _exit(),
 * so that nothing of its parent's is done twice: in a build for coverage the linker sends that
 * through here.
 */
void __gcov_dump(void);
void __real__exit(int status) __attribute__((noreturn));
void __wrap__exit(int status) __attribute__((noreturn));

void __wrap__exit(int status)
{
	__gcov_dump();
	__real__exit(status);
}
