// Makes pictures for a camera to play.
#include "floor.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <turbojpeg.h>

/// Paints a picture that a JPEG encoder treats as neither empty nor noise.
static void paint(unsigned char *memory, long count, int width) {
  unsigned seed = 1;
  for (long i = 0; i < count; i++) {
    seed = seed * 1664525 + 1013904223;
    memory[i] = 16 + ((i % width) * 200 / width + (i / width) / 8 % 32 + (seed >> 28)) % 219;
  }
}

/// `--format=YUYV|NV12|JPEG --width --height [--bytes]`: writes a picture to standard output. A
/// JPEG has exactly the given number of bytes.
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
  // Find the best quality that leaves room for filling.
  for (int quality = 95; quality > 0; quality -= 5) {
    if (tjCompress2(codec, memory, width, 0, height, TJPF_GRAY, &output, &size, TJSAMP_GRAY, quality, 0) != 0)
      die(tjGetErrorStr2(codec));
    if ((long)size + 4 <= wanted) break;
  }
  if ((long)size + 4 > wanted) die("no JPEG is so small");
  fwrite(output, 1, 2, stdout);
  static const unsigned char filling[65536];
  // Fill up with comment segments after the start.
  for (long rest = wanted - size; rest > 0;) {
    long segment = rest > 65000 ? 60000 : rest;
    unsigned char head[4] = {0xff, 0xfe, (segment - 2) >> 8, (segment - 2) & 0xff};
    fwrite(head, 1, 4, stdout);
    fwrite(filling, 1, segment - 4, stdout);
    rest -= segment;
  }
  fwrite(output + 2, 1, size - 2, stdout);
  return 0;
}
