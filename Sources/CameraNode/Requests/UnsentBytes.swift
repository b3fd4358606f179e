import EventLoop
import OperatingSystem
import ZeroMQ

/// Counts the bytes that wait for each client in libzmq.
///
/// Bytes count from the moment they are handed to libzmq until it frees them: because they were
/// sent, or because the client disconnected.
final class UnsentBytes: Sendable {
  /// A client with fewer bytes waiting keeps up. To queue more than this would not make it faster.
  static let mark = 1 << 20

  private struct State {
    var counts: [ClientAddress: Int] = [:]
    var onRoom: (@Sendable (ClientAddress) -> Void)?
  }

  private let state = Mutex(State())

  /// - Parameter handler: called on any thread when a client's bytes fall below the mark.
  func onRoom(_ handler: @escaping @Sendable (ClientAddress) -> Void) {
    state.withLock { $0.onRoom = handler }
  }

  subscript(client: ClientAddress) -> Int { state.withLock { $0.counts[client] ?? 0 } }

  func parcel(_ bytes: [UInt8], for client: ClientAddress) -> Parcel {
    state.withLock { $0.counts[client, default: 0] += bytes.count }
    return Parcel(bytes, for: client, of: self)
  }

  private func release(_ byteCount: Int, of client: ClientAddress) {
    let onRoom = state.withLock { state in
      let before = state.counts[client] ?? 0
      let after = before - byteCount
      state.counts[client] = after > 0 ? after : nil
      return before >= Self.mark && after < Self.mark ? state.onRoom : nil
    }
    onRoom?(client)
  }

  /// Bytes for one client, which count as waiting while this object exists.
  final class Parcel: SharedBytes {
    private let bytes: [UInt8]
    private let client: ClientAddress
    private let unsent: UnsentBytes

    fileprivate init(_ bytes: [UInt8], for client: ClientAddress, of unsent: UnsentBytes) {
      self.bytes = bytes
      self.client = client
      self.unsent = unsent
    }

    deinit {
      unsent.release(bytes.count, of: client)
    }

    func withBytes<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
      let bytes = bytes
      return try unsafe body(bytes.span.bytes)
    }
  }
}
