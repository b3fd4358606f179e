// Linux calls that Swift's Glibc module does not show, because they need _GNU_SOURCE or a header
// that the module leaves out. Each shim is the call itself under its module's prefix.
#ifndef CLINUX_H
#define CLINUX_H

#include <poll.h>
#include <stdint.h>
#include <time.h>

/// ppoll(2) without a signal mask: poll(2) whose timeout counts nanoseconds. A null timeout waits for ever.
int CLinux_ppoll(struct pollfd *descriptors, unsigned long count, const struct timespec *timeout);

/// eventfd(2), non-blocking and closed on exec.
int CLinux_eventfd(void);

/// pthread_setname_np(3) for the calling thread; the kernel takes 15 bytes, what is beyond is cut off.
void CLinux_setThreadName(const char *name);

/// How long the kernel lets a thread run before another one has its turn, in nanoseconds (sched_getattr(2)); 0 where it
/// does not say so, as before Linux 6.12, or the thread is not scheduled as threads usually are. Thread 0 is the caller.
uint64_t CLinux_slice(int32_t thread);

/// Asks for the calling thread's slices to be this long (sched_setattr(2)), 0 for what the kernel chooses, and of threads
/// that it starts too, if they inherit them. Leaves alone who is not scheduled as threads usually are.
void CLinux_setSlice(uint64_t nanoseconds, int is_inherited);

/// fallocate(2) with FALLOC_FL_KEEP_SIZE: takes the disk's room for a file's first bytes, and leaves its size.
int CLinux_reserve(int descriptor, int64_t count);

/// sync_file_range(2) with SYNC_FILE_RANGE_WRITE: begins to bring a range of a file to the disk, and waits for nothing.
int CLinux_beginWriteback(int descriptor, int64_t offset, int64_t count);

/// The kernel's own bound of the wall clock's error in microseconds (adjtimex(2) `maxerror`), or -1 while nothing
/// keeps that clock synchronised.
int64_t CLinux_wallClockError(void);

#endif
