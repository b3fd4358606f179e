package import Imaging

/// One picture in pooled, reference-counted memory. It is immutable, so that ring, previews,
/// recorder and photos share it without a copy.
///
/// Its memory is free again once only the pool refers to it.
// @unchecked: written only through a `FrameDraft`. The pool makes one only while nobody else refers
// to the frame, and after `seal` the frame stays immutable until the last holder has released it.
@safe package final class Frame: @unchecked Sendable {
  package private(set) var layout: ImageLayout
  package private(set) var metadata: FrameMetadata
  /// The picture's bytes; in compressed formats fewer than the capacity.
  package private(set) var byteCount = 0
  private let memory: UnsafeMutableRawBufferPointer

  init(capacity: Int, layout: ImageLayout, metadata: FrameMetadata) {
    // Aligned to cache lines. Pages that are never written take no memory of the machine.
    unsafe memory = .allocate(byteCount: capacity, alignment: 64)
    self.layout = layout
    self.metadata = metadata
  }

  deinit {
    unsafe memory.deallocate()
  }

  package var capacity: Int { unsafe memory.count }

  /// Lends the picture's bytes. Their address is the same for the frame's whole life.
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

/// A frame that is being written. If it is dropped without `seal`, its memory is free again.
package struct FrameDraft: ~Copyable, Sendable {
  private let frame: Frame
  /// Whether a consumer will read the picture soon.
  package let isAwaited: Bool
  /// The zoom by cropping that pictures of the frame get; nil if the camera has a zoom of its own.
  var crop: Double?
  /// As in ``FrameMetadata``.
  var ordinal: UInt64?
  /// The black of the camera's sensor, if it is known.
  var black: BlackLevel?

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

  /// Copies all of `source` to the start of the memory: the only copy of a driver's buffer. It must
  /// fit.
  package mutating func copyBytes(of source: RawSpan) {
    frame.withMutableBytes { $0.copyPicture(source, isAwaited: isAwaited) }
  }

  /// Ends the writing: from now on the frame is immutable.
  package consuming func seal(
    layout: ImageLayout,
    metadata: FrameMetadata,
    byteCount: Int
  ) -> Frame {
    var metadata = metadata
    metadata.ordinal = ordinal ?? metadata.ordinal
    if let crop {
      metadata.crop = crop
      // The camera's own picture is whole.
      metadata.facts.zoom = 1
    }
    var layout = layout
    layout.black = black ?? layout.black
    frame.seal(layout: layout, metadata: metadata, byteCount: byteCount)
    return frame
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func prefixed(_ count: Int) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(rebasing: self[0..<count])
  }
}
