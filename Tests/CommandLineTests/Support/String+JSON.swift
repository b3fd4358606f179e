import Foundation

extension StringProtocol {
  /// The value that this JSON is.
  func decoded<T: Decodable>(as type: T.Type) throws -> T {
    try JSONDecoder().decode(type, from: Data(utf8))
  }

  /// The object that this JSON is, by its keys.
  func object() throws -> [String: Any] {
    let value = try JSONSerialization.jsonObject(with: Data(utf8))
    guard let object = value as? [String: Any] else { throw NotAnObject(text: String(self)) }
    return object
  }

  /// The lines, without the line feeds.
  var lines: [SubSequence] { split(separator: "\n") }
}

struct NotAnObject: Error {
  var text: String
}
