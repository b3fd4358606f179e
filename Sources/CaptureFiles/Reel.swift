import Capture
import Imaging

/// The pictures of a file camera in memory. All have the same layout.
struct Reel: Sendable {
  let layout: ImageLayout
  /// The size of the largest picture in bytes.
  let maximumByteCount: Int
  /// The links in the folder that lead nowhere, and are left out.
  let brokenLinks: [String]
  private let pictures: [DriverMemory]

  /// - Parameter frameByteCount: The size of one picture; nil if each file is one picture.
  init(
    _ files: [[UInt8]], layout: ImageLayout, frameByteCount: Int?, without brokenLinks: [String]
  ) {
    self.layout = layout
    self.brokenLinks = brokenLinks
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

  /// Copies a picture into a frame's memory. This is the only copy.
  func copy(_ picture: Int, into draft: inout FrameDraft) {
    pictures[picture].withBytes { draft.copyBytes(of: $0) }
  }
}
