#include "CPixels.h"

#include "Processors.h"

#include <endian.h>
#include <string.h>

static inline uint8_t limit(uint8_t code, uint8_t least, uint8_t most) {
  uint8_t limited = code < most ? code : most;
  return limited > least ? limited : least;
}

// The ratios have eight fractional bits. Because of the limits, the products fit into 16 bits, so
// the compiler can use short vectors.

FOR_EACH_PROCESSOR
void CPixels_expandLuma(const uint8_t *restrict codes, uint8_t *restrict expanded, size_t count) {
  for (size_t x = 0; x < count; x++) {
    // Codes from 16 to 235 fill 0 to 255 with 255/219 between them.
    uint8_t offset = limit(codes[x], 16, 235) - 16;
    expanded[x] = (uint16_t)(offset * 298 + 128) >> 8;
  }
}

FOR_EACH_PROCESSOR
void CPixels_expandChroma(const uint8_t *restrict codes, uint8_t *restrict expanded, size_t count) {
  for (size_t x = 0; x < count; x++) {
    // Codes from 15 to 240 fill 0 to 255 with 255/224 between them. 128 stays 128, because 4352 is
    // 35 * 128 minus the 128 that rounds.
    uint8_t code = limit(codes[x], 15, 240);
    expanded[x] = (uint16_t)(code * 291 - 4352) >> 8;
  }
}

FOR_EACH_PROCESSOR
void CPixels_averageRows(const uint8_t *restrict upper, const uint8_t *restrict lower, uint8_t *restrict means, size_t count) {
  for (size_t x = 0; x < count; x++) means[x] = (uint8_t)((upper[x] + lower[x] + 1) >> 1);
}

FOR_EACH_PROCESSOR
void CPixels_split(const uint8_t *restrict pairs, uint8_t *restrict firsts, uint8_t *restrict seconds, size_t count) {
  for (size_t x = 0; x < count; x++) {
    uint16_t pair; // Loading one 16-bit value lets the compiler use vectors on every processor.
    memcpy(&pair, pairs + 2 * x, sizeof pair);
    pair = le16toh(pair);
    firsts[x] = (uint8_t)pair;
    seconds[x] = pair >> 8;
  }
}

FOR_EACH_PROCESSOR
void CPixels_addWeighted(const uint8_t *restrict samples, float weight, float *restrict sums, size_t count) {
  for (size_t x = 0; x < count; x++) sums[x] += weight * samples[x];
}

FOR_EACH_PROCESSOR
void CPixels_average(const float *restrict sums, const CPixels_Cover *restrict covers, uint8_t *restrict row, size_t count) {
  for (size_t x = 0; x < count; x++) {
    CPixels_Cover cover = covers[x];
    float between = 0;
    for (int32_t sample = cover.first + 1; sample < cover.last; sample++) between += sums[sample];
    float mean = cover.firstWeight * sums[cover.first] + cover.weight * between + cover.lastWeight * sums[cover.last];
    row[x] = mean < 254.5f ? (uint8_t)(mean + 0.5f) : 255;
  }
}

void CPixels_prefetch(const uint8_t *bytes, size_t count) {
  for (size_t offset = 0; offset < count; offset += 64) __builtin_prefetch(bytes + offset, 0, 2);
}

enum { AHEAD = 8192 };

typedef long long Line __attribute__((vector_size(64)));

FOR_EACH_PROCESSOR
void CPixels_copyPastCaches(void *target, const void *source, size_t count) {
  char *to = target;
  const char *from = source;
  // Non-temporal stores need aligned addresses, and are fast only for whole cache lines.
  size_t head = -(uintptr_t)to % sizeof(Line);
  if (count < head + sizeof(Line)) {
    memcpy(to, from, count);
    return;
  }
  memcpy(to, from, head);
  size_t done = head;
  for (; done + sizeof(Line) <= count; done += sizeof(Line)) {
    // The hardware prefetcher stops at the end of a page, so prefetch the next pages here.
    // Prefetching past the end of the source does nothing.
    __builtin_prefetch(from + done + AHEAD, 0, 0);
    Line line;
    memcpy(&line, from + done, sizeof line);
    __builtin_nontemporal_store(line, (Line *)(to + done));
  }
  memcpy(to + done, from + done, count - done);
#ifdef __x86_64__
  // Non-temporal stores are not ordered with later stores, such as the one that publishes the
  // frame.
  __builtin_ia32_sfence();
#endif
}
