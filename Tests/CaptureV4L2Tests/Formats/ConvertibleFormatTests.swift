import CVideo4Linux
import Capture
import Imaging
import Testing

@testable import CaptureV4L2

@Suite struct ConvertibleFormatTests {
  /// `v4l2_fourcc('Y', '1', '0', 'B')`.
  private static let packedGrey = PixelFormat(rawValue: 0x4230_3159)

  @Test(
    "Convertible formats are recognised",
    arguments: [
      (PixelFormat.rgb565, true), (packedGrey, true), (.xbgr32, true),
      (PixelFormat(rawValue: 0x3436_324d), false),
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

  @Test(
    "The samples of sensors are delivered as they are",
    arguments: [
      PixelFormat.bayerBGGR8, .bayerGRBG10, .bayerGBRG10P, .bayerRGGB12, .bayerRGGB12P,
      .bayerBGGR16, .y10, .y12, .y16, .y16BigEndian, .y10P, .z16,
    ]
  )
  func untouched(format: PixelFormat) throws {
    #expect(!ConvertibleFormats.contains(format))
    let source = DriverFormat(size: ImageSize(width: 640, height: 480), pixelFormat: format)
    var raw = unsafe source.raw
    // Some drivers pad rows, here to whole cache lines.
    unsafe raw.fmt.pix.bytesperline = 1344
    unsafe raw.fmt.pix.sizeimage = 1344 * 480
    let conversion = try StreamConversion(of: unsafe DriverFormat(raw), rate: nil)
    let layout = conversion.stream.layout
    #expect(conversion.target == nil)
    #expect(layout.pixelFormat == format && layout.bytesPerLine == 1344)
    #expect(layout.byteCount == 1344 * 480 && layout.range == .full)
    #expect(conversion.stream.pictureRefusal == nil)
  }

  @Test(
    "A driver's size beyond all pictures is refused before it is multiplied",
    arguments: [PixelFormat.mjpeg, .yuyv, .rgb565, .bayerBGGR8]
  )
  func enormous(format: PixelFormat) throws {
    var raw = unsafe DriverFormat(size: ImageSize(width: 640, height: 480), pixelFormat: format).raw
    unsafe (raw.fmt.pix.width, raw.fmt.pix.height) = (.max, 1 << 31)
    let driver = unsafe DriverFormat(raw)
    let error = #expect(throws: CaptureError.self) {
      try StreamConversion(of: driver, rate: nil)
    }
    #expect(error?.code == .unsupportedFormat)
    #expect(error?.message.contains("4294967295x2147483648 is unusable: no picture is") == true)
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
      (.rgb565, 1280, true), (packedGrey, 800, true), (packedGrey, 832, false),
      (.rgb565, 1344, false), (.xbgr32, 640, false),
    ]
  )
  func rows(format: PixelFormat, bytesPerLine: Int, isUnpadded: Bool) {
    #expect(
      ConvertibleFormats.hasUnpaddedRows(format, width: 640, bytesPerLine: bytesPerLine)
        == isUnpadded
    )
  }
}
