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
