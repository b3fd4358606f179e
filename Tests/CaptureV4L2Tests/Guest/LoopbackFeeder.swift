import CVideo4Linux
import EventLoop
import Glibc
import Imaging
import OperatingSystem

@testable import CaptureV4L2

/// The program that feeds a v4l2loopback device. A camera on that node captures what it writes.
struct LoopbackFeeder {
  private let node: DeviceNode

  init(_ path: String, _ pixelFormat: PixelFormat, _ size: ImageSize) throws {
    node = try DeviceNode(path: path)
    var format = unsafe v4l2_format()
    unsafe format.type = V4L2_BUF_TYPE_VIDEO_OUTPUT.rawValue
    unsafe format.fmt.pix.width = UInt32(size.width)
    unsafe format.fmt.pix.height = UInt32(size.height)
    unsafe format.fmt.pix.pixelformat = pixelFormat.rawValue
    unsafe format.fmt.pix.field = V4L2_FIELD_NONE.rawValue
    unsafe format.fmt.pix.sizeimage = UInt32(size.width * size.height * 2)
    try unsafe node.perform(.setFormat, &format)
    // Capturing needs a first picture.
    try write([0])
  }

  func write(_ picture: [UInt8]) throws {
    try systemCall("write") { unsafe Glibc.write(node.descriptor, picture, picture.count) }
  }
}
