import EventLoop
import OperatingSystem
import ZeroMQ

/// Counts the bytes that wait for each client in libzmq.
///
/// Bytes count from the moment they are handed to libzmq until it frees them: because they were
/// sent, or because the client disconnected. libzmq may free what waits for a connection that has
/// ended only after the node has read what came over it.
final class UnsentBytes: Sendable {
  /// A client with fewer bytes waiting keeps up. To queue more than this would not make it faster.
  static let mark = 1 << 20
  /// After this much has waited, its memory is worth giving back to the system.
  private static let flood = 16 << 20

  private struct Queue {
    var byteCount = 0
    /// The last time that the client took bytes, or else the time of the first byte in the queue.
    var progress: MonotonicTime
    /// The connection was shut down, so its bytes will be freed.
    var isEnding = false
  }

  private struct State {
    var queues: [ClientAddress: Queue] = [:]
    /// The bytes for connections that are open.
    var open = 0
    /// The bytes for connections that were shut down.
    var ending = 0
    /// The most that waited since `onLull` was called.
    var peak = 0
    var onRoom: (@Sendable (ClientAddress) -> Void)?
    var onLull: Handler?

    mutating func add(_ byteCount: Int, isEnding: Bool) {
      if isEnding { ending += byteCount } else { open += byteCount }
      peak = max(peak, open + ending)
    }

    /// The handler to call if much has waited and little waits now.
    mutating func takeLull() -> Handler? {
      guard peak >= UnsentBytes.flood, open + ending < UnsentBytes.mark else { return nil }
      peak = 0
      return onLull
    }
  }

  private typealias Handler = @Sendable () -> Void

  private let state = Mutex(State())

  /// - Parameter handler: Called on any thread when a client's bytes fall below the mark.
  func onRoom(_ handler: @escaping @Sendable (ClientAddress) -> Void) {
    state.withLock { $0.onRoom = handler }
  }

  /// - Parameter handler: Called on any thread when little waits after much has waited.
  func onLull(_ handler: @escaping @Sendable () -> Void) {
    state.withLock { $0.onLull = handler }
  }

  subscript(client: ClientAddress) -> Int { state.withLock { $0.queues[client]?.byteCount ?? 0 } }

  /// The bytes that wait for all clients whose connections are open.
  var open: Int { state.withLock { $0.open } }

  /// The bytes of connections that were shut down, which libzmq has yet to free.
  var ending: Int { state.withLock { $0.ending } }

  func parcel(_ bytes: [UInt8], for client: ClientAddress) -> Parcel {
    state.withLock { state in
      let now = MonotonicTime.now
      state.queues[client, default: Queue(progress: now)].byteCount += bytes.count
      state.add(bytes.count, isEnding: state.queues[client]?.isEnding ?? false)
    }
    return Parcel(bytes, for: client, of: self)
  }

  /// Counts the client that has taken nothing for the longest time as ending, because its
  /// connection is shut down next.
  func endStalest() -> ClientAddress? {
    state.withLock { state in
      let waiting = state.queues.lazy.filter { !$0.value.isEnding }
      guard let (client, queue) = waiting.min(by: { $0.value.progress < $1.value.progress })
      else { return nil }
      state.queues[client]?.isEnding = true
      state.open -= queue.byteCount
      state.ending += queue.byteCount
      return client
    }
  }

  private func release(_ byteCount: Int, of client: ClientAddress) {
    let handlers = state.withLock { state -> [Handler] in
      guard var queue = state.queues[client] else { return [] }
      let before = queue.byteCount
      queue.byteCount -= byteCount
      queue.progress = .now
      state.add(-byteCount, isEnding: queue.isEnding)
      state.queues[client] = queue.byteCount > 0 ? queue : nil
      var handlers = state.takeLull().map { [$0] } ?? []
      if before >= Self.mark, queue.byteCount < Self.mark, let onRoom = state.onRoom {
        handlers.append { onRoom(client) }
      }
      return handlers
    }
    for handler in handlers { handler() }
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
