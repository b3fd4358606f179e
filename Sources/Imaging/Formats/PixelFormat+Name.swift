import OperatingSystem

extension PixelFormat {
  private static let printable: ClosedRange<UInt8> = 0x20...0x7e

  /// The accepted names in capitals: each known code's own name, and the aliases that other
  /// software uses. Codes with small letters are not here, because the case is a part of them:
  /// "pGAA" and "pgAA" are two formats.
  private static let known: [String: PixelFormat] = {
    let codes = [
      mjpeg, jpeg, h264, hevc, yuyv, uyvy, yvyu, vyuy, nv12, nv21, nv16, yu12, yv12, yuv422p, grey,
      y10, y12,
      y16, y10P, z16, rgb24, bgr24, rgb565, bgr32, rgb32, xbgr32, xrgb32, bayerBGGR8, bayerGBRG8,
      bayerGRBG8, bayerRGGB8, bayerBGGR10, bayerGBRG10, bayerGRBG10, bayerRGGB10,
      bayerBGGR12, bayerGBRG12, bayerGRBG12, bayerRGGB12, bayerBGGR16, bayerGBRG16, bayerGRBG16,
      bayerRGGB16,
    ]
    let aliases = [
      "MJPEG": mjpeg, "YUY2": yuyv, "I420": yu12, "YUV420": yu12, "YUV420P": yu12,
      "YUV422P": yuv422p, "GRAY": grey, "GREY8": grey, "GRAY8": grey, "Y8": grey, "Y800": grey,
      "RGB24": rgb24, "BGR24": bgr24, "RGB565": rgb565,
    ]
    let own = Dictionary(uniqueKeysWithValues: codes.map { ($0.name, $0) })
    return own.merging(aliases) { code, _ in code }
  }()

  /// The code as V4L2's tools print it, without trailing blanks: "YUYV", "Y10", "Y16-BE". A code
  /// with unprintable characters is given as a number: "0x00000001".
  package var name: String {
    // The header of every published frame has this name. A string this short is stored without an
    // allocation.
    var count = 0
    for index in 0..<4 {
      let character = character(index)
      guard Self.printable.contains(character) else { return number }
      if character != 0x20 { count = index + 1 }
    }
    guard count > 0 else { return number }
    let text = unsafe String(unsafeUninitializedCapacity: count) { bytes in
      for index in 0..<count { unsafe bytes[index] = character(index) }
      return count
    }
    return rawValue & Self.bigEndian == 0 ? text : text + "-BE"
  }

  private func character(_ index: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: rawValue >> (8 * index)) & 0x7f
  }

  private var number: String {
    rawValue.hexadecimalNumber(digitCount: 8)
  }

  package var description: String { name }

  /// Reads the names that `name` returns and common aliases. Known formats may be in any case
  /// ("yuyv", "YUY2", "mjpeg", "grey"). Other codes must match exactly, because V4L2 distinguishes
  /// "pBAA" from "PBAA".
  package init?(name: String) {
    if let format = Self.known[name.uppercased()] {
      self = format
      return
    }
    if name.utf8.count == 10, name.hasPrefix("0x") {
      guard let rawValue = UInt32(hexadecimalNumber: name) else { return nil }
      self.init(rawValue: rawValue)
      return
    }
    let isBigEndian = name.uppercased().hasSuffix("-BE")
    let text = isBigEndian ? name.dropLast(3) : name[...]
    let base = Self.known[text.uppercased()]?.rawValue ?? Self.code(Array(text.utf8))
    guard let base else { return nil }
    self.init(rawValue: isBigEndian ? base | Self.bigEndian : base)
  }

  /// Makes a code from up to four characters, padded with blanks.
  private static func code(_ characters: [UInt8]) -> UInt32? {
    guard (1...4).contains(characters.count), characters.allSatisfy(printable.contains),
      characters.contains(where: { $0 != 0x20 })
    else { return nil }
    return (0..<4).reversed().reduce(0) { code, index in
      code << 8 | UInt32(index < characters.count ? characters[index] : 0x20)
    }
  }
}
