#define _GNU_SOURCE
#include "CLinux.h"

#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/timex.h>

int CLinux_ppoll(struct pollfd *descriptors, unsigned long count, const struct timespec *timeout) {
  return ppoll(descriptors, count, timeout, NULL);
}

int CLinux_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

void CLinux_setThreadName(const char *name) {
  char kept[16] = {0};
  strncpy(kept, name, sizeof kept - 1);
  pthread_setname_np(pthread_self(), kept);
}

int CLinux_reserve(int descriptor, int64_t count) { return fallocate(descriptor, FALLOC_FL_KEEP_SIZE, 0, count); }

int CLinux_beginWriteback(int descriptor, int64_t offset, int64_t count) {
  return sync_file_range(descriptor, offset, count, SYNC_FILE_RANGE_WRITE);
}

int64_t CLinux_wallClockError(void) {
  struct timex clock = {0};
  int state = adjtimex(&clock);
  return state < 0 || state == TIME_ERROR ? -1 : clock.maxerror;
}
