// Loops over the bytes of pictures. Swift compiles them for the oldest processor of its kind alone; C compiles them for newer
// ones too and takes what the machine has, which halves the time that they take. Stores that go past the caches, and reading
// ahead, have no name in Swift.
#ifndef CPIXELS_H
#define CPIXELS_H

#include <stddef.h>
#include <stdint.h>

/// From the limited range that raw video has to the full range that JPEG has (ITU-R BT.601, JFIF), within one code of the
/// exact ratio; codes beyond the limits become the nearest.
void CPixels_expandLuma(const uint8_t *restrict codes, uint8_t *restrict expanded, size_t count);
void CPixels_expandChroma(const uint8_t *restrict codes, uint8_t *restrict expanded, size_t count);

/// Copies `count` pairs of bytes, the first of each one way and the second the other.
void CPixels_split(const uint8_t *restrict pairs, uint8_t *restrict firsts, uint8_t *restrict seconds, size_t count);

/// Has the processor bring bytes that will be read soon into its caches, and does not wait for it.
void CPixels_prefetch(const uint8_t *bytes, size_t count);

/// memcpy(3), but the copy does not pass through the caches: cheaper for megabytes that nobody reads soon, and dearer for
/// whoever does.
void CPixels_copyPastCaches(void *target, const void *source, size_t count);

#endif
