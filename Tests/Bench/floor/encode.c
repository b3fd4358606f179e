// Makes JPEGs of raw pictures with turbojpeg alone, on some threads: from one picture again and
// again, or from a camera's pictures.
#include "floor.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <turbojpeg.h>

/// The camera's picture.
static unsigned char *source;
static int64_t bytes, until;
static int width, height, is_yuyv;

struct buffer {
  unsigned char *memory;
  atomic_int in_use;
};

/// The camera's newest picture, until an encoder takes it or a newer one comes.
static struct {
  pthread_mutex_t lock;
  pthread_cond_t news;
  struct buffer *newest;
} camera = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL};

struct work {
  int has_camera;
  long frames;
  /// How long each picture took, nanoseconds.
  int64_t *samples;
};

/// Changes the source from the cameras' range (luma of 16 to 235) to the full range that a JPEG
/// needs. The node does this for every picture. Here it is done once, before the measurement, so
/// that both compress the same samples to JPEGs of the same length.
static void expand(void) {
  long luma = (long)width * height;
  for (long i = 0; i < bytes; i++) {
    int is_luma = is_yuyv ? i % 2 == 0 : i < luma, zero = is_luma ? 16 : 128;
    int code = (is_luma ? 0 : 128) + (source[i] - zero) * 255 / (is_luma ? 219 : 224);
    source[i] = code < 0 ? 0 : code > 255 ? 255 : code;
  }
}

/// Splits packed chroma into planes, because turbojpeg takes only planes.
static void split(const unsigned char *picture, unsigned char **planes) {
  long pixels = (long)width * height;
  if (is_yuyv) {
    for (long i = 0; i < pixels / 2; i++) {
      planes[0][2 * i] = picture[4 * i];
      planes[1][i] = picture[4 * i + 1];
      planes[0][2 * i + 1] = picture[4 * i + 2];
      planes[2][i] = picture[4 * i + 3];
    }
  } else {
    planes[0] = (unsigned char *)picture;
    for (long i = 0; i < pixels / 4; i++) {
      planes[1][i] = picture[pixels + 2 * i];
      planes[2][i] = picture[pixels + 2 * i + 1];
    }
  }
}

/// Waits for the newest picture; NULL at the end of the measurement.
static struct buffer *take(void) {
  pthread_mutex_lock(&camera.lock);
  while (!camera.newest && now() < until) pthread_cond_wait(&camera.news, &camera.lock);
  struct buffer *buffer = camera.newest;
  camera.newest = NULL;
  pthread_mutex_unlock(&camera.lock);
  return buffer;
}

static void *run(void *argument) {
  struct work *work = argument;
  long pixels = (long)width * height;
  int sampling = is_yuyv ? TJSAMP_422 : TJSAMP_420;
  unsigned char *planes[3] = {is_yuyv ? malloc(pixels) : NULL, malloc(pixels), malloc(pixels)};
  unsigned long capacity = tjBufSize(width, height, sampling);
  unsigned char *output = malloc(capacity);
  tjhandle codec = tjInitCompress();
  while (now() < until) {
    struct buffer *buffer = work->has_camera ? take() : NULL;
    if (work->has_camera && !buffer) break;
    int64_t start = now();
    unsigned long size = capacity;
    split(buffer ? buffer->memory : source, planes);
    if (tjCompressFromYUVPlanes(codec, (const unsigned char **)planes, width, NULL, height, sampling, &output, &size, 80,
                                TJFLAG_NOREALLOC) != 0)
      die(tjGetErrorStr2(codec));
    if (buffer) atomic_store(&buffer->in_use, 0);
    work->samples[work->frames++] = now() - start;
  }
  return NULL;
}

/// Copies the picture into a buffer of a ring at every tick, as a node does. A picture that no
/// encoder has taken is dropped.
static void play(int64_t rate, struct buffer *ring, int64_t count) {
  int64_t start = now();
  long next = 0;
  for (int64_t tick = 1; now() < until; tick++) {
    int64_t late = (now() - start) * rate / 1000000000;
    // Missed ticks are skipped, never made up for.
    if (late > tick) tick = late;
    sleep_until(start + tick * 1000000000 / rate);
    do next = (next + 1) % count;
    while (atomic_load(&ring[next].in_use));
    memcpy(ring[next].memory, source, bytes);
    atomic_store(&ring[next].in_use, 1);
    pthread_mutex_lock(&camera.lock);
    if (camera.newest) atomic_store(&camera.newest->in_use, 0);
    camera.newest = &ring[next];
    pthread_cond_signal(&camera.news);
    pthread_mutex_unlock(&camera.lock);
  }
  pthread_mutex_lock(&camera.lock);
  pthread_cond_broadcast(&camera.news);
  pthread_mutex_unlock(&camera.lock);
}

/// `--file --format=YUYV|NV12 --width --height --threads [--milliseconds] [--rate --buffers]`.
/// Without a rate there is no camera, and each thread only compresses.
int encode(void) {
  int threads = number("threads", NULL);
  int64_t rate = number("rate", "0"), buffers = number("buffers", "32");
  width = number("width", NULL), height = number("height", NULL);
  is_yuyv = !strcmp(option("format", NULL), "YUYV");
  source = read_file(option("file", NULL), &bytes);
  expand();
  struct work work[64];
  pthread_t thread[64];
  if (threads > 64) die("threads");
  struct buffer *ring = calloc(buffers, sizeof *ring);
  for (int i = 0; rate && i < buffers; i++) memset(ring[i].memory = malloc(bytes), i, bytes);
  until = now() + number("milliseconds", "2000") * 1000000;
  for (int i = 0; i < threads; i++) {
    work[i] = (struct work){rate > 0, 0, malloc(1000000 * sizeof(int64_t))};
    pthread_create(&thread[i], NULL, run, &work[i]);
  }
  if (rate) play(rate, ring, buffers);
  int64_t *samples = malloc((long)threads * 1000000 * sizeof *samples);
  long count = 0;
  for (int i = 0; i < threads; i++) {
    pthread_join(thread[i], NULL);
    memcpy(samples + count, work[i].samples, work[i].frames * sizeof *samples);
    count += work[i].frames;
  }
  printf("result frames=%ld cpu=%ld late=0", count, (long)cpu());
  print_percentiles(samples, count);
  printf("\n");
  return 0;
}
