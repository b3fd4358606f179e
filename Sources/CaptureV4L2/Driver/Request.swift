import CVideo4Linux

/// One request of V4L2's ioctl interface, with the type of its argument.
///
/// See the kernel's "Video for Linux API", function reference.
struct Request<Argument> {
  let number: UInt
  /// The name in the documentation, for error messages.
  let name: String
}

extension Request<v4l2_capability> {
  static var queryCapabilities: Self {
    Self(number: cvideo4linux_VIDIOC_QUERYCAP, name: "VIDIOC_QUERYCAP")
  }
}

extension Request<v4l2_fmtdesc> {
  static var enumerateFormats: Self {
    Self(number: cvideo4linux_VIDIOC_ENUM_FMT, name: "VIDIOC_ENUM_FMT")
  }
}

extension Request<v4l2_frmsizeenum> {
  static var enumerateSizes: Self {
    Self(number: cvideo4linux_VIDIOC_ENUM_FRAMESIZES, name: "VIDIOC_ENUM_FRAMESIZES")
  }
}

extension Request<v4l2_frmivalenum> {
  static var enumerateIntervals: Self {
    Self(number: cvideo4linux_VIDIOC_ENUM_FRAMEINTERVALS, name: "VIDIOC_ENUM_FRAMEINTERVALS")
  }
}

extension Request<v4l2_format> {
  static var getFormat: Self {
    unsafe Self(number: cvideo4linux_VIDIOC_G_FMT, name: "VIDIOC_G_FMT")
  }
  static var tryFormat: Self {
    unsafe Self(number: cvideo4linux_VIDIOC_TRY_FMT, name: "VIDIOC_TRY_FMT")
  }
  static var setFormat: Self {
    unsafe Self(number: cvideo4linux_VIDIOC_S_FMT, name: "VIDIOC_S_FMT")
  }
}

extension Request<v4l2_streamparm> {
  static var getParameters: Self {
    Self(number: cvideo4linux_VIDIOC_G_PARM, name: "VIDIOC_G_PARM")
  }
  static var setParameters: Self {
    Self(number: cvideo4linux_VIDIOC_S_PARM, name: "VIDIOC_S_PARM")
  }
}

extension Request<v4l2_requestbuffers> {
  static var requestBuffers: Self {
    Self(number: cvideo4linux_VIDIOC_REQBUFS, name: "VIDIOC_REQBUFS")
  }
}

extension Request<v4l2_buffer> {
  static var queryBuffer: Self {
    unsafe Self(number: cvideo4linux_VIDIOC_QUERYBUF, name: "VIDIOC_QUERYBUF")
  }
  static var enqueueBuffer: Self {
    unsafe Self(number: cvideo4linux_VIDIOC_QBUF, name: "VIDIOC_QBUF")
  }
  static var dequeueBuffer: Self {
    unsafe Self(number: cvideo4linux_VIDIOC_DQBUF, name: "VIDIOC_DQBUF")
  }
}

extension Request<UInt32> {
  static var streamOn: Self { Self(number: cvideo4linux_VIDIOC_STREAMON, name: "VIDIOC_STREAMON") }
  static var streamOff: Self {
    Self(number: cvideo4linux_VIDIOC_STREAMOFF, name: "VIDIOC_STREAMOFF")
  }
}

extension Request<v4l2_query_ext_ctrl> {
  static var queryControl: Self {
    Self(number: cvideo4linux_VIDIOC_QUERY_EXT_CTRL, name: "VIDIOC_QUERY_EXT_CTRL")
  }
}

extension Request<v4l2_querymenu> {
  static var queryMenu: Self {
    Self(number: cvideo4linux_VIDIOC_QUERYMENU, name: "VIDIOC_QUERYMENU")
  }
}

extension Request<v4l2_ext_controls> {
  static var getControls: Self {
    unsafe Self(number: cvideo4linux_VIDIOC_G_EXT_CTRLS, name: "VIDIOC_G_EXT_CTRLS")
  }
  static var setControls: Self {
    unsafe Self(number: cvideo4linux_VIDIOC_S_EXT_CTRLS, name: "VIDIOC_S_EXT_CTRLS")
  }
}

extension Request<v4l2_event_subscription> {
  static var subscribe: Self {
    Self(number: cvideo4linux_VIDIOC_SUBSCRIBE_EVENT, name: "VIDIOC_SUBSCRIBE_EVENT")
  }
}

extension Request<v4l2_event> {
  static var dequeueEvent: Self {
    Self(number: cvideo4linux_VIDIOC_DQEVENT, name: "VIDIOC_DQEVENT")
  }
}
