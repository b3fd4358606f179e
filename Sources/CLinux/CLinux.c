#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <arpa/nameser.h>
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <malloc.h>
#include <netdb.h>
#include <netinet/in.h>
#include <locale.h>
#include <pthread.h>
#include <resolv.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <unistd.h>
#include <wchar.h>

/// The first version of the kernel's `struct sched_attr`. The kernel's header cannot be included
/// together with the C library's sched.h.
struct scheduling {
  uint32_t size, policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime, deadline, period;
};

/// A flag of that structure: threads that this thread starts get the default scheduling.
enum { RESET_ON_FORK = 1 };

int CLinux_ppoll(struct pollfd *descriptors, unsigned long count, const struct timespec *timeout) {
  return ppoll(descriptors, count, timeout, NULL);
}

int CLinux_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

int CLinux_queueSignals(const int *signals, int count) {
  sigset_t queued;
  sigemptyset(&queued);
  for (int index = 0; index < count; index++) sigaddset(&queued, signals[index]);
  const int error = pthread_sigmask(SIG_BLOCK, &queued, NULL);
  if (error != 0) {
    errno = error;
    return -1;
  }
  return signalfd(-1, &queued, SFD_NONBLOCK | SFD_CLOEXEC);
}

int CLinux_nextSignal(int descriptor) {
  struct signalfd_siginfo signal;
  return read(descriptor, &signal, sizeof signal) == sizeof signal ? (int)signal.ssi_signo : 0;
}

int CLinux_epoll(void) { return epoll_create1(EPOLL_CLOEXEC); }

int CLinux_awaitInput(int epoll, int descriptor, int is_new) {
  struct epoll_event event = {.events = EPOLLIN | EPOLLONESHOT, .data.fd = descriptor};
  return epoll_ctl(epoll, is_new ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, descriptor, &event);
}

int CLinux_takeInputs(int epoll, int *descriptors, int count) {
  struct epoll_event events[64];
  const int ready = epoll_wait(epoll, events, count < 64 ? count : 64, 0);
  for (int index = 0; index < ready; index++) descriptors[index] = events[index].data.fd;
  return ready < 0 ? 0 : ready;
}

int64_t CLinux_takenByteCount(int descriptor) {
  struct tcp_info info;
  socklen_t size = sizeof info;
  int waiting = 0;
  if (ioctl(descriptor, SIOCINQ, &waiting) != 0) return -1;
  if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return -1;
  if (size < offsetof(struct tcp_info, tcpi_bytes_received) + sizeof info.tcpi_bytes_received) return -1;
  const int64_t taken = (int64_t)info.tcpi_bytes_received - waiting;
  return taken < 0 ? 0 : taken;
}

int CLinux_sendState(int descriptor, int64_t *waiting, int64_t *taken) {
  struct tcp_info info = {0};
  socklen_t size = sizeof info;
  int count = 0;
  if (ioctl(descriptor, SIOCOUTQ, &count) != 0) return -1;
  *waiting = count;
  const int status = getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size);
  *taken = status == 0 ? (int64_t)info.tcpi_bytes_acked : 0;
  return 0;
}

int CLinux_closeFrom(void *actions, int descriptor) {
  return posix_spawn_file_actions_addclosefrom_np(actions, descriptor);
}

int CLinux_memoryFile(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

const char *CLinux_signalName(int signal) { return sigabbrev_np(signal); }

int CLinux_peerProcess(int descriptor) {
  struct ucred peer = {0};
  socklen_t size = sizeof peer;
  return getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? peer.pid : 0;
}

void CLinux_trimMemory(void) { malloc_trim(0); }

void CLinux_boundFreeMemory(int byteCount) {
  mallopt(M_MMAP_THRESHOLD, byteCount);
  mallopt(M_TRIM_THRESHOLD, byteCount);
}

void CLinux_setThreadName(const char *name) {
  char kept[16] = {0};
  strncpy(kept, name, sizeof kept - 1);
  pthread_setname_np(pthread_self(), kept);
}

uint64_t CLinux_slice(int32_t thread) {
  struct scheduling now = {0};
  return syscall(SYS_sched_getattr, thread, &now, sizeof now, 0) != 0 || now.policy != SCHED_OTHER ? 0 : now.runtime;
}

void CLinux_setSlice(uint64_t nanoseconds, int is_inherited) {
  struct scheduling wanted = {0};
  const int error = errno;
  if (syscall(SYS_sched_getattr, 0, &wanted, sizeof wanted, 0) == 0 && wanted.policy == SCHED_OTHER) {
    wanted.runtime = nanoseconds;
    if (!is_inherited) wanted.flags |= RESET_ON_FORK;
    syscall(SYS_sched_setattr, 0, &wanted, 0);
  }
  errno = error;
}

int CLinux_reserve(int descriptor, int64_t count) { return fallocate(descriptor, FALLOC_FL_KEEP_SIZE, 0, count); }

int CLinux_beginWriteback(int descriptor, int64_t offset, int64_t count) {
  return sync_file_range(descriptor, offset, count, SYNC_FILE_RANGE_WRITE);
}

int CLinux_renameNew(const char *source, int folder, const char *destination) {
  return renameat2(AT_FDCWD, source, folder, destination, RENAME_NOREPLACE);
}

int64_t CLinux_wallClockError(void) {
  struct timex clock = {0};
  // The state says nothing: without the option rtcsync, chronyd leaves TIME_ERROR there while it
  // computes the bound. Unsynchronised clocks have a bound of 16 s (the kernel's NTP_PHASE_LIMIT).
  return adjtimex(&clock) < 0 || clock.maxerror >= 16000000 ? -1 : clock.maxerror;
}

int CLinux_queryServices(const char *name, unsigned char *answer, int capacity, int seconds) {
  struct __res_state state;
  memset(&state, 0, sizeof state);
  if (res_ninit(&state) != 0) return -1;
  state.retrans = seconds;
  state.retry = 1;
  const int length = res_nquery(&state, name, ns_c_in, ns_t_srv, answer, capacity);
  const int error = state.res_h_errno;
  res_nclose(&state);
  // An answer that does not fit is cut off, and its length is that of the whole.
  if (length > 0) return length < capacity ? length : capacity;
  return error == HOST_NOT_FOUND || error == NO_DATA ? 0 : -1;
}

int CLinux_terminalSize(
    int descriptor, uint16_t *columns, uint16_t *rows, uint16_t *width, uint16_t *height) {
  struct winsize size = {0};
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) return -1;
  *columns = size.ws_col;
  *rows = size.ws_row;
  *width = size.ws_xpixel;
  *height = size.ws_ypixel;
  return 0;
}

int CLinux_takeLocale(void) {
  setlocale(LC_CTYPE, "");
  return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

int CLinux_columns(uint32_t character) { return wcwidth((wchar_t)character); }
