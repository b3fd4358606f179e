import Foundation

extension StringProtocol {
  /// Decodes the text as JSON.
  func decoded<T: Decodable>(as type: T.Type) throws -> T {
    try JSONDecoder().decode(type, from: Data(utf8))
  }

  /// Decodes the text as a JSON object.
  func object() throws -> [String: Any] {
    let value = try JSONSerialization.jsonObject(with: Data(utf8))
    guard let object = value as? [String: Any] else { throw NotAnObject(text: String(self)) }
    return object
  }

  /// The lines without their line feeds.
  var lines: [SubSequence] { split(separator: "\n") }
}

struct NotAnObject: Error {
  var text: String
}
