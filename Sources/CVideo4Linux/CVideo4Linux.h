// The parts of Video4Linux that Swift does not import: request numbers are computed macros, and
// ioctl(2) and open(2) are variadic. The structs and constants of linux/videodev2.h and the
// functions of libv4lconvert do import; only V4L2Conversion links that library.
#ifndef CVIDEO4LINUX_H
#define CVIDEO4LINUX_H

#include <fcntl.h>
#include <libv4lconvert.h>
#include <linux/videodev2.h>
#include <sys/ioctl.h>

/// Calls open(2) on an existing file: read and write, non-blocking, closed on exec.
static inline int cvideo4linux_open(const char *path) {
  return open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
}

/// Calls ioctl(2) with a pointer.
static inline int cvideo4linux_ioctl(int descriptor, unsigned long request, void *argument) {
  return ioctl(descriptor, request, argument);
}

/// The format of metadata of uvcvideo: the headers of a frame's packets.
static const unsigned int cvideo4linux_V4L2_META_FMT_UVC = V4L2_META_FMT_UVC;

// The requests of <linux/videodev2.h>, under their own names.

static const unsigned long cvideo4linux_VIDIOC_QUERYCAP = VIDIOC_QUERYCAP;
static const unsigned long cvideo4linux_VIDIOC_ENUM_FMT = VIDIOC_ENUM_FMT;
static const unsigned long cvideo4linux_VIDIOC_ENUM_FRAMESIZES = VIDIOC_ENUM_FRAMESIZES;
static const unsigned long cvideo4linux_VIDIOC_ENUM_FRAMEINTERVALS = VIDIOC_ENUM_FRAMEINTERVALS;
static const unsigned long cvideo4linux_VIDIOC_G_FMT = VIDIOC_G_FMT;
static const unsigned long cvideo4linux_VIDIOC_TRY_FMT = VIDIOC_TRY_FMT;
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

#endif
