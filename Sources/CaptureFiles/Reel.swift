import Capture
import Imaging

/// The pictures that are played, all of one layout, in memory: a driver's buffers that are always full.
struct Reel: Sendable {
  let layout: ImageLayout
  /// The bytes of the longest picture.
  let maximumByteCount: Int
  private let pictures: [DriverMemory]

  /// - Parameter frameByteCount: What one picture takes; nil where each file is one.
  init(_ files: [[UInt8]], layout: ImageLayout, frameByteCount: Int?) {
    self.layout = layout
    pictures = files.flatMap { file in
      let count = frameByteCount ?? file.count
      return stride(from: 0, to: file.count, by: count).map { start in
        unsafe DriverMemory(file.span.bytes.extracting(start..<start + count))
      }
    }
    maximumByteCount = pictures.lazy.map(\.byteCount).max() ?? 0
  }

  var count: Int { pictures.count }

  func byteCount(of picture: Int) -> Int { pictures[picture].byteCount }

  /// The one copy: from the reel into a frame's memory.
  func copy(_ picture: Int, into draft: inout FrameDraft) {
    pictures[picture].withBytes { draft.copyBytes(of: $0) }
  }
}
