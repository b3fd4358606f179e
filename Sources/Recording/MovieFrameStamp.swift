/// A frame's number and exact time, which a movie keeps beside the frame. Matroska itself keeps
/// only milliseconds since the movie's start.
///
/// It is the frame's `BlockAdditional`: the eight bytes `CBFRAME1`, then `sequence`, `monotonic`
/// and `wall`, each as eight bytes with the highest first. `Protocol/README.md` describes it for
/// users.
package struct MovieFrameStamp: Hashable, Sendable {
  /// The camera's number of the frame.
  package var sequence: UInt64
  /// The frame's timestamp, nanoseconds of `CLOCK_MONOTONIC`.
  package var monotonic: Int64
  /// The same on the wall clock, nanoseconds since 1970.
  package var wall: Int64

  static let byteCount = 32
  /// "CBFRAME1".
  private static let mark: UInt64 = 0x4342_4652_414d_4531

  package init(sequence: UInt64, monotonic: Int64, wall: Int64) {
    self.sequence = sequence
    self.monotonic = monotonic
    self.wall = wall
  }

  /// Nil for other bytes.
  init?(reading bytes: RawSpan) {
    guard bytes.byteCount == Self.byteCount else { return nil }
    func word(_ index: Int) -> UInt64 {
      UInt64(
        bigEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
    }
    guard word(0) == Self.mark else { return nil }
    self.init(
      sequence: word(1), monotonic: Int64(bitPattern: word(2)), wall: Int64(bitPattern: word(3)))
  }

  /// Calls `body` with each byte and its place.
  func forEachByte(_ body: (Int, UInt8) -> Void) {
    let words = [Self.mark, sequence, UInt64(bitPattern: monotonic), UInt64(bitPattern: wall)]
    for (index, word) in words.enumerated() {
      for place in 0..<8 {
        body(index * 8 + place, UInt8(truncatingIfNeeded: word >> UInt64(56 - place * 8)))
      }
    }
  }
}
