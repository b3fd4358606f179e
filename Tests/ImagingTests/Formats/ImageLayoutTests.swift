import Imaging
import Testing

struct ImageLayoutTests {
  /// The bytes of 6x4 pixels, of 5x3, and of 6x4 with rows of 32 bytes.
  static let byteCounts: [(PixelFormat, even: Int, odd: Int, padded: Int)] = [
    (.yuyv, 48, 36, 128), (.uyvy, 48, 36, 128), (.nv12, 36, 27, 192), (.nv16, 48, 33, 256),
    (.yu12, 36, 27, 192), (.yv12, 36, 27, 192), (.yuv422p, 48, 33, 256), (.grey, 24, 15, 128),
    (.y16, 48, 30, 128), (.rgb24, 72, 45, 128), (.rgb32, 96, 60, 128), (.bayerRGGB8, 24, 15, 128),
    (.bayerRGGB10, 48, 30, 128), (.z16, 48, 30, 128), (.bayerGBRG12, 48, 30, 128),
    (.bayerBGGR16, 48, 30, 128), (.y16BigEndian, 48, 30, 128), (.y10P, 40, 30, 128),
    (.bayerRGGB10P, 40, 30, 128), (.bayerRGGB12P, 36, 27, 128),
  ]

  @Test(arguments: byteCounts)
  func `A picture has the size in bytes that V4L2 defines`(
    format: PixelFormat,
    even: Int,
    odd: Int,
    padded: Int
  ) throws {
    let size = ImageSize(width: 6, height: 4)
    #expect(try ImageLayout(size: size, pixelFormat: format).byteCount == even)
    let oddSize = ImageSize(width: 5, height: 3)
    let oddCount = try ImageLayout(size: oddSize, pixelFormat: format).byteCount
    #expect(oddCount == odd)
    let layout = try ImageLayout(size: size, pixelFormat: format, bytesPerLine: 32)
    #expect(layout.byteCount == padded)
  }

  @Test(arguments: [(0, 1), (1, 0), (-640, 480), (16_385, 1), (1, 16_385), (.max, .max)])
  func `An invalid size is refused`(width: Int, height: Int) {
    let error = #expect(throws: ImagingError.self) {
      try ImageLayout(size: ImageSize(width: width, height: height), pixelFormat: .grey)
    }
    #expect(error?.code == .invalidSize)
  }

  @Test(arguments: [0, -1, 1279, .min, .max])
  func `Rows that do not fit the width are refused`(bytesPerLine: Int) {
    let error = #expect(throws: ImagingError.self) {
      try ImageLayout(
        size: ImageSize(width: 640, height: 480),
        pixelFormat: .yuyv,
        bytesPerLine: bytesPerLine
      )
    }
    #expect(error?.code == .invalidStride)
  }

  @Test func `The error for a format with an unknown shape names it`() throws {
    let format = try #require(PixelFormat(name: "H264"))
    let error = #expect(throws: ImagingError.self) {
      try ImageLayout(size: ImageSize(width: 640, height: 480), pixelFormat: format)
    }
    #expect(error?.code == .unsupportedFormat)
    #expect(error?.message.contains("H264") == true)
  }

  @Test func `A compressed picture has a size and no rows`() {
    let layout = ImageLayout.compressed(.mjpeg, size: ImageSize(width: 640, height: 480))
    #expect(layout.bytesPerLine == 0)
    #expect(layout.byteCount == 0)
  }
}
