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
    (.bayerBGGR12, "BG12", 0x3231_4742), (.bayerGBRG12, "GB12", 0x3231_4247),
    (.bayerGRBG12, "BA12", 0x3231_4142), (.bayerRGGB12, "RG12", 0x3231_4752),
    (.bayerBGGR16, "BYR2", 0x3252_5942), (.bayerGBRG16, "GB16", 0x3631_4247),
    (.bayerGRBG16, "GR16", 0x3631_5247), (.bayerRGGB16, "RG16", 0x3631_4752),
    (.y10P, "Y10P", 0x5030_3159), (.y16BigEndian, "Y16-BE", 0xa036_3159),
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

  @Test(
    arguments: [
      (.bayerBGGR10P, "pBAA", 0x4141_4270), (.bayerGBRG10P, "pGAA", 0x4141_4770),
      (.bayerGRBG10P, "pgAA", 0x4141_6770), (.bayerRGGB10P, "pRAA", 0x4141_5270),
      (.bayerBGGR12P, "pBCC", 0x4343_4270), (.bayerGBRG12P, "pGCC", 0x4343_4770),
      (.bayerGRBG12P, "pgCC", 0x4343_6770), (.bayerRGGB12P, "pRCC", 0x4343_5270),
    ] as [(PixelFormat, String, UInt32)]
  )
  func `A code with small letters is read only as it is spelt`(
    format: PixelFormat, name: String, rawValue: UInt32
  ) {
    #expect(format.rawValue == rawValue)
    #expect(format.name == name)
    #expect(PixelFormat(name: name) == format)
    #expect(PixelFormat(name: name.uppercased()) != format)
  }

  @Test(arguments: TestSensor.all)
  func `The samples of a sensor's format are known`(sensor: TestSensor) {
    let format = sensor.format
    #expect(format.isSensorData)
    #expect(format.bayerPattern == sensor.pattern)
    #expect(format.sampleBits == sensor.bits)
    #expect(format.isDeepGrey == (sensor.pattern == nil))
    #expect(!format.isDepth)
    #expect(!format.hasColorCodes)
  }

  @Test func `Distances are no grey`() {
    #expect(PixelFormat.z16.isDepth && PixelFormat.z16.isSensorData)
    #expect(!PixelFormat.z16.isDeepGrey && PixelFormat.z16.bayerPattern == nil)
    #expect(PixelFormat.z16.sampleBits == 16)
  }

  @Test(arguments: [PixelFormat.grey, .yuyv, .nv12, .rgb24, .rgb565, .mjpeg])
  func `Other formats have no samples of a sensor`(format: PixelFormat) {
    #expect(!format.isSensorData && !format.isDeepGrey && !format.isDepth)
    #expect(format.sampleBits == nil && format.bayerPattern == nil)
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
