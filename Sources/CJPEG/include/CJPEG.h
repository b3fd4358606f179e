// JPEGs of planes by libjpeg, strip by strip: each strip is compressed while it is in the caches, where libturbojpeg
// takes whole planes only. libjpeg ends a call that fails by longjmp, which must not cross Swift: these calls return.
#ifndef CJPEG_H
#define CJPEG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What makes one JPEG after another; one belongs to one thread.
typedef struct CJPEG_Compressor CJPEG_Compressor;

/// Null when there is no memory.
CJPEG_Compressor *CJPEG_create(void);
void CJPEG_destroy(CJPEG_Compressor *compressor);

/// Begins a picture; one that was not finished is given up. `across` and `down`: the luma samples that share a sample of
/// each chroma plane; 0 for grey. False when it cannot be made: see `CJPEG_message`, as for the calls below.
bool CJPEG_start(CJPEG_Compressor *compressor, int width, int height, int across, int down, int quality,
                 uint8_t *output, size_t capacity);

/// Compresses the next strip: 8 rows of blocks, of luma as many times as `down`, padded to whole blocks in both
/// directions.
bool CJPEG_write(CJPEG_Compressor *compressor, const uint8_t *luma, size_t luma_stride, const uint8_t *blue,
                 const uint8_t *red, size_t chroma_stride);

/// Ends the picture. The bytes of the JPEG; 0 when there was no room for it.
size_t CJPEG_finish(CJPEG_Compressor *compressor);

/// What the last call that failed says.
const char *CJPEG_message(const CJPEG_Compressor *compressor);

#endif
