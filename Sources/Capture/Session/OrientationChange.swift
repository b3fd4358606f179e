package import Imaging

/// A change of an orientation. What is nil stays as it is.
package struct OrientationChange: Codable, Hashable, Sendable {
  package var rotation: Orientation.Rotation?
  package var isMirrored: Bool?

  package init(rotation: Orientation.Rotation? = nil, isMirrored: Bool? = nil) {
    self.rotation = rotation
    self.isMirrored = isMirrored
  }
}

extension Orientation {
  package func merged(with change: OrientationChange) -> Orientation {
    Orientation(change.rotation ?? rotation, isMirrored: change.isMirrored ?? isMirrored)
  }
}
