/// Matroska files of a few bytes, with what a node writes beside each frame.
package enum TestMovie {
  /// A movie with these frames: each a number, which also makes its times.
  package static func bytes(frames: some Sequence<UInt64>) -> [UInt8] {
    header + element(0x1853_8067, cluster(milliseconds: 1000, frames.map(frame).flatMap(\.self)))
  }

  package static let header = element(0x1A45_DFA3, element(0x4282, Array("matroska".utf8)))

  package static func cluster(milliseconds: UInt64, _ frames: [UInt8]) -> [UInt8] {
    element(0x1F43_B675, element(0xE7, bytes(of: milliseconds).suffix(2)) + frames)
  }

  /// A block of the frame, and its stamp: the number, `number * 1000 + 1` on the monotonic clock
  /// and `number * 1000 + 2` on the wall clock. Players show it `number` ms after the cluster's
  /// time.
  package static func frame(_ number: UInt64) -> [UInt8] {
    var block: [UInt8] = [0x81]
    block += bytes(of: number).suffix(2)
    block += [UInt8](repeating: 0x80, count: 300)
    let stamp =
      Array("CBFRAME1".utf8) + bytes(of: number) + bytes(of: number * 1000 + 1)
      + bytes(of: number * 1000 + 2)
    let more = element(0xA6, element(0xEE, [1]) + element(0xA5, stamp))
    return element(0xA0, element(0xA1, block) + element(0x75A1, more))
  }

  /// An element whose size takes eight bytes.
  /// - Parameter size: What it says of its size; nil is the truth.
  package static func element(
    _ id: UInt64, _ content: some Collection<UInt8>, size: UInt64? = nil
  ) -> [UInt8] {
    var element = Array(bytes(of: id).drop { $0 == 0 })
    element.append(0x01)
    element += bytes(of: size ?? UInt64(content.count)).dropFirst()
    element += content
    return element
  }

  private static func bytes(of number: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - $0 * 8)) }
  }
}
