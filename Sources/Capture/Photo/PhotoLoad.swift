/// How many photos of a camera are under way.
package struct PhotoLoad: Hashable, Sendable {
  /// Requests that wait for their frame.
  package var waiting = 0
  /// Pictures being encoded.
  package var processing = 0

  package init() {}
}
