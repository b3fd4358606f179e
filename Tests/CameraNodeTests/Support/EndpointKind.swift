import CameraNode

/// The endpoints of a node, as arguments of tests.
enum EndpointKind: CaseIterable {
  case control, events, frames
}

extension NodeConfiguration {
  subscript(kind: EndpointKind) -> String {
    get { self[keyPath: Self.path(kind)] }
    set { self[keyPath: Self.path(kind)] = newValue }
  }

  private static func path(_ kind: EndpointKind) -> WritableKeyPath<NodeConfiguration, String> {
    switch kind {
    case .control: \.control
    case .events: \.events
    case .frames: \.frames
    }
  }
}
