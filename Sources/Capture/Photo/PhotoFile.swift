package import Imaging

/// A file that was made of a picture.
package struct PhotoFile: Sendable {
  /// Its bytes: pooled memory for a JPEG, memory of its own for others.
  private enum Content: Sendable {
    case frame(Frame)
    case bytes([UInt8], PhotoMemory.Share)
  }

  package let format: PhotoFormat
  package let part: PhotoPart
  package let size: ImageSize
  /// The layout of the pixels in a file without a format of its own; nil for other files.
  package let layout: ImageLayout?
  private let content: Content

  init(jpeg frame: Frame) {
    format = .jpeg
    part = .picture
    size = frame.layout.size
    layout = nil
    content = .frame(frame)
  }

  init(
    _ format: PhotoFormat, _ part: PhotoPart = .picture, size: ImageSize,
    layout: ImageLayout? = nil, _ bytes: [UInt8], _ memory: PhotoMemory.Share
  ) {
    self.format = format
    self.part = part
    self.size = size
    self.layout = layout
    content = .bytes(bytes, memory)
  }

  package var byteCount: Int {
    switch content {
    case .frame(let frame): frame.byteCount
    case .bytes(let bytes, _): bytes.count
    }
  }

  /// Lends the file's bytes.
  package func withBytes<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
    switch content {
    case .frame(let frame): try frame.withBytes(body)
    case .bytes(let bytes, _): unsafe try body(bytes.span.bytes)
    }
  }
}
