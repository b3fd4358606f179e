import OperatingSystem
import ZeroMQ

/// How many bytes each client has still to take: counted from when they are handed to libzmq until
/// it lets them go, be it that they have left or that the client has.
final class UnsentBytes: Sendable {
  typealias Client = RequestTable.Client

  /// Below this a client keeps up: there is no use in having more on the way.
  static let mark = 1 << 20

  private let counts = Mutex<[Client: Int]>([:])
  private let onRoom: @Sendable (Client) -> Void

  /// - Parameter onRoom: called on any thread when a client's bytes fall below the mark.
  init(onRoom: @escaping @Sendable (Client) -> Void) {
    self.onRoom = onRoom
  }

  subscript(client: Client) -> Int { counts.withLock { $0[client] ?? 0 } }

  func parcel(_ bytes: [UInt8], for client: Client) -> Parcel {
    counts.withLock { $0[client, default: 0] += bytes.count }
    return Parcel(bytes, for: client, of: self)
  }

  private func release(_ byteCount: Int, of client: Client) {
    let hasRoom = counts.withLock { counts in
      let before = counts[client] ?? 0
      let after = before - byteCount
      counts[client] = after > 0 ? after : nil
      return before >= Self.mark && after < Self.mark
    }
    if hasRoom { onRoom(client) }
  }

  /// Bytes on their way to one client.
  final class Parcel: SharedBytes {
    private let bytes: [UInt8]
    private let client: Client
    private let unsent: UnsentBytes

    fileprivate init(_ bytes: [UInt8], for client: Client, of unsent: UnsentBytes) {
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
