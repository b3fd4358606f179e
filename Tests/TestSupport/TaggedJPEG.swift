/// A JPEG that says by EXIF how it is to be turned.
public enum TaggedJPEG {
  /// - Parameters:
  ///   - jpeg: Any JPEG. A tag that it has already comes behind this one.
  ///   - value: Of the tag, 1 to 8 (Exif 2.32, section 4.6.4).
  public static func tagged(_ jpeg: [UInt8], _ value: UInt8) -> [UInt8] {
    let directory: [UInt8] = [0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, value, 0, 0, 0, 0, 0, 0]
    let exif = Array("Exif\0\0MM".utf8) + [0, 42, 0, 0, 0, 8] + directory
    return jpeg[..<2] + [0xff, 0xe1, 0, UInt8(exif.count + 2)] + exif + jpeg[2...]
  }
}
