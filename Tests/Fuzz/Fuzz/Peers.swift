import CConnections
import TestSupport

extension Fuzzer {
  /// What a peer sends over a connection, before libzmq reads it. The first byte says how it is
  /// cut.
  static let peer = Fuzzer(
    run: { input in
      let bytes = input.array
      guard let step = bytes.first.map({ Int($0 & 31) + 1 }) else { return }
      let rest = Array(bytes.dropFirst())
      let whole = read(rest, inStepsOf: max(rest.count, 1))
      let cut = read(rest, inStepsOf: step)
      precondition(cut.counted == whole.counted, "a count depends on how the bytes are cut")
      precondition(cut.hasEnded == whole.hasEnded, "an end depends on how the bytes are cut")
      precondition(whole.bytes.starts(with: cut.bytes.prefix(cut.read)), "a change depends on cuts")
      precondition(whole.counted <= UInt64(rest.count), "more was counted than came")
      for (old, new) in zip(rest, whole.bytes) { precondition(new == old || new == 0x2D) }
    },
    seeds: {
      let bytes = RawPeer.frame([1, 2, 3], more: true) + [4, 7, 4] + Array("PING".utf8) + [0, 10]
      let greeting: [UInt8] = [0xFF, 0, 0, 0, 0, 0, 0, 0, 0, 0x7F, 3, 0] + Array("CURVE".utf8)
      let encrypted: [UInt8] = [0, 40, 7] + Array("MESSAGE".utf8) + [0, 0, 0, 0, 0, 0, 0, 3]
      return [
        [3] + RawPeer.handshake(as: "DEALER", routingID: "front", isLong: true) + bytes,
        [0] + RawPeer.handshake(as: "SUB") + bytes,
        [7] + greeting + [UInt8](repeating: 0, count: 47) + [4, 1, 0, 4, 113]
          + [UInt8](repeating: 0, count: 113) + encrypted + [UInt8](repeating: 7, count: 24),
      ]
    })

  /// - Returns: How many bytes were read until the connection ended, and what was counted of them.
  private static func read(
    _ bytes: [UInt8], inStepsOf step: Int
  ) -> (bytes: [UInt8], read: Int, counted: UInt64, hasEnded: Bool) {
    var (bytes, read, stream) = (bytes, 0, CConnections_stream())
    while read < bytes.count {
      let count = min(step, bytes.count - read)
      let before = stream.counted
      let isValid = unsafe bytes[read..<read + count].withUnsafeMutableBufferPointer {
        unsafe CConnections_take(&stream, $0.baseAddress, count, 1000) != 0
      }
      precondition(stream.counted >= before, "a count went back")
      read += count
      guard isValid else { return (bytes, read, stream.counted, true) }
    }
    return (bytes, read, stream.counted, false)
  }
}
