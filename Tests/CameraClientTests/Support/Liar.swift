import CameraProtocol
import Foundation
import OperatingSystem
import SwiftProtobuf
import TestSupport

/// Makes messages that a faulty or hostile node could send: golden messages with changed bytes.
struct Liar {
  private var random: SeededGenerator
  private let replies: [WireReply]
  private let publications: [[[UInt8]]]

  init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    replies = try Self.parts(of: "replies.json").compactMap {
      try? WireReply(serializedBytes: $0[1])
    }
    publications = try Self.parts(of: "publications.json").filter { $0.count == 3 }
  }

  private static func parts(of file: String) throws -> [[[UInt8]]] {
    struct Vector: Decodable { var parts: [String] }
    let path = "\(#filePath)/../../../../Protocol/vectors/\(file)"
    let vectors = try JSONDecoder().decode(
      [Vector].self, from: Data(contentsOf: URL(filePath: path).standardized))
    return vectors.map { $0.parts.compactMap([UInt8].init(hexadecimal:)) }.filter { $0.count > 1 }
  }

  /// The parts of a reply to this request.
  mutating func reply(to request: WireRequest, epoch: Epoch) -> [[UInt8]] {
    guard var reply = replies.randomElement(using: &random) else { return [] }
    reply.id = request.id
    if Bool.random(using: &random) { reply.epoch = epoch.data }
    if Bool.random(using: &random) { reply.index = .random(in: 0...20, using: &random) }
    let attachment = (0..<Int.random(in: 0...40, using: &random)).map { UInt8($0) }
    let parts = [Framing.signature, changed(reply.bytes), attachment]
    return Array(parts.prefix(.random(in: 1...3, using: &random)))
  }

  /// The parts of a publication.
  mutating func publication(epoch: Epoch) -> [[UInt8]] {
    guard var parts = publications.randomElement(using: &random) else { return [] }
    if Bool.random(using: &random), var header = try? WireHeader(serializedBytes: parts[1]) {
      header.epoch = epoch.data
      header.sequence = Bool.random(using: &random) ? .random(in: 0...9, using: &random) : .max
      parts[1] = header.bytes
    }
    let place = Int.random(in: 0...2, using: &random)
    parts[place] = changed(parts[place])
    return Array(parts.prefix(Bool.random(using: &random) ? 3 : .random(in: 1...3, using: &random)))
  }

  private mutating func changed(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 0...4, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: bytes.indices, using: &random)
      let range = place..<min(bytes.count, place + Int.random(in: 1...9, using: &random))
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: bytes[place] = [0, 0x7f, 0x80, 0xff].randomElement(using: &random) ?? 0
      case 2: bytes.removeSubrange(range)
      case 3: bytes.insert(contentsOf: bytes[range], at: place)
      case 4: bytes.insert(.random(in: 0...255, using: &random), at: place)
      default: bytes.removeSubrange(place...)
      }
    }
    return bytes
  }
}
