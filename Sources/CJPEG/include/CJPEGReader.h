// Reads JPEGs with libjpeg, which tells each of its warnings, whereas libturbojpeg keeps the text
// of the first one only. libjpeg reports errors by longjmp, which must not cross Swift frames, so
// these functions catch it and return.
#ifndef CJPEG_READER_H
#define CJPEG_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The room for a message, with its zero.
#define CJPEG_MESSAGE 200

typedef enum {
  CJPEG_WHOLE,   // The picture is as it was made, although its bytes may break rules.
  CJPEG_DAMAGED, // Something of the picture is missing or wrong.
  CJPEG_REFUSED, // It cannot be read at all.
} CJPEG_Verdict;

/// Decodes a picture and judges it by all warnings. `message` gets the reason of any verdict but
/// `CJPEG_WHOLE`.
CJPEG_Verdict CJPEG_judge(const uint8_t *image, size_t byte_count, char message[CJPEG_MESSAGE]);

/// Decodes a picture of any colours and subsampling to red, green and blue, at its size divided by
/// 1, 2, 4 or 8 and rounded up, which `width` and `height` must be. The verdict is as above.
CJPEG_Verdict CJPEG_read(const uint8_t *image, size_t byte_count, int divisor, uint8_t *pixels, int width,
                         int height, char message[CJPEG_MESSAGE]);

/// The size that the headers state. Returns false if they cannot be read.
bool CJPEG_header(const uint8_t *image, size_t byte_count, int *width, int *height,
                  char message[CJPEG_MESSAGE]);

#endif
