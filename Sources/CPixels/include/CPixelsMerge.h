// Loops that compare and merge rows of samples of several frames of one scene, and that measure
// their sharpness. A sample has 8 bits, or 16 if it is deep.
#ifndef CPIXELS_MERGE_H
#define CPIXELS_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  /// The weight of the reference, and the largest weight of another frame.
  CPixels_fullWeight = 16,
  /// A difference between two frames whose size is the noise's standard deviation.
  CPixels_noiseUnit = 16,
  /// The rows and columns of the box whose differences are compared with the noise.
  CPixels_boxLength = 9,
};

/// The limits of what noise explains. At its low limit a frame has its full weight, at its high
/// limit none; in between the weight falls evenly.
typedef struct {
  /// The limits of the sum of a box's differences, whatever its sign.
  uint16_t sumLow, sumHigh;
  /// The limits of the sum of the sizes of a box's differences.
  uint16_t magnitudeLow, magnitudeHigh;
  /// The limits of a sample's own difference.
  uint16_t sampleLow, sampleHigh;
} CPixels_MergeLimits;

/// What a small area of two frames tells about their noise.
typedef struct {
  /// The sums of the differences, of their sizes, and of the sizes of the changes from one
  /// difference to another one in its row.
  int32_t sum, magnitude, change;
  /// The sum of the sizes of the same changes in the reference itself.
  int32_t ownChange;
  /// The sum of the reference's samples.
  int32_t brightness;
} CPixels_NoiseProbe;

/// Replaces the first byte of `count` pairs, or the second one if `first` is 1.
void CPixels_replace(const uint8_t *restrict bytes, uint8_t *restrict pairs, size_t first, size_t count);

/// Takes `count` pixels of 5, 6 and 5 bits apart to three samples each.
void CPixels_unpack565(const uint8_t *restrict pixels, uint8_t *restrict samples, size_t count);
void CPixels_pack565(const uint8_t *restrict samples, uint8_t *restrict pixels, size_t count);

/// Adds a row of samples to a column's sums.
void CPixels_addColumns(const void *restrict samples, bool isDeep, uint32_t *restrict columns, size_t count);

/// Makes `count` cells, each the scaled mean of its columns' sums, at most 255.
void CPixels_reduce(const uint32_t *restrict columns, size_t columnsPerCell, float scale, uint8_t *restrict cells, size_t count);

/// The largest sample of a row.
uint16_t CPixels_largest(const void *samples, bool isDeep, size_t count);

/// The sum of the sizes of the differences of two rows.
uint64_t CPixels_distance(const void *samples, const void *others, bool isDeep, size_t count);

/// Compares an area of two frames.
/// - strides: Samples from one row to the next.
/// - step: Samples from one of a kind to the next in a row.
/// - lag: How many steps apart two differences are whose change counts.
CPixels_NoiseProbe CPixels_probe(const void *samples, size_t stride, const void *others, size_t otherStride, bool isDeep, size_t step, size_t width, size_t height, size_t lag);

/// The differences of two rows, times the gain that makes the noise `CPixels_noiseUnit` large.
void CPixels_differences(const void *restrict samples, const void *restrict others, bool isDeep, const float *restrict gains, int16_t *restrict differences, size_t count);

/// Moves the sums of a box's rows down by one row.
void CPixels_moveDown(const int16_t *restrict entering, const int16_t *restrict leaving, int16_t *restrict sums, int16_t *restrict magnitudes, size_t count);

/// The weights of a frame's samples. The sums begin four steps before the first sample, and end
/// four steps after the last one.
void CPixels_weigh(const int16_t *restrict sums, const int16_t *restrict magnitudes, const int16_t *restrict differences, size_t step, const CPixels_MergeLimits *restrict limits, uint8_t *restrict weights, size_t count);

/// Starts sums with a row of the reference. Sums of deep samples have 32 bits, others 16.
void CPixels_startSums(const void *restrict samples, bool isDeep, void *restrict sums, uint8_t *restrict weightSums, size_t count);

/// Adds a weighted row to sums. They have room for eight frames.
void CPixels_addToSums(const void *restrict samples, bool isDeep, const uint8_t *restrict weights, void *restrict sums, uint8_t *restrict weightSums, size_t count);

/// The rounded weighted means of a row.
void CPixels_divideSums(const void *restrict sums, const uint8_t *restrict weightSums, bool isDeep, void *restrict samples, size_t count);

/// Widens every `step`th sample of a row.
void CPixels_gather(const uint8_t *restrict bytes, bool isDeep, size_t step, uint16_t *restrict samples, size_t count);

/// The sums of groups of two by two samples of two rows, as `count` samples of half the size.
void CPixels_halve(const uint16_t *restrict upper, const uint16_t *restrict lower, uint16_t *restrict samples, size_t count);

/// The detail of one tile of a picture.
typedef struct {
  /// The mean square of the change from one group of two by two samples to the next, across and
  /// down together.
  float change;
  /// The mean square of the detail inside a group that changes in both directions, which is mostly
  /// noise.
  float noise;
} CPixels_Detail;

/// Measures four rows of `2 * groups` samples.
CPixels_Detail CPixels_detail(const uint16_t *first, const uint16_t *second, const uint16_t *third, const uint16_t *fourth, size_t groups);

#endif
