/// A step of a photo, in this order; those of several pictures and files overlap. After the steps
/// comes exactly one end: the photo, or an error.
///
/// More cases may come, so a switch needs an `@unknown default`.
@nonexhaustive
public enum CaptureStep: Hashable, Sendable {
  /// The settings are resolved; the frame may still be to come.
  case willBegin(CaptureSettings)
  /// The frame is about to be taken.
  case willCapture
  /// The frame is chosen.
  case didCapture(ResolvedCapture)
  /// A file of the picture is ready.
  case didProcess(ResolvedCapture, ProcessedFile)
  /// The photo is here and, unless it is not to be kept, safe on the node's disk.
  case didFinish(Photo)
  /// A newer node reports a step that this client does not know.
  case unknown
}

/// A file of a photo that is ready, on its way to the disk.
public struct ProcessedFile: Hashable, Sendable, Codable {
  /// Its type.
  public var mediaType: String
  /// Its length.
  public var byteCount: Int
  /// Which of the picture's files it is, from 1.
  public var number: Int
  /// Whether it is a proxy.
  public var isProxy: Bool
  /// What it shows of the depth that goes with the picture; nil for the picture itself.
  public var part: AssetPart?
}
