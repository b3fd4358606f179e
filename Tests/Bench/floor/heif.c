// Makes AVIF files of one picture with libheif alone.
#include "floor.h"
#include <libheif/heif.h>
#include <stdio.h>
#include <stdlib.h>

static void check(struct heif_error error) {
  if (error.code != heif_error_Ok) die(error.message);
}

/// A packed YUYV picture of the cameras' range as planes of 4:2:0 and the full range.
static struct heif_image *planes(const unsigned char *yuyv, int width, int height) {
  struct heif_image *image;
  check(heif_image_create(width, height, heif_colorspace_YCbCr, heif_chroma_420, &image));
  for (int channel = heif_channel_Y; channel <= heif_channel_Cr; channel++) {
    int half = channel == heif_channel_Y ? 1 : 2, stride;
    check(heif_image_add_plane(image, channel, width / half, height / half, 8));
    unsigned char *plane = heif_image_get_plane(image, channel, &stride);
    for (int y = 0; y < height / half; y++)
      for (int x = 0; x < width / half; x++) {
        const unsigned char *row = yuyv + (long)y * half * width * 2;
        int code = half == 1 ? (row[2 * x] - 16) * 255 / 219
                             : 128 + ((row[4 * x + 2 * channel - 1] + row[2 * width + 4 * x + 2 * channel - 1]) / 2 - 128) * 255 / 224;
        plane[(long)y * stride + x] = code < 0 ? 0 : code > 255 ? 255 : code;
      }
  }
  return image;
}

static struct heif_error count_bytes(struct heif_context *context, const void *data, size_t size, void *count) {
  (void)context, (void)data;
  *(long *)count += size;
  return (struct heif_error){heif_error_Ok, heif_suberror_Unspecified, ""};
}

static long encode_once(struct heif_image *image, int quality) {
  struct heif_context *context = heif_context_alloc();
  struct heif_encoder *encoder;
  check(heif_context_get_encoder_for_format(context, heif_compression_AV1, &encoder));
  check(heif_encoder_set_lossy_quality(encoder, quality));
  check(heif_encoder_set_parameter_integer(encoder, "speed", 9));
  check(heif_encoder_set_parameter_integer(encoder, "threads", 2));
  check(heif_context_encode_image(context, image, encoder, NULL, NULL));
  struct heif_writer writer = {1, count_bytes};
  long size = 0;
  check(heif_context_write(context, &writer, &size));
  heif_encoder_release(encoder);
  heif_context_free(context);
  return size;
}

/// `--file --width --height --quality --count`: a YUYV picture, made a file so many times.
int heif(void) {
  int width = number("width", NULL), height = number("height", NULL), quality = number("quality", NULL);
  int64_t count = number("count", NULL), bytes;
  unsigned char *source = read_file(option("file", NULL), &bytes);
  if (bytes < (int64_t)width * height * 2) die("the file is too short");
  struct heif_image *image = planes(source, width, height);
  long size = encode_once(image, quality);
  int64_t start = now();
  for (int64_t i = 0; i < count; i++) encode_once(image, quality);
  printf("result rate=%f bytes=%ld\n", count * 1e9 / (now() - start), size);
  return 0;
}
