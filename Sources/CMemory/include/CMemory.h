// What Swift cannot say of memory: stores that go past the caches have no name in it.
#ifndef CMEMORY_H
#define CMEMORY_H

#include <stddef.h>

/// memcpy(3), but the copy does not pass through the caches: cheaper for megabytes that nobody reads soon, and dearer for
/// whoever does.
void CMemory_copyPastCaches(void *target, const void *source, size_t count);

#endif
