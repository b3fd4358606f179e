#include "CConnections.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// More than a node ever has open. A connection with a higher number is closed.
enum { descriptors = 65536 };

struct connection {
  // 0 if the descriptor is not an accepted connection.
  _Atomic uint64_t cookie;
  // The socket that accepted it.
  _Atomic int listener;
  _Atomic uint64_t received;
  // The cookie again, once the connection was ended.
  _Atomic uint64_t ended;
  // What is known of the handshake: where the size of the peer's first frame ends, that size, and
  // how much of a routing id's name has come.
  int is_over;
  uint64_t size_end;
  uint64_t size;
  unsigned matched;
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
  const uint64_t received = connections[descriptor].received;
  return connections[descriptor].cookie == cookie ? (int64_t)received : -1;
}

int CConnections_listener(int descriptor, uint64_t cookie) {
  if (descriptor < 0 || descriptor >= descriptors) return -1;
  const int listener = connections[descriptor].listener;
  return connections[descriptor].cookie == cookie ? listener : -1;
}

void CConnections_end(int descriptor, uint64_t cookie) {
  if (descriptor >= 0 && descriptor < descriptors) connections[descriptor].ended = cookie;
}

// Kept free for a moment in which no other descriptor is left.
static _Atomic int spare = -1;

static void keep_spare(void) {
  if (spare >= 0) return;
  int none = -1;
  const int descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (!atomic_compare_exchange_strong(&spare, &none, descriptor)) close(descriptor);
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
  struct connection *connection = &connections[descriptor];
  atomic_exchange(&connection->cookie, 0);
  atomic_exchange(&connection->received, 0);
  atomic_exchange(&connection->listener, socket);
  connection->is_over = 0;
  connection->size_end = connection->size = connection->matched = 0;
  connection->cookie = cookie_of(descriptor);
  return descriptor;
}

// ZMTP 3 (RFC 23): a greeting of 64 bytes, and then a frame with the peer's properties. A frame is
// a byte of flags, its size in one byte or in eight, and as many bytes.
enum { signature_end = 9, version = 10, greeting_size = 64, is_long = 2, largest_frame = 65536 };

// Takes the routing id out of what a peer sends, by a change of the property's name. Returns 0 if
// the connection must end.
//
// With a routing id a peer could take over that of another client, whose replies it would get.
// libzmq would not notice the end of the former connection if its peer went on to send, so its
// descriptor would stay open for ever. And libzmq ends the process if the id is the next that it
// gives to a peer. Peers of a version before 3 have their routing id elsewhere and are refused.
static int read_handshake(struct connection *connection, unsigned char *bytes, size_t count) {
  static const char property[] = "\x08Identity";
  for (size_t index = 0; index < count && !connection->is_over; index++) {
    const uint64_t position = connection->received + index;
    const unsigned char byte = bytes[index];
    if (position == 0 && byte != 0xff) return 0;
    if (position == signature_end && !(byte & 1)) return 0;
    if (position == version && byte < 3) return 0;
    if (position < greeting_size) continue;
    if (position == greeting_size) {
      connection->size_end = greeting_size + (byte & is_long ? 9 : 2);
      continue;
    }
    if (position < connection->size_end) {
      connection->size = connection->size << 8 | byte;
    } else if (byte == property[connection->matched]) {
      connection->matched++;
    } else {
      connection->matched = byte == property[0];
    }
    if (connection->matched == sizeof property - 1) {
      bytes[index] = '-';
      connection->matched = 0;
    }
    if (position + 1 < connection->size_end) continue;
    if (connection->size > largest_frame) return 0;
    connection->is_over = position + 1 == connection->size_end + connection->size;
  }
  return 1;
}

static ssize_t receive(int socket, void *bytes, size_t size, int flags) {
  return syscall(SYS_recvfrom, socket, bytes, size, flags, NULL, NULL);
}

// Takes the place of the C library's recv(2), to count the bytes, which the system does not do for
// ipc, to read the handshake, and to receive nothing more over a connection that was ended.
ssize_t recv(int socket, void *bytes, size_t size, int flags) {
  if (socket < 0 || socket >= descriptors || connections[socket].cookie == 0) {
    return receive(socket, bytes, size, flags);
  }
  struct connection *connection = &connections[socket];
  if (connection->ended == connection->cookie && connection->ended == cookie_of(socket)) return 0;
  const ssize_t count = receive(socket, bytes, size, flags);
  if (count <= 0) return count;
  if (!connection->is_over) {
    if (connection->cookie != cookie_of(socket)) {
      connection->cookie = 0;
      return count;
    }
    if (!read_handshake(connection, bytes, (size_t)count)) return 0;
  }
  connection->received += (uint64_t)count;
  return count;
}
