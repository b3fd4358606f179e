import CVideo4Linux
import Capture
import EventLoop
import OperatingSystem

/// A driver's answer about its node (`VIDIOC_QUERYCAP`).
struct Capability {
  let driver: String
  let card: String
  let busInfo: String
  /// The capabilities of this node, which may be fewer than the device's.
  let flags: UInt32

  /// The reason why the node is not a camera that can stream; nil if it is one.
  var shortcoming: String? {
    if has(V4L2_CAP_VIDEO_M2M) || has(V4L2_CAP_VIDEO_M2M_MPLANE) {
      "is a codec, not a camera"
    } else if has(V4L2_CAP_VIDEO_CAPTURE) || has(V4L2_CAP_VIDEO_CAPTURE_MPLANE) {
      has(V4L2_CAP_STREAMING) ? nil : "cannot stream: its driver only has read()"
    } else if has(V4L2_CAP_META_CAPTURE) {
      "carries a camera's metadata, not its picture"
    } else {
      "takes no pictures"
    }
  }

  /// The way in which the camera hands out pictures: the simpler one if it has both.
  var pictureBuffers: PictureBuffers { has(V4L2_CAP_VIDEO_CAPTURE) ? .single : .perPlane }

  /// Whether it is the node of a camera's metadata.
  var isMetadata: Bool { has(V4L2_CAP_META_CAPTURE) && has(V4L2_CAP_STREAMING) }

  private func has(_ flag: Int32) -> Bool { flags & flag.bits != 0 }
}

extension Capability {
  /// Asks the driver.
  init(of node: DeviceNode) throws(SystemError) {
    var answer = v4l2_capability()
    try node.perform(.queryCapabilities, &answer)
    driver = text(in: answer.driver)
    card = text(in: answer.card)
    busInfo = text(in: answer.bus_info)
    let hasOwnFlags = answer.capabilities & UInt32(V4L2_CAP_DEVICE_CAPS) != 0
    flags = hasOwnFlags ? answer.device_caps : answer.capabilities
  }
}

extension Int32 {
  /// The bits of a flag that C defines as a signed literal.
  var bits: UInt32 { UInt32(bitPattern: self) }
}
