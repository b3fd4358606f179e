/// What a key may do. Each role includes the ones before it.
package enum Role: String, CaseIterable, Comparable, Sendable {
  /// Status, events, frames and lists.
  case viewer
  /// Also captures, recordings, downloads and controls.
  case `operator`
  /// Also sessions, configuration and the deletion of assets.
  case controller

  package static func < (left: Role, right: Role) -> Bool { left.rank < right.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
