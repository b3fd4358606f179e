import Foundation
import OperatingSystem
import SwiftProtobuf
import TestSupport
import Testing

/// A golden message from `Protocol/vectors`, with its bytes and their meaning.
struct Vector: Sendable, CustomTestStringConvertible {
  let name: String
  let parts: [[UInt8]]
  /// Bytes at the end of the message that this version does not know.
  let unknown: [UInt8]
  /// The members of the JSON object, as JSON text.
  private let members: [String: String]

  var testDescription: String { name }

  /// - Returns: The message that a member has in Protobuf's JSON form; nil if there is no such
  ///   member.
  func message<M: SwiftProtobuf.Message>(_ member: String, as type: M.Type) throws -> M? {
    try members[member].map { try M(jsonString: $0) }
  }

  func text(_ member: String) throws -> String? {
    try members[member].map { try JSONDecoder().decode(String.self, from: Data($0.utf8)) }
  }

  /// All vectors in a file.
  static func all(in file: String) throws -> [Vector] {
    let objects = try #require(
      JSONSerialization.jsonObject(with: contents(of: file)) as? [[String: Any]])
    return try objects.map(Vector.init)
  }

  static func contents(of file: String) throws -> Data {
    try Repository.contents(of: "Protocol/vectors/\(file)")
  }

  private init(_ object: [String: Any]) throws {
    name = try #require(object["name"] as? String)
    let hex = try #require(object["parts"] as? [String])
    parts = try hex.map { try #require([UInt8](hexadecimal: $0)) }
    unknown = try #require([UInt8](hexadecimal: object["unknown"] as? String ?? ""))
    members = try object.mapValues { value in
      let data = try JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed)
      return String(decoding: data, as: UTF8.self)
    }
  }
}
