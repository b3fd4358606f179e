/// The name of a frame's pixel format in its header: at most 16 bytes of UTF-8, usually a fourcc.
///
/// A plain value, so that copying a header counts no references.
package struct PixelFormatName: Hashable, Sendable, CustomStringConvertible {
  /// The first eight bytes, beginning with the lowest, and zeros after the last.
  private var low: UInt64 = 0
  /// The other eight bytes.
  private var high: UInt64 = 0
  private(set) var byteCount: UInt8 = 0

  /// The empty name, for a header without one.
  package init() {}

  /// Nil for more than 16 bytes.
  package init?(_ name: String) {
    guard name.utf8.count <= WireLimits.pixelFormatByteCount else { return nil }
    for byte in name.utf8 { append(byte) }
  }

  /// Nil unless the bytes are UTF-8; `tooLong` for more than 16.
  init?(reading bytes: RawSpan) {
    guard bytes.byteCount <= WireLimits.pixelFormatByteCount else {
      guard Self.text(bytes) != nil else { return nil }
      self = .tooLong
      return
    }
    var every: UInt8 = 0
    for offset in 0..<bytes.byteCount {
      let byte = unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
      append(byte)
      every |= byte
    }
    if every >= 0x80, Self.text(bytes) == nil { return nil }
  }

  /// Stands for a name of more than 16 bytes. A later field of the same header may still replace
  /// it.
  static let tooLong = {
    var name = PixelFormatName()
    name.byteCount = .max
    return name
  }()

  subscript(index: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: (index < 8 ? low : high) >> (UInt64(index & 7) * 8))
  }

  package var description: String {
    String(decoding: (0..<Int(byteCount)).map { self[$0] }, as: UTF8.self)
  }

  private mutating func append(_ byte: UInt8) {
    let bits = UInt64(byte) << (UInt64(byteCount & 7) * 8)
    if byteCount < 8 { low |= bits } else { high |= bits }
    byteCount += 1
  }

  private static func text(_ bytes: RawSpan) -> String? {
    unsafe bytes.withUnsafeBytes { unsafe String(validating: $0, as: UTF8.self) }
  }
}
