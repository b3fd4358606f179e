/// What is reported of a photo while it is taken, in this order. Exactly one end follows: the photo, or an error.
public enum CaptureStep: Hashable, Sendable {
  /// The settings are resolved; the frame may still be to come.
  case willBegin
  /// The frame is about to be taken.
  case willCapture
  /// The frame is chosen.
  case didCapture(ResolvedCapture)
  /// The picture is ready, with this many bytes.
  case didProcess(ResolvedCapture, byteCount: Int)
  /// The photo is here and, unless it is not to be kept, safe on the node's disk.
  case didFinish(Photo)
}
