import CConnections
import TestSupport
import Testing

/// What is read of the bytes that a peer sends, without a connection.
struct PeerStreamTests {
  private struct Outcome: Equatable {
    var bytes: [UInt8] = []
    var counted: UInt64 = 0
    var hasEnded = false
  }

  /// - Parameter cuts: Where the bytes are cut into pieces.
  private static func take(_ bytes: [UInt8], cutAt cuts: [Int] = [], at now: Int64 = 1000)
    -> Outcome
  {
    var stream = CConnections_stream()
    var outcome = Outcome()
    for (start, end) in zip([0] + cuts, cuts + [bytes.count]) where !outcome.hasEnded {
      var piece = Array(bytes[start..<end])
      outcome.hasEnded = unsafe CConnections_take(&stream, &piece, piece.count, now) == 0
      outcome.bytes += piece
      #expect(stream.counted >= outcome.counted, "a count went back")
      outcome.counted = stream.counted
    }
    return outcome
  }

  /// Takes the bytes whole, in two pieces cut at every byte, and byte by byte.
  private static func takeEveryWay(
    _ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation
  ) -> Outcome {
    let whole = take(bytes)
    for cuts in (0...bytes.count).map({ [$0] }) + [Array(1..<max(bytes.count, 2))] {
      var cut = take(bytes, cutAt: cuts)
      // What came after the end was not read.
      if cut.hasEnded { cut.bytes += whole.bytes[cut.bytes.count...] }
      #expect(cut == whole, "cut at \(cuts)", sourceLocation: sourceLocation)
    }
    return whole
  }

  private static let handshake = RawPeer.handshake(as: "DEALER")
  private static let ping: [UInt8] = [4, 7] + [4] + Array("PING".utf8) + [0, 10]

  @Test func `Messages and commands count but pings do not`() {
    let message = RawPeer.frame(Array("a message".utf8), more: true)
    let long = RawPeer.frame([UInt8](repeating: 4, count: 300), more: false)
    let command: [UInt8] = [4, 11] + [9] + Array("SUBSCRIBE".utf8) + [7]
    let longPong: [UInt8] = [6, 0, 0, 0, 0, 0, 0, 0, 5] + [4] + Array("PONG".utf8)
    let hugePing: [UInt8] = [4, 200] + [4] + Array("PING".utf8) + [UInt8](repeating: 0, count: 195)
    let short: [UInt8] = [4, 0] + [4, 1, 4]
    let empty: [UInt8] = [1, 0]
    let counted = [message, command, short, empty, long, hugePing, empty]
    let bytes = [
      Self.ping, message, Self.ping, longPong, command, short, empty, long, Self.ping,
      hugePing, empty,
    ]
    let outcome = Self.takeEveryWay(Self.handshake + bytes.joined())
    #expect(!outcome.hasEnded)
    #expect(outcome.bytes == Self.handshake + bytes.joined())
    #expect(outcome.counted == UInt64(counted.joined().count))
  }

  @Test(arguments: [false, true])
  func `A routing id gets another name`(isLong: Bool) {
    let named = RawPeer.handshake(as: "DEALER", routingID: "Identity", isLong: isLong)
    let identity = Array("Identity".utf8)
    let sent = named + RawPeer.frame([8] + identity, more: false)
    let outcome = Self.takeEveryWay(sent)
    #expect(!outcome.hasEnded)
    let changed = sent.indices.filter { outcome.bytes[$0] != sent[$0] }
    // A value that looks like the name is changed too; messages stay as they are.
    #expect(changed.count == 2)
    #expect(changed.allSatisfy { $0 < named.count && outcome.bytes[$0] == UInt8(ascii: "-") })
  }

  @Test(arguments: [(0, UInt8(0xFE)), (9, 0x7E), (10, 2)])
  func `A peer without ZMTP 3 is refused`(position: Int, byte: UInt8) {
    var bytes = Self.handshake
    bytes[position] = byte
    #expect(Self.takeEveryWay(bytes).hasEnded)
  }

  /// A READY, or with CURVE a HELLO and an INITIATE.
  @Test(arguments: [("NULL", [2048]), ("CURVE", [200, 2048])])
  func `Properties that are longer than any honest ones end the connection`(
    mechanism: String, sizes: [Int]
  ) {
    for (extra, isTooLong) in [(0, false), (1, true)] {
      var bytes = Self.greeting(mechanism)
      for (index, size) in sizes.enumerated() {
        let count = size + (index == sizes.count - 1 ? extra : 0)
        var frame = RawPeer.frame([UInt8](repeating: 0, count: count), more: false)
        frame[0] |= 4
        bytes += frame
      }
      #expect(Self.takeEveryWay(bytes).hasEnded == isTooLong)
    }
  }

  @Test func `An encrypted ping does not count, if it comes no more often than an honest one`() {
    let first = Self.encrypted(7, number: 3)
    let second = Self.encrypted(5, number: 4)
    let message = Self.encrypted(8, number: 5)
    let outcome = Self.takeEveryWay(Self.encryptedHandshake + first + second + message)
    #expect(!outcome.hasEnded)
    #expect(outcome.counted == UInt64(second.count + message.count))
    var stream = CConnections_stream()
    for (index, now) in [1000, 1399, 1400].enumerated() {
      var bytes =
        (index == 0 ? Self.encryptedHandshake : [])
        + Self.encrypted(7, number: UInt64(3 + index))
      #expect(unsafe CConnections_take(&stream, &bytes, bytes.count, Int64(now)) != 0)
    }
    #expect(stream.counted == UInt64(first.count))
  }

  /// libzmq would keep such a connection for ever.
  @Test(
    arguments: [
      ([encrypted(8, number: 2)], true), ([encrypted(8, number: 3)], false),
      ([encrypted(8, number: 3), encrypted(8, number: 3)], true),
      ([encrypted(8, number: 9), encrypted(8, number: 8)], true),
      ([encrypted(8, number: 9), encrypted(8, number: .max)], false),
      ([encrypted(8, name: "MESSAGF", number: 3)], true),
      ([RawPeer.frame([UInt8](repeating: 7, count: 32), more: false)], true),
      ([RawPeer.frame([], more: false)], true),
    ] as [([[UInt8]], Bool)])
  func `A message that is not encrypted as it must be ends the connection`(
    frames: [[UInt8]], ends: Bool
  ) {
    #expect(Self.takeEveryWay(Self.encryptedHandshake + frames.joined()).hasEnded == ends)
  }

  private static func greeting(_ mechanism: String) -> [UInt8] {
    let greeting: [UInt8] =
      [0xFF] + [UInt8](repeating: 0, count: 8) + [0x7F, 3, 0] + Array(mechanism.utf8)
    return greeting + [UInt8](repeating: 0, count: 64 - greeting.count)
  }

  /// A greeting, a HELLO, and an INITIATE with the number 2.
  private static let encryptedHandshake: [UInt8] = {
    let initiate = [UInt8](repeating: 0, count: 9 + 96 + 7) + [2]
    return greeting("CURVE") + [4, 1, 0] + [4, UInt8(initiate.count)] + initiate
  }()

  /// A frame as CURVE makes it of a part with this many bytes (RFC 26).
  private static func encrypted(
    _ count: Int, name: String = "MESSAGE", number: UInt64
  ) -> [UInt8] {
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    let header = [7] + Array(name.utf8) + bytes
    return RawPeer.frame(header + [UInt8](repeating: 7, count: 17 + count), more: false)
  }
}
