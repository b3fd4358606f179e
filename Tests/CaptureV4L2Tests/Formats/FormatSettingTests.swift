import CVideo4Linux
import Capture
import Glibc
import Imaging
import OperatingSystem
import Testing

@testable import CaptureV4L2

/// Drivers that do not do what their lists say.
struct FormatSettingTests {
  private let listed = CameraFormat(
    pixelFormat: .yuyv, size: ImageSize(width: 640, height: 480), frameRates: [], summary: "")

  @Test func `A driver that refuses the rate runs at its own, unless a rate was asked for`() throws
  {
    let setting = FormatSetting(node: StubbornNode(size: listed.size))
    #expect(try setting.set(FrameRate(30), wanted: nil)?.framesPerSecond == 15)
    let error = #expect(throws: CaptureError.self) { try setting.set(FrameRate(30), wanted: 30) }
    #expect(error?.code == .unsupportedFormat && error?.part == .rate)
    #expect(error?.message.hasSuffix("leave the rate out") == true)
  }

  @Test func `Another size than the list says is taken if no size was asked for`() throws {
    let node = StubbornNode(size: ImageSize(width: 320, height: 240))
    let setting = FormatSetting(node: node)
    #expect(try setting.set(listed, for: FormatRequest()).size == node.size)
    let error = #expect(throws: CaptureError.self) {
      try setting.set(listed, for: FormatRequest(size: listed.size))
    }
    #expect(error?.part == .size)
    #expect(error?.message.contains("the driver set YUYV 320x240 instead of") == true)
    // What the error says works, although the driver does not list it.
    #expect(DriverFormat(size: node.size, pixelFormat: .yuyv).isAccepted(by: node))
    #expect(!DriverFormat(size: listed.size, pixelFormat: .yuyv).isAccepted(by: node))
  }

  @Test func `A size that no picture has is refused`() throws {
    let setting = FormatSetting(node: StubbornNode(size: ImageSize(width: 1 << 30, height: 1)))
    #expect(throws: CaptureError.self) { try setting.set(listed, for: FormatRequest()) }
  }
}

/// A driver that has one size and one rate, whatever it is told.
private final class StubbornNode: RequestNode {
  let path = "/dev/video77"
  let size: ImageSize

  init(size: ImageSize) { self.size = size }

  func perform<Argument>(
    _ request: Request<Argument>, _ argument: inout Argument
  ) throws(SystemError) {
    if var format = unsafe argument as? v4l2_format {
      unsafe format.fmt.pix.width = UInt32(size.width)
      unsafe format.fmt.pix.height = UInt32(size.height)
      if let answer = unsafe format as? Argument { argument = answer }
    } else if var parameters = argument as? v4l2_streamparm {
      guard request.name == "VIDIOC_G_PARM" else {
        throw SystemError(errno: EINVAL, operation: request.name)
      }
      unsafe parameters.parm.capture.capability = UInt32(V4L2_CAP_TIMEPERFRAME)
      unsafe parameters.parm.capture.timeperframe = v4l2_fract(numerator: 1, denominator: 15)
      if let answer = parameters as? Argument { argument = answer }
    }
  }
}
