import CameraClient

/// What the JSON of a type consists of, as the type reads it, in words for people.
enum JSONFields {
  /// The names of the fields, such as "name device{model} streams[{name}] state (idle, running)":
  /// an object's fields are in braces, those of a list's elements in brackets too, and the words
  /// that a text may be in parentheses.
  static func of<T: Decodable>(_ type: T.Type) -> String {
    String(shape(of: type).words.drop { $0 == "{" }.dropLast())
  }

  /// The words of an enumeration.
  static func words<E: CaseIterable & RawRepresentable>(of type: E.Type) -> String {
    E.allCases.map { "\($0.rawValue)" }.joined(separator: ", ")
  }

  /// The text in lines of 76 columns. All but the first one are indented.
  static func wrapped(_ text: String, indent: Int) -> String {
    let margin = String(repeating: " ", count: indent)
    var lines = [""]
    for word in text.split(separator: " ") {
      if lines[lines.count - 1].isEmpty {
        lines[lines.count - 1] += word
      } else if indent + lines[lines.count - 1].count + word.count < 76 {
        lines[lines.count - 1] += " \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines.joined(separator: "\n\(margin)")
  }

  /// Has a type read any value that it accepts, and returns the value with the words for it.
  fileprivate static func shape<T: Decodable>(of type: T.Type) -> (value: T?, words: String) {
    if let value = plain(type) { return (value, "") }
    if let words = type as? any (CaseIterable & RawRepresentable).Type {
      let (first, text) = choice(words)
      return (first as? T, " (\(text))")
    }
    let recorder = Recorder()
    return (try? T(from: recorder), recorder.words)
  }

  private static func choice<E: CaseIterable & RawRepresentable>(_ type: E.Type) -> (E?, String) {
    (E.allCases.first, words(of: type))
  }

  /// A value of a type that needs no more words, or is explained elsewhere.
  fileprivate static func plain<T>(_ type: T.Type) -> T? {
    let value: Any? =
      switch type {
      case is Bool.Type: false
      case is String.Type: ""
      case is Double.Type: 0.0
      case let number as any FixedWidthInteger.Type: zero(number)
      case is Identifier.Type: Identifier(String(repeating: "0", count: 32))
      case is Timestamp.Type:
        Timestamp(monotonic: .init(nanoseconds: 0), wall: .init(nanoseconds: 0))
      case is FrameSize.Type: FrameSize(width: 1, height: 1)
      case is FrameStream.Type: FrameStream.preview
      case is ControlValue.Type: ControlValue.integer(0)
      case is EventPosition.Type: EventPosition(String(repeating: "0", count: 32))
      case is CameraBusError.Code.Type: CameraBusError.Code.internal
      case is [CameraStatus].Type: [CameraStatus]()
      case is [CameraFormat].Type: [CameraFormat]()
      case is [MachineDevice].Type: [MachineDevice]()
      default: nil
      }
    return value as? T
  }

  private static func zero<N: FixedWidthInteger>(_ type: N.Type) -> N { 0 }
}

/// Notes what a type reads, and gives it what it asks for.
private final class Recorder: Decoder {
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]
  private var fields: [String] = []
  private var element: String?

  var words: String {
    if let element { return element.isEmpty ? "" : "[\(element)]" }
    return fields.isEmpty ? "" : "{\(fields.joined(separator: " "))}"
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Fields(recorder: self))
  }
  func unkeyedContainer() -> any UnkeyedDecodingContainer { Element(recorder: self) }
  func singleValueContainer() -> any SingleValueDecodingContainer { Single() }

  private static func value<T>(_ value: T?) throws -> T {
    guard let value else {
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "\(T.self)"))
    }
    return value
  }

  private struct Fields<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let recorder: Recorder
    let codingPath: [any CodingKey] = []
    let allKeys: [Key] = []

    func contains(_ key: Key) -> Bool { true }
    func decodeNil(forKey key: Key) -> Bool { false }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
      let (value, words) = JSONFields.shape(of: type)
      recorder.fields.append(key.stringValue + words)
      return try Recorder.value(value)
    }
    func nestedContainer<K: CodingKey>(
      keyedBy type: K.Type, forKey key: Key
    ) -> KeyedDecodingContainer<K> { recorder.container(keyedBy: type) }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
      recorder.unkeyedContainer()
    }
    func superDecoder() -> any Decoder { recorder }
    func superDecoder(forKey key: Key) -> any Decoder { recorder }
  }

  /// A list of one element.
  private struct Element: UnkeyedDecodingContainer {
    let recorder: Recorder
    let codingPath: [any CodingKey] = []
    let count: Int? = 1
    var currentIndex = 0
    var isAtEnd: Bool { currentIndex > 0 }

    mutating func decodeNil() -> Bool { false }
    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
      currentIndex += 1
      let (value, words) = JSONFields.shape(of: type)
      recorder.element = words
      return try Recorder.value(value)
    }
    mutating func nestedContainer<K: CodingKey>(
      keyedBy type: K.Type
    ) -> KeyedDecodingContainer<K> { recorder.container(keyedBy: type) }
    mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { self }
    mutating func superDecoder() -> any Decoder { recorder }
  }

  private struct Single: SingleValueDecodingContainer {
    let codingPath: [any CodingKey] = []

    func decodeNil() -> Bool { false }
    func decode<T: Decodable>(_ type: T.Type) throws -> T {
      try Recorder.value(JSONFields.plain(type))
    }
  }
}
