#ifndef CCONNECTIONS_H
#define CCONNECTIONS_H

#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

#include "PeerStream.h"

// A program that links this module accepts connections, and receives over them, through it instead
// of the C library. So does libzmq in it, which offers no way to do what this module does: see
// CConnections.c.

int accept4(int socket, struct sockaddr *address, socklen_t *size, int flags);

/// How many bytes the process has received behind the handshake of a connection that it accepted,
/// without pings and pongs. -1 if the descriptor is not the connection with this cookie
/// (SO_COOKIE).
int64_t CConnections_received(int descriptor, uint64_t cookie);

/// A number for the connections of one socket of libzmq, which share a bound.
unsigned CConnections_new_group(void);

/// Bounds what peers send over the connections that the listener accepts: the most bytes that one
/// may have sent and the program has not read, and what all may have together. A connection that
/// sends more ends, and so does one that sends more than 4096 bytes beyond the total.
void CConnections_bound(int listener, unsigned group, uint64_t share, uint64_t total);

/// The program has read this many bytes of those that CConnections_received counts.
void CConnections_read(int descriptor, uint64_t cookie, uint64_t count);

/// The program has read this many more bytes of a group's connections.
void CConnections_read_of(unsigned group, uint64_t count);

/// The program has read every whole message of a group's connections.
void CConnections_drained(unsigned group);

/// The socket that accepted the connection with this cookie, or -1 if that has another descriptor.
int CConnections_listener(int descriptor, uint64_t cookie);

/// From now on nothing is received over the connection with this cookie, as if its peer had closed
/// it. What has arrived already stays unread. 0 if that was so already.
int CConnections_end(int descriptor, uint64_t cookie);

/// Whether a process that is connected over ipc had the group when it connected, also as one of its
/// supplementary groups.
int CConnections_has_group(pid_t process, uid_t user, gid_t group);

#endif
