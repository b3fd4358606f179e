import SwiftProtobuf

extension WireCaptureRequest {
  /// Of the depth that goes with the pictures.
  var depthFlaw: WireError? {
    guard hasDepth else { return nil }
    guard !transient else {
      return WireRequest.refusal(
        "a photo with depth is several files, which the library keeps: keep it, or leave the depth out",
        "capture.depth")
    }
    guard !deferred else {
      return WireRequest.refusal(
        "a photo with depth is made at once: leave the depth out, or the deferral", "capture.depth")
    }
    guard size != .maximum else {
      return WireRequest.refusal(
        "a photo of the largest size has no depth: leave the depth out, or the size",
        "capture.depth")
    }
    return depth.hasMatte ? depth.matte.flaw : nil
  }
}

extension WireCaptureRequest.Matte {
  fileprivate var flaw: WireError? {
    // NaN is outside every range.
    for (field, distance) in [("near_m", nearM), ("far_m", farM)]
    where !WireLimits.distances.contains(distance) {
      return WireRequest.refusal(
        "a distance is 0 to \(WireLimits.distances.upperBound) metres",
        "capture.depth.matte.\(field)")
    }
    guard nearM < farM else {
      return WireRequest.refusal(
        "a matte ends farther away than it begins: change the distances",
        "capture.depth.matte.far_m")
    }
    return nil
  }
}
