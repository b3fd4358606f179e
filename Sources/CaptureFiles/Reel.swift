import Capture
import Imaging

/// The pictures that are played, all of one layout, in memory: a driver's buffers that are always full.
struct Reel: Sendable {
  let layout: ImageLayout
  /// The bytes of the longest picture.
  let maximumByteCount: Int
  private let files: [[UInt8]]
  private let pictures: [(file: Int, range: Range<Int>)]

  /// - Parameter frameByteCount: What one picture takes; nil where each file is one.
  init(_ files: [[UInt8]], layout: ImageLayout, frameByteCount: Int?) {
    self.files = files
    self.layout = layout
    pictures = files.indices.flatMap { file in
      let count = files[file].count
      return stride(from: 0, to: count, by: frameByteCount ?? count).map { start in
        (file, start..<start + (frameByteCount ?? count))
      }
    }
    maximumByteCount = pictures.lazy.map(\.range.count).max() ?? 0
  }

  var count: Int { pictures.count }

  func byteCount(of picture: Int) -> Int { pictures[picture].range.count }

  /// The one copy: from the reel into a frame's memory.
  func copy(_ picture: Int, into draft: inout FrameDraft) {
    let (file, range) = pictures[picture]
    let bytes = files[file]
    unsafe draft.copyBytes(of: bytes.span.bytes.extracting(range))
  }
}
