/// How a frame was taken, as far as that is known. What an automatic of the camera decides is not.
public struct FrameFacts: Hashable, Sendable, Codable {
  /// As `exposure.gain`: a share of the driver's range, 0 to 1.
  public var gain: Double?
  /// As `focus.position`: 0 near to 1 far.
  public var focus: Double?
  /// As `white_balance.kelvin`.
  public var kelvin: Double?
  /// As `zoom`: a factor.
  public var zoom: Double?
  /// The range of raw pixels in luma and chroma; nil for a JPEG, which has its own.
  public var colorRange: ColorRange?
  /// The matrix of raw pixels in luma and chroma.
  public var colorMatrix: ColorMatrix?
  /// Whether the camera's flash lit it over its whole exposure.
  public var isLitByFlash: Bool?
}

/// When a frame was captured by the camera's own clock, and where that moment lies on the node's.
public struct DeviceTime: Hashable, Sendable, Codable {
  /// The camera's clock when it began to capture the frame, in ticks of a length that only the
  /// camera knows. It wraps around.
  public var ticks: UInt32
  /// The same moment on the node's monotonic clock: the middle of what is possible.
  public var monotonic: MonotonicInstant
  /// The moment lies at most this far from ``monotonic``.
  public var error: Duration
  /// How the clocks were compared.
  public var basis: Basis

  private enum CodingKeys: String, CodingKey {
    case ticks
    case monotonic = "monotonicNanoseconds"
    case error = "errorNanoseconds"
    case basis
  }
}
