package import CameraProtocol
import OperatingSystem

/// The 16 bytes of an id: of an asset in the library, a request, or a start of the node.
public struct Identifier: Hashable, Sendable, Codable, LosslessStringConvertible {
  /// The 16 bytes.
  public let bytes: [UInt8]

  package init(_ id: some RandomIdentifier) {
    bytes = id.bytes
  }

  /// A new one.
  public static func random() -> Identifier { Identifier(RequestID.random()) }

  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    self.bytes = Array(bytes)
  }

  /// Reads 32 hexadecimal digits; nil for anything else.
  public init?(_ description: String) {
    guard let bytes = [UInt8](hexadecimal: description) else { return nil }
    self.init(bytes: bytes)
  }

  /// Reads the text form.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let identifier = Identifier(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "an identifier is 32 hexadecimal digits"
      )
    }
    self = identifier
  }

  /// Writes the text form.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  /// 32 lower-case hexadecimal digits.
  public var description: String { bytes.hexadecimal }
}
