// Video4Linux as Swift cannot see it by itself: the numbers of the requests are computed macros, ioctl(2) and
// open(2) are variadic, and packed structs and unnamed unions do not import. Everything here is the thing itself under
// its module's prefix.
#ifndef CVIDEO4LINUX_H
#define CVIDEO4LINUX_H

#include <fcntl.h>
#include <libv4lconvert.h>
#include <linux/videodev2.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>

/// open(2) of an existing file: read and write, never blocking, closed on exec.
static inline int cvideo4linux_open(const char *path) {
  return open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
}

/// ioctl(2) with a pointer.
static inline int cvideo4linux_ioctl(int descriptor, unsigned long request, void *argument) {
  return ioctl(descriptor, request, argument);
}

// MARK: Requests

static const unsigned long cvideo4linux_VIDIOC_QUERYCAP = VIDIOC_QUERYCAP;
static const unsigned long cvideo4linux_VIDIOC_ENUM_FMT = VIDIOC_ENUM_FMT;
static const unsigned long cvideo4linux_VIDIOC_ENUM_FRAMESIZES = VIDIOC_ENUM_FRAMESIZES;
static const unsigned long cvideo4linux_VIDIOC_ENUM_FRAMEINTERVALS = VIDIOC_ENUM_FRAMEINTERVALS;
static const unsigned long cvideo4linux_VIDIOC_G_FMT = VIDIOC_G_FMT;
static const unsigned long cvideo4linux_VIDIOC_S_FMT = VIDIOC_S_FMT;
static const unsigned long cvideo4linux_VIDIOC_G_PARM = VIDIOC_G_PARM;
static const unsigned long cvideo4linux_VIDIOC_S_PARM = VIDIOC_S_PARM;
static const unsigned long cvideo4linux_VIDIOC_REQBUFS = VIDIOC_REQBUFS;
static const unsigned long cvideo4linux_VIDIOC_QUERYBUF = VIDIOC_QUERYBUF;
static const unsigned long cvideo4linux_VIDIOC_QBUF = VIDIOC_QBUF;
static const unsigned long cvideo4linux_VIDIOC_DQBUF = VIDIOC_DQBUF;
static const unsigned long cvideo4linux_VIDIOC_STREAMON = VIDIOC_STREAMON;
static const unsigned long cvideo4linux_VIDIOC_STREAMOFF = VIDIOC_STREAMOFF;
static const unsigned long cvideo4linux_VIDIOC_QUERY_EXT_CTRL = VIDIOC_QUERY_EXT_CTRL;
static const unsigned long cvideo4linux_VIDIOC_QUERYMENU = VIDIOC_QUERYMENU;
static const unsigned long cvideo4linux_VIDIOC_G_EXT_CTRLS = VIDIOC_G_EXT_CTRLS;
static const unsigned long cvideo4linux_VIDIOC_S_EXT_CTRLS = VIDIOC_S_EXT_CTRLS;
static const unsigned long cvideo4linux_VIDIOC_SUBSCRIBE_EVENT = VIDIOC_SUBSCRIBE_EVENT;
static const unsigned long cvideo4linux_VIDIOC_DQEVENT = VIDIOC_DQEVENT;

// MARK: Controls

/// One control's value in `v4l2_ext_control`, which is packed: with a payload, `payload` and `size` say where it is;
/// without one, `value` is it, as 32 or 64 bits.
struct cvideo4linux_control {
  uint32_t identifier;
  uint32_t size;
  void *payload;
  int64_t value;
  int isWide;
};

/// VIDIOC_G_EXT_CTRLS or VIDIOC_S_EXT_CTRLS for one control.
static inline int cvideo4linux_exchange(
    int descriptor, unsigned long request, struct cvideo4linux_control *control) {
  struct v4l2_ext_control one;
  memset(&one, 0, sizeof one);
  one.id = control->identifier;
  one.size = control->size;
  if (control->payload) {
    one.ptr = control->payload;
  } else if (control->isWide) {
    one.value64 = control->value;
  } else {
    one.value = (int32_t)control->value;
  }
  struct v4l2_ext_controls list;
  memset(&list, 0, sizeof list);
  list.which = V4L2_CTRL_WHICH_CUR_VAL;
  list.count = 1;
  list.controls = &one;
  int result = ioctl(descriptor, request, &list);
  control->size = one.size;
  if (!control->payload) control->value = control->isWide ? one.value64 : one.value;
  return result;
}

/// VIDIOC_QUERYMENU: the item's name in `name` (32 bytes), or its number in `value` for an integer menu.
static inline int cvideo4linux_query_menu(
    int descriptor, uint32_t control, uint32_t index, char *name, int64_t *value) {
  struct v4l2_querymenu item;
  memset(&item, 0, sizeof item);
  item.id = control;
  item.index = index;
  int result = ioctl(descriptor, VIDIOC_QUERYMENU, &item);
  memcpy(name, item.name, sizeof item.name);
  name[sizeof item.name - 1] = 0;
  memcpy(value, &item.value, sizeof *value);
  return result;
}

#endif
