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
  _Atomic uint64_t messages;
  // How much of `messages` the program has read.
  _Atomic uint64_t read;
  // Of a socket that listens: its group, and the cookie of the socket that has this group. A
  // connection has its listener's group.
  _Atomic unsigned group;
  _Atomic uint64_t listening;
  // The cookie again, once the connection was ended.
  _Atomic uint64_t ended;
  // What is known of the handshake: how many of its bytes have come, whether the peer encrypts,
  // where its present frame begins, where the size of that ends, that size, how many frames are to
  // come, and how much of a routing id's name has come.
  int is_over;
  int is_encrypted;
  uint64_t position;
  uint64_t frame_start;
  uint64_t size_end;
  uint64_t size;
  unsigned frames_left;
  unsigned matched;
  // The number of the last encrypted frame.
  uint64_t nonce;
  // How many parts the message has that has not ended yet.
  unsigned parts;
  // When a frame last counted as an encrypted ping, in milliseconds.
  int64_t last_ping;
  // What is known of the frame after it that has not ended yet.
  struct frame {
    int is_command;
    int has_more;
    // Bytes of its size and of its payload that are to come.
    unsigned size_left;
    uint64_t left;
    // Bytes that have come, and how many of them belong to the payload.
    uint64_t count;
    uint64_t payload;
    // Whether it may be a ping or a pong, and whether it is.
    int may_be_ping;
    int is_ping;
    // What has come of an encrypted frame's header, and the number in it.
    unsigned header;
    uint64_t nonce;
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
  connection->is_over = connection->is_encrypted = 0;
  connection->position = connection->frame_start = connection->size_end = connection->size = 0;
  connection->frames_left = 1;
  connection->matched = connection->parts = 0;
  connection->nonce = 0;
  connection->last_ping = 0;
  connection->frame = (struct frame){0};
  connection->cookie = cookie_of(descriptor);
  return descriptor;
}

// ZMTP 3 (RFC 23): a greeting of 64 bytes, and then a frame with the peer's properties. A frame is
// a byte of flags, its size in one byte or in eight, and as many bytes.
//
// With CURVE (RFC 26) there are two frames: HELLO, and INITIATE with the properties, encrypted.
// libzmq keeps a list of the properties, which takes 30 times as much memory as their bytes.
enum { signature_end = 9, version = 10, mechanism = 12, greeting_size = 64, largest_frame = 2048 };
enum { has_more = 1, is_long = 2, is_command = 4 };
// Where INITIATE has its number: behind its name and the cookie.
enum { initiate_nonce = 9 + 96, nonce_size = 8 };

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
    if (position == mechanism && byte == 'C') {
      connection->is_encrypted = 1;
      connection->frames_left = 2;
    }
    if (position < greeting_size) continue;
    if (position == greeting_size) connection->frame_start = position;
    if (position == connection->frame_start) {
      connection->size_end = position + (byte & is_long ? 9 : 2);
      connection->size = 0;
      continue;
    }
    if (connection->is_encrypted && connection->frames_left == 1 &&
        position >= connection->size_end + initiate_nonce &&
        position < connection->size_end + initiate_nonce + nonce_size) {
      connection->nonce = connection->nonce << 8 | byte;
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
    if (position + 1 < connection->size_end + connection->size) continue;
    connection->frame_start = position + 1;
    connection->is_over = --connection->frames_left == 0;
  }
  return (ssize_t)index;
}

enum { longest_ping = 64 };

// CURVE hides commands. A frame with as many bytes as a ping or a pong of libzmq counts as one, but
// no more often than an honest peer sends them.
static int is_encrypted_ping(struct connection *connection, uint64_t size) {
  enum { encryption = 33, pong = encryption + 5, ping = encryption + 7, interval = 400 };
  if (size != ping && size != pong) return 0;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  const int64_t moment = now.tv_sec * 1000 + now.tv_nsec / 1000000;
  if (moment - connection->last_ping < interval) return 0;
  connection->last_ping = moment;
  return 1;
}

// The shortest encrypted frame: name, number, checksum and flags.
enum { encrypted_header = 8 + nonce_size, shortest_encrypted = encrypted_header + 16 + 1 };

// Reads the header of an encrypted frame: its name and its number, which must rise (RFC 26).
// Returns 0 if it is not as it must be. libzmq refuses such a frame too, but reports it to its
// monitor first, which changes errno (curve_mechanism_base.cpp, 4.3.4). Then it takes the refusal
// for a full queue, and keeps the connection for ever.
static int read_encrypted(struct connection *connection, unsigned char byte) {
  static const char name[] = "\x07MESSAGE";
  struct frame *frame = &connection->frame;
  const unsigned index = frame->header++;
  if (index < sizeof name - 1) return byte == (unsigned char)name[index];
  frame->nonce = frame->nonce << 8 | byte;
  if (frame->header < encrypted_header) return 1;
  if (frame->nonce <= connection->nonce) return 0;
  connection->nonce = frame->nonce;
  return 1;
}

// The most parts of a message. Beyond it the connection ends: libzmq keeps the parts until the last
// one has come, and a part without bytes takes 32 times as much memory as on the wire.
enum { most_parts = 64 };

// Counts the bytes of messages and of commands, but not of pings and pongs, which libzmq answers
// by itself: a connection may send them for years. A ping that is longer than any honest one
// counts, because libzmq keeps it until all of it has come. Returns 0 if the connection must end.
static int count_messages(
  struct connection *connection, int socket, const unsigned char *bytes, size_t count
) {
  struct frame *frame = &connection->frame;
  uint64_t messages = connection->messages;
  int is_valid = 1;
  while (count > 0 && is_valid) {
    uint64_t step = 1;
    if (frame->count == 0) {
      frame->is_command = bytes[0] & is_command;
      frame->has_more = bytes[0] & has_more;
      frame->size_left = bytes[0] & is_long ? 8 : 1;
    } else if (frame->size_left > 0) {
      frame->left = frame->left << 8 | bytes[0];
      frame->size_left--;
      if (frame->size_left == 0 && connection->is_encrypted) {
        is_valid = frame->left >= shortest_encrypted;
        frame->is_ping = is_encrypted_ping(connection, frame->left);
        if (frame->is_ping) messages -= frame->count;
      }
    } else if (connection->is_encrypted && frame->header < encrypted_header) {
      is_valid = read_encrypted(connection, bytes[0]);
      frame->left--;
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
    if (frame->count > 1 && frame->size_left == 0 && frame->left == 0) {
      if (!frame->is_command) connection->parts = frame->has_more ? connection->parts + 1 : 0;
      *frame = (struct frame){0};
    }
    bytes += step;
    count -= step;
  }
  struct group *group = &groups[connection->group];
  const uint64_t before = connection->messages, read = connection->read;
  connection->messages = messages;
  const uint64_t all = atomic_fetch_add(&group->unread, messages - before) + messages - before;
  const uint64_t own = messages > read ? messages - read : 0;
  const int is_large = group->share != 0 && (own > least || connection->parts >= most_parts);
  if (is_valid && !is_large) return 1;
  if (connection->cookie != cookie_of(socket)) {
    // The connection has ended, and another socket has its number.
    atomic_fetch_sub(&group->unread, messages - before);
    connection->cookie = 0;
    return 1;
  }
  if (!is_valid || connection->parts >= most_parts || own > group->share) return 0;
  return own <= least || all <= group->total;
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
  const unsigned char *messages = (const unsigned char *)bytes + start;
  if (count_messages(connection, socket, messages, (size_t)count - start)) return count;
  connection->ended = connection->cookie;
  return 0;
}
