import Capture
import OperatingSystem
import Synchronization

/// Coded pictures of the last seconds, copied into one memory that grows up to a limit. Confined to
/// one thread.
///
/// Each picture has an index that stays the same; the indices are counted from 0.
@safe final class PictureRing {
  /// The most bytes of one ring, and of all rings of the process.
  static let maximumBytes = 256 << 20
  static let maximumTotalBytes = 1 << 30
  private static let total = Atomic(0)

  private struct Picture {
    var metadata: FrameMetadata
    var isResumed: Bool
    var dropped: Int
    var offset: Int
    var byteCount: Int
  }

  /// The first `gone` of them are no longer there.
  private var pictures: [Picture] = []
  private var gone = 0
  /// The index of the first one in `pictures`.
  private var base = 0
  private var memory = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
  /// Where the next picture begins.
  private var head = 0
  private let maximumBytes: Int

  init(maximumBytes: Int = PictureRing.maximumBytes) {
    self.maximumBytes = maximumBytes
  }

  deinit {
    Self.total.subtract(unsafe memory.count, ordering: .relaxed)
    unsafe memory.deallocate()
  }

  /// The indices of the pictures that are there.
  var indices: Range<Int> { base + gone..<base + pictures.count }

  func metadata(at index: Int) -> FrameMetadata { pictures[index - base].metadata }

  /// Whether the recording was paused before it.
  func isResumed(at index: Int) -> Bool { pictures[index - base].isResumed }

  /// As ``append(_:_:isResumed:dropped:)`` was told.
  func dropped(at index: Int) -> Int { pictures[index - base].dropped }

  /// From the oldest picture to the newest.
  var reach: Duration {
    guard let oldest = indices.first, let newest = indices.last else { return .zero }
    return metadata(at: newest).timestamp - metadata(at: oldest).timestamp
  }

  func withBytes<R, E: Error>(
    at index: Int, _ body: (RawSpan) throws(E) -> R
  ) throws(E) -> R {
    let picture = pictures[index - base]
    let bytes = unsafe UnsafeRawBufferPointer(
      rebasing: memory[picture.offset..<picture.offset + picture.byteCount])
    return try body(unsafe RawSpan(_unsafeBytes: bytes))
  }

  /// Adds a picture.
  /// - Parameters:
  ///   - isResumed: Whether the recording was paused before it.
  ///   - dropped: How many frames of the recording are missing before it.
  /// - Returns: False if there is no room for it.
  func append(
    _ bytes: RawSpan, _ metadata: FrameMetadata, isResumed: Bool = false, dropped: Int
  ) -> Bool {
    let count = bytes.byteCount
    guard let offset = place(for: count) else { return false }
    unsafe bytes.withUnsafeBytes { source in
      guard count > 0 else { return }
      unsafe UnsafeMutableRawBufferPointer(rebasing: memory[offset..<offset + count])
        .copyMemory(from: source)
    }
    head = offset + count
    pictures.append(
      Picture(
        metadata: metadata, isResumed: isResumed, dropped: dropped, offset: offset, byteCount: count
      ))
    return true
  }

  /// Adds a picture, for which the oldest ones make room.
  /// - Parameter limit: This picture and later ones stay in any case; nil if none has to.
  /// - Returns: False if there is no room for it.
  func append(
    _ bytes: RawSpan, _ metadata: FrameMetadata, isResumed: Bool = false, dropped: Int,
    keeping limit: Int?
  ) -> Bool {
    while !append(bytes, metadata, isResumed: isResumed, dropped: dropped) {
      let second = indices.dropFirst().first { self.metadata(at: $0).dependence != .delta }
      guard let second, limit.map({ second <= $0 }) ?? true else { return false }
      forget(before: second)
    }
    return true
  }

  /// Forgets the pictures before an index.
  func forget(before index: Int) {
    gone = max(gone, min(index, indices.upperBound) - base)
    guard gone * 2 > pictures.count, gone > 32 || gone == pictures.count else { return }
    pictures.removeFirst(gone)
    base += gone
    gone = 0
  }

  /// With which picture a decoder can begin to have all from a moment on: the first of them, or the
  /// newest one before it that needs no other; else the oldest one of that kind.
  func start(for moment: MonotonicTime) -> Int? {
    let isKey = { [self] (index: Int) in metadata(at: index).dependence != .delta }
    let first = indices.first { metadata(at: $0).timestamp >= moment }
    if let first, isKey(first) { return first }
    let end = first ?? indices.upperBound
    return indices.prefix(while: { $0 < end }).last(where: isKey) ?? indices.first(where: isKey)
  }

  /// Forgets what comes before the newest picture at or before a moment with which a decoder can
  /// begin.
  /// - Parameter limit: This picture and later ones stay in any case.
  func forget(before moment: MonotonicTime, limit: Int? = nil) {
    while let next = indices.dropFirst().first(where: { metadata(at: $0).dependence != .delta }),
      metadata(at: next).timestamp <= moment, limit.map({ next <= $0 }) ?? true
    {
      forget(before: next)
    }
  }

  /// Where so many bytes have a place.
  private func place(for count: Int) -> Int? {
    if let free = freePlace(for: count) { return free }
    return grow(by: count) ? freePlace(for: count) : nil
  }

  private func freePlace(for count: Int) -> Int? {
    guard let oldest = indices.first, let newest = indices.last else {
      return count <= (unsafe memory.count) ? 0 : nil
    }
    let tail = pictures[oldest - base].offset
    guard pictures[newest - base].offset >= tail else {
      return head + count <= tail ? head : nil
    }
    if head + count <= (unsafe memory.count) { return head }
    return count <= tail ? 0 : nil
  }

  /// Takes more memory, and puts the pictures into it in their order.
  private func grow(by count: Int) -> Bool {
    let old = unsafe memory.count
    let used = indices.reduce(0) { $0 + pictures[$1 - base].byteCount }
    let new = min(maximumBytes, max(old * 2, used + count, 1 << 20))
    guard new >= used + count, new > old else { return false }
    let total = Self.total.add(new - old, ordering: .relaxed).newValue
    guard total <= Self.maximumTotalBytes else {
      Self.total.subtract(new - old, ordering: .relaxed)
      return false
    }
    let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: new, alignment: 64)
    var end = 0
    for index in indices {
      let picture = pictures[index - base]
      withBytes(at: index) { bytes in
        unsafe bytes.withUnsafeBytes { source in
          guard picture.byteCount > 0 else { return }
          unsafe UnsafeMutableRawBufferPointer(rebasing: larger[end..<end + picture.byteCount])
            .copyMemory(from: source)
        }
      }
      pictures[index - base].offset = end
      end += picture.byteCount
    }
    unsafe memory.deallocate()
    unsafe memory = larger
    head = end
    return true
  }
}
