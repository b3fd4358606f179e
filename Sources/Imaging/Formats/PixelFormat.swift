/// How a picture's bytes are to be read, by V4L2's four-character code.
package struct PixelFormat: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The code with its first character in the lowest byte; bit 31 marks big-endian variants.
  package let rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  private init(_ code: StaticString) {
    let bytes = unsafe UnsafeBufferPointer(start: code.utf8Start, count: 4)
    rawValue = unsafe bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  package static let mjpeg = PixelFormat("MJPG")
  package static let jpeg = PixelFormat("JPEG")
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

  private static let bigEndian: UInt32 = 1 << 31
  private static let aliases: [String: PixelFormat] = [
    "MJPEG": mjpeg, "YUY2": yuyv, "I420": yu12, "GRAY": grey, "GREY8": grey, "GRAY8": grey,
    "Y8": grey, "RGB24": rgb24, "BGR24": bgr24, "RGB565": rgb565, "YUV422P": yuv422p,
    "YUV420": yu12,
  ]

  /// The code as V4L2's own tools print it: "YUYV", "Y10", "Y16-BE".
  package var name: String {
    let characters = (0..<4).map { index in
      Character(UnicodeScalar(UInt8(truncatingIfNeeded: rawValue >> (8 * index)) & 0x7f))
    }
    let text = String(characters)
    let trimmed = text.prefix(text.reversed().drop { $0 == " " }.count)
    return rawValue & Self.bigEndian == 0 ? String(trimmed) : trimmed + "-BE"
  }

  package var description: String { name }

  /// Reads a code or a friendly name, in any case: "YUYV", "yuy2", "mjpeg", "grey".
  package init?(name: String) {
    let upper = name.uppercased()
    if let alias = Self.aliases[upper] {
      self = alias
      return
    }
    let isBigEndian = upper.hasSuffix("-BE")
    let code = Array((isBigEndian ? upper.dropLast(3) : upper[...]).utf8)
    guard (1...4).contains(code.count), code.allSatisfy({ (0x20...0x7e).contains($0) }) else {
      return nil
    }
    let padded = code + Array(repeating: UInt8(ascii: " "), count: 4 - code.count)
    let value = padded.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    rawValue = isBigEndian ? value | Self.bigEndian : value
  }

  /// The bytes are a code stream (JPEG), not pixels.
  package var isCompressed: Bool { self == .mjpeg || self == .jpeg }
}
