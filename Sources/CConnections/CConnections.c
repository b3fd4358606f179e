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
  _Atomic uint64_t messages;
  // The cookie again, once the connection was ended.
  _Atomic uint64_t ended;
  // What is known of the handshake: how many of its bytes have come, where the size of the peer's
  // first frame ends, that size, and how much of a routing id's name has come.
  int is_over;
  uint64_t position;
  uint64_t size_end;
  uint64_t size;
  unsigned matched;
  // What is known of the frame after it that has not ended yet.
  struct frame {
    int is_command;
    // Bytes of its size and of its payload that are to come.
    unsigned size_left;
    uint64_t left;
    // Bytes that have come, and how many of them belong to the payload.
    uint64_t count;
    uint64_t payload;
    // Whether it may be a ping or a pong, and whether it is.
    int may_be_ping;
    int is_ping;
  } frame;
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

int CConnections_listener(int descriptor, uint64_t cookie) {
  if (descriptor < 0 || descriptor >= descriptors) return -1;
  const int listener = connections[descriptor].listener;
  return connections[descriptor].cookie == cookie ? listener : -1;
}

int CConnections_end(int descriptor, uint64_t cookie) {
  if (descriptor < 0 || descriptor >= descriptors) return 0;
  return atomic_exchange(&connections[descriptor].ended, cookie) != cookie;
}

// Kept free for a moment in which no other descriptor is left.
static _Atomic int spare = -1;

static void keep_spare(void) {
  if (spare >= 0) return;
  int none = -1;
  const int descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (!atomic_compare_exchange_strong(&spare, &none, descriptor)) close(descriptor);
}

// Gives a connection a number that none has had for long. The system gives the lowest that is free,
// but libzmq tells only the number of the connection over which a message came. So what one client
// left behind, and is yet to be read, would count as the next client's.
static int renumber(int connection) {
  // So few that what is kept of each takes little memory.
  enum { numbers = 8192 };
  static _Atomic int next = 0;
  const int number = fcntl(connection, F_DUPFD_CLOEXEC, next);
  // The process may have no number as high as the next one.
  if (number < 0 || number >= numbers) {
    if (number >= 0) close(number);
    next = 0;
    return connection;
  }
  next = number + 1;
  close(connection);
  return number;
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
  atomic_exchange(&connection->listener, socket);
  connection->is_over = 0;
  connection->position = connection->size_end = connection->size = connection->matched = 0;
  connection->frame = (struct frame){0};
  connection->cookie = cookie_of(descriptor);
  return descriptor;
}

// ZMTP 3 (RFC 23): a greeting of 64 bytes, and then a frame with the peer's properties. A frame is
// a byte of flags, its size in one byte or in eight, and as many bytes.
enum { signature_end = 9, version = 10, greeting_size = 64, largest_frame = 65536 };
enum { is_long = 2, is_command = 4 };

// Takes the routing id out of what a peer sends, by a change of the property's name. Returns the
// number of bytes that belong to the handshake, or -1 if the connection must end.
//
// With a routing id a peer could take over that of another client, whose replies it would get.
// libzmq would not notice the end of the former connection if its peer went on to send, so its
// descriptor would stay open for ever. And libzmq ends the process if the id is the next that it
// gives to a peer. Peers of a version before 3 have their routing id elsewhere and are refused.
static ssize_t read_handshake(struct connection *connection, unsigned char *bytes, size_t count) {
  static const char property[] = "\x08Identity";
  size_t index = 0;
  for (; index < count && !connection->is_over; index++) {
    const uint64_t position = connection->position++;
    const unsigned char byte = bytes[index];
    if (position == 0 && byte != 0xff) return -1;
    if (position == signature_end && !(byte & 1)) return -1;
    if (position == version && byte < 3) return -1;
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
    if (connection->size > largest_frame) return -1;
    connection->is_over = position + 1 == connection->size_end + connection->size;
  }
  return (ssize_t)index;
}

enum { longest_ping = 64 };

// Counts the bytes of messages and of commands, but not of pings and pongs, which libzmq answers
// by itself: a connection may send them for years. A ping that is longer than any honest one
// counts, because libzmq keeps it until all of it has come.
static void count_messages(
  struct connection *connection, const unsigned char *bytes, size_t count
) {
  struct frame *frame = &connection->frame;
  uint64_t messages = connection->messages;
  while (count > 0) {
    uint64_t step = 1;
    if (frame->count == 0) {
      frame->is_command = bytes[0] & is_command;
      frame->size_left = bytes[0] & is_long ? 8 : 1;
    } else if (frame->size_left > 0) {
      frame->left = frame->left << 8 | bytes[0];
      frame->size_left--;
    } else if (frame->is_command && frame->payload < 2) {
      // A command's name comes behind its length: "\x04PING", "\x04PONG".
      if (frame->payload == 0) frame->may_be_ping = bytes[0] == 4;
      else frame->is_ping = frame->may_be_ping && bytes[0] == 'P' && frame->left < longest_ping;
      if (frame->is_ping) messages -= frame->count;
      frame->payload++;
      frame->left--;
    } else {
      step = frame->left < count ? frame->left : count;
      frame->left -= step;
    }
    frame->count += step;
    if (!frame->is_ping) messages += step;
    if (frame->count > 1 && frame->size_left == 0 && frame->left == 0) *frame = (struct frame){0};
    bytes += step;
    count -= step;
  }
  connection->messages = messages;
}

static ssize_t receive(int socket, void *bytes, size_t size, int flags) {
  return syscall(SYS_recvfrom, socket, bytes, size, flags, NULL, NULL);
}

// Takes the place of the C library's recv(2), to read the handshake, to count what comes behind it,
// and to receive nothing more over a connection that was ended.
ssize_t recv(int socket, void *bytes, size_t size, int flags) {
  if (socket < 0 || socket >= descriptors || connections[socket].cookie == 0) {
    return receive(socket, bytes, size, flags);
  }
  struct connection *connection = &connections[socket];
  if (connection->ended == connection->cookie && connection->ended == cookie_of(socket)) return 0;
  const ssize_t count = receive(socket, bytes, size, flags);
  if (count <= 0) return count;
  size_t start = 0;
  if (!connection->is_over) {
    if (connection->cookie != cookie_of(socket)) {
      connection->cookie = 0;
      return count;
    }
    const ssize_t handshake = read_handshake(connection, bytes, (size_t)count);
    if (handshake < 0) return 0;
    start = (size_t)handshake;
  }
  count_messages(connection, (const unsigned char *)bytes + start, (size_t)count - start);
  return count;
}
