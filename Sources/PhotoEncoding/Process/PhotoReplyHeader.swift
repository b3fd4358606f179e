import Imaging

/// What the process that encodes answers before the bytes of the file, or of the reason why there
/// is none.
package struct PhotoReplyHeader: Hashable {
  static let byteCount = 16
  private static let mark: UInt32 = 0x3152_5043  // "CPR1"
  /// The most bytes of a reason.
  package static let maximumReason = 1000

  /// Whether a file follows.
  let isFile: Bool
  /// The number of bytes that follow.
  let count: Int
  /// The memory of the process in bytes.
  let resident: Int

  package init(isFile: Bool, count: Int, resident: Int) {
    self.isFile = isFile
    self.count = count
    self.resident = resident
  }

  /// Reads a header. A process that has gone wrong may send anything.
  /// - Throws: `encoderLost`.
  init(_ bytes: [UInt8], of job: PhotoJobHeader) throws(ImagingError) {
    let words = Words.read(bytes)
    guard words.count == Self.byteCount / 4, words[0] == Self.mark, words[1] <= 1,
      // No file is empty.
      words[2] >= words[1],
      words[2] <= (words[1] == 1 ? Self.maximumFile(of: job) : Self.maximumReason)
    else {
      throw ImagingError(.encoderLost, "the process that encodes photos answered nonsense")
    }
    isFile = words[1] == 1
    count = Int(words[2])
    resident = Int(words[3]) << 10
  }

  package var bytes: [UInt8] {
    Words.bytes([
      Self.mark, isFile ? 1 : 0, UInt32(count), UInt32(clamping: resident >> 10),
    ])
  }

  /// The most bytes of a file: a lossy one is smaller than its samples, unless they are few.
  private static func maximumFile(of job: PhotoJobHeader) -> Int {
    2 * job.sampleCount + job.exifCount + job.xmpCount + 1 << 20
  }
}
