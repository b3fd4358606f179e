// Compresses planes with libjpeg, strip by strip. A strip is still in the caches when it is
// compressed, whereas libturbojpeg takes whole planes only. libjpeg reports errors by longjmp,
// which must not cross Swift frames, so these functions catch it and return.
#ifndef CJPEG_H
#define CJPEG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CJPEGReader.h"

/// Makes one JPEG after another. Use one per thread.
typedef struct CJPEG_Compressor CJPEG_Compressor;

/// Returns null if there is no memory.
CJPEG_Compressor *CJPEG_create(void);
void CJPEG_destroy(CJPEG_Compressor *compressor);

/// Begins a picture and drops an unfinished one. `across` and `down` are the numbers of luma
/// samples per chroma sample, or 0 for grey. This and the functions below return false or 0 on
/// failure; `CJPEG_message` then has the reason.
bool CJPEG_start(CJPEG_Compressor *compressor, int width, int height, int across, int down, int quality,
                 uint8_t *output, size_t capacity);

/// Compresses the next strip. It has 8 rows of chroma and `down` times as many of luma, padded to
/// whole blocks in both directions.
bool CJPEG_write(CJPEG_Compressor *compressor, const uint8_t *luma, size_t luma_stride, const uint8_t *blue,
                 const uint8_t *red, size_t chroma_stride);

/// Ends the picture and returns the size of the JPEG; 0 if the output had no room for it.
size_t CJPEG_finish(CJPEG_Compressor *compressor);

/// The message of the last failed call.
const char *CJPEG_message(const CJPEG_Compressor *compressor);

#endif
