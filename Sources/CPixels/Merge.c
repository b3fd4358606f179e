#include "CPixelsMerge.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "Processors.h"

enum {
  BOX = CPixels_boxLength,
  FULL = CPixels_fullWeight,
  // Sums of a box's differences fit into 16 bits.
  LARGEST_DIFFERENCE = INT16_MAX / (BOX * BOX),
};

FOR_EACH_PROCESSOR
void CPixels_replace(const uint8_t *restrict bytes, uint8_t *restrict pairs, size_t first, size_t count) {
  const uint16_t kept = first == 0 ? 0xff00 : 0xff;
  const unsigned shift = first == 0 ? 0 : 8;
  for (size_t x = 0; x < count; x++) {
    uint16_t pair; // As 16-bit values, so that the compiler can use vectors on every processor.
    memcpy(&pair, pairs + 2 * x, sizeof pair);
    pair = htole16((uint16_t)((le16toh(pair) & kept) | bytes[x] << shift));
    memcpy(pairs + 2 * x, &pair, sizeof pair);
  }
}

FOR_EACH_PROCESSOR
void CPixels_unpack565(const uint8_t *restrict pixels, uint8_t *restrict samples, size_t count) {
  for (size_t x = 0; x < count; x++) {
    uint16_t pixel = (uint16_t)(pixels[2 * x] | pixels[2 * x + 1] << 8);
    samples[3 * x] = pixel >> 11;
    samples[3 * x + 1] = pixel >> 5 & 63;
    samples[3 * x + 2] = pixel & 31;
  }
}

FOR_EACH_PROCESSOR
void CPixels_pack565(const uint8_t *restrict samples, uint8_t *restrict pixels, size_t count) {
  for (size_t x = 0; x < count; x++) {
    uint16_t pixel = (uint16_t)(samples[3 * x] << 11 | samples[3 * x + 1] << 5 | samples[3 * x + 2]);
    pixels[2 * x] = (uint8_t)pixel;
    pixels[2 * x + 1] = pixel >> 8;
  }
}

FOR_EACH_PROCESSOR
void CPixels_addColumns(const void *restrict samples, bool isDeep, uint32_t *restrict columns, size_t count) {
  const uint8_t *bytes = samples;
  const uint16_t *words = samples;
  if (isDeep) {
    for (size_t x = 0; x < count; x++) columns[x] += words[x];
  } else {
    for (size_t x = 0; x < count; x++) columns[x] += bytes[x];
  }
}

static inline uint32_t sumOf(const uint32_t *columns, size_t count) {
  uint32_t sum = 0;
  for (size_t column = 0; column < count; column++) sum += columns[column];
  return sum;
}

static inline void reduce(const uint32_t *restrict columns, size_t columnsPerCell, float scale, uint8_t *restrict cells, size_t count) {
  for (size_t cell = 0; cell < count; cell++) {
    float mean = scale * (float)(int32_t)sumOf(columns + cell * columnsPerCell, columnsPerCell);
    cells[cell] = mean < 254.5f ? (uint8_t)(mean + 0.5f) : 255;
  }
}

FOR_EACH_PROCESSOR
void CPixels_reduce(const uint32_t *restrict columns, size_t columnsPerCell, float scale, uint8_t *restrict cells, size_t count) {
  // The usual length as a constant, so that the compiler can use vectors.
  if (columnsPerCell == 4) {
    reduce(columns, 4, scale, cells, count);
  } else {
    reduce(columns, columnsPerCell, scale, cells, count);
  }
}

FOR_EACH_PROCESSOR
uint16_t CPixels_largest(const void *samples, bool isDeep, size_t count) {
  const uint8_t *bytes = samples;
  const uint16_t *words = samples;
  uint16_t largest = 0;
  for (size_t x = 0; x < count; x++) {
    uint16_t sample = isDeep ? words[x] : bytes[x];
    largest = sample > largest ? sample : largest;
  }
  return largest;
}

FOR_EACH_PROCESSOR
uint64_t CPixels_distance(const void *samples, const void *others, bool isDeep, size_t count) {
  const uint8_t *bytes = samples, *otherBytes = others;
  const uint16_t *words = samples, *otherWords = others;
  // A row of the longest picture's samples fits into 32 bits.
  uint32_t distance = 0;
  if (isDeep) {
    for (size_t x = 0; x < count; x++) distance += (uint32_t)abs(words[x] - otherWords[x]);
  } else {
    for (size_t x = 0; x < count; x++) distance += (uint32_t)abs(bytes[x] - otherBytes[x]);
  }
  return distance;
}

static inline int32_t sampleAt(const void *samples, bool isDeep, size_t index) {
  return isDeep ? ((const uint16_t *)samples)[index] : ((const uint8_t *)samples)[index];
}

CPixels_NoiseProbe CPixels_probe(const void *samples, size_t stride, const void *others, size_t otherStride, bool isDeep, size_t step, size_t width, size_t height, size_t lag) {
  CPixels_NoiseProbe probe = {0};
  for (size_t y = 0; y < height; y++) {
    int32_t own[BOX], row[BOX];
    for (size_t x = 0; x < width && x < BOX; x++) {
      own[x] = sampleAt(samples, isDeep, y * stride + x * step);
      row[x] = sampleAt(others, isDeep, y * otherStride + x * step) - own[x];
      probe.brightness += own[x];
      probe.sum += row[x];
      probe.magnitude += abs(row[x]);
      if (x < lag) continue;
      probe.change += abs(row[x] - row[x - lag]);
      probe.ownChange += abs(own[x] - own[x - lag]);
    }
  }
  return probe;
}

static inline int16_t amplified(int32_t difference, float gain) {
  float product = (float)difference * gain;
  product = product < LARGEST_DIFFERENCE ? product : LARGEST_DIFFERENCE;
  product = product > -LARGEST_DIFFERENCE ? product : -LARGEST_DIFFERENCE;
  return (int16_t)(product + (product < 0 ? -0.5f : 0.5f));
}

FOR_EACH_PROCESSOR
void CPixels_differences(const void *restrict samples, const void *restrict others, bool isDeep, const float *restrict gains, int16_t *restrict differences, size_t count) {
  const uint8_t *bytes = samples, *otherBytes = others;
  const uint16_t *words = samples, *otherWords = others;
  if (isDeep) {
    for (size_t x = 0; x < count; x++) differences[x] = amplified(otherWords[x] - words[x], gains[x]);
  } else {
    for (size_t x = 0; x < count; x++) differences[x] = amplified(otherBytes[x] - bytes[x], gains[x]);
  }
}

FOR_EACH_PROCESSOR
void CPixels_moveDown(const int16_t *restrict entering, const int16_t *restrict leaving, int16_t *restrict sums, int16_t *restrict magnitudes, size_t count) {
  for (size_t x = 0; x < count; x++) {
    sums[x] += entering[x] - leaving[x];
    magnitudes[x] += abs(entering[x]) - abs(leaving[x]);
  }
}

static inline uint16_t least(uint16_t a, uint16_t b) { return a < b ? a : b; }

/// The weight of a value, which the slope gives with 16 fractional bits.
static inline uint16_t weight(uint16_t value, uint16_t high, uint16_t slope) {
  uint16_t room = high > value ? high - value : 0;
  return (uint32_t)room * slope >> 16;
}

/// Rounded up, so that a value at the low limit has the full weight.
static uint16_t slope(uint16_t low, uint16_t high) {
  uint32_t range = high > low ? high - low : 1;
  uint32_t slope = ((FULL << 16) + range - 1) / range;
  return slope < UINT16_MAX ? slope : UINT16_MAX;
}

static inline void weigh(const int16_t *restrict sums, const int16_t *restrict magnitudes, const int16_t *restrict differences, size_t step, const CPixels_MergeLimits *restrict limits, uint8_t *restrict weights, size_t count) {
  uint16_t sumHigh = limits->sumHigh, sumSlope = slope(limits->sumLow, sumHigh);
  uint16_t magnitudeHigh = limits->magnitudeHigh, magnitudeSlope = slope(limits->magnitudeLow, magnitudeHigh);
  uint16_t sampleHigh = limits->sampleHigh, sampleSlope = slope(limits->sampleLow, sampleHigh);
  for (size_t x = 0; x < count; x++) {
    int16_t sum = 0, magnitude = 0;
    for (size_t column = 0; column < BOX; column++) {
      sum += sums[x + column * step];
      magnitude += magnitudes[x + column * step];
    }
    uint16_t bySum = weight((uint16_t)abs(sum), sumHigh, sumSlope);
    uint16_t byMagnitude = weight((uint16_t)magnitude, magnitudeHigh, magnitudeSlope);
    uint16_t bySample = weight((uint16_t)abs(differences[x]), sampleHigh, sampleSlope);
    weights[x] = (uint8_t)least(least(least(bySum, byMagnitude), bySample), FULL);
  }
}

FOR_EACH_PROCESSOR
void CPixels_weigh(const int16_t *restrict sums, const int16_t *restrict magnitudes, const int16_t *restrict differences, size_t step, const CPixels_MergeLimits *restrict limits, uint8_t *restrict weights, size_t count) {
  weigh(sums, magnitudes, differences, step, limits, weights, count);
}

FOR_EACH_PROCESSOR
void CPixels_startSums(const void *restrict samples, bool isDeep, void *restrict sums, uint8_t *restrict weightSums, size_t count) {
  const uint8_t *bytes = samples;
  const uint16_t *words = samples;
  uint16_t *shortSums = sums;
  uint32_t *longSums = sums;
  if (isDeep) {
    for (size_t x = 0; x < count; x++) longSums[x] = (uint32_t)words[x] * FULL;
  } else {
    for (size_t x = 0; x < count; x++) shortSums[x] = (uint16_t)(bytes[x] * FULL);
  }
  memset(weightSums, FULL, count);
}

FOR_EACH_PROCESSOR
void CPixels_addToSums(const void *restrict samples, bool isDeep, const uint8_t *restrict weights, void *restrict sums, uint8_t *restrict weightSums, size_t count) {
  const uint8_t *bytes = samples;
  const uint16_t *words = samples;
  uint16_t *shortSums = sums;
  uint32_t *longSums = sums;
  if (isDeep) {
    for (size_t x = 0; x < count; x++) longSums[x] += (uint32_t)words[x] * weights[x];
  } else {
    for (size_t x = 0; x < count; x++) shortSums[x] += (uint16_t)(bytes[x] * weights[x]);
  }
  for (size_t x = 0; x < count; x++) weightSums[x] += weights[x];
}

FOR_EACH_PROCESSOR
void CPixels_divideSums(const void *restrict sums, const uint8_t *restrict weightSums, bool isDeep, void *restrict samples, size_t count) {
  uint8_t *bytes = samples;
  uint16_t *words = samples;
  const uint16_t *shortSums = sums;
  const uint32_t *longSums = sums;
  if (isDeep) {
    // Sums have at most 23 bits, so a float holds them exactly.
    for (size_t x = 0; x < count; x++) words[x] = (uint16_t)((float)(int32_t)longSums[x] / weightSums[x] + 0.5f);
  } else {
    for (size_t x = 0; x < count; x++) bytes[x] = (uint8_t)((float)shortSums[x] / weightSums[x] + 0.5f);
  }
}

static inline void widen(const uint8_t *restrict bytes, bool isDeep, size_t step, uint16_t *restrict samples, size_t count) {
  for (size_t x = 0; x < count; x++) {
    if (isDeep) {
      uint16_t sample; // A row may begin at any address.
      memcpy(&sample, bytes + 2 * x * step, sizeof sample);
      samples[x] = le16toh(sample);
    } else {
      samples[x] = bytes[x * step];
    }
  }
}

FOR_EACH_PROCESSOR
void CPixels_gather(const uint8_t *restrict bytes, bool isDeep, size_t step, uint16_t *restrict samples, size_t count) {
  // The usual steps as constants, so that the compiler can use vectors.
  if (isDeep) {
    widen(bytes, true, step, samples, count);
  } else if (step == 1) {
    widen(bytes, false, 1, samples, count);
  } else if (step == 2) {
    widen(bytes, false, 2, samples, count);
  } else {
    widen(bytes, false, step, samples, count);
  }
}

FOR_EACH_PROCESSOR
void CPixels_halve(const uint16_t *restrict upper, const uint16_t *restrict lower, uint16_t *restrict samples, size_t count) {
  for (size_t x = 0; x < count; x++) {
    uint32_t sum = (uint32_t)upper[2 * x] + upper[2 * x + 1] + lower[2 * x] + lower[2 * x + 1];
    samples[x] = (uint16_t)(sum >> 2);
  }
}

FOR_EACH_PROCESSOR
CPixels_Detail CPixels_detail(const uint16_t *first, const uint16_t *second, const uint16_t *third, const uint16_t *fourth, size_t groups) {
#pragma clang fp reassociate(on) // So that the compiler can use vectors.
  float change = 0, noise = 0;
  for (size_t group = 0; group + 1 < groups; group++) {
    const size_t x = 2 * group;
    int32_t left = first[x] + second[x], right = first[x + 1] + second[x + 1];
    int32_t next = first[x + 2] + first[x + 3] + second[x + 2] + second[x + 3];
    int32_t below = third[x] + third[x + 1] + fourth[x] + fourth[x + 1];
    float across = (float)(next - left - right), down = (float)(below - left - right);
    float both = (float)(first[x] - first[x + 1] - second[x] + second[x + 1]);
    change += across * across + down * down;
    noise += both * both;
  }
  float count = groups > 1 ? (float)(groups - 1) : 1;
  return (CPixels_Detail){.change = change / count, .noise = noise / count};
}
