/// A step of a photo, in this order. After the steps comes exactly one end: the photo, or an error.
///
/// More cases may come, so a switch needs an `@unknown default`.
@nonexhaustive
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
  /// A newer node reports a step that this client does not know.
  case unknown
}
