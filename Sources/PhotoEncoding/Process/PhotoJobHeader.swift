package import Imaging

/// What a job begins with on its way to the process that encodes. The samples, EXIF and XMP follow.
package struct PhotoJobHeader: Hashable {
  package static let byteCount = 24
  private static let mark: UInt32 = 0x314a_5043  // "CPJ1"
  /// A job has the place of its subsampling in this list.
  static let subsamplings: [ChromaSubsampling] = [.grey, .yuv420, .yuv422]

  package let size: ImageSize
  package let subsampling: ChromaSubsampling
  package let format: HEIFFormat
  package let quality: Int
  package let exifCount: Int
  package let xmpCount: Int

  init(_ job: PhotoJob) {
    size = job.picture.size
    subsampling = job.picture.subsampling
    format = job.format
    quality = job.quality
    exifCount = job.exif.count
    xmpCount = job.xmp.count
  }

  /// Reads a header, which may be forged.
  /// - Throws: `corrupt`.
  package init(_ bytes: [UInt8]) throws(ImagingError) {
    let words = Words.read(bytes)
    guard words.count == Self.byteCount / 4, words[0] == Self.mark else {
      throw ImagingError(.corrupt, "a job to encode does not begin as one")
    }
    let kind = Words.bytes(words[1])
    let size = ImageSize(width: Int(words[2]), height: Int(words[3]))
    let counts = words[4...].map { Int($0) }
    guard let format = HEIFFormat(rawValue: kind[0]), Self.subsamplings.indices ~= Int(kind[1]),
      1...100 ~= kind[2], kind[3] == 0, size.isValid,
      counts.allSatisfy({ $0 <= PhotoJob.maximumMetadata })
    else { throw ImagingError(.corrupt, "a job to encode has values beyond the limits") }
    self.size = size
    self.format = format
    subsampling = Self.subsamplings[Int(kind[1])]
    quality = Int(kind[2])
    exifCount = counts[0]
    xmpCount = counts[1]
  }

  var bytes: [UInt8] {
    let place = Self.subsamplings.firstIndex(of: subsampling) ?? 0
    let kind = UInt32(format.rawValue) | UInt32(place) << 8 | UInt32(quality) << 16
    return Words.bytes([
      Self.mark, kind, UInt32(size.width), UInt32(size.height), UInt32(exifCount), UInt32(xmpCount),
    ])
  }

  /// The bytes of all planes.
  package var sampleCount: Int {
    let chroma = subsampling.chromaSize(size)
    return size.width * size.height + 2 * chroma.width * chroma.height
  }
}

/// Numbers of 32 bits with their low byte first.
enum Words {
  static func bytes(_ words: [UInt32]) -> [UInt8] {
    words.flatMap(bytes)
  }

  static func bytes(_ word: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
  }

  /// The whole words in these bytes.
  static func read(_ bytes: [UInt8]) -> [UInt32] {
    stride(from: 0, to: bytes.count / 4 * 4, by: 4).map { start in
      bytes[start..<start + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
  }
}
