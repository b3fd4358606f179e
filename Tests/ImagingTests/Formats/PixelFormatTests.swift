import Imaging
import Testing

struct PixelFormatTests {
  static let names: [(PixelFormat, String, UInt32)] = [
    (.mjpeg, "MJPG", 0x4750_4a4d), (.jpeg, "JPEG", 0x4745_504a), (.yuyv, "YUYV", 0x5659_5559),
    (.uyvy, "UYVY", 0x5956_5955), (.yvyu, "YVYU", 0x5559_5659), (.vyuy, "VYUY", 0x5955_5956),
    (.nv12, "NV12", 0x3231_564e), (.nv21, "NV21", 0x3132_564e), (.nv16, "NV16", 0x3631_564e),
    (.yu12, "YU12", 0x3231_5559), (.yv12, "YV12", 0x3231_5659), (.yuv422p, "422P", 0x5032_3234),
    (.grey, "GREY", 0x5945_5247), (.y10, "Y10", 0x2030_3159), (.y12, "Y12", 0x2032_3159),
    (.y16, "Y16", 0x2036_3159), (.z16, "Z16", 0x2036_315a), (.rgb24, "RGB3", 0x3342_4752),
    (.bgr24, "BGR3", 0x3352_4742), (.rgb565, "RGBP", 0x5042_4752), (.rgb32, "RGB4", 0x3442_4752),
    (.bgr32, "BGR4", 0x3452_4742), (.xbgr32, "XR24", 0x3432_5258), (.xrgb32, "BX24", 0x3432_5842),
    (.bayerBGGR8, "BA81", 0x3138_4142), (.bayerGBRG8, "GBRG", 0x4752_4247),
    (.bayerGRBG8, "GRBG", 0x4742_5247), (.bayerRGGB8, "RGGB", 0x4247_4752),
    (.bayerBGGR10, "BG10", 0x3031_4742), (.bayerGBRG10, "GB10", 0x3031_4247),
    (.bayerGRBG10, "BA10", 0x3031_4142), (.bayerRGGB10, "RG10", 0x3031_4752),
  ]

  @Test(arguments: names)
  func `A code is printed as in V4L2 and read in any case`(
    format: PixelFormat,
    name: String,
    rawValue: UInt32
  ) {
    #expect(format.rawValue == rawValue)
    #expect(format.name == name)
    #expect(PixelFormat(name: name) == format)
    #expect(PixelFormat(name: name.lowercased()) == format)
  }

  @Test(arguments: [
    ("mjpeg", PixelFormat.mjpeg), ("yuy2", .yuyv), ("I420", .yu12), ("grey", .grey),
    ("Gray", .grey), ("rgb24", .rgb24), ("BGR24", .bgr24), ("rgb565", .rgb565),
    ("yuv422p", .yuv422p), ("Y8", .grey),
  ])
  func `Common names are understood`(name: String, format: PixelFormat) {
    #expect(PixelFormat(name: name) == format)
  }

  @Test func `An unknown code keeps its spelling`() throws {
    let packed = try #require(PixelFormat(name: "pBAA"))
    #expect(packed.name == "pBAA")
    #expect(packed != PixelFormat(name: "PBAA"))
  }

  @Test func `A big-endian variant is marked in its name`() throws {
    let format = PixelFormat(rawValue: PixelFormat.y16.rawValue | 1 << 31)
    #expect(format.name == "Y16-BE")
    #expect(PixelFormat(name: "y16-be") == format)
    #expect(PixelFormat(name: "Y16 -BE") == format)
  }

  @Test(arguments: [0, 1, 0x2020_2020, 0x0a41_4242] as [UInt32])
  func `A code without printable characters is named by its number`(rawValue: UInt32) {
    let format = PixelFormat(rawValue: rawValue)
    #expect(format.name.hasPrefix("0x"))
    #expect(PixelFormat(name: format.name) == format)
  }

  @Test(arguments: ["", " ", "H.264", "Grün", "-BE", "0xzzzzzzzz"])
  func `A text that is not a code is refused`(name: String) {
    #expect(PixelFormat(name: name) == nil)
  }

  @Test func `Only JPEGs are compressed`() {
    let compressed = Self.names.map(\.0).filter(\.isCompressed)
    #expect(compressed == [.mjpeg, .jpeg])
  }
}
