import Capture
import Imaging

/// The pictures of a file camera in memory. All have the same layout, but for how they are turned.
struct Reel: Sendable {
  /// That of the first picture.
  let layout: ImageLayout
  /// The size of the largest picture in bytes.
  let maximumByteCount: Int
  /// The links in the folder that lead nowhere, and are left out.
  let brokenLinks: [String]
  private let pictures: [(memory: DriverMemory, orientation: Orientation)]

  /// - Parameter frameByteCount: The size of one picture; nil if each file is one picture.
  init(
    _ files: [[UInt8]], layout: ImageLayout, frameByteCount: Int?, without brokenLinks: [String]
  ) {
    self.brokenLinks = brokenLinks
    pictures = files.flatMap { file in
      let count = frameByteCount ?? file.count
      return stride(from: 0, to: file.count, by: count).map { start in
        let bytes = unsafe file.span.bytes.extracting(start..<start + count)
        return (
          DriverMemory(bytes),
          layout.pixelFormat.isCompressed ? Orientation(ofJPEG: bytes) : .upright
        )
      }
    }
    var first = layout
    first.orientation = pictures.first?.orientation ?? .upright
    self.layout = first
    maximumByteCount = pictures.lazy.map(\.memory.byteCount).max() ?? 0
  }

  var count: Int { pictures.count }

  func layout(of picture: Int) -> ImageLayout {
    var layout = layout
    layout.orientation = pictures[picture].orientation
    return layout
  }

  func byteCount(of picture: Int) -> Int { pictures[picture].memory.byteCount }

  /// Copies a picture into a frame's memory. This is the only copy.
  func copy(_ picture: Int, into draft: inout FrameDraft) {
    pictures[picture].memory.withBytes { draft.copyBytes(of: $0) }
  }
}
