import OperatingSystem

/// Looks for a frame that the flash lit over its whole exposure, while its light lasts. Pure.
struct FlashSearch: Sendable {
  /// When the light ends by itself, at the latest.
  let end: MonotonicTime
  /// Nil if the frames themselves say whether they were lit.
  private var pictures: LitPictures?
  /// The last frame whose picture was looked at.
  private var last: Frame?
  /// The frame, once it is certain.
  private(set) var found: Frame?
  /// Whether the light is over and no frame was found.
  private(set) var isOver = false

  /// - Parameter dark: How bright pictures were without the flash; nil if the frames say whether
  ///   they were lit.
  init(until end: MonotonicTime, dark: [Double]?) {
    self.end = end
    pictures = dark.map { LitPictures(after: $0) }
  }

  /// Whether it goes by pictures.
  var needsPicture: Bool { pictures != nil }

  var evidence: ControlEffect.Basis { needsPicture ? .picture : .metadata }

  /// Takes the next frame.
  /// - Parameter brightness: That of its picture, if that is looked at and can be read.
  mutating func take(_ frame: Frame, brightness: Double?) {
    guard found == nil, !isOver else { return }
    if pictures == nil {
      if frame.metadata.facts.flash == true { found = frame }
    } else if pictures?.take(brightness) == true {
      found = last
    }
    last = frame
    isOver = found == nil && frame.metadata.exposure.earliestStart > end
  }
}

/// Tells of pictures that follow each other which one the flash lit over its whole exposure. Pure.
///
/// A flash lights without a gap from its firing to its end. So a picture between two that are lit
/// was lit all the time, if both were lit for long: rows of a rolling shutter are exposed one after
/// the other, and of a picture that is lit only in part a neighbour has less than half of the
/// light.
struct LitPictures: Sendable {
  /// By how much of 255 a lit picture is brighter than the brightest one before the flash.
  static let least = 6.0
  /// Which part of its light its neighbours must have at least.
  static let share = 0.75

  private let dark: Double
  /// By how much a picture must be brighter: more than pictures differed without the flash.
  private let distinction: Double
  /// By how much the last two were brighter.
  private var light: (first: Double, second: Double) = (0, 0)

  /// - Parameter before: How bright the last pictures before the flash were.
  init(after before: [Double]) {
    dark = before.max() ?? 0
    distinction = max(Self.least, 2 * (dark - (before.min() ?? dark)))
  }

  /// Takes the next picture.
  /// - Parameter brightness: Nil for a picture that cannot be read.
  /// - Returns: Whether the picture before it was lit over its whole exposure.
  mutating func take(_ brightness: Double?) -> Bool {
    let added = brightness.map { $0 - dark } ?? 0
    let (first, second) = light
    light = (second, added)
    let enough = max(distinction, Self.share * second)
    return second >= distinction && first >= enough && added >= enough
  }
}
