// LD_PRELOAD: makes /dev/video1000 and above cameras whose driver answers anything. Each opening is
// another camera: mostly a plausible one, which errs in its own ways.
//
// Environment: FUZZ_SEED, a number; FUZZ_COUNT, a file of 8 bytes that counts the openings.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define MOST_FILES 4096
#define MOST_BUFFERS 8
#define BUFFER_SIZE (1 << 18)
#define GOOD 2000

typedef struct {
  pthread_mutex_t lock;
  uint64_t random;
  int memory, buffers, streaming, first, queued[MOST_BUFFERS], count;
  uint32_t sequence;
  // Of 1000 answers, how many are errors, wrong and slow.
  int errors, lies, delays;
  // The call that does not return, counted from the opening; below 0 if all do.
  int hang, hangs_at_close;
  // A camera above 2000 is a good one, until it does not return from a call of this kind.
  unsigned long hangs_in;
  int per_plane, width, height;
  uint32_t pixel_format;
} Camera;

// A camera is never freed: another thread may be in a call when it is closed.
static _Atomic(Camera *) cameras[MOST_FILES];
static pthread_mutex_t openings = PTHREAD_MUTEX_INITIALIZER;

static uint64_t next(uint64_t *state) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15ull);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

static int below(Camera *camera, int limit) { return next(&camera->random) % limit; }
static int happens(Camera *camera, int of_1000) { return below(camera, 1000) < of_1000; }

static int number_of(const char *path) {
  int number = -1, end = 0;
  if (!path || sscanf(path, "/dev/video%d%n", &number, &end) != 1 || path[end] || number < 1000) return -1;
  return number;
}

static Camera *camera_of(int descriptor) {
  return descriptor >= 0 && descriptor < MOST_FILES ? cameras[descriptor] : NULL;
}

static uint64_t count_opening(void) {
  static uint64_t own, *shared = NULL;
  pthread_mutex_lock(&openings);
  const char *path = getenv("FUZZ_COUNT");
  if (!shared && path) {
    int file = open(path, O_RDWR | O_CLOEXEC);
    void *memory = file < 0 ? MAP_FAILED : mmap(NULL, 8, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    shared = memory == MAP_FAILED ? &own : memory;
    if (file >= 0) close(file);
  }
  uint64_t number = shared ? ++*shared : ++own;
  pthread_mutex_unlock(&openings);
  return number;
}

// Like a driver that waits for a device for good. No lock is held meanwhile.
static void hang(void) {
  for (;;) sleep(1000);
}

static void hang_in_time(Camera *camera) {
  if (__atomic_fetch_sub(&camera->hang, 1, __ATOMIC_RELAXED) == 0) hang();
}

static void be_good(Camera *camera, int number) {
  static const unsigned long kinds[] = {VIDIOC_DQBUF, VIDIOC_QBUF, VIDIOC_DQEVENT};
  camera->errors = camera->lies = camera->delays = camera->hangs_at_close = 0;
  camera->hang = 20;
  camera->hangs_in = kinds[number % 3];
}

static int open_camera(int number, int flags) {
  static const uint32_t formats[] = {V4L2_PIX_FMT_YUYV, V4L2_PIX_FMT_NV12,  V4L2_PIX_FMT_NV12M, V4L2_PIX_FMT_MJPEG,
                                     V4L2_PIX_FMT_GREY, V4L2_PIX_FMT_RGB565, V4L2_PIX_FMT_H264,  V4L2_PIX_FMT_SRGGB10};
  const char *seed = getenv("FUZZ_SEED");
  uint64_t state = (seed ? strtoull(seed, NULL, 10) : 0) * 1000003 + count_opening();
  Camera *camera = calloc(1, sizeof *camera);
  if (!camera) return errno = ENOMEM, -1;
  camera->random = state;
  pthread_mutex_init(&camera->lock, NULL);
  int kind = below(camera, 4);
  camera->errors = (int[]){0, 5, 50, 300}[kind];
  camera->lies = (int[]){20, 50, 200, 700}[below(camera, 4)];
  camera->delays = happens(camera, 100) ? 50 : 0;
  camera->hang = happens(camera, 10) ? below(camera, (int[]){10, 200, 2000}[below(camera, 3)]) : -1;
  camera->hangs_at_close = happens(camera, 3);
  if (number >= GOOD) be_good(camera, number);
  hang_in_time(camera);
  camera->per_plane = number < GOOD && below(camera, 2);
  camera->width = 16 << below(camera, 6);
  camera->height = 16 << below(camera, 5);
  camera->pixel_format = number < GOOD ? formats[below(camera, 8)] : V4L2_PIX_FMT_YUYV;
  if (happens(camera, camera->errors)) {
    free(camera);
    return errno = (int[]){EBUSY, EACCES, EIO, ENODEV, ENOENT, ENXIO}[next(&state) % 6], -1;
  }
  int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | (flags & O_NONBLOCK ? TFD_NONBLOCK : 0));
  camera->memory = memfd_create("camera", MFD_CLOEXEC);
  if (timer < 0 || timer >= MOST_FILES || camera->memory < 0 ||
      ftruncate(camera->memory, BUFFER_SIZE * MOST_BUFFERS) < 0) {
    if (timer >= 0) close(timer);
    if (camera->memory >= 0) close(camera->memory);
    free(camera);
    return errno = EMFILE, -1;
  }
  cameras[timer] = camera;
  return timer;
}

#define REAL(name)                         \
  static __typeof__(name) *real = NULL;    \
  if (!real) real = dlsym(RTLD_NEXT, #name)

#define OPENING(name, flag_type)                              \
  int name(const char *path, flag_type flags, ...) {          \
    REAL(name);                                               \
    va_list rest;                                             \
    va_start(rest, flags);                                    \
    mode_t mode = va_arg(rest, mode_t);                       \
    va_end(rest);                                             \
    return number_of(path) < 0 ? real(path, flags, mode) : open_camera(number_of(path), flags); \
  }
OPENING(open, int)
OPENING(open64, int)

int stat(const char *path, struct stat *status) {
  REAL(stat);
  int number = number_of(path);
  if (number < 0) return real(path, status);
  memset(status, 0, sizeof *status);
  status->st_mode = S_IFCHR | 0660;
  status->st_rdev = makedev(81, number);
  status->st_ino = number;
  return 0;
}

int access(const char *path, int mode) {
  REAL(access);
  return number_of(path) < 0 ? real(path, mode) : 0;
}

int close(int descriptor) {
  REAL(close);
  Camera *camera = camera_of(descriptor);
  if (camera) {
    cameras[descriptor] = NULL;
    if (camera->hangs_at_close) hang();
    real(camera->memory);
  }
  return real(descriptor);
}

#define MAPPING(name, offset_type)                                                            \
  void *name(void *address, size_t length, int rights, int flags, int file, offset_type offset) { \
    REAL(name);                                                                               \
    Camera *camera = camera_of(file);                                                         \
    if (!camera) return real(address, length, rights, flags, file, offset);                   \
    if (length == 0 || length > BUFFER_SIZE || offset % 4096 || offset < 0 ||                 \
        offset + length > (size_t)BUFFER_SIZE * MOST_BUFFERS)                                 \
      return errno = EINVAL, MAP_FAILED;                                                      \
    return real(address, length, rights, flags, camera->memory, offset);                      \
  }
MAPPING(mmap, off_t)
MAPPING(mmap64, off64_t)

static int refuse(int error) {
  errno = error;
  return -1;
}

static void set_timer(int descriptor, int is_on) {
  struct itimerspec time = {0};
  if (is_on) time.it_value.tv_nsec = time.it_interval.tv_nsec = 30000000;
  timerfd_settime(descriptor, 0, &time, NULL);
}

static void fill_format(Camera *camera, struct v4l2_format *format) {
  if (format->type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE) {
    struct v4l2_pix_format_mplane *picture = &format->fmt.pix_mp;
    memset(picture, 0, sizeof *picture);
    picture->width = camera->width;
    picture->height = camera->height;
    picture->pixelformat = camera->pixel_format;
    picture->field = V4L2_FIELD_NONE;
    picture->num_planes = camera->pixel_format == V4L2_PIX_FMT_NV12M ? 2 : 1;
    for (int i = 0; i < picture->num_planes; i++)
      picture->plane_fmt[i] = (struct v4l2_plane_pix_format){.sizeimage = BUFFER_SIZE, .bytesperline = camera->width * 2};
  } else {
    struct v4l2_pix_format *picture = &format->fmt.pix;
    memset(picture, 0, sizeof *picture);
    picture->width = camera->width;
    picture->height = camera->height;
    picture->pixelformat = camera->pixel_format;
    picture->field = V4L2_FIELD_NONE;
    picture->bytesperline = camera->width * 2;
    picture->sizeimage = BUFFER_SIZE;
  }
}

static int fill_control(Camera *camera, struct v4l2_query_ext_ctrl *control) {
  uint32_t last = control->id & ~(V4L2_CTRL_FLAG_NEXT_CTRL | V4L2_CTRL_FLAG_NEXT_COMPOUND);
  uint32_t id = last == control->id ? last : last < V4L2_CID_BASE ? V4L2_CID_BASE : last + 1;
  if (id >= V4L2_CID_BASE + 30) return refuse(EINVAL);
  memset(control, 0, sizeof *control);
  control->id = id;
  control->type = 1 + below(camera, 9);
  snprintf(control->name, sizeof control->name, "Control %u", id);
  control->maximum = 200;
  control->step = 1;
  control->elem_size = control->type == V4L2_CTRL_TYPE_INTEGER64 ? 8 : 4;
  control->elems = 1;
  return 0;
}

static int fill_buffer(Camera *camera, int descriptor, struct v4l2_buffer *buffer) {
  uint64_t expirations;
  if (read(descriptor, &expirations, sizeof expirations) < 0) return -1;
  if (!camera->streaming) return refuse(EINVAL);
  if (!camera->count) return refuse(EAGAIN);
  int index = camera->queued[camera->first];
  camera->first = (camera->first + 1) % MOST_BUFFERS;
  camera->count--;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  buffer->index = index;
  buffer->bytesused = BUFFER_SIZE;
  buffer->flags = V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC;
  buffer->timestamp = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
  buffer->sequence = camera->sequence++;
  if (buffer->type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE && buffer->m.planes)
    for (uint32_t i = 0; i < buffer->length && i < VIDEO_MAX_PLANES; i++) buffer->m.planes[i].bytesused = BUFFER_SIZE;
  return 0;
}

static int answer(Camera *camera, int descriptor, unsigned long request, void *argument) {
  switch (request) {
  case VIDIOC_QUERYCAP: {
    struct v4l2_capability *capability = argument;
    memset(capability, 0, sizeof *capability);
    strcpy((char *)capability->driver, "fuzz");
    strcpy((char *)capability->card, "Anything");
    snprintf((char *)capability->bus_info, 32, "fuzz:%d", below(camera, 1000));
    uint32_t capture = camera->per_plane ? V4L2_CAP_VIDEO_CAPTURE_MPLANE : V4L2_CAP_VIDEO_CAPTURE;
    capability->device_caps = capture | V4L2_CAP_STREAMING;
    capability->capabilities = capability->device_caps | V4L2_CAP_DEVICE_CAPS;
    return 0;
  }
  case VIDIOC_ENUM_FMT: {
    struct v4l2_fmtdesc *format = argument;
    if (format->index) return refuse(EINVAL);
    format->pixelformat = camera->pixel_format;
    return 0;
  }
  case VIDIOC_ENUM_FRAMESIZES: {
    struct v4l2_frmsizeenum *size = argument;
    if (size->index > 2) return refuse(EINVAL);
    size->type = V4L2_FRMSIZE_TYPE_DISCRETE;
    size->discrete = (struct v4l2_frmsize_discrete){camera->width << size->index, camera->height << size->index};
    return 0;
  }
  case VIDIOC_ENUM_FRAMEINTERVALS: {
    struct v4l2_frmivalenum *interval = argument;
    if (interval->index > 1) return refuse(EINVAL);
    interval->type = V4L2_FRMIVAL_TYPE_DISCRETE;
    interval->discrete = (struct v4l2_fract){1, 30};
    return 0;
  }
  case VIDIOC_G_FMT:
  case VIDIOC_S_FMT:
  case VIDIOC_TRY_FMT: fill_format(camera, argument); return 0;
  case VIDIOC_G_PARM:
  case VIDIOC_S_PARM: {
    struct v4l2_streamparm *parameters = argument;
    parameters->parm.capture.capability = V4L2_CAP_TIMEPERFRAME;
    parameters->parm.capture.timeperframe = (struct v4l2_fract){1, 30};
    return 0;
  }
  case VIDIOC_REQBUFS: {
    struct v4l2_requestbuffers *wanted = argument;
    camera->buffers = wanted->count = wanted->count > MOST_BUFFERS ? MOST_BUFFERS : wanted->count;
    camera->first = camera->count = 0;
    return 0;
  }
  case VIDIOC_QUERYBUF: {
    struct v4l2_buffer *buffer = argument;
    if (buffer->index >= (uint32_t)camera->buffers) return refuse(EINVAL);
    if (buffer->type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE && buffer->m.planes) {
      for (uint32_t i = 0; i < buffer->length && i < VIDEO_MAX_PLANES; i++) {
        buffer->m.planes[i].length = BUFFER_SIZE;
        buffer->m.planes[i].m.mem_offset = buffer->index * BUFFER_SIZE;
      }
    } else {
      buffer->length = BUFFER_SIZE;
      buffer->m.offset = buffer->index * BUFFER_SIZE;
    }
    return 0;
  }
  case VIDIOC_QBUF: {
    struct v4l2_buffer *buffer = argument;
    if (camera->count == MOST_BUFFERS || buffer->index >= MOST_BUFFERS) return refuse(EINVAL);
    camera->queued[(camera->first + camera->count++) % MOST_BUFFERS] = buffer->index;
    return 0;
  }
  case VIDIOC_DQBUF: return fill_buffer(camera, descriptor, argument);
  case VIDIOC_STREAMON:
  case VIDIOC_STREAMOFF:
    camera->streaming = request == VIDIOC_STREAMON;
    set_timer(descriptor, camera->streaming);
    return 0;
  case VIDIOC_QUERY_EXT_CTRL: return fill_control(camera, argument);
  case VIDIOC_QUERYMENU: {
    struct v4l2_querymenu *item = argument;
    if (item->index > 5) return refuse(EINVAL);
    strcpy((char *)item->name, "item");
    return 0;
  }
  case VIDIOC_G_EXT_CTRLS:
  case VIDIOC_S_EXT_CTRLS:
  case VIDIOC_SUBSCRIBE_EVENT: return 0;
  default: return refuse(ENOTTY);
  }
}

// Overwrites words of an answer, except for pointers, which are the program's own.
static void lie(Camera *camera, unsigned long request, void *argument) {
  static const uint32_t numbers[] = {0, 1, 2, 3, 7, 16, 640, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff};
  size_t size = _IOC_SIZE(request);
  if (request == VIDIOC_G_EXT_CTRLS || request == VIDIOC_S_EXT_CTRLS) return;
  struct v4l2_buffer *buffer = size == sizeof *buffer ? argument : NULL;
  union { struct v4l2_plane *planes; } kept = {buffer ? buffer->m.planes : NULL};
  int has_planes = buffer && buffer->type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE;
  for (int i = below(camera, 4); i >= 0; i--) {
    uint32_t number = below(camera, 2) ? numbers[below(camera, 11)] : (uint32_t)below(camera, 10);
    size_t place = (size_t)below(camera, (int)(size / 4)) * 4;
    if (place + 4 <= size) memcpy((char *)argument + place, &number, 4);
    if (has_planes && kept.planes && below(camera, 2))
      memcpy((char *)kept.planes + (size_t)below(camera, sizeof(struct v4l2_plane) / 4) * 4, &number, 4);
  }
  if (has_planes) buffer->m.planes = kept.planes;
}

int ioctl(int descriptor, unsigned long request, ...) {
  REAL(ioctl);
  va_list rest;
  va_start(rest, request);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  Camera *camera = camera_of(descriptor);
  if (!camera) return real(descriptor, request, argument);
  pthread_mutex_lock(&camera->lock);
  int delay = happens(camera, camera->delays) ? below(camera, 300) : 0;
  int status = 0, error = 0;
  if (happens(camera, camera->errors)) {
    status = -1;
    error = (int[]){EINVAL, ENOTTY, EIO, ENODEV, EBUSY, ERANGE, ENOSPC, EPROTO, ENOMEM}[below(camera, 9)];
  } else {
    status = answer(camera, descriptor, request, argument);
    error = errno;
    // Also a list's end may be a lie.
    if (status < 0 && error == EINVAL && happens(camera, camera->lies / 20)) status = 0;
    if (status == 0 && happens(camera, camera->lies)) lie(camera, request, argument);
  }
  pthread_mutex_unlock(&camera->lock);
  if (delay) usleep(delay * 1000);
  if (!camera->hangs_in || camera->hangs_in == request) hang_in_time(camera);
  errno = error;
  return status;
}
