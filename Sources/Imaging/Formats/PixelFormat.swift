/// The encoding of a picture's bytes, as V4L2's four-character code.
package struct PixelFormat: RawRepresentable, Codable, Hashable, Sendable, CustomStringConvertible {
  /// The code with its first character in the lowest byte. Bit 31 marks big-endian variants.
  package let rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  private init(_ code: StaticString) {
    let bytes = unsafe UnsafeBufferPointer(start: code.utf8Start, count: 4)
    rawValue = unsafe bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// V4L2's flag for the big-endian variant of a format.
  static let bigEndian: UInt32 = 1 << 31

  package static let mjpeg = PixelFormat("MJPG")
  package static let jpeg = PixelFormat("JPEG")
  package static let h264 = PixelFormat("H264")
  package static let hevc = PixelFormat("HEVC")
  package static let yuyv = PixelFormat("YUYV")
  package static let uyvy = PixelFormat("UYVY")
  package static let yvyu = PixelFormat("YVYU")
  package static let vyuy = PixelFormat("VYUY")
  package static let nv12 = PixelFormat("NV12")
  package static let nv21 = PixelFormat("NV21")
  package static let nv16 = PixelFormat("NV16")
  package static let yu12 = PixelFormat("YU12")
  package static let yv12 = PixelFormat("YV12")
  package static let yuv422p = PixelFormat("422P")
  package static let grey = PixelFormat("GREY")
  package static let y10 = PixelFormat("Y10 ")
  package static let y12 = PixelFormat("Y12 ")
  package static let y16 = PixelFormat("Y16 ")
  package static let y16BigEndian = PixelFormat(rawValue: y16.rawValue | bigEndian)
  package static let y10P = PixelFormat("Y10P")
  package static let z16 = PixelFormat("Z16 ")
  package static let rgb24 = PixelFormat("RGB3")
  package static let bgr24 = PixelFormat("BGR3")
  package static let rgb565 = PixelFormat("RGBP")
  package static let bgr32 = PixelFormat("BGR4")
  package static let rgb32 = PixelFormat("RGB4")
  package static let xbgr32 = PixelFormat("XR24")
  package static let xrgb32 = PixelFormat("BX24")
  package static let bayerBGGR8 = PixelFormat("BA81")
  package static let bayerGBRG8 = PixelFormat("GBRG")
  package static let bayerGRBG8 = PixelFormat("GRBG")
  package static let bayerRGGB8 = PixelFormat("RGGB")
  package static let bayerBGGR10 = PixelFormat("BG10")
  package static let bayerGBRG10 = PixelFormat("GB10")
  package static let bayerGRBG10 = PixelFormat("BA10")
  package static let bayerRGGB10 = PixelFormat("RG10")
  package static let bayerBGGR10P = PixelFormat("pBAA")
  package static let bayerGBRG10P = PixelFormat("pGAA")
  package static let bayerGRBG10P = PixelFormat("pgAA")
  package static let bayerRGGB10P = PixelFormat("pRAA")
  package static let bayerBGGR12 = PixelFormat("BG12")
  package static let bayerGBRG12 = PixelFormat("GB12")
  package static let bayerGRBG12 = PixelFormat("BA12")
  package static let bayerRGGB12 = PixelFormat("RG12")
  package static let bayerBGGR12P = PixelFormat("pBCC")
  package static let bayerGBRG12P = PixelFormat("pGCC")
  package static let bayerGRBG12P = PixelFormat("pgCC")
  package static let bayerRGGB12P = PixelFormat("pRCC")
  package static let bayerBGGR16 = PixelFormat("BYR2")
  package static let bayerGBRG16 = PixelFormat("GB16")
  package static let bayerGRBG16 = PixelFormat("GR16")
  package static let bayerRGGB16 = PixelFormat("RG16")

  /// Whether the bytes are a JPEG stream instead of pixels.
  package var isCompressed: Bool { self == .mjpeg || self == .jpeg }
}
