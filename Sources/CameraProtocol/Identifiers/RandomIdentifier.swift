package import FoundationEssentials
import OperatingSystem

/// Sixteen random bytes that identify something on the wire.
package protocol RandomIdentifier: Hashable, Sendable, CustomStringConvertible {
  /// The bytes as two big-endian numbers.
  var words: IdentifierWords { get }
  init(words: IdentifierWords)
}

package struct IdentifierWords: Hashable, Sendable {
  var high: UInt64
  var low: UInt64
}

extension RandomIdentifier {
  package static var byteCount: Int { 16 }

  /// Makes a new identifier from the system's random source.
  package static func random() -> Self {
    var generator = SystemRandomNumberGenerator()
    return Self(words: IdentifierWords(high: generator.next(), low: generator.next()))
  }

  /// Returns nil unless there are exactly 16 bytes.
  package init?(bytes: Data) {
    guard bytes.count == Self.byteCount else { return nil }
    var words = IdentifierWords(high: 0, low: 0)
    for byte in bytes {
      words.high = words.high << 8 | words.low >> 56
      words.low = words.low << 8 | UInt64(byte)
    }
    self.init(words: words)
  }

  /// Returns nil unless there are exactly 16 bytes.
  package init?(bytes: [UInt8]) {
    unsafe self.init(reading: bytes.span.bytes)
  }

  /// Returns nil unless there are exactly 16 bytes.
  package init?(reading bytes: RawSpan) {
    guard bytes.byteCount == Self.byteCount else { return nil }
    func word(at offset: Int) -> UInt64 {
      unsafe UInt64(bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    self.init(words: IdentifierWords(high: word(at: 0), low: word(at: 8)))
  }

  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.byteCount)
    for word in [words.high, words.low] {
      for shift in stride(from: 56, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: word >> shift))
      }
    }
    return bytes
  }

  package var data: Data { Data(bytes) }

  /// The bytes as 32 hexadecimal digits.
  package var description: String { bytes.hexadecimal }
}

/// Identifies a request. A request that is sent again keeps its id.
package struct RequestID: RandomIdentifier {
  package let words: IdentifierWords
  package init(words: IdentifierWords) { self.words = words }
}

/// Identifies one start of a node.
package struct Epoch: RandomIdentifier {
  package let words: IdentifierWords
  package init(words: IdentifierWords) { self.words = words }
}
