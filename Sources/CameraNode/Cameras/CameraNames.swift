/// The names that the cameras of a node may have.
struct CameraNames: Sendable {
  private let configured: [String]
  private let rules: [AdoptionRule]
  /// Those of microphones, which lists of keys name too.
  let microphones: Set<String>

  init(_ configuration: NodeConfiguration) {
    configured = configuration.cameras.map(\.name)
    rules = configuration.adoptions
    microphones = Set(configuration.microphones.map(\.name))
  }

  func contains(_ name: String) -> Bool {
    configured.contains(name) || rules.contains { $0.mayMakeName(name) }
  }

  /// "left, right, usb-*".
  var words: String { (configured + rules.map(\.name)).sorted().joined(separator: ", ") }
}
