@testable import CameraNode

extension AccessList {
  /// That of a node without keys.
  static var open: AccessList { AccessList(nodeKey: nil, group: nil) }
}

extension Doors {
  /// Those of a node without keys.
  static var open: Doors { Doors(keys: nil, list: .open) }
}

/// The connection of a client with this address.
extension Holder: ExpressibleByArrayLiteral {
  /// Its address.
  public init(arrayLiteral elements: UInt8...) { self = .connection(elements) }
}
