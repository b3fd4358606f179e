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

  private struct Queue {
    var byteCount = 0
    /// The last time that the client took bytes, or else the time of the first byte in the queue.
    var progress: MonotonicTime
    /// The connection was shut down, so its bytes are about to be freed.
    var isEnding = false
  }

  private struct State {
    var queues: [ClientAddress: Queue] = [:]
    /// Without the queues that are ending.
    var total = 0
    var onRoom: (@Sendable (ClientAddress) -> Void)?
  }

  private let state = Mutex(State())

  /// - Parameter handler: called on any thread when a client's bytes fall below the mark.
  func onRoom(_ handler: @escaping @Sendable (ClientAddress) -> Void) {
    state.withLock { $0.onRoom = handler }
  }

  subscript(client: ClientAddress) -> Int { state.withLock { $0.queues[client]?.byteCount ?? 0 } }

  /// The bytes that wait for all clients.
  var total: Int { state.withLock { $0.total } }

  func parcel(_ bytes: [UInt8], for client: ClientAddress) -> Parcel {
    state.withLock { state in
      let now = MonotonicTime.now
      state.queues[client, default: Queue(progress: now)].byteCount += bytes.count
      if state.queues[client]?.isEnding == false { state.total += bytes.count }
    }
    return Parcel(bytes, for: client, of: self)
  }

  /// Takes the client that has taken nothing for the longest time out of the total, because its
  /// connection is about to end.
  func endStalest() -> ClientAddress? {
    state.withLock { state in
      let waiting = state.queues.lazy.filter { !$0.value.isEnding }
      guard let (client, queue) = waiting.min(by: { $0.value.progress < $1.value.progress })
      else { return nil }
      state.queues[client]?.isEnding = true
      state.total -= queue.byteCount
      return client
    }
  }

  private func release(_ byteCount: Int, of client: ClientAddress) {
    let onRoom = state.withLock { state -> (@Sendable (ClientAddress) -> Void)? in
      guard var queue = state.queues[client] else { return nil }
      let before = queue.byteCount
      queue.byteCount -= byteCount
      queue.progress = .now
      if !queue.isEnding { state.total -= byteCount }
      state.queues[client] = queue.byteCount > 0 ? queue : nil
      return before >= Self.mark && queue.byteCount < Self.mark ? state.onRoom : nil
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
