import SwiftProtobuf

private typealias Field = RequestField.Capture

extension WireCaptureRequest {
  /// The first mistake in the depth that goes with the pictures.
  var depthFlaw: WireError? {
    guard hasDepth else { return nil }
    guard !transient else {
      return WireRequest.refusal(
        "a photo with depth is several files, which the library keeps: keep it, or leave the depth out",
        Field.Depth.path)
    }
    guard !deferred else {
      return WireRequest.refusal(
        "a photo with depth is made at once: leave the depth out, or the deferral", Field.Depth.path
      )
    }
    guard size != .maximum else {
      return WireRequest.refusal(
        "a photo of the largest size has no depth: leave the depth out, or the size",
        Field.Depth.path)
    }
    return depth.hasMatte ? depth.matte.flaw : nil
  }
}

extension WireCaptureRequest.Matte {
  fileprivate var flaw: WireError? {
    // NaN is outside every range.
    for (field, distance) in [
      (Field.Depth.Matte.nearM, nearM), (Field.Depth.Matte.farM, farM),
    ]
    where !WireLimits.distances.contains(distance) {
      return WireRequest.refusal(
        "a distance is 0 to \(WireLimits.distances.upperBound) metres",
        field)
    }
    guard nearM < farM else {
      return WireRequest.refusal(
        "a matte ends farther away than it begins: change the distances",
        Field.Depth.Matte.farM)
    }
    return nil
  }
}
