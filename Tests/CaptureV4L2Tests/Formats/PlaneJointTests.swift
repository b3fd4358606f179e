import CVideo4Linux
import Capture
import Glibc
import Imaging
import OperatingSystem
import Testing

@testable import CaptureV4L2

/// Pictures whose planes have buffers of their own.
struct PlaneJointTests {
  private static let size = ImageSize(width: 6, height: 4)

  private static func format(_ name: String) throws -> PixelFormat {
    try #require(PixelFormat(name: name))
  }

  /// A driver's answer for rows padded to these lengths.
  private static func answer(_ name: String, _ strides: [UInt32]) throws -> DriverFormat {
    var raw = unsafe v4l2_format()
    unsafe raw.type = PictureBuffers.perPlane.type.rawValue
    unsafe raw.fmt.pix_mp.width = UInt32(size.width)
    unsafe raw.fmt.pix_mp.height = UInt32(size.height)
    unsafe raw.fmt.pix_mp.pixelformat = try format(name).rawValue
    unsafe raw.fmt.pix_mp.num_planes = UInt8(strides.count)
    for (index, stride) in strides.enumerated() {
      unsafe withUnsafeMutableBytes(of: &raw.fmt.pix_mp.plane_fmt) { bytes in
        let planes = unsafe bytes.bindMemory(to: v4l2_plane_pix_format.self)
        unsafe planes[index].bytesperline = stride
        unsafe planes[index].sizeimage = stride * 4
      }
    }
    return unsafe DriverFormat(raw)
  }

  @Test(
    arguments: [
      ("NM12", "NV12", [6, 6]), ("NM12", "NV12", [8, 8]), ("NM12", "NV12", [8, 16]),
      ("NM16", "NV16", [8, 8]), ("YM12", "YU12", [8, 4, 4]), ("YM12", "YU12", [16, 32, 32]),
      ("YM16", "422P", [6, 3, 3]), ("YM21", "YV12", [8, 4, 4]),
    ] as [(String, String, [UInt32])])
  func `Every row comes to its place, however the driver pads its planes`(
    name: String, joined: String, strides: [UInt32]
  ) throws {
    let conversion = try StreamConversion(of: try Self.answer(name, strides), rate: nil)
    let layout = conversion.stream.layout
    #expect(layout.pixelFormat.name == joined && layout.size == Self.size)
    #expect(conversion.stream.devicePixelFormat.name == name)
    let joint = try #require(conversion.joint)
    var picture = [UInt8](repeating: 0, count: layout.byteCount)
    for (index, plane) in joint.planes.enumerated() {
      // A row's bytes name the plane and the row; padding is 255.
      let source = (0..<plane.rowCount).flatMap { row in
        [UInt8](repeating: UInt8(100 * index + row), count: plane.rowLength)
          + [UInt8](repeating: 255, count: plane.sourceStride - plane.rowLength)
      }
      var span = picture.mutableSpan
      var output = unsafe span.mutableBytes
      unsafe PlaneJoint.copy(plane, of: source.span.bytes, into: &output, isAwaited: true)
    }
    for (index, plane) in layout.planes.enumerated() {
      for row in 0..<plane.rowCount {
        let start = plane.offset + row * plane.stride
        let bytes = picture[start..<start + plane.rowLength]
        #expect(bytes.allSatisfy { $0 == UInt8(100 * index + row) }, "plane \(index), row \(row)")
      }
    }
    let last = try #require(layout.planes.last)
    #expect(last.offset + last.rowCount * last.stride == layout.byteCount)
  }

  @Test(
    arguments: [
      ("NM12", [8]), ("NM12", [8, 8, 8]), ("YM12", [8, 4]), ("NM12", [8, 2]), ("NV12", [8, 8]),
      ("YUYV", []), ("NM12", [0, 0]),
    ] as [(String, [UInt32])])
  func `Planes that do not suit the format are refused`(name: String, strides: [UInt32]) throws {
    let answer = try Self.answer(name, strides)
    let error = #expect(throws: CaptureError.self) {
      try StreamConversion(of: answer, rate: nil)
    }
    #expect(error?.code == .unsupportedFormat && error?.part == .format)
  }

  @Test func `A driver is asked in the way that it has`() throws {
    let node = PerPlaneNode()
    let setting = FormatSetting(node: node, buffers: .perPlane)
    let wanted = CameraFormat(
      pixelFormat: try Self.format("NM12"), size: Self.size, frameRates: [], summary: "")
    let format = try setting.set(wanted, for: FormatRequest(size: Self.size))
    #expect(format.planes.map(\.bytesPerLine) == [32, 32])
    #expect(format.pixelFormat == wanted.pixelFormat && format.range == .full)
    #expect(throws: CaptureError.self) {
      try FormatSetting(node: node).set(wanted, for: FormatRequest())
    }
  }
}

/// A driver that has the multi-planar way alone.
private final class PerPlaneNode: RequestNode {
  let path = "/dev/video77"

  func perform<Argument>(
    _ request: Request<Argument>, _ argument: inout Argument
  ) throws(SystemError) {
    guard var format = unsafe argument as? v4l2_format,
      unsafe format.type == PictureBuffers.perPlane.type.rawValue
    else { throw SystemError(errno: EINVAL, operation: request.name) }
    unsafe format.fmt.pix_mp.num_planes = 2
    unsafe format.fmt.pix_mp.quantization = UInt8(V4L2_QUANTIZATION_FULL_RANGE.rawValue)
    unsafe withUnsafeMutableBytes(of: &format.fmt.pix_mp.plane_fmt) { bytes in
      let planes = unsafe bytes.bindMemory(to: v4l2_plane_pix_format.self)
      for index in 0..<2 { unsafe planes[index].bytesperline = 32 }
    }
    if let answer = unsafe format as? Argument { argument = answer }
  }
}
