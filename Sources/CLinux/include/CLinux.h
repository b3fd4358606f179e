// Linux calls that Swift's Glibc module does not show, because they need _GNU_SOURCE or a header
// that the module leaves out. Each shim is the call itself with the module's prefix.
#ifndef CLINUX_H
#define CLINUX_H

#include <poll.h>
#include <stdint.h>
#include <time.h>

/// ppoll(2) without a signal mask: poll(2) with a timeout in nanoseconds. A null timeout waits
/// forever.
int CLinux_ppoll(struct pollfd *descriptors, unsigned long count, const struct timespec *timeout);

/// eventfd(2), non-blocking and closed on exec.
int CLinux_eventfd(void);

/// Blocks the signals for the calling thread and for those that it starts from then on, and returns
/// a descriptor from which they are read: signalfd(2), non-blocking and closed on exec.
int CLinux_queueSignals(const int *signals, int count);

/// The next signal of such a descriptor, or 0 if none waits.
int CLinux_nextSignal(int descriptor);

/// epoll_create1(2), closed on exec.
int CLinux_epoll(void);

/// Adds a descriptor to an epoll, or arms it again, for one report of input (EPOLLONESHOT).
int CLinux_awaitInput(int epoll, int descriptor, int is_new);

/// Stores the descriptors with input, without waiting (epoll_wait(2)). Returns how many.
int CLinux_takeInputs(int epoll, int *descriptors, int count);

/// The bytes that the process has received from a TCP connection (TCP_INFO, SIOCINQ), or -1 for
/// other descriptors.
int64_t CLinux_takenByteCount(int descriptor);

/// Stores the bytes that a connection has sent and its peer has not taken (SIOCOUTQ), and over TCP
/// those that it has taken since the beginning (TCP_INFO). Returns -1 for other descriptors.
int CLinux_sendState(int descriptor, int64_t *waiting, int64_t *taken);

/// posix_spawn_file_actions_addclosefrom_np(3): closes all descriptors from this one on in the
/// process that is started. The first argument is a posix_spawn_file_actions_t.
int CLinux_closeFrom(void *actions, int descriptor);

/// memfd_create(2), closed on exec: a file in memory that has no name in a folder.
int CLinux_memoryFile(const char *name);

/// sigabbrev_np(3): a signal's name without SIG, or null for an unknown one.
const char *CLinux_signalName(int signal);

/// The process at the other end of a local connection (SO_PEERCRED), or 0.
int CLinux_peerProcess(int descriptor);

/// malloc_trim(3): gives free memory of all arenas back to the system.
void CLinux_trimMemory(void);

/// mallopt(3): sets the free bytes at the end of an arena above which they go back to the system,
/// and the size from which a block has memory of its own. By default malloc raises both with each
/// large block that is freed, and malloc_trim(3) leaves the ends of most arenas alone.
void CLinux_boundFreeMemory(int byteCount);

/// pthread_setname_np(3) for the calling thread. The kernel keeps the first 15 bytes.
void CLinux_setThreadName(const char *name);

/// The length of a thread's time slice in nanoseconds (sched_getattr(2)): how long the kernel lets
/// it run before another thread gets the core. 0 before Linux 6.12, and for a thread with a special
/// scheduling policy. Thread 0 is the caller.
uint64_t CLinux_slice(int32_t thread);

/// Sets the length of the calling thread's time slice (sched_setattr(2)); 0 restores the kernel's
/// choice. Threads that it starts inherit the length if `is_inherited` is set. A thread with a
/// special scheduling policy is left alone.
void CLinux_setSlice(uint64_t nanoseconds, int is_inherited);

/// fallocate(2) with FALLOC_FL_KEEP_SIZE: reserves disk space for a file's first bytes and keeps
/// its size.
int CLinux_reserve(int descriptor, int64_t count);

/// sync_file_range(2) with SYNC_FILE_RANGE_WRITE: starts to write a range of a file to the disk
/// without waiting for it.
int CLinux_beginWriteback(int descriptor, int64_t offset, int64_t count);

/// renameat2(2) with RENAME_NOREPLACE: renames a file unless the new name exists. The new name is
/// below the open folder (AT_FDCWD: the working directory).
int CLinux_renameNew(const char *source, int folder, const char *destination);

/// The kernel's own bound of the wall clock's error in microseconds (adjtimex(2) `maxerror`), or -1
/// while the clock is not synchronized.
int64_t CLinux_wallClockError(void);

/// Asks the system's name servers for SRV records (res_nquery(3), resolv.conf(5)) and stores their
/// answer (RFC 1035). It waits for each server up to the given seconds. Returns the answer's
/// length, 0 if there are no such records, or -1 if no server has answered.
int CLinux_queryServices(const char *name, unsigned char *answer, int capacity, int seconds);

/// The size of the terminal that a descriptor leads to (TIOCGWINSZ), in characters and in pixels,
/// or -1 for anything else. Many terminals leave the pixels at 0.
int CLinux_terminalSize(
    int descriptor, uint16_t *columns, uint16_t *rows, uint16_t *width, uint16_t *height);

/// Takes the characters of the user's locale (setlocale(3) for LC_CTYPE), for this call and
/// CLinux_columns. Returns whether they are encoded as UTF-8.
int CLinux_takeLocale(void);

/// How many columns of a terminal a character takes (wcwidth(3)): -1 if the locale cannot print it.
int CLinux_columns(uint32_t character);

#endif
