package import CameraProtocol

/// What kind of movie a camera makes, and how its pictures are coded.
public struct MovieSettings: Hashable, Sendable {
  /// How the pictures are coded; nil is H.264 in an MP4, and else MJPEG.
  public var codec: VideoCodec?
  /// The kind of file; nil is an MP4 of H.264, and else Matroska.
  public var container: MovieContainer?
  /// 1 to 100, where the node encodes; nil leaves it to the node.
  public var quality: Int?
  /// Of H.264: bits a second, 10 000 to 1 000 000 000, instead of a quality.
  public var bitRate: UInt64?
  /// Of H.264: the longest time from one picture that needs no other one to the next, 0.1 to 60
  /// seconds; nil is one second.
  public var keyInterval: Duration?
  /// Its sound; nil for a movie without.
  public var sound: SoundSettings?

  /// The camera's JPEGs in Matroska, unless you say otherwise.
  public init(
    codec: VideoCodec? = nil, container: MovieContainer? = nil, quality: Int? = nil,
    bitRate: UInt64? = nil, keyInterval: Duration? = nil, sound: SoundSettings? = nil
  ) {
    self.codec = codec
    self.container = container
    self.quality = quality
    self.bitRate = bitRate
    self.keyInterval = keyInterval
    self.sound = sound
  }

  /// H.264 in an MP4, which browsers and telephones play.
  public static let h264 = MovieSettings(codec: .h264)

  /// The request to start such a movie, whose rules the node has.
  package func request() throws(CameraBusError) -> WireRequest.OneOf_Body {
    var body = WireRecordStartRequest()
    try put(into: &body)
    return .recordStart(body)
  }

  func put(into body: inout WireRecordStartRequest) throws(CameraBusError) {
    body.quality = try Arguments.quality(quality)
    if let codec {
      guard let wire = codec.wire else {
        throw Arguments.refusal("no node makes \(codec)", "codec")
      }
      body.codec = wire
    }
    if let container {
      guard let wire = container.wire else {
        throw Arguments.refusal("no node makes \(container)", "container")
      }
      body.container = wire
    }
    if bitRate == 0 { throw Arguments.refusal("a bit rate is above 0, or nil", "bitRate") }
    body.bitRate = bitRate ?? 0
    body.keyIntervalNs = try Arguments.limit(keyInterval, "keyInterval")
    if let sound { body.sound = try sound.wire }
  }
}
