/// How light a scene is, by one picture of it. Pure.
struct SceneLight {
  /// Of 255: a darker picture is of a dark scene, and one that is brighter than the second is not.
  static let (dark, bright) = (48.0, 128.0)
  /// A camera that amplifies or exposes at least so much has little light, unless its picture is
  /// bright.
  static let (gain, exposure): (Double, Int64) = (0.75, 1_000_000_000 / 15)

  /// The mean brightness; nil for a picture that cannot be read.
  var brightness: Double?
  var facts: FrameFacts

  /// Whether a photo of it takes the flash.
  var isDark: Bool {
    guard let brightness else { return false }
    if brightness < Self.dark { return true }
    let isStrained = (facts.gain ?? 0) >= Self.gain || (facts.exposure ?? 0) >= Self.exposure
    return brightness < Self.bright && isStrained
  }
}
