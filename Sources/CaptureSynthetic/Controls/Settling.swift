/// After how many frames a change of a control shows. A real camera needs two or three.
package struct Settling: Hashable, Sendable {
  /// 1 is the next frame.
  package var frames = 1...1
  /// Decides on the number of each change.
  package var seed: UInt64 = 1

  package init() {}
}
