// Reads and writes PNG files in memory with libpng. libpng reports errors by longjmp, which must
// not cross Swift frames, so these functions catch it and return.
#ifndef CPNG_H
#define CPNG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Writes one PNG.
typedef struct CPNG_Writer CPNG_Writer;

/// Returns null if there is no memory.
/// `limit` is the largest size of the file. A larger one fails.
CPNG_Writer *CPNG_create(size_t limit);
void CPNG_destroy(CPNG_Writer *writer);

/// Writes the header. `channels` is 1 for grey and 3 for sRGB, `depth` 8 or 16. `significant_bits`
/// says how many bits of a sample the camera fills. This and the functions below return false on
/// failure; `CPNG_message` then has the reason, and the writer can only be destroyed.
bool CPNG_start(CPNG_Writer *writer, uint32_t width, uint32_t height, int channels, int depth,
                int significant_bits);

/// Writes a chunk of metadata before the rows. `name` has four letters.
bool CPNG_writeChunk(CPNG_Writer *writer, const char *name, const uint8_t *bytes, size_t count);

/// Compresses all rows, whose samples of 16 bits have their low byte first, and ends the file.
bool CPNG_finish(CPNG_Writer *writer, const uint8_t *rows, size_t stride, uint32_t height);

/// The bytes written so far, which belong to the writer.
const uint8_t *CPNG_bytes(const CPNG_Writer *writer, size_t *count);

/// The message of the failed call.
const char *CPNG_message(const CPNG_Writer *writer);

/// The room for the messages of the functions below.
#define CPNG_MESSAGE 64

/// Reads the size of a PNG from its headers. On failure it returns false, and `message` has the
/// reason.
bool CPNG_readSize(const uint8_t *bytes, size_t count, uint32_t *width, uint32_t *height,
                   char *message);

/// Decodes a PNG of this size to red, green and blue of 8 bits, whatever its own samples are.
/// `pixels` has room for three bytes a pixel.
bool CPNG_readColors(const uint8_t *bytes, size_t count, uint32_t width, uint32_t height,
                     uint8_t *pixels, char *message);

#endif
