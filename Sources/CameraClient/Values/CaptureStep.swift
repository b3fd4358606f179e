import OperatingSystem

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
  /// The movie of a live photo gets no more frames, or cannot be had. It may come before or after
  /// the steps of the files.
  case didRecordMovie(ResolvedCapture)
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

/// What a node will make of a request for photos.
public struct CaptureSettings: Hashable, Sendable, Codable {
  /// A file of each picture.
  public struct File: Hashable, Sendable, Codable {
    /// Its type.
    public var mediaType: String
    /// Its size; nil while the camera does not stream.
    public var size: FrameSize?
    /// 1 to 100; nil if it loses no detail, or is the camera's own JPEG.
    public var quality: Int?
    /// Whether it is the camera's own JPEG.
    public var isPassthrough: Bool
  }

  /// In the order in which they were asked for.
  public var files: [File]
  /// How many pictures.
  public var pictures: Int
  /// How they are turned, or are to be turned.
  public var orientation: Orientation
  /// Whether the files say how they are to be turned, instead of being turned.
  public var hasOrientationTag: Bool
  /// How much will be done for their look; it may become less while many photos are made.
  public var prioritization: PhotoPrioritization
  /// Whether a frame from before the request may be taken.
  public var hasZeroShutterLag: Bool
  /// Whether the files are made later, and a proxy comes first.
  public var isDeferred: Bool
  /// Whether the flash is fired: `on` or `off`.
  public var flash: FlashMode
  /// The camera whose distances go with the pictures; nil for none.
  public var depthCamera: String?
}

/// The frame that was chosen for a photo, and how far it is from the moment asked for.
public struct ResolvedCapture: Hashable, Sendable, Codable {
  /// Which of the pictures of a burst or a bracket it is, from 1.
  public var picture = 1
  /// The frame's number since the camera's stream started, from 1.
  public var frameSequence: UInt64
  /// The frame's time; ``ExposureBounds/timestampMark`` says what it marks.
  public var timestamp: Timestamp
  /// When it was exposed.
  public var exposure: ExposureBounds
  /// The timestamp minus the moment asked for; negative for a frame before it.
  public var offset: Duration
  /// The size of the picture in the first file; so is what follows.
  public var size: FrameSize
  /// How the camera's picture was turned.
  public var orientation: Orientation
  /// Whether the picture is the camera's own JPEG, not encoded again: its bytes, or turned without
  /// loss.
  public var isPassthrough: Bool
  /// The JPEG quality it was encoded with, 1 to 100; nil for a picture that was not encoded.
  public var quality: Int?
  /// How long the photo waited until its idle camera streamed; zero if it did not wait for that.
  public var startDelay: Duration
  /// How else it was taken.
  public var facts = FrameFacts()
  /// The calibration that belongs to it; nil if the camera has none.
  public var calibrationID: String?
  /// When the frame was captured by the camera's own clock; nil if that is not known.
  public var deviceTime: DeviceTime?
  /// For how long the camera's streams had no frames because it changed its format for the photo;
  /// zero for a photo of the stream.
  public var gap = Duration.zero
  /// How much was done for its look.
  public var prioritization = PhotoPrioritization.speed
  /// The number of frames of which the picture was made.
  public var mergedFrames = 1
  /// What a picture of a bracket was taken with; nil for others.
  public var shot: ResolvedShot?
  /// How it is known that the flash lit the frame; nil if it was not fired for it.
  public var flash: ControlEffect.Basis?

  private enum CodingKeys: String, CodingKey {
    case picture, frameSequence, timestamp, exposure
    case offset = "offsetNanoseconds"
    case size, orientation, isPassthrough, quality
    case startDelay = "startNanoseconds"
    case facts, calibrationID, deviceTime
    case gap = "gapNanoseconds"
    case prioritization, mergedFrames, shot, flash
  }

  /// The bounds of the exposure minus the moment asked for: the picture shows a time within them.
  public var offsetBounds: (earliest: Duration, latest: Duration) {
    let moment = timestamp.monotonic - offset
    return (exposure.earliestStart - moment, exposure.latestEnd - moment)
  }
}
