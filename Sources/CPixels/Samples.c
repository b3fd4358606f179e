#include "CPixels.h"

#include <endian.h>
#include <string.h>

// As in CPixels.c.
#if defined(__x86_64__) && !__has_feature(thread_sanitizer)
#define FOR_EACH_PROCESSOR __attribute__((target_clones("avx512bw", "avx2", "default")))
#else
#define FOR_EACH_PROCESSOR
#endif

static inline uint16_t load(const uint8_t *word) {
  uint16_t value;
  memcpy(&value, word, sizeof value);
  return value;
}

FOR_EACH_PROCESSOR
void CPixels_widen(const uint8_t *restrict bytes, uint16_t *restrict samples, size_t count) {
  for (size_t x = 0; x < count; x++) samples[x] = bytes[x];
}

FOR_EACH_PROCESSOR
void CPixels_swap(const uint8_t *restrict words, uint16_t *restrict samples, size_t count) {
  for (size_t x = 0; x < count; x++) samples[x] = be16toh(load(words + 2 * x));
}

static inline uint16_t sample10(const uint8_t *group, size_t place) {
  return (uint16_t)(group[place] << 2 | (group[4] >> 2 * place & 3));
}

void CPixels_unpack10(const uint8_t *restrict groups, uint16_t *restrict samples, size_t count) {
  size_t whole = count / 4;
  for (size_t group = 0; group < whole; group++)
    for (size_t place = 0; place < 4; place++) samples[4 * group + place] = sample10(groups + 5 * group, place);
  for (size_t x = 4 * whole; x < count; x++) samples[x] = sample10(groups + 5 * whole, x % 4);
}

static inline uint16_t sample12(const uint8_t *group, size_t place) {
  return (uint16_t)(group[place] << 4 | (group[2] >> 4 * place & 15));
}

void CPixels_unpack12(const uint8_t *restrict groups, uint16_t *restrict samples, size_t count) {
  for (size_t x = 0; x < count; x++) samples[x] = sample12(groups + 3 * (x / 2), x % 2);
}

FOR_EACH_PROCESSOR
void CPixels_narrow(const uint8_t *restrict words, int bits, uint8_t *restrict samples, size_t count) {
  for (size_t x = 0; x < count; x++) {
    uint16_t high = le16toh(load(words + 2 * x)) >> (bits - 8);
    samples[x] = high < 255 ? (uint8_t)high : 255;
  }
}

FOR_EACH_PROCESSOR
void CPixels_firstBytes(const uint8_t *restrict words, uint8_t *restrict samples, size_t count) {
  for (size_t x = 0; x < count; x++) samples[x] = (uint8_t)le16toh(load(words + 2 * x));
}

void CPixels_narrow10(const uint8_t *restrict groups, uint8_t *restrict samples, size_t count) {
  size_t whole = count / 4;
  for (size_t group = 0; group < whole; group++) memcpy(samples + 4 * group, groups + 5 * group, 4);
  memcpy(samples + 4 * whole, groups + 5 * whole, count % 4);
}

void CPixels_narrow12(const uint8_t *restrict groups, uint8_t *restrict samples, size_t count) {
  size_t whole = count / 2;
  for (size_t group = 0; group < whole; group++) memcpy(samples + 2 * group, groups + 3 * group, 2);
  memcpy(samples + 2 * whole, groups + 3 * whole, count % 2);
}

FOR_EACH_PROCESSOR
void CPixels_stretch(uint16_t *samples, int bits, size_t count) {
  uint16_t most = (uint16_t)((1 << bits) - 1);
  for (size_t x = 0; x < count; x++) {
    uint16_t sample = samples[x] < most ? samples[x] : most;
    samples[x] = (uint16_t)(sample << (16 - bits) | sample >> (2 * bits - 16));
  }
}

// One body for both widths of samples. `sum_t` has room for the sum of four of them.
#define DEMOSAIC(sample_t, sum_t)                                                             \
  const sample_t own_columns = phase ? 0 : (sample_t)-1;                                      \
  /* Signed, because x - 1 may be negative. */                                                \
  for (ptrdiff_t x = 0; x < (ptrdiff_t)count; x++) {                                          \
    sum_t sides = (sum_t)((sum_t)row[x - 1] + row[x + 1]);                                    \
    sum_t ends = (sum_t)((sum_t)above[x] + below[x]);                                         \
    sum_t corners = (sum_t)((sum_t)above[x - 1] + above[x + 1] + below[x - 1] + below[x + 1]); \
    sample_t middle = row[x];                                                                 \
    sample_t beside = (sample_t)((sum_t)(sides + 1) / 2);                                     \
    sample_t around = (sample_t)((sum_t)(sides + ends + 2) / 4);                              \
    sample_t across = (sample_t)((sum_t)(ends + 1) / 2);                                      \
    sample_t diagonal = (sample_t)((sum_t)(corners + 2) / 4);                                 \
    sample_t is_own = (sample_t)(own_columns ^ (sample_t)-(sample_t)(x & 1));                 \
    own[x] = (sample_t)((middle & is_own) | (beside & (sample_t)~is_own));                    \
    green[x] = (sample_t)((around & is_own) | (middle & (sample_t)~is_own));                  \
    other[x] = (sample_t)((diagonal & is_own) | (across & (sample_t)~is_own));                \
  }

FOR_EACH_PROCESSOR
void CPixels_demosaic8(const uint8_t *above, const uint8_t *row, const uint8_t *below, int phase,
                       uint8_t *restrict own, uint8_t *restrict green, uint8_t *restrict other, size_t count) {
  DEMOSAIC(uint8_t, uint16_t)
}

FOR_EACH_PROCESSOR
void CPixels_demosaic16(const uint16_t *above, const uint16_t *row, const uint16_t *below, int phase,
                        uint16_t *restrict own, uint16_t *restrict green, uint16_t *restrict other, size_t count) {
  DEMOSAIC(uint16_t, uint32_t)
}

// One of the two samples of a pair.
static inline uint16_t half(const uint8_t *row, ptrdiff_t pair, int shift) {
  return (uint8_t)(le16toh(load(row + 2 * pair)) >> shift);
}

// The value at the middle of a square. The nearest sample is in it, and three are beyond its edges.
static inline uint8_t middle(const uint8_t *row, const uint8_t *beyond, ptrdiff_t pair, ptrdiff_t side, int shift) {
  uint16_t sum = 9 * half(row, pair, shift) + 3 * half(row, pair + side, shift) + 3 * half(beyond, pair, shift) +
                 half(beyond, pair + side, shift);
  return (uint8_t)((uint16_t)(sum + 8) >> 4);
}

FOR_EACH_PROCESSOR
void CPixels_bin(const uint8_t *above, const uint8_t *first, const uint8_t *second, const uint8_t *below, int phase,
                 uint8_t *restrict own, uint8_t *restrict green, uint8_t *restrict other, size_t count) {
  int own_shift = phase ? 8 : 0, other_shift = 8 - own_shift;
  ptrdiff_t side = phase ? -1 : 1;
  for (ptrdiff_t x = 0; x < (ptrdiff_t)count; x++) {
    own[x] = middle(first, below, x, side, own_shift);
    other[x] = middle(second, above, x, -side, other_shift);
    uint16_t greens = half(first, x, other_shift) + half(second, x, own_shift);
    green[x] = (uint8_t)((uint16_t)(greens + 1) >> 1);
  }
}

FOR_EACH_PROCESSOR
void CPixels_interleave8(const uint8_t *red, const uint8_t *green, const uint8_t *blue, uint8_t *restrict pixels,
                         size_t count) {
  for (size_t x = 0; x < count; x++) {
    pixels[3 * x] = red[x];
    pixels[3 * x + 1] = green[x];
    pixels[3 * x + 2] = blue[x];
  }
}

FOR_EACH_PROCESSOR
void CPixels_interleave16(const uint16_t *red, const uint16_t *green, const uint16_t *blue, uint16_t *restrict pixels,
                          size_t count) {
  for (size_t x = 0; x < count; x++) {
    pixels[3 * x] = red[x];
    pixels[3 * x + 1] = green[x];
    pixels[3 * x + 2] = blue[x];
  }
}

FOR_EACH_PROCESSOR
void CPixels_reverse(const uint8_t *restrict pixels, uint8_t *restrict reversed, size_t count) {
  for (size_t x = 0; x < count; x++) {
    reversed[3 * x] = pixels[3 * x + 2];
    reversed[3 * x + 1] = pixels[3 * x + 1];
    reversed[3 * x + 2] = pixels[3 * x];
  }
}

void CPixels_developBytes(const uint8_t *restrict samples, const uint8_t *restrict table, uint8_t *restrict codes, size_t count) {
  for (size_t x = 0; x < count; x++) codes[x] = table[samples[x]];
}

void CPixels_develop8(const uint16_t *restrict samples, uint16_t most, const uint8_t *restrict table, uint8_t *restrict codes,
                      size_t count) {
  for (size_t x = 0; x < count; x++) codes[x] = table[samples[x] < most ? samples[x] : most];
}

void CPixels_develop16(uint16_t *restrict samples, uint16_t most, const uint16_t *restrict table, size_t count) {
  for (size_t x = 0; x < count; x++) samples[x] = table[samples[x] < most ? samples[x] : most];
}

void CPixels_lookUp(const uint16_t *restrict samples, const uint8_t *restrict table, uint8_t *restrict values, size_t count) {
  for (size_t x = 0; x < count; x++) values[x] = table[samples[x]];
}

void CPixels_paint(const uint8_t *restrict values, const uint8_t *restrict palette, uint8_t *restrict pixels, size_t count) {
  for (size_t x = 0; x < count; x++) memcpy(pixels + 3 * x, palette + 3 * values[x], 3);
}

static inline uint8_t code(int32_t value) {
  int32_t rounded = (value + 32768) >> 16;
  return rounded < 0 ? 0 : rounded > 255 ? 255 : (uint8_t)rounded;
}

FOR_EACH_PROCESSOR
void CPixels_colors(const uint8_t *restrict luma, const uint8_t *restrict blue, const uint8_t *restrict red, int shift,
                    const CPixels_Matrix *matrix, uint8_t *restrict pixels, size_t count) {
  const CPixels_Matrix m = *matrix;
  for (size_t x = 0; x < count; x++) {
    int32_t y = m.luma * (luma[x] - m.black);
    int32_t cb = blue[x >> shift] - 128, cr = red[x >> shift] - 128;
    pixels[3 * x] = code(y + m.redOfRed * cr);
    pixels[3 * x + 1] = code(y + m.greenOfBlue * cb + m.greenOfRed * cr);
    pixels[3 * x + 2] = code(y + m.blueOfBlue * cb);
  }
}

FOR_EACH_PROCESSOR
void CPixels_addWeighted16(const uint16_t *restrict samples, float weight, float *restrict sums, size_t count) {
  for (size_t x = 0; x < count; x++) sums[x] += weight * samples[x];
}

static inline float mean(const float *sums, CPixels_Cover cover, size_t channels, size_t channel) {
  float between = 0;
  for (int32_t sample = cover.first + 1; sample < cover.last; sample++) between += sums[channels * sample + channel];
  return cover.firstWeight * sums[channels * cover.first + channel] + cover.weight * between +
         cover.lastWeight * sums[channels * cover.last + channel];
}

FOR_EACH_PROCESSOR
void CPixels_averagePixels8(const float *restrict sums, const CPixels_Cover *restrict covers, size_t channels,
                            uint8_t *restrict row, size_t count) {
  for (size_t x = 0; x < count; x++)
    for (size_t channel = 0; channel < channels; channel++) {
      float value = mean(sums, covers[x], channels, channel);
      row[channels * x + channel] = value < 254.5f ? (uint8_t)(value + 0.5f) : 255;
    }
}

FOR_EACH_PROCESSOR
void CPixels_averagePixels16(const float *restrict sums, const CPixels_Cover *restrict covers, size_t channels,
                             uint16_t *restrict row, size_t count) {
  for (size_t x = 0; x < count; x++)
    for (size_t channel = 0; channel < channels; channel++) {
      float value = mean(sums, covers[x], channels, channel);
      row[channels * x + channel] = value < 65534.5f ? (uint16_t)(value + 0.5f) : 65535;
    }
}
