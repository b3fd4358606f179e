/// A request of RFC 27, as a handler's ROUTER receives it.
struct ZAPQuestion {
  private static let version = Array("1.0".utf8)

  /// The parts that the reply repeats: the routing id, the empty one and the version.
  private let envelope: [[UInt8]]
  private let number: [UInt8]
  /// What is asked. Nil if it is not understood, which is no admission.
  let request: ConnectionRequest?

  /// Nil if this is no request, so that it has no reply either.
  init?(_ message: [Message]) { self.init(message.map(\.bytes)) }

  /// - Parameter parts: Routing id, empty, version, number, domain, address, the socket's own
  ///   routing id, mechanism, credentials.
  init?(_ parts: [[UInt8]]) {
    guard parts.count >= 8, parts[1].isEmpty, parts[2] == Self.version else { return nil }
    envelope = Array(parts[..<3])
    number = parts[3]
    request = Self.credentials(Self.text(parts[7]), parts[8...]).map {
      ConnectionRequest(
        domain: Self.text(parts[4]), origin: Self.origin(Self.text(parts[5])), credentials: $0)
    }
  }

  func reply(_ admission: Admission) -> [[UInt8]] {
    let (status, text, user) =
      switch admission {
      case .admitted(let name): ("200", "OK", name)
      case .refused: ("400", "not authorized", "")
      case .notNow: ("300", "try again", "")
      }
    return envelope + [number, Array(status.utf8), Array(text.utf8), Array(user.utf8), []]
  }

  private static func credentials(
    _ mechanism: String, _ parts: ArraySlice<[UInt8]>
  ) -> ConnectionRequest.Credentials? {
    switch (mechanism, parts.count) {
    case ("NULL", 0): .null
    case ("PLAIN", 2):
      .password(name: text(parts[parts.startIndex]), password: text(parts[parts.startIndex + 1]))
    case ("CURVE", 1): (try? CurvePublicKey(bytes: parts[parts.startIndex])).map { .curve($0) }
    case ("NULL", _), ("PLAIN", _), ("CURVE", _): nil
    default: .other(mechanism)
    }
  }

  /// - Parameter address: Over ipc libzmq says `localhost:UID:GID:PID` (`stream_engine_base.cpp`).
  private static func origin(_ address: String) -> ConnectionRequest.Origin {
    let words = address.split(separator: ":", omittingEmptySubsequences: false)
    if words.count == 4, let user = UInt32(words[1]), let group = UInt32(words[2]),
      let process = Int32(words[3]), words[0].isEmpty || words[0] == "localhost"
    {
      return .process(process, user: user, group: group)
    }
    return address.isEmpty ? .unknown : .address(address)
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
