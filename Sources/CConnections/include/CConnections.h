#ifndef CCONNECTIONS_H
#define CCONNECTIONS_H

#include <stdint.h>

// A program that links this module accepts connections, and receives over them, through it instead
// of the C library. So does libzmq in it, which offers no way to do what this module does: see
// CConnections.c.

/// How many bytes the process has received over a connection that it accepted, or -1 if the
/// descriptor is not the connection with this cookie (SO_COOKIE).
int64_t CConnections_received(int descriptor, uint64_t cookie);

#endif
