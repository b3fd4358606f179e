package import CameraProtocol
import OperatingSystem

/// Sixteen bytes that name a photo or movie of the library, or a request.
public struct Identifier: Hashable, Sendable, Codable, LosslessStringConvertible {
  /// The bytes, 16 of them.
  public let bytes: [UInt8]

  package init(_ id: some RandomIdentifier) {
    bytes = id.bytes
  }

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
