/// How one stream of a camera is sent.
public struct StreamSettings: Hashable, Sendable, Codable {
  /// The stream.
  public var stream: FrameStream
  /// Frames a second at most: the node leaves out the others, evenly. In a request, 0 stands for
  /// all frames and nil for as before.
  public var maximumRate: Double?
  /// JPEG quality 1 to 100, also of the camera's own JPEGs, which are then encoded again. In a
  /// request, 0 stands for the node's quality and nil for as before.
  public var quality: Int?
  /// False for a stream that is switched off: nothing is made for it or sent on it, and its readers
  /// wait. In a request, true switches it on again, and nil stands for as before.
  public var isEnabled: Bool?

  /// Settings for a request.
  public init(
    _ stream: FrameStream, maximumRate: Double? = nil, quality: Int? = nil, isEnabled: Bool? = nil
  ) {
    self.stream = stream
    self.maximumRate = maximumRate
    self.quality = quality
    self.isEnabled = isEnabled
  }
}

extension FrameStream: Codable {
  /// Reads its name.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let stream = FrameStream(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "'\(text)' is no stream")
    }
    self = stream
  }

  /// Writes its name.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
