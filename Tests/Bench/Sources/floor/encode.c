// JPEGs of raw pictures by turbojpeg alone, on as many threads as asked; and pictures to play.
#include "floor.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <turbojpeg.h>

/// The source is in the range that cameras have, luma of 16 to 235, and a JPEG has all codes: turbojpeg alone is given
/// such a picture. The node changes the range of every picture; here it is done once, before anything counts, so that
/// both compress the same samples to JPEGs of the same length.
static void expand(unsigned char *codes, long count, int is_yuyv, long luma) {
  for (long i = 0; i < count; i++) {
    int is_luma = is_yuyv ? i % 2 == 0 : i < luma, zero = is_luma ? 16 : 128;
    int code = (is_luma ? 0 : 128) + (codes[i] - zero) * 255 / (is_luma ? 219 : 224);
    codes[i] = code < 0 ? 0 : code > 255 ? 255 : code;
  }
}

struct work {
  const unsigned char *source;
  int width, height, is_yuyv, frames;
  int64_t until;
};

/// turbojpeg takes planes: packed chroma is taken apart first, as anybody has to.
static void split(const struct work *work, unsigned char **planes) {
  long pixels = (long)work->width * work->height;
  const unsigned char *source = work->source;
  if (work->is_yuyv) {
    for (long i = 0; i < pixels / 2; i++) {
      planes[0][2 * i] = source[4 * i];
      planes[1][i] = source[4 * i + 1];
      planes[0][2 * i + 1] = source[4 * i + 2];
      planes[2][i] = source[4 * i + 3];
    }
  } else {
    for (long i = 0; i < pixels / 4; i++) {
      planes[1][i] = source[pixels + 2 * i];
      planes[2][i] = source[pixels + 2 * i + 1];
    }
  }
}

static void *run(void *argument) {
  struct work *work = argument;
  long pixels = (long)work->width * work->height;
  int sampling = work->is_yuyv ? TJSAMP_422 : TJSAMP_420;
  unsigned char *planes[3] = {malloc(pixels), malloc(pixels), malloc(pixels)};
  if (!work->is_yuyv) planes[0] = (unsigned char *)work->source;
  unsigned long capacity = tjBufSize(work->width, work->height, sampling), size;
  unsigned char *output = malloc(capacity);
  tjhandle codec = tjInitCompress();
  while (now() < work->until) {
    split(work, planes);
    size = capacity;
    if (tjCompressFromYUVPlanes(codec, (const unsigned char **)planes, work->width, NULL, work->height, sampling,
                                &output, &size, 80, TJFLAG_NOREALLOC) != 0)
      die(tjGetErrorStr2(codec));
    work->frames++;
  }
  return NULL;
}

/// Something that JPEG finds neither empty nor noise.
static void paint(unsigned char *memory, long count, int width) {
  unsigned seed = 1;
  for (long i = 0; i < count; i++) {
    seed = seed * 1664525 + 1013904223;
    memory[i] = 16 + ((i % width) * 200 / width + (i / width) / 8 % 32 + (seed >> 28)) % 219;
  }
}

int encode(void) {
  int threads = number("threads", NULL), count = 0;
  int64_t seconds = number("milliseconds", "2000"), size;
  const char *path = option("file", NULL);
  FILE *file = fopen(path, "rb");
  if (!file) die(path);
  fseek(file, 0, SEEK_END);
  size = ftell(file);
  rewind(file);
  unsigned char *source = malloc(size);
  if (fread(source, 1, size, file) != (size_t)size) die(path);
  int is_yuyv = !strcmp(option("format", NULL), "YUYV");
  expand(source, size, is_yuyv, (long)number("width", NULL) * number("height", NULL));
  struct work work[64];
  pthread_t thread[64];
  int64_t start = now(), cpu_before = cpu();
  for (int i = 0; i < threads; i++) {
    work[i] = (struct work){source, number("width", NULL), number("height", NULL), is_yuyv, 0, start + seconds * 1000000};
    pthread_create(&thread[i], NULL, run, &work[i]);
  }
  for (int i = 0; i < threads; i++) {
    pthread_join(thread[i], NULL);
    count += work[i].frames;
  }
  int64_t wall = now() - start, spent = cpu() - cpu_before;
  printf("result frames=%d cpu=%ld late=0 p50=%ld p99=0\n", count, (long)spent, (long)(wall * threads / count));
  return 0;
}

/// `--format=YUYV|NV12|JPEG --width --height [--bytes]`: writes one to standard output, a JPEG of exactly so many bytes.
int picture(void) {
  int width = number("width", NULL), height = number("height", NULL);
  const char *format = option("format", NULL);
  long pixels = (long)width * height;
  long count = pixels * (strcmp(format, "NV12") == 0 ? 3 : 4) / 2;
  unsigned char *memory = malloc(count + pixels);
  paint(memory, count, width);
  if (strcmp(format, "JPEG") != 0) return fwrite(memory, 1, count, stdout) != (size_t)count;

  long wanted = number("bytes", NULL);
  unsigned char *output = NULL;
  unsigned long size = 0;
  tjhandle codec = tjInitCompress();
  for (int quality = 95; quality > 0; quality -= 5) { // The best that leaves room to fill up.
    if (tjCompress2(codec, memory, width, 0, height, TJPF_GRAY, &output, &size, TJSAMP_GRAY, quality, 0) != 0)
      die(tjGetErrorStr2(codec));
    if ((long)size + 4 <= wanted) break;
  }
  if ((long)size + 4 > wanted) die("no JPEG is so small");
  fwrite(output, 1, 2, stdout);
  static const unsigned char filling[65536];
  for (long rest = wanted - size; rest > 0;) { // Comments behind the start.
    long segment = rest > 65000 ? 60000 : rest;
    unsigned char head[4] = {0xff, 0xfe, (segment - 2) >> 8, (segment - 2) & 0xff};
    fwrite(head, 1, 4, stdout);
    fwrite(filling, 1, segment - 4, stdout);
    rest -= segment;
  }
  fwrite(output + 2, 1, size - 2, stdout);
  return 0;
}
