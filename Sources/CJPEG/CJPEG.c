#include "CJPEG.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jerror.h>
#include <jpeglib.h>

struct CJPEG_Compressor {
  struct jpeg_compress_struct codec;
  struct jpeg_error_mgr errors;
  struct jpeg_destination_mgr destination;
  jmp_buf failed;
  size_t capacity;
  char message[JMSG_LENGTH_MAX];
};

static void fail(j_common_ptr codec) {
  CJPEG_Compressor *compressor = codec->client_data;
  codec->err->format_message(codec, compressor->message);
  longjmp(compressor->failed, 1);
}

static void ignore_message(j_common_ptr codec, int level) {
  (void)codec;
  (void)level;
}

static void begin_output(j_compress_ptr codec) { (void)codec; }
static void end_output(j_compress_ptr codec) { (void)codec; }

static boolean fail_without_room(j_compress_ptr codec) {
  ERREXIT(codec, JERR_BUFFER_SIZE);
  return FALSE;
}

CJPEG_Compressor *CJPEG_create(void) {
  CJPEG_Compressor *compressor = calloc(1, sizeof *compressor);
  if (!compressor) return NULL;
  struct jpeg_compress_struct *codec = &compressor->codec;
  codec->err = jpeg_std_error(&compressor->errors);
  codec->client_data = compressor;
  compressor->errors.error_exit = fail;
  compressor->errors.emit_message = ignore_message;
  if (setjmp(compressor->failed)) {
    free(compressor);
    return NULL;
  }
  jpeg_create_compress(codec);
  compressor->destination.init_destination = begin_output;
  compressor->destination.empty_output_buffer = fail_without_room;
  compressor->destination.term_destination = end_output;
  codec->dest = &compressor->destination;
  return compressor;
}

void CJPEG_destroy(CJPEG_Compressor *compressor) {
  jpeg_destroy_compress(&compressor->codec);
  free(compressor);
}

bool CJPEG_start(CJPEG_Compressor *compressor, int width, int height, int across, int down, int quality,
                 uint8_t *output, size_t capacity) {
  struct jpeg_compress_struct *codec = &compressor->codec;
  bool is_grey = across == 0;
  if (setjmp(compressor->failed)) return false;
  jpeg_abort_compress(codec);
  compressor->destination.next_output_byte = output;
  compressor->destination.free_in_buffer = compressor->capacity = capacity;
  codec->image_width = width;
  codec->image_height = height;
  codec->in_color_space = is_grey ? JCS_GRAYSCALE : JCS_YCbCr;
  codec->input_components = is_grey ? 1 : 3;
  jpeg_set_defaults(codec); // This also makes the input's colour space that of the JPEG.
  jpeg_set_quality(codec, quality, TRUE);
  // The same choice as in libturbojpeg.
  codec->dct_method = quality >= 96 ? JDCT_ISLOW : JDCT_FASTEST;
  codec->raw_data_in = TRUE;
  if (!is_grey) {
    codec->comp_info[0].h_samp_factor = across;
    codec->comp_info[0].v_samp_factor = down;
  }
  jpeg_start_compress(codec, TRUE);
  return true;
}

bool CJPEG_write(CJPEG_Compressor *compressor, const uint8_t *luma, size_t luma_stride, const uint8_t *blue,
                 const uint8_t *red, size_t chroma_stride) {
  struct jpeg_compress_struct *codec = &compressor->codec;
  if (setjmp(compressor->failed)) return false;
  JSAMPROW rows[3][MAX_SAMP_FACTOR * DCTSIZE];
  JSAMPARRAY planes[3] = {rows[0], rows[1], rows[2]};
  int count = codec->max_v_samp_factor * DCTSIZE;
  for (int y = 0; y < count; y++) rows[0][y] = (JSAMPROW)luma + y * luma_stride;
  for (int y = 0; y < DCTSIZE && blue; y++) {
    rows[1][y] = (JSAMPROW)blue + y * chroma_stride;
    rows[2][y] = (JSAMPROW)red + y * chroma_stride;
  }
  jpeg_write_raw_data(codec, planes, count);
  return true;
}

size_t CJPEG_finish(CJPEG_Compressor *compressor) {
  if (setjmp(compressor->failed)) return 0;
  jpeg_finish_compress(&compressor->codec);
  return compressor->capacity - compressor->destination.free_in_buffer;
}

const char *CJPEG_message(const CJPEG_Compressor *compressor) { return compressor->message; }
