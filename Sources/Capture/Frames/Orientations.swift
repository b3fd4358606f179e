package import Imaging

/// How a camera's pictures are turned, by what they are for. The camera's own frames are not
/// turned.
package struct Orientations: Hashable, Sendable {
  /// Of encoded streams.
  package var preview = Orientation.upright
  /// Of photos and movies.
  package var capture = Orientation.upright

  package init() {}
}
