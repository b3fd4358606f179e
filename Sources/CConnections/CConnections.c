#define _GNU_SOURCE
#include "CConnections.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// More than a node ever has open. A connection with a higher number is closed.
enum { descriptors = 65536 };

// More than there ever are at a time. The first one has no bounds.
enum { group_count = 1024 };

// The connections of a socket of libzmq, which may listen at several endpoints.
static struct group {
  // The most bytes that one connection may have sent and the program has not read.
  _Atomic uint64_t share;
  // What all may have together. Beyond it a connection may have no more than `least`.
  _Atomic uint64_t total;
  // What the program has not read, also of connections that have ended.
  _Atomic uint64_t unread;
} groups[group_count];

// More than an honest peer sends at once, even if many connect.
enum { least = 4096 };

struct connection {
  // 0 if the descriptor is not an accepted connection.
  _Atomic uint64_t cookie;
  // The socket that accepted it.
  _Atomic int listener;
  // What has been counted, for other threads, and how much of it the program has read.
  _Atomic uint64_t messages;
  _Atomic uint64_t read;
  // Of a socket that listens: its group, and the cookie of the socket that has this group. A
  // connection has its listener's group.
  _Atomic unsigned group;
  _Atomic uint64_t listening;
  // The cookie again, once the connection was ended.
  _Atomic uint64_t ended;
  struct CConnections_stream stream;
};

static struct connection connections[descriptors];

static uint64_t cookie_of(int descriptor) {
  uint64_t cookie = 0;
  socklen_t size = sizeof cookie;
  return getsockopt(descriptor, SOL_SOCKET, SO_COOKIE, &cookie, &size) == 0 ? cookie : 0;
}

int64_t CConnections_received(int descriptor, uint64_t cookie) {
  if (descriptor < 0 || descriptor >= descriptors) return -1;
  // In this order: the cookie of another connection is stored before the count begins again.
  const uint64_t messages = connections[descriptor].messages;
  return connections[descriptor].cookie == cookie ? (int64_t)messages : -1;
}

unsigned CConnections_new_group(void) {
  static _Atomic unsigned last = 0;
  const unsigned group = 1 + last++ % (group_count - 1);
  groups[group].share = groups[group].total = groups[group].unread = 0;
  return group;
}

void CConnections_bound(int listener, unsigned group, uint64_t share, uint64_t total) {
  if (listener < 0 || listener >= descriptors || group == 0 || group >= group_count) return;
  groups[group].share = share;
  groups[group].total = total;
  connections[listener].group = group;
  connections[listener].listening = cookie_of(listener);
}

void CConnections_read(int descriptor, uint64_t cookie, uint64_t count) {
  if (descriptor < 0 || descriptor >= descriptors) return;
  if (connections[descriptor].cookie == cookie) connections[descriptor].read = count;
}

void CConnections_read_of(unsigned group, uint64_t count) {
  uint64_t before = groups[group].unread;
  // Commands are not read, so more than is known may have come.
  while (!atomic_compare_exchange_weak(
    &groups[group].unread, &before, before > count ? before - count : 0)) {}
}

void CConnections_drained(unsigned group) { groups[group].unread = 0; }

int CConnections_listener(int descriptor, uint64_t cookie) {
  if (descriptor < 0 || descriptor >= descriptors) return -1;
  const int listener = connections[descriptor].listener;
  return connections[descriptor].cookie == cookie ? listener : -1;
}

int CConnections_end(int descriptor, uint64_t cookie) {
  if (descriptor < 0 || descriptor >= descriptors) return 0;
  return atomic_exchange(&connections[descriptor].ended, cookie) != cookie;
}

// The peer as it was when it connected, so that the number of a process that has ended and the
// groups of a program that it has become do not count.
static int peer_has_group(int descriptor, pid_t process, uid_t user, gid_t group) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return 0;
  if (peer.pid != process || peer.uid != user) return 0;
  if (peer.gid == group) return 1;
  gid_t groups[1024];
  size = sizeof groups;
  if (getsockopt(descriptor, SOL_SOCKET, SO_PEERGROUPS, groups, &size) != 0) return 0;
  for (unsigned index = 0; index < size / sizeof *groups; index++) {
    if (groups[index] == group) return 1;
  }
  return 0;
}

int CConnections_has_group(pid_t process, uid_t user, gid_t group) {
  // Without a number: a process of another container.
  if (process == 0) return 0;
  for (int descriptor = 0; descriptor < descriptors; descriptor++) {
    const uint64_t cookie = connections[descriptor].cookie;
    if (cookie == 0 || !peer_has_group(descriptor, process, user, group)) continue;
    if (cookie_of(descriptor) == cookie) return 1;
  }
  return 0;
}

// Kept free for a moment in which no other descriptor is left.
static _Atomic int spare = -1;

static void keep_spare(void) {
  if (spare >= 0) return;
  int none = -1;
  const int descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (!atomic_compare_exchange_strong(&spare, &none, descriptor)) close(descriptor);
}

// Returns -1 if no number from `least` on is free.
static int duplicate(int descriptor, int least) {
  // So few that what is kept of each takes little memory.
  enum { numbers = 8192 };
  const int number = fcntl(descriptor, F_DUPFD_CLOEXEC, least);
  if (number < numbers) return number;
  close(number);
  return -1;
}

// Gives a connection a number that none has had for long. The system gives the lowest that is free,
// but libzmq tells only the number of the connection over which a message came. So what one client
// left behind, and is yet to be read, would count as the next client's.
static int renumber(int connection) {
  // Threads that accept at the same time would set it back.
  static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
  static int next = 0;
  pthread_mutex_lock(&turn);
  int number = duplicate(connection, next);
  // The process may have no number as high as the next one.
  if (number < 0) number = duplicate(connection, 0);
  next = number + 1;
  pthread_mutex_unlock(&turn);
  if (number < 0) return connection;
  close(connection);
  return number;
}

static unsigned group_of(int listener) {
  if (listener < 0 || listener >= descriptors) return 0;
  // Another socket may have had the number.
  const int is_known = connections[listener].listening == cookie_of(listener);
  return is_known ? connections[listener].group : 0;
}

// Takes the place of the C library's accept4(2). libzmq ends the process if an ipc socket cannot
// accept a connection because too many files are open. Here such a connection is accepted and
// closed, so that it does not wait and keep libzmq's thread busy.
int accept4(int socket, struct sockaddr *address, socklen_t *size, int flags) {
  keep_spare();
  int descriptor = (int)syscall(SYS_accept4, socket, address, size, flags);
  if (descriptor < 0 && errno != EMFILE) return -1;
  if (descriptor < 0 || descriptor >= descriptors) {
    if (descriptor < 0) {
      close(atomic_exchange(&spare, -1));
      descriptor = (int)syscall(SYS_accept4, socket, address, size, flags);
    }
    if (descriptor >= 0) close(descriptor);
    keep_spare();
    errno = ECONNABORTED;
    return -1;
  }
  descriptor = renumber(descriptor);
  struct connection *connection = &connections[descriptor];
  atomic_exchange(&connection->cookie, 0);
  atomic_exchange(&connection->messages, 0);
  atomic_exchange(&connection->read, 0);
  atomic_exchange(&connection->listener, socket);
  atomic_exchange(&connection->group, group_of(socket));
  connection->stream = (struct CConnections_stream){0};
  connection->cookie = cookie_of(descriptor);
  return descriptor;
}

// Returns NULL for a socket that is no accepted connection. One may have got the number of a
// connection that has ended.
static struct connection *accepted(int socket) {
  if (socket < 0 || socket >= descriptors || connections[socket].cookie == 0) return NULL;
  if (connections[socket].cookie == cookie_of(socket)) return &connections[socket];
  connections[socket].cookie = 0;
  return NULL;
}

// The most parts of a message that has not ended yet: libzmq keeps the parts until the last one has
// come, and a part without bytes takes 32 times as much memory as on the wire.
enum { most_parts = 64 };

// Adds what was counted to what waits. Returns 0 if that is more than the peer may have waiting.
static int account(struct connection *connection, uint64_t added) {
  struct group *group = &groups[connection->group];
  const uint64_t messages = connection->stream.counted, read = connection->read;
  connection->messages = messages;
  const uint64_t all = atomic_fetch_add(&group->unread, added) + added;
  const uint64_t own = messages > read ? messages - read : 0;
  const int has_room = own <= least || (own <= group->share && all <= group->total);
  return group->share == 0 || (has_room && connection->stream.parts < most_parts);
}

static int64_t milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// Takes the place of the C library's recv(2), to read the handshake, to count what comes behind it,
// and to receive nothing more over a connection that was ended.
ssize_t recv(int socket, void *bytes, size_t size, int flags) {
  struct connection *connection = accepted(socket);
  if (connection && connection->ended == connection->cookie) return 0;
  const ssize_t count = syscall(SYS_recvfrom, socket, bytes, size, flags, NULL, NULL);
  // Nothing is changed in what another socket receives.
  if (count <= 0 || !connection) return count;
  struct CConnections_stream *stream = &connection->stream;
  const uint64_t before = stream->counted;
  const int is_valid = CConnections_take(stream, bytes, (size_t)count, milliseconds());
  if (account(connection, stream->counted - before) && is_valid) return count;
  connection->ended = connection->cookie;
  return 0;
}
