import Foundation
import Recording
import TestSupport

/// The bytes of an unfinished movie, as a killed writer leaves them on disk.
struct Draft {
  static let interval: Int64 = 40_000_000

  let jpegs: [[UInt8]]
  /// The movie without its index.
  let bytes: [UInt8]
  /// The same movie, finished.
  let finished: [UInt8]
  /// The range of each frame's bytes, which is the same in both.
  let frames: [Range<Int>]

  init(frames count: Int, in folder: TemporaryFolder) throws {
    jpegs = try (0..<count).map { try jpeg($0) }
    let writer = try MovieWriter(
      path: folder.movie,
      size: .small,
      createdAt: 1_777_889_472_345_678_901,
      title: "front",
      framesPerSecond: 25
    )
    for (index, jpeg) in jpegs.enumerated() {
      try writer.append(jpeg, at: Int64(index) * Self.interval)
    }
    bytes = try folder.readMovie()
    try writer.finish()
    finished = try folder.readMovie()
    var frames: [Range<Int>] = []
    for jpeg in jpegs {
      let rest = Data(bytes).range(of: Data(jpeg), in: (frames.last?.upperBound ?? 0)..<bytes.count)
      guard let range = rest else { throw CocoaError(.fileReadCorruptFile) }
      frames.append(range)
    }
    self.frames = frames
  }

  /// The number of complete frames in the first `byteCount` bytes.
  func frames(within byteCount: Int) -> Int {
    frames.count { $0.upperBound <= byteCount }
  }
}
