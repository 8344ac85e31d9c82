/* SPDX-License-Identifier: GPL-2.0-or-later */
/* accept() fails, once and several times in a row, with each error that it may have: who has
 * connected waits, and is served. */
#include "testsuite/unit/engine/drive.h"

#include <errno.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "plugins/engine/service/listener.h"

TestSuite(listener, .init = drive_init, .fini = drive_fini);

static int failures, code;

/* The linker dictates these names. */
/* NOLINTBEGIN(bugprone-reserved-identifier) */
int __real_accept4(int fd, struct sockaddr *address, socklen_t *size, int flags);
int __wrap_accept4(int fd, struct sockaddr *address, socklen_t *size, int flags);

int __wrap_accept4(int fd, struct sockaddr *address, socklen_t *size, int flags)
{
	if (!failures)
		return __real_accept4(fd, address, size, flags);
	failures--;
	errno = code;
	return -1;
}
/* NOLINTEND(bugprone-reserved-identifier) */

static struct listener_place place_of_test(void)
{
	struct listener_place place = {.owner = getuid()};

	snprintf(place.socket, sizeof(place.socket), "%s", drive_path("service"));
	return place;
}

static int connect_to(const struct listener_place *place)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%.100s", place->socket);
	cr_assert_eq(connect(fd, (struct sockaddr *)&address, sizeof(address)), 0, "%s",
		     strerror(errno));
	return fd;
}

/* Nothing to poll for a second, as poll() would return at once. */
static void wait_out_the_pause(void)
{
	static int64_t seconds;

	cr_expect_eq(listener_fd(), -1, "%s: it is polled", strerror(code));
	cr_expect(listener_next() < INFINITY, "%s: for ever", strerror(code));
	drive_clock(NOW + ++seconds);
	listener_again();
	cr_expect_geq(listener_fd(), 0, "%s: it goes on pausing", strerror(code));
}

static void peer_is_served(const struct listener_place *place, bool pauses)
{
	int peer = connect_to(place), fd = -1;
	char byte = 0;

	for (int tries = failures; tries >= 0; tries--) {
		fd = listener_accept();
		cr_expect_eq(fd<0, tries> 0, "%s: %d tries left", strerror(code), tries);
		if (fd < 0 && pauses)
			wait_out_the_pause();
		cr_expect_geq(listener_fd(), 0);
	}
	cr_assert_eq(write(peer, "?", 1), 1);
	cr_assert_eq(read(fd, &byte, 1), 1);
	cr_expect_eq(byte, '?', "%s: another peer", strerror(code));
	close(fd);
	close(peer);
}

Test(listener, who_has_connected_is_served_after_each_error)
{
	static const struct {
		int code;
		bool pauses;
	} errors[] = {
		{EMFILE, true},        {ENFILE, true},    {ENOMEM, true},     {ENOBUFS, true},
		{ECONNABORTED, false}, {EINTR, false},    {EAGAIN, false},    {EPERM, false},
		{EPROTO, false},       {ENETDOWN, false}, {ETIMEDOUT, false},
	};
	struct listener_place place;

	drive_begin(FOUR_NODES, "");
	place = place_of_test();
	listener_follow(&place);
	cr_assert_geq(listener_fd(), 0);
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		for (int times = 1; times <= 3; times++) {
			code = errors[i].code;
			failures = times;
			peer_is_served(&place, errors[i].pauses);
		}
	cr_expect(drive_logged("the service accepts no connections for now"));
	listener_follow(&(struct listener_place){0});
	cr_expect_eq(listener_fd(), -1);
}
