/// How a frame was taken, as far as that is known. What an automatic of the camera decides is not.
public struct FrameFacts: Hashable, Sendable, Codable {
  /// The range of luma and chroma codes. Open: more may come, so a switch needs a default.
  public struct ColorRange: RawRepresentable, Hashable, Sendable, Codable {
    /// The name, which never changes.
    public let rawValue: String

    /// The range of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// 0 to 255.
    public static let full = Self(rawValue: "full")
    /// Luma 16 to 235, chroma 16 to 240.
    public static let limited = Self(rawValue: "limited")
  }

  /// The weights of red, green and blue. Open: more may come, so a switch needs a default.
  public struct ColorMatrix: RawRepresentable, Hashable, Sendable, Codable {
    /// The name, which never changes.
    public let rawValue: String

    /// The matrix of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// ITU-R BT.601.
    public static let bt601 = Self(rawValue: "bt601")
    /// ITU-R BT.709.
    public static let bt709 = Self(rawValue: "bt709")
  }

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
