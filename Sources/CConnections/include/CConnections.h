#ifndef CCONNECTIONS_H
#define CCONNECTIONS_H

#include <stdint.h>
#include <sys/socket.h>

// A program that links this module accepts connections, and receives over them, through it instead
// of the C library. So does libzmq in it, which offers no way to do what this module does: see
// CConnections.c.

int accept4(int socket, struct sockaddr *address, socklen_t *size, int flags);

/// How many bytes the process has received behind the handshake of a connection that it accepted,
/// without pings and pongs. -1 if the descriptor is not the connection with this cookie
/// (SO_COOKIE).
int64_t CConnections_received(int descriptor, uint64_t cookie);

/// The socket that accepted the connection with this cookie, or -1 if that has another descriptor.
int CConnections_listener(int descriptor, uint64_t cookie);

/// From now on nothing is received over the connection with this cookie, as if its peer had closed
/// it. What has arrived already stays unread. 0 if that was so already.
int CConnections_end(int descriptor, uint64_t cookie);

#endif
