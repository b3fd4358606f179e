// sys/socket.h is not included, because it declares accept4 with types of its own.
#include "CAccept.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

// Kept free for a moment in which no other descriptor is left.
static int spare = -1;

// Takes the place of the C library's accept4(2), also for libzmq, which ends the process if an ipc
// socket cannot accept a connection because too many files are open. Here such a connection is
// accepted and closed, so that it does not wait and keep libzmq's thread busy.
int accept4(int socket, void *address, void *size, int flags) {
  if (spare < 0) spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
  int descriptor = (int)syscall(SYS_accept4, socket, address, size, flags);
  if (descriptor >= 0 || errno != EMFILE) return descriptor;
  close(spare);
  descriptor = (int)syscall(SYS_accept4, socket, address, size, flags);
  if (descriptor >= 0) close(descriptor);
  spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
  errno = ECONNABORTED;
  return -1;
}
