// Loops over the bytes of pictures. Swift would compile them for the oldest processor only. C also
// compiles them for newer ones and selects a variant at run time, which halves their time. Swift
// also lacks non-temporal stores and prefetching.
#ifndef CPIXELS_H
#define CPIXELS_H

#include <stddef.h>
#include <stdint.h>

#include "CPixelsMerge.h"

/// Converts from the limited range of raw video to the full range of JPEG (ITU-R BT.601, JFIF). The
/// result is within one code of the exact ratio. Codes outside the limits are clamped.
void CPixels_expandLuma(const uint8_t *restrict codes, uint8_t *restrict expanded, size_t count);
void CPixels_expandChroma(const uint8_t *restrict codes, uint8_t *restrict expanded, size_t count);

/// Splits `count` pairs of bytes into their first and second bytes.
void CPixels_split(const uint8_t *restrict pairs, uint8_t *restrict firsts, uint8_t *restrict seconds, size_t count);

/// Makes a row of the means of two rows, rounded up.
void CPixels_averageRows(const uint8_t *restrict upper, const uint8_t *restrict lower, uint8_t *restrict means, size_t count);

/// The samples that one sample of a scaled row covers, with their shares of it.
typedef struct {
  int32_t first, last;
  float firstWeight, lastWeight;
  /// The weight of each sample in between.
  float weight;
} CPixels_Cover;

/// Adds a row of samples to sums.
void CPixels_addWeighted(const uint8_t *restrict samples, float weight, float *restrict sums, size_t count);

/// Makes a scaled row of `count` samples. Each is the weighted mean of the sums that it covers.
void CPixels_average(const float *restrict sums, const CPixels_Cover *restrict covers, uint8_t *restrict row, size_t count);

/// Prefetches bytes that will be read soon into the caches, without waiting.
void CPixels_prefetch(const uint8_t *bytes, size_t count);

/// Copies like memcpy(3), but past the caches. This is cheaper for megabytes that are not read
/// soon, and slower for their reader.
void CPixels_copyPastCaches(void *target, const void *source, size_t count);

#include "CPixels_Samples.h"

#endif
