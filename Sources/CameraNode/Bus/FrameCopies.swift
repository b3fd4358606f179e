import Capture
import ZeroMQ

import struct Synchronization.Atomic

/// Counts the copies of frames that libzmq holds for subscribers that do not read.
///
/// Each such subscriber can hold a few frames of its own, so the number of subscribers would
/// multiply them.
final class FrameCopies: Sendable {
  /// With more than this the subscribers that take nothing are disconnected.
  static let mark = 32 << 20
  /// With more than this frames are dropped until copies are free again.
  static let limit = 64 << 20

  private let byteCount = Atomic<Int>(0)

  var areMany: Bool { byteCount.load(ordering: .relaxed) > Self.mark }

  var haveRoom: Bool { byteCount.load(ordering: .relaxed) <= Self.limit }

  func copy(_ frame: Frame) -> Copy { Copy(frame, in: self) }

  final class Copy: SharedBytes {
    private let bytes: [UInt8]
    private let copies: FrameCopies

    fileprivate init(_ frame: Frame, in copies: FrameCopies) {
      bytes = frame.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe Array($0) } }
      self.copies = copies
      copies.byteCount.add(bytes.count, ordering: .relaxed)
    }

    deinit { copies.byteCount.subtract(bytes.count, ordering: .relaxed) }

    func withBytes<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
      let bytes = bytes
      return try unsafe body(bytes.span.bytes)
    }
  }
}
