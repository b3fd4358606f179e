/// Adapts the size of live pictures to how fast the terminal takes them, so that they do not fall
/// behind on a slow connection.
struct PicturePace {
  /// A picture that takes longer is slow.
  private static let longest = Duration.milliseconds(250)
  /// A picture that takes no longer would be quick enough in the next larger size too.
  private static let short = Duration.milliseconds(60)
  private static let step = 0.7
  private static let smallest = 0.17

  /// The size of the next picture, as a part of the one that fits.
  private(set) var scale = 1.0
  private var slowCount = 0
  private var quickCount = 0
  /// How many quick pictures make the next one larger. It grows each time that a larger one turns
  /// out to be slow, so that the size does not swing.
  private var patience = 30

  /// Takes the time from the beginning of a picture's writing until the terminal had shown it.
  mutating func took(_ duration: Duration) {
    slowCount = duration > Self.longest ? slowCount + 1 : 0
    quickCount = duration <= Self.short ? quickCount + 1 : 0
    if slowCount == 2, scale > Self.smallest {
      scale = max(Self.smallest, scale * Self.step)
      slowCount = 0
      patience = min(1000, 2 * patience)
    } else if quickCount == patience, scale < 1 {
      // The smallest size is no power of the step.
      scale = scale / Self.step > 0.99 ? 1 : scale / Self.step
      quickCount = 0
    }
  }

  /// The scale in percent; nil for the full size.
  var percentage: Int? { scale < 1 ? Int((100 * scale).rounded()) : nil }
}
