import CameraClient
import CameraProtocol
import SwiftProtobuf
import Testing
import ZeroMQ

/// The planes of raw frames, and numbers from the wire that do not fit one another.
@Suite(.timeLimit(.minutes(5)))
struct PlaneTests {
  struct Shape: Sendable, CustomTestStringConvertible {
    var format: String
    var size: FrameSize
    var bytesPerLine: Int
    var byteCount: Int
    /// Offset, width, height and bytes a row of each plane.
    var planes: [[Int]] = []
    var testDescription: String { "\(size) \(format) \(bytesPerLine) \(byteCount)" }

    init(_ format: String, _ size: (Int, Int), _ line: Int, _ count: Int, _ planes: [[Int]] = []) {
      self.format = format
      self.size = FrameSize(width: size.0, height: size.1)
      bytesPerLine = line
      byteCount = count
      self.planes = planes
    }
  }

  @Test(arguments: [
    Shape("YUYV", (4, 2), 8, 16, [[0, 4, 2, 8]]),
    Shape("YUYV", (3, 2), 10, 20, [[0, 3, 2, 10]]),
    Shape("GREY", (3, 2), 3, 6, [[0, 3, 2, 3]]),
    Shape("Y16", (3, 2), 6, 12, [[0, 3, 2, 6]]),
    Shape("BA12", (3, 2), 6, 12, [[0, 3, 2, 6]]),
    Shape("GR16", (3, 2), 8, 16, [[0, 3, 2, 8]]),
    Shape("RGB3", (3, 2), 9, 18, [[0, 3, 2, 9]]),
    Shape("XR24", (3, 2), 12, 24, [[0, 3, 2, 12]]),
    Shape("NV12", (4, 2), 4, 12, [[0, 4, 2, 4], [8, 2, 1, 4]]),
    Shape("NV12", (3, 3), 3, 17, [[0, 3, 3, 3], [9, 2, 2, 4]]),
    Shape("NV16", (4, 2), 6, 24, [[0, 4, 2, 6], [12, 2, 2, 6]]),
    Shape("YU12", (4, 2), 4, 12, [[0, 4, 2, 4], [8, 2, 1, 2], [10, 2, 1, 2]]),
    Shape("YV12", (3, 3), 3, 17, [[0, 3, 3, 3], [9, 2, 2, 2], [13, 2, 2, 2]]),
    Shape("422P", (4, 2), 4, 16, [[0, 4, 2, 4], [8, 2, 2, 2], [12, 2, 2, 2]]),
    // What a driver adds behind the last plane belongs to none.
    Shape("GREY", (3, 2), 3, 4096, [[0, 3, 2, 3]]),
  ])
  func `Planes lie where the protocol says`(shape: Shape) throws {
    let planes = try PlaneLayout.planes(
      of: shape.format, shape.size, bytesPerLine: shape.bytesPerLine, byteCount: shape.byteCount)
    #expect(planes.map { [$0.offset, $0.width, $0.height, $0.bytesPerLine] } == shape.planes)
  }

  @Test(arguments: [
    Shape("GREY", (3, 2), 3, 5), Shape("NV12", (4, 2), 4, 11), Shape("YU12", (4, 2), 4, 11),
    Shape("GREY", (0, 2), 3, 6), Shape("GREY", (3, 0), 3, 6), Shape("GREY", (3, 2), 2, 6),
    Shape("GREY", (3, 2), 0, 6), Shape("YUYV", (4, 2), 0xffff_ffff, 16),
    Shape("YUYV", (0xffff_ffff, 0xffff_ffff), 0xffff_ffff, 16),
    Shape("XR24", (0xffff, 0xffff), 0xffff_ffff, 256 << 20), Shape("GREY", (1, 1), 1, 0),
  ])
  func `Numbers that do not fit are an error`(shape: Shape) async {
    let error = await failure { () throws(CameraBusError) in
      _ = try PlaneLayout.planes(
        of: shape.format, shape.size, bytesPerLine: shape.bytesPerLine, byteCount: shape.byteCount)
    }
    #expect(error?.code == .protocolViolation)
  }

  @Test(arguments: ["MJPG", "JPEG", "H264", ""])
  func `Frames without known planes say so`(format: String) async {
    let error = await failure { () throws(CameraBusError) in
      _ = try PlaneLayout.planes(
        of: format, FrameSize(width: 4, height: 2), bytesPerLine: 8, byteCount: 16)
    }
    #expect(error?.code == .unsupportedFormat)
  }

  @Test func `A received frame lends its planes and their rows`() async throws {
    try await withFakeNode { node, bus in
      var frames = try bus.camera("cam").frames(.raw).makeAsyncIterator()
      let topic = Topic.frame(camera: "cam", stream: .raw)
      for await change in node.subscriptions where change == Subscription(Array(topic.name.utf8)) {
        break
      }
      let header = WireFrameHeader.with {
        $0.frameSequence = 1
        $0.pixelFormat = "NV12"
        $0.size.width = 4
        $0.size.height = 2
        $0.bytesPerLine = 4
      }
      try await node.publishFrame(header, Array(0..<12), on: topic, 1)
      let frame = try #require(try await frames.next())
      let planes = try frame.planes
      let count = planes.count
      #expect(count == 2)
      let chroma = planes[1]
      let (width, height, bytesPerLine) = (chroma.width, chroma.height, chroma.bytesPerLine)
      #expect((width, height, bytesPerLine) == (2, 1, 4))
      let row = chroma.row(0)
      let bytes = unsafe row.withUnsafeBytes { unsafe Array($0) }
      #expect(bytes == [8, 9, 10, 11])
      try await node.publishFrame(header, Array(0..<11), on: topic, 2)
      let short = try #require(try await frames.next())
      let error = await failure { () throws(CameraBusError) in _ = try short.planes }
      #expect(error?.code == .protocolViolation)
    }
  }
}
