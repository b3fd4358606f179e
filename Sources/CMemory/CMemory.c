#include "CMemory.h"

#include <stdint.h>
#include <string.h>

enum { AHEAD = 8192 };

typedef long long Block __attribute__((vector_size(16)));

void CMemory_copyPastCaches(void *target, const void *source, size_t count) {
  char *to = target;
  const char *from = source;
  // Such stores need aligned addresses, and whole lines of the cache to be fast.
  size_t head = -(uintptr_t)to % 64;
  if (count < head + 64) {
    memcpy(to, from, count);
    return;
  }
  memcpy(to, from, head);
  size_t done = head;
  for (; done + 64 <= count; done += 64) {
    // The processor itself reads ahead to the end of a page; this goes on in the next ones, and past the end does nothing.
    __builtin_prefetch(from + done + AHEAD, 0, 0);
    Block line[4];
    memcpy(line, from + done, sizeof line);
    Block *place = (Block *)(to + done);
    for (int i = 0; i < 4; i++) __builtin_nontemporal_store(line[i], place + i);
  }
  memcpy(to + done, from + done, count - done);
#ifdef __x86_64__
  // What is stored so is not in order with what comes after, such as the word that the frame is there.
  __builtin_ia32_sfence();
#endif
}
