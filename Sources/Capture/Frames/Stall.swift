/// A camera streams but delivers no good frame.
package struct Stall: Hashable, Sendable {
  /// Nanoseconds without a good frame.
  package var silence: Int64
  /// Bad frames during that time.
  package var flawed: Int
}

extension CaptureError {
  init(_ stall: Stall) {
    let seconds = stall.silence / 1_000_000_000
    let what =
      switch stall.flawed {
      case 0: "the camera gave no frame for \(seconds) s"
      case 1: "the camera gave one frame in \(seconds) s, and that was bad"
      default: "all \(stall.flawed) frames that the camera gave in \(seconds) s were bad"
      }
    self.init(.deviceStalled, "\(what): it is started again")
  }
}
