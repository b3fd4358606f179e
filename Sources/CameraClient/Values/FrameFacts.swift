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
  /// Of raw pixels in luma and chroma; nil for a JPEG, which has its own.
  public var colorRange: ColorRange?
  /// Of raw pixels in luma and chroma.
  public var colorMatrix: ColorMatrix?
  /// Whether the camera's flash lit it over its whole exposure.
  public var isLitByFlash: Bool?
}
