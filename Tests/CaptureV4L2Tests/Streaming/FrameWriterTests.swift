import Capture
import Imaging
import TestSupport
import Testing

@testable import CaptureV4L2

struct FrameWriterTests {
  private let size = ImageSize(width: 64, height: 48)

  @Test func `A JPEG is copied as it is, and says how it is to be turned`() throws {
    let driver = DriverFormat(size: size, pixelFormat: .mjpeg)
    let writer = try FrameWriter(
      for: try StreamConversion(of: driver, rate: nil), of: try DeviceNode(path: "/dev/null"))
    let pixels = try ImageLayout(size: size, pixelFormat: .grey, range: .full)
    let grey = [UInt8](repeating: 128, count: pixels.byteCount)
    let jpeg = TaggedJPEG.tagged(try JPEGEncoder().encode(grey, pixels), 6)
    var source = jpeg + [0, 0, 0, 0]
    var copy = [UInt8](repeating: 1, count: source.count)
    var sourceSpan = source.mutableSpan
    var copySpan = copy.mutableSpan
    var input = unsafe sourceSpan.mutableBytes
    var output = unsafe copySpan.mutableBytes
    let outcome = writer.write(&input, into: &output, isAwaited: true)
    guard case .written(let byteCount, let layout) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(byteCount == jpeg.count && layout.orientation == Orientation(.quarter))
    #expect(copy == source)
  }
}
