package import Imaging

extension CaptureError {
  static var deadlineExceeded: CaptureError {
    CaptureError(
      .deadlineExceeded,
      "no frame came before the request's deadline: wait longer, or check status"
    )
  }

  static func overloaded(_ what: String) -> CaptureError {
    CaptureError(.overloaded, "\(what) already: try again when the camera is ready")
  }

  package static func hasNoDistances(_ pixelFormat: PixelFormat) -> CaptureError {
    CaptureError(
      .unsupportedFormat,
      "it delivers \(pixelFormat) and no distances: give it the format Z16, or leave the depth out",
      part: .depth)
  }

  static var streamEnded: CaptureError {
    CaptureError(
      .interrupted,
      "the stream ended for a photo in another format or because nobody used it, and a burst is of one stream: "
        + "ask again")
  }

  static var beforeStart: CaptureError {
    CaptureError(
      .frameUnavailable,
      "the camera did not stream at that moment and had no frames: ask for a later moment",
      part: .moment
    )
  }

  /// - Parameter offset: The nearest frame's timestamp minus the moment asked for, nanoseconds.
  static func outsideTolerance(_ tolerance: Int64, offset: Int64) -> CaptureError {
    CaptureError(
      .frameUnavailable,
      "the nearest frame lies \(words(offset.magnitude)) \(offset < 0 ? "before" : "after") the moment asked "
        + "for, and \(words(tolerance.magnitude)) are allowed: allow more, or ask for another moment",
      part: .tolerance)
  }

  private static func words(_ nanoseconds: UInt64) -> String {
    nanoseconds < 1000 ? "\(nanoseconds) ns" : "\(milliseconds(nanoseconds)) ms"
  }

  private static func milliseconds(_ nanoseconds: UInt64) -> Double {
    (Double(nanoseconds) / 1e3).rounded() / 1e3
  }

  static func tooOld(reach: Int64) -> CaptureError {
    let seconds = (Double(reach) / 1e7).rounded() / 100
    return CaptureError(
      .frameUnavailable,
      "the ring of recent frames reaches back \(seconds) s: ask for a later moment",
      part: .moment
    )
  }
}
