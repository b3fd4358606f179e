// Loops over the samples of sensors: Bayer, grey of more than 8 bits, and distances.
#ifndef CPIXELS_SAMPLES_H
#define CPIXELS_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

/// Makes `count` samples of 16 bits from bytes, from words with the high byte first, and from
/// MIPI's groups. Whole groups are read, and only `count` samples are written.
void CPixels_widen(const uint8_t *restrict bytes, uint16_t *restrict samples, size_t count);
void CPixels_swap(const uint8_t *restrict words, uint16_t *restrict samples, size_t count);
void CPixels_unpack10(const uint8_t *restrict groups, uint16_t *restrict samples, size_t count);
void CPixels_unpack12(const uint8_t *restrict groups, uint16_t *restrict samples, size_t count);

/// Keeps the highest 8 of a sample's 8 to 16 bits. A sample with more bits becomes white.
void CPixels_narrow(const uint8_t *restrict words, int bits, uint8_t *restrict samples, size_t count);

/// Keeps the first byte of each word.
void CPixels_firstBytes(const uint8_t *restrict words, uint8_t *restrict samples, size_t count);

/// Keeps the high bytes of MIPI's groups.
void CPixels_narrow10(const uint8_t *restrict groups, uint8_t *restrict samples, size_t count);
void CPixels_narrow12(const uint8_t *restrict groups, uint8_t *restrict samples, size_t count);

/// Stretches samples of 8 to 16 bits to 16 bits, by repeating their highest bits in the lowest
/// ones.
void CPixels_stretch(uint16_t *samples, int bits, size_t count);

/// Looks up the codes of samples in a table. Samples above `most` count as `most`.
void CPixels_developBytes(const uint8_t *restrict samples, const uint8_t *restrict table, uint8_t *restrict codes, size_t count);
void CPixels_develop8(const uint16_t *restrict samples, uint16_t most, const uint8_t *restrict table, uint8_t *restrict codes,
                      size_t count);
void CPixels_develop16(uint16_t *restrict samples, uint16_t most, const uint16_t *restrict table, size_t count);

/// The colours of a row of a Bayer mosaic. `own` is the colour, red or blue, that this row has at
/// the columns whose lowest bit is `phase`. It has green at the others. The rows above and below it
/// have green and `other`. A missing colour is the mean of its two or four nearest samples.
///
/// The three rows have `count` samples, and one more before the first and after the last.
void CPixels_demosaic8(const uint8_t *above, const uint8_t *row, const uint8_t *below, int phase,
                       uint8_t *restrict own, uint8_t *restrict green, uint8_t *restrict other, size_t count);
void CPixels_demosaic16(const uint16_t *above, const uint16_t *row, const uint16_t *below, int phase,
                        uint16_t *restrict own, uint16_t *restrict green, uint16_t *restrict other, size_t count);

/// Makes one pixel of each square of four in two rows of a Bayer mosaic, `first` and `second`.
/// `own` is the colour, red or blue, that the first row has at the columns whose lowest bit is
/// `phase`.
/// Red and blue are interpolated to the middle of the square, because otherwise they would be one
/// sample apart. So the row above the two and the row below them are read too.
///
/// The rows have `2 * count` samples, and two more before the first and after the last.
void CPixels_bin(const uint8_t *above, const uint8_t *first, const uint8_t *second, const uint8_t *below, int phase,
                 uint8_t *restrict own, uint8_t *restrict green, uint8_t *restrict other, size_t count);

/// Makes `count` pixels of three samples.
void CPixels_interleave8(const uint8_t *red, const uint8_t *green, const uint8_t *blue, uint8_t *restrict pixels,
                         size_t count);
void CPixels_interleave16(const uint16_t *red, const uint16_t *green, const uint16_t *blue, uint16_t *restrict pixels,
                          size_t count);

/// As `CPixels_addWeighted` and `CPixels_average`, for rows of `count` pixels of several samples.
void CPixels_addWeighted16(const uint16_t *restrict samples, float weight, float *restrict sums, size_t count);
void CPixels_averagePixels8(const float *restrict sums, const CPixels_Cover *restrict covers, size_t channels,
                            uint8_t *restrict row, size_t count);
void CPixels_averagePixels16(const float *restrict sums, const CPixels_Cover *restrict covers, size_t channels,
                             uint16_t *restrict row, size_t count);

/// Exchanges the first and the third of each pixel's three bytes.
void CPixels_reverse(const uint8_t *restrict pixels, uint8_t *restrict reversed, size_t count);

/// Looks up samples in a table of 65536 bytes.
void CPixels_lookUp(const uint16_t *restrict samples, const uint8_t *restrict table, uint8_t *restrict values, size_t count);

/// Looks up values in a palette of 256 colours of three bytes.
void CPixels_paint(const uint8_t *restrict values, const uint8_t *restrict palette, uint8_t *restrict pixels, size_t count);

/// How red, green and blue follow from luma and chroma, in 1/65536.
typedef struct {
  int32_t luma, redOfRed, greenOfBlue, greenOfRed, blueOfBlue;
  /// The code of black.
  int32_t black;
} CPixels_Matrix;

/// Makes pixels of red, green and blue from luma and chroma. Each chroma sample belongs to
/// `1 << shift` pixels.
void CPixels_colors(const uint8_t *restrict luma, const uint8_t *restrict blue, const uint8_t *restrict red, int shift,
                    const CPixels_Matrix *matrix, uint8_t *restrict pixels, size_t count);

#endif
