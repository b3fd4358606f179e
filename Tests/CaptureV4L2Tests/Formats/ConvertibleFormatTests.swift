import Imaging
import Testing

@testable import CaptureV4L2

@Suite struct ConvertibleFormatTests {
  /// `v4l2_fourcc('p', 'B', 'A', 'A')` and `v4l2_fourcc_be('Y', '1', '6', ' ')`.
  private static let packedBayer = PixelFormat(rawValue: 0x4141_4270)
  private static let bigEndianGrey = PixelFormat(rawValue: 0xa036_3159)

  @Test(
    "Convertible formats are recognised",
    arguments: [
      (PixelFormat.bayerBGGR8, true), (.rgb565, true), (.y16, true), (packedBayer, true),
      (bigEndianGrey, true), (.y10, false), (.z16, false),
      (PixelFormat(rawValue: 0x3436_3248), false),
    ]
  )
  func knowledge(format: PixelFormat, isKnown: Bool) {
    #expect(ConvertibleFormats.contains(format) == isKnown)
    #expect(StreamConversion.isPossible(of: format) == isKnown)
  }

  @Test(
    "Encodable formats and JPEG need no conversion",
    arguments: [
      PixelFormat.yuyv, .nv12, .grey, .mjpeg, .jpeg,
    ]
  )
  func direct(format: PixelFormat) {
    #expect(!StreamConversion.needsConversion(format))
    #expect(StreamConversion.isPossible(of: format))
  }

  @Test("YUV is converted to YUV if its size is even, and all else to RGB")
  func target() {
    let nv61 = PixelFormat(rawValue: 0x3136_564e)
    let even = ImageSize(width: 640, height: 360)
    let odd = ImageSize(width: 640, height: 361)
    #expect(ConvertibleFormats.target(for: nv61, even) == .yu12)
    #expect(ConvertibleFormats.target(for: nv61, odd) == .rgb24)
    #expect(ConvertibleFormats.target(for: .rgb565, even) == .rgb24)
  }

  @Test(
    "Padded rows are recognised by the bits per pixel",
    arguments: [
      (PixelFormat.bayerBGGR8, 640, true), (.rgb565, 1280, true), (packedBayer, 800, true),
      (.bayerBGGR10, 1280, true), (.bayerBGGR10, 1344, false), (.xbgr32, 640, false),
    ]
  )
  func rows(format: PixelFormat, bytesPerLine: Int, isUnpadded: Bool) {
    #expect(
      ConvertibleFormats.hasUnpaddedRows(format, width: 640, bytesPerLine: bytesPerLine)
        == isUnpadded
    )
  }
}
