#include "CJPEGReader.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jerror.h>
#include <jpeglib.h>

// More scans are an attack on the processor's time. libturbojpeg has the same limit.
#define MOST_SCANS 500
// As many bytes before a marker are strays, which many USB cameras send; more are lost blocks.
#define MOST_STRAYS 4

typedef struct {
  struct jpeg_decompress_struct codec;
  struct jpeg_error_mgr errors;
  struct jpeg_progress_mgr progress;
  jmp_buf failed;
  bool is_damaged;
  char *message;
} Reader;

static void keep_message(j_common_ptr codec) {
  Reader *reader = codec->client_data;
  char text[JMSG_LENGTH_MAX];
  codec->err->format_message(codec, text);
  snprintf(reader->message, CJPEG_MESSAGE, "%s", text);
}

static void fail(j_common_ptr codec) {
  Reader *reader = codec->client_data;
  keep_message(codec);
  longjmp(reader->failed, 1);
}

static bool is_harmless(const struct jpeg_error_mgr *error) {
  switch (error->msg_code) {
  case JWRN_EXTRANEOUS_DATA: return error->msg_parm.i[0] <= MOST_STRAYS;
  case JWRN_NOT_SEQUENTIAL: // The scan of a sequential picture says 0, 0, 0.
  case JWRN_JFIF_MAJOR:     // An unknown version.
  case JWRN_ADOBE_XFORM:    // An unknown colour transform, which is then guessed.
    return true;
  default: return false;
  }
}

// Level -1 is a warning, others are traces.
static void take_message(j_common_ptr codec, int level) {
  Reader *reader = codec->client_data;
  if (level >= 0 || is_harmless(codec->err)) return;
  if (!reader->is_damaged) keep_message(codec);
  reader->is_damaged = true;
}

static void limit_scans(j_common_ptr codec) {
  if (((j_decompress_ptr)codec)->input_scan_number > MOST_SCANS) {
    snprintf(((Reader *)codec->client_data)->message, CJPEG_MESSAGE, "the picture has more than %d scans", MOST_SCANS);
    longjmp(((Reader *)codec->client_data)->failed, 1);
  }
}

// After this, a failure jumps to `failed`.
static void open_reader(Reader *reader, char *message) {
  memset(reader, 0, sizeof *reader);
  reader->message = message;
  message[0] = 0;
  reader->codec.err = jpeg_std_error(&reader->errors);
  reader->codec.client_data = reader;
  reader->errors.error_exit = fail;
  reader->errors.emit_message = take_message;
}

static void begin(Reader *reader, const uint8_t *image, size_t byte_count) {
  jpeg_create_decompress(&reader->codec);
  reader->progress.progress_monitor = limit_scans;
  reader->codec.progress = &reader->progress;
  jpeg_mem_src(&reader->codec, image, byte_count);
  jpeg_read_header(&reader->codec, TRUE);
}

// As Adobe writes it: 255 is no ink.
static void rgb_of_cmyk(const uint8_t *inks, uint8_t *pixels, int count, bool is_inverted) {
  for (int x = 0; x < count; x++) {
    int black = is_inverted ? inks[4 * x + 3] : 255 - inks[4 * x + 3];
    for (int c = 0; c < 3; c++) {
      int ink = is_inverted ? inks[4 * x + c] : 255 - inks[4 * x + c];
      pixels[3 * x + c] = (uint8_t)((ink * black + 127) / 255);
    }
  }
}

CJPEG_Verdict CJPEG_read(const uint8_t *image, size_t byte_count, int divisor, uint8_t *pixels, int width,
                         int height, char message[CJPEG_MESSAGE]) {
  Reader reader;
  struct jpeg_decompress_struct *codec = &reader.codec;
  uint8_t *volatile row = NULL;
  open_reader(&reader, message);
  if (setjmp(reader.failed)) {
    free(row);
    jpeg_destroy_decompress(codec);
    return CJPEG_REFUSED;
  }
  begin(&reader, image, byte_count);
  bool has_inks = codec->jpeg_color_space == JCS_CMYK || codec->jpeg_color_space == JCS_YCCK;
  codec->out_color_space = has_inks ? JCS_CMYK : JCS_RGB;
  codec->scale_num = 1;
  codec->scale_denom = divisor;
  jpeg_start_decompress(codec);
  if (pixels && ((int)codec->output_width != width || (int)codec->output_height != height)) {
    snprintf(message, CJPEG_MESSAGE, "the picture has another size than its headers said before");
    longjmp(reader.failed, 1);
  }
  row = malloc((size_t)codec->output_width * codec->output_components);
  if (!row) ERREXIT1(codec, JERR_OUT_OF_MEMORY, 0);
  while (codec->output_scanline < codec->output_height) {
    int y = codec->output_scanline;
    JSAMPROW rows[1] = {row};
    jpeg_read_scanlines(codec, rows, 1);
    if (!pixels) continue;
    uint8_t *target = pixels + (size_t)3 * width * y;
    if (has_inks) {
      rgb_of_cmyk(row, target, width, codec->saw_Adobe_marker);
    } else {
      memcpy(target, row, (size_t)3 * width);
    }
  }
  jpeg_finish_decompress(codec);
  bool is_damaged = reader.is_damaged;
  free(row);
  jpeg_destroy_decompress(codec);
  return is_damaged ? CJPEG_DAMAGED : CJPEG_WHOLE;
}

CJPEG_Verdict CJPEG_judge(const uint8_t *image, size_t byte_count, char message[CJPEG_MESSAGE]) {
  // An eighth of the size needs all of the scan, and little else.
  return CJPEG_read(image, byte_count, 8, NULL, 0, 0, message);
}

bool CJPEG_header(const uint8_t *image, size_t byte_count, int *width, int *height,
                  char message[CJPEG_MESSAGE]) {
  Reader reader;
  open_reader(&reader, message);
  if (setjmp(reader.failed)) {
    jpeg_destroy_decompress(&reader.codec);
    return false;
  }
  begin(&reader, image, byte_count);
  *width = reader.codec.image_width;
  *height = reader.codec.image_height;
  jpeg_destroy_decompress(&reader.codec);
  return true;
}
