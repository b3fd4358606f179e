package import Imaging

/// One picture in pooled, counted memory: immutable, shared without a copy by ring, previews, recorder and stills.
///
/// A frame goes back to its pool by itself once nobody but the pool holds it.
// @unchecked: written only through a `FrameDraft`, which exists only while the pool's reference is the
// frame's sole other one; immutable from `seal` until every holder has let go.
@safe package final class Frame: @unchecked Sendable {
  package private(set) var layout: ImageLayout
  package private(set) var metadata: FrameMetadata
  /// Bytes in use: the whole picture for raw formats, the code stream for compressed ones.
  package private(set) var byteCount = 0
  private let memory: UnsafeMutableRawBufferPointer

  init(capacity: Int, layout: ImageLayout, metadata: FrameMetadata) {
    unsafe memory = .allocatePicture(
      byteCount: capacity, isFilled: !layout.pixelFormat.isCompressed)
    self.layout = layout
    self.metadata = metadata
  }

  deinit {
    unsafe memory.deallocate()
  }

  package var capacity: Int { unsafe memory.count }

  /// The picture's bytes, at the same address for the frame's life.
  package func withBytes<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
    try body(unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(memory).prefixed(byteCount)))
  }

  fileprivate func withMutableBytes<R, E: Error>(
    _ body: (inout MutableRawSpan) throws(E) -> R
  ) throws(E) -> R {
    var span = unsafe MutableRawSpan(_unsafeBytes: memory)
    return try body(&span)
  }

  fileprivate func seal(layout: ImageLayout, metadata: FrameMetadata, byteCount: Int) {
    precondition(byteCount >= 0 && byteCount <= capacity, "a frame cannot exceed its memory")
    self.layout = layout
    self.metadata = metadata
    self.byteCount = byteCount
  }
}

/// The right to write a frame's memory, once; dropped without `seal`, the memory returns to the pool.
package struct FrameDraft: ~Copyable, Sendable {
  private let frame: Frame
  /// Whether somebody waits for the picture, and reads it soon.
  package let isAwaited: Bool

  init(_ frame: Frame, isAwaited: Bool) {
    self.frame = frame
    self.isAwaited = isAwaited
  }

  package var capacity: Int { frame.capacity }

  package mutating func withBytes<R, E: Error>(
    _ body: (inout MutableRawSpan) throws(E) -> R
  ) throws(E) -> R {
    try frame.withMutableBytes(body)
  }

  /// Copies all of `source` to the start of the memory, which has room for it: the one copy of a driver's buffer.
  package mutating func copyBytes(of source: RawSpan) {
    frame.withMutableBytes { $0.copyPicture(source, isAwaited: isAwaited) }
  }

  /// Ends the writing: from here on the frame is immutable.
  package consuming func seal(
    layout: ImageLayout,
    metadata: FrameMetadata,
    byteCount: Int
  ) -> Frame {
    frame.seal(layout: layout, metadata: metadata, byteCount: byteCount)
    return frame
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func prefixed(_ count: Int) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(rebasing: self[0..<count])
  }
}
