import CVideo4Linux

/// The way in which a driver hands out pictures.
enum PictureBuffers: Hashable, Sendable {
  /// Each in one buffer.
  case single
  /// Each plane in a buffer of its own (multi-planar API), also if all formats have one plane. Most
  /// cameras of systems on a chip have this way only.
  case perPlane

  var type: v4l2_buf_type {
    switch self {
    case .single: V4L2_BUF_TYPE_VIDEO_CAPTURE
    case .perPlane: V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE
    }
  }
}
